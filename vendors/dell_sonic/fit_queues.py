"""Fits the queues of a port: scheduler policy and WRED policies."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import UNLIMITED, Amount, Curve, Ecn, PortQos, Queue, eight

if TYPE_CHECKING:
    from rocecfg.vendor.changes import Log

_INFORCE = load_module(Path(__file__).with_name("inforce.py"))
_FACTOR = {"byte": 1, "kbyte": 1000, "mbyte": 1_000_000}


def queues(qos: PortQos, mapped: PortQos, known: dict[str, Any], log: Log) -> tuple[Queue | None, ...]:
    """Return the queues that a class leads to: each scheduled, each with its marking."""
    used = sorted({queue for queue in (mapped.tc_to_queue or ()) if queue is not None})
    strict = [number for number in used if (queue := qos.queue(number)) is not None and queue.scheduler == "strict"]
    order = sorted(strict, key=lambda number: ((qos.queues or ())[number].rank or 99, -number))  # type: ignore[union-attr]
    if order != sorted(strict, reverse=True):
        because = "among strict queues the higher number is served first"
        log("equalised", "queues.rank", f"order {order}", f"order {sorted(strict, reverse=True)}", because)
    made = {}
    for number in used:
        planned = qos.queue(number) or Queue()
        rank = len(strict) - sorted(strict).index(number) if number in strict else None
        made[number] = _queue(number, planned, rank, known, log)
    return eight(made)


def _queue(number: int, planned: Queue, rank: int | None, known: dict[str, Any], log: Log) -> Queue:
    at = f"queues.{number}"
    if planned.guarantee not in (None, UNLIMITED) or planned.shaper not in (None, UNLIMITED):
        wanted = f"{planned.guarantee} to {planned.shaper} bit/s"
        log("dropped", f"{at}.shaper", wanted, "none", "the unit of cir and pir differs between releases")
    if planned.limit is not None or planned.reserved is not None or planned.pool is not None:
        log("dropped", f"{at}.limit", "a queue limit", "none", "queue buffers are those of the SKU")
    ecn, wred = _ecn(planned, known, log, at)
    if rank is not None:
        return Queue("strict", rank=rank, shaper=UNLIMITED, ecn=ecn, wred=wred)
    weight = _weight(planned, known["weight"], log, at)
    return Queue("weighted", weight=weight, weight_kind="relative", shaper=UNLIMITED, ecn=ecn, wred=wred)


def _weight(planned: Queue, known: dict[str, int], log: Log, at: str) -> int:
    if planned.weight is None:
        log("chosen", f"{at}.weight", "open", known["minimum"], "a DWRR queue needs a weight")
        return known["minimum"]
    weight = min(max(round(Fraction(planned.weight)), known["minimum"]), known["maximum"])
    if weight != planned.weight or planned.weight_kind != "relative":
        because = f"DWRR takes whole weights of {known['minimum']} to {known['maximum']}, shares of their sum"
        log("quantised", f"{at}.weight", f"{planned.weight} {planned.weight_kind or ''}".strip(), weight, because)
    return weight


def _ecn(planned: Queue, known: dict[str, Any], log: Log, at: str) -> tuple[Ecn, tuple[Curve, ...]]:
    marking, dropping = (planned.ecn or Ecn()), planned.wred or ()
    if dropping:
        log("dropped", f"{at}.wred", "a dropping curve", "none", "only marking is rendered")
    if not marking.curves:
        return Ecn(), ()
    if len(marking.curves) > 1 or marking.curves[0].colours not in (frozenset(), frozenset({"green"})):
        because = "the published policy marks green packets, which is every packet without a policer"
        log("equalised", f"{at}.ecn", f"{len(marking.curves)} curves by colour", "green", because)
    if marking.weight:
        log("dropped", f"{at}.ecn.weight", marking.weight, "none", "no command averages the queue depth")
    if marking.non_ect == "pass":
        log("dropped", f"{at}.ecn.non_ect", "pass", "unknown", "what happens to packets without ECT is not published")
    return _curve(marking.curves[0], known, log, at)


def _curve(first: Curve, known: dict[str, Any], log: Log, at: str) -> tuple[Ecn, tuple[Curve, ...]]:
    bounds = ((first.low, "kmin"), (first.high, "kmax"))
    low, high = (_kbytes(bound, name, known["wred_threshold"], log, at) for bound, name in bounds)
    if low is None or high is None:
        low = high = low if low is not None else high
    if low is None or high is None:
        log("refused", f"{at}.ecn", "thresholds left open", "none", "a WRED policy needs both thresholds")
        return Ecn(), ()
    if low > high:
        log("equalised", f"{at}.ecn.kmin", f"{low} KBytes", f"{high} KBytes", "no ramp begins above its end")
        low = high
    probability = first.probability
    if probability is None:
        log("chosen", f"{at}.ecn.pmax", "open", "100 %", "the line needs a probability; above the end all is marked")
        probability = 100
    curve = Curve(_INFORCE.kbytes(low), _INFORCE.kbytes(high), probability, frozenset({"green"}))
    return Ecn((curve,)), ()


def _kbytes(amount: Amount | None, name: str, known: dict[str, int], log: Log, at: str) -> int | None:
    """Return a threshold in KBytes of 1000 B, to the nearest."""
    if amount is None:
        return None
    size = amount.value * _FACTOR[amount.unit] if amount.unit in _FACTOR else amount.bytes
    if size is None:
        log("refused", f"{at}.ecn.{name}", f"{amount.value} {amount.unit}", "none", "thresholds are absolute sizes")
        return None
    rounded = min(max(int(Fraction(size) / 1000 + Fraction(1, 2)), known["minimum"]), known["maximum"])
    if amount.unit != "kbyte" or rounded != amount.value:
        because = f"the management CLI takes {known['minimum']} to {known['maximum']} KBytes of 1000 B"
        log("quantised", f"{at}.ecn.{name}", f"{amount.value} {amount.unit}", f"{rounded} KBytes", because)
    return rounded
