"""Prepares what `switch.cfg.j2` prints for a fitted switch."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rocecfg.render.engine import number_ranges
from rocecfg.vendor.api import View

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rocecfg.state.model import Device, Port, PortQos, Queue

NAME = "ROCE"
Lines = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A map, policy or interface: its header and its lines."""

    header: str
    lines: Lines


class _Names:
    """Gives a name to each distinct object of a kind, the most frequent one the plain name."""

    def __init__(self, found: Iterable[Lines]) -> None:
        order = [lines for lines, _ in Counter(lines for lines in found if lines).most_common()]
        self.of = {lines: NAME if not at else f"{NAME}-{at + 1}" for at, lines in enumerate(order)}

    def blocks(self, header: str) -> list[Block]:
        return [Block(f"{header} {name}", lines) for lines, name in self.of.items()]


def from_state(device: Device) -> Mapping[str, View]:
    """Return the view of `switch.cfg.j2`."""
    ports = list(device.ports.values())
    wred = _Names(lines for port in ports for _, lines in _wred(port.qos))
    scheduler = _Names(_scheduler(port.qos) for port in ports)
    maps = {kind: _Names(_map(kind, port.qos) for port in ports) for kind in _MAPS}
    blocks = [*wred.blocks("qos wred-policy"), *scheduler.blocks("qos scheduler-policy")]
    blocks += [block for kind, names in maps.items() for block in names.blocks(f"qos map {kind}")]
    speaks = any(port.qos.dcbx is not None and port.qos.dcbx.state == "ieee" for port in ports)
    polls = {port.qos.watchdog.poll for port in ports if port.qos.watchdog is not None and port.qos.watchdog.enabled}
    interfaces = [
        Block(f"interface {port.name}", tuple(_port_lines(port, wred, scheduler, maps, speaks=speaks)))
        for port in ports
    ]
    return {
        "switch.cfg.j2": View(
            {
                "name": device.name,
                "dcbx": speaks,
                "poll": next((poll for poll in polls if poll is not None), None),
                "blocks": [*blocks, *interfaces],
                "carve": any(group is not None for port in ports for group in port.qos.priority_groups or ()),
            }
        )
    }


_MAPS = ("dscp-tc", "dot1p-tc", "tc-queue", "tc-pg", "pfc-priority-queue", "pfc-priority-pg")


def _map(kind: str, qos: PortQos) -> Lines:
    """Return the lines of one of a port's maps, empty when it binds none."""
    if kind == "dscp-tc":
        return _grouped("dscp", "traffic-class", qos.dscp_to_tc.to if qos.dscp_to_tc is not None else ())
    if kind == "dot1p-tc":
        return _grouped("dot1p", "traffic-class", qos.pcp_to_tc.to if qos.pcp_to_tc is not None else ())
    if kind == "tc-queue":
        return _grouped("traffic-class", "queue", (qos.tc_to_queue or ())[:8])
    if kind == "tc-pg":
        return _grouped("traffic-class", "priority-group", (qos.tc_to_pg or ())[:8])
    table = qos.priority_to_queue if kind == "pfc-priority-queue" else qos.priority_to_pg
    places = [None if numbers is None else min(numbers) for numbers in table or ()]
    return _grouped("pfc-priority", "queue" if kind == "pfc-priority-queue" else "pg", places)


def _grouped(key: str, word: str, table: Iterable[int | None]) -> Lines:
    codes: dict[int, list[int]] = {}
    for code, to in enumerate(table):
        if to is not None:
            codes.setdefault(to, []).append(code)
    return tuple(f"{key} {number_ranges(of)} {word} {to}" for to, of in sorted(codes.items()))


def _wred(qos: PortQos) -> Iterator[tuple[int, Lines]]:
    for number, queue in enumerate(qos.queues or ()):
        for curve in queue.ecn.curves if queue is not None and queue.ecn is not None else ():
            if curve.low is not None and curve.high is not None:
                ramp = f"minimum-threshold {curve.low.value} maximum-threshold {curve.high.value}"
                yield number, (f"green {ramp} drop-probability {curve.probability}", "ecn green")


def _scheduler(qos: PortQos) -> Lines:
    lines: list[str] = []
    for number, queue in enumerate(qos.queues or ()):
        if queue is not None and queue.scheduler is not None:
            lines += [f"queue {number}", *_served(queue)]
    return tuple(lines)


def _served(queue: Queue) -> Lines:
    return (" type strict",) if queue.scheduler == "strict" else (" type dwrr", f" weight {queue.weight}")


def _port_lines(
    port: Port, wred: _Names, scheduler: _Names, maps: Mapping[str, _Names], *, speaks: bool
) -> Iterator[str]:
    qos = port.qos
    if port.mtu is not None:
        yield f"mtu {port.mtu}"
    for number, lines in _wred(qos):
        yield f"queue {number} wred-policy {wred.of[lines]}"
    if policy := _scheduler(qos):
        yield f"scheduler-policy {scheduler.of[policy]}"
    if qos.cable is not None and "cable" not in qos.defaulted:
        yield f"cable-length {qos.cable}m"
    for kind, names in maps.items():
        if lines := _map(kind, qos):
            yield f"qos-map {kind} {names.of[lines]}"
    yield from _pfc_lines(qos)
    if speaks and (qos.dcbx is None or qos.dcbx.state != "ieee"):
        yield "no dcbx enable"


def _pfc_lines(qos: PortQos) -> Iterator[str]:
    pfc, dog = qos.pfc, qos.watchdog
    if pfc is None or pfc.admin != "on":
        return
    yield from (f"priority-flow-control priority {priority}" for priority in sorted(pfc.tx or ()))
    if pfc.rx != pfc.tx:
        yield "priority-flow-control asymmetric"
    if dog is not None and dog.enabled:
        yield f"priority-flow-control watchdog action {dog.action}"
        yield f"priority-flow-control watchdog on detect-time {dog.detect}"
        if dog.restore is not None:
            yield f"priority-flow-control watchdog restore-time {dog.restore}"
