"""What must be kept of devices that were judged: ends of cables, and what fleet rules compare.

A device is let go as soon as possible, so that the memory of a run does not grow with the fleet: of a port that waits
for the far end of its cable only the port is kept, of a fleet's device one port for each distinct `PortQos`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rocecfg.lint.api import End, Link

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocecfg.fabric.links import Cable, Cabling, PortName
    from rocecfg.state.model import Device, Interner, Port, PortQos, Where

_LINK_LEAVES = (
    "pfc", "pfc.tx", "pfc.rx", "mtu", "speed", "cable", "link_pause", "dcbx", "trust", "fec", "dscp_to_tc",
    "neighbour", "nic.cnp_dscp",
)  # fmt: skip
_FLEET_LEAVES = (
    "trust", "dscp_to_tc", "pcp_to_tc", "pfc", "watchdog", "watchdog.detect", "queues", "priority_groups",
    "mtu", "rewrite", "link_pause", "tc_to_queue", "nic", "nic.congestion_control", "nic.firmware",
)  # fmt: skip
_OF_GROUP = ("", ".headroom", ".xoff_at")
"""Places that are kept, of lossless priority groups these; a finding about any other leaf points at the port's own
line."""


class Ends:
    """Pairs the two ends of each cable as their devices come by."""

    def __init__(self, cabling: Cabling, share: Interner) -> None:
        self._cabling = cabling
        self._share = share
        self._held: dict[str, tuple[Device, dict[str, Port]]] = {}
        self._judged: set[int] = set()

    def complete(self, device: Device) -> Iterator[Link]:
        """Yield the links whose second end is this device; keep its other ends."""
        cables = self._cabling.at(device.name)
        here = (replace(device, ports={}, objects=(), lines=(), pools=None, sample=None), dict(device.ports))
        waiting: dict[str, Port] = {}
        shared: dict[int, PortQos] = {}
        done: list[Cable] = []
        for name, at_port in cables.items():
            for cable in at_port:
                if id(cable) in self._judged:
                    continue
                far = cable.b if cable.a.device == device.name else cable.a
                if far.device == device.name or far.device in self._held:
                    self._judged.add(id(cable))
                    done.append(cable)
                    yield self._link(cable, {device.name: here})
                elif name in device.ports:
                    waiting[name] = self._slim(device.ports[name], shared)
        self._held[device.name] = (here[0], waiting)
        for cable in done:
            self._let_go(cable, device.name)

    def left(self) -> Iterator[Link]:
        """Yield the links with an end that never came; let everything go."""
        for cable in self._cabling.cables:
            if id(cable) not in self._judged and (cable.a.device in self._held or cable.b.device in self._held):
                yield self._link(cable, {})
        self._held.clear()

    def held_ports(self) -> int:
        """Return how many ports wait for the far end of their cable."""
        return sum(len(ports) for _, ports in self._held.values())

    def _link(self, cable: Cable, here: dict[str, tuple[Device, dict[str, Port]]]) -> Link:
        def end(name: PortName) -> End:
            device, ports = here.get(name.device) or self._held.get(name.device) or (None, {})
            return End(name.device, name.port, device, ports.get(name.port))

        return Link(end(cable.a), end(cable.b), cable.speed, cable.length, cable.media, cable.place)

    def _let_go(self, cable: Cable, device: str) -> None:
        """Drop the far port of a judged cable, unless another of its cables still waits."""
        far = cable.b if cable.a.device == device else cable.a
        if all(id(other) in self._judged for other in self._cabling.at(far.device).get(far.port, ())):
            self._held[far.device][1].pop(far.port, None)

    def _slim(self, port: Port, shared: dict[int, PortQos]) -> Port:
        """Return a port that shares its `PortQos` with others; `shared` holds those of this device by identity."""
        qos = shared.get(id(port.qos))
        if qos is None:
            qos = shared[id(port.qos)] = self._share(port.qos)
        return replace(port, qos=qos, places=_kept(port, _LINK_LEAVES))


def for_fleet(device: Device, share: Interner) -> Device:
    """Return a device with one port for each distinct `PortQos` and DCQCN setting, the first that has it."""
    first: dict[object, Port] = {}
    for port in device.ports.values():
        first.setdefault((id(port.qos), port.nic.congestion_control if port.nic is not None else None), port)
    ports = {
        port.name: replace(port, qos=share(port.qos), places=_kept(port, _FLEET_LEAVES)) for port in first.values()
    }
    return replace(device, ports=ports, objects=(), lines=(), sample=None)


def _kept(port: Port, leaves: tuple[str, ...]) -> dict[str, Where]:
    places, groups = port.places, port.qos.priority_groups or ()
    single = [
        f"priority_groups.{number}{leaf}"
        for number, group in enumerate(groups)
        if group is not None and group.lossless
        for leaf in _OF_GROUP
    ]
    return {leaf: places[leaf] for leaf in (*leaves, *single) if leaf in places}
