"""Resolves what a running configuration says into what is in force on each port."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import (
    UNLIMITED,
    Amount,
    CodeMap,
    Curve,
    Dcbx,
    Dynamic,
    Ecn,
    Headroom,
    LinkPause,
    Pfc,
    PortQos,
    PortWatchdog,
    PriorityGroup,
    Queue,
    Static,
    Where,
    eight,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rocecfg.state.grammar import Record
    from rocecfg.state.model import Unit
    from vendors.nxos.config import ClassMap, Config, Interface, Policy, PolicyClass

_CONFIG = load_module(Path(__file__).with_name("config.py"))
codes, RATES = _CONFIG.codes, _CONFIG.RATES

Places = dict[str, Where]
DEFAULT_OUT = "default-8q-out-policy"
_SYSTEM_CLASS = {
    "network-qos": re.compile(r"c-(?:8q-|4q-)?nq(?:-default|([1-7]))"),
    "queuing": re.compile(r"c-(?:out|in)-(?:8q-|4q-)?q(?:-default|([1-7]))"),
}
_UNITS: dict[str, Unit] = {"packets": "packet", "bytes": "byte", "kbytes": "kbyte", "mbytes": "mbyte"}
UNKNOWN_CODES = CodeMap((None,) * 64)
UNKNOWN_PCPS = CodeMap((None,) * 8)


def is_system_class(kind: str, name: str) -> bool:
    """Return whether NX-OS itself defines a class."""
    pattern = _SYSTEM_CLASS.get(kind)
    return name == "class-default" or (pattern is not None and pattern.fullmatch(name) is not None)


def is_system_policy(kind: str, name: str) -> bool:
    """Return whether NX-OS itself defines a policy (default-8q-out-policy, default-nq-policy ...)."""
    return kind != "qos" and re.fullmatch(r"default-\S*policy", name) is not None


def group_of(config: Config, kind: str, name: str) -> int | None:
    """Return the qos-group that a class of a network-qos or queuing policy means; None when it binds to nothing."""
    system = _SYSTEM_CLASS[kind].fullmatch(name)
    if system is not None:
        return int(system[1] or 0)
    if name == "class-default":
        return 0
    class_map = config.class_maps.get((kind, name))
    groups = [int(record.values["group"]) for record, _ in class_map.matches if record.kind == "group"] if class_map else []
    return groups[-1] if groups else None


@dataclass(slots=True)
class Classification:
    """What a `type qos` input policy does."""

    trust: str | None = None
    dscp_to_tc: CodeMap | None = None
    pcp_to_tc: CodeMap | None = None
    default_tc: int | None = None
    rewrite: tuple[tuple[str, int, int], ...] | None = None
    places: Places = field(default_factory=dict)


def classification(config: Config, name: str) -> Classification:
    """Return what an input policy does; all codes unknown when the text does not define it."""
    policy = config.policies.get(("qos", name))
    if policy is None:
        return Classification(dscp_to_tc=UNKNOWN_CODES, pcp_to_tc=UNKNOWN_PCPS)
    default = policy.classes.get("class-default")
    rest = _group_set(default)
    maps: dict[str, dict[int, int | None]] = {"dscp": {}, "pcp": {}}
    rewrite: list[tuple[str, int, int]] = []
    places: Places = {}
    trusted: set[str] = set()
    for item in policy.classes.values():
        class_map = config.class_maps.get(("qos", item.name))
        if class_map is None:
            continue
        group = _group_set(item)
        matched = _matched(class_map)
        for kind, (found, whole, number) in matched.items():
            trusted.add(kind)
            places.setdefault(f"{kind}_to_tc", config.where(number))
            for code in sorted(found - maps[kind].keys()):
                # A class that asks for more than the code takes only part of its packets: the code has no one class.
                maps[kind][code] = group if whole else None
                places[f"{kind}_to_tc.{code}"] = config.where(number)
        mark = item.last("dscp")
        if mark is not None:
            to = min(codes(mark[0].values["code"], 63))
            places["rewrite"] = config.where(mark[1])
            found = matched.get("dscp", (frozenset(), True, 0))[0]
            rewrite += [("dscp", code, to) for code in sorted(found)] or [("tc", group, to)]
    trust = "both" if len(trusted) == 2 else next(iter(trusted), "none")
    return Classification(
        trust,
        _filled(maps["dscp"], 64, rest) if trust != "pcp" else None,
        _filled(maps["pcp"], 8, rest) if trust != "dscp" else None,
        rest,
        tuple(rewrite) or None,
        places,
    )


def _group_set(item: PolicyClass | None) -> int:
    """Return the qos-group of a class; without `set qos-group` its packets stay in group 0."""
    found = item.last("group") if item is not None else None
    return int(found[0].values["group"]) if found is not None else 0


def _filled(stated: Mapping[int, int | None], size: int, rest: int) -> CodeMap:
    bits = sum(1 << code for code, to in stated.items() if to is not None)
    return CodeMap(tuple(stated.get(code, rest) for code in range(size)), bits)


def _matched(class_map: ClassMap) -> dict[str, tuple[frozenset[int], bool, int]]:
    """Return, for DSCP and PCP, the codes a class-map asks for, whether they alone decide, and the line."""
    found: dict[str, tuple[frozenset[int], int]] = {}
    others = False
    for record, number in class_map.matches:
        kind, wanted = _codes_of(record)
        if not kind:
            others = True
            continue
        if kind in found:
            before = found[kind][0]
            wanted = before | wanted if class_map.match_any else before & wanted
            number = found[kind][1]
        found[kind] = (wanted, number)
    whole = class_map.match_any or (len(found) == 1 and not others)
    return {kind: (wanted, whole, number) for kind, (wanted, number) in found.items()}


def _codes_of(record: Record) -> tuple[str, frozenset[int]]:
    kind = record.kind.removeprefix("not_")
    if kind not in ("dscp", "cos", "precedence"):
        return "", frozenset()
    wanted = codes(record.values["codes"], 63 if kind == "dscp" else 7)
    if kind == "precedence":  # the upper three bits of the DSCP
        wanted = frozenset(8 * high + low for high in wanted for low in range(8))
    if record.kind.startswith("not_"):
        wanted = frozenset(range(8 if kind == "cos" else 64)) - wanted
    return ("pcp" if kind == "cos" else "dscp"), wanted


@dataclass(slots=True)
class Network:
    """What the network-qos policy in force does: no-drop groups, their PFC priorities, class MTUs."""

    known: bool = True
    """False = a policy is attached that the text does not define."""
    attached: bool = False
    sends: dict[int, frozenset[int]] = field(default_factory=dict)
    """qos-group -> priorities it pauses."""
    honours: dict[int, frozenset[int]] = field(default_factory=dict)
    mtu: dict[int, int] = field(default_factory=dict)
    places: Places = field(default_factory=dict)


def network(config: Config) -> Network:
    """Return what the attached network-qos policy does."""
    found = Network()
    name, _ = config.system.get("network-qos", ("", 0))
    policy = config.policies.get(("network-qos", name))
    if not name or is_system_policy("network-qos", name):
        return found
    found.attached, found.known = True, policy is not None
    for item in policy.classes.values() if policy else ():
        group = group_of(config, "network-qos", item.name)
        if group is None:
            continue
        found.places[f"priority_groups.{group}"] = config.where(item.number)
        mtu = item.last("mtu")
        if mtu is not None:
            found.mtu[group] = int(mtu[0].values["mtu"])
            found.places[f"priority_groups.{group}.mtu"] = config.where(mtu[1])
        pause = max((p for p in map(item.last, ("pause", "no_drop", "no_pause")) if p), key=lambda p: p[1], default=None)
        if pause is None or pause[0].kind == "no_pause":
            continue
        # The older `pause no-drop` names no priority: the class pauses the priority of its own number.
        stated = codes(pause[0].values["codes"], 7) if pause[0].kind == "pause" else frozenset({group})
        found.honours[group] = stated
        found.sends[group] = frozenset() if "receive" in pause[0].values else stated
        place = config.where(pause[1])
        found.places |= {f"priority_groups.{group}.lossless": place, "pfc.tx": place, "pfc.rx": place}
    return found


def _amount(count: str, word: str) -> Amount:
    """Return a threshold in its own unit. Bytes of a kbyte stay unknown: Cisco states no factor."""
    unit = _UNITS[word]
    return Amount(int(count), unit, int(count) if unit == "byte" else None)


def queues(config: Config, name: str, number: int) -> tuple[tuple[Queue | None, ...] | None, Places]:
    """Return the eight queues of an output policy: eight unknown ones when the text does not define it."""
    if name == DEFAULT_OUT or is_system_policy("queuing", name):
        return None, {}
    policy = config.policies.get(("queuing", name))
    places: Places = {"queues": config.where(number)}
    if policy is None:
        return eight({}), places
    found = dict.fromkeys(range(8), Queue(shaper=UNLIMITED))
    for item in policy.classes.values():
        group = group_of(config, "queuing", item.name)
        if group is not None:
            found[group] = _queue(config, item, places, f"queues.{group}")
    return eight(found), places


def _queue(config: Config, item: PolicyClass, places: Places, path: str) -> Queue:
    places[path] = config.where(item.number)
    queue = Queue(shaper=UNLIMITED)
    for record, number in item.settings:
        kind, words = record.kind, record.values
        place = config.where(number)
        if kind in ("percent", "remaining"):
            share = "percent-of-link" if kind == "percent" else "percent-of-rest"
            queue = replace(queue, scheduler="weighted", rank=None, weight=int(words["percent"]), weight_kind=share)
            places[f"{path}.scheduler"] = places[f"{path}.weight"] = place
        elif kind == "priority":
            level = int(words.get("level", 1)) or 1
            queue = replace(queue, scheduler="strict", rank=level, weight=None, weight_kind=None)
            places[f"{path}.scheduler"] = places[f"{path}.rank"] = place
        elif kind in ("wred", "preset"):
            queue = _with_curve(queue, record)
            places[f"{path}.ecn"] = places[f"{path}.wred"] = place
        elif kind == "limit_dynamic":
            queue = replace(queue, limit=Dynamic(index=int(words["index"])))
        elif kind == "limit_static":
            queue = replace(queue, limit=Static(_amount(words["limit"], words["unit"])))
        elif kind == "shape":
            low, high = (int(words[end]) * RATES[words[f"{end}_unit"]] for end in ("low", "high"))
            queue = replace(queue, guarantee=low or UNLIMITED, shaper=high)
            places[f"{path}.shaper"] = place
    return queue


def _with_curve(queue: Queue, record: Record) -> Queue:
    """Add a random-detect line: with the word `ecn` it marks, without it the same line drops."""
    words = record.values
    if record.kind == "preset":
        curve = Curve(None, None, None)
    else:
        probability = words.get("probability")
        curve = Curve(
            _amount(words["low"], words["low_unit"]),
            _amount(words["high"], words["high_unit"]),
            int(probability) if probability is not None else None,
        )
    if "ecn" not in words:
        return replace(queue, ecn=Ecn(), wred=(curve,))
    weight = int(words["weight"]) if "weight" in words else None
    return replace(queue, ecn=Ecn((curve,), weight=weight, non_ect="drop"), wred=())


@dataclass(slots=True)
class Pause:
    """An ingress pause buffer of one priority group."""

    headroom: Headroom
    xoff_at: Static
    xon_at: Amount
    place: Where


def pauses(config: Config, name: str) -> dict[int, Pause]:
    """Return the pause buffers of an input policy by priority group."""
    policy = config.policies.get(("queuing", name))
    found: dict[int, Pause] = {}
    for item in policy.classes.values() if policy else ():
        group, line = group_of(config, "queuing", item.name), item.last("pause")
        if group is None or line is None or item.name.startswith("c-out"):
            continue
        size, pause, resume = (int(line[0].values[word]) for word in ("buffer", "pause", "resume"))
        # buffer-size is the whole reservation of the group: what lies above the trigger is the headroom.
        headroom = Headroom(Amount.of_bytes(size - pause), by="stated")
        found[group] = Pause(headroom, Static(Amount.of_bytes(pause)), Amount.of_bytes(resume), config.where(line[1]))
    return found


def watchdog_times(config: Config) -> tuple[int | None, int | None, int | None]:
    """Return (poll, detect, restore) in ms as far as global lines state them; unstated ones are None."""
    numbers = {
        key: int(config.options[key][0])
        for key in ("poll", "shutdown_multiplier", "auto_restore", "fixed_restore")
        if key in config.options
    }
    poll = numbers.get("poll")
    base = 100 if poll is None else poll
    detect = numbers.get("shutdown_multiplier")
    restore = numbers["auto_restore"] + numbers.get("fixed_restore", 0) if "auto_restore" in numbers else None
    return poll, None if detect is None else detect * base, None if restore is None else restore * base


class Resolver:
    """Builds the `PortQos` of a port from its settings; equal settings are built once."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.network = network(config)
        self.times = watchdog_times(config)
        self._known: dict[tuple[object, ...], tuple[PortQos, Places]] = {}
        self._lossless = frozenset(self.network.honours)

    def port(self, port: Interface) -> tuple[PortQos, Places]:
        """Return what is in force on a port, and which line decides it."""
        stated, system = port.settings, self.config.system
        attached = {}
        for kind in ("qos input", "queuing input", "queuing output"):
            attached[kind] = stated.get(kind) or system.get(kind) or ("", 0)
        names = ("pfc", "watchdog", "flowcontrol receive", "flowcontrol send", "dcbx")
        values = tuple(stated[name][0] if name in stated else None for name in names)
        key = (*values, *(attached[kind][0] for kind in attached), attached["queuing output"][1])
        built = self._known.get(key)
        if built is None:
            built = self._known[key] = self._build(dict(zip(names, values, strict=True)), attached)
        return built[0], {**built[1], **self._places(stated, attached)}

    def _places(self, stated: Mapping[str, tuple[object, int]], attached: Mapping[str, tuple[str, int]]) -> Places:
        """Return the lines of the port itself. A missing watchdog or input policy points at the PFC line."""
        config, places = self.config, {}
        pfc = stated.get("pfc")
        live = config.where(pfc[1]) if pfc is not None else None
        if live is not None:
            places = {"pfc": live, "pfc.admin": live, "watchdog": live, "trust": live}
        if "watchdog" in stated:
            places["watchdog"] = config.where(stated["watchdog"][1])
        if attached["qos input"][1]:
            places["trust"] = config.where(attached["qos input"][1])
        elif live is not None:
            places["dscp_to_tc"] = places["pcp_to_tc"] = live
        for key, name in (("mtu", "mtu"), ("flowcontrol receive", "link_pause"), ("flowcontrol send", "link_pause")):
            if key in stated:
                places[name] = config.where(stated[key][1])
        return places

    def _build(self, values: Mapping[str, object], attached: Mapping[str, tuple[str, int]]) -> tuple[PortQos, Places]:
        config, net = self.config, self.network
        places: Places = dict(net.places)
        out_queues, queue_places = None, {}
        if attached["queuing output"][0]:
            out_queues, queue_places = queues(config, *attached["queuing output"])
        places |= queue_places
        classes = classification(config, attached["qos input"][0]) if attached["qos input"][0] else Classification()
        places |= classes.places
        for group in net.honours:  # a no-drop class without ECN is decided by the line that makes it no-drop
            places.setdefault(f"queues.{group}.ecn", net.places[f"priority_groups.{group}.lossless"])
        qos = PortQos(
            trust=classes.trust,  # type: ignore[arg-type]
            dscp_to_tc=classes.dscp_to_tc,
            pcp_to_tc=classes.pcp_to_tc,
            default_tc=classes.default_tc,
            rewrite=classes.rewrite,
            priority_to_queue=self._by_priority(),
            priority_to_pg=self._by_priority(),
            pfc=self._pfc(values["pfc"]),
            link_pause=_link_pause(values["flowcontrol receive"], values["flowcontrol send"]),
            dcbx=self._dcbx(values["pfc"], values["dcbx"]),
            watchdog=self._watchdog(values["watchdog"]),
            queues=out_queues,
            priority_groups=self._groups(pauses(config, attached["queuing input"][0]), places),
        )
        return qos, places

    def _by_priority(self) -> tuple[frozenset[int] | None, ...] | None:
        groups: dict[int, frozenset[int]] = {}
        for group, priorities in self.network.honours.items():
            for priority in priorities:
                groups[priority] = groups.get(priority, frozenset()) | {group}
        return eight(groups) if groups else None

    def _pfc(self, mode: object) -> Pfc | None:
        sends = honours = None
        if self.network.attached and self.network.known:
            sends = frozenset().union(*self.network.sends.values())
            honours = frozenset().union(*self.network.honours.values())
        admin = mode[0] if isinstance(mode, tuple) else None
        if admin is None and sends is None:
            return None
        return Pfc(admin=admin, tx=sends, rx=honours)

    def _dcbx(self, mode: object, version: object) -> Dcbx | None:
        shown = set()
        if isinstance(mode, tuple) and mode[1]:
            shown.add("pfc")
        if "advertise_ets" in self.config.options:
            shown.add("ets")
        state = version if version in ("auto", "ieee", "cee") else None
        return Dcbx(state=state, advertises=frozenset(shown) or None) if shown or state else None  # type: ignore[arg-type]

    def _watchdog(self, stated: object) -> PortWatchdog | None:
        poll, detect, restore = self.times
        enabled: bool | None = None
        action = None
        if isinstance(stated, tuple):
            mode, alert, multiplier = stated
            device = self.config.options.get("watchdog", (None, 0))[0]
            enabled = None if mode == "on" and device is None else mode == device == "on"
            action = "alert" if alert else None
            detect = multiplier * (poll or 100) if multiplier else detect
        if enabled is None and (poll, detect, restore, action) == (None, None, None, None):
            return None
        return PortWatchdog(enabled=enabled, poll=poll, detect=detect, restore=restore, action=action)  # type: ignore[arg-type]

    def _groups(self, buffers: Mapping[int, Pause], places: Places) -> tuple[PriorityGroup | None, ...] | None:
        net = self.network
        if not net.known:
            return eight({})
        if not net.attached and not buffers:
            return None
        groups: dict[int, PriorityGroup] = {}
        for number in range(8):
            buffer = buffers.get(number)
            groups[number] = PriorityGroup(
                lossless=True if number in self._lossless else None,
                headroom=buffer.headroom if buffer else None,
                xoff_at=buffer.xoff_at if buffer else None,
                xon_at=buffer.xon_at if buffer else None,
                mtu=net.mtu.get(number),
            )
            if buffer is not None:
                for leaf in ("headroom", "xoff_at", "xon_at"):
                    places[f"priority_groups.{number}.{leaf}"] = buffer.place
        return eight(groups)


