"""The link between two leaves of a pair carries the lossless priority.

## What it finds

PFC on for a lossless priority on a vPC or MLAG peer-link: a port that its text calls one, or a cable between two
switches of one rank that both have uplinks and share a host. A pair of leaves without switches above has no way up, so
nothing can bounce there, and it is not reported.

## Why it matters

A packet that came down from a spine and crosses the peer-link can go up again on the other side. Such a bounce is the
turn that up-down routing lacks for a deadlock.

## What to do

Leave the lossless priority out of PFC on the peer-link, or give traffic that crosses it another priority.

- nxos: `priority-flow-control mode off` on the port-channel of the peer-link
- sonic: leave the priority out of `pfc_enable` in the PORT_QOS_MAP rows of the peer-link
- cumulus: leave the peer-link ports out of the PFC profile
- junos: no congestion-notification profile on the ICL

## When to ignore

When no host with RoCE is cabled to both switches, or the pair has no switches above.

## References

- Hu et al., CoNEXT 2017 (Tagger): a link between switches of one rank is a way up and a way down at once
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.fabric.graph import DOWN, PEER, UP
from rocecfg.lint.api import End, Fabric, Given, Hit, Port, Severity, numbers_text, wanted_lossless

ID, NAME, SEVERITY, PROFILE, SINCE = "DLK-005", "peer-link-lossless", Severity.WARNING, "safe", "0.2"
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  ports:
    port-channel10: {role: peer-link, qos: {pfc: {admin: "off"}}}
"""
BAD = """
device:
  name: leaf1
  ports:
    port-channel10:
      role: peer-link
      qos: {pfc: {admin: "on", tx: [3], rx: [3]}, watchdog: {enabled: true, priorities: [3]}, trust: dscp,
        dscp_to_tc: {26: 3, rest: 0}, tc_to_pg: {0: 0, 3: 3}, priority_to_pg: {3: [3]},
        priority_groups: {3: {lossless: true, headroom: {by: box}}}, link_pause: {rx: false, tx: false}}
"""
_HELP = "turn PFC off on the peer-link, or keep RoCE hosts from being cabled to both switches"


def check(port: Port, given: Given) -> Iterator[Hit]:
    """Judge a port that its own text calls a peer-link."""
    if port.role != "peer-link" or port.qos.pfc is None:
        return
    sends = port.qos.pfc.sends() or frozenset()
    carried = sends & wanted_lossless(port.qos, given) if given.expect is not None else sends
    if carried:
        text = numbers_text(carried)
        yield Hit(f"the peer-link is lossless for priority {text}", _HELP, "pfc", f"priority {text}")


def check_fabric(fabric: Fabric, given: Given) -> Iterator[Hit]:
    """Judge cables between switches of one rank that share a host and have switches above."""
    topology = fabric.topology
    for priority in sorted(fabric.lossless() or ()):
        mask = fabric.mask(priority)
        for channel in range(0, topology.channels, 2):
            if topology.direction(channel) != PEER or not (mask is None or (mask[channel] and mask[channel + 1])):
                continue
            near, far = topology.sender(channel), topology.receiver(channel)
            if not all(map(topology.forwards, (near, far))) or not (topology.out[near][UP] or topology.out[far][UP]):
                continue
            port = fabric.port(channel, arriving=False)
            if (port is not None and port.role == "peer-link") or not _share_a_host(fabric, near, far):
                continue
            yield Hit(
                f"the cable to {topology.names[far]}, a switch of the same rank, is lossless for priority {priority}, "
                "and hosts are cabled to both",
                _HELP,
                "pfc",
                f"priority {priority}",
                place=fabric.places(channel >> 1) if port is None else None,
                end=End(topology.names[near], topology.ports(channel)[0]),
            )


def _share_a_host(fabric: Fabric, near: int, far: int) -> bool:
    topology = fabric.topology
    below = [{topology.receiver(channel) for channel in topology.out[at][DOWN]} for at in (near, far)]
    return any(not topology.forwards(at) for at in below[0] & below[1])
