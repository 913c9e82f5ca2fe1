"""What one port can carry of a plan: maps, PFC, deadlock recovery, its PFC queues and egress queues."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from rocecfg.packs import load_module
from rocecfg.state.model import CodeMap, LinkPause, Pfc, PortQos, PortWatchdog, eight

fit_queues: Any = load_module(Path(__file__).with_name("fit_queues.py"))

_NOTHING = frozenset[int]()


def fit_port(qos: PortQos, note: Any, limits: dict[str, Any]) -> PortQos:
    """Return the QoS a port can have; `note(field, wanted, got, kind, because)` hears each change."""
    _refused(qos, note)
    pfc = _pfc(qos, note)
    maps = _pfc_maps(qos, pfc, note)
    on = pfc is not None and pfc.admin == "on"
    if qos.cable is not None:
        note("cable", f"{float(qos.cable):g} m", "none", "dropped", "headroom is stated in bytes, no cable length is")
    return replace(
        qos,
        trust="dscp" if qos.trust is not None else None,
        dscp_to_tc=_dscp(qos, pfc, note),
        pcp_to_tc=None,
        default_tc=0 if qos.default_tc is not None else None,
        dscp_to_colour=qos.dscp_to_colour if qos.dscp_to_tc is not None else None,
        app_to_tc=None,
        rewrite=_rewrite(qos, note),
        pfc=pfc,
        **maps,
        link_pause=_link_pause(qos, on, note),
        dcbx=None,
        cable=None,
        watchdog=_watchdog(qos.watchdog, pfc, limits["watchdog"], note) if on else None,
        queues=fit_queues.queues(qos, limits, note),
        priority_groups=fit_queues.groups(qos, maps, limits, note) if on else None,
        defaulted=frozenset(),
    )


def _refused(qos: PortQos, note: Any) -> None:
    if qos.trust not in {None, "dscp"}:
        because = "routed ports classify by DSCP; dot1p policies work on bridged subinterfaces only"
        note("trust", qos.trust, "dscp", "refused", because)
    if qos.default_tc:
        note("default_tc", qos.default_tc, 0, "refused", "what no policy lists is in forwarding class 0")
    if qos.pcp_to_tc is not None:
        note("pcp_to_tc", "stated", "none", "dropped", "dot1p policies work on bridged subinterfaces only")
    if qos.app_to_tc:
        note("app_to_tc", "stated", "none", "dropped", "ports classify by DSCP")
    if qos.dcbx is not None and qos.dcbx.state not in {None, "off"}:
        because = "PFC is static: DCBX only tells the peer, from 25.10 on, and is on by itself there"
        note("dcbx", qos.dcbx.state, "none", "dropped", because)


def _pfc(qos: PortQos, note: Any) -> Pfc | None:
    pfc = qos.pfc
    if pfc is None:
        return None
    tx = pfc.tx if pfc.tx is not None else pfc.rx or _NOTHING
    rx = pfc.rx if pfc.rx is not None else tx
    if pfc.by == "pcp":
        note("pfc.by", "pcp", "internal", "refused", "PFC queues of untagged routed ports go by forwarding class")
    if pfc.admin == "auto":
        note("pfc.admin", "auto", "on", "dropped", "PFC is not negotiated, only static")
    if pfc.admin == "off" or not (tx or rx):
        return Pfc("off", _NOTHING, _NOTHING, "internal")
    return Pfc("on", tx, rx, "internal")


def _pfc_maps(qos: PortQos, pfc: Pfc | None, note: Any) -> dict[str, Any]:
    """Return which class is in which PFC queue, and the priorities that a queue sends and obeys."""
    if pfc is None or pfc.admin == "off":
        return {"tc_to_pg": None, "priority_to_pg": None, "priority_to_queue": None}
    groups: dict[int, int] = {}
    for priority in sorted(pfc.tx or ()):
        planned = qos.priority_to_pg[priority] if qos.priority_to_pg is not None else None
        wanted = sorted(planned) if planned else [priority]
        if len(wanted) > 1 or wanted[0] > 7 or wanted[0] in groups.values():
            because = "a PFC queue sends one priority, and a priority stands for one PFC queue"
            note(f"priority_to_pg.{priority}", wanted, "one of its own", "refused", because)
        groups[priority] = wanted[0]
    queues: dict[int, int] = {}
    for priority in sorted(pfc.rx or ()):
        planned = qos.priority_to_queue[priority] if qos.priority_to_queue is not None else None
        wanted = sorted(planned) if planned else [priority]
        if len(wanted) > 1 or wanted[0] > 7 or wanted[0] in queues.values():
            because = "a received priority stops one queue, and a queue obeys one priority"
            note(f"priority_to_queue.{priority}", wanted, "one of its own", "refused", because)
        queues[priority] = wanted[0]
    return {
        "tc_to_pg": _classes(qos, groups, note),
        "priority_to_pg": eight({n: frozenset({groups[n]}) if n in groups else _NOTHING for n in range(8)}),
        "priority_to_queue": eight({n: frozenset({queues[n]}) if n in queues else _NOTHING for n in range(8)}),
    }


def _classes(qos: PortQos, groups: dict[int, int], note: Any) -> tuple[int | None, ...] | None:
    if not groups:
        return None
    planned = qos.tc_to_pg or tuple(tc if tc in groups.values() else None for tc in range(16))
    lossless = set(groups.values())
    for group in sorted(lossless - set(planned)):
        note("tc_to_pg", f"no class in group {group}", "none", "refused", "a PFC queue needs a forwarding class")
    beyond = [tc for tc, group in enumerate(planned) if group in lossless and tc > 7]
    if beyond:
        note("tc_to_pg", f"class {beyond[0]}", "0 to 7", "refused", "forwarding classes are 0 to 7")
    lossy = min(set(range(9)) - lossless)
    return tuple(group if group in lossless else lossy if tc < 8 else None for tc, group in enumerate(planned))


def _dscp(qos: PortQos, pfc: Pfc | None, note: Any) -> CodeMap | None:
    codes = qos.dscp_to_tc
    if codes is None:
        return None
    if codes.conflicts:
        note("dscp_to_tc", "several classes for one DSCP", "one", "refused", "a DSCP has one forwarding class")
    beyond = sorted({to for to in codes.to if to is not None and to > 7})
    if beyond:
        note("dscp_to_tc", f"class {beyond[0]}", "0 to 7", "refused", "forwarding classes are 0 to 7")
    paused = qos.tc_to_pg is not None and qos.priority_to_pg is not None and pfc is not None
    if paused and None in codes.to and pfc is not None and qos.tc_to_pg is not None and qos.priority_to_pg is not None:
        groups = {group for priority in pfc.tx or () for group in qos.priority_to_pg[priority] or ()}
        if qos.tc_to_pg[0] in groups:
            because = "every DSCP that no line lists is in forwarding class 0, which is lossless here"
            note("dscp_to_tc", "other DSCPs out of the lossless class", "in it", "refused", because)
    return CodeMap(tuple(0 if to is None else to for to in codes.to), codes.stated)


def _rewrite(qos: PortQos, note: Any) -> tuple[tuple[str, int, int], ...] | None:
    if not qos.rewrite:
        return qos.rewrite
    kept = {of: (kind, of, to) for kind, of, to in sorted(qos.rewrite) if kind == "tc" and of < 8}
    if len(kept) != len(qos.rewrite):
        note("rewrite", "by DSCP", "by class only", "dropped", "a rewrite policy marks by forwarding class")
    if kept and len(kept) < 8:
        because = "a class that a rewrite policy leaves out is sent with DSCP 0: all eight have to be listed"
        note("rewrite", f"{len(kept)} classes", "all eight", "refused", because)
    return tuple(kept.values())


def _link_pause(qos: PortQos, on: bool, note: Any) -> LinkPause | None:
    pause = qos.link_pause
    if pause is None:
        return None
    if pause.rx and on:
        note("link_pause", "on", "on", "refused", "802.3x pause and PFC exclude each other on a port")
    if pause.tx:
        note("link_pause.tx", "on", "none", "refused", "few platforms can send 802.3x pause, so no line says it")
    return LinkPause(pause.rx if pause.rx is not None else False, None)


def _watchdog(own: PortWatchdog | None, pfc: Pfc | None, bounds: dict[str, Any], note: Any) -> PortWatchdog | None:
    """Deadlock recovery: two timers; it ignores pauses of every obeyed priority."""
    if own is None or not own.enabled or pfc is None:
        return None
    times: dict[str, int] = {}
    for name in ("detect", "restore"):
        wanted, of = getattr(own, name), bounds[name]
        times[name] = min(max(of["default"] if wanted is None else wanted, of["from"]), of["to"])
        if wanted is not None and times[name] != wanted:
            because = f"accepted are {of['from']} to {of['to']} ms"
            note(f"watchdog.{name}", f"{wanted} ms", f"{times[name]} ms", "quantised", because)
    if own.poll is not None:
        note("watchdog.poll", f"{own.poll} ms", "none", "box-made", "deadlock recovery has no polling interval")
    if own.action not in {None, "ignore-pause"}:
        because = "received pauses are ignored for the recovery time; nothing else is offered"
        note("watchdog.action", own.action, "ignore-pause", "box-made", because)
    if own.priorities is not None and own.priorities != pfc.rx:
        shown = [", ".join(map(str, sorted(which or ()))) for which in (own.priorities, pfc.rx)]
        note("watchdog.priorities", shown[0], shown[1], "box-made", "it watches every priority that is obeyed")
    return PortWatchdog(True, pfc.rx, None, times["detect"], times["restore"], "ignore-pause")
