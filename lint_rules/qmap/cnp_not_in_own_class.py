"""Congestion notification packets wait with best effort.

## What it finds

A port on which the CNP DSCP of the intent goes to the class, or the queue, of unmarked traffic. In the lossless class it
is QMAP-006's finding, in a queue that is not strict SCH-001's.

## Why it matters

A CNP is the brake of a sender. Behind a full best-effort queue it comes late or is dropped, and the senders go on at
line rate into the congestion that it reports.

## What to do

Give CNPs a class of their own in a strict queue.

- nxos: `match dscp 48` in the class of `set qos-group 6`, and `priority level 1` for `c-out-8q-q6`
- sonic: `"48": "6"` in the DSCP_TO_TC_MAP
- cumulus: `nv set qos mapping default-global dscp 48 switch-priority 6`
- onyx: `qos map dscp 48 to switch-priority 6` on the interface
- junos: `set class-of-service classifiers dscp NAME forwarding-class CNP loss-priority low code-points 110000`

## When to ignore

Fabrics without DCQCN: leave the cnp class out of the intent.

## References

- NVIDIA Cumulus Linux, RDMA over Converged Ethernet: switch priority 6 for CNP, strict
- Zhu et al., SIGCOMM 2015, section 5: CNPs get high priority
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, PortQos, Severity, Unknown
from rocecfg.lint.classes import class_of_kind, lossless_tcs, pfc_sets, tcs_of_unmarked

ID, NAME, SEVERITY, PROFILE, SINCE = "QMAP-005", "cnp-not-in-own-class", Severity.WARNING, "safe", "0.1"
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet0: {qos: {trust: dscp, dscp_to_tc: {48: 6, rest: 0}, tc_to_queue: {0: 0, 6: 6}}}
expect: {trust: dscp, classes: {cnp: {kind: cnp, dscp: [48], priority: 6}}}
"""
BAD = GOOD.replace("{48: 6, rest: 0}", "{rest: 0}")


def check(qos: PortQos, given: Given) -> Iterator[Hit | Unknown]:
    cnp = class_of_kind(given.expect, "cnp")
    if given.expect is None:
        if pfc_sets(qos).sends:
            yield Unknown("the CNP DSCP: no intent is given")
        return
    if cnp is None or qos.trust not in {"dscp", "both"}:
        return
    if qos.dscp_to_tc is None:
        yield Unknown("the DSCP map")
        return
    unmarked = tcs_of_unmarked(qos)
    for dscp in sorted(cnp.dscps):
        tc = qos.dscp_to_tc.to[dscp]
        if tc is None or not unmarked:
            yield Unknown(f"the class of DSCP {dscp if tc is None else 0}")
        elif tc in unmarked:
            if tc not in (lossless_tcs(qos) or ()):
                yield _hit(dscp, f"traffic class {tc}, that of unmarked traffic", f"dscp_to_tc.{dscp}")
        elif (queue := _queue(qos, tc)) is not None and queue in {_queue(qos, other) for other in unmarked}:
            yield _hit(dscp, f"queue {queue}, that of unmarked traffic", f"tc_to_queue.{tc}")


def _queue(qos: PortQos, tc: int) -> int | None:
    return qos.tc_to_queue[tc] if qos.tc_to_queue is not None else None


def _hit(dscp: int, where: str, leaf: str) -> Hit:
    return Hit(f"CNPs (DSCP {dscp}) go to {where}", f"give DSCP {dscp} a class of its own", leaf, f"DSCP {dscp}")
