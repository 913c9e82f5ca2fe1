"""Fits classification: one DSCP map, one CoS map and one queue profile for the whole switch."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import CodeMap, PortQos

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rocecfg.state.model import Device, Trust
    from rocecfg.vendor.changes import Log

_EFFECTIVE = load_module(Path(__file__).with_name("effective.py"))

CONTROL = 7
"""The local priority of the switch's own control traffic (QoS guide): it always keeps a queue that is served."""


@dataclass(frozen=True, slots=True)
class Layout:
    """What all ports share: local priority to queue, the two code maps, and the queue each planned one became."""

    queue_of: tuple[int, ...]
    """Local priority -> queue, contiguous from 0."""
    planned: tuple[tuple[int, ...], ...]
    """Queue -> the planned queues that are in it; empty = none was planned."""
    strict: int | None
    """The one strict queue: the highest."""
    dscp: tuple[int, ...]
    cos: tuple[int, ...]


def layout(device: Device, log: Log) -> Layout:
    """Return the shared maps of a planned device."""
    ports = [port.qos for port in device.ports.values()]
    queue_of_tc = _queue_of_tc(ports, log)
    lossless = _lossless(ports, log)
    strict = {
        number
        for qos in ports
        for number, queue in enumerate(qos.queues or ())
        if queue is not None and queue.scheduler == "strict"
    }
    rest_tc = next((qos.default_tc for qos in ports if qos.default_tc is not None), 0)
    groups: dict[int, set[int]] = {}
    for tc, queue in queue_of_tc.items():
        groups.setdefault(queue, set()).add(tc)
    for queue in sorted(strict):
        if groups.get(queue, set()) & lossless:
            because = "only the highest queue can be strict and control traffic is in it: give the class a bandwidth"
            log("refused", f"queues.{queue}.scheduler", "strict", "weighted", because)
            strict.discard(queue)
    # What nobody planned never joins the strict queue: it gets one of its own where the default class is strict.
    rest_queue = -1 if queue_of_tc.get(rest_tc, -1) in strict else queue_of_tc.get(rest_tc, -1)
    rest = groups.setdefault(rest_queue, set())
    top: set[int] = set().union(*(groups.pop(queue, set()) for queue in strict))
    top_planned = tuple(sorted(strict))
    if len(top_planned) > 1:
        because = "only the highest queue can be strict: the strict classes share it"
        log("equalised", "queues.rank", f"{len(top_planned)} strict queues", "one", because)
    known = {*top, *(tc for group in groups.values() for tc in group)}
    if CONTROL not in known:
        if not strict:
            because = "local priority 7 carries the switch's own control traffic: the highest queue, strict, is its own"
            log("chosen", "tc_to_queue", "no class planned in 7", "the strict queue", because)
        top.add(CONTROL)
    rest |= set(range(8)) - known - top
    return _numbered(groups, rest, top, top_planned, ports, lossless, log)


def _queue_of_tc(ports: Iterable[PortQos], log: Log) -> dict[int, int]:
    found: dict[int, int] = {}
    for qos in ports:
        for tc, queue in enumerate(qos.tc_to_queue or ()):
            if queue is None:
                continue
            if tc > 7:
                log("refused", "tc_to_queue", f"class {tc}", "none", "AOS-CX has local priorities 0 to 7")
            elif found.setdefault(tc, queue) != queue:
                because = "the queue profile is one for all ports"
                log("refused", "tc_to_queue", f"class {tc} in queue {queue}", f"in queue {found[tc]}", because)
    return found


def paused(qos: PortQos) -> frozenset[int]:
    """Return the priorities that a planned port pauses for or obeys."""
    pfc = qos.pfc
    return frozenset() if pfc is None or pfc.admin == "off" else (pfc.tx or frozenset()) | (pfc.rx or frozenset())


def _lossless(ports: Iterable[PortQos], log: Log) -> set[int]:
    """Return the priorities that pause; a priority and the class it protects are one number."""
    found: set[int] = set()
    for qos in ports:
        for priority in sorted(paused(qos)):
            groups = qos.priority_to_pg[priority] if qos.priority_to_pg is not None else None
            classes = {tc for tc, group in enumerate(qos.tc_to_pg or ()) if groups is not None and group in groups}
            if classes and classes != {priority}:
                because = "PFC priority, local priority and CoS are one number on AOS-CX"
                log("refused", "priority_to_pg", f"priority {priority} for {sorted(classes)}", priority, because)
            found.add(priority)
    return found


