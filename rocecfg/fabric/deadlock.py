"""What a fabric's cables, declared paths and single failures mean for deadlock: rings, valleys and detours.

for ring in rings(fabric): ring.text()
"""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from rocecfg.fabric.cycles import Search, Turn
from rocecfg.fabric.graph import DOWN, PEER, UP, UP_DOWN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rocecfg.fabric.graph import DeclaredPath, Fabric, Topology
    from rocecfg.findings import Spot

MOST_FAILURES = 64
"""Failed cables whose detours are followed; more of them tell nothing new."""
_MOST_PAIRS = 64
_SHOWN = 12


class Step(NamedTuple):
    """One switch of a ring: by which port traffic comes, by which it leaves and waits, in which priority."""

    device: str
    arrives: str
    leaves: str
    priority: int
    closing: bool
    """Whether the up-down rule forbids this turn, or cannot rule it out (among peers)."""


@dataclass(frozen=True, slots=True)
class Ring:
    """Lossless ports that can wait for each other for ever."""

    steps: tuple[Step, ...]
    certain: bool
    """Whether declared paths (or detours) close it. Else it lies among switches of one rank, and routing decides."""
    place: Spot | None = None
    channels: tuple[int, ...] = ()

    def text(self) -> str:
        """Return `leaf1 Ethernet1/49 > spine1 Ethernet1/2 > ... > leaf1`: each switch with the port it waits at."""
        changing = len({step.priority for step in self.steps}) > 1
        parts = [
            f"{step.device} {step.leaves}".strip() + (f" (priority {step.priority})" if changing else "")
            for step in self.steps
        ]
        if len(parts) > _SHOWN:
            parts = [*parts[: _SHOWN - 1], f"... ({len(parts)} in all)"]
        return " > ".join([*parts, self.steps[0].device])

    def closing_text(self) -> str:
        """Return the turns that close the ring: `leaf1 (Ethernet1/50 to Ethernet1/49)`."""
        turns = [_turn_text(step) for step in self.steps if step.closing]
        if len(turns) > 4:
            turns = [*turns[:3], f"{len(turns) - 3} more"]
        return " and ".join([", ".join(turns[:-1]), turns[-1]] if len(turns) > 1 else turns)


def _turn_text(step: Step) -> str:
    return f"{step.device} ({step.arrives} to {step.leaves})" if step.arrives and step.leaves else step.device


class Valley(NamedTuple):
    """A declared path that goes up again after it came down, in the same lossless priority."""

    path: DeclaredPath
    before: str
    device: str
    after: str
    arrives: str
    leaves: str
    priority: int


class Detour(NamedTuple):
    """What is left between two leaves when one cable is gone: a way that goes up again, or through a ring."""

    cable: int
    ends: tuple[str, str]
    via: tuple[str, ...]
    turns_at: str
    ring: Ring | None


