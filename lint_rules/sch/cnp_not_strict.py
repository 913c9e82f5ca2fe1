"""Congestion notification packets wait for their turn.

## What it finds

A switch port whose CNP queue (by the intent's CNP DSCP) is not served strictly before the others.

## Why it matters

Each microsecond a CNP waits, every sender goes on at its old rate. Behind a weighted data queue the feedback loop gets
longer by the length of that queue, just when the queue is long.

## What to do

Serve the CNP queue strictly, and shape it to a few percent if it could be abused.

- nxos: `priority level 1` in the `c-out-8q-q6` class of the output queuing policy
- sonic: a SCHEDULER of type STRICT in the QUEUE row `IF|QUEUE`
- cumulus: `nv set qos egress-scheduler default-global traffic-class 6 mode strict`
- onyx: `traffic-class 6 dcb ets strict` on the interface
- junos: `priority strict-high` in the scheduler of the CNP class, with `transmit-rate percent 5` as its bound

## When to ignore

A weighted queue with a share so large that it never waits.

## References

- NVIDIA Cumulus Linux, RDMA over Converged Ethernet: traffic class 6 strict
- Zhu et al., SIGCOMM 2015
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, PortQos, Severity, Unknown
from rocecfg.lint.classes import class_of_kind, not_strict, pfc_sets

ID, NAME, SEVERITY, PROFILE, SINCE = "SCH-001", "cnp-not-strict", Severity.WARNING, "safe", "0.1"
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet0:
      qos:
        trust: dscp
        dscp_to_tc: {48: 6, rest: 0}
        tc_to_queue: {0: 0, 6: 6}
        queues: {0: {scheduler: weighted, weight: 100}, 6: {scheduler: strict}}
expect: {trust: dscp, classes: {cnp: {kind: cnp, dscp: [48], priority: 6}}}
"""
BAD = GOOD.replace("scheduler: strict", "scheduler: weighted, weight: 5")


def check(qos: PortQos, given: Given) -> Iterator[Hit | Unknown]:
    cnp = class_of_kind(given.expect, "cnp")
    if given.expect is None:
        if pfc_sets(qos).sends:
            yield Unknown("the CNP DSCP: no intent is given")
        return
    if cnp is not None:
        yield from not_strict(
            qos,
            cnp.dscps,
            "CNPs",
            lambda queue, served: f"CNPs leave by {queue}, which is {served}, not strict",
        )
