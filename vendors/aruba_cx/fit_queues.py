"""Fits the queues of a port: weights, the strict queue, marking thresholds."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import UNLIMITED, Amount, Curve, Ecn, PortQos, Queue, eight

if TYPE_CHECKING:
    from rocecfg.vendor.changes import Log
    from vendors.aruba_cx.fit_classes import Layout

_INFORCE = load_module(Path(__file__).with_name("inforce.py"))
_FACTOR = {"byte": 1, "kbyte": 1024, "mbyte": 1024 * 1024}


def queues(qos: PortQos, layout: Layout, known: dict[str, Any], log: Log) -> tuple[Queue | None, ...]:
    """Return the queues of a port: one for each group of local priorities, numbered without a gap."""
    made: dict[int, Queue] = {}
    for number, planned in enumerate(layout.planned):
        sources = [queue for old in planned if (queue := qos.queue(old)) is not None]
        strict = number == layout.strict
        made[number] = _queue(number, sources, known, log, strict=strict)
    return eight(made)


def _queue(number: int, sources: list[Queue], known: dict[str, Any], log: Log, *, strict: bool) -> Queue:
    at = f"queues.{number}"
    source = sources[0] if sources else Queue()
    marked = next((queue for queue in sources if queue.ecn is not None and queue.ecn.curves), source)
    if any(queue.guarantee not in (None, UNLIMITED) for queue in sources):
        log("dropped", f"{at}.guarantee", "a guaranteed rate", "none", "no documented command sets one on these series")
    if any(queue.limit is not None or queue.reserved is not None or queue.pool is not None for queue in sources):
        log("dropped", f"{at}.limit", "a queue limit", "none", "no documented command sets one")
    if any(queue.wred for queue in sources):
        log("dropped", f"{at}.wred", "a dropping curve", "none", "only marking is rendered")
    shaper = _shaper(source.shaper, log, at)
    ecn = _ecn(marked.ecn, known, log, at)
    if strict:
        return Queue("strict", rank=1, shaper=shaper, ecn=ecn, wred=())
    weight = _weight(source, known["weight"], log, at)
    return Queue("weighted", weight=weight, weight_kind="relative", shaper=shaper, ecn=ecn, wred=())


def _shaper(shaper: int | None, log: Log, at: str) -> int:
    if shaper in (None, UNLIMITED):
        return UNLIMITED
    rate = max(round(Fraction(shaper, 1000)), 1) * 1000
    if rate != shaper:
        log("quantised", f"{at}.shaper", f"{shaper} bit/s", f"{rate} bit/s", "max-bandwidth counts kbit/s")
    return rate


def _weight(source: Queue, known: dict[str, int], log: Log, at: str) -> int:
    if source.weight is None or source.scheduler != "weighted":
        log("chosen", f"{at}.weight", "open", known["minimum"], "every queue of a schedule profile needs a weight")
        return known["minimum"]
    weight = min(max(round(Fraction(source.weight)), known["minimum"]), known["maximum"])
    if weight != source.weight or source.weight_kind != "relative":
        because = f"dwrr takes whole weights of {known['minimum']} to {known['maximum']}, shares of their sum"
        log("quantised", f"{at}.weight", f"{source.weight} {source.weight_kind or ''}".strip(), weight, because)
    return weight


def _ecn(planned: Ecn | None, known: dict[str, Any], log: Log, at: str) -> Ecn:
    if planned is None or not planned.curves:
        return Ecn()
    first = planned.curves[0]
    if len(planned.curves) > 1 or first.colours:
        because = "a queue has one marking ramp for all colours: the first planned one is kept"
        log("equalised", f"{at}.ecn", f"{len(planned.curves)} curves by colour", "one for all", because)
    low, high = (_kbytes(bound, name, known, log, at) for bound, name in ((first.low, "kmin"), (first.high, "kmax")))
    if low is None or high is None:
        low = high = low if low is not None else high
    if low is None or high is None:
        log("refused", f"{at}.ecn", "thresholds left open", "none", "a threshold profile needs both thresholds")
        return Ecn()
    if low > high:
        log("equalised", f"{at}.ecn.kmin", f"{low} kbytes", f"{high} kbytes", "no ramp begins above its end")
        low = high
    probability = 100 if low == high else None
    if first.probability not in (None, probability):
        because = "AOS-CX has no marking probability: it rises from min to max, above max every packet is marked"
        log("dropped", f"{at}.ecn.pmax", f"{first.probability} %", "the switch's ramp", because)
    if planned.weight:
        log("dropped", f"{at}.ecn.weight", planned.weight, "none", "no command averages the queue depth")
    if planned.non_ect is not None:
        log(
            "dropped", f"{at}.ecn.non_ect", planned.non_ect, "unknown", "the guide does not say what happens to non-ECT"
        )
    return Ecn((Curve(_INFORCE.kbytes(low), _INFORCE.kbytes(high), probability),))


def _kbytes(amount: Amount | None, name: str, known: dict[str, Any], log: Log, at: str) -> int | None:
    """Return a threshold in kbytes of 1024 B, to the nearest."""
    if amount is None:
        return None
    size = amount.value * _FACTOR[amount.unit] if amount.unit in _FACTOR else amount.bytes
    if size is None:
        log("refused", f"{at}.ecn.{name}", f"{amount.value} {amount.unit}", "none", "thresholds are absolute sizes")
        return None
    rounded: int = min(int(Fraction(size) / 1024 + Fraction(1, 2)), known["ecn_threshold"]["maximum"])
    if amount.unit != "kbyte" or rounded != amount.value:
        because = f"a threshold is given in kbytes of 1024 B, at most {known['ecn_threshold']['maximum']}"
        log("quantised", f"{at}.ecn.{name}", f"{amount.value} {amount.unit}", f"{rounded} kbytes", because)
    return rounded
