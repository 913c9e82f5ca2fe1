"""PFC is on for a priority, and nothing on the port can put a packet into its class.

## What it finds

A port that pauses for a priority, while its trust mode and maps send no mark at all to a traffic class which that
priority protects (error). Where PFC was turned on by hand and no class of the port is lossless, so that it pauses for
nothing, that is a warning.

## Why it matters

The port honours and emits pauses for a class that never gets its traffic; RDMA rides a lossy queue and is dropped.

## What to do

Attach the input classification, or trust DSCP.

- nxos: `service-policy type qos input NAME` on the interface (without one everything is qos-group 0)
- sonic: `dscp_to_tc_map` in the port's PORT_QOS_MAP row
- cumulus: `nv set qos mapping default-global trust l3`
- onyx: `dcb priority-flow-control priority N enable` where no priority is on, and `qos trust L3` on the interface (the
  default is L2)
- junos: `set class-of-service interfaces IF unit 0 classifiers dscp NAME`, and the class `no-loss` with its
  `pfc-priority`
- dell_os10: `service-policy input type network-qos NAME` and `trust-map dscp NAME` on the interface
- mlx5: `mlnx_qos -i IF --trust dscp`

## When to ignore

Peer links that carry traffic which the switch classified at another port.

## References

- Cisco NX-OS QoS guide: without a type qos input policy everything is qos-group 0
- Public Azure Stack switch configurations: host ranges and peer links with PFC on and no input policy
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, PortQos, Severity, Unknown, numbers_text, reachable_tcs, tcs_of_priority
from rocecfg.lint.classes import turned_on_by_hand

ID, NAME, SEVERITY, PROFILE, SINCE = "REF-003", "pfc-port-without-classification", Severity.ERROR, "min", "0.1"
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet1/1:
      qos:
        trust: dscp
        dscp_to_tc: {26: 3, rest: 0}
        default_tc: 0
        tc_to_pg: {0: 0, 3: 3}
        priority_to_pg: {3: [3]}
        pfc: {admin: "on", tx: [3], rx: [3]}
"""
BAD = GOOD.replace("trust: dscp", "trust: none")


def check(qos: PortQos, given: Given) -> Iterator[Hit | Unknown]:
    sends = qos.pfc.sends() if qos.pfc is not None else None
    if sends is not None and not sends and turned_on_by_hand(qos):
        yield _idle(qos)
    lost = []
    for priority in sorted(sends or ()):
        protected = tcs_of_priority(qos, priority)
        if protected is None:
            yield Unknown(f"the traffic class of priority {priority}")
            continue
        reachable, certain = reachable_tcs(qos)
        if protected & reachable:
            continue
        groupless = [tc for tc in reachable if qos.tc_to_pg is not None and qos.tc_to_pg[tc] is None]
        if groupless:
            yield Unknown(f"the priority group of traffic class {numbers_text(frozenset(groupless))}")
            continue
        if not certain:
            yield Unknown("trust and the classification maps of the port")
        else:
            lost.append(priority)
    if lost:
        text = numbers_text(frozenset(lost))
        yield Hit(
            f"PFC is on for priority {text}, but no mark leads to its class (trust {qos.trust})",
            "classify on this port",
            "trust" if qos.trust == "none" else "dscp_to_tc",
            f"priority {text}",
        )


def _idle(qos: PortQos) -> Hit:
    """Say what a port lacks on which somebody turned PFC on and which pauses for no priority."""
    if qos.trust == "none":
        what, leaf = "nothing on the port classifies: every packet goes to the default class", "trust"
        return Hit(f"PFC is turned on, and {what}", "classify on this port", leaf, severity=Severity.WARNING)
    what = "no class of the port is lossless: it pauses for no priority"
    return Hit(f"PFC is turned on, and {what}", "make a class lossless on this port", "pfc", severity=Severity.WARNING)
