"""What one port can carry of a plan: maps, PFC, groups, queues."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

from rocecfg.packs import load_module
from rocecfg.state.model import (
    Amount,
    CodeMap,
    Dynamic,
    Headroom,
    LinkPause,
    Pfc,
    PortQos,
    PriorityGroup,
    Static,
    eight,
)

fit_queues = load_module(Path(__file__).with_name("fit_queues.py"))


_WRITTEN_ALONG = (15_000, 10_000, 2_000)
"""Headroom, trigger and distance that beside a cable length mean "sized by the switch": what it writes by itself."""


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
        queues=fit_queues.queues(qos, release, note),
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
            note(
                "priority_to_pg",
                f"classes {sorted(classes)} paused by priority {priority}",
                f"class {priority}",
                "refused",
                "PFC's priority is the switch priority: class and priority have one number",
            )


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
    """Return the groups by priority: bytes where buffer and trigger are both stated, else sized by the cable."""
    planned: dict[int, PriorityGroup] = {}
    for priority in sorted(lossless):
        numbers = qos.priority_to_pg[priority] if qos.priority_to_pg is not None else None
        number = min(numbers) if numbers else priority
        planned[priority] = qos.priority_group(number) or PriorityGroup()
    if not planned:
        return None
    stated = [_bytes_of(group) for group in planned.values()]
    _dropped(planned, note)
    if all(stated) and not (qos.cable is not None and stated[0] == _WRITTEN_ALONG):
        headroom, xoff, below = (
            max(each[0] for each in stated if each),
            min(each[1] for each in stated if each),
            max((each[2] for each in stated if each and each[2]), default=None),
        )
        made = PriorityGroup(
            True,
            Headroom(Amount.of_bytes(headroom)),
            Static(Amount.of_bytes(xoff)),
            None,
            Amount.of_bytes(min(below, xoff)) if below else None,
        )
        if len(set(stated)) > 1:
            note(
                "priority_groups",
                "a size each",
                f"{headroom} bytes headroom",
                "equalised",
                "a PFC profile has one buffer for its priorities",
            )
        for priority, group in planned.items():
            if group.xon_at is not None:
                resume = (
                    f"{made.xon_below.value} bytes below the trigger" if made.xon_below is not None else "the default"
                )
                because = "xon-threshold is the distance under xoff-threshold"
                note(f"priority_groups.{priority}.xon_at", fit_queues.shown(group.xon_at), resume, "quantised", because)
        return eight(dict.fromkeys(planned, made))
    for priority, group in planned.items():
        amount = group.headroom.amount if group.headroom is not None else None
        field, length = (
            f"priority_groups.{priority}",
            f"worked out from cable-length {qos.cable if qos.cable is not None else 10} m",
        )
        if amount is not None:
            note(
                f"{field}.headroom",
                fit_queues.shown(amount),
                length,
                "box-made",
                "the switch sizes headroom by cable length; stated bytes need a static trigger beside them",
            )
        for name in ("xon_at", "xon_below"):
            if getattr(group, name) is not None:
                note(
                    f"{field}.{name}",
                    fit_queues.shown(getattr(group, name)),
                    length,
                    "box-made",
                    "it comes with the headroom",
                )
        if isinstance(group.xoff_at, Static):
            note(
                f"{field}.xoff_at",
                fit_queues.shown(group.xoff_at.amount),
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
                    fit_queues.shown(value) if isinstance(value, Amount) else value,
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
