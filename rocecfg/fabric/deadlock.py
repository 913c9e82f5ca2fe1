"""What a fabric's cables and declared paths mean for deadlock: rings, valleys, bounces.

for ring in rings(fabric): ring.text()
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from rocecfg.fabric.cycles import Search, Turn
from rocecfg.fabric.graph import DOWN, PEER, UP, UP_DOWN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rocecfg.fabric.graph import DeclaredPath, Fabric, Topology
    from rocecfg.findings import Spot

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
