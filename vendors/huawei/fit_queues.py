"""Fits the egress queues: scheduling modes, DRR weights, ECN ramps and drop curves."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rocecfg.state.model import UNLIMITED, Amount, Curve, Dynamic, Ecn, Queue, Static, eight

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.model import Limit, PortQos
    from rocecfg.vendor.changes import Log
    from vendors.huawei.fit import System

_CONTROL = (6, 7)
_MOST_MARKED = 4
_COLOURS = ("green", "red", "yellow")
_END = Amount(100, "percent")


def fit_queues(planned: PortQos, system: System, log: Log) -> tuple[Queue | None, ...]:
    """Return all eight queues stated: strict ones are served from the highest number down, the others by weight."""
    queues = dict(enumerate(planned.queues or (None,) * 8))
    strict = _strict(queues, log)
    weights = _weights(queues, strict, system, log)
    fitted = {number: _queue(number, queues[number] or Queue(), strict, weights, system, log) for number in range(8)}
    marked = [number for number, queue in fitted.items() if queue.ecn is not None and queue.ecn.curves]
    if len(marked) > _MOST_MARKED:
        log(
            "refused", "queues", f"ECN on {len(marked)} queues", f"at most {_MOST_MARKED}", "static and AI ECN together"
        )
    return eight(fitted)


def _strict(queues: Mapping[int, Queue | None], log: Log) -> set[int]:
    """Return the strict queues: those planned so, and 6 and 7 where no class is planned in them."""
    strict = {number for number, queue in queues.items() if queue is not None and queue.scheduler == "strict"}
    for number in _CONTROL:
        queue = queues[number]
        if queue is None or queue.scheduler is None:
            because = "queues 6 and 7 carry the switch's own protocols: strict, as the vendor's AI Fabric guide advises"
            log("chosen", f"queues.{number}", "no class planned", "strict", because)
            strict.add(number)
    ranks = {number: queue.rank for number, queue in queues.items() if queue is not None and number in strict}
    order = {number: rank for rank, number in enumerate(sorted(strict, reverse=True), 1)}
    for number, rank in ranks.items():
        if rank is not None and rank != order[number]:
            because = "strict queues are served from the highest number down, with 7 and 6 among them"
            log("equalised", f"queues.{number}.rank", rank, order[number], because)
    return strict


def _weights(queues: Mapping[int, Queue | None], strict: set[int], system: System, log: Log) -> dict[int, int]:
    """Return the DRR weight of each weighted queue: planned shares as whole numbers up to 100."""
    known = system.limits["drr_weight"]
    planned = {
        number: Fraction(queue.weight)
        for number, queue in queues.items()
        if queue is not None and number not in strict and queue.weight is not None
    }
    scale = (
        Fraction(known["maximum"]) / max(planned.values())
        if planned and max(planned.values()) > known["maximum"]
        else 1
    )
    weights = {}
    for number in range(8):
        if number in strict:
            continue
        if number not in planned:
            weights[number] = known["default"]
            continue
        wanted = planned[number] * scale
        weights[number] = 0 if wanted == 0 else min(max(round(wanted), known["minimum"]), known["maximum"])
        kind = getattr(queues[number], "weight_kind", None)
        if weights[number] != planned[number]:
            because = "DRR weights are whole numbers from 1 to 100"
            log(
                "quantised",
                f"queues.{number}.weight",
                f"{planned[number]} {kind or 'shares'}",
                weights[number],
                because,
            )
        elif kind not in ("relative", None):
            because = (
                "a DRR weight counts against the weights of the other DRR queues; queues without traffic take nothing"
            )
            log(
                "equalised",
                f"queues.{number}.weight",
                f"{planned[number]} {kind}",
                f"weight {weights[number]}",
                because,
            )
    return weights


def _queue(number: int, queue: Queue, strict: set[int], weights: Mapping[int, int], system: System, log: Log) -> Queue:
    at = f"queues.{number}"
    if queue.guarantee not in (None, UNLIMITED) or queue.shaper not in (None, UNLIMITED):
        wanted = f"{queue.guarantee} to {queue.shaper} bit/s"
        log("dropped", f"{at}.shaper", wanted, "none", "a queue's rate limit is not written: cut-through ignores it")
    if queue.reserved is not None or queue.pool is not None:
        log("dropped", f"{at}.reserved", "a reserve or pool", "none", "no command sets it for an egress queue")
    limit = _limit(queue.limit, at, system, log)
    ecn, wred = _ecn(number, queue, system, log)
    if number in strict:
        return Queue("strict", ecn=ecn, wred=wred, limit=limit)
    return Queue("weighted", weight=weights[number], weight_kind="relative", ecn=ecn, wred=wred, limit=limit)


def _limit(limit: Limit | None, at: str, system: System, log: Log) -> Limit | None:
    if limit is None:
        return None
    if isinstance(limit, Static):
        count, most = bytes_of(limit.amount), system.limits["queue_static"]["maximum"]
        if count is None:
            log(
                "dropped",
                f"{at}.limit",
                f"{limit.amount.value} {limit.amount.unit}s",
                "none",
                "a size in bytes is needed",
            )
            return None
        size = min(count, most)
        if (size, "byte") != (limit.amount.value, limit.amount.unit):
            log(
                "quantised",
                f"{at}.limit",
                f"{limit.amount.value} {limit.amount.unit}s",
                f"{size} bytes",
                f"up to {most} B",
            )
        return Static(Amount(size, "byte", size))
    low, high = system.limits["xoff_dynamic"][system.family]
    if limit.index is not None and limit.alpha is None and low <= limit.index <= high:
        return Dynamic(index=limit.index)
    log("dropped", f"{at}.limit", f"alpha {limit.alpha}", "none", "the ratio behind a dynamic index is not published")
    return None


def bytes_of(amount: Amount | None) -> int | None:
    """Return an amount in whole bytes, None where its factor is unknown."""
    if amount is None:
        return None
    factor = {"byte": 1, "kbyte": 1000, "mbyte": 1_000_000}.get(amount.unit)
    if amount.bytes is not None:
        return amount.bytes
    return None if factor is None else int(amount.value * factor)


def _ecn(number: int, queue: Queue, system: System, log: Log) -> tuple[Ecn, tuple[Curve, ...]]:
    at = f"queues.{number}"
    marking, dropping = (queue.ecn or Ecn()), (queue.wred or ())
    if not marking.curves:
        return Ecn(), _drops(dropping, at, system, log)
    low, high = system.of_family("ecn_queues")
    if not low <= number <= high:
        log("refused", f"{at}.ecn", f"ECN on queue {number}", f"queues {low} to {high}", "of this hardware family")
    if dropping:
        because = "with ECN on, a queue marks and no longer drops by its profile"
        log("dropped", f"{at}.wred", "a dropping curve", "none", because)
    if marking.non_ect is not None:
        because = "what becomes of packets without ECT is stated by no line"
        log("box-made", f"{at}.ecn.non_ect", marking.non_ect, "the box", because)
    if marking.weight is not None:
        log("box-made", f"{at}.ecn.weight", marking.weight, "the box", "no command sets an averaging weight")
    first = marking.curves[0]
    if len(marking.curves) > 1 or first.colours:
        because = "a drop profile has one ECN ramp for all colours: the first planned one is kept"
        log("equalised", f"{at}.ecn", f"{len(marking.curves)} curves by colour", "one for all", because)
    return Ecn((_curve(first, at, system, log),), gate=True if system.family == "B" else None), ()


def _drops(curves: tuple[Curve, ...], at: str, system: System, log: Log) -> tuple[Curve, ...]:
    """Return a drop curve for each colour it is planned for."""
    made = {}
    for curve in curves:
        ramp = _curve(curve, at, system, log)
        if ramp.low == ramp.high == _END:
            because = "a curve from 100 to 100 percent is what a drop profile has without a line: nothing is dropped"
            log("equalised", f"{at}.wred", "100 to 100 percent", "none", because)
            continue
        for colour in curve.colours or _COLOURS:
            made[colour] = Curve(ramp.low, ramp.high, ramp.probability, frozenset({colour}))
    return tuple(made[colour] for colour in _COLOURS if colour in made)


def _curve(curve: Curve, at: str, system: System, log: Log) -> Curve:
    """Return a ramp in bytes, or in percent where it is planned so."""
    percent = curve.low is not None and curve.high is not None and curve.low.unit == curve.high.unit == "percent"
    low, high = (
        _size(amount, name, at, system, log, percent=percent)
        for amount, name in ((curve.low, "kmin"), (curve.high, "kmax"))
    )
    if low is None or high is None:
        low = high = low if low is not None else high
    if low is None or high is None:
        log("refused", f"{at}.ecn", "thresholds left open", "none", "a ramp needs both limits")
        low = high = system.of_family("ecn_bytes")[0]
    if low > high:
        log("equalised", f"{at}.ecn.kmin", low, high, "no ramp begins above its end")
        low = high
    unit: Any = "percent" if percent else "byte"
    return Curve(_amount(low, unit), _amount(high, unit), _probability(curve.probability, at, system, log))


def _amount(value: int, unit: Any) -> Amount:
    return Amount(value, unit, value if unit == "byte" else None)


def _probability(wanted: int | None, at: str, system: System, log: Log) -> int:
    known = system.limits["ecn_probability"]
    if wanted is None:
        published: int = system.limits["ecn_probability_published"]["percent"]
        because = "the line needs a probability: that of the vendor's table for throughput-sensitive 100GE ports"
        log("chosen", f"{at}.ecn.pmax", "open", f"{published} %", because)
        return published
    made: int = min(max(wanted, known["minimum"]), known["maximum"])
    if made != wanted:
        log("quantised", f"{at}.ecn.pmax", f"{wanted} %", f"{made} %", "VRP takes 1 to 100 %")
    return made


def _size(amount: Amount | None, name: str, at: str, system: System, log: Log, *, percent: bool) -> int | None:
    if amount is None:
        return None
    if percent:
        return min(max(int(amount.value), 0), 100)
    count = bytes_of(amount)
    if count is None:
        log("refused", f"{at}.ecn.{name}", f"{amount.value} {amount.unit}", "none", "a ramp takes bytes or percent")
        return None
    low, high = system.of_family("ecn_bytes")
    made: int = min(max(count, low), high)
    if (made, "byte") != (amount.value, amount.unit):
        because = f"a ramp is written in bytes, {low} to {high} on this hardware family"
        log("quantised", f"{at}.ecn.{name}", f"{amount.value} {amount.unit}s", f"{made} bytes", because)
    return made