def _link_pause(receive: object, send: object) -> LinkPause | None:
    if receive is None and send is None:
        return None
    # `desired` negotiates: whether the link pauses is not known from the text.
    known = {"on": True, "off": False}
    return LinkPause(rx=known.get(str(receive)), tx=known.get(str(send)))


_INHERITED = ("pfc", "watchdog", "qos input", "queuing input", "queuing output", "flowcontrol receive", "flowcontrol send", "mtu")


def share_in_channels(interfaces: Mapping[str, Interface]) -> dict[str, list[str]]:
    """Give port-channels and their members one another's settings; return the members by channel.

    What the port-channel says holds on its members. What only the members say, and all of them alike, holds on the
    port-channel.
    """
    channels: dict[str, list[str]] = {}
    for name, port in interfaces.items():
        channel = port.settings.get("channel")
        if channel is not None:
            channels.setdefault(str(channel[0]), []).append(name)
    for name, members in channels.items():
        owner = interfaces.get(name)
        if owner is None:
            continue
        for key in _INHERITED:
            if key not in owner.settings:
                of_members = [interfaces[member].settings.get(key) for member in members]
                if of_members[0] is not None and len({item and item[0] for item in of_members}) == 1:
                    owner.settings[key] = of_members[0]
            elif key in owner.settings:
                for member in members:
                    interfaces[member].settings[key] = owner.settings[key]
    return channels


def attached_names(config: Config, ports: Iterable[Interface]) -> dict[tuple[str, str], int]:
    """Return every policy that is attached somewhere: (type, name) -> the first line that attaches it."""
    found: dict[tuple[str, str], int] = {}
    items = list(config.system.items())
    for port in ports:
        items += [(key, value) for key, value in port.settings.items() if key.endswith(("put",))]
    for key, (name, number) in items:
        kind = (key.split(" ")[0], name)
        found[kind] = min(number, found.get(kind, number))
    return found
