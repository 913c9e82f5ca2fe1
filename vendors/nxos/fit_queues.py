"""Fits queues and priority groups: thresholds, weights, pause buffers."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from rocecfg.state.model import (
    UNLIMITED,
    Amount,
    Curve,
    Dynamic,
    Ecn,
    Headroom,
    PortQos,
    PriorityGroup,
    Queue,
    Static,
    eight,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.vendor.api import Kind
    from rocecfg.vendor.changes import Log
    from vendors.nxos.fit import System

_FACTOR = {"byte": 1, "kbyte": 1000, "mbyte": 1_000_000, "cell": 208}


def fit_queues(qos: PortQos, planned: PortQos, cable: Fraction | int | None, system: System, log: Log) -> PortQos:
    """Return a port with all eight queues stated and its pause buffers made or left to the box."""
    queues = _with_control_queue(dict(enumerate(qos.queues or eight({}))), log)
    strict = _levels(queues, log)
    weights = _percents(queues, strict, log)
    fitted = {number: _queue(number, queues[number], strict, weights, system, log) for number in range(8)}
    groups = {number: _group(number, planned, cable, fitted[number], system, log) for number in range(8)}
    return replace(qos, queues=eight(fitted), priority_groups=eight(groups))


def _with_control_queue(queues: dict[int, Queue | None], log: Log) -> dict[int, Queue | None]:
    """Keep queue 7 strict and first where no class is planned in it: the system's own traffic leaves by it.

    `default-8q-out-policy` has it so; a policy of ours that left it out would take that away.
    """
    if queues.get(7) is not None:
        return queues
    because = "queue 7 carries the switch's own control traffic: strict and first, as in the default output policy"
    log("chosen", "queues.7", "no class planned", "strict, level 1", because)
    kept: dict[int, Queue | None] = {}
    for number, queue in queues.items():
        strict = queue is not None and queue.scheduler == "strict" and queue.rank is not None
        kept[number] = replace(queue, rank=min((queue.rank or 0) + 1, 8)) if queue is not None and strict else queue
    return {**kept, 7: Queue("strict", rank=1)}


def _levels(queues: Mapping[int, Queue | None], log: Log) -> dict[int, int]:
    """Return the priority level of each strict queue, 1 = served first."""
    strict = [(number, queue) for number, queue in queues.items() if queue is not None and queue.scheduler == "strict"]
    ranks = [queue.rank for _, queue in strict]
    if all(rank is not None and 1 <= rank <= 8 for rank in ranks):
        return {number: queue.rank for number, queue in strict if queue.rank is not None}
    order = sorted(strict, key=lambda item: (item[1].rank or 99, -item[0]))
    levels = {number: level for level, (number, _) in enumerate(order, 1)}
    for number, queue in strict:
        because = "priority level takes 1 to 8; where the plan leaves it open the higher queue is served first"
        log("chosen", f"queues.{number}.rank", queue.rank, levels[number], because)
    return levels


def _percents(queues: Mapping[int, Queue | None], strict: Mapping[int, int], log: Log) -> dict[int, int]:
    """Return `bandwidth remaining percent` of each weighted queue: whole numbers, sum 100, unused queues 0."""
    planned = {
        number: Fraction(queue.weight)
        for number, queue in queues.items()
        if queue is not None and number not in strict and queue.weight is not None and queue.weight > 0
    }
    if not planned:
        if 0 not in strict:
            planned = {0: Fraction(100)}
        else:
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
        kind = getattr(queues[number], "weight_kind", None)
        if shares[number] != weight or kind not in ("percent-of-rest", None):
            because = "bandwidth remaining percent takes whole numbers whose sum over the weighted queues must be 100"
            log("quantised", f"queues.{number}.weight", f"{weight} {kind or 'shares'}", f"{shares[number]} %", because)
    return shares


def _queue(
    number: int, planned: Queue | None, strict: Mapping[int, int], weights: Mapping[int, int], system: System, log: Log
) -> Queue:
    queue = planned or Queue()
    at = f"queues.{number}"
    if queue.guarantee not in (None, UNLIMITED) or queue.shaper not in (None, UNLIMITED):
        wanted = f"{queue.guarantee} to {queue.shaper} bit/s"
        log("dropped", f"{at}.shaper", wanted, "none", "shape is known from the data model only")
    if queue.limit is not None or queue.reserved is not None or queue.pool is not None:
        log("dropped", f"{at}.limit", "a queue limit", "none", "queue-limit stands in no published configuration")
    ecn, wred = _ecn(queue, system, log, at)
    if number in strict:
        return Queue("strict", rank=strict[number], ecn=ecn, wred=wred)
    return Queue("weighted", weight=weights.get(number, 0), weight_kind="percent-of-rest", ecn=ecn, wred=wred)


def _ecn(queue: Queue, system: System, log: Log, at: str) -> tuple[Ecn, tuple[Curve, ...]]:
    marking, dropping = (queue.ecn or Ecn()), (queue.wred or ())
    if marking.curves:
        if dropping:
            because = "a class has one random-detect line: it marks ECT packets or drops them"
            log("dropped", f"{at}.wred", "a dropping curve", "none", because)
        if marking.non_ect == "pass":
            because = "packets without ECT are dropped by the same curve"
            log("equalised", f"{at}.ecn.non_ect", "pass", "drop", because)
        curve = _curve(marking.curves, system, log, at)
        weight = marking.weight
        known = system.limits["wred_weight"]
        if weight is None:
            weight = known["published"]
            log(
                "chosen",
                f"{at}.ecn.weight",
                "open",
                weight,
                "0 marks on the instantaneous depth, as published designs do",
            )
        elif weight > known["maximum"]:
            log("quantised", f"{at}.ecn.weight", weight, known["maximum"], "NX-OS takes 0 to 15")
            weight = known["maximum"]
        return Ecn((curve,), weight=weight, non_ect="drop"), ()
    if dropping:
        return Ecn(), (_curve(dropping, system, log, at),)
    return Ecn(), ()


def _curve(curves: tuple[Curve, ...], system: System, log: Log, at: str) -> Curve:
    """Return one ramp in kbytes, the unit of every published configuration."""
    first = curves[0]
    if len(curves) > 1 or first.colours:
        because = "a queue has one ramp for all colours: the first planned one is kept"
        log("equalised", f"{at}.ecn", f"{len(curves)} curves by colour", "one for all", because)
    low, high = _kbytes(first.low, "kmin", system, log, at), _kbytes(first.high, "kmax", system, log, at)
    if low is None or high is None:
        low = high = low or high
    if low is None or high is None:
        log("refused", f"{at}.ecn", "thresholds left open", "none", "random-detect needs both thresholds")
        low = high = 0
    if low > high:
        log("equalised", f"{at}.ecn.kmin", f"{low} kbytes", f"{high} kbytes", "no ramp begins above its end")
        low = high
    probability = first.probability
    if probability is None:
        probability = system.limits["wred_probability"]["published"]
        because = "the line needs a probability; 7 % stands in Cisco's automation for RoCEv2"
        log("chosen", f"{at}.ecn.pmax", "open", f"{probability} %", because)
    return Curve(Amount(low, "kbyte"), Amount(high, "kbyte"), min(max(probability, 0), 100))


def _kbytes(amount: Amount | None, name: str, system: System, log: Log, at: str) -> int | None:
    """Return a threshold in kbytes of 1000 B, to the nearest."""
    if amount is None:
        return None
    if amount.unit not in _FACTOR and amount.bytes is None:
        log(
            "refused", f"{at}.ecn.{name}", f"{amount.value} {amount.unit}", "none", "random-detect takes absolute sizes"
        )
        return None
    size = amount.value * _FACTOR[amount.unit] if amount.unit in _FACTOR else amount.bytes or 0
    step = system.limits["wred_threshold"]["step"]
    rounded: int = min(int(Fraction(size) / step + Fraction(1, 2)), system.limits["wred_threshold"]["maximum"])
    if amount.unit != "kbyte" or rounded != amount.value:
        because = "NX-OS is given kbytes, taken as 1000 B: the unit of every published configuration"
        log("quantised", f"{at}.ecn.{name}", f"{_plain(size)} B", f"{rounded} kbytes", because)
    return rounded


def _plain(value: Fraction | int) -> str:
    return str(value) if Fraction(value).denominator == 1 else f"{float(value):.1f}"


def _group(
    number: int, planned: PortQos, cable: Fraction | int | None, queue: Queue, system: System, log: Log
) -> PriorityGroup:
    """Return a priority group: its no-drop flag, class MTU and, above 100 m, its pause buffer."""
    priority = next((p for p, group in system.group_of.items() if group == number), None)
    if priority is None:
        return PriorityGroup(lossless=False, mtu=system.class_mtu if number in system.used else None)
    numbers = planned.priority_to_pg[priority] if planned.priority_to_pg is not None else None
    group = planned.priority_group(min(numbers) if numbers else number) or PriorityGroup()
    log_at = f"priority_groups.{number}"
    if group.reserved is not None or group.pool is not None:
        log("dropped", f"{log_at}.reserved", "a reserve or pool", "none", "no documented command sets it")
    made = PriorityGroup(lossless=True, mtu=system.class_mtu)
    headroom = group.headroom
    longest = system.limits["long_cable"]["metres"]
    if headroom is None or headroom.amount is None or headroom.amount.value == 0:
        if cable is not None and cable > longest:
            because = f"over {longest} m the headroom the box keeps is too small and the pause buffer must be stated"
            log("refused", f"{log_at}.headroom", f"none for {cable} m", "made by the box", because)
        return replace(made, headroom=Headroom(by="box"))
    if cable is not None and cable <= longest:
        wanted = f"{headroom.amount.value} {headroom.amount.unit}s for {cable} m"
        because = f"up to {longest} m the box keeps the headroom of a no-drop class by itself; its size is not shown"
        log("box-made", f"{log_at}.headroom", wanted, "made by the box", because)
        if group.xoff_at is not None:
            because = (
                f"up to {longest} m the box sets the fill at which it pauses; stating it means stating the whole buffer"
            )
            log("box-made", f"{log_at}.xoff_at", _limit(group.xoff_at), "made by the box", because)
        for leaf, resume in (("xon_at", group.xon_at), ("xon_below", group.xon_below)):
            if resume is not None:
                log(
                    "box-made",
                    f"{log_at}.{leaf}",
                    f"{_bytes(resume)} B",
                    "made by the box",
                    "it comes with the headroom",
                )
        return replace(made, headroom=Headroom(by="box"))
    return _buffer(made, group, queue, system, log, log_at)


def _limit(limit: Dynamic | Static) -> str:
    if isinstance(limit, Static):
        return f"{limit.amount.value} {limit.amount.unit}s"
    return f"alpha {limit.alpha}" if limit.alpha is not None else f"alpha index {limit.index}"


def _buffer(
    made: PriorityGroup, group: PriorityGroup, queue: Queue, system: System, log: Log, at: str
) -> PriorityGroup:
    """Return a priority group with the pause line of a link over 100 m: sizes in whole cells."""
    known = system.limits
    cell, top, low = known["cell"]["bytes"], known["pause_buffer"]["maximum"], known["pause_threshold"]["minimum"]
    amount = group.headroom.amount if group.headroom else None
    room = -(-_bytes(amount) // cell) * cell
    room = min(room, (top - low) // cell * cell)
    if room != _bytes(amount):
        log("quantised", f"{at}.headroom", f"{_bytes(amount)} B", f"{room} B", f"whole cells of {cell} B")
    trigger = _trigger(group.xoff_at, queue, known, log, at)
    least = known["pause_buffer"]["minimum"]
    if trigger + room < least:
        wanted, room = room, -(-(least - trigger) // cell) * cell
        because = f"buffer-size, trigger and headroom together, is accepted from {least} B on (93180YC-EX, 10.3(8))"
        log("quantised", f"{at}.headroom", f"{wanted} B", f"{room} B", because)
    most = (top - room) // cell * cell
    if trigger > most:
        because = f"buffer-size, trigger and headroom together, ends at {top} B in 9.x"
        log("quantised", f"{at}.xoff_at", f"{trigger} B", f"{most} B", because)
        trigger = most
    resume = _resume(group, trigger, cell, low, system.class_mtu, log, at)
    return replace(
        made,
        headroom=Headroom(Amount.of_bytes(room), by="stated"),
        xoff_at=Static(Amount.of_bytes(trigger)),
        xon_at=Amount.of_bytes(resume),
    )


def _bytes(amount: Amount | None) -> int:
    if amount is None:
        return 0
    return amount.bytes if amount.bytes is not None else -(-amount.value * _FACTOR.get(amount.unit, 1) // 1)


def _trigger(
    wanted: Dynamic | Static | None, queue: Queue, known: Mapping[str, Mapping[str, int]], log: Log, at: str
) -> int:
    """Return the static fill at which PAUSE goes out.

    A planned share of the free buffer has no command in 9.x. Its place takes 5/4 of the queue's Kmin: even a lone
    ingress port that fills one queue is marked before it is paused (ECN before PFC), and no more than that is carved
    out of the chip for each port. A queue without ECN gets the trigger of the published storage configuration.
    """
    cell, low = known["cell"]["bytes"], known["pause_threshold"]["minimum"]
    if isinstance(wanted, Static):
        stated = _bytes(wanted.amount)
        trigger = max(stated // cell * cell, low)
        if trigger != stated:
            log(
                "quantised",
                f"{at}.xoff_at",
                f"{stated} B",
                f"{trigger} B",
                f"whole cells of {cell} B, at least {low} B",
            )
        return trigger
    kmin = queue.ecn.curves[0].low if queue.ecn is not None and queue.ecn.curves else None
    if kmin is not None:
        trigger = max(int(kmin.value * 1000 * 5 // 4) // cell * cell, low)
        because = (
            f"9.x has only a static pause-threshold, reserved on the port with the headroom: "
            f"5/4 of Kmin ({kmin.value} kbytes) lets a lone port be marked before it is paused"
        )
    else:
        trigger = known["pause_threshold_published"]["bytes"]
        because = "9.x has only a static pause-threshold: the value of the published storage configuration"
    kind: Kind = "chosen" if wanted is None else "quantised"
    log(kind, f"{at}.xoff_at", "open" if wanted is None else _limit(wanted), f"{trigger} B", because)
    return trigger


def _resume(group: PriorityGroup, trigger: int, cell: int, low: int, mtu: int, log: Log, at: str) -> int:
    """Return the fill at which sending resumes: below the trigger, in whole cells."""
    if group.xon_at is not None:
        wanted, said = _bytes(group.xon_at), f"at {_bytes(group.xon_at)} B"
    elif group.xon_below is not None:
        wanted, said = trigger - _bytes(group.xon_below), f"{_bytes(group.xon_below)} B below the trigger"
    else:
        wanted, said = trigger - 2 * mtu, "open"
    resume = max(min(wanted, trigger - cell) // cell * cell, min(low, trigger - cell))
    if group.xon_at is None or resume != wanted:
        because = f"resume-threshold is a fill in whole cells of {cell} B under the pause-threshold of {trigger} B"
        log("chosen" if said == "open" else "quantised", f"{at}.xon_at", said, f"{resume} B", because)
    return resume
