"""A fabric as numbers: devices, cables, ranks, and the directions a packet can take.

A device is a number, a cable `i` two channels: `2 * i` from its `a` end to its `b` end, `2 * i + 1` back. A rank says
how far a switch stands above the hosts (host 0, leaf 1, spine 2, ...); a channel leads UP, DOWN, or to a PEER of the
same rank. The up-down rule: up, then across, then down, never up again.

    topology = Topology.of_cables(cables, hosts={"gpu01"}, known={"leaf1", "gpu01"})
    topology.ranks                       # None where nothing tells
"""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from fractions import Fraction

    from rocecfg.fabric.links import Cable
    from rocecfg.findings import Spot
    from rocecfg.state.model import Device, Port

UP, PEER, DOWN = 0, 1, 2
UP_DOWN = ((UP, UP), (UP, PEER), (UP, DOWN), (PEER, PEER), (PEER, DOWN), (DOWN, DOWN))
"""The turns of the up-down rule: how a packet arrived, how it may leave."""

_FEW = 8
"""A switch with less than one eighth of the hosts of the fullest one is no leaf (a spine with a storage host)."""
_TIERS = {
    "host": 0, "tor": 1, "t0": 1, "leaf": 1, "edge": 1, "access": 1, "torrouter": 1,
    "t1": 2, "spine": 2, "agg": 2, "aggregation": 2, "leafrouter": 2,
    "t2": 3, "superspine": 3, "super-spine": 3, "core": 3, "spinerouter": 3,
}  # fmt: skip
"""Role words and the tier they usually stand for; asked only where no host is known."""


class PathNode(NamedTuple):
    """One device of a declared path and the priority packets leave it in; None = each lossless one."""

    device: str
    priority: int | None


@dataclass(frozen=True, slots=True)
class DeclaredPath:
    """A way that packets take, as a paths file says: the devices in order."""

    nodes: tuple[PathNode, ...]
    place: Spot | None = None


class Held(NamedTuple):
    """What is kept of a device: itself without ports, and its cabled ports by name.

    Ports that differ in nothing a path or fabric rule reads are one object: the first of them.
    """

    device: Device
    ports: Mapping[str, Port]


