"""What a QFX port carries of its planned settings."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import (
    NEVER,
    Amount,
    Dynamic,
    Headroom,
    LinkPause,
    Pfc,
    PortQos,
    PortWatchdog,
    PriorityGroup,
    eight,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.model import Trust
    from rocecfg.vendor.changes import Log
    from vendors.junos.fit_buffers import Base
    from vendors.junos.fit_classes import Classes

_HERE = Path(__file__).parent
_NO_STATEMENT = "Junos has no statement for it"
_ACTIONS = {"drop", "forward"}


@lru_cache(maxsize=1)
def limits() -> Mapping[str, Any]:
    """Return `limits.yaml`."""
    from rocecfg.vendor.manifest import read_yaml

    return read_yaml(_HERE / "limits.yaml")


def adjust(qos: PortQos, classes: Classes, base: Base, log: Log) -> PortQos:
    """Return settings that the renderer can print whole; each change goes to the log."""
    trust = _trust(qos, log)
    for leaf in ("app_to_tc", "dcbx"):
        if getattr(qos, leaf) is not None:
            log("dropped", leaf, "planned", "not set", "no documented construct is used for it here")
    if qos.default_tc is not None:
        log(
            "box-made",
            "default_tc",
            qos.default_tc,
            "not set",
            "Junos has no default class of a port; each code point is stated",
        )
    qos = replace(
        qos,
        trust=trust,
        dscp_to_tc=_map_of(qos, "dscp", trust, log),
        pcp_to_tc=_map_of(qos, "pcp", trust, log),
        default_tc=None,
        app_to_tc=None,
        dcbx=None,
        rewrite=_rewrite(qos, log),
        link_pause=_link_pause(qos.link_pause, log),
        defaulted=qos.defaulted & {"cable"},
    )
    qos = _pfc(qos, classes, log)
    return replace(
        qos,
        cable=_cable(qos, log),
        watchdog=_watchdog(qos, log),
        queues=load_module(_HERE / "fit_queues.py").queues(qos, base, log),
        priority_groups=_groups(qos, base, log),
    )


def _trust(qos: PortQos, log: Log) -> Trust | None:
    if qos.trust in {"dscp", "pcp"}:
        return qos.trust
    if qos.trust is None:
        return "dscp" if qos.dscp_to_tc is not None else "pcp" if qos.pcp_to_tc is not None else None
    got: Trust | None = "dscp" if qos.dscp_to_tc is not None else None
    log("refused", "trust", qos.trust, got, "a port takes one classifier here: dscp or ieee-802.1")
    return got


def _map_of(qos: PortQos, kind: str, trust: Trust | None, log: Log) -> Any:
    codes = qos.dscp_to_tc if kind == "dscp" else qos.pcp_to_tc
    if trust == kind and codes is None:
        log("refused", "trust", kind, "not set", f"a {kind} classifier needs the map of its code points")
    if trust != kind and codes is not None:
        log("dropped", f"{kind}_to_tc", "planned", "not set", f"the port trusts {trust}: one classifier is bound")
        return None
    return codes


def _rewrite(qos: PortQos, log: Log) -> tuple[tuple[str, int, int], ...] | None:
    if qos.rewrite is None:
        return None
    numbers = {tc for tc, queue in enumerate(qos.tc_to_queue or ()) if queue is not None}
    kept = {}
    for kind, tc, code in qos.rewrite:
        if kind == "tc" and tc in numbers and tc not in kept:
            kept[tc] = code
        else:
            log("dropped", "rewrite", f"{kind} {tc} to DSCP {code}", "not set", "rewrite-rules go by forwarding class")
    return tuple(("tc", tc, code) for tc, code in sorted(kept.items()))


def _link_pause(pause: LinkPause | None, log: Log) -> LinkPause | None:
    if pause is None or (pause.rx is None and pause.tx is None):
        return None
    if pause.rx is None or pause.tx is None:
        known = pause.rx if pause.tx is None else pause.tx
        log("equalised", "link_pause", f"one direction {known}", f"both {known}", "flow-control is for both directions")
        return LinkPause(known, known)
    return pause


def _pfc(qos: PortQos, classes: Classes, log: Log) -> PortQos:
    """Keep the priorities that a congestion notification profile can name."""
    pfc = qos.pfc
    wanted_tx, wanted_rx = (pfc.tx or frozenset(), pfc.rx or frozenset()) if pfc else (frozenset(), frozenset())
    if pfc is None or pfc.admin == "off" or not (wanted_tx | wanted_rx):
        return replace(qos, pfc=None, priority_to_queue=None)
    if pfc.admin != "on":
        log("refused" if pfc.admin == "auto" else "box-made", "pfc.admin", pfc.admin, "on",
            "a bound congestion notification profile is on; negotiation needs DCBX")  # fmt: skip
    if pfc.gate is False:
        log("refused", "pfc.gate", pfc.gate, "not set", "Junos has no device-wide PFC switch")
    tx = wanted_tx & _pausable(qos, classes)
    if tx != wanted_tx:
        log("refused", "pfc.tx", sorted(wanted_tx), sorted(tx),
            "input pfc needs code points of a no-loss class with this pfc-priority")  # fmt: skip
    by = ("pcp" if qos.trust == "pcp" else "internal") if tx else None
    if pfc.by is not None and by is not None and pfc.by != by:
        log("box-made", "pfc.by", pfc.by, by, "the input of the profile follows the classifier of the port")
    output: dict[int, frozenset[int]] = {}
    queue_of = {entry.priority: entry.queue for entry in classes.lossless}
    for priority in wanted_rx:
        planned = qos.priority_to_queue[priority] if qos.priority_to_queue is not None else None
        queues = frozenset(queue for queue in planned or () if queue < 8)
        output[priority] = queues or frozenset({queue_of.get(priority, priority)})
    if not tx and not output:
        return replace(qos, pfc=None, priority_to_queue=None)
    if not output:
        output = dict(load_module(_HERE / "settings.py").DEFAULT_OUTPUT)
        log("box-made", "pfc.rx", [], sorted(output), "without `output` the switch honours priorities 3 and 4")
    found = Pfc("on", tx, frozenset(output), by)  # type: ignore[arg-type]
    return replace(qos, pfc=found, priority_to_queue=eight(output) if output else None)


def _pausable(qos: PortQos, classes: Classes) -> frozenset[int]:
    """Return the priorities whose class gets code points on this port."""
    if qos.trust == "pcp":
        landing = qos.pcp_to_tc.to if qos.pcp_to_tc is not None else ()
        return frozenset(
            entry.priority for entry in classes.lossless
            if entry.priority is not None and entry.priority < len(landing) and landing[entry.priority] == entry.number
        )  # fmt: skip
    used = set(qos.dscp_to_tc.to) if qos.dscp_to_tc is not None else set()
    return frozenset(e.priority for e in classes.lossless if e.priority is not None and e.number in used)


def _cable(qos: PortQos, log: Log) -> int | None:
    if qos.cable is None or qos.pfc is None or not qos.pfc.tx:
        return None  # without input pfc there is no headroom to size, and no profile to say it in
    metres: int = max(math.ceil(qos.cable), limits()["cable"]["low"])
    if metres != qos.cable:
        log("quantised", "cable", f"{qos.cable} m", f"{metres} m", "cable-length is in whole metres, rounded up")
    return metres


def _watchdog(qos: PortQos, log: Log) -> PortWatchdog | None:
    planned = qos.watchdog
    if planned is None or not planned.enabled:
        return None
    honours = qos.pfc.rx if qos.pfc is not None else None
    if not honours:
        log("dropped", "watchdog", "on", "off", "pfc-watchdog is refused in a profile without output")
        return None
    if planned.priorities is not None and planned.priorities != honours:
        log("box-made", "watchdog.priorities", sorted(planned.priorities), sorted(honours),
            "the watchdog covers the queues of the profile's output")  # fmt: skip
    bounds = limits()["watchdog"]
    poll = _bounded(planned.poll, bounds["poll"], "poll", log)
    detection = bounds["detection"]["default"] if planned.detect is None else max(1, -(-planned.detect // poll))
    detection = min(detection, bounds["detection"]["high"])
    if planned.detect is not None and detection * poll != planned.detect:
        log("quantised", "watchdog.detect", f"{planned.detect} ms", f"{detection * poll} ms",
            f"detection counts polls of {poll} ms, rounded up")  # fmt: skip
    restore = planned.restore
    if restore == NEVER:
        log("dropped", "watchdog.restore", "never", f"{bounds['recovery']['default']} ms", "recovery is always a time")
        restore = None
    restore = _bounded(restore, bounds["recovery"], "restore", log)
    action = planned.action or "drop"
    if action not in _ACTIONS:
        log("dropped", "watchdog.action", action, "drop", "watchdog-action is drop or forward")
        action = "drop"
    return PortWatchdog(True, honours, poll, detection * poll, restore, action)


def _bounded(value: int | None, bounds: Mapping[str, int], leaf: str, log: Log) -> int:
    if value is None:
        return bounds["default"]
    got = min(max(value, bounds["low"]), bounds["high"])
    if got != value:
        log("quantised", f"watchdog.{leaf}", f"{value} ms", f"{got} ms", f"{bounds['low']} to {bounds['high']} ms")
    return got


def _groups(qos: PortQos, base: Base, log: Log) -> Any:
    """Return the priority groups: headroom is the box's own, the trigger an index, XON in cells where known."""
    if qos.priority_groups is None:
        return None
    paused = qos.pfc.tx if qos.pfc is not None and qos.pfc.tx else frozenset()
    found = {}
    for number, group in enumerate(qos.priority_groups):
        if group is None or not group.lossless:
            if group is not None:
                found[number] = PriorityGroup(lossless=False)
            continue
        path = f"priority_groups.{number}"
        if group.headroom is not None and group.headroom.amount is not None:
            wanted = f"{group.headroom.amount.value} {group.headroom.amount.unit}"
            because = "headroom is one pool in percent; the switch takes a port's part from cable-length"
            log("box-made", f"{path}.headroom", wanted, f"by cable-length {qos.cable or 'default'}", because)
        for leaf in ("xon_at", "reserved"):
            if getattr(group, leaf) is not None:
                log("dropped", f"{path}.{leaf}", "planned", "not set", _NO_STATEMENT)
        _alpha(group, base, path, log)
        found[number] = PriorityGroup(
            lossless=True,
            headroom=Headroom(None, by="length") if number in paused else None,
            xoff_at=base.alpha,
            xon_below=_xon(group.xon_below, base, path, log) if number in paused else None,
            mtu=group.mtu if number in paused else None,
        )
    return eight(found)


