"""Fits the scheduling and the ramps of the queues."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rocecfg.state.model import UNLIMITED, Amount, Curve, Ecn, PortQos, Queue, eight

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.vendor.changes import Log

_FACTOR = {"byte": 1, "kbyte": 1_000, "mbyte": 1_000_000}


def queues_of(qos: PortQos, known: Mapping[str, Any], log: Log) -> tuple[Queue | None, ...] | None:
    """Return the planned queues as EOS serves them; what nobody planned stays at the system's default."""
    planned = {number: queue for number, queue in enumerate(qos.queues or ()) if queue is not None}
    if not planned:
        return None
    _ranks(planned, log)
    weights = _percents(planned, log)
    return eight({number: _queue(number, queue, weights, known, log) for number, queue in planned.items()})


def _ranks(planned: Mapping[int, Queue], log: Log) -> None:
    """Note where the planned order of strict queues is not that of their numbers."""
    strict = [(queue.rank, number) for number, queue in planned.items() if queue.scheduler == "strict"]
    wanted = [number for rank, number in sorted(strict, key=lambda item: (item[0] or 99, -item[1])) if rank is not None]
    served = sorted(wanted, reverse=True)
    if wanted != served:
        because = "strict queues are served in the order of their numbers, the highest first"
        log("equalised", "queues", f"strict order {wanted}", f"strict order {served}", because)


def _percents(planned: Mapping[int, Queue], log: Log) -> dict[int, int]:
    """Return `bandwidth percent` of each weighted queue with a share: whole numbers from 1, sum 100."""
    shares = {
        number: Fraction(queue.weight)
        for number, queue in planned.items()
        if queue.scheduler == "weighted" and queue.weight is not None and queue.weight > 0
    }
    if not shares:
        return {}
    total = sum(shares.values())
    exact = {number: weight * 100 / total for number, weight in shares.items()}
    whole = {number: max(int(share), 1) for number, share in exact.items()}
    order = sorted(exact, key=lambda number: (whole[number] - exact[number], number))
    step = 0
    while sum(whole.values()) != 100:
        missing = 100 - sum(whole.values())
        number = order[step % len(order)] if missing > 0 else max(whole, key=lambda each: (whole[each], -each))
        whole[number] += 1 if missing > 0 else -1
        step += 1
    for number, weight in shares.items():
        if whole[number] != weight:
            because = "bandwidth percent takes whole numbers; over the weighted queues they sum to 100"
            log("quantised", f"queues.{number}.weight", f"{weight}", f"{whole[number]} %", because)
    return whole


def _queue(number: int, queue: Queue, weights: Mapping[int, int], known: Mapping[str, Any], log: Log) -> Queue:
    at = f"queues.{number}"
    if queue.guarantee not in (None, UNLIMITED) or queue.shaper not in (None, UNLIMITED):
        wanted = f"{queue.guarantee} to {queue.shaper} bit/s"
        log("dropped", f"{at}.shaper", wanted, "none", "a rate limit on a lossless fabric's queue fills its buffer")
    if queue.limit is not None or queue.reserved is not None or queue.pool is not None:
        because = "egress shares are a matter of the MMU profile, one for the device; its defaults stay"
        log("dropped", f"{at}.limit", "a queue limit", "none", because)
    if queue.scheduler == "weighted" and queue.weight == 0:
        log("quantised", f"{at}.weight", "0", "no percent", "bandwidth percent takes 1 to 100")
    ecn, wred = _ramps(queue, known, log, at)
    weight = weights.get(number)
    return Queue(
        queue.scheduler or "strict",
        weight=weight,
        weight_kind="percent-of-rest" if weight is not None else None,
        ecn=ecn,
        wred=wred,
    )


def _ramps(queue: Queue, known: Mapping[str, Any], log: Log, at: str) -> tuple[Ecn | None, tuple[Curve, ...] | None]:
    marking, dropping = queue.ecn, queue.wred
    if marking is None or not marking.curves:
        if not dropping:
            return marking and Ecn(), dropping
        ramp = _curve(dropping, known, log, f"{at}.wred")
        return Ecn(), (ramp,) if ramp is not None else ()
    if dropping:
        because = "one ramp a queue: what is marked shall not be dropped"
        log("dropped", f"{at}.wred", "a dropping curve", "none", because)
    if marking.non_ect is not None:
        because = "what becomes of packets without ECT has a device-wide line whose meaning is not published"
        log("dropped", f"{at}.ecn.non_ect", marking.non_ect, "the default", because)
    ramp = _curve(marking.curves, known, log, f"{at}.ecn")
    weight, top = marking.weight, known["weight"]["high"]
    if weight is not None and not 0 <= weight <= top:
        log("quantised", f"{at}.ecn.weight", weight, min(max(weight, 0), top), f"EOS takes 0 to {top}")
        weight = min(max(weight, 0), top)
    return Ecn((ramp,), weight=weight) if ramp is not None else Ecn(), ()


def _curve(curves: tuple[Curve, ...], known: Mapping[str, Any], log: Log, at: str) -> Curve | None:
    """Return one ramp in bytes: the unit that no reader can take for another."""
    first = curves[0]
    if len(curves) > 1 or first.colours:
        because = "a queue has one ramp for all colours: the first planned one is kept"
        log("equalised", at, f"{len(curves)} curves by colour", "one for all", because)
    if first.active is False:
        because = "EOS has no switch that leaves thresholds in place and marks nothing"
        log("equalised", f"{at}.active", "not armed", "armed", because)
    low, high = _bytes(first.low, "kmin", known, log, at), _bytes(first.high, "kmax", known, log, at)
    if low is None or high is None:
        low = high = low or high
    if low is None or high is None:
        log("refused", at, "thresholds left open", "none", "random-detect needs both thresholds")
        return None
    if low > high:
        log("equalised", f"{at}.kmin", f"{low} B", f"{high} B", "no ramp begins above its end")
        low = high
    limits = known["probability"]
    probability = first.probability
    if probability is None:
        probability = limits["published"]
        log("chosen", f"{at}.pmax", "open", f"{probability} %", "100 % stands in Arista's AI fabric guide")
    if not limits["low"] <= probability <= limits["high"]:
        got = min(max(probability, limits["low"]), limits["high"])
        log("quantised", f"{at}.pmax", f"{probability} %", f"{got} %", "EOS takes 1 to 100")
        probability = got
    return replace(Curve(Amount.of_bytes(low), Amount.of_bytes(high), probability))


def _bytes(amount: Amount | None, name: str, known: Mapping[str, Any], log: Log, at: str) -> int | None:
    """Return a threshold in whole bytes."""
    if amount is None:
        return None
    if amount.unit not in _FACTOR and amount.bytes is None:
        because = "the planned unit has no size in bytes here"
        log("refused", f"{at}.{name}", f"{amount.value} {amount.unit}", "none", because)
        return None
    size = Fraction(amount.value * _FACTOR[amount.unit] if amount.unit in _FACTOR else amount.bytes or 0)
    low, high = known["threshold"]["low"], known["threshold"]["high"]
    got: int = min(max(int(size + Fraction(1, 2)), low), high)
    if amount.unit != "byte" or got != amount.value:
        because = f"written in bytes, {low} to {high}: whether kbytes are of 1000 or 1024 B is not published"
        log("quantised", f"{at}.{name}", f"{amount.value} {amount.unit}", f"{got} B", because)
    return got
