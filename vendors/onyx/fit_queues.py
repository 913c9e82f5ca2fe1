"""What the traffic classes of one port of Onyx can carry of a plan: weights, strict classes, one ramp each."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rocecfg.state.model import UNLIMITED, Amount, Curve, Dynamic, Ecn, Queue, eight

if TYPE_CHECKING:
    from rocecfg.state.model import PortQos
    from vendors.onyx.fit_buffers import System


def queues(qos: PortQos, system: System, log: Any) -> tuple[Queue | None, ...] | None:
    """Return the eight classes as Onyx carries them; `log(leaf, wanted, got, kind, because)` hears each change."""
    if qos.queues is None:
        return None
    known = system.known
    if any(queue is not None for queue in qos.queues[8:]):
        log("refused", "queues", "a queue above 7", "0 to 7", "a port has eight traffic classes")
    planned = {number: queue for number, queue in enumerate(qos.queues[:8]) if queue is not None}
    weights = _weights(planned, known, log)
    strict = [number for number, queue in planned.items() if queue.scheduler == "strict"]
    fitted: dict[int, Queue] = {}
    for number, queue in planned.items():
        at = f"queues.{number}"
        ecn, wred = _curves(queue, at, known, log)
        rank = 1 if strict == [number] else None
        if queue.rank not in {None, rank}:
            log("dropped", f"{at}.rank", queue.rank, "by the system", "no document orders strict classes")
        for leaf, value in (("guarantee", queue.guarantee), ("shaper", queue.shaper)):
            if value not in {None, UNLIMITED}:
                log("dropped", f"{at}.{leaf}", f"{value} bit/s", "none", "no document shows the line that sets it")
        for leaf in ("reserved", "pool", "limit"):
            value = getattr(queue, leaf)
            if value is not None and not _made(leaf, value, system):
                shown = f"alpha {value.alpha}" if isinstance(value, Dynamic) else "stated"
                log("box-made", f"{at}.{leaf}", shown, "the switch's own", "a traffic pool sets it for its classes")
        fitted[number] = Queue(
            scheduler="weighted" if number in weights else queue.scheduler,
            rank=rank,
            weight=weights.get(number),
            weight_kind="relative" if number in weights else None,
            ecn=ecn,
            wred=wred,
        )
    return eight(fitted)


def _made(leaf: str, value: Any, system: System) -> bool:
    """Return whether a buffer of a queue is what the advanced form gives it."""
    if not system.advanced:
        return False
    return bool(
        value == "ePool1"
        if leaf == "pool"
        else value == Amount.of_bytes(system.known["advanced"]["egress_reserved"]["value"])
    )


def _weights(planned: dict[int, Queue], known: dict[str, Any], log: Any) -> dict[int, int]:
    """Return whole weights of 1 to 100; percents stay as they are where they are whole."""
    bounds = known["ranges"]["weight"]
    low, high = bounds["from"], bounds["to"]
    wanted = {
        number: Fraction(queue.weight)
        for number, queue in planned.items()
        if queue.scheduler != "strict" and queue.weight is not None
    }
    largest = max(wanted.values(), default=Fraction(0))
    scale = Fraction(high) / largest if largest > high else Fraction(1)
    got: dict[int, int] = {}
    for number, weight in wanted.items():
        got[number] = min(max(math.floor(weight * scale + Fraction(1, 2)), low), high)
        kind = planned[number].weight_kind or "relative"
        if got[number] != weight or kind != "relative":
            because = f"weights are whole numbers of {low} to {high}, each against the sum of the classes that send"
            log("quantised", f"queues.{number}.weight", f"{float(weight):g} {kind}", f"{got[number]} relative", because)
    for number, queue in planned.items():
        if queue.scheduler == "weighted" and queue.weight is None:
            weights = known["defaults"]["scheduler"]["weights"]
            log("chosen", f"queues.{number}.weight", "open", weights[number], "the system's default weight")
            got[number] = weights[number]
    return got


def _curves(queue: Queue, at: str, known: dict[str, Any], log: Any) -> tuple[Ecn | None, tuple[Curve, ...] | None]:
    """Return one ramp: it marks (`ecn`), marks or drops (`both`), or drops (`red`)."""
    marks = [curve for curve in queue.ecn.curves if curve.active is not False] if queue.ecn is not None else []
    drops = [curve for curve in queue.wred or () if curve.active is not False]
    if queue.ecn is not None and queue.ecn.weight is not None:
        if queue.ecn.weight:
            log("box-made", f"{at}.ecn.weight", queue.ecn.weight, "the switch's own", "there is no averaging weight")
        elif marks:
            log("box-made", f"{at}.ecn.weight", 0, "the switch's own", "no document says how the queue is averaged")
    if marks:
        assert queue.ecn is not None
        if len(marks) > 1 or marks[0].colours:
            log("dropped", f"{at}.ecn", "a ramp by colour", "one ramp", "a class has one ramp")
        if drops:
            log("dropped", f"{at}.wred", "a dropping ramp", "none", "marking and dropping share one ramp")
        return Ecn((_curve(marks[0], f"{at}.ecn", known, log),), non_ect=queue.ecn.non_ect or "pass"), ()
    if drops:
        return Ecn(), (_curve(drops[0], f"{at}.wred", known, log),)
    off = queue.ecn is not None or queue.wred is not None
    return (Ecn(), ()) if off else (None, None)


def _curve(curve: Curve, at: str, known: dict[str, Any], log: Any) -> Curve:
    ends = [curve.low, curve.high]
    percents = all(end is not None and end.unit == "percent" for end in ends)
    low, high = (_threshold(end, at, known, log, relative=percents) for end in ends)
    if low is not None and high is not None and low.value > high.value:
        low = high
    if curve.probability is not None:
        because = "the ramp has no documented probability: a line states its two thresholds"
        log("box-made", f"{at}.pmax", f"{curve.probability} %", "the switch's own", because)
    return Curve(low, high, None)


def _threshold(amount: Amount | None, at: str, known: dict[str, Any], log: Any, *, relative: bool) -> Amount | None:
    if amount is None:
        log("refused", at, "open", "none", "a ramp needs both thresholds")
        return None
    if relative:
        return Amount(min(max(round(amount.value), 0), 100), "percent")
    bounds = known["ranges"]["ecn_threshold"]
    exact = amount.bytes if amount.unit != "byte" else amount.value
    if exact is None or amount.unit == "percent":
        log("refused", at, f"{amount.value} {amount.unit}", "KB", "both thresholds are KB, or both percent")
        return None
    value = min(max(round(Fraction(exact) / 1000), bounds["from"]), bounds["to"])
    if value * 1000 != exact:
        log("quantised", at, f"{exact} bytes", f"{value} KB", "thresholds are whole KB")
    return Amount(value, "kbyte", value * 1000)
