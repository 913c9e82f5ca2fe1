"""Prepares what `switch.cfg.j2` prints: maps, profiles and policies by content, then the ports."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rocecfg.render.engine import number_ranges
from rocecfg.state.model import Static
from rocecfg.vendor.api import View

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rocecfg.state.model import CodeMap, Curve, Device, Port, PortQos, PriorityGroup, Queue

COLOURS = ("green", "yellow", "red")


@dataclass(frozen=True, slots=True)
class Section:
    """A section with its lines: a map, a profile, a class-map."""

    name: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Policy:
    """A policy-map and its classes."""

    name: str
    classes: tuple[Section, ...]


@dataclass(slots=True)
class _Named:
    """Sections by content: the first keeps the plain name, others are numbered."""

    base: str
    names: dict[tuple[object, ...], str] = field(default_factory=dict)

    def __call__(self, content: tuple[object, ...]) -> str:
        """Return the name of a section with this content; "" for none."""
        if not content:
            return ""
        number = len(self.names) + 1
        return self.names.setdefault(content, self.base if number == 1 else f"{self.base}-{number}")

    def sections(self) -> tuple[Section, ...]:
        """Return all sections whose content is lines."""
        return tuple(Section(name, tuple(map(str, lines))) for lines, name in self.names.items())


def from_state(device: Device) -> Mapping[str, View]:
    """Return the view of `switch.cfg.j2` for a fitted device."""
    maker = _Maker()
    ports = [maker.port(port) for port in device.ports.values()]
    values = {
        "name": device.name,
        "dcbx": any(p.qos.dcbx is not None and p.qos.dcbx.state == "auto" for p in device.ports.values()),
        "wreds": maker.wreds.sections(),
        "queue_classes": [Section(f"ROCE-Q{number}", (f"match queue {number}",)) for number in sorted(maker.queues)],
        "network_classes": [
            Section(f"ROCE-G{number}", (f"match qos-group {number}",)) for number in sorted(maker.groups)
        ],
        "dot1p_maps": maker.dot1p_maps.sections(),
        "dscp_maps": maker.dscp_maps.sections(),
        "queue_maps": maker.queue_maps.sections(),
        "network_policies": maker.network_policies(),
        "queuing_policies": maker.queuing_policies(),
        "ports": ports,
    }
    return {"switch.cfg.j2": View(values)}


class _Maker:
    """Collects the sections that the ports need, each once."""

    def __init__(self) -> None:
        self.wreds = _Named("ROCE-ECN")
        self.dot1p_maps, self.dscp_maps = _Named("ROCE-DOT1P"), _Named("ROCE-DSCP")
        self.queue_maps = _Named("ROCE-QUEUES")
        self.queues: set[int] = set()
        self.groups: set[int] = set()
        self._network, self._queuing = _Named("ROCE-PFC"), _Named("ROCE-ETS")
        self._known: dict[int, tuple[str, ...]] = {}

    def port(self, port: Port) -> Section:
        """Return the lines of an interface."""
        lines = self._known.get(id(port.qos))
        if lines is None:
            lines = self._known[id(port.qos)] = tuple(self._lines(port.qos))
        mtu = (f"mtu {port.mtu}",) if port.mtu is not None else ()
        return Section(port.name, (*mtu, *lines))

    def _lines(self, qos: PortQos) -> Iterable[str]:
        if qos.link_pause is not None:
            for way, state in (("receive", qos.link_pause.rx), ("transmit", qos.link_pause.tx)):
                if state is not None:
                    yield f"flowcontrol {way} {'on' if state else 'off'}"
        if qos.pfc is not None and qos.pfc.admin is not None:
            yield f"priority-flow-control mode {qos.pfc.admin}"
        if qos.trust in ("pcp", "both") and qos.pcp_to_tc is not None:
            yield f"trust-map dot1p {self.dot1p_maps(_map_lines(qos.pcp_to_tc, 'dot1p'))}"
        if qos.trust in ("dscp", "both") and qos.dscp_to_tc is not None:
            yield f"trust-map dscp {self.dscp_maps(_map_lines(qos.dscp_to_tc, 'dscp'))}"
        if network := self._network(self._network_classes(qos)):
            yield f"service-policy input type network-qos {network}"
        if queuing := self._queuing(self._queuing_classes(qos)):
            yield f"service-policy output type queuing {queuing}"
            yield "ets mode on"
        if queues := self.queue_maps(_queue_lines(qos.tc_to_queue)):
            yield f"qos-map traffic-class {queues}"

    def _network_classes(self, qos: PortQos) -> tuple[object, ...]:
        classes = []
        for priority, groups in enumerate(qos.priority_to_pg or ()):
            for number in sorted(groups or ()):
                group = qos.priority_group(number)
                if group is not None and group.lossless:
                    self.groups.add(number)
                    classes.append(Section(f"ROCE-G{number}", (_pause(group), f"pfc-cos {priority}")))
        return tuple(classes)

    def _queuing_classes(self, qos: PortQos) -> tuple[object, ...]:
        classes = []
        for number, queue in enumerate(qos.queues or ()):
            lines = self._served(queue) if queue is not None else ()
            if lines:
                self.queues.add(number)
                classes.append(Section(f"ROCE-Q{number}", lines))
        return tuple(classes)

    def _served(self, queue: Queue) -> tuple[str, ...]:
        lines = []
        if queue.scheduler == "strict":
            lines.append("priority")
        elif queue.weight is not None:
            lines.append(f"bandwidth percent {queue.weight}")
        if queue.ecn is not None and queue.ecn.curves:
            lines.append(f"random-detect {self.wreds((*_ramp_lines(queue.ecn.curves), 'random-detect ecn'))}")
        elif queue.wred:
            lines.append(f"random-detect {self.wreds(_ramp_lines(queue.wred))}")
        return tuple(lines)

    def network_policies(self) -> tuple[Policy, ...]:
        """Return the network-qos policies: one for all ports with PFC."""
        return _policies(self._network)

    def queuing_policies(self) -> tuple[Policy, ...]:
        """Return the queuing policies."""
        return _policies(self._queuing)


def _policies(named: _Named) -> tuple[Policy, ...]:
    return tuple(
        Policy(name, tuple(item for item in classes if isinstance(item, Section)))
        for classes, name in named.names.items()
    )


def _pause(group: PriorityGroup) -> str:
    headroom = group.headroom.amount if group.headroom is not None else None
    if headroom is None or group.xon_at is None or not isinstance(group.xoff_at, Static):
        return "pause"
    trigger = group.xoff_at.amount.value
    return (
        f"pause buffer-size {trigger + headroom.value} pause-threshold {trigger} resume-threshold {group.xon_at.value}"
    )


def _ramp_lines(curves: tuple[Curve, ...]) -> tuple[str, ...]:
    lines = []
    for curve in curves:
        for colour in COLOURS:
            if (not curve.colours or colour in curve.colours) and curve.low is not None and curve.high is not None:
                thresholds = f"minimum-threshold {curve.low.value} maximum-threshold {curve.high.value}"
                lines.append(f"random-detect color {colour} {thresholds} drop-probability {curve.probability or 0}")
    return tuple(lines)


def _map_lines(table: CodeMap, word: str) -> tuple[str, ...]:
    groups = sorted({to for to in table.to if to is not None})
    return tuple(f"qos-group {group} {word} {number_ranges(table.codes(group))}" for group in groups)


def _queue_lines(to_queue: tuple[int | None, ...] | None) -> tuple[str, ...]:
    of_queue: dict[int, list[int]] = {}
    for group, queue in enumerate(to_queue or ()):
        if queue is not None:
            of_queue.setdefault(queue, []).append(group)
    return tuple(f"queue {queue} qos-group {number_ranges(groups)}" for queue, groups in sorted(of_queue.items()))