def _alpha(group: PriorityGroup, base: Base, path: str, log: Log) -> None:
    limit = group.xoff_at
    if limit is None or limit == base.alpha:
        return
    wanted = f"alpha {limit.alpha}" if isinstance(limit, Dynamic) else "a static trigger"
    if isinstance(limit, Dynamic) and limit.alpha is None:
        got = f"index {base.alpha.index}" if base.alpha is not None else "default"
        log("equalised", f"{path}.xoff_at", f"index {limit.index}", got,
            "dynamic-threshold belongs to the partition: one for the device")  # fmt: skip
        return
    log("dropped", f"{path}.xoff_at", wanted, "the default of the partition",
        "dynamic-threshold is an index 0-10 whose ratio is unpublished")  # fmt: skip


def _xon(amount: Amount | None, base: Base, path: str, log: Log) -> Amount | None:
    if amount is None or amount.unit == "cell":
        return amount
    if amount.bytes is None or not base.cell:
        log("box-made", f"{path}.xon_below", f"{amount.value} {amount.unit}", "not set",
            "xon is in cells, and the cell size or unit of this model is not established")  # fmt: skip
        return None
    low, high = (limits()["xon"][end] for end in ("low", "high"))
    cells = min(max(-(-amount.bytes // base.cell), low), high)
    if cells * base.cell != amount.bytes:
        log("quantised", f"{path}.xon_below", f"{amount.bytes} B", f"{cells} cells = {cells * base.cell} B",
            f"cells of {base.cell} B, rounded up")  # fmt: skip
    return Amount(cells, "cell")
