"""Rings from declared paths, valleys, and what the loss of one cable does: against routes worked out one by one."""

from __future__ import annotations

import random
from collections import Counter, deque
from itertools import pairwise

import pytest

from rocecfg.errors import IntentError
from rocecfg.fabric.deadlock import bounces, missing_cables, rings, valleys
from rocecfg.fabric.failures import detours
from rocecfg.fabric.graph import DOWN, PEER, UP, UP_DOWN, Fabric, Topology
from rocecfg.fabric.pathsfile import paths_of, paths_of_file
from tests.fabric.test_cycles import clos


def fabric(topology: Topology, *vias: str, priorities: tuple[int, ...] = (3,)) -> Fabric:
    declared = tuple(paths_of({"via": via.split(), "priority": 3} for via in vias))
    return Fabric(topology, declared=declared, wanted=frozenset(priorities))


def test_two_opposite_bounces_close_a_ring_that_is_named() -> None:
    both = fabric(clos(2, 4), "gpu1 leaf1 spine0 leaf0 spine1 leaf2 gpu2", "gpu2 leaf2 spine1 leaf3 spine0 leaf1 gpu1")
    (ring,) = rings(both)
    assert ring.certain
    assert [step.device for step in ring.steps] == ["leaf0", "spine1", "leaf3", "spine0"]
    assert [step.device for step in ring.steps if step.closing] == ["leaf0", "leaf3"]
    assert ring.text().startswith("leaf0 cable4 > spine1 cable7 > leaf3 cable3 > spine0 cable0 > leaf0")


def test_one_bounce_is_a_valley_and_no_ring() -> None:
    one = fabric(clos(2, 4), "gpu1 leaf1 spine0 leaf0 spine1 leaf2 gpu2")
    assert list(rings(one)) == []
    (valley,) = valleys(one)
    assert (valley.before, valley.device, valley.after, valley.priority) == ("spine0", "leaf0", "spine1", 3)


def test_a_change_of_priority_takes_both_away() -> None:
    paths = ("gpu1 leaf1 spine0 leaf0/2 spine1 leaf2 gpu2", "gpu2 leaf2 spine1 leaf3/2 spine0 leaf1 gpu1")
    remapped = fabric(clos(2, 4), *paths, priorities=(2, 3))
    assert list(rings(remapped)) == []
    assert list(valleys(remapped)) == []
    assert [(count, switch) for _, count, switch in bounces(remapped)] == [(1, "leaf0"), (1, "leaf3")]
    back = fabric(clos(2, 4), "leaf1 spine0 leaf0/2 spine1 leaf3/3 spine0", priorities=(2, 3))
    (ring,) = rings(back)
    assert {step.priority for step in ring.steps} == {2, 3}
    assert "(priority 2)" in ring.text()


def test_a_bounce_into_a_lossy_priority_is_harmless() -> None:
    lossy = fabric(clos(2, 4), "leaf1 spine0 leaf0/2 spine1 leaf2", "leaf2 spine1 leaf3/2 spine0 leaf1")
    assert list(rings(lossy)) == []
    assert list(valleys(lossy)) == []
    assert list(bounces(lossy)) == []


def test_the_same_ring_is_named_once_for_equal_priorities() -> None:
    paths = [{"via": via.split()} for via in ("leaf1 spine0 leaf0 spine1 leaf2", "leaf2 spine1 leaf3 spine0 leaf1")]
    both = Fabric(clos(2, 4), declared=tuple(paths_of(paths)), wanted=frozenset({3, 4}))
    assert len(list(rings(both))) == 1


def test_a_step_without_a_cable_is_said() -> None:
    missing = fabric(clos(2, 2), "leaf0 leaf1 spine0", "leaf0 spine7")
    assert [(here, there) for _, here, there in missing_cables(missing)] == [("leaf0", "leaf1"), ("leaf0", "spine7")]


def test_two_ways_up_survive_every_failure() -> None:
    assert list(detours(fabric(clos(2, 4)))) == []
    assert list(detours(fabric(clos(1, 4)))) == [], "a leaf that is cut off does not bounce"


