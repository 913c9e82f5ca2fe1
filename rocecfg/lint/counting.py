"""What rules about counters are fed with: one capture, two captures of one device, or all pairs of a run.

`Counters` is the newest capture of a device, for what one look proves (a stalled queue, a peak). `CounterPair` is two
captures: the later minus the earlier. A counter that went backwards was cleared in between, so it proves nothing.
`CounterFabric` is what all pairs say together. Part of what a rule may import (`lint.api`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from rocecfg.lint.lossless import configured_lossless
from rocecfg.state.counters import BY_NUMBER, PortCounters, RdmaCounters, Sample

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rocecfg.fabric.links import Cabling
    from rocecfg.lint.api import Given, Unknown
    from rocecfg.state.model import Device, PortQos, Where

ANY_PRIORITY = -1
"""PFC frames of a device that does not tell the priorities apart."""


@dataclass(frozen=True, slots=True)
class Growth:
    """How much one counter grew between two captures."""

    ports: Mapping[str, Mapping[int | None, int]]
    """Port -> priority, queue or group (None = the counter has none) -> growth."""
    cleared: frozenset[str] = frozenset()
    """Ports where it went backwards: somebody cleared it, or the device was restarted."""

    @property
    def offered(self) -> bool:
        """Whether both captures show this counter for any port."""
        return bool(self.ports or self.cleared)

    def at(self, port: str, number: int | None = None) -> int | None:
        """Return the growth on a port, None when it is not known."""
        return self.ports.get(port, {}).get(number)

    def total(self, port: str) -> int | None:
        """Return the growth over all priorities, queues or groups of a port, None when none is known."""
        return sum(self.ports[port].values()) if port in self.ports else None

    def by_number(self) -> dict[int | None, dict[str, int]]:
        """Return what grew at all: priority, queue or group -> port -> growth."""
        found: dict[int | None, dict[str, int]] = {}
        for port, counts in self.ports.items():
            for number, count in counts.items():
                if count:
                    found.setdefault(number, {})[port] = count
        return found


@dataclass(frozen=True, slots=True)
class Counters:
    """The counters of one capture, beside the state that the capture shows."""

    device: Device
    sample: Sample

    def qos(self, port: str) -> PortQos | None:
        """Return what is in force on a port, None when the capture does not have the port."""
        found = self.device.ports.get(port)
        return found.qos if found is not None else None

    def by_number(self, counter: str) -> dict[int | None, dict[str, int]]:
        """Return what is above zero: priority, queue or group (None = it has none) -> port -> count."""
        found: dict[int | None, dict[str, int]] = {}
        for name, port in self.sample.ports.items():
            for number, count, _ in _values(counter, port, port):
                if count:
                    found.setdefault(number, {})[name] = count
        return found

    def tell(self, found: Mapping[str, int]) -> str:
        """Return `120`, or `1240 on 12 ports, 800 of them on Ethernet4`."""
        return _told(found, "")

    def where(self, found: Mapping[str, int], counter: str) -> Where | None:
        """Return the line of a counter ("pg_drops.3") on the port that counted most."""
        port = self.sample.ports.get(worst_port(found))
        return port.where(counter) if port is not None else None


@dataclass(frozen=True, slots=True)
class CounterPair:
    """Two captures of one device. `device` is the state of the one that was read last."""

    device: Device
    earlier: Sample
    later: Sample
    seconds: float | None = None
    """Time between the captures, None when a capture does not say when it was taken."""

    def qos(self, port: str) -> PortQos | None:
        """Return what is in force on a port, None when the capture does not have the port."""
        found = self.device.ports.get(port)
        return found.qos if found is not None else None

    def growth(self, counter: str) -> Growth:
        """Return how much a counter of `PortCounters` grew, wherever both captures show it."""
        ports: dict[str, dict[int | None, int]] = {}
        cleared: set[str] = set()
        for name, later in self.later.ports.items():
            earlier = self.earlier.ports.get(name)
            if earlier is None:
                continue
            grown = {
                number: after - before
                for number, before, after in _values(counter, earlier, later)
                if before is not None and after is not None
            }
            if any(count < 0 for count in grown.values()):
                cleared.add(name)
            elif grown:
                ports[name] = grown
        return Growth(ports, frozenset(cleared))

    def pfc(self, side: str) -> Growth:
        """Return how many PFC frames a side ("rx", "tx") counted; number -1 where the priorities are not told apart."""
        by_priority, total = self.growth(f"{side}_pfc"), self.growth(f"{side}_pfc_total")
        told = by_priority.ports.keys() | by_priority.cleared
        blind: dict[str, Mapping[int | None, int]] = {
            port: {ANY_PRIORITY: sum(counts.values())} for port, counts in total.ports.items() if port not in told
        }
        return Growth({**blind, **by_priority.ports}, by_priority.cleared | (total.cleared - told))

    def rdma(self, counter: str) -> tuple[dict[str, int], frozenset[str]]:
        """Return how much a counter of `RdmaCounters` grew by RDMA device, and the devices where it was cleared."""
        grown, cleared = {}, set()
        for name, later in self.later.rdma.items():
            before = getattr(self.earlier.rdma.get(name, RdmaCounters()), counter)
            after = getattr(later, counter)
            if before is None or after is None:
                continue
            if after < before:
                cleared.add(name)
            else:
                grown[name] = after - before
        return grown, frozenset(cleared)

    def span(self) -> str:
        """Return ` in 60 s`, or ` between the captures` when nobody says how long that was."""
        return f" in {self.seconds:g} s" if self.seconds is not None else " between the captures"

    def tell(self, found: Mapping[str, int]) -> str:
        """Return `120 in 60 s`, or `1240 in 60 s on 12 ports, 800 of them on Ethernet4`."""
        return _told(found, self.span())

    def where(self, found: Mapping[str, int], counter: str) -> Where | None:
        """Return the later capture's line of a counter ("pg_drops.3") on the port that counted most."""
        port = self.later.ports.get(worst_port(found))
        return port.where(counter) if port is not None else None


