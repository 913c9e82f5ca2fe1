"""What one port can carry of a plan: maps, PFC, groups, queues."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rocecfg.state.model import (
    UNLIMITED,
    Amount,
    CodeMap,
    Curve,
    Dynamic,
    Ecn,
    Headroom,
    LinkPause,
    Pfc,
    PortQos,
    PriorityGroup,
    Queue,
    Static,
    eight,
)

if TYPE_CHECKING:
    from collections.abc import Callable

Note = "Callable[[str, object, object, str, str], None]"


def lossless_of(qos: PortQos) -> frozenset[int]:
    """Return the priorities with PFC on this port, in either direction."""
    pfc = qos.pfc
    if pfc is None or pfc.admin == "off":
        return frozenset()
    return (pfc.tx or frozenset()) | (pfc.rx or frozenset())


def fit_port(qos: PortQos, note: Any, limits: dict[str, Any], release: str) -> PortQos:
    """Return the QoS that NVUE can carry on one port; `note(field, wanted, got, kind, because)` hears each change."""
    qos = replace(qos, pfc=_pfc(qos, note), defaulted=frozenset())
    lossless = lossless_of(qos)
    _check_groups(qos, lossless, note)
    if qos.dscp_to_colour is not None and any(colour not in {None, "green"} for colour in qos.dscp_to_colour):
        note("dscp_to_colour", "stated", "none", "dropped", "NVUE has no colours")
    if qos.app_to_tc:
        note("app_to_tc", "stated", "none", "dropped", "NVUE classifies by DSCP, PCP or port")
    if qos.dcbx is not None and qos.dcbx.state not in {None, "off"}:
        note("dcbx", qos.dcbx.state, "none", "dropped", "outside the RoCE mode NVUE has no DCBX setting")
    pause = qos.link_pause
    if pause is not None and (pause.rx or pause.tx) and lossless:
        note("link_pause", "on", "on", "refused", "link pause and PFC exclude each other on a port")
    if qos.default_tc is not None and qos.default_tc > 7:
        note("default_tc", qos.default_tc, qos.default_tc, "refused", "switch priorities are 0 to 7")
    return replace(
        qos,
        dscp_to_tc=_dscp(qos, lossless, note),
        pcp_to_tc=_codes(qos.pcp_to_tc, tuple(range(8)), lossless, "pcp_to_tc", note),
        dscp_to_colour=None,
        app_to_tc=None,
        dcbx=None,
        rewrite=_rewrite(qos, note),
        link_pause=None if pause is None else LinkPause(bool(pause.rx), bool(pause.tx)),
        cable=_cable(qos, lossless, limits, note),
        priority_groups=_explicit(qos, lossless, note),
        queues=_queues(qos, limits, release, note),
    )


def _pfc(qos: PortQos, note: Any) -> Pfc | None:
    pfc = qos.pfc
    if pfc is None:
        return None
    tx = pfc.tx if pfc.tx is not None else pfc.rx or frozenset()
    rx = pfc.rx if pfc.rx is not None else tx
    if pfc.by == "pcp":
        note("pfc.by", "pcp", "internal", "refused", "PFC follows the switch priority that trust gave the packet")
    if pfc.admin == "auto":
        note("pfc.admin", "auto", "on", "dropped", "NVUE does not negotiate PFC")
    if tx and rx and tx != rx:
        note(
            "pfc",
            f"tx {sorted(tx)}, rx {sorted(rx)}",
            "one set",
            "refused",
            "a profile has one set of priorities, and tx and rx as switches",
        )
        rx = tx
    if pfc.admin == "off" or not (tx or rx):
        return Pfc("off", frozenset(), frozenset(), "internal")
    return Pfc("on", tx, rx, "internal")


def _check_groups(qos: PortQos, lossless: frozenset[int], note: Any) -> None:
    """PFC's priority is the switch priority: a class that rides another priority cannot be said."""
    if qos.tc_to_pg is None or qos.priority_to_pg is None:
        return
    for priority in sorted(lossless):
        groups = qos.priority_to_pg[priority]
        classes = {tc for tc, group in enumerate(qos.tc_to_pg) if groups and group in groups}
        if groups is not None and classes != {priority}:
            note("priority_to_pg", f"classes {sorted(classes)} paused by priority {priority}", f"class {priority}", "refused",
                 "PFC's priority is the switch priority: class and priority have one number")  # fmt: skip


