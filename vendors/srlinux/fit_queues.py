"""What the queues of a port can carry of a plan: PFC queues with thresholds and headroom, egress queues with slopes."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rocecfg.state.model import Limit

from rocecfg.state.model import (
    UNLIMITED,
    Amount,
    Curve,
    Dynamic,
    Ecn,
    Headroom,
    PortQos,
    PriorityGroup,
    Queue,
    Static,
    eight,
)

_COLOURS: tuple[frozenset[str], ...] = (frozenset(), frozenset({"green"}), frozenset({"yellow"}), frozenset({"red"}))


def groups(
    qos: PortQos, maps: dict[str, Any], limits: dict[str, Any], note: Any
) -> tuple[PriorityGroup | None, ...] | None:
    """Return the PFC queues that a port pauses for: each with its threshold and its share of the headroom pool."""
    made: dict[int, PriorityGroup] = {}
    for numbers in maps["priority_to_pg"] or ():
        for number in sorted(numbers):
            planned = qos.priority_group(number) or PriorityGroup()
            leaf = f"priority_groups.{number}"
            for name, because in (
                ("xon_at", "the 7220 has no threshold for resuming"),
                ("xon_below", "the 7220 has no threshold for resuming"),
                ("reserved", "the 7220 reserves nothing for a PFC queue"),
                ("pool", "all PFC queues share the headroom pool of the line card"),
                ("mtu", "headroom is stated in bytes"),
            ):
                value = getattr(planned, name)
                if value is not None:
                    shown = text(value) if isinstance(value, Amount) else value
                    note(f"{leaf}.{name}", shown, "none", "dropped", because)
            made[number] = PriorityGroup(
                lossless=True,
                headroom=_headroom(planned, leaf, limits["ranges"]["headroom_share"], note),
                xoff_at=_xoff(planned, leaf, limits, note),
                headroom_shared=True,
            )
    return eight(made) if made else None


def _xoff(planned: PriorityGroup, leaf: str, limits: dict[str, Any], note: Any) -> Limit | None:
    """Return a stated fill at which PAUSE goes out, in bytes; what else is planned is settled for the whole device."""
    limit = planned.xoff_at
    if not isinstance(limit, Static) or not limit.amount.bytes:
        return limit
    most = limits["ranges"]["maximum_burst_size"]["to"]
    size = min(limit.amount.bytes, most)
    if limit.amount.unit != "byte" or size != limit.amount.bytes:
        note(f"{leaf}.xoff_at", text(limit.amount), f"{size} bytes", "quantised", f"whole bytes up to {most}")
    return Static(Amount.of_bytes(size))


def _headroom(planned: PriorityGroup, leaf: str, bounds: dict[str, Any], note: Any) -> Headroom | None:
    """Return the share of the headroom pool; left open it is the system's own."""
    headroom = planned.headroom
    amount = headroom.amount if headroom is not None else None
    if headroom is None or amount is None:
        return Headroom(by="pool-share")
    if amount.unit == "percent" and headroom.by == "pool-share":
        return Headroom(Amount(min(max(round(amount.value), 0), 100), "percent"), by="pool-share")
    if amount.bytes is None:
        note(f"{leaf}.headroom", text(amount), "bytes", "refused", "headroom is stated in bytes or percent of the pool")
        return None
    size = min(amount.bytes, bounds["to"])
    if amount.unit != "byte" or size != amount.bytes:
        because = f"whole bytes up to {bounds['to']}"
        note(f"{leaf}.headroom", text(amount), f"{size} bytes", "quantised", because)
    return Headroom(Amount.of_bytes(size), made_for=headroom.made_for)


def queues(qos: PortQos, limits: dict[str, Any], note: Any) -> tuple[Queue | None, ...] | None:
    """Return the egress queues with what the system can carry of each."""
    if qos.queues is None:
        return None
    planned = tuple(
        replace(queue, scheduler=None, rank=None, shaper=None)
        if queue is not None and f"queues.{number}.scheduler" in qos.defaulted
        else queue
        for number, queue in enumerate(qos.queues)
    )
    weights = _weights(planned, limits["ranges"]["weight"], note)
    strict = {number: queue.rank for number, queue in enumerate(planned) if queue and queue.scheduler == "strict"}
    ranked = [rank for number, rank in sorted(strict.items(), reverse=True) if rank is not None]
    if ranked != sorted(ranked):
        because = "among strict queues the higher number is served first"
        note("queues.rank", "another order", "by number", "box-made", because)
    made: list[Queue | None] = []
    for number, queue in enumerate(planned):
        if queue is None:
            made.append(None)
            continue
        leaf = f"queues.{number}"
        ecn, wred = _curves(queue, leaf, limits, note)
        made.append(
            Queue(
                scheduler=queue.scheduler,
                weight=weights.get(number),
                weight_kind="relative" if number in weights else None,
                shaper=_shaper(queue, leaf, note),
                ecn=ecn,
                wred=wred,
                limit=_limit(queue, leaf, limits["ranges"]["maximum_burst_size"], note),
            )
        )
        for name in ("reserved", "pool"):
            if getattr(queue, name) is not None:
                note(f"{leaf}.{name}", "stated", "none", "dropped", "an egress queue has a size and nothing else")
    return tuple(made)


