"""Ways of packets from host to host: what each device on the way reads, and which ways suffice to see everything.

for path in covering(fabric): path.text()                # gpu01 > leaf1 > spine1 > leaf2 > gpu02
for path in between(fabric, "gpu01", "gpu05"): ...       # the equal-cost ways of one pair
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from rocecfg.fabric.graph import DOWN, PEER, UP, UP_DOWN

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from rocecfg.fabric.graph import Fabric, Topology
    from rocecfg.state.model import Device, Port

MOST_WAYS = 20_000
"""Equal-cost ways of one pair that are looked at."""
_MOST_TURNS = 64


class Hop(NamedTuple):
    """One device on a way: the port a packet comes by and the one it leaves by. "" at the ends."""

    device: str
    state: Device | None
    arrives: str
    leaves: str
    inward: Port | None
    outward: Port | None
    rank: int | None

    @property
    def is_switch(self) -> bool:
        """Whether the device passes packets on."""
        return bool(self.arrives and self.leaves)


@dataclass(frozen=True, slots=True)
class Path:
    """A way from host to host: the subject of path rules."""

    hops: tuple[Hop, ...]
    cables: tuple[int, ...] = ()
    fabric: Fabric | None = None

    def back(self) -> Path:
        """Return the way back, over the same cables."""
        hops = tuple(
            Hop(hop.device, hop.state, hop.leaves, hop.arrives, hop.outward, hop.inward, hop.rank)
            for hop in reversed(self.hops)
        )
        return Path(hops, self.cables[::-1], self.fabric)

    def text(self) -> str:
        """Return the devices in order: `gpu01 > leaf1 > gpu02`."""
        return " > ".join(hop.device for hop in self.hops)

    def treatment(self) -> Hashable:
        """Return what path rules can tell apart: ways with equal treatment are judged alike."""
        ends = (self.hops[0].state, self.hops[-1].state)
        return (
            tuple(_kind(port) for hop in self.hops for port in (hop.inward, hop.outward)),
            tuple(hop.rank for hop in self.hops),
            tuple(state.apps if state is not None else None for state in ends),
            tuple(self.fabric.lengths(cable) for cable in self.cables) if self.fabric is not None else (),
        )


def _kind(port: Port | None) -> Hashable:
    if port is None:
        return None
    return (
        id(port.qos),
        port.mtu,
        port.mtu_counts,
        port.speed,
        port.speed_now,
        port.nic,
        port.enabled,
        port.role,
        port.mode,
    )


def path_of(fabric: Fabric, channels: Sequence[int]) -> Path:
    """Return the path over channels that follow each other."""
    topology, devices = fabric.topology, fabric.devices
    hops = []
    for at in range(len(channels) + 1):
        before = channels[at - 1] if at else None
        after = channels[at] if at < len(channels) else None
        number = topology.sender(after) if after is not None else topology.receiver(channels[-1])
        name = topology.names[number]
        held = devices.get(name)
        arrives = topology.ports(before)[1] if before is not None else ""
        leaves = topology.ports(after)[0] if after is not None else ""
        ports = held.ports if held is not None else {}
        hops.append(
            Hop(
                name,
                held.device if held is not None else None,
                arrives,
                leaves,
                ports.get(arrives),
                ports.get(leaves),
                topology.ranks[number],
            )
        )
    return Path(tuple(hops), tuple(channel >> 1 for channel in channels), fabric)


def covering(fabric: Fabric) -> Iterator[Path]:
    """Yield ways that take every distinct turn of every switch at least once, by the up-down rule.

    A turn is distinct by how the ports at both of its cables are set. Their number grows with the devices, not with
    the pairs of hosts.
    """
    ways = _Ways(fabric)
    for device in range(len(fabric.topology.names)):
        if fabric.topology.forwards(device):
            for channels in ways.through(device):
                yield path_of(fabric, channels)


class _Ways:
    """Completes a turn at a switch to a way from a host to a host."""

    def __init__(self, fabric: Fabric) -> None:
        self._fabric = fabric
        self._topology = fabric.topology
        self._down: dict[tuple[int, bool], list[int]] = {}

    def through(self, device: int) -> Iterator[list[int]]:
        """Yield ways through a switch, one for each distinct turn."""
        arriving, leaving = self._by_kind(device, arriving=True), self._by_kind(device, arriving=False)
        turns = (
            (first, second)
            for (came, _), firsts in arriving.items()
            for (way, _), seconds in leaving.items()
            if (came, way) in UP_DOWN and (came, way) != (PEER, PEER)
            and (turn := self._turn(firsts, seconds)) is not None
            for first, second in [turn]
        )  # fmt: skip
        for first, second in islice(turns, _MOST_TURNS):
            yield [*self._before(first), first, second, *self._after(second)]

    def _by_kind(self, device: int, *, arriving: bool) -> dict[tuple[int, Hashable], list[int]]:
        """Return some channels for each direction and setting of the two ports, the first and the last."""
        topology, fabric = self._topology, self._fabric
        found: dict[tuple[int, Hashable], list[int]] = {}
        for way, channels in enumerate(topology.out[device]):
            for out in channels:
                channel, direction = (out ^ 1, DOWN - way) if arriving else (out, way)
                kinds = (
                    _kind(fabric.port(channel, arriving=False)),
                    _kind(fabric.port(channel, arriving=True)),
                )
                some = found.setdefault((direction, kinds), [])
                if len(some) < 2:
                    some.append(channel)
                else:
                    some[1] = channel
        return found

    def _turn(self, firsts: list[int], seconds: list[int]) -> tuple[int, int] | None:
        topology = self._topology
        for first in firsts:
            for second in reversed(seconds):
                if topology.sender(first) != topology.receiver(second):
                    return first, second
        return None

    def _before(self, channel: int) -> list[int]:
        """Return the way from a host to where a channel begins."""
        topology = self._topology
        sender, direction = topology.sender(channel), topology.direction(channel)
        if direction == DOWN:
            for down in topology.out[sender][DOWN]:
                below = topology.receiver(down)
                if below != topology.receiver(channel):
                    return [*(c ^ 1 for c in reversed(self._to_host(below, last=False))), down ^ 1]
            return []
        return [c ^ 1 for c in reversed(self._to_host(sender, last=False))]

    def _after(self, channel: int) -> list[int]:
        """Return the way from where a channel ends to a host."""
        topology = self._topology
        receiver, direction = topology.receiver(channel), topology.direction(channel)
        if direction == UP:
            for down in reversed(topology.out[receiver][DOWN]):
                below = topology.receiver(down)
                if below != topology.sender(channel):
                    return [down, *self._to_host(below, last=True)]
            return []
        return self._to_host(receiver, last=True)

    def _to_host(self, device: int, *, last: bool) -> list[int]:
        """Return the way down from a device to the first or last host below it; empty for a host."""
        topology = self._topology
        known = self._down.get((device, last))
        if known is None:
            known = []
            channels = topology.out[device][DOWN] if topology.forwards(device) else ()
            if channels:
                channel = channels[-1 if last else 0]
                known = [channel, *self._to_host(topology.receiver(channel), last=last)]
            self._down[device, last] = known
        return known


def between(fabric: Fabric, start: int, end: int, port: str = "", to_port: str = "") -> Iterator[Path]:
    """Yield the shortest up-down ways from one device to another, at most `MOST_WAYS`.

    `port`, `to_port` = the ports they must leave and arrive by. Where no way follows the up-down rule, the shortest
    ways of any kind.
    """
    topology = fabric.topology
    found = _shortest(topology, start, end, port, to_port, rule=True)
    found = found or _shortest(topology, start, end, port, to_port, rule=False)
    for channels in islice(_unrolled(found, start), MOST_WAYS):
        yield path_of(fabric, channels)


_Node = tuple[int, int]
"""A device, and in which direction packets arrived there (UP at the start)."""


def _shortest(
    topology: Topology, start: int, end: int, port: str, to_port: str, *, rule: bool
) -> dict[_Node, list[tuple[int, _Node]]]:
    """Return for each device on a shortest way the channels packets arrive by; empty when there is no way."""
    came: dict[_Node, list[tuple[int, _Node]]] = {}
    level: dict[_Node, None] = {(start, UP): None}
    seen: set[_Node] = set(level)
    while level:
        ahead: dict[_Node, None] = {}
        reached: dict[_Node, list[tuple[int, _Node]]] = {}
        for node in level:
            here, arrived = node
            for way, channels in enumerate(topology.out[here]):
                if rule and (arrived, way) not in UP_DOWN:
                    continue
                for channel in channels:
                    far = topology.receiver(channel)
                    names = topology.ports(channel)
                    if (here == start and port and names[0] != port) or (
                        far == end and to_port and names[1] != to_port
                    ):
                        continue
                    after = (far, way)
                    if after not in seen and (far == end or topology.forwards(far)):
                        reached.setdefault(after, []).append((channel, node))
                        ahead[after] = None
        came.update(reached)
        ends = [node for node in ahead if node[0] == end]
        if ends:
            came[end, -1] = [step for node in ends for step in came[node]]
            return came
        seen.update(ahead)
        level = ahead
    return {}


def _unrolled(came: dict[_Node, list[tuple[int, _Node]]], start: int) -> Iterator[list[int]]:
    """Yield the ways as lists of channels, ends first to last."""
    if not came:
        return
    *_, goal = came  # the end was noted last
    waiting: list[tuple[_Node, tuple[int, ...]]] = [(goal, ())]
    while waiting:
        node, way = waiting.pop()
        if node[0] == start:
            yield list(way)
            continue
        waiting += [(before, (channel, *way)) for channel, before in reversed(came.get(node, ()))]