def rings(fabric: Fabric, more: Iterable[Turn] = ()) -> Iterator[Ring]:
    """Yield one shortest ring for each set of equally protected priorities that has one.

    Where declared paths change the priority, all priorities are searched as one.
    """
    topology = fabric.topology
    priorities = sorted(fabric.lossless() or ())
    if not priorities:
        return
    masks = [fabric.mask(priority) for priority in priorities]
    turns = [*declared_turns(fabric, priorities), *more]
    count = topology.channels
    mixed = any(turn.arrives // count != turn.leaves // count for turn in turns)
    if mixed:
        searches = [(priorities, masks, turns)]
    else:
        searches = []
        done: set[tuple[bytes | None, frozenset[Turn]]] = set()
        for number, priority in enumerate(priorities):
            own = [Turn(a - number * count, b - number * count) for a, b in turns if a // count == number]
            key = (masks[number], frozenset(own))
            if key not in done:
                done.add(key)
                searches.append(([priority], [masks[number]], own))
    for names, these, own in searches:
        lanes = Search(topology, these, own).shortest()
        if lanes is not None:
            yield _ring(fabric, lanes, names, frozenset(own))


def _ring(fabric: Fabric, lanes: Sequence[int], priorities: Sequence[int], turns: frozenset[Turn]) -> Ring:
    topology = fabric.topology
    steps: list[Step] = []
    certain = True
    for before, lane in zip([lanes[-1], *lanes[:-1]], lanes, strict=True):
        number, channel = divmod(lane, topology.channels)
        came = before % topology.channels
        ways = topology.direction(came), topology.direction(channel)
        closing = ways not in UP_DOWN or ways == (PEER, PEER) or topology.receiver(channel) == topology.sender(came)
        certain = certain and (not closing or Turn(before, lane) in turns)
        steps.append(
            Step(
                topology.names[topology.sender(channel)],
                topology.ports(came)[1],
                topology.ports(channel)[0],
                priorities[number],
                closing,
            )
        )
    channels = [lane % topology.channels for lane in lanes]
    first = min(range(len(steps)), key=lambda at: (not steps[at].closing, steps[at].device, steps[at].leaves))
    places = [fabric.places(channel >> 1) for channel in channels[first:] + channels[:first]]
    return Ring(
        tuple(steps[first:] + steps[:first]),
        certain,
        next((place for place in places if place is not None), None),
        tuple(channels[first:] + channels[:first]),
    )


def declared_turns(fabric: Fabric, priorities: Sequence[int]) -> Iterator[Turn]:
    """Yield the waits of the declared paths; lanes are numbered by the place of their priority in `priorities`."""
    topology = fabric.topology
    for path in fabric.declared:
        for start in priorities if any(node.priority is None for node in path.nodes) else priorities[:1]:
            before: int | None = None
            for channel, priority in _channels(topology, path, start):
                lane = None
                if channel is not None and priority in priorities:
                    lane = priorities.index(priority) * topology.channels + channel
                if before is not None and lane is not None:
                    yield Turn(before, lane)
                before = lane


def _channels(topology: Topology, path: DeclaredPath, default: int) -> Iterator[tuple[int | None, int]]:
    """Yield the channel of each step of a path (None where no cable is) and the priority on it."""
    number = {name: at for at, name in enumerate(topology.names)}
    for here, there in zip(path.nodes, path.nodes[1:], strict=False):
        a, b = number.get(here.device), number.get(there.device)
        channel = topology.between(a, b) if a is not None and b is not None else None
        yield channel, default if here.priority is None else here.priority


def missing_cables(fabric: Fabric) -> Iterator[tuple[DeclaredPath, str, str]]:
    """Yield the steps of declared paths between which no cable is known."""
    for path in fabric.declared:
        steps = zip(path.nodes, path.nodes[1:], _channels(fabric.topology, path, 0), strict=False)
        for here, there, (channel, _) in steps:
            if channel is None:
                yield path, here.device, there.device


def valleys(fabric: Fabric) -> Iterator[Valley]:
    """Yield the turns of declared paths that lead up again after down or across, in one lossless priority."""
    topology = fabric.topology
    lossless = sorted(fabric.lossless() or ())
    masks = {priority: fabric.mask(priority) for priority in lossless}
    for path in fabric.declared:
        for start in lossless if any(node.priority is None for node in path.nodes) else lossless[:1]:
            steps = list(_channels(topology, path, start))
            fell = False
            for at, ((came, arrived), (channel, priority)) in enumerate(pairwise(steps), 1):
                if came is None or channel is None:
                    fell = False
                    continue
                ways = topology.direction(came), topology.direction(channel)
                fell = (fell or ways[0] in {DOWN, PEER}) and arrived == priority
                mask = masks.get(priority)
                if fell and ways[1] == UP and priority in masks and (mask is None or (mask[came] and mask[channel])):
                    names = [node.device for node in path.nodes[at - 1 : at + 2]]
                    ports = topology.ports(came)[1], topology.ports(channel)[0]
                    yield Valley(path, names[0], names[1], names[2], *ports, priority)


def bounces(fabric: Fabric) -> Iterator[tuple[DeclaredPath, int, str]]:
    """Yield declared paths that bounce while lossless, how often, and the switch of the last bounce.

    A bounce leads up again after down or across; each one begins anew, whatever the priority.
    """
    topology = fabric.topology
    lossless = fabric.lossless() or frozenset()
    for path in fabric.declared:
        steps = list(_channels(topology, path, min(lossless, default=0)))
        fell, count, last = False, 0, ""
        for (came, _), (channel, priority) in pairwise(steps):
            if came is None or channel is None:
                continue
            fell = fell or topology.direction(came) in {DOWN, PEER}
            if fell and topology.direction(channel) == UP and priority in lossless:
                fell, count, last = False, count + 1, topology.names[topology.sender(channel)]
        if count:
            yield path, count, last


# -- single failures -------------------------------------------------------------------------------------------------


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