def _numbered(
    groups: dict[int, set[int]],
    rest: set[int],
    top: set[int],
    top_planned: tuple[int, ...],
    ports: list[PortQos],
    lossless: set[int],
    log: Log,
) -> Layout:
    queue_of = [0] * 8
    planned: list[tuple[int, ...]] = []
    for queue in sorted(groups):
        if groups[queue]:
            for tc in groups[queue]:
                queue_of[tc] = len(planned)
            planned.append((queue,) if queue >= 0 else ())
    strict = len(planned) if top else None
    for tc in top:
        queue_of[tc] = len(planned)
    if top:
        planned.append(top_planned)
    moved = [f"{old[0]} to {new}" for new, old in enumerate(planned) if len(old) == 1 and old[0] != new]
    if moved:
        because = "queues are numbered without a gap from 0, the strict one last (9300 demands it)"
        log("equalised", "tc_to_queue", "the planned queue numbers", f"queue {', '.join(moved)}", because)
    spare = 1 if 1 in rest else min(rest, default=0)
    own = set(range(8)) - rest - ({CONTROL} if CONTROL not in _planned_classes(ports) else set())
    dscp = _table(
        [qos.dscp_to_tc for qos in ports if qos.trust != "none"], _EFFECTIVE.DSCP_MAP, own, spare, log, "dscp_to_tc"
    )
    cos_base = tuple(range(8)) if lossless & {0, 1} else _EFFECTIVE.COS_MAP
    trusted = [qos.pcp_to_tc for qos in ports if qos.trust == "pcp"]
    cos = _table(trusted, cos_base, own - lossless, spare, log, "pcp_to_tc") if trusted else cos_base
    return Layout(tuple(queue_of), tuple(planned), strict, dscp, cos)


def _planned_classes(ports: Iterable[PortQos]) -> set[int]:
    return {tc for qos in ports for tc, queue in enumerate(qos.tc_to_queue or ()) if queue is not None}


def _table(
    tables: Iterable[CodeMap | None], base: Sequence[int], own: set[int], spare: int, log: Log, leaf: str
) -> tuple[int, ...]:
    """Return a whole map: planned codes, and the others as the system has them, but never in a planned class."""
    found: dict[int, int] = {}
    for table in tables:
        for code, to in enumerate(table.to if table is not None else ()):
            if to is not None and found.setdefault(code, to) != to:
                because = "the map is one for the whole switch"
                log("refused", leaf, f"code {code} to {to}", f"to {found[code]}", because)
    return tuple(found.get(code, spare if to in own else to) for code, to in enumerate(base))


def classified(qos: PortQos, shared: Layout, log: Log) -> PortQos:
    """Return a port with trust, maps and the queue of each class as the switch has them."""
    trust: Trust = qos.trust or "none"
    if trust == "both":
        because = "a port trusts CoS or DSCP: DSCP is what crosses a routed hop"
        log("equalised", "trust", "both", "dscp", because)
        trust = "dscp"
    if qos.rewrite:
        log("dropped", "rewrite", f"{len(qos.rewrite)} rewrites", "none", "egress rewrite is not rendered")
    if qos.app_to_tc:
        log("dropped", "app_to_tc", f"{len(qos.app_to_tc)} entries", "none", "classification is by code point")
    if qos.dscp_to_colour is not None and any(qos.dscp_to_colour):
        log("dropped", "dscp_to_colour", "colours", "green", "colours of the DSCP map are not rendered")
    rest = shared.cos[0]
    return replace(
        qos,
        trust=trust,
        dscp_to_tc=CodeMap(shared.dscp if trust == "dscp" else (rest,) * 64) if trust != "pcp" else None,
        pcp_to_tc=CodeMap(shared.cos if trust == "pcp" else (rest,) * 8) if trust != "dscp" else None,
        default_tc=rest if trust == "none" else None,
        rewrite=None,
        app_to_tc=None,
        dscp_to_colour=None,
        tc_to_queue=(*shared.queue_of, *([None] * 8)),
        tc_to_pg=None,
    )
