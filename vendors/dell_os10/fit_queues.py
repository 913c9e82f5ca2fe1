"""Fits the egress queues: bandwidth percentages, strict priority, marking profiles."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from rocecfg.state.model import UNLIMITED, Amount, Curve, Ecn, PortQos, Queue, eight

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.vendor.changes import Log
    from vendors.dell_os10.fit import System

_KB = 1000
FACTOR = {"byte": 1, "kbyte": _KB, "mbyte": 1_000_000}
_COLOURS = frozenset(("green", "yellow", "red"))


def fit_queues(mapped: PortQos, planned: PortQos, system: System, log: Log) -> PortQos:
    """Return a port with its queues as a queuing policy serves them; a queue nobody planned stays unnamed."""
    queues = {number: queue for number, queue in enumerate(planned.queues or ()) if queue is not None}
    strict = [number for number, queue in queues.items() if queue.scheduler == "strict"]
    weights = _percents(queues, strict, log)
    fitted = {number: Queue(ecn=Ecn(), wred=()) for number in range(8)}
    for number, queue in queues.items():
        fitted[number] = _queue(number, queue, strict, weights, system, log)
    return replace(mapped, queues=eight(fitted))


def _percents(queues: Mapping[int, Queue], strict: list[int], log: Log) -> dict[int, int]:
    """Return `bandwidth percent` of each weighted queue: whole numbers from 1, sum 100."""
    planned = {
        number: Fraction(queue.weight)
        for number, queue in queues.items()
        if number not in strict and queue.weight is not None and queue.weight > 0
    }
    if not planned:
        return {}
    total = sum(planned.values())
    exact = {number: weight * 100 / total for number, weight in planned.items()}
    shares = {number: max(int(share), 1) for number, share in exact.items()}
    by_rest = sorted(exact, key=lambda number: (shares[number] - exact[number], number))
    step = 0
    while sum(shares.values()) != 100:
        missing = 100 - sum(shares.values())
        number = by_rest[step % len(by_rest)] if missing > 0 else max(shares, key=lambda each: (shares[each], -each))
        shares[number] += 1 if missing > 0 else -1
        step += 1
    for number, weight in planned.items():
        kind = queues[number].weight_kind
        if shares[number] != weight or kind not in ("percent-of-rest", None):
            because = "bandwidth percent takes whole numbers whose sum over the weighted queues is 100"
            log("quantised", f"queues.{number}.weight", f"{weight} {kind or 'shares'}", f"{shares[number]} %", because)
    return shares


def _queue(number: int, queue: Queue, strict: list[int], weights: Mapping[int, int], system: System, log: Log) -> Queue:
    at = f"queues.{number}"
    if queue.guarantee not in (None, UNLIMITED) or queue.shaper not in (None, UNLIMITED):
        wanted = f"{queue.guarantee} to {queue.shaper} bit/s"
        log("dropped", f"{at}.shaper", wanted, "none", "no published configuration shapes a queue")
    if queue.limit is not None or queue.reserved is not None or queue.pool is not None:
        log("dropped", f"{at}.limit", "a queue limit", "none", "no published configuration limits an egress queue")
    ecn, wred = _ecn(queue, system, log, at)
    if number in strict:
        rank = 1 if len(strict) == 1 else None
        if queue.rank not in (None, rank):
            because = "a class says priority and no order: one strict queue is first, among several none is documented"
            log("dropped", f"{at}.rank", queue.rank, rank, because)
        return Queue("strict", rank=rank, ecn=ecn, wred=wred)
    if number not in weights:
        if queue.scheduler is not None or queue.weight is not None:
            because = "bandwidth percent begins at 1: a queue without a share is named without one"
            log("dropped", f"{at}.weight", queue.weight, "none", because)
        return Queue(ecn=ecn, wred=wred)
    return Queue("weighted", weight=weights[number], weight_kind="percent-of-rest", ecn=ecn, wred=wred)


def _ecn(queue: Queue, system: System, log: Log, at: str) -> tuple[Ecn, tuple[Curve, ...]]:
    marking, dropping = (queue.ecn or Ecn()), (queue.wred or ())
    if not marking.curves:
        return Ecn(), (_curves(dropping, system, log, at) if dropping else ())
    if dropping:
        log("dropped", f"{at}.wred", "a dropping curve", "none", "a class has one profile: it marks or it drops")
    if marking.weight is not None:
        because = "random-detect weight is known from one example; neither its range nor its default is published"
        log("dropped", f"{at}.ecn.weight", marking.weight, "the default", because)
    if marking.non_ect is not None:
        because = "no guide says what a marking profile does with packets without ECT"
        log("dropped", f"{at}.ecn.non_ect", marking.non_ect, "not known", because)
    return Ecn(_curves(marking.curves, system, log, at)), ()


def _curves(curves: tuple[Curve, ...], system: System, log: Log, at: str) -> tuple[Curve, ...]:
    """Return the ramps of a profile: one for every colour, or one for each of green, yellow and red."""
    colours = [colour for curve in curves for colour in curve.colours]
    whole = len(curves) == 1 and not curves[0].colours
    apart = all(len(curve.colours) == 1 for curve in curves) and len(set(colours)) == len(colours)
    if not whole and not (apart and set(colours) <= _COLOURS):
        because = "a profile has one ramp for each of green, yellow and red: the first planned one is kept for all"
        log("equalised", f"{at}.ecn", f"{len(curves)} curves by colour", "one for all", because)
        curves = (replace(curves[0], colours=frozenset()),)
    made = tuple(replace(_curve(curve, system, log, at), colours=curve.colours) for curve in curves)
    order = {"green": 0, "yellow": 1, "red": 2}
    made = tuple(sorted(made, key=lambda curve: order.get(next(iter(curve.colours), ""), 0)))
    same = {(curve.low, curve.high, curve.probability) for curve in made}
    return (replace(made[0], colours=frozenset()),) if len(made) == len(_COLOURS) and len(same) == 1 else made


def _curve(curve: Curve, system: System, log: Log, at: str) -> Curve:
    """Return one ramp in KB."""
    low, high = _kbytes(curve.low, "kmin", system, log, at), _kbytes(curve.high, "kmax", system, log, at)
    if low is None or high is None:
        low = high = low or high
    if low is None or high is None:
        log("refused", f"{at}.ecn", "thresholds left open", "none", "random-detect color needs both thresholds")
        low = high = system.limits["wred_threshold"]["minimum"]
    if low > high:
        log("equalised", f"{at}.ecn.kmin", f"{low} KB", f"{high} KB", "no ramp begins above its end")
        low = high
    probability = curve.probability
    if probability is None:
        probability = system.limits["wred_probability"]["published"]
        because = "the line needs a probability; 100 % stands in the published configurations"
        log("chosen", f"{at}.ecn.pmax", "open", f"{probability} %", because)
    kept = min(max(probability, 0), 100)
    return Curve(Amount(low, "kbyte"), Amount(high, "kbyte"), kept)


def _kbytes(amount: Amount | None, name: str, system: System, log: Log, at: str) -> int | None:
    """Return a threshold in whole KB of 1000 B, rounded down: marking never begins or ends later than planned."""
    if amount is None:
        return None
    if amount.unit not in FACTOR and amount.bytes is None:
        because = "random-detect color takes absolute sizes"
        log("refused", f"{at}.ecn.{name}", f"{amount.value} {amount.unit}", "none", because)
        return None
    size = amount.value * FACTOR[amount.unit] if amount.unit in FACTOR else amount.bytes or 0
    known = system.limits["wred_threshold"]
    rounded: int = min(max(int(Fraction(size) / _KB), known["minimum"]), known["maximum"])
    if amount.unit != "kbyte" or rounded != amount.value:
        because = f"whole KB of 1000 B from {known['minimum']} to {known['maximum']}, rounded down: never marked later"
        log("quantised", f"{at}.ecn.{name}", f"{_plain(size)} B", f"{rounded} KB", because)
    return rounded


def _plain(value: Fraction | int) -> str:
    return str(value) if Fraction(value).denominator == 1 else f"{float(value):.1f}"
