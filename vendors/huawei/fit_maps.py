"""Fits the classification: on a CloudEngine one number is PHB, queue, priority group and PFC priority."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import CodeMap, PortQos

if TYPE_CHECKING:
    from rocecfg.state.model import Trust
    from rocecfg.vendor.changes import Log

_EFFECTIVE = load_module(Path(__file__).with_name("effective.py"))


def fit_maps(qos: PortQos, log: Log) -> PortQos:
    """Return trust and maps as a DiffServ domain carries them, every code with a place."""
    queues = _queues(qos, log)
    default = queues.get(qos.default_tc or 0, 0)
    rest = _rest(qos, queues, default, log)
    trust = _trust(qos, log)
    dscp = _filled(qos.dscp_to_tc, 64, queues, rest) if trust == "dscp" else None
    pcp = _filled(qos.pcp_to_tc, 8, queues, rest) if trust == "pcp" else None
    if trust == "none":
        dscp, pcp = CodeMap((default,) * 64), CodeMap((default,) * 8)
    if trust == "dscp" and qos.pcp_to_tc is not None:
        log("dropped", "pcp_to_tc", "a map", "none", "the port trusts DSCP, as the planned trust says")
    if trust == "pcp" and qos.dscp_to_tc is not None:
        log("dropped", "dscp_to_tc", "a map", "none", "the port trusts the outer tag, as the planned trust says")
    if qos.rewrite:
        because = "marking rewrites every packet by its PHB (qos phb marking dscp), not single codes: it stays off"
        log("dropped", "rewrite", f"{len(qos.rewrite)} marks", "none", because)
    if qos.app_to_tc:
        log("dropped", "app_to_tc", f"{len(qos.app_to_tc)} entries", "none", "a switch port has no application map")
    if qos.dscp_to_colour is not None and qos.dscp_to_colour != _GREEN:
        log("equalised", "dscp_to_colour", "several colours", "green", "one ECN ramp serves all colours")
    return replace(
        qos,
        trust=trust,
        dscp_to_tc=dscp,
        pcp_to_tc=pcp,
        default_tc=default,
        tc_to_queue=_EFFECTIVE.IDENTITY,
        tc_to_pg=_EFFECTIVE.IDENTITY,
        dscp_to_colour=_GREEN if trust == "dscp" else None,
        app_to_tc=None,
        rewrite=(),
    )


_GREEN: tuple[str, ...] = ("green",) * 64


def _trust(qos: PortQos, log: Log) -> Trust:
    trust: Trust = qos.trust or ("dscp" if qos.dscp_to_tc else "pcp" if qos.pcp_to_tc else "none")
    if trust == "both":
        log("equalised", "trust", "both", "dscp", "a port trusts DSCP or the outer tag; of IP packets DSCP decides")
        return "dscp"
    return trust


def _queues(qos: PortQos, log: Log) -> dict[int, int]:
    """Return the PHB of each planned traffic class: the number of its queue."""
    queue_of, group_of = qos.tc_to_queue or (), qos.tc_to_pg or ()
    used = {tc for table in (qos.dscp_to_tc, qos.pcp_to_tc) if table for tc in table.to if tc is not None}
    used |= {tc for tc, queue in enumerate(queue_of) if queue is not None} | {qos.default_tc or 0}
    owners: dict[int, int] = {}
    found: dict[int, int] = {}
    for tc in sorted(used):
        planned = queue_of[tc] if tc < len(queue_of) else None
        queue = tc if planned is None else planned
        if queue > 7:
            log("refused", "tc_to_queue", f"traffic class {tc} in queue {queue}", "none", "VRP has queues 0 to 7")
            queue = 0
        found[tc] = queue
        if queue != tc:
            because = "a PHB is bound to its queue: BE 0, AF1 1 to AF4 4, EF 5, CS6 6, CS7 7"
            log("equalised", "tc_to_queue", f"traffic class {tc} in queue {queue}", f"class {queue}", because)
        group = group_of[tc] if tc < len(group_of) else None
        if group not in (None, queue):
            wanted, got = f"traffic class {tc} in priority group {group}", f"priority group {queue}"
            log("equalised", "tc_to_pg", wanted, got, "ingress buffers are numbered by the PHB")
        other = owners.setdefault(queue, tc)
        if tc != other and _lossless(qos, tc) != _lossless(qos, other):
            because = "a lossless queue cannot hold lossy traffic: PFC would pause it"
            log(
                "refused",
                "tc_to_queue",
                f"traffic classes {other} and {tc} in queue {queue}",
                f"queue {queue}",
                because,
            )
    _check_priorities(qos, log)
    return found


def _check_priorities(qos: PortQos, log: Log) -> None:
    """Refuse a PFC priority that is planned to stop a queue of another number."""
    for priority, queues in enumerate(qos.priority_to_queue or ()):
        lossless = qos.pfc is not None and priority in ((qos.pfc.tx or frozenset()) | (qos.pfc.rx or frozenset()))
        if queues and lossless and queues != {priority}:
            wanted = f"priority {priority} stops queue {', '.join(map(str, sorted(queues)))}"
            log(
                "refused",
                "priority_to_queue",
                wanted,
                f"queue {priority}",
                "a PFC priority stops the queue of its number",
            )


def _rest(qos: PortQos, queues: dict[int, int], default: int, log: Log) -> int:
    """Return the queue of codes nobody planned: the default class, never a lossless one."""
    pfc = qos.pfc
    lossless = (
        ((pfc.tx or frozenset()) | (pfc.rx or frozenset())) if pfc is not None and pfc.admin != "off" else frozenset()
    )
    if default not in lossless:
        return default
    lossy = [queue for queue in sorted(set(queues.values()) | {0}) if queue not in lossless]
    if not lossy:
        because = "every planned class is lossless: codes nobody planned would be paused with them"
        log("refused", "default_tc", default, default, because)
    return lossy[0] if lossy else default


def _lossless(qos: PortQos, tc: int) -> bool:
    group = qos.priority_group(qos.tc_to_pg[tc] or tc) if qos.tc_to_pg is not None and tc < len(qos.tc_to_pg) else None
    return bool(group and group.lossless)


def _filled(planned: CodeMap | None, size: int, queues: dict[int, int], rest: int) -> CodeMap:
    """Return a full map: planned codes to their queues, free codes to the rest."""
    to = planned.to if planned is not None else (None,) * size
    stated = sum(1 << code for code, tc in enumerate(to) if tc is not None)
    return CodeMap(tuple(rest if tc is None else queues[tc] for tc in to), stated)