def _told(found: Mapping[str, int], span: str) -> str:
    worst = worst_port(found)
    if len(found) == 1:
        return f"{found[worst]}{span}"
    return f"{sum(found.values())}{span} on {len(found)} ports, {found[worst]} of them on {worst}"


def worst_port(found: Mapping[str, int]) -> str:
    """Return the port that counted most; of several the first."""
    return max(found, key=lambda port: found[port])


def _values(
    counter: str, earlier: PortCounters, later: PortCounters
) -> Iterator[tuple[int | None, int | None, int | None]]:
    before, after = getattr(earlier, counter), getattr(later, counter)
    if counter not in BY_NUMBER:
        yield None, before, after
    elif before is not None and after is not None:
        yield from ((number, *both) for number, both in enumerate(zip(before, after, strict=True)))


def lossless_here(qos: PortQos | None, given: Given) -> frozenset[int] | None:
    """Return the priorities that are lossless on a port: the intent's, else the configured ones; None when unknown."""
    if given.expect is not None:
        return given.expect.lossless
    if qos is None:
        return None
    paused = qos.lossless_priorities()
    return paused or configured_lossless(qos) or paused


def gaps(growth: Growth, what: str) -> Iterator[Unknown]:
    """Yield what two captures leave open about a counter: they do not show it, or it was cleared in between."""
    from rocecfg.lint.api import Unknown

    if not growth.offered:
        yield Unknown(what)
    elif growth.cleared:
        yield Unknown(f"{what}: cleared between the captures")


class Paused(NamedTuple):
    """PFC of one port between two captures: priorities it was paused on, priorities it paused its peer on."""

    received: frozenset[int]
    sent: frozenset[int]
    role: str | None
    place: Where | None


class Cnps(NamedTuple):
    """CNPs of one host between two captures; None = not counted."""

    sent: int | None
    arrived: int | None
    place: Where | None


@dataclass(frozen=True, slots=True)
class CounterFabric:
    """What all pairs of a run say together. Devices come without their ports."""

    cabling: Cabling
    devices: Mapping[str, Device]
    paused: Mapping[tuple[str, str], Paused] = field(default_factory=dict)
    """(device, port) -> PFC, only ports where it grew."""
    cnps: Mapping[str, Cnps] = field(default_factory=dict)
    """Host -> CNPs of all its RDMA devices."""
    absent: frozenset[str] = frozenset()
    """Hosts of the intent of which no two captures were given."""
