"""RoCE traffic arrives with a mark that the port puts into a class without protection.

## What it finds

A port on which PFC protects the RoCE priority, and whose classification sends a RoCE DSCP of the intent to a traffic
class that this priority does not pause for. Trusting PCP or nothing is QMAP-003's finding. Needs an intent: which DSCP
is RoCE stands in no device's configuration.

## Why it matters

RoCE rides a lossy queue while the lossless one stays empty; the first incast drops it, and RDMA goes back to the lost
packet.

## What to do

Map the DSCP to the lossless class on every port that RoCE enters by.

- nxos: `match dscp 26` in the class of `set qos-group 3`, and `service-policy type qos input NAME` on the interface
- sonic: `"26": "3"` in the DSCP_TO_TC_MAP that PORT_QOS_MAP names for the port
- cumulus: `nv set qos mapping default-global dscp 26 switch-priority 3`
- onyx: `qos map dscp 26 to switch-priority 3` on the interface
- junos: `set class-of-service classifiers dscp NAME forwarding-class CLASS loss-priority low code-points 011010`
- mlx5: `mlnx_qos -i IF --dscp2prio set,26,3` or `dcb app replace dev IF dscp-prio 26:3`

## When to ignore

Ports that never carry RoCE: leave them out of the intent.

## References

- ROCm/mori pull request 362 and openucx/ucx issue 10325: the effect seen from the host
- sonic-buildimage qos_config.j2: the default map sends DSCP 26 to class 1
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, PortQos, Severity, Unknown, numbers_text, tcs_of_priority

ID, NAME, SEVERITY, PROFILE, SINCE = "QMAP-001", "roce-dscp-not-in-lossless-tc", Severity.ERROR, "min", "0.1"
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet0:
      qos: &roce
        trust: dscp
        dscp_to_tc: {26: 3, rest: 0}
        tc_to_pg: {0: 0, 1: 0, 3: 3}
        priority_to_pg: {3: [3]}
        pfc: {admin: "on", tx: [3], rx: [3]}
expect: {trust: dscp, classes: {roce: {dscp: [26], priority: 3, lossless: true}}}
"""
BAD = GOOD.replace("dscp: [26]", "dscp: [26, 34]").replace("{26: 3, rest: 0}", "{26: 3, 34: 1, rest: 0}")


def check(qos: PortQos, given: Given) -> Iterator[Hit | Unknown]:
    if given.expect is None:
        yield Unknown("the RoCE DSCPs: no intent is given")
        return
    if qos.trust not in {"dscp", "both"} or qos.pfc is None:
        if qos.trust is None and given.expect.lossless:
            yield Unknown("what the port trusts")
        return
    for item in given.expect.classes:
        if not item.lossless or item.priority not in (qos.pfc.sends() or ()):
            continue
        protected = tcs_of_priority(qos, item.priority)
        if qos.dscp_to_tc is None or protected is None:
            yield Unknown("the DSCP map" if qos.dscp_to_tc is None else "the maps from class and priority to group")
            return
        for dscp in sorted(item.dscps):
            tc = qos.dscp_to_tc.to[dscp]
            if tc is None:
                yield Unknown(f"the class of DSCP {dscp}")
            elif qos.tc_to_pg is None or qos.tc_to_pg[tc] is None:
                yield Unknown(f"the priority group of traffic class {tc}")
            elif tc not in protected:
                yield Hit(
                    f"DSCP {dscp} ({item.name}) goes to traffic class {tc}, but priority {item.priority} protects "
                    f"class {numbers_text(protected)}",
                    f"map DSCP {dscp} to the class of priority {item.priority}",
                    "dscp_to_tc",
                    f"DSCP {dscp}",
                )
