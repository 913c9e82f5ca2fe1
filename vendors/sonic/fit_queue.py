"""Queues as CONFIG_DB carries them: scheduler, marking curve, and the SKU's buffer profile."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import UNLIMITED, Amount, Curve, Ecn, Queue

if TYPE_CHECKING:
    from rocecfg.state.model import PortQos

curves: Any = load_module(Path(__file__).with_name("curves.py"))


def fit_queues(qos: PortQos, lossless: set[int], plan: Any) -> tuple[Queue | None, ...] | None:
    """Return the eight queues of a port; `lossless` are the queues of its lossless classes."""
    planned = [qos.queue(number) for number in range(8)]
    weights = _weights(planned, plan)
    strict = [number for number, queue in enumerate(planned) if queue is not None and queue.scheduler == "strict"]
    found: list[Queue | None] = []
    for number, queue in enumerate(planned):
        fitted = _queue(number, queue, weights, plan) if queue is not None else None
        if fitted is not None and fitted.scheduler == "strict":
            fitted = replace(fitted, rank=_rank(number, fitted, len(strict), plan))
        if plan.profiles is not None:
            profile = plan.profiles["egress_lossless_profile" if number in lossless else "q_lossy_profile"]
            fitted = replace(fitted or Queue(), limit=profile.limit, reserved=profile.reserved, pool=profile.pool)
        if queue is not None:
            _say_buffers(number, queue, fitted, plan)
        found.append(fitted)
    return tuple(found) if any(queue is not None for queue in found) else None


def _say_buffers(number: int, queue: Queue, fitted: Queue | None, plan: Any) -> None:
    got = (fitted.limit, fitted.reserved, fitted.pool) if fitted is not None else (None, None, None)
    wanted = (queue.limit, queue.reserved, queue.pool)
    if any(value is not None for value in wanted) and wanted != got:
        why = "the queue uses the SKU's stock egress profile"
        plan.notes.say(f"queues.{number}.limit", "as planned", "the stock profile's", "equalised", why)


def _weights(planned: list[Queue | None], plan: Any) -> dict[int, int]:
    """Whole DWRR weights in range; shares are kept as well as whole numbers allow."""
    low, high = plan.limits["scheduler"]["weight"]
    wanted = {
        number: Fraction(queue.weight)
        for number, queue in enumerate(planned)
        if queue is not None and queue.scheduler == "weighted" and queue.weight is not None
    }
    if not wanted:
        return {}
    scale = Fraction(high) / max(wanted.values()) if max(wanted.values()) > high else Fraction(1)
    got = {
        number: min(max(math.floor(weight * scale + Fraction(1, 2)), low), high) for number, weight in wanted.items()
    }
    if got != wanted:
        shown = ", ".join(f"queue {number}: {float(weight):g}" for number, weight in wanted.items())
        kept = ", ".join(f"queue {number}: {weight}" for number, weight in got.items())
        plan.notes.say("queues.weight", shown, kept, "quantised", f"DWRR weights are whole numbers, {low} to {high}")
    return got


def _rank(number: int, queue: Queue, strict: int, plan: Any) -> int | None:
    if strict == 1:
        return queue.rank if queue.rank is None else 1
    if queue.rank is not None:
        why = "the order among several STRICT queues is the ASIC's, CONFIG_DB has no word for it"
        plan.notes.say(f"queues.{number}.rank", queue.rank, "left out", "dropped", why)
    return None


def _queue(number: int, queue: Queue, weights: dict[int, int], plan: Any) -> Queue:
    weighted = queue.scheduler == "weighted"
    guarantee, shaper = _rates(number, queue, plan)
    ecn, wred = _curves(number, queue, plan)
    return Queue(
        scheduler=queue.scheduler,
        rank=queue.rank if queue.scheduler == "strict" else None,
        weight=weights.get(number) if weighted else None,
        weight_kind="relative" if weighted and number in weights else None,
        guarantee=guarantee,
        shaper=shaper,
        ecn=ecn,
        wred=wred,
    )


def _rates(number: int, queue: Queue, plan: Any) -> tuple[int | None, int | None]:
    """Rates are whole bytes a second, and a peak needs a committed rate that is not above it."""
    if queue.scheduler is None:
        if (queue.shaper or UNLIMITED) > 0 or (queue.guarantee or UNLIMITED) > 0:
            why = "rates stand in a SCHEDULER row, and the queue has no scheduler"
            plan.notes.say(f"queues.{number}.shaper", "a rate", "left out", "dropped", why)
        return None, None
    rates: list[int | None] = []
    for name in ("guarantee", "shaper"):
        rate = getattr(queue, name)
        if rate is None or rate <= 0:
            rates.append(None)
            continue
        rates.append(max(math.ceil(rate / 8), 1) * 8 if rate % 8 else rate)
        if rates[-1] != rate:
            why = "cir and pir are whole bytes a second"
            plan.notes.say(f"queues.{number}.{name}", f"{rate} bit/s", f"{rates[-1]} bit/s", "quantised", why)
    guarantee, shaper = rates
    if shaper is not None and (guarantee is None or guarantee > shaper):
        why = "pir can not be configured without a cir that is no larger (sonic-scheduler.yang)"
        plan.notes.say(f"queues.{number}.guarantee", guarantee or "none", f"{shaper} bit/s", "chosen", why)
        guarantee = shaper
    return guarantee or UNLIMITED, shaper or UNLIMITED


def _curves(number: int, queue: Queue, plan: Any) -> tuple[Ecn | None, tuple[Curve, ...] | None]:
    ecn, wred = queue.ecn, queue.wred
    leaf = f"queues.{number}"
    if ecn is None and not wred:
        return None, None
    if ecn is not None and ecn.curves:
        if ecn.weight is not None:
            why = "WRED_PROFILE has no averaging weight, the ASIC's own is in force"
            plan.notes.say(f"{leaf}.ecn.weight", ecn.weight, "left out", "dropped", why)
        if ecn.non_ect == "pass":
            why = "one curve serves both: ECT packets are marked, others dropped"
            plan.notes.say(f"{leaf}.ecn.non_ect", "pass", "drop", "dropped", why)
        if ecn.gate is False:
            plan.notes.say(f"{leaf}.ecn", "shut by a device-wide switch", "on", "refused", "there is no such switch")
    marks = {colour: _bytes(leaf, curve, plan) for colour, curve in curves.apart(ecn.curves if ecn else ()).items()}
    drops = {colour: _bytes(leaf, curve, plan) for colour, curve in curves.apart(wred or ()).items()}
    if marks.keys() & drops.keys():
        why = "a colour has one curve: where it marks ECT packets it does not drop them"
        plan.notes.say(f"{leaf}.wred", "a dropping curve of its own", "left out", "dropped", why)
    by_colour = {**drops, **marks}
    by_colour = {
        colour: curve for colour, curve in by_colour.items() if curve.low is not None or curve.high is not None
    }
    fitted: tuple[Ecn, tuple[Curve, ...]] = curves.split(by_colour, frozenset(marks) & by_colour.keys())
    if ecn is not None and ecn.curves and not fitted[0].curves:
        plan.notes.say(f"{leaf}.ecn", "on", "off", "refused", "its thresholds have no value in bytes")
    return fitted


def _bytes(leaf: str, curve: Curve, plan: Any) -> Curve:
    low, high = (_whole(amount) for amount in (curve.low, curve.high))
    if low is not None and high is not None and low > high:
        plan.notes.say(
            f"{leaf}.ecn", f"{low} to {high} bytes", f"{high} to {high} bytes", "quantised", "min is not above max"
        )
        low = high
    for amount, got in ((curve.low, low), (curve.high, high)):
        if amount is not None and (amount.unit != "byte" or amount.value != got):
            shown = f"{amount.value} {amount.unit}s"
            if got != low or amount.unit != "byte":
                plan.notes.say(f"{leaf}.ecn", shown, f"{got} bytes", "quantised", "thresholds are whole bytes")
    probability = curve.probability
    if probability is not None and not 0 <= probability <= 100:
        probability = min(max(probability, 0), 100)
        plan.notes.say(f"{leaf}.ecn.pmax", curve.probability, probability, "quantised", "percent, 0 to 100")
    return replace(
        curve,
        low=Amount.of_bytes(low) if low is not None else None,
        high=Amount.of_bytes(high) if high is not None else None,
        probability=probability,
        active=True if curve.active is None else curve.active,
    )


def _whole(amount: Amount | None) -> int | None:
    if amount is None:
        return None
    if amount.bytes is not None:
        return max(amount.bytes, 0)
    return max(math.floor(amount.value + Fraction(1, 2)), 0) if amount.unit == "byte" else None