class Topology:
    """Devices and cables by number. Devices that nobody knows (a cable leads there) forward nothing."""

    def __init__(
        self,
        names: Sequence[str],
        ends: Iterable[tuple[int, int]],
        hosts: Collection[int] = (),
        *,
        roles: Mapping[int, str] | None = None,
        unknown: Collection[int] = (),
        port_names: Callable[[int], tuple[str, str]] | None = None,
    ) -> None:
        self.names = names
        self.hosts = frozenset(hosts)
        self.unknown = frozenset(unknown)
        self._port_names = port_names
        self.a, self.b = array("i"), array("i")
        for a, b in ends:
            self.a.append(a)
            self.b.append(b)
        self.ranks = _ranks(self, roles or {})
        self.out = self._directions()

    @classmethod
    def of_cables(
        cls,
        cables: Sequence[Cable],
        *,
        hosts: Collection[str],
        known: Collection[str],
        roles: Mapping[str, str] | None = None,
    ) -> Topology:
        """Return the topology of cables. `hosts` = device names that are hosts, `known` = devices with a state."""
        number: dict[str, int] = {}
        for cable in cables:
            number.setdefault(cable.a.device, len(number))
            number.setdefault(cable.b.device, len(number))
        return cls(
            list(number),
            ((number[cable.a.device], number[cable.b.device]) for cable in cables),
            {at for name, at in number.items() if name in hosts},
            roles={number[name]: role for name, role in (roles or {}).items() if name in number and role},
            unknown={at for name, at in number.items() if name not in known and name not in hosts},
            port_names=lambda at: (cables[at].a.port, cables[at].b.port),
        )

    @property
    def channels(self) -> int:
        """Number of channels: two a cable."""
        return 2 * len(self.a)

    def sender(self, channel: int) -> int:
        """Return the device that sends on a channel."""
        return self.b[channel >> 1] if channel & 1 else self.a[channel >> 1]

    def receiver(self, channel: int) -> int:
        """Return the device that a channel leads to."""
        return self.a[channel >> 1] if channel & 1 else self.b[channel >> 1]

    def ports(self, channel: int) -> tuple[str, str]:
        """Return the names of the sending and the receiving port."""
        if self._port_names is None:
            return f"cable{channel >> 1}", f"cable{channel >> 1}"
        a, b = self._port_names(channel >> 1)
        return (b, a) if channel & 1 else (a, b)

    def forwards(self, device: int) -> bool:
        """Return whether a device passes packets on: a switch whose rank is known."""
        return device not in self.hosts and device not in self.unknown and self.ranks[device] is not None

    def direction(self, channel: int) -> int | None:
        """Return UP, PEER or DOWN; None where a rank is not known."""
        here, there = self.ranks[self.sender(channel)], self.ranks[self.receiver(channel)]
        if here is None or there is None:
            return None
        return UP if there > here else DOWN if there < here else PEER

    def between(self, sender: int, receiver: int) -> int | None:
        """Return the first channel from one device to another."""
        return next(
            (c for of in self.out[sender] for c in of if self.receiver(c) == receiver),
            next((c for c in self._any(sender) if self.receiver(c) == receiver), None),
        )

    def _any(self, device: int) -> Iterator[int]:
        """Yield the channels of a device whatever is known of ranks. Slow: for the few odd cases."""
        for at, (a, b) in enumerate(zip(self.a, self.b, strict=True)):
            if a == device:
                yield 2 * at
            if b == device:
                yield 2 * at + 1

    def _directions(self) -> list[tuple[array[int], array[int], array[int]]]:
        """Return per device its outgoing channels by direction."""
        out = [(array("i"), array("i"), array("i")) for _ in self.names]
        ranks = self.ranks
        channel = 0
        for a, b in zip(self.a, self.b, strict=True):
            low, high = ranks[a], ranks[b]
            if low is not None and high is not None and a != b:
                way = UP if high > low else DOWN if high < low else PEER
                out[a][way].append(channel)
                out[b][DOWN - way].append(channel + 1)
            channel += 2
        return out


def _ranks(topology: Topology, roles: Mapping[int, str]) -> list[int | None]:
    """Return the rank of each device: its distance from the hosts, the same for most of a role."""
    count = len(topology.names)
    near: list[list[int]] = [[] for _ in range(count)]
    for a, b in zip(topology.a, topology.b, strict=True):
        near[a].append(b)
        near[b].append(a)
    ranks: list[int | None] = [0 if at in topology.hosts else None for at in range(count)]
    leaves = _leaves(topology, near, topology.hosts)
    if not leaves:
        leaves = {at for at, role in roles.items() if _TIERS.get(role.lower()) == 1}
    if not leaves:
        tiers = {at: tier for at, role in roles.items() if (tier := _TIERS.get(role.lower()))}
        leaves = (
            {at for at, tier in tiers.items() if tier == min(tiers.values())} if len(set(tiers.values())) > 1 else set()
        )
    if not leaves:
        leaves = _leaves(topology, near, topology.unknown)
    edge, rank = leaves, 1
    while edge:
        for at in edge:
            ranks[at] = rank
        edge = {far for at in edge for far in near[at] if ranks[far] is None and far not in topology.unknown}
        rank += 1
    for at in topology.unknown:
        ranks[at] = 0  # it forwards nothing, so it stands where hosts stand
    return _by_role(ranks, roles, topology)


def _leaves(topology: Topology, near: list[list[int]], ends: Collection[int]) -> set[int]:
    """Return the switches to which many of the ends are cabled."""
    counts: Counter[int] = Counter()
    for end in ends:
        counts.update({far for far in near[end] if far not in topology.hosts and far not in topology.unknown})
    most = max(counts.values(), default=0)
    return {at for at, count in counts.items() if count * _FEW >= most}


