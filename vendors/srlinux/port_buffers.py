"""Egress queues and ingress PFC queues of a port: slopes, sizes, scheduling, thresholds, share of the headroom pool."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rocecfg.state.model import (
    UNLIMITED,
    Amount,
    Curve,
    Dynamic,
    Ecn,
    Headroom,
    PriorityGroup,
    Queue,
    Static,
    eight,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocecfg.state.model import Limit, Where

_COLOURS = {
    "low": frozenset({"green"}),
    "medium": frozenset({"yellow"}),
    "high": frozenset({"red"}),
    "all": frozenset(),
}
_SHARED_QUARTER = Dynamic(Fraction(1, 4), 5)
"""A maximum burst size of 0 is alpha 5, a quarter of the shared buffer (srl_nokia-qos, 7220)."""


def queues(
    names: Any,
    bound: Any,
    ecn: bool | None,
    at: Callable[[Any], Where],
    odd: Callable[[str, Any], None],
    places: dict[str, Where],
) -> tuple[Queue | None, ...] | None:
    """Return the unicast queues of a port, None where nothing is bound that speaks of queues."""
    limits = _limits(names, bound, at, places)
    curves = _curves(names, bound, ecn, limits, at, odd, places)
    sharing = _sharing(names, bound, at, places)
    made = {
        number: Queue(
            **sharing.get(number, {}),
            **curves.get(number, {}),
            limit=limits.get(number),
        )
        for number in range(8)
        if number in limits or number in curves or number in sharing
    }
    return eight(made) if made else None


def _limits(names: Any, bound: Any, at: Callable[[Any], Where], places: dict[str, Where]) -> dict[int, Limit | None]:
    """Return the maximum burst size of each queue of the port's buffer allocation profile."""
    profile = names.listed("buffer-allocation-profile", "buffer-management").get(bound.egress)
    found: dict[int, Limit | None] = {}
    for keys, entry in profile.listed("queue", "queues").items() if profile is not None else ():
        number = names.queue(keys[0], entry)
        if number is None or number > 7 or names.is_multicast(keys[0]):
            continue
        size = entry.number("maximum-burst-size")
        places[f"queues.{number}.limit"] = at(entry.leaves.get("maximum-burst-size") or entry)
        found[number] = None if size is None else Static(Amount.of_bytes(size)) if size else _SHARED_QUARTER
    return found


def _curves(
    names: Any,
    bound: Any,
    ecn: bool | None,
    limits: dict[int, Limit | None],
    at: Callable[[Any], Where],
    odd: Callable[[str, Any], None],
    places: dict[str, Where],
) -> dict[int, dict[str, Any]]:
    """Return the slopes of each queue: those that mark, those that drop, and the averaging weight."""
    profiles = names.listed("queue-management-profile", "buffer-management")
    found: dict[int, dict[str, Any]] = {}
    for name, profile_name in bound.management:
        number, profile = names.queue(name), profiles.get(profile_name)
        if number is None or number > 7 or names.is_multicast(name) or profile is None:
            continue
        limit = limits.get(number)
        size = limit.amount.bytes if isinstance(limit, Static) else None
        marks: list[Curve] = []
        drops: list[Curve] = []
        places[f"queues.{number}"] = places[f"queues.{number}.ecn"] = at(profile)
        for keys, slope in profile.listed("wred-slope", "wred").items():
            marking = keys[2] == "true"
            places[f"queues.{number}.{'ecn' if marking else 'wred'}"] = at(slope)
            for word in ("min-threshold", "max-threshold"):
                if f"{word}-percent" in slope.leaves and slope.leaves.keys() & {"min-threshold", "max-threshold"}:
                    odd(f"{word}-percent beside a threshold in bytes", slope.leaves[f"{word}-percent"])
            (marks if marking else drops).append(_curve(slope, keys[1], size, marking=marking))
        found[number] = {
            "ecn": Ecn(tuple(marks), profile.number("weight-factor") if marks else None, gate=ecn),
            "wred": tuple(drops),
        }
    return found


def _curve(slope: Any, drop_probability: str, size: int | None, *, marking: bool) -> Curve:
    return Curve(
        _threshold(slope, "min", size),
        _threshold(slope, "max", size),
        slope.number("max-drop-probability-percent"),
        _COLOURS.get(drop_probability, frozenset()),
        active=marking or slope.switch("slope-enabled") is not False,
    )


