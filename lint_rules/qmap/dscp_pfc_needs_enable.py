"""PFC looks at the VLAN tag while the traffic is marked by DSCP.

## What it finds

A port that trusts DSCP and whose PFC acts only on the priority of a VLAN tag.

## Why it matters

Packets are queued as intended and never paused for: the port counts them by their PCP, which an untagged packet does
not have. Maps and queues look right, and the buffer overflows.

## What to do

Let PFC follow the internal class or the DSCP.

- junos: `input dscp code-point 011010 pfc` in the congestion-notification-profile instead of `input ieee-802.1`

## When to ignore

Fabrics whose frames all carry a VLAN tag with the right priority.

## References

- Huawei CloudEngine, PFC: dscp-mapping must be enabled for DSCP-marked packets
- Juniper, input (congestion notification): dscp or ieee-802.1
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Port, Severity, Unknown, numbers_text
from rocecfg.lint.classes import pfc_sets

ID, NAME, SEVERITY, PROFILE, SINCE = "QMAP-013", "dscp-pfc-needs-enable", Severity.ERROR, "min", "0.1"
GOOD = """
device:
  name: leaf1
  ports:
    et-0/0/0: {qos: {trust: dscp, pfc: {admin: "on", tx: [3], rx: [3], by: internal}}}
"""
BAD = GOOD.replace("by: internal", "by: pcp")


def check(port: Port, given: Given) -> Iterator[Hit | Unknown]:
    pfc, sends = port.qos.pfc, pfc_sets(port.qos).sends
    if pfc is None or not sends or port.qos.trust != "dscp":
        return
    if pfc.by is None:
        yield Unknown("what selects the priority that PFC pauses for")
    elif pfc.by == "pcp":
        tagged = port.mode == "trunk" and port.nic is None
        yield Hit(
            f"the port trusts DSCP, but PFC for priority {numbers_text(sends)} follows the PCP of a VLAN tag",
            "let PFC follow the DSCP",
            "pfc.tx",
            f"priority {numbers_text(sends)}",
            Severity.WARNING if tagged else None,
        )