def _by_role(ranks: list[int | None], roles: Mapping[int, str], topology: Topology) -> list[int | None]:
    """Give the few devices of a role that stand elsewhere the rank of the most: a spine with a host stays a spine."""
    seen: dict[str, Counter[int]] = {}
    for at, role in roles.items():
        rank = ranks[at]
        if rank is not None and at not in topology.hosts and at not in topology.unknown:
            seen.setdefault(role, Counter())[rank] += 1
    for at, role in roles.items():
        if role in seen and ranks[at] is not None and at not in topology.hosts and at not in topology.unknown:
            (rank, count), *_ = seen[role].most_common(1)
            if 2 * count > sum(seen[role].values()):
                ranks[at] = rank
    return ranks


@dataclass(frozen=True, slots=True)
class Fabric:
    """A whole fabric: the subject of fabric rules. States are there as far as devices were read."""

    topology: Topology
    devices: Mapping[str, Held] = field(default_factory=dict)
    declared: tuple[DeclaredPath, ...] = ()
    wanted: frozenset[int] | None = None
    """The priorities that the intent wants lossless; None without an intent."""
    places: Callable[[int], Spot | None] = lambda _cable: None
    """The line that asks for a cable."""
    oversubscription: Callable[[str], Fraction | None] = lambda _device: None
    """What the intent accepts as ratio of host to fabric bandwidth of a switch."""
    speeds: Callable[[int], int | None] = lambda _cable: None
    """bit/s of a cable, as the intent, the links file or one of its ports says."""
    lengths: Callable[[int], Fraction | int | None] = lambda _cable: None
    """Metres of a cable."""
    _known: dict[object, Any] = field(default_factory=dict, compare=False, repr=False)

    def port(self, channel: int, *, arriving: bool) -> Port | None:
        """Return the port that a channel arrives at, or leaves from; None where nobody read it."""
        if not self.devices:
            return None
        ends: list[Port | None] | None = self._known.get("ends")
        if ends is None:
            ends = self._known["ends"] = list(self._ends())
        return ends[channel ^ arriving]

    def _ends(self) -> Iterator[Port | None]:
        """Yield the ports of all cables, `a` end before `b` end: the sender of each channel, in their order."""
        topology = self.topology
        ports = [held.ports if (held := self.devices.get(name)) is not None else {} for name in topology.names]
        for cable, (a, b) in enumerate(zip(topology.a, topology.b, strict=True)):
            near, far = topology.ports(2 * cable)
            yield ports[a].get(near)
            yield ports[b].get(far)

    def lossless(self) -> frozenset[int] | None:
        """Return the priorities that are lossless somewhere on a cable; None when nothing tells."""
        if "lossless" not in self._known:
            self._known["lossless"] = self._lossless()
        known: frozenset[int] | None = self._known["lossless"]
        return known

    def _lossless(self) -> frozenset[int] | None:
        if self.wanted is not None:
            return self.wanted
        found: set[int] = {node.priority for path in self.declared for node in path.nodes if node.priority is not None}
        seen: set[int] = set()
        known = bool(found)
        for held in self.devices.values():
            if held.device.kind == "host":
                continue
            for port in held.ports.values():
                if id(port.qos) not in seen:
                    seen.add(id(port.qos))
                    sends = port.qos.pfc.sends() if port.qos.pfc is not None else None
                    known = known or sends is not None
                    found |= sends or frozenset()
        return frozenset(found) if known else None

    def mask(self, priority: int) -> bytes | None:
        """Return a byte for each channel, 0 where the receiver is known not to pause the priority; None = all may."""
        if not self.devices:
            return None
        if priority not in self._known:
            self._known[priority] = self._mask(priority)
        known: bytes | None = self._known[priority]
        return known

    def _mask(self, priority: int) -> bytes | None:
        pauses: dict[int, bool] = {}
        topology = self.topology
        mask = bytearray(b"\1" * topology.channels)
        for channel in range(topology.channels):
            port = self.port(channel, arriving=True)
            if port is None:
                continue
            known = pauses.get(id(port.qos))
            if known is None:
                sends = port.qos.pfc.sends() if port.qos.pfc is not None else None
                known = pauses[id(port.qos)] = sends is None or priority in sends
            mask[channel] = known
        return bytes(mask) if 0 in mask else None
