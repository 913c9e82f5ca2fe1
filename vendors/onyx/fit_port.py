"""What one port of Onyx can carry of a plan: maps, PFC, groups, watchdog."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import (
    CodeMap,
    Dcbx,
    LinkPause,
    Pfc,
    PortQos,
    PortWatchdog,
)

if TYPE_CHECKING:
    from vendors.onyx.fit_buffers import System

_EFFECTIVE = load_module(Path(__file__).with_name("effective.py"))
_FIT_BUFFERS = load_module(Path(__file__).with_name("fit_buffers.py"))
_FIT_QUEUES = load_module(Path(__file__).with_name("fit_queues.py"))


def fit_port(qos: PortQos, system: System, log: Any) -> PortQos:
    """Return the QoS that Onyx carries on one kind of port; `log` hears each change."""
    lossless = system.lossless
    _check_groups(qos, lossless, log)
    if qos.dscp_to_colour is not None and any(colour not in {None, "green"} for colour in qos.dscp_to_colour):
        log("dropped", "dscp_to_colour", "stated", "none", "no documented line gives a DSCP a colour")
    if qos.app_to_tc:
        log(
            "dropped",
            "app_to_tc",
            "stated",
            "none",
            "Onyx classifies by DSCP, PCP or port; applications are only announced",
        )
    if qos.cable is not None and lossless:
        because = "the switch has no input for the cable: "
        because += (
            "the headroom is stated in bytes" if system.advanced else "it sizes the headroom of a lossless pool itself"
        )
        log("box-made", "cable", f"{float(qos.cable):g} m", "none", because)
    queue_map = _queue_map(qos, lossless, log)
    return replace(
        qos,
        dscp_to_tc=_dscp(qos, lossless, log),
        pcp_to_tc=_codes(qos.pcp_to_tc, _EFFECTIVE.PCP_DEFAULT, lossless, "pcp_to_tc", log),
        default_tc=_default(qos, log),
        dscp_to_colour=None,
        app_to_tc=None,
        rewrite=_rewrite(qos, log),
        tc_to_queue=queue_map,
        tc_to_pg=_to_group(system),
        priority_to_queue=None,
        priority_to_pg=None,
        pfc=_pfc(qos, lossless, log),
        link_pause=_link_pause(qos, lossless, log),
        dcbx=_dcbx(qos, log),
        cable=None,
        watchdog=_watchdog(qos, lossless, log),
        queues=_FIT_BUFFERS.queues(replace(qos, tc_to_queue=queue_map), _FIT_QUEUES.queues(qos, system, log), system),
        priority_groups=_FIT_BUFFERS.groups(qos, system, log),
        defaulted=frozenset(),
    )


def _to_group(system: System) -> tuple[int | None, ...] | None:
    """Return the group of each switch priority: its own for a lossless one, in the advanced form 0 for the rest."""
    if not system.lossless:
        return None
    rest = min(set(range(8)) - system.lossless, default=None) if system.advanced else None
    return tuple(tc if tc in system.lossless else rest if tc < 8 else None for tc in range(16))


def _check_groups(qos: PortQos, lossless: frozenset[int], log: Any) -> None:
    """PFC's priority is the switch priority: a class that rides another priority cannot be said."""
    if qos.tc_to_pg is None or qos.priority_to_pg is None:
        return
    for priority in sorted(lossless):
        groups = qos.priority_to_pg[priority]
        classes = {tc for tc, group in enumerate(qos.tc_to_pg) if groups and group in groups}
        if groups is not None and classes != {priority}:
            wanted = f"classes {sorted(classes)} paused by priority {priority}"
            because = "the priority of PFC is the switch priority: class and priority have one number"
            log("refused", "priority_to_pg", wanted, f"class {priority}", because)


def _dscp(qos: PortQos, lossless: frozenset[int], log: Any) -> CodeMap | None:
    codes = qos.dscp_to_tc
    if codes is None and qos.trust in {"dscp", "both"} and lossless:
        codes = CodeMap((None,) * 64)
    return _codes(codes, _EFFECTIVE.DSCP_DEFAULT, lossless, "dscp_to_tc", log)


def _codes(
    codes: CodeMap | None, standard: tuple[int, ...], lossless: frozenset[int], leaf: str, log: Any
) -> CodeMap | None:
    """Free codes keep the system's priority, unless a planned class lives there: then best effort."""
    if codes is None:
        return None
    if codes.conflicts:
        log("refused", leaf, "several classes for one code", "one", "a code has one switch priority")
    if beyond := sorted({to for to in codes.to if to is not None and to > 7}):
        log("refused", leaf, f"class {beyond[0]}", "0 to 7", "switch priorities are 0 to 7")
    best = min(set(range(8)) - lossless, default=0)
    planned = ({to for to in codes.to if to is not None} | lossless) - {best}
    full = tuple(
        to if to is not None else best if standard[code] in planned else standard[code]
        for code, to in enumerate(codes.to)
    )
    return CodeMap(full, codes.stated)


def _default(qos: PortQos, log: Any) -> int | None:
    if qos.default_tc not in {None, 0}:
        because = "no document shows the line that sets the priority of packets without a mark"
        log("refused", "default_tc", qos.default_tc, 0, because)
    return None


