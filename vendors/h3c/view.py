"""What the Comware template prints: lines in the order of the published baseline, no arithmetic left to do."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.render.engine import number_ranges
from rocecfg.state.model import Dynamic, Static
from rocecfg.vendor.api import View

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rocecfg.state.model import Device, Port, PortQos, Queue

_HERE = Path(__file__)
_CURVES = load_module(_HERE.with_name("curves.py"))
_RATIOS = load_module(_HERE.with_name("ratios.py"))
_NAMES = load_module(_HERE.with_name("names.py"))
_FIT = load_module(_HERE.with_name("fit.py"))
_TRUSTS = {"dscp": "dscp", "pcp": "dot1p", "both": "auto"}
_MODES = {"on": "enable", "auto": "auto"}


@dataclass(frozen=True, slots=True)
class Section:
    """A view: its header and its lines."""

    header: str
    lines: tuple[str, ...]


@dataclass(slots=True)
class _Tables:
    """WRED tables by content: the first keeps the plain name, others are numbered."""

    names: dict[tuple[str, ...], str] = field(default_factory=dict)

    def __call__(self, lines: tuple[str, ...]) -> str:
        number = len(self.names) + 1
        return self.names.setdefault(lines, "ROCE" if number == 1 else f"ROCE-{number}")


def from_state(device: Device) -> Mapping[str, View]:
    """Return the view of `switch.cfg.j2` for a fitted device."""
    tables = _Tables()
    known: dict[int, tuple[str, ...]] = {}
    ports = []
    for port in device.ports.values():
        lines = known.get(id(port.qos))
        if lines is None:
            lines = known[id(port.qos)] = tuple(_port_lines(port.qos, tables))
        ports.append(Section(f"interface {port.name}", (*_frame(port), *lines)))
    wred = tuple(Section(f"qos wred queue table {name}", lines) for lines, name in tables.names.items())
    values = {"system": tuple(_system(device)), "maps": tuple(_maps(device)), "tables": wred, "ports": tuple(ports)}
    return {"switch.cfg.j2": View(values)}


def _system(device: Device) -> Iterator[tuple[str, ...]]:
    """Yield the groups of single commands."""
    if any(port.qos.dcbx is not None and port.qos.dcbx.advertises for port in device.ports.values()):
        yield ("lldp global enable",)
    shares = {
        number: queue.limit.index
        for port in device.ports.values()
        for number, queue in enumerate(port.qos.queues or ())
        if queue is not None and isinstance(queue.limit, Dynamic) and queue.limit.index is not None
    }
    if shares:
        lines = [f"buffer egress cell queue {number} shared ratio {ratio}" for number, ratio in sorted(shares.items())]
        yield (*lines, "buffer apply")
    watching = [
        port.qos for port in device.ports.values() if port.qos.watchdog is not None and port.qos.watchdog.enabled
    ]
    queues = sorted({queue for qos in watching for queue in _watched(qos)})
    if queues:
        times = _FIT.limits()["deadlock"]
        action = watching[0].watchdog.action if watching[0].watchdog is not None else None
        yield (
            *(f"priority-flow-control deadlock cos {queue} interval {times['interval']}" for queue in queues),
            *(f"priority-flow-control deadlock auto-recover cos {queue} delay {times['delay']}" for queue in queues),
            *(("priority-flow-control deadlock auto-recover action discard",) if action == "drop" else ()),
        )


def _watched(qos: PortQos) -> Iterator[int]:
    for priority in (qos.watchdog.priorities if qos.watchdog is not None else None) or ():
        queue = qos.tc_to_queue[priority] if qos.tc_to_queue is not None else None
        if queue is not None:
            yield queue


def _maps(device: Device) -> Iterator[Section]:
    for port in device.ports.values():
        table = port.qos.dscp_to_tc
        if port.qos.trust in ("dscp", "both") and table is not None:
            yield Section(
                "qos map-table dscp-dot1p",
                tuple(f"import {code} export {to}" for code, to in enumerate(table.to) if to is not None),
            )
            break
    queue_of = next((port.qos.tc_to_queue for port in device.ports.values() if port.qos.tc_to_queue), ())
    if queue_of:
        yield Section(
            "qos map-table dot1p-lp",
            tuple(f"import {code} export {to}" for code, to in enumerate(queue_of[:8]) if to is not None),
        )


def _frame(port: Port) -> tuple[str, ...]:
    return (f"jumboframe enable {port.mtu}",) if port.mtu is not None else ()


def _port_lines(qos: PortQos, tables: _Tables) -> Iterator[str]:
    if qos.dcbx is not None and qos.dcbx.advertises:
        yield "lldp tlv-enable dot1-tlv dcbx"
    mode = _MODES.get(qos.pfc.admin or "") if qos.pfc is not None else None
    if qos.pfc is not None and mode is not None:
        yield f"priority-flow-control {mode}"
        yield f"priority-flow-control no-drop dot1p {number_ranges(qos.pfc.tx or ())}"
        if qos.watchdog is not None and qos.watchdog.enabled:
            yield "priority-flow-control deadlock enable"
    yield from _buffers(qos)
    if qos.trust in _TRUSTS:
        yield f"qos trust {_TRUSTS[qos.trust]}"
    if qos.default_tc:
        yield f"qos priority {qos.default_tc}"
    yield "qos wfq byte-count"
    for number, queue in enumerate(qos.queues or ()):
        if queue is not None and queue.scheduler == "strict":
            yield f"qos wfq {_NAMES.QUEUE_NAMES[number]} group sp"
        elif queue is not None and queue.weight is not None:
            yield f"qos wfq {_NAMES.QUEUE_NAMES[number]} group 1 byte-count {queue.weight}"
    lines = tuple(_wred(qos))
    if lines:
        yield f"qos wred apply {tables(lines)}"


def _buffers(qos: PortQos) -> Iterator[str]:
    for number, group in enumerate(qos.priority_groups or ()):
        if group is None or not group.lossless:
            continue
        start = f"priority-flow-control dot1p {number}"
        if group.headroom is not None and group.headroom.amount is not None:
            yield f"{start} headroom {group.headroom.amount.value}"
        if group.reserved is not None:
            yield f"{start} reserved-buffer {group.reserved.value}"
        if isinstance(group.xoff_at, Static):
            yield f"{start} ingress-buffer static {group.xoff_at.amount.value}"
        elif group.xoff_at is not None and group.xoff_at.alpha is not None:
            yield f"{start} ingress-buffer dynamic {_RATIOS.percent_of(group.xoff_at.alpha)[0]}"
        if group.xon_below is not None:
            yield f"{start} ingress-threshold-offset {group.xon_below.value}"


def _wred(qos: PortQos) -> Iterator[str]:
    for number, queue in enumerate(qos.queues or ()):
        if queue is not None:
            yield from _queue_lines(number, queue)


def _queue_lines(number: int, queue: Queue) -> Iterator[str]:
    marking = queue.ecn.curves if queue.ecn is not None else ()
    limits = _CURVES.by_colour(marking or queue.wred or ())
    if not marking and all(limit == _CURVES.TABLE_DEFAULT for limit in limits.values()):
        return  # what a table does anyway
    for level, colour in enumerate(_CURVES.COLOURS):
        if colour in limits:
            low, high, percent = limits[colour]
            yield f"queue {number} drop-level {level} low-limit {low} high-limit {high} discard-probability {percent}"
    if marking and queue.ecn is not None:
        yield f"queue {number} weighting-constant {queue.ecn.weight}"
        yield f"queue {number} ecn"
