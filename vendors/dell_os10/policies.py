"""Resolves each map, profile and policy: what it classifies, pauses, serves and marks."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import (
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
from rocecfg.state.numbers import number_set

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.grammar import Record
    from rocecfg.state.model import Limit
    from vendors.dell_os10.config import Config, PolicyClass, Wred

_CONFIG = load_module(Path(__file__).with_name("config.py"))

Places = dict[str, Where]
COLOURS = ("green", "yellow", "red")
DEFAULT_TRUST = CodeMap((1, 0, 2, 3, 4, 5, 6, 7))
"""`trust-map dot1p default`: OS10 User Guide, "Default 802.1p CoS trust map"."""
UNKNOWN = {"dot1p": CodeMap((None,) * 8), "dscp": CodeMap((None,) * 64)}


def is_system_name(kind: str, name: str) -> bool:
    """Return whether OS10 itself defines an object: the default maps."""
    return name == "default" and kind.startswith(("trust", "qos-map"))


def kbytes(count: int) -> Amount:
    """Return an amount in the unit of every buffer command; no guide says whether KB is 1000 or 1024 B."""
    return Amount(count, "kbyte")


def trusted(config: Config, field_: str, name: str) -> tuple[CodeMap, Places]:
    """Return what a trust map does and the lines that say so; all codes unknown when the text does not define it.

    A dot1p that a map does not name is in class 0 (OS10 User Guide). The guide does not say so of a DSCP.
    """
    leaf = "dscp_to_tc" if field_ == "dscp" else "pcp_to_tc"
    table = config.tables.get((field_, name))
    if table is None:
        if field_ == "dot1p" and name == "default":
            return DEFAULT_TRUST, {}
        return UNKNOWN[field_], {}
    places = {leaf: config.where(table.number)}
    stated = 0
    for code, (_, line) in table.to.items():
        stated |= 1 << code
        places[f"{leaf}.{code}"] = config.where(line)
    rest = 0 if field_ == "dot1p" else None
    size = 64 if field_ == "dscp" else 8
    return CodeMap(tuple(table.to[code][0] if code in table.to else rest for code in range(size)), stated), places


def queue_of_group(config: Config, name: str) -> tuple[tuple[int | None, ...] | None, Places]:
    """Return the queue of each qos-group as a `qos-map traffic-class` says; None when the text does not define it."""
    table = config.tables.get(("queue", name))
    if table is None:
        return None, {}
    places = {"tc_to_queue": config.where(table.number)}
    places |= {f"tc_to_queue.{group}": config.where(line) for group, (_, line) in table.to.items()}
    return tuple(table.to[group][0] if group in table.to else None for group in range(16)), places


@dataclass(slots=True)
class Paused:
    """A no-drop qos-group: the priorities it pauses and the buffer that its class states."""

    priorities: frozenset[int]
    headroom: Headroom | None
    xoff_at: Limit | None
    xon_at: Amount | None


@dataclass(slots=True)
class Network:
    """What a network-qos policy does. `known` False = it is attached and the text does not define it."""

    known: bool = True
    attached: bool = False
    groups: dict[int, Paused] = field(default_factory=dict)
    places: Places = field(default_factory=dict)


def network(config: Config, name: str) -> Network:
    """Return the no-drop groups of a network-qos policy; a class without class-map binds to nothing."""
    found = Network(attached=bool(name))
    policy = config.policies.get(("network-qos", name))
    if not name or policy is None:
        found.known = not name
        return found
    for item in policy.classes.values():
        pause, off = item.last("pause"), item.last("no_pause")
        class_map = config.class_maps.get(("network-qos", item.name))
        if pause is None or (off is not None and off[1] > pause[1]) or class_map is None:
            continue
        cos = item.last("pfc_cos")
        stated = number_set(cos[0].values["numbers"], 7) if cos is not None else None
        priorities = stated or frozenset[int]()
        paused = Paused(priorities, *_buffer(pause[0].values, item))
        decides = config.where(cos[1] if cos is not None else item.number)
        for group in class_map.matches:
            found.groups[group] = paused
            found.places[f"priority_groups.{group}.lossless"] = decides
            for leaf in ("headroom", "xoff_at", "xon_at"):
                found.places[f"priority_groups.{group}.{leaf}"] = config.where(pause[1])
        for priority in priorities:
            leaves = ("priority_to_queue", "priority_to_pg", "pfc.tx", "pfc.rx")
            found.places |= {f"{leaf}.{priority}": decides for leaf in leaves}
    return found


def _buffer(words: Mapping[str, str], item: PolicyClass) -> tuple[Headroom | None, Limit | None, Amount | None]:
    """Return headroom, pause and resume threshold of a class: its own reserve, and what it takes of the pool."""
    if "buffer" in words:
        size, trigger, resume = (int(words[name]) for name in ("buffer", "pause", "resume"))
        room = Headroom(kbytes(max(size - trigger, 0)))
        return room, Static(kbytes(trigger)), kbytes(resume)
    return None, limit_of(item), None


def limit_of(item: PolicyClass) -> Limit | None:
    """Return what `queue-limit` of a class says; which share an alpha of 0 to 10 stands for is not published."""
    fixed, share = item.last("limit_static"), item.last("limit_dynamic")
    if share is not None and (fixed is None or share[1] > fixed[1]):
        return Dynamic(index=int(share[0].values["index"]))
    return Static(kbytes(int(fixed[0].values["kbytes"]))) if fixed is not None else None


def curves_of(profile: Wred) -> tuple[Curve, ...]:
    """Return the ramps of a `wred` profile; three equal ones are one for every colour."""
    made = {
        colour: Curve(kbytes(ramp[0]), kbytes(ramp[1]), ramp[2], frozenset({colour}))
        for colour, ramp in ((colour, profile.ramps.get(colour)) for colour in COLOURS)
        if ramp is not None
    }
    if len(made) == len(COLOURS) and len({ramp[:3] for ramp in profile.ramps.values()}) == 1:
        first = made["green"]
        return (Curve(first.low, first.high, first.probability),)
    return tuple(made.values())


def marking(config: Config, name: str) -> tuple[Ecn | None, tuple[Curve, ...] | None, Where | None]:
    """Return (ECN, dropping ramps, line) that a `wred` profile gives a queue; None where it is not defined."""
    profile = config.wreds.get(name)
    if profile is None:
        return None, None, None
    curves = curves_of(profile)
    line = next((ramp[3] for ramp in profile.ramps.values()), profile.number)
    marks = profile.ecn[0]
    if marks:
        return Ecn(curves, weight=profile.weight), (), config.where(line)
    if marks is None and config.partial:
        return None, None, config.where(line)
    return Ecn(), curves, config.where(line)


def queues(config: Config, name: str) -> tuple[tuple[Queue | None, ...], Places]:
    """Return the queues that an output policy serves; all unknown when the text does not define it."""
    policy = config.policies.get(("queuing", name))
    if policy is None:
        return eight({}), {}
    items: dict[int, PolicyClass] = {}
    for item in policy.classes.values():
        class_map = config.class_maps.get(("queuing", item.name))
        for number in class_map.matches if class_map is not None else ():
            items[number] = item
    strict = [number for number, item in items.items() if _is_strict(item)]
    found = {number: Queue() for number in range(8)}
    places: Places = {"queues": config.where(policy.number)}
    for number, item in items.items():
        shape = item.last("shape")
        queue = _queue(config, item, strict, places, number)
        found[number] = queue if shape is None else _shaped(queue, shape[0])
        if shape is not None:
            places[f"queues.{number}.shaper"] = config.where(shape[1])
    return eight(found), places


def _is_strict(item: PolicyClass) -> bool:
    priority, percent = item.last("priority"), item.last("percent")
    return priority is not None and (percent is None or priority[1] > percent[1])


def _queue(config: Config, item: PolicyClass, strict: list[int], places: Places, number: int) -> Queue:
    percent, wred = item.last("percent"), item.last("wred")
    path = f"queues.{number}"
    places[path] = config.where(item.number)
    ecn, dropping = None, None
    if wred is not None:
        ecn, dropping, line = marking(config, _word(wred[0]))
        places[f"{path}.ecn"] = places[f"{path}.wred"] = line or config.where(wred[1])
    if _is_strict(item):
        # Which of several strict queues is served first is not documented.
        rank = 1 if len(strict) == 1 else None
        return Queue("strict", rank=rank, ecn=ecn, wred=dropping, limit=limit_of(item))
    if percent is None:
        return Queue(ecn=ecn, wred=dropping, limit=limit_of(item))
    places[f"{path}.weight"] = config.where(percent[1])
    weight = int(percent[0].values["percent"])
    return Queue("weighted", weight=weight, weight_kind="percent-of-rest", ecn=ecn, wred=dropping, limit=limit_of(item))


_RATES = {"kbps": 1_000, "mbps": 1_000_000}


def _shaped(queue: Queue, record: Record) -> Queue:
    """Return a queue with the rates of its `shape` line; packets per second are no rate we can compare."""
    rates = {
        end: int(record.values[end]) * _RATES[record.values[f"{end}_unit"]]
        for end in ("low", "high")
        if record.values.get(f"{end}_unit") in _RATES
    }
    return replace(queue, guarantee=rates.get("low") or queue.guarantee, shaper=rates.get("high", queue.shaper))


def _word(record: Record) -> str:
    return record.values["name"]