def _rewrite(qos: PortQos, log: Any) -> tuple[tuple[str, int, int], ...] | None:
    if qos.rewrite:
        because = "`qos rewrite dscp` marks by a map whose lines are in no document"
        log("dropped", "rewrite", "stated", "none", because)
        return ()
    return qos.rewrite


def _queue_map(qos: PortQos, lossless: frozenset[int], log: Any) -> tuple[int | None, ...] | None:
    """Return the queue of each switch priority; what the plan leaves open rides with best effort."""
    if qos.tc_to_queue is None:
        return None
    merged = {tc: queue for tc, queue in enumerate(qos.tc_to_queue) if queue is not None}
    for tc, queue in merged.items():
        if tc > 7 or queue > 7:
            log("refused", f"tc_to_queue.{tc}", queue, "0 to 7", "eight switch priorities, eight traffic classes")
    best = merged.get(0, 0)
    taken = {merged.get(tc, tc) for tc in lossless}
    opened = [tc for tc in range(8) if tc not in merged]
    for tc in opened:
        merged[tc] = best if tc not in lossless and best not in taken else tc
    if opened:
        got = f"priorities {', '.join(map(str, opened))} in class {best}"
        because = "a class of its own would take a share from the planned ones; the RoCE mode does the same"
        log("chosen", "tc_to_queue", "open", got, because)
    for tc, queue in merged.items():
        if tc not in lossless and queue in taken:
            log("refused", f"tc_to_queue.{tc}", queue, queue, f"class {queue} is lossless, priority {tc} is not")
    for priority, queues in enumerate(qos.priority_to_queue or ()):
        if queues is not None and priority in lossless and queues != frozenset({merged[priority]}):
            because = "a pause stops the traffic class that its switch priority is bound to"
            log("refused", f"priority_to_queue.{priority}", sorted(queues), merged[priority], because)
    return tuple(merged.get(tc) if tc < 8 else None for tc in range(16))


def _pfc(qos: PortQos, lossless: frozenset[int], log: Any) -> Pfc:
    """Return PFC: on, or `auto`, which is what is left where no line turns it on."""
    pfc = qos.pfc or Pfc()
    if pfc.by == "pcp":
        log("refused", "pfc.by", "pcp", "internal", "PFC follows the switch priority that trust gave the packet")
    on = pfc.admin == "on" and bool(lossless)
    if pfc.admin == "off" and lossless:
        because = "no documented line turns PFC off on one port of a switch that has it: it negotiates by DCBX"
        log("dropped", "pfc.admin", "off", "auto", because)
    elif pfc.admin == "off":
        log("equalised", "pfc.admin", "off", "auto", "PFC is off for the whole switch; a port without a line says auto")
    elif pfc.admin == "on" and not on:
        log("dropped", "pfc.admin", "on", "auto", "no priority has PFC")
    return Pfc("on" if on else "auto", lossless, lossless, "internal", gate=bool(lossless))


def _link_pause(qos: PortQos, lossless: frozenset[int], log: Any) -> LinkPause | None:
    pause = qos.link_pause
    if pause is None:
        return None
    if (pause.rx or pause.tx) and lossless and qos.pfc is not None and qos.pfc.admin == "on":
        log("refused", "link_pause", "on", "on", "link pause must be off before PFC is turned on")
    return LinkPause(bool(pause.rx), bool(pause.tx))


def _dcbx(qos: PortQos, log: Any) -> Dcbx | None:
    dcbx = qos.dcbx
    if dcbx is None:
        return None
    state = dcbx.state if dcbx.state in {"ieee", "cee"} else None
    if state is None and dcbx.state is not None:
        log("dropped", "dcbx.state", dcbx.state, "default", "the lines for DCBX name a version, ieee or cee")
    for leaf in ("willing", "advertises", "owners"):
        value = getattr(dcbx, leaf)
        if value is not None:
            shown = ", ".join(sorted(value)) if isinstance(value, frozenset) else value
            log("dropped", f"dcbx.{leaf}", shown or "none", "default", "no documented line says it")
    return Dcbx(state=state) if state is not None else None


def _watchdog(qos: PortQos, lossless: frozenset[int], log: Any) -> PortWatchdog | None:
    dog = qos.watchdog
    if dog is None:
        return None
    if not dog.enabled:
        return PortWatchdog(enabled=False)
    if not lossless:
        log("dropped", "watchdog", "on", "off", "the watchdog needs PFC")
        return PortWatchdog(enabled=False)
    for leaf in ("poll", "detect", "restore"):
        if getattr(dog, leaf) is not None:
            because = "the line pfc-wd takes no time, and none is published"
            log("box-made", f"watchdog.{leaf}", f"{getattr(dog, leaf)} ms", "the switch's own", because)
    if dog.action is not None:
        log("box-made", "watchdog.action", dog.action, "the switch's own", "the line pfc-wd takes no action")
    if dog.priorities not in {None, lossless}:
        shown = ", ".join(map(str, sorted(dog.priorities or ())))
        log("box-made", "watchdog.priorities", shown, "those with PFC", "the line pfc-wd is for the whole port")
    return PortWatchdog(enabled=True, priorities=lossless)
