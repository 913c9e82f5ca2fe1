"""The lossless queue of a port does not mark congestion.

## What it finds

A port with PFC on for a priority whose egress queue is known to have no ECN. With an intent that relies on ECN
(congestion control DCQCN) this is an error; without an intent a warning, because some fabrics run PFC alone on purpose.
In a profile that no port has yet it is information.

## Why it matters

The senders never hear of the congestion, so PFC does all the work: pauses spread from port to port and stop traffic
that has nothing to do with it.

## What to do

Bind an ECN profile to the lossless queue of every port.

- nxos: `random-detect minimum-threshold 150 kbytes maximum-threshold 3000 kbytes drop-probability 7 weight 0 ecn` in
  the `c-out-8q-qN` class of the output queuing policy
- sonic: `"wred_profile": "NAME"` in the QUEUE row `IF|QUEUE`
- cumulus: `nv set qos congestion-control default-global traffic-class 3 ecn enable`
- onyx: `traffic-class 3 congestion-control ecn minimum-absolute 150 maximum-absolute 1500` on the interface, in KB
- junos: `explicit-congestion-notification` and a drop-profile-map in the scheduler of the class

## When to ignore

Fabrics without ECN by design: `congestion_control: none` or `other` in the intent.

## References

- Zhu et al., SIGCOMM 2015 (DCQCN)
- Gangidi et al., RDMA over Ethernet for Distributed AI Training at Meta Scale, SIGCOMM 2024: PFC alone at 400G
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rocecfg.lint.api import Device, Given, Hit, PortQos, Severity, Unknown, numbers_text, queues_of_priority

ID, NAME, SEVERITY, PROFILE, SINCE = "ECN-002", "ecn-missing-on-lossless-queue", Severity.ERROR, "safe", "0.1"
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet24:
      qos:
        pfc: {admin: "on", tx: [3], rx: [3]}
        priority_to_pg: {3: [3]}
        tc_to_pg: {0: 0, 3: 3}
        tc_to_queue: {0: 0, 3: 3}
        queues: {3: {ecn: {curves: [{low: 250000, high: 1048576, probability: 5}]}}}
expect: {congestion_control: dcqcn, classes: {roce: {dscp: [26], priority: 3, lossless: true}}}
"""
BAD = GOOD.replace("{ecn: {curves: [{low: 250000, high: 1048576, probability: 5}]}}", "{ecn: {curves: []}}")


def check(qos: PortQos, given: Given) -> Iterator[Hit | Unknown]:
    expect = given.expect
    if expect is not None and expect.congestion_control != "dcqcn":
        return
    lossless = qos.lossless_priorities()
    if expect is not None:
        lossless = lossless & expect.lossless if lossless is not None else None
    for priority in sorted(lossless or ()):
        queues = queues_of_priority(qos, priority)
        if queues is None:
            yield Unknown(f"the queue of priority {priority}")
            continue
        silent: list[int] = []
        for number in sorted(queues):
            queue = qos.queue(number)
            if queue is None or queue.ecn is None:
                yield Unknown(f"ECN of queue {number}")
            elif not queue.ecn.curves:
                silent.append(number)
        if silent:
            text = numbers_text(frozenset(silent))
            yield Hit(
                f"queue {text} is lossless (priority {priority}) and marks no ECN",
                f"bind an ECN profile to queue {text}",
                f"queues.{silent[0]}.ecn",
                f"queue {text}",
                None if expect is not None else Severity.WARNING,
            )


def check_unused(device: Device, given: Given) -> Iterator[Hit]:
    """Say it of a profile too that no port has yet."""
    for item in device.objects:
        for hit in check(item.would.qos, given) if item.would is not None else ():
            if isinstance(hit, Hit):
                yield replace(
                    hit,
                    message=f'{item.kind} "{item.name}" is in force nowhere; a port that gets it: {hit.message}',
                    object=item.name,
                    severity=Severity.INFO,
                    place=item.would.where(hit.leaf) if item.would is not None else None,
                )
