"""The lossless queue drops at random where it should mark.

## What it finds

A dropping WRED curve on the queue of a lossless priority: WRED is configured and its ECN word is missing, so packets
that could be marked are dropped.

## Why it matters

The no-drop class is dropped by the switch's own configuration, before any buffer is full; RDMA goes back to each lost
packet.

## What to do

Add the ECN word, or take the profile off the lossless queue.

- nxos: the same `random-detect` line ending in `ecn`
- sonic: `"ecn": "ecn_all"` in the WRED_PROFILE
- cumulus: `nv set qos congestion-control default-global traffic-class 3 ecn enable` and `red disable`
- onyx: `congestion-control ecn` instead of `congestion-control red`
- junos: `explicit-congestion-notification` in the scheduler

## When to ignore

Never on a lossless queue. Packets that are not ECN-capable are dropped even with ECN on; that is another rule.

## References

- Cisco NX-OS QoS guide, Configuring Queuing and Scheduling: ECN is an extension of WRED
- sonic-wred-profile.yang: ecn_none is the default
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, PortQos, Severity, amount_text, queues_of_priority, wanted_lossless

ID, NAME, SEVERITY, PROFILE, SINCE = "ECN-003", "wred-drop-instead-of-mark", Severity.ERROR, "min", "0.1"
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet1/1:
      qos: &roce
        pfc: {admin: "on", tx: [3], rx: [3]}
        priority_to_queue: {3: [3]}
        queues: {3: {wred: [], ecn: {curves: [{low: 150 kbyte, high: 3000 kbyte, probability: 7}]}}}
"""
BAD = """
device:
  name: leaf1
  ports:
    Ethernet1/1:
      qos:
        pfc: {admin: "on", tx: [3], rx: [3]}
        priority_to_queue: {3: [3]}
        queues: {3: {wred: [{low: 150 kbyte, high: 3000 kbyte, probability: 7}]}}
"""


def check(qos: PortQos, given: Given) -> Iterator[Hit]:
    lossless = (qos.lossless_priorities() or frozenset()) | wanted_lossless(qos, given)
    queues = {number for priority in lossless for number in queues_of_priority(qos, priority) or ()}
    for number in sorted(queues):
        queue = qos.queue(number)
        for curve in (queue.wred or ()) if queue is not None else ():
            if curve.active is False:
                continue
            start = f" from {amount_text(curve.low)}" if curve.low is not None else ""
            yield Hit(
                f"queue {number} is lossless and WRED drops in it{start} instead of marking",
                "mark instead: add the ECN word",
                f"queues.{number}.wred",
                f"queue {number}",
            )
            break
