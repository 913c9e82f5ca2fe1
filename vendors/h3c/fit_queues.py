"""Fits queues: order, weights, shares of the egress area, the eight queues of a WRED table."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import (
    UNLIMITED,
    Amount,
    Curve,
    Dynamic,
    Ecn,
    PortQos,
    Queue,
    Static,
    eight,
)

if TYPE_CHECKING:
    from rocecfg.vendor.changes import Log
    from vendors.h3c.fit import System

_HERE = Path(__file__)
_BUFFERS = load_module(_HERE.with_name("fit_buffers.py"))
_CURVES = load_module(_HERE.with_name("curves.py"))


def fit_queues(qos: PortQos, planned: PortQos, system: System, log: Log) -> PortQos:
    """Return a port with all eight queues and its ingress buffers stated."""
    queues = _with_control_queue({number: planned.queue(number) for number in range(8)}, log)
    ranks = _ranks(queues, log)
    weights = _weights(queues, ranks, system, log)
    table = any(queue is not None and ((queue.ecn and queue.ecn.curves) or queue.wred) for queue in queues.values())
    fitted: dict[int, Queue] = {}
    paused = _paused(qos)
    for number, queue in queues.items():
        ecn, wred = _marks(queue or Queue(), system, log, f"queues.{number}", table=table, paused=number in paused)
        limit = _limit(number, queue, system, log)
        if number in ranks:
            fitted[number] = Queue("strict", rank=ranks[number], ecn=ecn, wred=wred, limit=limit)
        else:
            fitted[number] = Queue(
                "weighted", weight=weights[number], weight_kind="relative", ecn=ecn, wred=wred, limit=limit
            )
        _dropped(queue or Queue(), log, f"queues.{number}")
    stops = qos.pfc.tx if qos.pfc is not None and qos.pfc.tx is not None else frozenset()
    groups = {
        number: _BUFFERS.fit_group(number, planned.priority_group(number), number in stops, system, log)
        for number in range(8)
    }
    return replace(qos, queues=eight(fitted), priority_groups=eight(groups))


def _paused(qos: PortQos) -> frozenset[int]:
    """Return the queues whose senders are paused: nothing may drop in them."""
    stops = qos.pfc.tx if qos.pfc is not None and qos.pfc.tx is not None else frozenset()
    queue_of = qos.priority_to_queue or tuple(frozenset({number}) for number in range(8))
    return frozenset(queue for priority in stops for queue in queue_of[priority] or ())


def _with_control_queue(queues: dict[int, Queue | None], log: Log) -> dict[int, Queue | None]:
    """Keep queue 7 strict where no class is planned in it: the switch's own protocols leave by it."""
    if queues[7] is not None:
        return queues
    because = "queue 7 carries the switch's own protocols: strict, as in the published baseline"
    log("chosen", "queues.7", "no class planned", "strict", because)
    return {**queues, 7: Queue("strict")}


def _ranks(queues: dict[int, Queue | None], log: Log) -> dict[int, int]:
    """Return the order of the strict queues: the SP group serves the higher number first."""
    strict = sorted((number for number, queue in queues.items() if queue and queue.scheduler == "strict"), reverse=True)
    ranks = {number: rank for rank, number in enumerate(strict, 1)}
    for number, rank in ranks.items():
        queue = queues[number]
        if queue is not None and queue.rank not in (None, rank):
            because = "queues of the SP group are served by descending number"
            log("equalised", f"queues.{number}.rank", queue.rank, rank, because)
    return ranks


def _weights(queues: dict[int, Queue | None], ranks: dict[int, int], system: System, log: Log) -> dict[int, int]:
    """Return the byte count of each weighted queue, a whole number; a queue without a class gets the least."""
    low, high = system.limits["weight"]["minimum"], system.limits["weight"]["maximum"]
    weights: dict[int, int] = {}
    for number, queue in queues.items():
        if number in ranks:
            continue
        planned = queue.weight if queue is not None and queue.weight is not None else None
        got = min(max(int(Fraction(planned if planned is not None else low) + Fraction(1, 2)), low), high)
        weights[number] = got
        if planned is not None and (
            got != planned or (queue is not None and queue.weight_kind not in ("relative", None))
        ):
            because = f"qos wfq takes whole byte counts; {low} to {high} are published, and their ratio is the share"
            log(
                "quantised",
                f"queues.{number}.weight",
                f"{planned} {queue.weight_kind if queue else ''}".strip(),
                got,
                because,
            )
    return weights


