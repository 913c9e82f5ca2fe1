"""Resolves each policy: what an input policy classifies, a network-qos policy pauses, a queuing policy serves."""

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
    Dynamic,
    Ecn,
    Headroom,
    Queue,
    Static,
    Where,
    eight,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.grammar import Record
    from rocecfg.state.model import Unit
    from vendors.nxos.config import ClassMap, Config, PolicyClass

_CONFIG = load_module(Path(__file__).with_name("config.py"))
codes, RATES = _CONFIG.codes, _CONFIG.RATES

Places = dict[str, Where]
DEFAULT_OUT = "default-8q-out-policy"
_SYSTEM_CLASS = {
    "network-qos": re.compile(r"c-(?:8q-|4q-)?nq(?:-default|([1-7]))"),
    "queuing": re.compile(r"c-(?:out|in)-(?:8q-|4q-)?q(?:-default|([1-7]))"),
}
_OLDER_CLASSES = re.compile(
    r"class-(?:fcoe|all-flood|ip-multicast)|\d[peq]\S{0,16}-(?:in|out)-\S{1,20}|c-\dq-\de-\S{1,30}"
)
"""Classes that Nexus 3000, 5000 and 7000 define themselves; which group they mean depends on the platform."""
_UNITS: dict[str, Unit] = {"packets": "packet", "bytes": "byte", "kbytes": "kbyte", "mbytes": "mbyte"}
UNKNOWN_CODES = CodeMap((None,) * 64)
UNKNOWN_PCPS = CodeMap((None,) * 8)


def is_system_class(kind: str, name: str) -> bool:
    """Return whether NX-OS itself defines a class."""
    pattern = _SYSTEM_CLASS.get(kind)
    if name == "class-default" or (pattern is not None and pattern.fullmatch(name) is not None):
        return True
    return _OLDER_CLASSES.fullmatch(name) is not None


def is_system_policy(kind: str, name: str) -> bool:
    """Return whether NX-OS itself defines a policy (default-8q-out-policy, default-nq-policy ...)."""
    if re.fullmatch(r"fcoe-default-\S*policy|default-fcoe-\S*policy", name) is not None:
        return True
    return kind != "qos" and re.fullmatch(r"default-\S*policy", name) is not None


def group_of(config: Config, kind: str, name: str) -> int | None:
    """Return the qos-group that a class of a network-qos or queuing policy means; None when it binds to nothing."""
    system = _SYSTEM_CLASS[kind].fullmatch(name)
    if system is not None:
        return int(system[1] or 0)
    if name == "class-default":
        return 0
    class_map = config.class_maps.get((kind, name))
    groups = (
        [int(record.values["group"]) for record, _ in class_map.matches if record.kind == "group"] if class_map else []
    )
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
        before, first = found.get(kind, (wanted, number))
        found[kind] = (before | wanted if class_map.match_any else before & wanted, first)
    whole = class_map.match_any or (len(found) == 1 and not others)
    return {kind: (wanted, whole, number) for kind, (wanted, number) in found.items()}


def _codes_of(record: Record) -> tuple[str, frozenset[int]]:
    kind = record.kind.removeprefix("not_")
    if kind not in ("dscp", "cos", "precedence"):
        return "", frozenset()
    text = record.values["codes"]
    wanted = _CONFIG.precedences(text) if kind == "precedence" else codes(text, 63 if kind == "dscp" else 7)
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
    marks: dict[int, int] = field(default_factory=dict)
    """qos-group whose class marks ECN (`congestion-control random-detect ecn`, older platforms) -> the line."""
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
        marks = max((m for m in map(item.last, ("marks", "no_marks")) if m), key=lambda m: m[1], default=None)
        if marks is not None and marks[0].kind == "marks":
            found.marks[group] = marks[1]
        pause = max(
            (p for p in map(item.last, ("pause", "no_drop", "no_pause")) if p), key=lambda p: p[1], default=None
        )
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
            queue = replace(
                queue,
                scheduler="weighted",
                rank=None,
                weight=int(words["percent"]),
                weight_kind="percent-of-link" if kind == "percent" else "percent-of-rest",
            )
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


def marked(queues: tuple[Queue | None, ...] | None, net: Network) -> tuple[Queue | None, ...] | None:
    """Return queues with the ECN that the network-qos policy turns on; what the queuing policy says goes before it."""
    if not net.marks:
        return queues
    found = dict(enumerate(queues or eight({})))
    for group in net.marks:
        queue = found.get(group) or Queue()
        if queue.ecn is None or not (queue.ecn.curves or queue.wred):
            found[group] = replace(queue, ecn=Ecn((Curve(None, None, None),), non_ect="drop"), wred=())
    return eight(found)


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
        headroom = Headroom(Amount.of_bytes(max(0, size - pause)), by="stated")
        found[group] = Pause(headroom, Static(Amount.of_bytes(pause)), Amount.of_bytes(resume), config.where(line[1]))
    return found
