"""Resolves what a running configuration says into what is in force on each port."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import Dcbx, LinkPause, Pfc, PortQos, PortWatchdog, PriorityGroup, Queue, Where, eight

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vendors.nxos.config import Config, Interface
    from vendors.nxos.policies import Pause

_POLICIES = load_module(Path(__file__).with_name("policies.py"))

Places = dict[str, Where]
_ATTACHED = ("qos input", "queuing input", "queuing output")
_VALUES = ("pfc", "watchdog", "flowcontrol receive", "flowcontrol send", "dcbx")


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
        self.network = _POLICIES.network(config)
        self.times = watchdog_times(config)
        self._known: dict[tuple[object, ...], tuple[PortQos, Places]] = {}
        self._lossless = frozenset(self.network.honours)
        self._of_system = {kind: config.system.get(kind) or ("", 0) for kind in _ATTACHED}

    def port(self, port: Interface) -> tuple[PortQos, Places]:
        """Return what is in force on a port, and which line decides it."""
        stated = port.settings
        attached = {kind: stated.get(kind) or policy for kind, policy in self._of_system.items()}
        values = [stated[name][0] if name in stated else None for name in _VALUES]
        key = (*values, *[name for name, _ in attached.values()], attached["queuing output"][1])
        built = self._known.get(key)
        if built is None:
            built = self._known[key] = self._build(dict(zip(_VALUES, values, strict=True)), attached)
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
        out_queues: tuple[Queue | None, ...] | None = None
        queue_places: Places = {}
        if attached["queuing output"][0]:
            out_queues, queue_places = _POLICIES.queues(config, *attached["queuing output"])
        out_queues = _POLICIES.marked(out_queues, net)
        places |= queue_places | {f"queues.{group}.ecn": config.where(line) for group, line in net.marks.items()}
        classes = (
            _POLICIES.classification(config, attached["qos input"][0])
            if attached["qos input"][0]
            else _POLICIES.Classification()
        )
        places |= classes.places
        for group in net.honours:  # a no-drop class without ECN is decided by the line that makes it no-drop
            places.setdefault(f"queues.{group}.ecn", net.places[f"priority_groups.{group}.lossless"])
        qos = PortQos(
            trust=classes.trust,
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
            priority_groups=self._groups(_POLICIES.pauses(config, attached["queuing input"][0]), places),
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


_INHERITED = (
    "pfc",
    "watchdog",
    "qos input",
    "queuing input",
    "queuing output",
    "flowcontrol receive",
    "flowcontrol send",
    "mtu",
)


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
    for key, name, number in config.elsewhere:  # what a VLAN attaches may come from a part that is not ours
        if (key.split(" ")[0], name) in config.policies:
            items.append((key, (name, number)))
    for port in ports:
        items += [(key, value) for key, value in port.settings.items() if key.endswith(("put",))]
    for key, (name, number) in items:
        kind = (key.split(" ")[0], name)
        found[kind] = min(number, found.get(kind, number))
    return found
