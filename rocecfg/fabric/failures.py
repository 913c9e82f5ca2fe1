"""What the loss of one cable means for deadlock: detours that go up again.

for detour in detours(fabric): detour.via
"""

from __future__ import annotations

from collections import Counter, deque
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from rocecfg.fabric.cycles import Turn
from rocecfg.fabric.deadlock import rings
from rocecfg.fabric.graph import DOWN, PEER, UP, UP_DOWN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rocecfg.fabric.deadlock import Ring
    from rocecfg.fabric.graph import Fabric, Topology

MOST_FAILURES = 64
"""Failed cables whose detours are followed; more of them tell nothing new."""
_MOST_PAIRS = 64


class Detour(NamedTuple):
    """What is left between two leaves when one cable is gone: a way that goes up again, or through a ring."""

    cable: int
    ends: tuple[str, str]
    via: tuple[str, ...]
    turns_at: str
    ring: Ring | None


def detours(fabric: Fabric) -> Iterator[Detour]:
    """Yield what the loss of one cable does to leaves that then have no way up and down to each other.

    Ways that stay up-down are what routing takes, so only pairs without any are looked at: by sets of leaves that can
    be reached, one bit a leaf, so a fabric of 10,000 switches costs a second.
    """
    topology = fabric.topology
    reach = _Reach(topology)
    parallel = Counter((min(a, b), max(a, b)) for a, b in zip(topology.a, topology.b, strict=True))
    done = 0
    for low, channel in reach.uplinks_and_peers():
        high = topology.receiver(channel)
        if parallel[min(low, high), max(low, high)] > 1 or done >= MOST_FAILURES:
            continue
        pairs = list(reach.lost(low, channel))
        ways = [(pair, way) for pair in pairs[:_MOST_PAIRS] if (way := _way(topology, *pair, channel >> 1))]
        if not ways:
            continue  # cut off altogether: nothing goes round
        done += 1
        turns = [turn for _, way in ways for one in (way, _reversed(way)) for turn in _turns(one)]
        count = topology.channels
        priorities = sorted(fabric.lossless() or ())
        more = [Turn(a + n * count, b + n * count) for n in range(len(priorities)) for a, b in turns]
        ring = next((ring for ring in rings(fabric, more) if ring.certain), None)
        (pair, way), *_ = ways
        via = (*(topology.names[topology.sender(c)] for c in way), topology.names[topology.receiver(way[-1])])
        yield Detour(
            channel >> 1, (topology.names[pair[0]], topology.names[pair[1]]), via, _low_point(topology, way), ring
        )


def _low_point(topology: Topology, way: Sequence[int]) -> str:
    """Return the switch at which a way goes up again."""
    for came, channel in pairwise(way):
        if (topology.direction(came), topology.direction(channel)) not in UP_DOWN:
            return topology.names[topology.sender(channel)]
    return topology.names[topology.sender(way[len(way) // 2])]


def _turns(way: Sequence[int]) -> list[Turn]:
    return [Turn(came, channel) for came, channel in pairwise(way)]


def _reversed(way: Sequence[int]) -> list[int]:
    return [channel ^ 1 for channel in reversed(way)]


def _way(topology: Topology, start: int, end: int, gone: int) -> list[int] | None:
    """Return a shortest way between two switches without a cable, by channels; None when there is none."""
    came: dict[int, int] = {start: -1}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        if here == end:
            way: list[int] = []
            while came[here] != -1:
                way.append(came[here])
                here = topology.sender(came[here])
            return way[::-1]
        for channels in topology.out[here]:
            for channel in channels:
                far = topology.receiver(channel)
                if channel >> 1 != gone and far not in came and topology.forwards(far):
                    came[far] = channel
                    queue.append(far)
    return None


class _Reach:
    """Which leaves each switch reaches by the up-down rule, as sets of bits."""

    def __init__(self, topology: Topology) -> None:
        self._topology = topology
        self._switches = sorted(
            (at for at in range(len(topology.names)) if topology.forwards(at)), key=lambda at: topology.ranks[at] or 0
        )
        self.leaves = [at for at in self._switches if self._has_hosts(at)]
        bit = {leaf: 1 << number for number, leaf in enumerate(self.leaves)}
        self._below: dict[int, int] = {}
        for at in self._switches:
            below = bit.get(at, 0)
            for far in self._far(at, DOWN):
                below |= self._below.get(far, 0)
            self._below[at] = below
        self._across = {at: self._peers(at) for at in self._switches}
        self._all: dict[int, int] = {}
        for at in reversed(self._switches):
            found = self._across[at]
            for far in self._far(at, UP):
                found |= self._all[far]
            self._all[at] = found

    def _has_hosts(self, at: int) -> bool:
        topology = self._topology
        return any(not topology.forwards(topology.receiver(channel)) for channel in topology.out[at][DOWN])

    def _far(self, at: int, way: int) -> Iterator[int]:
        topology = self._topology
        for channel in topology.out[at][way]:
            far = topology.receiver(channel)
            if topology.forwards(far):
                yield far

    def _peers(self, at: int, gone: int = -1) -> int:
        """Return what is below a switch and all it reaches across."""
        found = 0
        for member in self._component(at, gone):
            found |= self._below[member]
        return found

    def _component(self, at: int, gone: int = -1) -> set[int]:
        """Return the switches that one reaches across."""
        topology = self._topology
        seen, waiting = {at}, [at]
        while waiting:
            for channel in topology.out[waiting.pop()][PEER]:
                far = topology.receiver(channel)
                if channel >> 1 != gone and far not in seen and topology.forwards(far):
                    seen.add(far)
                    waiting.append(far)
        return seen

    def uplinks_and_peers(self) -> Iterator[tuple[int, int]]:
        """Yield each cable among switches once, as its lower end and the channel that leaves there."""
        topology = self._topology
        for at in self._switches:
            for channel in topology.out[at][UP]:
                if topology.forwards(topology.receiver(channel)):
                    yield at, channel
            for channel in topology.out[at][PEER]:
                if topology.receiver(channel) > at and topology.forwards(topology.receiver(channel)):
                    yield at, channel

    def lost(self, low: int, channel: int) -> Iterator[tuple[int, int]]:
        """Yield pairs of leaves that the loss of a cable leaves without a way up and down."""
        memo: dict[int, int] = {}
        if self._topology.direction(channel) == PEER:
            for at in self._component(low):
                memo[at] = self._peers(at, channel >> 1)
                for far in self._far(at, UP):
                    memo[at] |= self._all[far]
        else:
            memo[low] = self._without(low, channel)
        below = 0
        for at, left in memo.items():
            below |= self._below[at] if left != self._all[at] else 0
        for leaf in self._named(below):
            gone = self._all[leaf] & ~self._left(leaf, memo)
            for far in self._named(gone):
                if far != leaf:
                    yield leaf, far

    def _without(self, low: int, channel: int) -> int:
        found = self._across[low]
        for other in self._topology.out[low][UP]:
            if other != channel and self._topology.forwards(self._topology.receiver(other)):
                found |= self._all[self._topology.receiver(other)]
                if found == self._all[low]:
                    break
        return found

    def _left(self, at: int, memo: dict[int, int]) -> int:
        known = memo.get(at)
        if known is None:
            known = self._across[at]
            for far in self._far(at, UP):
                known |= self._left(far, memo)
            memo[at] = known
        return known

    def _named(self, bits: int) -> Iterator[int]:
        while bits:
            low = bits & -bits
            yield self.leaves[low.bit_length() - 1]
            bits ^= low