def _threshold(slope: Any, word: str, size: int | None) -> Amount | None:
    """Return a threshold in bytes, or in percent of the queue's maximum burst size."""
    count = slope.number(f"{word}-threshold")
    if count is not None:
        return Amount.of_bytes(count)
    percent = slope.number(f"{word}-threshold-percent")
    if percent is None:
        return None
    return Amount(percent, "percent", size * percent // 100 if size is not None else None)


def _sharing(names: Any, bound: Any, at: Callable[[Any], Where], places: dict[str, Where]) -> dict[int, dict[str, Any]]:
    """Return how each queue is served: scheduler 0 is strict, scheduler 1 shares by weight."""
    policy = names.listed("scheduler-policy", "scheduler-policies").get(bound.scheduler)
    found: dict[int, dict[str, Any]] = {}
    for keys, scheduler in policy.listed("scheduler").items() if policy is not None else ():
        strict = scheduler.word("priority") == "strict" or keys[0] == "0"
        for entry in scheduler.listed("input").values():
            leaf = entry.leaves.get("queue-name")
            number = names.queue(leaf.word, leaf) if leaf is not None else None
            if leaf is None or number is None or number > 7 or names.is_multicast(leaf.word):
                continue
            places[f"queues.{number}.scheduler"] = at(leaf)
            weight = None if strict else entry.number("weight")
            if weight is not None:
                places[f"queues.{number}.weight"] = at(entry.leaves["weight"])
            found[number] = {
                "scheduler": "strict" if strict else "weighted",
                "weight": weight,
                "weight_kind": "relative" if weight is not None else None,
            }
            peak = entry.number("peak-rate-percent")
            if peak is not None:
                places[f"queues.{number}.shaper"] = at(entry.leaves["peak-rate-percent"])
                shaper = _rate(peak, bound.speed)
                found[number] |= {"shaper": shaper, "shaper_share": peak if shaper is None else None}
    return found


def _rate(percent: int, speed: int | None) -> int | None:
    """Return a peak rate in bit/s; it is a share of the port, whose speed must be stated for it."""
    if percent >= 100:
        return UNLIMITED
    return None if speed is None else speed * percent // 100


def groups(
    names: Any, bound: Any, mapped: dict[int, Any], at: Callable[[Any], Where], places: dict[str, Where]
) -> tuple[PriorityGroup | None, ...] | None:
    """Return the PFC queues of a port as priority groups: those mapped, with what the buffer profile gives them."""
    profile = names.listed("buffer-allocation-profile", "buffer-management").get(bound.ingress)
    found: dict[int, PriorityGroup] = dict.fromkeys(mapped, PriorityGroup(lossless=True))
    for keys, entry in profile.listed("pfc-queue", "queues").items() if profile is not None else ():
        number = names.pfc_queue(keys[0], entry)
        if number is None or number > 7:
            continue
        places[f"priority_groups.{number}"] = at(entry)
        for word, leaf in (
            ("maximum-burst-size", "xoff_at"),
            ("maximum-pfc-reserved-share-bytes", "headroom"),
            ("maximum-pfc-reserved-share-percentage", "headroom"),
            ("pfc-off-threshold", "xon_at"),
            ("committed-burst-size", "reserved"),
        ):
            if word in entry.leaves:
                places.setdefault(f"priority_groups.{number}.{leaf}", at(entry.leaves[word]))
        found[number] = _group(entry, lossless=number in mapped or None)
    for number, entry in mapped.items():
        places.setdefault(f"priority_groups.{number}", at(entry))
    return eight(found) if found else None


def _group(entry: Any, *, lossless: bool | None) -> PriorityGroup:
    size, committed = entry.number("maximum-burst-size"), entry.number("committed-burst-size")
    xoff: Limit | None = Static(Amount.of_bytes(size)) if size is not None else None
    on, off = entry.number("pfc-on-threshold"), entry.number("pfc-off-threshold")
    if on is not None:
        xoff = Static(_share(on, committed))
    if entry.switch("use-dynamic-allocation"):
        xoff = Dynamic()
    return PriorityGroup(
        lossless=lossless,
        headroom=_headroom(entry),
        xoff_at=xoff,
        xon_at=None if off is None else _share(off, committed),
        reserved=None if committed is None else Amount.of_bytes(committed),
        headroom_shared=True,
    )


def _share(percent: int, of: int | None) -> Amount:
    return Amount(percent, "percent", of * percent // 100 if of is not None else None)


def _headroom(entry: Any) -> Headroom:
    """Return how much of the headroom pool a PFC queue may take; bytes overrule percent."""
    count = entry.number("maximum-pfc-reserved-share-bytes")
    if count is not None:
        return Headroom(Amount.of_bytes(count))
    percent = entry.number("maximum-pfc-reserved-share-percentage")
    return Headroom(None if percent is None else Amount(percent, "percent"), by="pool-share")