def _weights(planned: tuple[Queue | None, ...], bounds: dict[str, Any], note: Any) -> dict[int, int]:
    wanted = {
        number: Fraction(queue.weight)
        for number, queue in enumerate(planned)
        if queue is not None and queue.scheduler == "weighted" and queue.weight is not None
    }
    top = max(wanted.values(), default=Fraction(0))
    factor = Fraction(bounds["to"]) / top if top > bounds["to"] else Fraction(1)
    got = {number: min(max(round(weight * factor), bounds["from"]), bounds["to"]) for number, weight in wanted.items()}
    if any(got[number] != weight for number, weight in wanted.items()):
        shown = ", ".join(f"queue {number}: {float(weight):g}" for number, weight in wanted.items())
        kept = ", ".join(f"queue {number}: {weight}" for number, weight in got.items())
        because = f"weights are whole numbers, {bounds['from']} to {bounds['to']}"
        note("queues.weight", shown, kept, "quantised", because)
    return got


def _shaper(queue: Queue, leaf: str, note: Any) -> int | None:
    if queue.guarantee is not None and queue.guarantee > 0:
        note(f"{leaf}.guarantee", f"{queue.guarantee} bit/s", "none", "dropped", "a queue has no guaranteed rate")
    if queue.shaper is not None and queue.shaper > 0:
        because = "a peak rate is a percentage of the port, whose speed no line of ours states"
        note(f"{leaf}.shaper", f"{queue.shaper} bit/s", "none", "dropped", because)
        return None
    return UNLIMITED if queue.shaper == UNLIMITED and queue.scheduler is not None else None


def _limit(queue: Queue, leaf: str, bounds: dict[str, Any], note: Any) -> Static | None:
    limit = queue.limit
    if limit is None:
        return None
    if isinstance(limit, Dynamic):
        because = "alpha can not be chosen: a queue has the system's own or a fixed size"
        note(f"{leaf}.limit", "alpha", "the system's", "dropped", because)
        return None
    size = limit.amount.bytes
    if not size:
        note(f"{leaf}.limit", text(limit.amount), "none", "dropped", "a size is stated in bytes")
        return None
    got = min(size, bounds["to"])
    if got != size or limit.amount.unit != "byte":
        note(f"{leaf}.limit", text(limit.amount), f"{got} bytes", "quantised", f"whole bytes up to {bounds['to']}")
    return Static(Amount.of_bytes(got))


def _curves(queue: Queue, leaf: str, limits: dict[str, Any], note: Any) -> tuple[Ecn | None, tuple[Curve, ...] | None]:
    """Return the slopes that mark and those that drop, one for each drop probability or one for all."""
    ecn = queue.ecn
    if ecn is not None:
        curves = _slopes(ecn.curves, f"{leaf}.ecn", note)
        weight = None
        if curves:
            bounds = limits["ranges"]["weight_factor"]
            weight = min(max(ecn.weight or 0, bounds["from"]), bounds["to"])
            if ecn.weight not in {None, weight}:
                note(f"{leaf}.ecn.weight", ecn.weight, weight, "quantised", "the weight factor is 0 to 15")
        if ecn.non_ect is not None:
            because = "what becomes of packets that can not be marked is not documented"
            note(f"{leaf}.ecn.non_ect", ecn.non_ect, "the system's", "box-made", because)
        ecn = Ecn(curves, weight, gate=True if curves else None)
    wred = None if queue.wred is None else _slopes(queue.wred, f"{leaf}.wred", note)
    return ecn, wred


def _slopes(planned: tuple[Curve, ...], leaf: str, note: Any) -> tuple[Curve, ...]:
    kept: dict[frozenset[str], Curve] = {}
    for curve in planned:
        if curve.active is False:
            note(leaf, "a curve that is not armed", "none", "dropped", "a slope that stands is in force")
        elif curve.colours not in _COLOURS or curve.colours in kept or (kept and frozenset() in {*kept, curve.colours}):
            note(leaf, "curves by several colours", "one", "dropped", "a slope is for one drop probability, or for all")
        else:
            kept[curve.colours] = _slope(curve, leaf, note)
    return tuple(kept[colours] for colours in _COLOURS if colours in kept)


def _slope(curve: Curve, leaf: str, note: Any) -> Curve:
    low, high = curve.low, curve.high
    percent = all(amount is None or amount.unit == "percent" for amount in (low, high))
    low, high = (_threshold(amount, leaf, note, percent=percent) for amount in (low, high))
    probability = None if curve.probability is None else min(max(curve.probability, 0), 100)
    return Curve(low, high, probability, curve.colours)


def _threshold(amount: Amount | None, leaf: str, note: Any, *, percent: bool) -> Amount | None:
    if amount is None:
        return None
    if percent:
        got = min(max(round(amount.value), 0), 100)
        if got != amount.value:
            note(leaf, text(amount), f"{got} percent", "quantised", "whole percent of the queue's maximum burst size")
        return replace(amount, value=got)
    if amount.bytes is None:
        note(
            leaf, text(amount), "bytes", "refused", "thresholds are bytes or percent of the queue's maximum burst size"
        )
        return None
    if amount.unit != "byte":
        note(leaf, text(amount), f"{amount.bytes} bytes", "quantised", "thresholds are whole bytes")
    return Amount.of_bytes(amount.bytes)


def text(amount: Amount) -> str:
    """Return an amount as a message says it."""
    return f"{amount.value} {amount.unit}"
