"""What the EOS template prints: objects in the order of the file, no arithmetic left to do."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import Dynamic
from rocecfg.vendor.api import View

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.model import CodeMap, Curve, Device, Port, PortQos, PortWatchdog, Queue
    from vendors.eos.family import Family

_FAMILY = load_module(Path(__file__).with_name("family.py"))
_ACTIONS = {"drop": "drop", "alert": "notify-only"}


@dataclass(frozen=True, slots=True)
class QueueLines:
    """A queue of a profile or of an interface: its header and the lines below it."""

    header: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A qos profile or an interface: its lines, then its queues."""

    name: str
    lines: tuple[str, ...]
    queues: tuple[QueueLines, ...]


@dataclass(frozen=True, slots=True)
class _Watchdog:
    """What the watchdog lines at the left margin say."""

    times: tuple[int | None, int | None, int | None] | None
    action: str | None


def from_state(device: Device) -> Mapping[str, View]:
    """Return the view of `switch.cfg.j2` for a fitted device."""
    family: Family = _FAMILY.family_of(device.model, device.asic)
    watchdog = _device_watchdog(device)
    names: dict[tuple[object, ...], str] = {}
    profiles: list[Section] = []
    known: dict[int, str] = {}
    interfaces = []
    for port in device.ports.values():
        name = known.get(id(port.qos))
        if name is None:
            content = (_profile_lines(port.qos, watchdog), _profile_queues(port.qos, family.queue))
            name = names.get(content)
            if name is None:
                name = names[content] = "ROCE" if not names else f"ROCE-{len(names) + 1}"
                profiles.append(Section(name, *content))
            known[id(port.qos)] = name
        interfaces.append(_interface(port, name, family.queue))
    first = next((port.qos for port in device.ports.values()), None)
    values = {
        "name": device.name,
        "mmu": _mmu(device) if family.mmu else (),
        "profiles": profiles,
        "interfaces": interfaces,
        "maps": _maps(first) if first is not None else (),
        "watchdog": _watchdog_lines(watchdog),
        "all_off": device.pfc_enabled is False,
    }
    return {"switch.cfg.j2": View(values)}


def _device_watchdog(device: Device) -> _Watchdog:
    """Return the times and the action that hold for the device; ports that differ say so in their profile."""
    every = [(port.qos.watchdog, port.qos.pfc) for port in device.ports.values()]
    running = [(one, pfc) for one, pfc in every if one is not None and one.enabled]
    if not running:
        return _Watchdog(None, None)
    actions = [one.action for one, _ in running]
    action = None if "port-down" in actions else actions[0]
    if len(running) < len(every):
        return _Watchdog(None, action)
    # A port without PFC has no timer line of its own: what it says is the device's.
    by_default = next((one for one, pfc in running if pfc is None or not pfc.tx), running[0][0])
    return _Watchdog(_times(by_default), action)


def _times(watchdog: PortWatchdog) -> tuple[int | None, int | None, int | None]:
    return watchdog.detect, watchdog.restore, watchdog.poll


def _seconds(milliseconds: int, decimals: int) -> str:
    """Return milliseconds as EOS writes them: seconds with two decimals, a polling interval with up to three."""
    whole, rest = divmod(milliseconds, 1000)
    text = f"{whole}.{rest:03d}"
    return text[:-1] if decimals == 2 or text.endswith("0") else text


def _watchdog_lines(watchdog: _Watchdog) -> tuple[str, ...]:
    lines = []
    if watchdog.times is not None:
        detect, restore, poll = watchdog.times
        named = (("timeout", detect, 2), ("recovery-time", restore, 2), ("polling-interval", poll, 3))
        lines += [f"default {word} {_seconds(value, decimals)}" for word, value, decimals in named if value is not None]
    if watchdog.action is not None:
        lines.append(f"action {_ACTIONS[watchdog.action]}")
    return tuple(f"priority-flow-control pause watchdog {line}" for line in lines)


def _profile_lines(qos: PortQos, device: _Watchdog) -> tuple[str, ...]:
    lines = [{"dscp": "qos trust dscp", "pcp": "qos trust cos"}.get(qos.trust or "", "no qos trust")]
    pfc = qos.pfc
    if pfc is not None and pfc.admin == "on":
        lines.append("priority-flow-control on")
        lines += [f"priority-flow-control priority {number} no-drop" for number in sorted(pfc.tx or ())]
        lines += _port_watchdog(qos.watchdog, device)
    return tuple(lines)


