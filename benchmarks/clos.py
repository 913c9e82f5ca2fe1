"""The deadlock search on a fat tree, in a process of its own: `clos.py K` prints seconds and MiB, rings found, imports.

K pods of K/2 leaves and K/2 aggregation switches, K^2/4 cores: 5 K^2/4 switches (K = 90: 10,125). `clos.py K networkx`
searches the same dependencies, turn by turn, with networkx; it knows of no failures, and `clos.py K search`
is ours without them.
"""

from __future__ import annotations

import resource
import sys
import time
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


def fat_tree(k: int) -> tuple[int, int, Iterator[tuple[int, int]]]:
    """Return the number of switches, of hosts (one a leaf), and the cables."""
    half = k // 2
    edge = k * half
    switches = 2 * edge + half * half

    def cables() -> Iterator[tuple[int, int]]:
        for pod in range(k):
            for one in range(half):
                for other in range(half):
                    yield pod * half + one, edge + pod * half + other
                    yield edge + pod * half + one, 2 * edge + one * half + other
        yield from ((leaf, switches + leaf) for leaf in range(edge))

    return switches, edge, cables()


def ours(k: int, *, failures: bool = True) -> tuple[float, bool]:
    """Return seconds and whether a ring was found: cables in, verdict out, single failures included or not."""
    switches, hosts, cables = fat_tree(k)
    names = [f"n{number}" for number in range(switches + hosts)]
    started = time.perf_counter()
    from rocecfg.fabric.deadlock import rings
    from rocecfg.fabric.failures import detours
    from rocecfg.fabric.graph import Fabric, Topology

    fabric = Fabric(Topology(names, cables, range(switches, switches + hosts)), wanted=frozenset({3}))
    found = [*rings(fabric), *(detours(fabric) if failures else ())]
    return time.perf_counter() - started, bool(found)


def theirs(k: int) -> tuple[float, bool]:
    """Return the same for networkx: an edge for every turn of the up-down rule, without failures."""
    nx = import_module("networkx")

    _, _, cables = fat_tree(k)
    started = time.perf_counter()
    up: dict[int, list[int]] = {}
    down: dict[int, list[int]] = {}
    for low, high in cables:
        if high < 2 * k * (k // 2) + (k // 2) ** 2:
            up.setdefault(low, []).append(high)
            down.setdefault(high, []).append(low)
    graph = nx.DiGraph()
    for here in {*up, *down}:
        arriving = [(far, here) for far in down.get(here, ())]
        graph.add_edges_from((a, (here, far)) for a in arriving for far in up.get(here, ()))
        graph.add_edges_from((a, (here, far)) for a in arriving for far in down.get(here, ()) if far != a[0])
        falling = [(far, here) for far in up.get(here, ())]
        graph.add_edges_from((a, (here, far)) for a in falling for far in down.get(here, ()))
    found = any(len(ring) > 1 for ring in nx.strongly_connected_components(graph))
    return time.perf_counter() - started, found


if __name__ == "__main__":
    size, way = int(sys.argv[1]), sys.argv[2:]
    spent, found = theirs(size) if way == ["networkx"] else ours(size, failures=way != ["search"])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    graphs = sorted({"networkx", "rustworkx", "scipy", "numpy", "igraph"} & set(sys.modules))
    print(spent, peak, found, ",".join(graphs) or "-")
