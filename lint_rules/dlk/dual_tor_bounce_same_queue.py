"""A dual-ToR switch sends bounced traffic back up in the queue that it came down in.

## What it finds

A switch of a dual-ToR pair with lossless priorities whose tunnel to the other ToR has no maps of its own, so that what
arrives at the wrong ToR goes north again in the same class and queue. A device whose tunnels are in no text is not
evaluated.

## Why it matters

Traffic that came down goes up again in the same lossless priority: the T1 switches and the two ToRs then wait for each
other in a ring, and PFC locks all of them up.

## What to do

Give bounced traffic its own classes, and make them lossless on the uplinks too: DSCP 3 to 2 and 4 to 6, queue 3 to 2
and 4 to 6.

- sonic: `decap_dscp_to_tc_map`, `decap_tc_to_pg_map`, `encap_tc_to_dscp_map` and `encap_tc_to_queue_map` in the
  TUNNEL row (`MuxTunnel0`), and `"pfc_enable": "2,3,4,6"` on the uplinks

## When to ignore

Active-active pairs whose tunnel never carries lossless traffic.

## References

- SONiC doc/qos/tunnel_dscp_remapping.md; SONiC pull request 950; sonic-buildimage pull request 10608
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Device, Given, Hit, Severity, Unknown, numbers_text

ID, NAME, SEVERITY, PROFILE, SINCE = "DLK-006", "dual-tor-bounce-same-queue", Severity.ERROR, "safe", "0.2"
DEVICES = "switch"
GOOD = """
device:
  name: tor1
  dual_tor: true
  tunnel_remap: true
  ports:
    Ethernet0: {qos: {pfc: {admin: "on", tx: [3], rx: [3]}, watchdog: {enabled: true, priorities: [3]}, trust: dscp,
      dscp_to_tc: {26: 3, rest: 0}, tc_to_pg: {0: 0, 3: 3}, priority_to_pg: {3: [3]},
      link_pause: {rx: false, tx: false}, priority_groups: {3: {lossless: true, headroom: {by: box}}}}}
"""
BAD = GOOD.replace("tunnel_remap: true", "tunnel_remap: false")


def check(device: Device, given: Given) -> Iterator[Hit | Unknown]:
    if not device.dual_tor or device.tunnel_remap:
        return
    lossless = [port.qos.lossless_priorities() for port in device.ports.values()]
    priorities = frozenset().union(*(found for found in lossless if found))
    if not priorities:
        return
    if device.tunnel_remap is None:
        yield Unknown("the tunnel between the two ToRs: no text names its maps")
        return
    text = numbers_text(priorities)
    yield Hit(
        f"this ToR sends what bounces through its tunnel back up in the class it came down in; priority {text} is lossless",
        "give the tunnel maps of its own, so that bounced traffic travels in other priorities",
        object=f"priority {text}",
    )
