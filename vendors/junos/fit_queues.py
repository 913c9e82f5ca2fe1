"""What a QFX queue carries of its planned share, limits and ramps."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rocecfg.state.model import UNLIMITED, Amount, Curve, Dynamic, Ecn, Queue, eight

if TYPE_CHECKING:
    from rocecfg.state.model import PortQos
    from rocecfg.vendor.changes import Log
    from vendors.junos.fit_buffers import Base


def queues(qos: PortQos, base: Base, log: Log) -> Any:
    if qos.queues is None:
        return None
    served = {queue for queue in qos.tc_to_queue or () if queue is not None}
    lossless = {qos.tc_to_queue[tc] for tc, group in enumerate(qos.tc_to_pg or ())
                if qos.tc_to_queue is not None and _is_lossless(qos, group)}  # fmt: skip
    weights = _weights(qos, served, log)
    strict = [
        number for number, queue in enumerate(qos.queues) if queue and queue.scheduler == "strict" and number in served
    ]
    found = {}
    for number, queue in enumerate(qos.queues):
        if queue is None:
            continue
        if number not in served:
            log("dropped", f"queues.{number}", "planned", "not set", "no forwarding class uses this queue")
            continue
        found[number] = _queue(queue, number, weights.get(number), base, log, lossless=number in lossless)
        if queue.scheduler == "strict" and queue.rank is not None and (len(strict) > 1 or queue.rank != 1):
            log("box-made", f"queues.{number}.rank", queue.rank, "not set", "strict-high queues have no stated order")
    return eight(found)


def _is_lossless(qos: PortQos, group: int | None) -> bool:
    of_group = qos.priority_group(group) if group is not None else None
    return of_group is not None and of_group.lossless is True


def _weights(qos: PortQos, served: set[int], log: Log) -> dict[int, int]:
    """Return whole percents that add up to at most 100."""
    wanted: dict[int, Fraction] = {}
    relative = False
    for number, queue in enumerate(qos.queues or ()):
        if queue is None or queue.weight is None or number not in served:
            continue
        if queue.scheduler == "strict":
            log("dropped", f"queues.{number}.weight", queue.weight, "not set", "a strict-high queue has no share")
        else:
            wanted[number] = Fraction(queue.weight)
            relative = relative or queue.weight_kind == "relative"
    total = sum(wanted.values())
    if not total:
        return dict.fromkeys(wanted, 0)
    scale = Fraction(100) / total if relative or total > 100 else Fraction(1)
    exact = {number: weight * scale for number, weight in wanted.items()}
    got = {number: max(int(share), 1 if share else 0) for number, share in exact.items()}
    spare = min(100, int(sum(exact.values()))) - sum(got.values())
    by_rest = sorted(exact, key=lambda number: (int(exact[number]) - exact[number], number))
    for number in by_rest[: max(spare, 0)]:
        got[number] += 1
    while sum(got.values()) > 100:
        got[max(got, key=lambda number: (got[number], -number))] -= 1
    for number, weight in got.items():
        if weight != wanted[number]:
            log("quantised", f"queues.{number}.weight", wanted[number], f"{weight} percent",
                "transmit-rate is in whole percent, 100 at most in all")  # fmt: skip
    return got


def _queue(queue: Queue, number: int, weight: int | None, base: Base, log: Log, *, lossless: bool) -> Queue:
    path = f"queues.{number}"
    for leaf in ("reserved", "pool"):
        if getattr(queue, leaf) is not None:
            log("dropped", f"{path}.{leaf}", "planned", "not set", "Junos has no statement for it")
    limit = queue.limit
    if limit is not None and (not isinstance(limit, Dynamic) or limit.index is None or lossless):
        why = "buffer-dynamic-threshold is not supported for lossless queues" if lossless else (
            "buffer-dynamic-threshold is an index 0-10 whose ratio is unpublished")  # fmt: skip
        log("dropped", f"{path}.limit", "planned", "not set", why)
        limit = None
    index = min(max(limit.index, 0), 10) if isinstance(limit, Dynamic) and limit.index is not None else None
    if isinstance(limit, Dynamic) and index != limit.index:
        log("quantised", f"{path}.limit", f"index {limit.index}", f"index {index}", "an index is 0 to 10")
    guarantee = queue.guarantee if queue.guarantee not in {UNLIMITED, 0} else None
    if guarantee is not None and weight is not None:
        log("dropped", f"{path}.guarantee", f"{guarantee} bit/s", "not set", "transmit-rate is a rate or a percent")
        guarantee = None
    curves, ecn = _curves(queue, path, base, log, lossless=lossless)
    return Queue(
        scheduler=queue.scheduler,
        weight=weight,
        weight_kind="percent-of-rest" if weight is not None else None,
        guarantee=guarantee,
        shaper=queue.shaper if queue.shaper not in {UNLIMITED, 0} else None,
        ecn=Ecn(curves) if ecn else Ecn(()),
        wred=() if ecn else curves,
        limit=Dynamic(index=index) if index is not None else None,
    )


def _curves(queue: Queue, path: str, base: Base, log: Log, *, lossless: bool) -> tuple[tuple[Curve, ...], bool]:
    """Return the ramps of the queue's drop profile, and whether they mark (else they drop)."""
    ecn = queue.ecn
    marks = ecn is not None and bool(ecn.curves)
    if ecn is not None and ecn.gate is False:
        log("refused", f"{path}.ecn.gate", "off", "not set", "Junos has no device-wide ECN switch")
    if ecn is not None and ecn.weight is not None and marks:
        log("box-made", f"{path}.ecn.weight", ecn.weight, "not set", "Junos has no averaging weight")
    if ecn is not None and ecn.non_ect == "pass" and marks:
        log(
            "dropped",
            f"{path}.ecn.non_ect",
            "pass",
            "not set",
            "keep-non-ect stands in the generic Evolved schema only",
        )
    if marks and queue.wred:
        log(
            "dropped",
            f"{path}.wred",
            "planned",
            "not set",
            "one drop profile a loss priority: with the ECN word it marks",
        )
    planned = ecn.curves if marks and ecn is not None else queue.wred or ()
    found: dict[frozenset[str], Curve] = {}
    for curve in planned:
        if curve.active is False:
            continue
        for colours in [frozenset({c}) for c in sorted(curve.colours)] if curve.colours else [frozenset[str]()]:
            low, high, probability = base.thresholds(curve, path, log, lossless=lossless, marks=marks)
            found.setdefault(colours, Curve(Amount(low, "percent"), Amount(high, "percent"), probability, colours))
    if len(found) > 1 and frozenset() in found:
        found = {frozenset(): found[frozenset()]}
    order = {"": "any", "green": "low", "yellow": "medium-high", "red": "high"}
    ordered = sorted(found.values(), key=lambda curve: order[next(iter(curve.colours), "")])
    return tuple(ordered), marks and bool(ordered)
