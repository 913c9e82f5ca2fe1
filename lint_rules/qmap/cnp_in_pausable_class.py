"""Congestion notification packets travel in a class that can be paused.

## What it finds

A switch port whose map puts the CNP DSCP of the intent into a class that PFC protects, and a NIC that sends its CNPs
with a priority on which PFC is on.

## Why it matters

When the receiver's port is paused, so is the message that would make the senders slow down: the one packet that could
end the congestion waits behind it.

## What to do

Send CNPs in a lossy queue with strict priority.

- nxos: `match dscp 48` in the class of `set qos-group 6`, and `priority level 1` for `c-out-8q-q6`
- sonic: `"48": "6"` in the DSCP_TO_TC_MAP
- cumulus: `nv set qos mapping default-global dscp 48 switch-priority 6`
- junos: CNP code points in a forwarding class without `no-loss`
- mlx5: `echo 6 > /sys/class/net/IF/ecn/roce_np/cnp_802p_prio`

## When to ignore

Fabrics that run CNPs in the lossless class on purpose and live with it.

## References

- HPCC simulation code: acknowledgements and CNPs have the highest priority
- House severity
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Port, PortQos, Severity, Unknown, numbers_text, tcs_of_priority
from rocecfg.lint.classes import class_of_kind, pfc_sets

ID, NAME, SEVERITY, PROFILE, SINCE = "QMAP-006", "cnp-in-pausable-class", Severity.WARNING, "safe", "0.1"
GOOD = """
device:
  name: gpu01
  kind: host
  ports:
    rail0: {nic: {cnp_dscp: 48, cnp_priority: 6}, qos: {pfc: {admin: "on", tx: [3], rx: [3]}}}
"""
BAD = GOOD.replace("cnp_priority: 6", "cnp_priority: 3")


def check(port: Port, given: Given) -> Iterator[Hit | Unknown]:
    sends = pfc_sets(port.qos).sends
    if port.nic is not None:
        yield from _nic(port.nic.cnp_priority, sends)
        return
    cnp = class_of_kind(given.expect, "cnp")
    if given.expect is None:
        if sends:
            yield Unknown("the CNP DSCP: no intent is given")
    elif cnp is not None and port.qos.trust in {"dscp", "both"}:
        yield from _switch(port.qos, sends, cnp.dscps)


def _nic(priority: int | None, sends: frozenset[int] | None) -> Iterator[Hit | Unknown]:
    if priority is None:
        yield Unknown("the priority of the NIC's CNPs")
    elif priority in (sends or ()):
        yield Hit(
            f"the NIC sends CNPs with priority {priority}, on which PFC is on (priority {numbers_text(sends or frozenset())})",
            "send CNPs with a lossy priority",
            "nic.cnp_priority",
            f"priority {priority}",
        )


def _switch(qos: PortQos, sends: frozenset[int] | None, dscps: frozenset[int]) -> Iterator[Hit | Unknown]:
    for priority in sorted(sends or ()):
        tcs = tcs_of_priority(qos, priority)
        if tcs is None or qos.dscp_to_tc is None:
            yield Unknown("the DSCP map" if qos.dscp_to_tc is None else "the maps from class and priority to group")
            return
        for dscp in sorted(dscps):
            tc = qos.dscp_to_tc.to[dscp]
            if tc is not None and tc in tcs:
                yield Hit(
                    f"CNPs (DSCP {dscp}) go to traffic class {tc}, which priority {priority} pauses",
                    f"map DSCP {dscp} to a lossy class with a strict queue",
                    f"dscp_to_tc.{dscp}",
                    f"DSCP {dscp}",
                )
