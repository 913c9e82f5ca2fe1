"""More bounces are allowed than there are lossless priorities to tell them apart.

## What it finds

A declared path (paths file) that goes up again after it came down more often than the fabric has lossless priorities
to spare: with k bounces k + 1 lossless priorities are needed. Also the option `bounces`, for fabrics whose routing
allows bounces that no paths file lists.

## Why it matters

A priority used before and after a bounce lets a packet wait for its own past: the ring that the change of priority
was to break is closed again.

## What to do

Add a lossless priority, or make packets lossy after the last bounce that has one of its own. Commodity chips carry two
or three lossless queues with full headroom, so one bounce is what is practical.

- sonic: two lossless priorities for bounced traffic (queue 3 to 2, 4 to 6), as dual-ToR templates have
- nxos: a second network-qos class with `pause pfc-cos`
- junos: a second `no-loss` forwarding class
- cumulus: a second priority in the PFC profile

## When to ignore

When bounced packets are dropped or lossy: they need no priority.

## References

- Hu et al., CoNEXT 2017 (Tagger): k bounces need k + 1 lossless priorities
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.fabric.deadlock import bounces
from rocecfg.lint.api import End, Fabric, Given, Hit, Option, Severity

ID, NAME, SEVERITY, PROFILE, SINCE = (
    "DLK-007", "lossless-priorities-lt-bounces-plus-one", Severity.WARNING, "safe", "0.2",
)  # fmt: skip
OPTIONS = {"bounces": Option(0, "bounces of a packet that routing allows although no paths file lists them")}
GOOD = """
intent:
  version: 1
  fabric: chain
  classes: {roce: {dscp: 26, priority: 3, lossless: true}, bounced: {dscp: 34, priority: 2, lossless: true}}
  settings: {design_incast: 2}
  devices:
    leaf[1-4]: {nos: nxos, model: N9K-C9364D-GX2A, role: leaf}
    spine[1-3]: {nos: nxos, model: N9K-C9364D-GX2A, role: spine}
    gpu[1-4]: {nic: mlx5, role: host}
  links:
    - {a: "leaf[1-4]:Ethernet1/1", b: "gpu[1-4]:rail0", speed: 400G, cable: 5m aoc}
    - {a: "leaf[1-3]:Ethernet1/11", b: "spine[1-3]:Ethernet1/1", speed: 400G, cable: 5m aoc}
    - {a: "leaf[2-4]:Ethernet1/12", b: "spine[1-3]:Ethernet1/2", speed: 400G, cable: 5m aoc}
paths: [{via: [leaf1, spine1, leaf2/2, spine2, leaf3], priority: 3}]
"""
BAD = GOOD.replace("leaf2/2, spine2, leaf3", "leaf2/2, spine2, leaf3/3, spine3, leaf4")


def check(fabric: Fabric, given: Given) -> Iterator[Hit]:
    lossless = fabric.lossless()
    if lossless is None:
        return
    allowed = given.options.bounces
    for path, count, switch in bounces(fabric):
        if count >= len(lossless) and count > allowed:
            yield Hit(
                f"a declared path bounces {count} times, and {len(lossless)} lossless priorities are there: "
                f"{count + 1} are needed",
                "add a lossless priority, or make packets lossy at this bounce",
                object=f"bounce {count}",
                place=path.place,
                end=End(switch, ""),
            )
    if lossless and allowed >= len(lossless):
        yield Hit(
            f"{allowed} bounces are allowed, and {len(lossless)} lossless priorities are there: "
            f"{allowed + 1} are needed",
            "add a lossless priority, or make bounced packets lossy",
        )