def _port_watchdog(watchdog: PortWatchdog | None, device: _Watchdog) -> list[str]:
    if watchdog is None or not watchdog.enabled:
        return []
    word = "priority-flow-control pause watchdog"
    lines = [word]
    if watchdog.action in _ACTIONS and watchdog.action != device.action:
        lines.append(f"{word} port action {_ACTIONS[watchdog.action]}")
    if _times(watchdog) != device.times:
        detect, restore, poll = _times(watchdog)
        every = "auto" if poll is None else _seconds(poll, 3)
        lines.append(
            f"{word} port timer timeout {_seconds(detect or 0, 2)} polling-interval {every} "
            f"recovery-time {_seconds(restore or 0, 2)}"
        )
    return lines


def _profile_queues(qos: PortQos, word: str) -> tuple[QueueLines, ...]:
    found = []
    for number, queue in enumerate(qos.queues or ()):
        lines = _queue_lines(queue) if queue is not None else ()
        # What nobody planned is left as the system has it: strict, without a line.
        planned = f"queues.{number}.scheduler" not in qos.defaulted
        if lines and (planned or lines != ("priority strict",)):
            found.append(QueueLines(f"{word} {number}", lines))
    return tuple(found)


def _queue_lines(queue: Queue) -> tuple[str, ...]:
    lines = ["priority strict" if queue.scheduler == "strict" else "no priority"]
    if queue.scheduler == "weighted" and queue.weight is not None:
        lines.append(f"bandwidth percent {queue.weight}")
    if queue.ecn is not None and queue.ecn.curves:
        curve = queue.ecn.curves[0]
        lines.append(
            f"random-detect ecn {_thresholds(curve)} max-mark-probability {curve.probability} "
            f"weight {queue.ecn.weight or 0}"
        )
    elif queue.wred:
        lines.append(f"random-detect drop {_thresholds(queue.wred[0])} drop-probability {queue.wred[0].probability}")
    return tuple(lines)


def _thresholds(curve: Curve) -> str:
    low, high = (limit.value if limit is not None else 0 for limit in (curve.low, curve.high))
    return f"minimum-threshold {low} bytes maximum-threshold {high} bytes"


def _interface(port: Port, profile: str, word: str) -> Section:
    lines = []
    if port.mtu is not None:
        lines.append(f"mtu {port.mtu}")
    if port.qos.dcbx is not None and port.qos.dcbx.state == "ieee":
        lines.append("dcbx mode ieee")
    lines.append(f"service-profile {profile}")
    marking = tuple(
        QueueLines(f"{word} {number}", ("random-detect ecn count",))
        for number, queue in enumerate(port.qos.queues or ())
        if queue is not None and queue.ecn is not None and queue.ecn.curves
    )
    return Section(port.name, tuple(lines), marking)


def _maps(qos: PortQos) -> tuple[str, ...]:
    """Return the maps of the device: they are the same on every port."""
    lines = []
    used: set[int] = set()
    for leaf, word in (("pcp_to_tc", "cos"), ("dscp_to_tc", "dscp")):
        table: CodeMap | None = getattr(qos, leaf)
        if table is None or leaf in qos.defaulted:
            continue
        for tc in sorted({to for to in table.to if to is not None}):
            used.add(tc)
            lines.append(f"qos map {word} {' '.join(map(str, table.codes(tc)))} to traffic-class {tc}")
    for tc, queue in enumerate((qos.tc_to_queue or ())[:7]):
        if queue is not None and (tc in used or queue != tc):
            lines.append(f"qos map traffic-class {tc} to tx-queue {queue}")
    return tuple(lines)


def _mmu(device: Device) -> tuple[str, ...]:
    """Return the lines of the MMU profile: headroom of all groups, and the share at which each group pauses."""
    headroom = None
    alphas: dict[int, str] = {}
    for port in device.ports.values():
        for number, group in enumerate(port.qos.priority_groups or ()):
            if group is None or not group.lossless:
                continue
            if group.headroom is not None and group.headroom.amount is not None:
                headroom = group.headroom.amount.value
            if isinstance(group.xoff_at, Dynamic):
                alphas[number] = str(group.xoff_at.alpha)
    lines = [] if headroom is None else [f"ingress headroom {headroom}"]
    return (*lines, *(f"ingress priority-group {number} threshold {alphas[number]}" for number in sorted(alphas)))
