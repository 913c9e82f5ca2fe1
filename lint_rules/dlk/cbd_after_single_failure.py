"""When one cable fails, lossless traffic has no other way than down and up again.

## What it finds

A cable whose loss leaves two leaves without an up-down way to each other while the fabric still connects them: routing
then bounces packets at a leaf, or through a ring of leaves. Ways that stay up-down are what routing takes, so a fabric
with two independent ways up from every leaf is silent. Where the detours of one failure close a ring, the finding says
so. With a PFC watchdog known on every port it is information.

## Why it matters

The bounce happens at the moment of a failure, when queues are full anyway; together with one in the opposite
direction it is a PFC deadlock that outlives the failure.

## What to do

Give each leaf a second way up, drop lossless packets that bounce (an ACL on what came from a spine and leaves to one),
or carry them in a second lossless priority.

- nxos: a second uplink to another spine; no transit through the peer: `route-map OWN-ONLY out` on the spine sessions
- junos: a second uplink; `set protocols bgp group SPINES export OWN-ONLY`
- sonic: a second uplink; `route-map OWN-ONLY out` on the spine sessions in FRR
- cumulus: a second uplink; `route-map OWN-ONLY out` on the spine sessions

## When to ignore

When routing is known to drop such traffic: leaves that never transit.

## References

- Hu et al., CoNEXT 2017 (Tagger): bounces after link failures
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.fabric.failures import MOST_FAILURES, detours
from rocecfg.lint.api import End, Fabric, Given, Hit, Severity, Unknown

ID, NAME, SEVERITY, PROFILE, SINCE = "DLK-003", "cbd-after-single-failure", Severity.WARNING, "safe", "0.2"
GOOD = """
intent:
  version: 1
  fabric: pod
  classes: {roce: {dscp: 26, priority: 3, lossless: true}}
  settings: {design_incast: 2}
  devices:
    leaf[1-2]: {nos: nxos, model: N9K-C9364D-GX2A, role: leaf}
    spine[1-2]: {nos: nxos, model: N9K-C9364D-GX2A, role: spine}
    gpu[1-2]: {nic: mlx5, role: host}
  links:
    - {a: "leaf[1-2]:Ethernet1/1", b: "gpu[1-2]:rail0", speed: 400G, cable: 5m aoc}
    - {a: "leaf[1-2]:Ethernet1/11", b: "spine1:Ethernet1/[1-2]", speed: 400G, cable: 5m aoc}
    - {a: "leaf[1-2]:Ethernet1/12", b: "spine2:Ethernet1/[1-2]", speed: 400G, cable: 5m aoc}
"""
BAD = """
intent:
  version: 1
  fabric: pod
  classes: {roce: {dscp: 26, priority: 3, lossless: true}}
  settings: {design_incast: 2}
  devices:
    leaf[1-3]: {nos: nxos, model: N9K-C9364D-GX2A, role: leaf}
    spine[1-2]: {nos: nxos, model: N9K-C9364D-GX2A, role: spine}
    gpu[1-3]: {nic: mlx5, role: host}
  links:
    - {a: "leaf[1-3]:Ethernet1/1", b: "gpu[1-3]:rail0", speed: 400G, cable: 5m aoc}
    - {a: "leaf[1-2]:Ethernet1/11", b: "spine1:Ethernet1/[1-2]", speed: 400G, cable: 5m aoc}
    - {a: "leaf[2-3]:Ethernet1/12", b: "spine2:Ethernet1/[2-3]", speed: 400G, cable: 5m aoc}
    - {a: "leaf1:Ethernet1/13", b: "leaf3:Ethernet1/13", speed: 400G, cable: 5m aoc}
"""


def check(fabric: Fabric, given: Given) -> Iterator[Hit | Unknown]:
    if fabric.lossless() is None:
        yield Unknown("the lossless priorities: neither an intent nor a device tells")
        return
    if not fabric.lossless():
        return
    topology = fabric.topology
    cures = "give both ends a second way up, or drop lossless packets that bounce"
    severity = Severity.INFO if _watched(fabric) else Severity.WARNING
    for number, detour in enumerate(detours(fabric), 1):
        if number == MOST_FAILURES:
            yield Unknown(f"what the loss of further cables does: {MOST_FAILURES} detours were followed")
        here, there = (topology.names[of[detour.cable]] for of in (topology.a, topology.b))
        port, _ = topology.ports(2 * detour.cable)
        message = (
            f"without the cable to {there}, {detour.ends[0]} reaches {detour.ends[1]} only by a detour that goes up again: "
            f"{' > '.join(detour.via)}"
        )
        if detour.ring is not None:
            message += f"; this closes a ring: {detour.ring.text()}"
        yield Hit(
            message, cures, object=f"turn at {detour.turns_at}", severity=severity,
            place=fabric.places(detour.cable), end=End(here, port),
        )  # fmt: skip


def _watched(fabric: Fabric) -> bool:
    """Return whether every port that was read runs a watchdog, and some were."""
    switches = [held for held in fabric.devices.values() if held.device.kind == "switch"]
    dogs = {id(port.qos): port.qos.watchdog for held in switches for port in held.ports.values()}
    return bool(dogs) and all(dog is not None and bool(dog.enabled) for dog in dogs.values())
