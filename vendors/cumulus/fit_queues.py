"""What the queues of one port can carry of a plan: shares, shapers, one ramp each."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rocecfg.state.model import UNLIMITED, Amount, Curve, Dynamic, Ecn, Queue, Static, eight

if TYPE_CHECKING:
    from rocecfg.state.model import PortQos


def queues(qos: PortQos, release: str, note: Any) -> tuple[Queue | None, ...] | None:
    """Return the eight queues as NVUE carries them; `note(field, wanted, got, kind, because)` hears each change."""
    if qos.queues is None:
        return None
    if any(queue is not None for queue in qos.queues[8:]):
        note("queues", "a queue above 7", "0 to 7", "refused", "a port has eight egress queues")
    planned = {number: queue for number, queue in enumerate(qos.queues[:8]) if queue is not None}
    weights = _weights(planned, note)
    strict = [number for number, queue in planned.items() if queue.scheduler == "strict"]
    fitted: dict[int, Queue] = {}
    for number, queue in planned.items():
        at = f"queues.{number}"
        ecn, wred = _curves(queue, at, release, note)
        rank = 1 if strict == [number] else None
        if queue.rank not in {None, rank}:
            note(f"{at}.rank", queue.rank, "by the system", "dropped", "NVUE has no order among strict queues")
        for name in ("reserved", "pool"):
            if getattr(queue, name) is not None:
                note(f"{at}.{name}", "stated", "none", "dropped", "the simple buffer model reserves nothing by queue")
        if isinstance(queue.limit, Static):
            note(f"{at}.limit", shown(queue.limit.amount), "alpha", "dropped", "egress shares are alphas")
        fitted[number] = Queue(
            scheduler=queue.scheduler if queue.scheduler is not None or number not in weights else "weighted",
            rank=rank,
            weight=weights.get(number),
            weight_kind="percent-of-rest" if number in weights else None,
            guarantee=_rate(queue.guarantee, f"{at}.guarantee", note),
            shaper=_rate(queue.shaper, f"{at}.shaper", note),
            ecn=ecn,
            wred=wred,
            limit=queue.limit if isinstance(queue.limit, Dynamic) else None,
        )
    return eight(fitted)


def _weights(planned: dict[int, Queue], note: Any) -> dict[int, int]:
    """Whole percents, together at most 100, largest remainders first; a weighted queue without a share gets one."""
    weighted = {number: queue for number, queue in planned.items() if queue.scheduler != "strict"}
    wanted = {number: Fraction(queue.weight) for number, queue in weighted.items() if queue.weight is not None}
    bare = [number for number, queue in weighted.items() if queue.weight is None and queue.scheduler is not None]
    total = sum(wanted.values(), Fraction(0))
    relative = any(planned[number].weight_kind == "relative" for number in wanted)
    target = 100 if relative or total > 100 else math.floor(total)
    got = _whole_shares(wanted, min(target, 100 - len(bare)))
    for number, weight in wanted.items():
        kind = planned[number].weight_kind or "percent-of-rest"
        if weight != got[number] or kind != "percent-of-rest":
            note(
                f"queues.{number}.weight",
                f"{float(weight):g} {kind}",
                f"{got[number]} percent-of-rest",
                "quantised",
                "bw-percent is a whole percent of what strict queues leave, together not above 100",
            )
    left = 100 - sum(got.values())
    for number in bare:
        got[number] = left // len(bare)
        because = "a DWRR queue without bw-percent is not served"
        note(f"queues.{number}.weight", "open", f"{got[number]} percent-of-rest", "chosen", because)
    return got


def _whole_shares(wanted: dict[int, Fraction], target: int) -> dict[int, int]:
    """Split whole percents by weight; a share above nothing stays above nothing."""
    total = sum(wanted.values(), Fraction(0))
    if not total:
        return dict.fromkeys(wanted, 0)
    exact = {number: weight * target / total for number, weight in wanted.items()}
    got = {number: math.floor(share) for number, share in exact.items()}
    spare = target - sum(got.values())
    for number in sorted(exact, key=lambda number: (got[number] - exact[number], number))[:spare]:
        got[number] += 1
    for number in sorted(got):
        largest = max(got, key=lambda other: (got[other], -other))
        if got[number] == 0 and wanted[number] > 0 and got[largest] > 1:
            got[number], got[largest] = 1, got[largest] - 1
    return got


def _rate(rate: int | None, field: str, note: Any) -> int | None:
    if rate is None or rate == UNLIMITED:
        return None
    kilobits = min(max(math.ceil(rate / 1000), 1), 2147483647)
    if kilobits * 1000 != rate:
        note(field, f"{rate} bit/s", f"{kilobits} kbit/s", "quantised", "shapers count kbit/s")
    return kilobits * 1000


def _curves(queue: Queue, at: str, release: str, note: Any) -> tuple[Ecn | None, tuple[Curve, ...] | None]:
    """One ramp a queue: it marks, or (RED) drops; RED beside ECN drops what cannot be marked."""
    marks = [curve for curve in queue.ecn.curves if curve.active is not False] if queue.ecn is not None else []
    drops = [curve for curve in queue.wred or () if curve.active is not False]
    if queue.ecn is not None and queue.ecn.weight:
        note(f"{at}.ecn.weight", queue.ecn.weight, "instantaneous", "box-made", "NVUE has no averaging weight")
    if marks:
        if len(marks) > 1 or marks[0].colours:
            note(f"{at}.ecn", "a ramp by colour", "one ramp", "dropped", "NVUE has no colours")
        if drops:
            note(f"{at}.wred", "a dropping ramp", "none", "dropped", "ECN and RED of a class share one ramp")
        assert queue.ecn is not None
        non_ect = queue.ecn.non_ect or "pass"
        return Ecn((_curve(marks[0], at, release, note),), non_ect=non_ect), ()
    if drops:
        return Ecn(), (_curve(drops[0], at, release, note),)
    off = queue.ecn is not None or queue.wred is not None
    return (Ecn() if queue.ecn is not None else None), (() if off else None)


def _curve(curve: Curve, at: str, release: str, note: Any) -> Curve:
    low, high = (_threshold(amount, at, release, note) for amount in (curve.low, curve.high))
    if low is not None and high is not None and low.unit == high.unit and low.value > high.value:
        low = high
    probability = None if curve.probability is None else min(max(curve.probability, 0), 100)
    return Curve(low, high, probability)


def _threshold(amount: Amount | None, at: str, release: str, note: Any) -> Amount | None:
    if amount is None:
        return None
    if amount.unit == "percent" and _relative(release):
        percent = min(round(amount.value), 100)
        return Amount(percent, "percent")
    exact = Fraction(amount.value) if amount.unit == "byte" else amount.bytes
    if exact is None:
        note(f"{at}.ecn", shown(amount), "bytes", "refused", "NVUE takes thresholds in bytes (percent from 5.18 on)")
        return None
    if amount.unit != "byte" or exact != round(exact):
        note(f"{at}.ecn", shown(amount), f"{round(exact)} bytes", "quantised", "NVUE takes thresholds in whole bytes")
    return Amount.of_bytes(round(exact))


def _relative(release: str) -> bool:
    parts = release.split(".")
    return (
        len(parts) > 1 and parts[0].isdecimal() and parts[1].isdecimal() and (int(parts[0]), int(parts[1])) >= (5, 18)
    )


def shown(amount: Amount) -> str:
    """Return an amount as a message says it."""
    return f"{amount.value} {amount.unit}"
