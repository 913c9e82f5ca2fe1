"""Resolves the lines of a queue, and what the applied MMU profile says of a group."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rocecfg.state.model import UNLIMITED, Curve, Ecn, Headroom, PriorityGroup, Queue

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vendors.eos.config import MmuProfile

_WHOLE = 100
_COLOURS = {
    "drop": frozenset[str](),
    "drop 0": frozenset({"green"}),
    "drop 1": frozenset({"yellow"}),
    "drop 2": frozenset({"red"}),
}


def queue(stated: Mapping[str, Any], speed: int | None, non_ect: Any) -> Queue:
    """Return the queue that lines below its header state."""
    ecn = None
    if "ecn" in stated:
        ramp = stated["ecn"]
        ecn = Ecn() if ramp is None else Ecn((ramp[0],), weight=ramp[1], non_ect=non_ect)
    return Queue(
        scheduler=stated.get("priority"),
        weight=stated.get("percent"),
        weight_kind="relative" if stated.get("percent") is not None else None,
        guarantee=_rate(stated, "guaranteed", speed),
        shaper=_rate(stated, "shape", speed),
        shaper_share=_share(stated, speed),
        ecn=ecn,
        wred=_dropping(stated),
        limit=stated.get("mmu threshold"),
        reserved=stated.get("mmu reserved"),
    )


def of_a_whole(queues: dict[int, Queue]) -> dict[int, Queue]:
    """Return queues whose weights are percents where they sum to 100: else they only compare with one another."""
    weighted = {number: one for number, one in queues.items() if one.scheduler == "weighted" and one.weight is not None}
    if sum(one.weight or 0 for one in weighted.values()) != _WHOLE:
        return queues
    return {**queues, **{number: replace(one, weight_kind="percent-of-rest") for number, one in weighted.items()}}


def _rate(stated: Mapping[str, Any], key: str, speed: int | None) -> int | None:
    """Return a rate in bit/s; None where it is given in packets, or as a share of a speed nobody states."""
    if key not in stated:
        return None
    if stated[key] is None:
        return UNLIMITED
    value, unit = stated[key]
    if unit == "kbps":
        return int(value * 1000)
    return speed * value // 100 if unit == "percent" and speed else None


def _share(stated: Mapping[str, Any], speed: int | None) -> int | None:
    """Return a shaper in percent of a port whose speed nobody states."""
    value, unit = stated.get("shape") or (0, "")
    return int(value) if unit == "percent" and not speed else None


def _dropping(stated: Mapping[str, Any]) -> tuple[Curve, ...] | None:
    if not any(key.startswith("drop") for key in stated):
        return None
    ramps = [(key, stated[key][0]) for key in sorted(_COLOURS) if stated.get(key) is not None]
    return tuple(Curve(ramp.low, ramp.high, ramp.probability, _COLOURS[key]) for key, ramp in ramps)


def group(mmu: MmuProfile | None, number: int) -> PriorityGroup:
    """Return a lossless group with what the applied MMU profile says of it."""
    if mmu is None:
        return PriorityGroup(lossless=True)
    stated = {
        name: mmu.settings.get(f"{number}.{name}") or mmu.settings.get(name)
        for name in ("threshold", "headroom", "reserved")
    }
    known = {name: item[0] for name, item in stated.items() if item is not None}
    headroom = known.get("headroom")
    return PriorityGroup(
        lossless=True,
        headroom=Headroom(headroom, by="stated") if headroom is not None else None,
        xoff_at=known.get("threshold"),
        reserved=known.get("reserved"),
    )