def _best_effort(lossless: frozenset[int]) -> int:
    return min(set(range(8)) - lossless, default=0)


def _dscp(qos: PortQos, lossless: frozenset[int], note: Any) -> CodeMap | None:
    standard = tuple(code // 8 for code in range(64))
    codes = qos.dscp_to_tc
    if codes is None and qos.trust in {"dscp", "both"} and lossless:
        codes = CodeMap((None,) * 64)
    return _codes(codes, standard, lossless, "dscp_to_tc", note)


def _codes(
    codes: CodeMap | None, standard: tuple[int, ...], lossless: frozenset[int], field: str, note: Any
) -> CodeMap | None:
    """Free codes keep the system's class, unless a planned class lives there: then best effort."""
    if codes is None:
        return None
    if codes.conflicts:
        note(field, "several classes for one code", "one", "refused", "a code has one switch priority")
    beyond = sorted({to for to in codes.to if to is not None and to > 7})
    if beyond:
        note(field, f"class {beyond[0]}", "0 to 7", "refused", "switch priorities are 0 to 7")
    best = _best_effort(lossless)
    planned = ({to for to in codes.to if to is not None} | lossless) - {best}
    full = tuple(
        to if to is not None else best if standard[code] in planned else standard[code]
        for code, to in enumerate(codes.to)
    )
    return CodeMap(full, codes.stated)


def _rewrite(qos: PortQos, note: Any) -> tuple[tuple[str, int, int], ...] | None:
    if qos.rewrite is None:
        return None
    kept = {(kind, of, to) for kind, of, to in qos.rewrite if kind == "tc" and of < 8}
    if len(kept) != len(qos.rewrite):
        note("rewrite", "by DSCP", "by switch priority only", "dropped", "NVUE remarks by switch priority")
    return tuple(sorted({of: (kind, of, to) for kind, of, to in sorted(kept)}.values()))


def _cable(qos: PortQos, lossless: frozenset[int], limits: dict[str, Any], note: Any) -> int | None:
    if qos.cable is None or not lossless:
        return None
    bounds = limits["ranges"]["cable_length"]
    metres: int = min(max(math.ceil(qos.cable), bounds["from"]), bounds["to"])
    if metres != qos.cable:
        note("cable", f"{float(qos.cable):g} m", f"{metres} m", "quantised", "cable-length is whole metres, rounded up")
    return metres


def _explicit(qos: PortQos, lossless: frozenset[int], note: Any) -> tuple[PriorityGroup | None, ...] | None:
    """Groups by priority: stated bytes where buffer and trigger are both stated, else worked out from the cable."""
    planned: dict[int, PriorityGroup] = {}
    for priority in sorted(lossless):
        numbers = qos.priority_to_pg[priority] if qos.priority_to_pg is not None else None
        number = min(numbers) if numbers else priority
        planned[priority] = qos.priority_group(number) or PriorityGroup()
    if not planned:
        return None
    stated = [_bytes_of(group) for group in planned.values()]
    _dropped(planned, note)
    if all(stated):
        headroom, xoff, below = (
            max(each[0] for each in stated if each),
            min(each[1] for each in stated if each),
            max((each[2] for each in stated if each and each[2]), default=None),
        )
        made = PriorityGroup(
            True, Headroom(Amount.of_bytes(headroom)), Static(Amount.of_bytes(xoff)), None,
            Amount.of_bytes(min(below, xoff)) if below else None,
        )  # fmt: skip
        if len(set(stated)) > 1:
            note(
                "priority_groups",
                "a size each",
                f"{headroom} bytes headroom",
                "equalised",
                "a PFC profile has one buffer for its priorities",
            )
        return eight(dict.fromkeys(planned, made))
    for priority, group in planned.items():
        amount = group.headroom.amount if group.headroom is not None else None
        field, length = (
            f"priority_groups.{priority}",
            f"worked out from cable-length {qos.cable if qos.cable is not None else 10} m",
        )
        if amount is not None:
            note(f"{field}.headroom", _shown(amount), length, "box-made",
                 "the switch sizes headroom by cable length; stated bytes need a static trigger beside them")  # fmt: skip
        for name in ("xon_at", "xon_below"):
            if getattr(group, name) is not None:
                note(f"{field}.{name}", _shown(getattr(group, name)), length, "box-made", "it comes with the headroom")
        if isinstance(group.xoff_at, Static):
            note(
                f"{field}.xoff_at",
                _shown(group.xoff_at.amount),
                "alpha",
                "dropped",
                "a static trigger needs a stated headroom beside it",
            )
    return eight(
        {
            priority: PriorityGroup(
                lossless=True,
                headroom=Headroom(by="length"),
                xoff_at=group.xoff_at if isinstance(group.xoff_at, Dynamic) else None,
            )
            for priority, group in planned.items()
        }
    )


def _bytes_of(group: PriorityGroup) -> tuple[int, int, int | None] | None:
    """Return headroom, trigger and the distance to XON in bytes when they are all stated so."""
    headroom = group.headroom.amount if group.headroom is not None else None
    if (
        headroom is None
        or headroom.bytes is None
        or not isinstance(group.xoff_at, Static)
        or not group.xoff_at.amount.bytes
    ):
        return None
    xoff = group.xoff_at.amount.bytes
    below = group.xon_below.bytes if group.xon_below is not None else None
    if below is None and group.xon_at is not None and group.xon_at.bytes is not None:
        below = xoff - group.xon_at.bytes
    return headroom.bytes, xoff, below if below and below > 0 else None


def _dropped(planned: dict[int, PriorityGroup], note: Any) -> None:
    for priority, group in planned.items():
        for name, reason in (
            ("reserved", "the simple buffer model reserves nothing by group"),
            ("pool", "the lossless pool is chosen by switch priority"),
            ("mtu", "headroom is sized for the port"),
        ):
            if getattr(group, name) is not None:
                value = getattr(group, name)
                note(
                    f"priority_groups.{priority}.{name}",
                    _shown(value) if isinstance(value, Amount) else value,
                    "none",
                    "dropped",
                    reason,
                )


def groups(qos: PortQos, lossless: frozenset[int], alpha: Dynamic | None) -> tuple[PriorityGroup | None, ...] | None:
    """Return the groups of a port when the lossless pool holds `lossless` and the switch has one ingress alpha."""
    own = qos.priority_groups or (None,) * 8
    made = {}
    for priority in sorted(lossless):
        group = own[priority] or PriorityGroup(lossless=True)
        made[priority] = group if isinstance(group.xoff_at, Static) else replace(group, lossless=True, xoff_at=alpha)
    return eight(made) if made else None


def _queues(qos: PortQos, limits: dict[str, Any], release: str, note: Any) -> tuple[Queue | None, ...] | None:
    if qos.queues is None:
        return None
    if any(queue is not None for queue in qos.queues[8:]):
        note("queues", "a queue above 7", "0 to 7", "refused", "a port has eight egress queues")
    planned = {number: queue for number, queue in enumerate(qos.queues[:8]) if queue is not None}
    weights = _weights(planned, note)
    strict = [number for number, queue in planned.items() if queue.scheduler == "strict"]
    fitted: dict[int, Queue] = {}
    for number, queue in planned.items():
        at = f"queues.{number}"
        ecn, wred = _curves(queue, at, release, limits, note)
        rank = 1 if strict == [number] else None
        if queue.rank not in {None, rank}:
            note(f"{at}.rank", queue.rank, "by the system", "dropped", "NVUE has no order among strict queues")
        for name in ("reserved", "pool"):
            if getattr(queue, name) is not None:
                note(f"{at}.{name}", "stated", "none", "dropped", "the simple buffer model reserves nothing by queue")
        if isinstance(queue.limit, Static):
            note(f"{at}.limit", _shown(queue.limit.amount), "alpha", "dropped", "egress shares are alphas")
        fitted[number] = Queue(
            scheduler=queue.scheduler if queue.scheduler is not None or number not in weights else "weighted",
            rank=rank,
            weight=weights.get(number),
            weight_kind="percent-of-rest" if number in weights else None,
            guarantee=_rate(queue.guarantee, f"{at}.guarantee", note),
            shaper=_rate(queue.shaper, f"{at}.shaper", note),
            ecn=ecn,
            wred=wred,
            limit=queue.limit if isinstance(queue.limit, Dynamic) else None,
        )
    return eight(fitted)


def _weights(planned: dict[int, Queue], note: Any) -> dict[int, int]:
    """Whole percents, together at most 100: largest remainders first."""
    wanted = {
        number: Fraction(queue.weight)
        for number, queue in planned.items()
        if queue.weight is not None and queue.scheduler != "strict"
    }
    total = sum(wanted.values())
    if not total:
        return {number: 0 for number in wanted}
    relative = any(planned[number].weight_kind == "relative" for number in wanted)
    target = 100 if relative or total > 100 else total
    exact = {number: weight * target / total for number, weight in wanted.items()}
    got = {number: math.floor(share) for number, share in exact.items()}
    spare = math.floor(target) - sum(got.values())
    for number in sorted(exact, key=lambda number: (got[number] - exact[number], number))[:spare]:
        got[number] += 1
    for number in sorted(got):
        if got[number] == 0 and wanted[number] > 0:  # a planned share must not starve
            largest = max(got, key=lambda other: (got[other], -other))
            if got[largest] > 1:
                got[number], got[largest] = 1, got[largest] - 1
    for number, weight in wanted.items():
        kind = planned[number].weight_kind or "percent-of-rest"
        if weight != got[number] or kind != "percent-of-rest":
            note(f"queues.{number}.weight", f"{float(weight):g} {kind}", f"{got[number]} percent-of-rest", "quantised",
                 "bw-percent is a whole percent of what strict queues leave, together not above 100")  # fmt: skip
    return got


def _rate(rate: int | None, field: str, note: Any) -> int | None:
    if rate is None or rate == UNLIMITED:
        return None
    kilobits = min(max(math.ceil(rate / 1000), 1), 2147483647)
    if kilobits * 1000 != rate:
        note(field, f"{rate} bit/s", f"{kilobits} kbit/s", "quantised", "shapers count kbit/s")
    return kilobits * 1000


def _curves(
    queue: Queue, at: str, release: str, limits: dict[str, Any], note: Any
) -> tuple[Ecn | None, tuple[Curve, ...] | None]:
    """One ramp a queue: it marks, or (RED) drops; RED beside ECN drops what cannot be marked."""
    marks = [curve for curve in queue.ecn.curves if curve.active is not False] if queue.ecn is not None else []
    drops = [curve for curve in queue.wred or () if curve.active is not False]
    if queue.ecn is not None and queue.ecn.weight:
        note(f"{at}.ecn.weight", queue.ecn.weight, "instantaneous", "box-made", "NVUE has no averaging weight")
    if marks:
        if len(marks) > 1 or marks[0].colours:
            note(f"{at}.ecn", "a ramp by colour", "one ramp", "dropped", "NVUE has no colours")
        if drops:
            note(f"{at}.wred", "a dropping ramp", "none", "dropped", "ECN and RED of a class share one ramp")
        assert queue.ecn is not None
        non_ect = queue.ecn.non_ect or "pass"
        return Ecn((_curve(marks[0], at, release, limits, note),), non_ect=non_ect), ()
    if drops:
        return Ecn(), (_curve(drops[0], at, release, limits, note),)
    off = queue.ecn is not None or queue.wred is not None
    return (Ecn() if queue.ecn is not None else None), (() if off else None)


def _curve(curve: Curve, at: str, release: str, limits: dict[str, Any], note: Any) -> Curve:
    low, high = (_threshold(amount, at, release, note) for amount in (curve.low, curve.high))
    if low is not None and high is not None and low.unit == high.unit and low.value > high.value:
        low = high
    probability = None if curve.probability is None else min(max(curve.probability, 0), 100)
    return Curve(low, high, probability)


def _threshold(amount: Amount | None, at: str, release: str, note: Any) -> Amount | None:
    if amount is None:
        return None
    if amount.unit == "percent" and _relative(release):
        percent = min(round(amount.value), 100)
        return Amount(percent, "percent")
    exact = Fraction(amount.value) if amount.unit == "byte" else amount.bytes
    if exact is None:
        note(f"{at}.ecn", _shown(amount), "bytes", "refused", "NVUE takes thresholds in bytes (percent from 5.18 on)")
        return None
    if amount.unit != "byte" or exact != round(exact):
        note(f"{at}.ecn", _shown(amount), f"{round(exact)} bytes", "quantised", "NVUE takes thresholds in whole bytes")
    return Amount.of_bytes(round(exact))


def _relative(release: str) -> bool:
    parts = release.split(".")
    return len(parts) > 1 and parts[0].isdigit() and parts[1].isdigit() and (int(parts[0]), int(parts[1])) >= (5, 18)


def _shown(amount: Amount) -> str:
    return f"{amount.value} {amount.unit}"
