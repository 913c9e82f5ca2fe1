"""Cables: from the intent, a links file or LLDP, and what they tell about the ports at their ends.

cabling = Cabling.of_fabric(fabric)                # or Cabling(facts_of_file("links.yaml"))
device = cabling.overlay(device)                   # role, speed, neighbour where the capture does not say
cabling.at("leaf1")["Ethernet1/1"]                 # the cables of a port, seen from this end
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from fractions import Fraction
    from pathlib import Path

    from rocecfg.findings import Spot
    from rocecfg.intent.fabric import Fabric
    from rocecfg.state.model import Device, Port

Kind = Literal["switch", "host"]
Source = Literal["intent", "lldp", "links-file", "description"]


class PortName(NamedTuple):
    """One end of a cable by name."""

    device: str
    port: str


@dataclass(frozen=True, slots=True)
class Cable:
    """A cable between two ports. Speed in bit/s, length in metres; None where nobody says."""

    a: PortName
    b: PortName
    speed: int | None = None
    length: Fraction | int | None = None
    media: str = ""
    place: Spot | None = None
    source: Source = "intent"

    def other(self, end: PortName) -> PortName:
        """Return the far end."""
        return self.b if end == self.a else self.a


class Cabling:
    """All cables by device and port."""

    def __init__(self, cables: Iterable[Cable], kinds: Mapping[str, Kind] | None = None) -> None:
        self.cables = tuple(cables)
        self._kinds = kinds or {}
        self._at: dict[str, dict[str, list[Cable]]] = {}
        for cable in self.cables:
            for end in (cable.a, cable.b):
                self._at.setdefault(end.device, {}).setdefault(end.port, []).append(cable)

    @classmethod
    def of_fabric(cls, fabric: Fabric) -> Cabling:
        """Return the cables of an intent."""
        cables = (
            Cable(
                PortName(*link.a),
                PortName(*link.b),
                link.speed,
                link.cable.length if link.cable else None,
                (link.cable.media or "") if link.cable else "",
                link.place,
            )
            for link in fabric.links
        )
        return cls(cables, {name: device.kind for name, device in fabric.devices.items()})

    @property
    def kinds(self) -> Mapping[str, Kind]:
        """Return the kind of each device that the intent names."""
        return self._kinds

    def at(self, device: str) -> Mapping[str, list[Cable]]:
        """Return the cables of a device by port name; empty for a device without any."""
        return self._at.get(device, {})

    def overlay(self, device: Device) -> Device:
        """Return a device whose ports know role, speed and neighbour from the cables, where the capture is silent."""
        cables = self.at(device.name)
        if not cables:
            return device
        ports = {name: self._overlaid(device, port, cables.get(name)) for name, port in device.ports.items()}
        return replace(device, ports=ports)

    def _overlaid(self, device: Device, port: Port, cables: list[Cable] | None) -> Port:
        if not cables:
            return port
        from rocecfg.state.model import Neighbour

        cable = cables[0]
        far = cable.other(PortName(device.name, port.name))
        role = port.role
        if role is None:
            kind = "host" if device.kind == "host" else self._kinds.get(far.device)
            role = {"host": "host", "switch": "fabric"}.get(kind or "")  # type: ignore[assignment]
        speed = port.speed if port.speed is not None else cable.speed
        neighbour = port.neighbour or Neighbour(far.device, far.port, cable.source)
        if (role, speed, neighbour) == (port.role, port.speed, port.neighbour):
            return port
        return replace(port, role=role, speed=speed, neighbour=neighbour)


def cables_of_file(path: Path | str) -> list[Cable]:
    """Return the cables of a links file: a YAML list of `{a: "dev:port", b: "dev:port", speed, cable}`.

    Patterns are expanded as in an intent. Raises IntentError with every problem of the file.
    """
    from rocecfg.intent.load import load_links
    from rocecfg.intent.patterns import expand

    cables = []
    for line in load_links(path):
        left, right = expand(line.a), expand(line.b)
        if len(left) != len(right):
            left, right = (left * len(right), right) if len(left) == 1 else (left, right * len(left))
        length, media = (line.cable.length, line.cable.media or "") if line.cable else (None, "")
        for a, b in zip(left, right, strict=True):
            near, far = PortName(*a.split(":", 1)), PortName(*b.split(":", 1))
            cables.append(Cable(near, far, line.speed, length, media, line.place, "links-file"))
    return cables


def cables_of_neighbours(devices: Iterable[Device]) -> list[Cable]:
    """Return the cables that LLDP shows, each once, however many ends saw it."""
    cables: list[Cable] = []
    seen: set[frozenset[PortName]] = set()
    for device in devices:
        for port in device.ports.values():
            if port.neighbour is None or port.neighbour.source != "lldp":
                continue
            near, far = PortName(device.name, port.name), PortName(port.neighbour.device, port.neighbour.port)
            ends = frozenset((near, far))
            if ends not in seen:
                seen.add(ends)
                cables.append(Cable(near, far, port.line_rate, place=port.place, source="lldp"))
    return cables
