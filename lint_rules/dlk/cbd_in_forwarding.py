"""Lossless ports wait for each other in a ring: the fabric can lock up for good.

## What it finds

A cyclic buffer dependency: a ring of lossless (port, priority) pairs in which packets of each may go on to the next.
The ways packets take come from the cables with the up-down rule (up, across, down, never up again) and from a paths
file. A ring that needs a declared path is an error. A ring of cables among switches of one rank (leaf to leaf to leaf)
is a warning: nothing in the topology keeps packets from going round, only the routing does. So is a ring on which
every port is known to run a PFC watchdog.

## Why it matters

When every port of the ring is paused by the next one, nothing moves again, whatever the senders do. A watchdog ends
the lock by dropping packets; it does not prevent the next one.

## What to do

Break one turn of the ring: keep a packet that came down from going up again (no transit through leaves, drop or lossy
class on the bounce), or give it another lossless priority from that turn on.

- nxos: `route-map NO-TRANSIT` on the BGP sessions of the leaf, so that it announces only its own prefixes upward
- sonic: the tunnel QoS remap (queue 3 to 2, 4 to 6) on dual-ToR, or an outbound policy in FRR
- junos: `set policy-options policy-statement NO-TRANSIT term own from protocol direct` and `then accept`, as export
  policy of the leaf
- cumulus: `nv set vrf default router bgp peer-group underlay address-family ipv4-unicast policy outbound route-map
  NO-TRANSIT`

## When to ignore

When routing is proven not to take one of the turns: declare the real ways in a paths file.

## References

- Hu et al., HotNets 2016: deadlocks in data-center networks, why they form; a ring is necessary, not sufficient
- Hu et al., CoNEXT 2017 (Tagger)
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.fabric.deadlock import missing_cables, rings
from rocecfg.lint.api import End, Fabric, Given, Hit, Severity, Unknown

ID, NAME, SEVERITY, PROFILE, SINCE = "DLK-001", "cbd-in-forwarding", Severity.ERROR, "safe", "0.2"
GOOD = """
devices:
  - {name: leaf1, ports: {a: {qos: &roce {pfc: {admin: "on", tx: [3], rx: [3]}, watchdog: {enabled: true,
     priorities: [3]}, link_pause: {rx: false, tx: false}, trust: dscp, dscp_to_tc: {26: 3, rest: 0},
     tc_to_pg: {0: 0, 3: 3}, priority_to_pg: {3: [3]}, priority_groups: {3: {lossless: true, headroom: {by: box}}}}},
     b: {qos: *roce}}}
  - {name: leaf2, ports: {a: {qos: *roce}, b: {qos: *roce}}}
  - {name: leaf3, ports: {a: {qos: *roce}, b: {qos: *roce}}}
links: [{a: "leaf1:a", b: "leaf2:b"}, {a: "leaf2:a", b: "leaf3:b"}, {a: "leaf3:a", b: "leaf1:b"}]
paths:
  - {via: [leaf1, leaf2, leaf3], priority: 3}
  - {via: [leaf3, leaf1, leaf2], priority: 3}
"""
BAD = """
intent:
  version: 1
  fabric: ring
  classes: {roce: {dscp: 26, priority: 3, lossless: true}}
  settings: {design_incast: 2}
  devices: {"leaf[1-3]": {nos: nxos, model: N9K-C9364D-GX2A, role: leaf}}
  links:
    - {a: "leaf1:Ethernet1/1", b: "leaf2:Ethernet1/2", speed: 400G, cable: 5m aoc}
    - {a: "leaf2:Ethernet1/1", b: "leaf3:Ethernet1/2", speed: 400G, cable: 5m aoc}
    - {a: "leaf3:Ethernet1/1", b: "leaf1:Ethernet1/2", speed: 400G, cable: 5m aoc}
paths:
  - {via: [leaf1, leaf2, leaf3], priority: 3}
  - {via: [leaf2, leaf3, leaf1], priority: 3}
  - {via: [leaf3, leaf1, leaf2], priority: 3}
"""


def check(fabric: Fabric, given: Given) -> Iterator[Hit | Unknown]:
    for _, here, there in missing_cables(fabric):
        yield Unknown(f"a cable between {here} and {there}, which a declared path takes", End(here, ""))
    if fabric.lossless() is None:
        yield Unknown("the lossless priorities: neither an intent nor a device tells")
        return
    if not fabric.declared and not any(fabric.topology.forwards(at) for at in range(len(fabric.topology.names))):
        yield Unknown("which switches are leaves: no host, no role and no declared path tells")
        return
    for ring in rings(fabric):
        first = ring.steps[0]
        priorities = ", ".join(str(p) for p in sorted({step.priority for step in ring.steps}))
        watched = _watched(fabric, ring.channels)
        message = f"priority {priorities} can lock up: {ring.text()} wait for each other"
        if closing := ring.closing_text():
            message += f"; the ring is closed by {closing}"
        if watched:
            message += "; the watchdog on every port would end it by dropping packets"
        yield Hit(
            message,
            "keep packets from taking one of these turns, or change the priority there",
            "pfc",
            f"priority {priorities}",
            Severity.ERROR if ring.certain and not watched else Severity.WARNING,
            ring.place,
            tuple(port for port in (first.arrives, first.leaves) if port),
            End(first.device, first.leaves),
        )


def _watched(fabric: Fabric, channels: tuple[int, ...]) -> bool:
    """Return whether every port that waits is known to run a watchdog."""
    for channel in channels:
        port = fabric.port(channel, arriving=False)
        if port is None or port.qos.watchdog is None or not port.qos.watchdog.enabled:
            return False
    return True
