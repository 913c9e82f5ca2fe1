"""What the NX-OS template prints: objects in the order of the file, no arithmetic left to do."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rocecfg.render.engine import number_ranges
from rocecfg.state.model import Amount, Curve, Static
from rocecfg.vendor.api import View

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.model import Device, Port, PortQos, PriorityGroup, Queue

_UNITS = {"packet": "packets", "byte": "bytes", "kbyte": "kbytes", "mbyte": "mbytes"}


@dataclass(frozen=True, slots=True)
class ClassMap:
    """A class-map type qos and its match lines."""

    name: str
    matches: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QosPolicy:
    """A policy-map type qos: (class, qos-group) in order, and the group of all else."""

    name: str
    classes: tuple[tuple[str, int], ...]
    rest: int


@dataclass(frozen=True, slots=True)
class NetworkClass:
    """A class of the network-qos policy."""

    name: str
    mtu: int | None
    pause: str


@dataclass(frozen=True, slots=True)
class QueueClass:
    """A class of a queuing policy and its lines."""

    name: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QueuingPolicy:
    """A policy-map type queuing."""

    name: str
    classes: tuple[QueueClass, ...]


@dataclass(frozen=True, slots=True)
class PortLines:
    """An interface and its lines."""

    name: str
    lines: tuple[str, ...]


@dataclass(slots=True)
class _Named:
    """Policies by content: the first keeps the plain name, others are numbered."""

    base: str
    names: dict[object, str] = field(default_factory=dict)

    def __call__(self, content: object) -> str:
        number = len(self.names) + 1
        return self.names.setdefault(content, self.base if number == 1 else f"{self.base}-{number}")


def from_state(device: Device) -> Mapping[str, View]:
    """Return the view of `switch.cfg.j2` for a fitted device."""
    maker = _Maker(device)
    ports = [maker.port(port) for port in device.ports.values()]
    values = {
        "name": device.name,
        "advertise_ets": maker.advertises("ets"),
        "lldp": maker.advertises("ets") or maker.advertises("pfc"),
        "watchdog": any(p.qos.watchdog and p.qos.watchdog.enabled for p in device.ports.values()),
        "class_maps": maker.class_maps,
        "qos_policies": maker.qos_policies,
        "network": maker.network(),
        "output_policies": maker.output_policies,
        "input_policies": maker.input_policies,
        "system_output": maker.system_output,
        "ports": ports,
    }
    return {"switch.cfg.j2": View(values)}


class _Maker:
    """Collects the policies that the ports need, each once."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.class_maps: list[ClassMap] = []
        self.qos_policies: list[QosPolicy] = []
        self.output_policies: list[QueuingPolicy] = []
        self.input_policies: list[QueuingPolicy] = []
        self.system_output = ""
        self._qos, self._output, self._input = (
            _Named("ROCE-QOS-IN"),
            _Named("ROCE-QUEUING-OUT"),
            _Named("ROCE-QUEUING-IN"),
        )
        self._known: dict[int, tuple[str, str, str]] = {}

    def advertises(self, what: str) -> bool:
        """Return whether some port announces a DCBX TLV."""
        return any(
            port.qos.dcbx is not None and what in (port.qos.dcbx.advertises or ())
            for port in self.device.ports.values()
        )

    def port(self, port: Port) -> PortLines:
        """Return the lines of an interface."""
        qos = port.qos
        names = self._known.get(id(qos))
        if names is None:
            names = self._known[id(qos)] = (self._classifier(qos), self._queuing_in(qos), self._queuing_out(qos))
        classifier, queuing_in, queuing_out = names
        lines = []
        mode = qos.pfc.admin if qos.pfc is not None else None
        if mode in ("on", "off"):
            tlv = mode == "on" and qos.dcbx is not None and "pfc" in (qos.dcbx.advertises or ())
            lines.append(f"priority-flow-control mode {mode}{' send-tlv' if tlv else ''}")
        if qos.watchdog is not None and qos.watchdog.enabled:
            lines.append("priority-flow-control watch-dog-interval on")
        if port.mtu is not None:
            lines.append(f"mtu {port.mtu}")
        if classifier:
            lines.append(f"service-policy type qos input {classifier}")
        if queuing_in:
            lines.append(f"service-policy type queuing input {queuing_in}")
        if queuing_out and queuing_out != self.system_output:
            lines.append(f"service-policy type queuing output {queuing_out}")
        return PortLines(port.name, tuple(lines))

    def _classifier(self, qos: PortQos) -> str:
        """Return the name of the input policy of a port, which is made on first need; "" = none is needed."""
        default = qos.default_tc or 0
        matches: dict[int, list[str]] = {}
        for table, word in ((qos.dscp_to_tc, "dscp"), (qos.pcp_to_tc, "cos")):
            if table is not None:
                for group in sorted({to for to in table.to if to is not None and to != default}):
                    matches.setdefault(group, []).append(f"match {word} {number_ranges(table.codes(group))}")
        if not matches and default == 0:
            return ""
        content = (default, tuple((group, tuple(lines)) for group, lines in sorted(matches.items())))
        first = content not in self._qos.names
        name = self._qos(content)
        if first:
            suffix = name.removeprefix("ROCE-QOS-IN")
            classes = []
            for group, lines in content[1]:
                lossless = self._lossless(qos, group)
                class_map = ClassMap(f"{'ROCE' if lossless else 'LOSSY'}-GROUP{group}{suffix}", lines)
                self.class_maps.append(class_map)
                classes.append((class_map.name, group))
            self.qos_policies.append(QosPolicy(name, tuple(classes), default))
        return name

    @staticmethod
    def _lossless(qos: PortQos, number: int) -> bool:
        group = qos.priority_group(number)
        return bool(group and group.lossless)

    def network(self) -> tuple[NetworkClass, ...]:
        """Return the classes of the one network-qos policy, no-drop ones first; empty = no policy is needed."""
        groups: dict[int, PriorityGroup] = {}
        pauses: dict[int, set[int]] = {}
        for port in self.device.ports.values():
            for number, group in enumerate(port.qos.priority_groups or ()):
                if group is not None and (group.lossless or group.mtu is not None):
                    groups.setdefault(number, group)
            for priority, numbers in enumerate(port.qos.priority_to_pg or ()):
                for number in numbers or ():
                    pauses.setdefault(number, set()).add(priority)
        order = sorted(groups, key=lambda number: (number not in pauses, number == 0, number))
        return tuple(
            NetworkClass(
                f"c-8q-nq{number}" if number else "c-8q-nq-default",
                groups[number].mtu,
                number_ranges(pauses[number]) if groups[number].lossless and number in pauses else "",
            )
            for number in order
        )

    def _queuing_out(self, qos: PortQos) -> str:
        queues = qos.queues
        if queues is None:
            return ""
        content = tuple((number, _queue_lines(queue)) for number, queue in enumerate(queues) if queue is not None)
        first = content not in self._output.names
        name = self._output(content)
        if first:
            classes = [
                QueueClass(f"c-out-8q-q{number}" if number else "c-out-8q-q-default", lines)
                for number, lines in reversed(content)
            ]
            self.output_policies.append(QueuingPolicy(name, tuple(classes)))
            self.system_output = self.system_output or name
        return name

    def _queuing_in(self, qos: PortQos) -> str:
        lines = {
            number: _pause_line(group)
            for number, group in enumerate(qos.priority_groups or ())
            if group is not None and isinstance(group.xoff_at, Static)
        }
        content = tuple((number, line) for number, line in lines.items() if line)
        if not content:
            return ""
        first = content not in self._input.names
        name = self._input(content)
        if first:
            classes = [
                QueueClass(f"c-in-q{number}" if number else "c-in-q-default", (line,)) for number, line in content
            ]
            self.input_policies.append(QueuingPolicy(name, tuple(classes)))
        return name


