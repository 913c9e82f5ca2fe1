"""The search for rings against a slow one that tries everything, on small fabrics of any shape."""

from __future__ import annotations

import random
from collections import deque
from typing import TYPE_CHECKING

import pytest

from rocecfg.fabric.cycles import Search, Turn
from rocecfg.fabric.graph import DOWN, PEER, UP, UP_DOWN, Topology

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

BOUNCES = ((DOWN, UP), (DOWN, PEER), (PEER, UP))


def clos(spines: int, leaves: int, hosts: int = 1) -> Topology:
    """A two-tier fabric: spines first, then leaves, then hosts."""
    links = [(spine, spines + leaf) for spine in range(spines) for leaf in range(leaves)]
    first = spines + leaves
    links += [(spines + leaf, first + leaf * hosts + host) for leaf in range(leaves) for host in range(hosts)]
    names = [f"spine{n}" for n in range(spines)] + [f"leaf{n}" for n in range(leaves)]
    names += [f"gpu{n}" for n in range(leaves * hosts)]
    return Topology(names, links, range(first, first + leaves * hosts))


def every_wait(
    topology: Topology, masks: Sequence[bytes | None], turns: Collection[Turn], bounces: Collection[int]
) -> dict[int, set[int]]:
    """Return who waits for whom, lane by lane."""
    waits: dict[int, set[int]] = {}
    ok = [mask is None or mask[c] for mask in masks for c in range(topology.channels)]
    for number in range(len(masks)):
        for a in range(topology.channels):
            for b in range(topology.channels):
                here = topology.receiver(a)
                if topology.sender(b) != here or topology.receiver(b) == topology.sender(a):
                    continue
                if not all(map(topology.forwards, (topology.sender(a), here, topology.receiver(b)))):
                    continue
                turn = (topology.direction(a), topology.direction(b))
                if turn in UP_DOWN or (here in bounces and turn in BOUNCES):
                    waits.setdefault(number * topology.channels + a, set()).add(number * topology.channels + b)
    for turn in turns:
        waits.setdefault(turn.arrives, set()).add(turn.leaves)
    return {a: {b for b in of if ok[b]} for a, of in waits.items() if ok[a]}


def shortest_length(waits: dict[int, set[int]]) -> int | None:
    best: int | None = None
    for start in waits:
        far = {start: 0}
        queue = deque([start])
        while queue:
            here = queue.popleft()
            for after in waits.get(here, ()):
                if after == start:
                    best = far[here] + 1 if best is None else min(best, far[here] + 1)
                if after not in far:
                    far[after] = far[here] + 1
                    queue.append(after)
    return best


@pytest.mark.parametrize("seed", range(300))
def test_small_fabrics_of_any_shape(seed: int) -> None:
    dice = random.Random(seed)
    switches, hosts = dice.randint(2, 8), dice.randint(1, 4)
    links = [(dice.randrange(switches), dice.randrange(switches)) for _ in range(dice.randint(1, 16))]
    links = [(a, b) for a, b in links if a != b]
    links += [(dice.randrange(switches), switches + host) for host in range(hosts)]
    names = [f"n{number}" for number in range(switches + hosts)]
    topology = Topology(names, links, range(switches, switches + hosts))
    count = dice.randint(1, 2)
    masks = [
        None if dice.random() < 0.6 else bytes(dice.random() < 0.8 for _ in range(topology.channels))
        for _ in range(count)
    ]
    bounces = {at for at in range(switches) if dice.random() < 0.25}
    turns = set()
    for _ in range(dice.randint(0, 4)):
        a, b = dice.randrange(topology.channels), dice.randrange(topology.channels)
        if topology.receiver(a) == topology.sender(b):
            turns.add(
                Turn(dice.randrange(count) * topology.channels + a, dice.randrange(count) * topology.channels + b)
            )
    waits = every_wait(topology, masks, turns, bounces)
    ring = Search(topology, masks, turns, bounces).shortest()
    assert (len(ring) if ring else None) == shortest_length(waits)
    for here, after in zip(ring or (), (*(ring or ())[1:], *(ring or ())[:1]), strict=True):
        assert after in waits[here]


def test_up_down_routing_has_no_ring() -> None:
    assert Search(clos(4, 6)).shortest() is None


def test_one_bouncing_leaf_is_harmless_and_two_are_not() -> None:
    topology = clos(2, 4)
    assert Search(topology, bounces={2}).shortest() is None
    ring = Search(topology, bounces={2, 5}).shortest()
    assert ring is not None
    assert [topology.names[topology.sender(lane)] for lane in ring] == ["leaf0", "spine1", "leaf3", "spine0"] or len(
        ring
    ) == 4


def test_a_lossy_channel_breaks_the_ring() -> None:
    topology = clos(2, 2)
    mask = bytearray(b"\1" * topology.channels)
    up = topology.between(2, 0)
    assert up is not None
    mask[up] = 0
    other = topology.between(2, 1)
    assert other is not None
    assert Search(topology, bounces={2, 3}).shortest() is not None
    mask[other] = 0
    assert Search(topology, [bytes(mask)], bounces={2, 3}).shortest() is None


def test_a_ring_of_peers_is_found_and_a_pair_is_none() -> None:
    hosts = [(leaf, 3 + leaf) for leaf in range(3)]
    names = ["leaf0", "leaf1", "leaf2", "gpu0", "gpu1", "gpu2"]
    ring = Search(Topology(names, [(0, 1), (1, 2), (2, 0), *hosts], {3, 4, 5})).shortest()
    assert ring is not None
    assert len(ring) == 3
    assert Search(Topology(names, [(0, 1), (0, 1), (1, 2), *hosts], {3, 4, 5})).shortest() is None


def test_ranks_of_a_spine_with_a_storage_host() -> None:
    links = [(spine, 2 + leaf) for spine in range(2) for leaf in range(3)]
    links += [(2 + leaf, 5 + 16 * leaf + host) for leaf in range(3) for host in range(16)]
    links.append((0, 53))
    names = [f"n{number}" for number in range(54)]
    topology = Topology(names, links, range(5, 54))
    assert topology.ranks[:5] == [2, 2, 1, 1, 1]
    assert topology.direction(topology.between(2, 0) or 0) == UP
    assert PEER not in {topology.direction(channel) for channel in range(topology.channels)}
