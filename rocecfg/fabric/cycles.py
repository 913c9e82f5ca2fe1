"""Cyclic buffer dependencies: rings of lossless channels that can wait for each other for ever.

A lane is a channel with a priority: number `priority index * channels + channel`. A lane waits for another when a
packet may go from the one to the other. The search has two forms:

- *turn form*: all lanes by which packets arrive at a switch in one direction are one hub, so a switch of any size has
  a few hubs and no lane-to-lane edges. Hubs nobody waits in are peeled off; usually nothing is left. It also admits a
  packet that goes back where it came from, so it can report too much, never too little.
- *full form*: lanes of what was not peeled, one by one, without such U-turns: it confirms and names the shortest ring.

    search = Search(topology, masks=[None])
    search.shortest()                    # lanes of one shortest ring, None when there is none
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, NamedTuple

from rocecfg.fabric.graph import DOWN, PEER, UP, UP_DOWN

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from rocecfg.fabric.graph import Topology

_BOUNCE = ((DOWN, UP), (DOWN, PEER), (PEER, UP))
_RULE_BITS = sum(1 << (arrived * 3 + leaves) for arrived, leaves in UP_DOWN)
_BOUNCE_BITS = sum(1 << (arrived * 3 + leaves) for arrived, leaves in _BOUNCE)


class Turn(NamedTuple):
    """One lane that waits for another beside what the up-down rule allows."""

    arrives: int
    leaves: int


class Search:
    """Finds a ring among the lanes of a topology.

    `masks` = per priority a byte for each channel (0 = not lossless), or None when all are. `turns` = further waits
    (declared paths, detours); `bounces` = switches that send packets up again; `rule` = whether the up-down rule
    holds beside them, or nothing but `turns`.
    """

    def __init__(
        self,
        topology: Topology,
        masks: Sequence[bytes | bytearray | None] = (None,),
        turns: Iterable[Turn] = (),
        bounces: Collection[int] = (),
        *,
        rule: bool = True,
    ) -> None:
        self._topology = topology
        self._masks = masks
        self._bounces = frozenset(bounces)
        self._rule = rule
        self._next: dict[int, list[int]] = {}
        self._before: dict[int, int] = {}
        for turn in set(turns):
            if self._is_lossless(turn.arrives) and self._is_lossless(turn.leaves):
                self._next.setdefault(turn.arrives, []).append(turn.leaves)
                self._before[turn.leaves] = self._before.get(turn.leaves, 0) + 1
                self._before.setdefault(turn.arrives, 0)
        for following in self._next.values():
            following.sort()

    def shortest(self) -> list[int] | None:
        """Return the lanes of a shortest ring in the order packets take, None when there is none."""
        if not self._rule:
            return self._shortest_of(set(self._before), sorted(self._before))
        left = self._peel()
        if not left:
            return None
        starts = sorted(self._starts(left))
        return self._shortest_of(self._leading_to(starts, left), starts)

    def _is_lossless(self, lane: int) -> bool:
        priority, channel = divmod(lane, self._topology.channels)
        mask = self._masks[priority]
        return mask is None or bool(mask[channel])

    def _allows(self, device: int) -> int:
        return _RULE_BITS | (_BOUNCE_BITS if device in self._bounces else 0)

    # -- turn form ---------------------------------------------------------------------------------------------------

    def _peel(self) -> set[int] | None:
        """Return the lanes that may lie on a ring or behind one; None when everything was peeled."""
        peeling = _Peeling(self._topology, self._masks, self._before, self._next, self._allows)
        return peeling.rest()

    def _starts(self, left: set[int]) -> Iterator[int]:
        """Yield lanes one of which every ring holds: the up-down rule alone is free of rings but among peers."""
        topology = self._topology
        for lane in left:
            way = topology.direction(lane % topology.channels)
            if way == PEER or (way == UP and topology.sender(lane % topology.channels) in self._bounces):
                yield lane
        for following in self._next.values():
            yield from (lane for lane in following if lane in left)

    def _leading_to(self, starts: Iterable[int], left: set[int]) -> set[int]:
        """Return the lanes of `left` from which a start can be reached: the others hang behind the rings."""
        topology = self._topology
        before: dict[int, list[int]] = {}
        for lane, following in self._next.items():
            for after in following:
                before.setdefault(after, []).append(lane)
        found: set[int] = set()
        hubs: set[tuple[int, int, int]] = set()
        waiting = [lane for lane in starts if lane in left]
        while waiting:
            lane = waiting.pop()
            if lane in found:
                continue
            found.add(lane)
            waiting += [earlier for earlier in before.get(lane, ()) if earlier in left]
            number, channel = divmod(lane, topology.channels)
            device, way = topology.sender(channel), topology.direction(channel)
            if way is None or (number, device, way) in hubs or not topology.forwards(device):
                continue
            hubs.add((number, device, way))
            allowed = self._allows(device)
            for came in (UP, PEER, DOWN):
                if allowed >> (came * 3 + way) & 1:
                    arriving = (number * topology.channels + (c ^ 1) for c in topology.out[device][DOWN - came])
                    waiting += [earlier for earlier in arriving if earlier in left and earlier not in found]
        return found

    # -- full form ---------------------------------------------------------------------------------------------------

    def _shortest_of(self, left: set[int], starts: list[int]) -> list[int] | None:
        best: list[int] | None = None
        least = 2 if self._next else 3
        ways = self._sorted(left)
        for start in dict.fromkeys(starts):
            found = self._ring_through(start, left, ways, len(best) - 1 if best else len(left))
            if found is not None:
                best = found
                if len(best) <= least:
                    break
            elif best is None:
                left.discard(start)  # on no ring: nothing needs to pass here again
        return best

    def _sorted(self, left: set[int]) -> dict[tuple[int, int, int], list[tuple[int, int]]]:
        """Return lane and receiver of what is left, by priority, sender and direction."""
        topology = self._topology
        ways: dict[tuple[int, int, int], list[tuple[int, int]]] = {}
        for lane in sorted(left):
            number, channel = divmod(lane, topology.channels)
            way = topology.direction(channel)
            sender, far = topology.sender(channel), topology.receiver(channel)
            if way is not None and topology.forwards(sender) and topology.forwards(far):
                ways.setdefault((number, sender, way), []).append((lane, far))
        return ways

    def _ring_through(
        self, start: int, left: set[int], ways: dict[tuple[int, int, int], list[tuple[int, int]]], longest: int
    ) -> list[int] | None:
        """Return the shortest ring through a lane that has at most `longest` lanes, by breadth-first search."""
        came: dict[int, int] = {start: -1}
        seen: dict[tuple[int, int, int], int] = {}
        edge, length = [start], 1
        while edge and length <= longest:
            ahead: list[int] = []
            for lane in edge:
                for following in (*self._next.get(lane, ()), *self._following(lane, seen, ways)):
                    if following == start:
                        return _unrolled(came, lane)
                    if following not in came and following in left:
                        came[following] = lane
                        ahead.append(following)
            edge, length = ahead, length + 1
        return None

    def _following(
        self,
        lane: int,
        seen: dict[tuple[int, int, int], int],
        ways: dict[tuple[int, int, int], list[tuple[int, int]]],
    ) -> Iterator[int]:
        """Yield the lanes that a lane waits for by the rule; those yielded for its hub before are left out."""
        topology = self._topology
        number, channel = divmod(lane, topology.channels)
        device, sender, way = topology.receiver(channel), topology.sender(channel), topology.direction(channel)
        if not self._rule or way is None or not (topology.forwards(device) and topology.forwards(sender)):
            return
        hub = (number, device, way)
        first = seen.get(hub)
        if first in {-1, sender}:
            return
        seen[hub] = sender if first is None else -1
        allowed = self._allows(device)
        for leaves in (UP, PEER, DOWN):
            if allowed >> (way * 3 + leaves) & 1:
                for following, far in ways.get((number, device, leaves), ()):
                    if far != sender if first is None else far == first:
                        yield following


class _Peeling:
    """Takes hubs away that nobody waits in, until none is left or only rings and what hangs behind them."""

    def __init__(
        self,
        topology: Topology,
        masks: Sequence[bytes | bytearray | None],
        before: dict[int, int],
        following: dict[int, list[int]],
        allows: Callable[[int], int],
    ) -> None:
        self._topology, self._masks, self._following = topology, masks, following
        self._allows = allows
        self._size = 3 * len(topology.names)
        self._waiting_in = array("i", bytes(4 * self._size * len(masks)))
        self._waiting_out = array("i", bytes(4 * self._size * len(masks)))
        self._lanes = dict(before)
        self._ready: list[int] = []
        self._gone: set[int] = set()

    def rest(self) -> set[int] | None:
        """Peel; return the lanes left, None when there are none."""
        left = self._count()
        while self._ready:
            left -= self._take(self._ready.pop())
        if not left:
            return None
        return set(self._lanes_left())

    def _count(self) -> int:
        """Count who waits in each hub; return the number of hubs with lanes plus that of single lanes."""
        topology, hubs = self._topology, 0
        forwards = [topology.forwards(at) for at in range(len(topology.names))]
        self._switch = forwards
        for number, mask in enumerate(self._masks):
            base = number * self._size
            for device, out in enumerate(topology.out):
                if not forwards[device]:
                    continue
                at = base + 3 * device
                for way in (UP, PEER, DOWN):
                    self._waiting_in[at + way] = sum(
                        forwards[topology.receiver(c)] and (mask is None or mask[c ^ 1] != 0) for c in out[DOWN - way]
                    )
                allowed = self._allows(device)
                for way in (UP, PEER, DOWN):
                    if not out[way]:
                        continue
                    hubs += 1
                    waiting = sum(
                        1
                        for came in (UP, PEER, DOWN)
                        if allowed >> (came * 3 + way) & 1 and self._waiting_in[at + came]
                    )
                    self._waiting_out[at + way] = waiting
                    if not waiting:
                        self._ready.append(at + way)
        for lane in self._lanes:
            number, channel = divmod(lane, topology.channels)
            if topology.direction(channel) is not None and forwards[topology.sender(channel)]:
                self._lanes[lane] += 1  # it also waits for its own hub
        self._ready += [-1 - lane for lane, waiting in self._lanes.items() if not waiting]
        return hubs + len(self._lanes)

    def _take(self, item: int) -> int:
        """Take a hub (or, as -1 - lane, a single lane) away; return 1."""
        topology = self._topology
        if item < 0:
            lane = -1 - item
            self._gone.add(lane)
            number, channel = divmod(lane, topology.channels)
            self._arrive(number * self._size, channel)
            for following in self._following.get(lane, ()):
                self._release(following)
            return 1
        number, at = divmod(item, self._size)
        device, way = divmod(at, 3)
        mask, base, lanes = self._masks[number], number * self._size, self._lanes
        first = number * topology.channels
        for channel in topology.out[device][way]:
            if lanes and first + channel in lanes:
                self._release(first + channel)
            elif mask is None or mask[channel]:
                self._arrive(base, channel, way)
        self._waiting_out[item] = -1
        return 1

    def _release(self, lane: int) -> None:
        self._lanes[lane] -= 1
        if not self._lanes[lane]:
            self._ready.append(-1 - lane)

    def _arrive(self, base: int, channel: int, way: int | None = None) -> None:
        """Note that nobody waits behind a channel any more."""
        topology = self._topology
        device = topology.receiver(channel)
        if not self._switch[device]:
            return
        way = topology.direction(channel) if way is None else way
        if way is None:
            return
        at = base + 3 * device
        self._waiting_in[at + way] -= 1
        if self._waiting_in[at + way]:
            return
        allowed = self._allows(device)
        for leaves in (UP, PEER, DOWN):
            if allowed >> (way * 3 + leaves) & 1 and topology.out[device][leaves]:
                self._waiting_out[at + leaves] -= 1
                if not self._waiting_out[at + leaves]:
                    self._ready.append(at + leaves)

    def _lanes_left(self) -> Iterator[int]:
        topology = self._topology
        for number, mask in enumerate(self._masks):
            first, base = number * topology.channels, number * self._size
            for device, out in enumerate(topology.out):
                if not self._switch[device]:
                    continue
                for way in (UP, PEER, DOWN):
                    if self._waiting_out[base + 3 * device + way] > 0:
                        for channel in out[way]:
                            far = topology.receiver(channel)
                            if self._switch[far] and (mask is None or mask[channel]):
                                yield first + channel
        yield from (lane for lane in self._lanes if lane not in self._gone)


def _unrolled(came: dict[int, int], lane: int) -> list[int]:
    ring = []
    while lane != -1:
        ring.append(lane)
        lane = came[lane]
    return ring[::-1]