def _marks(
    queue: Queue, system: System, log: Log, at: str, *, table: bool, paused: bool
) -> tuple[Ecn, tuple[Curve, ...]]:
    marking, dropping = queue.ecn or Ecn(), queue.wred or ()
    if marking.curves:
        if dropping:
            log("dropped", f"{at}.wred", "a dropping curve", "none", "a queue with ECN marks by its WRED limits")
        if marking.non_ect == "pass":
            log("equalised", f"{at}.ecn.non_ect", "pass", "drop", "packets without ECT are dropped by the same limits")
        weight, known = marking.weight, system.limits["wred_weight"]
        if weight is None:
            weight = known["published"]
            log(
                "chosen",
                f"{at}.ecn.weight",
                "open",
                weight,
                "0 marks on the queue as it is; Comware averages with 9 by default",
            )
        elif weight > known["maximum"]:
            log("quantised", f"{at}.ecn.weight", weight, known["maximum"], "no larger exponent is published")
            weight = known["maximum"]
        return Ecn(_fitted(marking.curves, system, log, at), weight=weight, non_ect="drop"), ()
    if dropping:
        return Ecn(), _fitted(dropping, system, log, at)
    if not table:
        return Ecn(), ()
    default = _CURVES.filled((Curve(None, None, None),))
    low, high, percent = _CURVES.TABLE_DEFAULT
    if paused:
        because = (
            f"the WRED table that marks the other queues holds for the whole port and drops in this lossless queue "
            f"from {low} cells on: let every lossless class mark, or none (`ecn: {{enabled: false}}`)"
        )
        log("refused", f"{at}.ecn", "no marks", "packets dropped instead", because)
    if queue.wred is not None or queue.scheduler is not None:
        because = "an applied WRED table drops on each of its queues, by these limits where it states none"
        log("box-made", f"{at}.wred", "none", f"{low} to {high} cells, {percent} %", because)
    return Ecn(), default


def _fitted(curves: tuple[Curve, ...], system: System, log: Log, at: str) -> tuple[Curve, ...]:
    limits = {}
    for curve in curves:
        for colour in curve.colours or _CURVES.COLOURS:
            limits[colour] = _ramp(curve, system, log, at)
    for colour in _CURVES.COLOURS:  # the three drop levels of a queue are always stated
        if colour not in limits:
            limits[colour] = next(iter(limits.values()))
            log(
                "equalised",
                f"{at}.ecn",
                f"no curve for {colour}",
                "the first one",
                "a table has limits for all three drop levels",
            )
    made: tuple[Curve, ...] = _CURVES.curves(limits)
    return tuple(replace(curve, low=_known(curve.low, system), high=_known(curve.high, system)) for curve in made)


def _known(amount: Amount | None, system: System) -> Amount | None:
    """Return cells with their bytes, where the model's cell is known."""
    if amount is None or not system.cell_known:
        return amount
    return replace(amount, bytes=int(amount.value) * system.cell)


def _ramp(curve: Curve, system: System, log: Log, at: str) -> tuple[int, int, int]:
    low, high = (
        _BUFFERS.cells(amount, f"{at}.ecn.{name}", system, log)
        for name, amount in (("kmin", curve.low), ("kmax", curve.high))
    )
    if low is None or high is None:
        low = high = low if low is not None else high
    if low is None or high is None:
        log("refused", f"{at}.ecn", "thresholds left open", "none", "a drop level needs both limits")
        low, high = 0, 1
    top = system.limits["wred_limit"]["maximum"]
    because = f"the only range that was read ends at {top}"
    if high > top:
        log("quantised", f"{at}.ecn.kmax", f"{high} cells", f"{top} cells", because)
        high = top
    if low >= high:
        less = max(min(low, high) - 1, 0)
        log("quantised", f"{at}.ecn.kmin", f"{low} cells", f"{less} cells", "high-limit must be greater than low-limit")
        low, high = less, max(high, less + 1)
    probability = curve.probability
    if probability is None:
        probability = system.limits["wred_probability"]["published"]
        log("chosen", f"{at}.ecn.pmax", "open", f"{probability} %", "the probability of the published baseline")
    return low, high, min(max(probability, 0), 100)


def _limit(number: int, queue: Queue | None, system: System, log: Log) -> Dynamic | Static | None:
    """Return the share of the egress area: all of it for a lossless queue, else its packets are dropped unpaused."""
    planned = queue.limit if queue is not None else None
    if number not in system.lossless:
        if planned is not None:
            log(
                "dropped",
                f"queues.{number}.limit",
                "a limit",
                "none",
                "the egress area is one for the device; only lossless queues are given theirs",
            )
        return None
    ratio = system.limits["shared_ratio"]["published"]
    wanted = Dynamic(index=ratio)
    because = (
        f"a lossless queue may take {ratio} % of the shared egress area, as in the published baseline: "
        "with the default share it drops before the ingress pauses"
    )
    leaf = f"queues.{number}.limit"
    if planned is None:
        log("chosen", leaf, "open", f"ratio {ratio}", because)
    elif planned != wanted:
        log("equalised", leaf, "another limit", f"ratio {ratio}", because)
    return wanted


def _dropped(queue: Queue, log: Log, at: str) -> None:
    if queue.guarantee not in (None, UNLIMITED):
        log(
            "dropped",
            f"{at}.guarantee",
            f"{queue.guarantee} bit/s",
            "none",
            "qos bandwidth queue has a range that depends on the model",
        )
    if queue.shaper not in (None, UNLIMITED):
        log(
            "dropped",
            f"{at}.shaper",
            f"{queue.shaper} bit/s",
            "none",
            "qos gts needs a burst size, whose range was not read",
        )
    if queue.reserved is not None or queue.pool is not None:
        log(
            "dropped",
            f"{at}.reserved",
            "a guaranteed area",
            "none",
            "buffer egress guaranteed is one for the device, and its range was not read",
        )
