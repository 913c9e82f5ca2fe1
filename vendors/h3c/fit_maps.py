"""Fits the classification: one map of DSCPs and one of queues for the device, each traffic class an 802.1p priority."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import CodeMap, PortQos

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocecfg.state.model import Port, PriorityGroup, Queue, Trust
    from rocecfg.vendor.changes import Log

_INFORCE = load_module(Path(__file__).with_name("inforce.py"))
PRIORITIES = range(8)


def fit_maps(
    kinds: list[tuple[PortQos, list[Port]]], log: Log
) -> tuple[tuple[int, ...], tuple[int, ...], list[PortQos]]:
    """Return the DSCP map and the queue map of the device, and each `PortQos` with what they make of it."""
    queue_of: dict[int, tuple[int, str]] = {}
    codes: dict[int, tuple[int, str]] = {}
    numbered: list[tuple[PortQos, dict[int, int], int]] = []
    rest = 0
    for qos, members in kinds:
        log.ports = ", ".join(port.name for port in members)
        numbers = _numbers(qos, log)
        default = numbers[qos.default_tc or 0]
        numbered.append((qos, numbers, default))
        rest = _rest(qos, numbers, default, log)
        for tc, number in numbers.items():
            _agree(queue_of, number, _queue(qos, tc, log), "tc_to_queue", "qos map-table dot1p-lp", log)
        trust = _trust(qos)
        if trust in ("dscp", "both") and qos.dscp_to_tc is not None:
            for code, to in enumerate(qos.dscp_to_tc.to):
                if to is not None:
                    _agree(codes, code, numbers[to], "dscp_to_tc", "qos map-table dscp-dot1p", log)
    queues = _queues(kinds, {number: queue for number, (queue, _) in queue_of.items()})
    used = any(_trust(qos) in ("dscp", "both") for qos, _ in kinds)
    table = tuple(codes[code][0] if code in codes else rest for code in range(64)) if used else ()
    return (
        table,
        queues,
        [
            _mapped(qos, members, numbers, default, (table, queues), log)
            for (qos, numbers, default), (_, members) in zip(numbered, kinds, strict=True)
        ],
    )


def _trust(qos: PortQos) -> Trust:
    return qos.trust or ("dscp" if qos.dscp_to_tc is not None else "pcp" if qos.pcp_to_tc is not None else "none")


def _agree(table: dict[int, tuple[int, str]], key: int, to: int, leaf: str, command: str, log: Log) -> None:
    """Note one place of a map that all ports share; what two ports want differently is refused."""
    own, ports = table.setdefault(key, (to, log.ports))
    if own != to:
        because = f"{command} is one for the device; {ports} want {own}"
        log("refused", leaf, f"{key} to {to}", f"{key} to {own}", because)


def _numbers(qos: PortQos, log: Log) -> dict[int, int]:
    """Return the 802.1p priority of each traffic class: for a lossless one the priority that PFC stops it by."""
    used = {tc for table in (qos.dscp_to_tc, qos.pcp_to_tc) if table for tc in table.to if tc is not None}
    used |= {tc for tc, queue in enumerate(qos.tc_to_queue or ()) if queue is not None and not _idle(qos, tc)}
    used.add(qos.default_tc or 0)
    numbers: dict[int, int] = {}
    for priority, groups in enumerate(qos.priority_to_pg or ()):
        for tc in sorted(used - numbers.keys()):
            group = qos.tc_to_pg[tc] if qos.tc_to_pg is not None else None
            if group in (groups or frozenset()) and _stopped(qos, priority) and _leaves_by(qos, tc, priority):
                numbers[tc] = priority
    for tc in sorted(used - numbers.keys(), key=lambda tc: (tc > max(PRIORITIES), tc)):
        taken = set(numbers.values())
        free = [number for number in (tc, *PRIORITIES) if number in PRIORITIES and number not in taken]
        if not free:
            log("refused", "tc_to_queue", f"traffic class {tc}", "none", "there are eight 802.1p priorities")
        numbers[tc] = free[0] if free else 0
        if numbers[tc] != tc:
            because = "a traffic class is an 802.1p priority here, and its own number is taken"
            log("equalised", "dscp_to_tc", f"traffic class {tc}", f"802.1p priority {numbers[tc]}", because)
    for tc, number in numbers.items():
        group = qos.tc_to_pg[tc] if qos.tc_to_pg is not None else None
        if group not in (None, number):
            because = "an 802.1p priority is counted in the ingress buffer of its own number"
            log(
                "equalised",
                "tc_to_pg",
                f"traffic class {tc} in priority group {group}",
                f"priority group {number}",
                because,
            )
    return numbers


def _leaves_by(qos: PortQos, tc: int, priority: int) -> bool:
    """Return whether a class leaves by a queue that a pause of this priority stops, as far as the plan says."""
    queues = qos.priority_to_queue[priority] if qos.priority_to_queue is not None else None
    queue = qos.tc_to_queue[tc] if qos.tc_to_queue is not None else None
    return not queues or queue is None or queue in queues


def _idle(qos: PortQos, tc: int) -> bool:
    """Return whether no code leads to a class: fitted devices have all eight in their maps."""
    reached = {to for table in (qos.dscp_to_tc, qos.pcp_to_tc) if table for to in table.to}
    return tc not in reached and tc != (qos.default_tc or 0) and qos.dscp_to_tc is not None


def _stopped(qos: PortQos, priority: int) -> bool:
    pfc = qos.pfc
    return pfc is not None and pfc.admin != "off" and priority in ((pfc.tx or frozenset()) | (pfc.rx or frozenset()))


def _queue(qos: PortQos, tc: int, log: Log) -> int:
    planned = qos.tc_to_queue[tc] if qos.tc_to_queue is not None else None
    queue = tc if planned is None else planned
    if queue > max(PRIORITIES):
        log("refused", "tc_to_queue", f"traffic class {tc} in queue {queue}", "none", "a port has queues 0 to 7")
        return 0
    return queue


def _rest(qos: PortQos, numbers: dict[int, int], default: int, log: Log) -> int:
    """Return the 802.1p priority of codes nobody planned: the default class, or a lossy one where that is lossless."""
    if not _stopped(qos, default):
        return default
    served = {
        number: qos.queue(number if qos.tc_to_queue is None else qos.tc_to_queue[tc] or 0)
        for tc, number in numbers.items()
    }
    lossy = [number for number, queue in sorted(served.items()) if not _stopped(qos, number) and not _is_strict(queue)]
    lossy += [number for number in PRIORITIES if number not in served and not _stopped(qos, number)]
    if not lossy:
        because = "every 802.1p priority is lossless or served first: codes nobody planned would join it"
        log("refused", "default_tc", default, default, because)
        return default
    return lossy[0]


def _is_strict(queue: Queue | None) -> bool:
    return queue is not None and queue.scheduler == "strict"


def _queues(kinds: list[tuple[PortQos, list[Port]]], planned: dict[int, int]) -> tuple[int, ...]:
    """Return the queue of each 802.1p priority: unplanned ones keep their number, but never a lossless queue."""
    lossless = {
        planned[priority]
        for qos, _ in kinds
        for priority in PRIORITIES
        if _stopped(qos, priority) and priority in planned
    }
    spare = next((queue for queue in planned.values() if queue not in lossless), 0)
    return tuple(planned.get(number, spare if number in lossless else number) for number in PRIORITIES)


def _mapped(
    qos: PortQos,
    members: list[Port],
    numbers: dict[int, int],
    default: int,
    maps: tuple[tuple[int, ...], tuple[int, ...]],
    log: Log,
) -> PortQos:
    log.ports = ", ".join(port.name for port in members)
    table, queue_of = maps
    trust = _trust(qos)
    _check_shared(qos, numbers, queue_of, log)
    if trust == "dscp" and qos.pcp_to_tc is not None:
        log("dropped", "pcp_to_tc", "a map", "none", "qos trust dscp reads the DSCP, as the planned trust says")
    if trust == "pcp" and qos.dscp_to_tc is not None:
        log("dropped", "dscp_to_tc", "a map", "none", "qos trust dot1p reads the tag, as the planned trust says")
    if trust in ("pcp", "both"):
        _check_pcp(qos.pcp_to_tc, numbers, log)
    _dropped(qos, log)
    groups: dict[int, frozenset[int]] = {number: frozenset({queue}) for number, queue in enumerate(queue_of)}
    _check_priorities(qos, groups, log)
    dscp = CodeMap(table) if trust in ("dscp", "both") else CodeMap((default,) * 64) if trust == "none" else None
    pcp = (
        CodeMap(tuple(PRIORITIES)) if trust in ("pcp", "both") else CodeMap((default,) * 8) if trust == "none" else None
    )
    by_number = {numbers.get(tc, tc): group for tc, group in _groups_by_tc(qos)}
    return replace(
        qos,
        trust=trust,
        dscp_to_tc=dscp,
        pcp_to_tc=pcp,
        default_tc=default,
        tc_to_queue=(*queue_of, *([None] * 8)),
        tc_to_pg=_INFORCE.IDENTITY,
        priority_to_queue=tuple(groups[number] for number in PRIORITIES),
        priority_to_pg=tuple(frozenset({number}) for number in PRIORITIES),
        priority_groups=tuple(by_number.get(number) for number in PRIORITIES),
        dscp_to_colour=None,
        app_to_tc=None,
        rewrite=(),
    )


def _groups_by_tc(qos: PortQos) -> Iterator[tuple[int, PriorityGroup]]:
    """Yield (traffic class, its planned priority group); a group without a class keeps its own number."""
    seen = set()
    for tc, group in enumerate(qos.tc_to_pg or ()):
        if group is not None and qos.priority_group(group) is not None and group not in seen:
            found = qos.priority_group(group)
            if found is not None and found.lossless and _class_is_lossless(qos, tc):
                seen.add(group)
                yield tc, found
    for number in PRIORITIES:
        found = qos.priority_group(number)
        if found is not None and number not in seen:
            yield number, found


def _class_is_lossless(qos: PortQos, tc: int) -> bool:
    group = qos.tc_to_pg[tc] if qos.tc_to_pg is not None else None
    return any(
        group in (groups or frozenset()) and _stopped(qos, priority)
        for priority, groups in enumerate(qos.priority_to_pg or ())
    )


def _check_shared(qos: PortQos, numbers: dict[int, int], queue_of: tuple[int, ...], log: Log) -> None:
    """Refuse a queue that a lossless and a lossy class would share."""
    lossless = {queue_of[number] for number in numbers.values() if _stopped(qos, number)}
    for tc, number in numbers.items():
        if not _stopped(qos, number) and queue_of[number] in lossless:
            because = "a lossless queue cannot hold lossy traffic: PFC would pause it with the rest"
            log(
                "refused", "tc_to_queue", f"traffic class {tc} in queue {queue_of[number]}", "a lossless queue", because
            )


def _check_pcp(planned: CodeMap | None, numbers: dict[int, int], log: Log) -> None:
    """Refuse tags that the plan puts elsewhere: a trusted tag is the 802.1p priority."""
    for code, tc in enumerate(planned.to if planned is not None else ()):
        if tc is not None and numbers[tc] != code:
            because = "a trusted tag is the 802.1p priority itself: no map changes it"
            log("refused", "pcp_to_tc", f"PCP {code} to class {tc}", f"802.1p priority {code}", because)


def _check_priorities(qos: PortQos, groups: dict[int, frozenset[int]], log: Log) -> None:
    for priority, queues in enumerate(qos.priority_to_queue or ()):
        if queues and _stopped(qos, priority) and queues != groups[priority]:
            got = ", ".join(map(str, sorted(groups[priority])))
            wanted = f"priority {priority} in queue {', '.join(map(str, sorted(queues)))}"
            log(
                "refused", "priority_to_queue", wanted, f"queue {got}", "a pause stops the queue of its 802.1p priority"
            )


def _dropped(qos: PortQos, log: Log) -> None:
    if qos.rewrite:
        because = "marks are changed by policies or the map dscp-dscp: no published RoCE configuration does"
        log("dropped", "rewrite", f"{len(qos.rewrite)} marks", "none", because)
    if qos.dscp_to_colour is not None:
        log("dropped", "dscp_to_colour", "colours", "none", "every DSCP has drop precedence 0 (green) by default")
    if qos.app_to_tc:
        log("dropped", "app_to_tc", f"{len(qos.app_to_tc)} entries", "none", "a switch port has no application map")