def reachable(topology: Topology, start: int, gone: int, *, rule: bool) -> set[int]:
    """Switches that a packet reaches without a cable, by the up-down rule or anyhow."""
    seen = {(start, UP)}
    queue = deque(seen)
    while queue:
        here, came = queue.popleft()
        for channel in range(topology.channels):
            way = topology.direction(channel)
            if topology.sender(channel) != here or channel >> 1 == gone or way is None:
                continue
            after = (topology.receiver(channel), way)
            if topology.forwards(after[0]) and (not rule or (came, way) in UP_DOWN) and after not in seen:
                seen.add(after)
                queue.append(after)
    return {at for at, _ in seen}


@pytest.mark.parametrize("seed", range(150))
def test_detours_of_random_fabrics(seed: int) -> None:
    dice = random.Random(seed)
    leaves, spines, cores = dice.randint(2, 4), dice.randint(1, 3), dice.randint(0, 2)
    links = [(leaf, leaves + spine) for leaf in range(leaves) for spine in range(spines) if dice.random() < 0.7]
    links += [(leaves + s, leaves + spines + c) for s in range(spines) for c in range(cores) if dice.random() < 0.7]
    links += [(a, b) for a in range(leaves) for b in range(a) if dice.random() < 0.2]
    count = leaves + spines + cores
    links += [(leaf, count + leaf) for leaf in range(leaves)]
    topology = Topology([f"n{at}" for at in range(count + leaves)], links, range(count, count + leaves))
    parallel = Counter(frozenset(pair) for pair in links)
    wanted = set()
    for cable, pair in enumerate(links):
        if max(pair) >= count or parallel[frozenset(pair)] > 1 or not all(map(topology.forwards, pair)):
            continue
        for leaf in range(leaves):
            if not topology.forwards(leaf):
                continue
            before = reachable(topology, leaf, -1, rule=True) & set(range(leaves))
            after = reachable(topology, leaf, cable, rule=True)
            if (before - after) & reachable(topology, leaf, cable, rule=False):
                wanted.add(cable)
    found = {detour.cable: detour for detour in detours(Fabric(topology, wanted=frozenset({3})))}
    assert set(found) == wanted
    for detour in found.values():
        assert (detour.via[0], detour.via[-1]) == detour.ends
        numbers = [topology.names.index(name) for name in detour.via]
        ways = [topology.direction(topology.between(a, b) or 0) for a, b in pairwise(numbers)]
        assert any(turn not in UP_DOWN for turn in pairwise(ways))


def test_a_detour_that_closes_a_ring_with_a_declared_bounce_says_so() -> None:
    links = [(0, 3), (1, 3), (1, 4), (2, 4), (0, 2)]
    names = ["leaf0", "leaf1", "leaf2", "spine0", "spine1", "gpu0", "gpu1", "gpu2"]
    topology = Topology(names, [*links, (0, 5), (1, 6), (2, 7)], {5, 6, 7})
    assert PEER in {topology.direction(channel) for channel in range(topology.channels)}
    found = list(detours(Fabric(topology, wanted=frozenset({3}))))
    assert {detour.cable for detour in found} == {0, 1, 2, 3, 4}
    assert DOWN in {topology.direction(channel) for channel in range(topology.channels)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("via: [a, b]\n", "a paths file is a list of paths"),
        ("- [a, b]\n", "a path needs the key via"),
        ("- {via: [a]}\n", "via is a list of at least two device names"),
        ("- {via: [a, b], priority: 8}\n", "priority 8 is none of 0 to 7"),
        ("- {via: [a, b], prio: 3}\n", 'unknown key "prio", did you mean "priority"?'),
    ],
)
def test_bad_paths_files(tmp_path, text: str, message: str) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "paths.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(IntentError, match=message.replace("[", r"\[").replace("?", r"\?")):
        paths_of_file(path)


def test_a_paths_file_knows_its_lines_and_priorities(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "paths.yaml"
    path.write_text("- {via: [a, b/2, c], priority: 3}\n- via: [a, leaf-1]\n", encoding="utf-8")
    first, second = paths_of_file(path)
    assert [node.priority for node in first.nodes] == [3, 2, 2]
    assert [node.device for node in second.nodes] == ["a", "leaf-1"]
    assert first.place is not None
    assert second.place is not None
    assert (first.place.line, second.place.line) == (1, 2)
