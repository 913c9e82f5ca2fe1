"""Lossless traffic comes down from a spine and goes up again: a bounce.

## What it finds

A declared path (paths file) that, in one lossless priority, leads up after it led down or across between switches of
one rank. Ranks are the distance from the hosts. A bounce that changes to another priority is not reported, nor one in
a lossy priority.

## Why it matters

Up-down routing alone is free of deadlock. One bounce adds the turn that is missing for a ring; a second bounce in the
opposite direction closes it, and PFC locks the fabric up.

## What to do

Keep traffic that came down from going up: no transit through leaves, no default route back to the spines.

- nxos: announce only the leaf's own prefixes to the spines (`neighbor ADDRESS`, `address-family ipv4 unicast`,
  `route-map OWN-ONLY out`)
- junos: `set protocols bgp group SPINES export OWN-ONLY`
- sonic: a `route-map OWN-ONLY out` on the spine sessions in FRR; on dual-ToR the tunnel QoS remap
- cumulus: a `route-map OWN-ONLY out` on the spine sessions

## When to ignore

When the bounced packets travel in another lossless priority: write it into the paths file (`leaf1/2`).

## References

- Hu et al., CoNEXT 2017 (Tagger)
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.fabric.deadlock import valleys
from rocecfg.lint.api import End, Fabric, Given, Hit, Severity, Unknown

ID, NAME, SEVERITY, PROFILE, SINCE = "DLK-002", "valley-path", Severity.ERROR, "safe", "0.2"
GOOD = """
intent:
  version: 1
  fabric: pod
  classes: {roce: {dscp: 26, priority: 3, lossless: true}, bounced: {dscp: 34, priority: 2, lossless: true}}
  settings: {design_incast: 2}
  devices:
    leaf[1-2]: {nos: nxos, model: N9K-C9364D-GX2A, role: leaf}
    spine[1-2]: {nos: nxos, model: N9K-C9364D-GX2A, role: spine}
    gpu[1-2]: {nic: mlx5, role: host}
  links:
    - {a: "leaf[1-2]:Ethernet1/1", b: "gpu[1-2]:rail0", speed: 400G, cable: 5m aoc}
    - {a: "leaf[1-2]:Ethernet1/11", b: "spine1:Ethernet1/[1-2]", speed: 400G, cable: 5m aoc}
    - {a: "leaf[1-2]:Ethernet1/12", b: "spine2:Ethernet1/[1-2]", speed: 400G, cable: 5m aoc}
paths: [{via: [gpu2, leaf2, spine1, leaf1/2, spine2], priority: 3}]
"""
BAD = GOOD.replace("leaf1/2, spine2", "leaf1, spine2")


def check(fabric: Fabric, given: Given) -> Iterator[Hit | Unknown]:
    ranks = fabric.topology.ranks
    if fabric.declared and all(rank is None for rank in ranks):
        yield Unknown("which switches are leaves: no host and no role tells")
        return
    for valley in valleys(fabric):
        yield Hit(
            f"priority {valley.priority} comes down from {valley.before} and goes up again to {valley.after}: a bounce "
            f"without a change of priority",
            f"drop the bounce at {valley.device}, or send it on in another lossless priority",
            "pfc",
            f"priority {valley.priority}",
            place=valley.path.place,
            ports=tuple(port for port in (valley.arrives, valley.leaves) if port),
            end=End(valley.device, valley.leaves),
        )
