"""Fits the classification: trust maps give qos-groups, a qos-map gives their queues."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import CodeMap, PortQos

if TYPE_CHECKING:
    from rocecfg.state.model import Trust
    from rocecfg.vendor.changes import Log
    from vendors.dell_os10.fit import System

_EFFECTIVE = load_module(Path(__file__).with_name("effective.py"))


def fit_maps(qos: PortQos, system: System, log: Log) -> PortQos:
    """Return the maps and the trust that trust maps and a qos-map carry."""
    rest = _rest(qos, system, log)
    trust: Trust = qos.trust or ("dscp" if qos.dscp_to_tc else "pcp" if qos.pcp_to_tc else "none")
    dscp = _filled(qos.dscp_to_tc, 64, rest, log) if trust in ("dscp", "both") else None
    pcp = _filled(qos.pcp_to_tc, 8, rest, log) if trust in ("pcp", "both") else None
    if trust == "dscp" and qos.pcp_to_tc is not None:
        log("dropped", "pcp_to_tc", "a map", "none", "the planned trust is DSCP: no dot1p trust map is bound")
    if trust == "pcp" and qos.dscp_to_tc is not None:
        log("dropped", "dscp_to_tc", "a map", "none", "the planned trust is the priority: no DSCP trust map is bound")
    default: int | None = 0 if trust == "dscp" else None
    if trust == "none":
        dscp, pcp = _EFFECTIVE.ALL_IN_ZERO
        default = 0
    if qos.default_tc not in (None, default):
        because = "what no trust map classifies is in class 0; for untagged packets behind a dot1p map no guide says it"
        log("dropped", "default_tc", qos.default_tc, "class 0" if default == 0 else "not said", because)
    _dropped(qos, log)
    return replace(
        qos,
        trust=trust,
        dscp_to_tc=dscp,
        pcp_to_tc=pcp,
        default_tc=default,
        tc_to_queue=_queues(qos, rest, log),
        dscp_to_colour=None,
        app_to_tc=None,
        rewrite=() if trust != "none" else None,
    )


def _rest(qos: PortQos, system: System, log: Log) -> int:
    """Return the class of codes nobody planned: the default class, never a lossless one."""
    lossless = frozenset(system.group_of.values())
    default = qos.default_tc or 0
    if default not in lossless and default <= 7:
        return default
    used = {tc for table in (qos.dscp_to_tc, qos.pcp_to_tc) if table for tc in table.to if tc is not None}
    lossy = sorted(tc for tc in used | {0} if tc not in lossless and tc <= 7)
    if not lossy:
        because = "every planned class is lossless: codes nobody planned would be paused with them"
        log("refused", "default_tc", default, default, because)
    return lossy[0] if lossy else 0


def _filled(planned: CodeMap | None, size: int, rest: int, log: Log) -> CodeMap:
    """Return a full map: planned codes to their groups, free codes to best effort."""
    to = planned.to if planned is not None else (None,) * size
    if any(tc is not None and tc > 7 for tc in to):
        log("refused", "dscp_to_tc" if size == 64 else "pcp_to_tc", "a class above 7", rest, "qos-groups are 0 to 7")
    stated = sum(1 << code for code, tc in enumerate(to) if tc is not None)
    return CodeMap(tuple(rest if tc is None or tc > 7 else tc for tc in to), stated)


def _queues(qos: PortQos, rest: int, log: Log) -> tuple[int | None, ...]:
    """Return the queue of each qos-group: groups nobody planned leave by that of the default class."""
    planned = qos.tc_to_queue or ()
    if any(queue is not None and (tc > 7 or queue > 7) for tc, queue in enumerate(planned)):
        log("refused", "tc_to_queue", "a class or queue above 7", "none", "OS10 has qos-groups and queues 0 to 7")
    known = {tc: queue for tc, queue in enumerate(planned) if queue is not None and tc <= 7 and queue <= 7}
    common = known.get(rest, 0)
    used = {tc for table in (qos.dscp_to_tc, qos.pcp_to_tc) if table for tc in table.to if tc is not None}
    return (*(known.get(tc, tc if tc in used else common) for tc in range(8)), *([None] * 8))


def _dropped(qos: PortQos, log: Log) -> None:
    if qos.rewrite:
        log("dropped", "rewrite", f"{len(qos.rewrite)} marks", "none", "no published configuration rewrites a mark")
    if qos.dscp_to_colour is not None:
        log("dropped", "dscp_to_colour", "colours", "none", "a trust map of ours gives every packet the colour green")
    if qos.app_to_tc:
        log("dropped", "app_to_tc", f"{len(qos.app_to_tc)} entries", "none", "a switch port has no application map")
