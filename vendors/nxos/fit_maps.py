"""Fits the classification: NX-OS knows one number for traffic class, queue and priority group."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import CodeMap, PortQos

if TYPE_CHECKING:
    from rocecfg.state.model import Trust
    from rocecfg.vendor.changes import Log
    from vendors.nxos.fit import System

_EFFECTIVE = load_module(Path(__file__).with_name("effective.py"))


def fit_maps(qos: PortQos, system: System, log: Log) -> PortQos:
    """Return the maps and the trust that a `type qos` input policy carries."""
    groups = _groups(qos, log)
    default = groups.get(qos.default_tc or 0, 0)
    lossless = frozenset(system.group_of.values())
    rest = default
    if rest in lossless:
        lossy = [group for group in sorted(set(groups.values()) | {0}) if group not in lossless]
        rest = lossy[0] if lossy else default
        if not lossy:
            because = "every planned class is lossless: codes nobody planned would be paused with them"
            log("refused", "default_tc", default, default, because)
    trust: Trust = qos.trust or ("dscp" if qos.dscp_to_tc else "pcp" if qos.pcp_to_tc else "none")
    dscp = _filled(qos.dscp_to_tc, 64, groups, rest) if trust in ("dscp", "both") else None
    pcp = _filled(qos.pcp_to_tc, 8, groups, rest) if trust in ("pcp", "both") else None
    if trust == "dscp" and qos.pcp_to_tc is not None:
        log("dropped", "pcp_to_tc", "a map", "none", "the input policy matches DSCP only, as the planned trust says")
    if trust == "pcp" and qos.dscp_to_tc is not None:
        log("dropped", "dscp_to_tc", "a map", "none", "the input policy matches CoS only, as the planned trust says")
    trust, dscp, pcp, default = _said(trust, dscp, pcp, default, log)
    _dropped(qos, log)
    return replace(
        qos,
        trust=trust,
        dscp_to_tc=dscp,
        pcp_to_tc=pcp,
        default_tc=default,
        tc_to_queue=_EFFECTIVE.IDENTITY,
        tc_to_pg=_EFFECTIVE.IDENTITY,
        dscp_to_colour=None,
        app_to_tc=None,
        rewrite=(),
    )


def _groups(qos: PortQos, log: Log) -> dict[int, int]:
    """Return the qos-group of each planned traffic class: the number of its queue."""
    queue_of = qos.tc_to_queue or ()
    group_of = qos.tc_to_pg or ()
    used = {tc for table in (qos.dscp_to_tc, qos.pcp_to_tc) if table for tc in table.to if tc is not None}
    used |= {tc for tc, queue in enumerate(queue_of) if queue is not None} | {qos.default_tc or 0}
    owners: dict[int, int] = {}
    groups: dict[int, int] = {}
    for tc in sorted(used):
        planned = queue_of[tc] if tc < len(queue_of) else None
        queue = tc if planned is None else planned
        if queue > 7:
            log("refused", "tc_to_queue", f"traffic class {tc} in queue {queue}", "none", "NX-OS has queues 0 to 7")
            queue = 0
        groups[tc] = queue
        if queue != tc:
            because = "the digit of the system class name is qos-group, queue and priority group at once"
            log("equalised", "tc_to_queue", f"traffic class {tc} in queue {queue}", f"qos-group {queue}", because)
        pg = group_of[tc] if tc < len(group_of) else None
        if pg not in (None, queue):
            because = "ingress buffers are numbered by the qos-group"
            log(
                "equalised",
                "tc_to_pg",
                f"traffic class {tc} in priority group {pg}",
                f"priority group {queue}",
                because,
            )
        _shared(qos, tc, owners.setdefault(queue, tc), queue, log)
    return groups


def _shared(qos: PortQos, tc: int, other: int, queue: int, log: Log) -> None:
    """Refuse a queue that a lossless and a lossy class would share."""
    if tc != other and _lossless(qos, tc) != _lossless(qos, other):
        because = "a no-drop qos-group cannot hold lossy traffic: PFC would pause it and the watchdog drop it"
        log(
            "refused",
            "tc_to_queue",
            f"traffic classes {other} and {tc} in queue {queue}",
            f"qos-group {queue}",
            because,
        )


def _lossless(qos: PortQos, tc: int) -> bool:
    pg = qos.tc_to_pg[tc] if qos.tc_to_pg is not None else None
    group = qos.priority_group(tc if pg is None else pg)
    return bool(group and group.lossless)


def _filled(planned: CodeMap | None, size: int, groups: dict[int, int], rest: int) -> CodeMap:
    """Return a full map: planned codes to their groups, free codes to best effort."""
    to = planned.to if planned is not None else (None,) * size
    stated = sum(1 << code for code, tc in enumerate(to) if tc is not None)
    return CodeMap(tuple(rest if tc is None else groups[tc] for tc in to), stated)


def _said(
    trust: Trust, dscp: CodeMap | None, pcp: CodeMap | None, default: int, log: Log
) -> tuple[Trust, CodeMap | None, CodeMap | None, int]:
    """Return trust and maps as an input policy can say them: a map that says nothing needs no policy."""
    moved = [any(to != default for to in table.to) for table in (dscp, pcp) if table is not None]
    if trust == "none" or not any(moved):
        if trust != "none" and (dscp or pcp):
            because = "no code leaves the default class: an input policy would match nothing"
            log("equalised", "trust", trust, "none", because)
        zero = (
            _EFFECTIVE.defaults_of_no_policy() if default == 0 else (CodeMap((default,) * 64), CodeMap((default,) * 8))
        )
        return "none", *zero, default
    if trust == "both" and not all(moved):
        trust = "dscp" if moved[0] else "pcp"
        log("equalised", "trust", "both", trust, "the other map leaves every code in the default class")
        dscp, pcp = (dscp, None) if moved[0] else (None, pcp)
    return trust, dscp, pcp, default


def _dropped(qos: PortQos, log: Log) -> None:
    if qos.rewrite:
        because = "set dscp is known from the data model only, in no published configuration"
        log("dropped", "rewrite", f"{len(qos.rewrite)} marks", "none", because)
    if qos.dscp_to_colour is not None:
        log("dropped", "dscp_to_colour", "colours", "none", "classification by DSCP has no colour here")
    if qos.app_to_tc:
        log("dropped", "app_to_tc", f"{len(qos.app_to_tc)} entries", "none", "a switch port has no application map")
