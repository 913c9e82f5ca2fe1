"""Routing protocols wait behind data.

## What it finds

A port whose queue for the intent's control class is not served strictly. Needs an intent with a control class. House
rule, so a warning at most.

## Why it matters

When BGP, BFD or LLDP packets wait behind an incast, adjacencies time out, traffic is sent another way, and packets
bounce between tiers: the way into a buffer deadlock begins here.

## What to do

Serve the control queue strictly, before data.

- nxos: `priority level 1` in the class of the control queue
- sonic: a SCHEDULER of type STRICT in the QUEUE row of the control queue
- cumulus: `nv set qos egress-scheduler default-global traffic-class 7 mode strict`
- junos: `priority strict-high` in the scheduler of network-control

## When to ignore

Fabrics whose control traffic does not use these ports.

## References

- House rule
- Guo et al., SIGCOMM 2016, section 4.2: how flooded or bounced packets close a cycle
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, PortQos, Severity, Unknown
from rocecfg.lint.classes import class_of_kind, not_strict

ID, NAME, SEVERITY, PROFILE, SINCE = "SCH-003", "control-plane-below-data", Severity.WARNING, "safe", "0.1"
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet0:
      qos:
        trust: dscp
        dscp_to_tc: {56: 7, rest: 0}
        tc_to_queue: {0: 0, 7: 7}
        queues: {0: {scheduler: weighted, weight: 100}, 7: {scheduler: strict}}
expect: {trust: dscp, classes: {control: {kind: control, dscp: [56], priority: 7}}}
"""
BAD = GOOD.replace("7: {scheduler: strict}", "7: {scheduler: weighted, weight: 5}")


def check(qos: PortQos, given: Given) -> Iterator[Hit | Unknown]:
    control = class_of_kind(given.expect, "control")
    if control is not None:
        yield from not_strict(
            qos,
            control.dscps,
            "the control class",
            lambda queue, served: f"control traffic leaves by {queue}, which is {served}: it waits behind data",
        )