def _queue_lines(queue: Queue) -> tuple[str, ...]:
    lines = []
    if queue.scheduler == "strict":
        lines.append(f"priority level {queue.rank or 1}")
    elif queue.weight is not None:
        kind = "" if queue.weight_kind == "percent-of-link" else "remaining "
        lines.append(f"bandwidth {kind}percent {queue.weight}")
    if queue.ecn is not None and queue.ecn.curves:
        lines += _curve_line(queue.ecn.curves[0], queue.ecn.weight, " ecn")
    elif queue.wred:
        lines += _curve_line(queue.wred[0], 0, "")
    return tuple(lines)


def _curve_line(curve: Curve, weight: int | None, word: str) -> list[str]:
    if curve.low is None or curve.high is None:
        return [f"random-detect threshold burst-optimized{word}"]
    thresholds = f"minimum-threshold {_size(curve.low)} maximum-threshold {_size(curve.high)}"
    return [f"random-detect {thresholds} drop-probability {curve.probability or 0} weight {weight or 0}{word}"]


def _size(amount: Amount) -> str:
    return f"{amount.value} {_UNITS.get(amount.unit, 'bytes')}"


def _pause_line(group: PriorityGroup) -> str:
    headroom = group.headroom.amount if group.headroom is not None else None
    if headroom is None or group.xon_at is None or not isinstance(group.xoff_at, Static):
        return ""
    trigger = group.xoff_at.amount.value
    return (
        f"pause buffer-size {trigger + headroom.value} pause-threshold {trigger} resume-threshold {group.xon_at.value}"
    )
