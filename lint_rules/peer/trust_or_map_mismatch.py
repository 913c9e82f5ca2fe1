"""A packet is protected by another priority on the other side of the cable.

## What it finds

A DSCP of RoCE traffic (the intent's, else every DSCP that one end puts into a lossless class) that the two ends of a
cable protect by different priorities, or that only one end protects. Numbers of classes, queues and groups may differ:
what counts is which priority the pauses name.

## Why it matters

The receiver pauses priority 4 while the sender has the traffic in priority 3: the pause stops the wrong queue, and the
packets that filled the buffer keep coming.

## What to do

Use one map from DSCP to priority on the whole path.

- nxos: the `type qos` policy that sets `qos-group` by DSCP
- sonic: DSCP_TO_TC_MAP, TC_TO_PRIORITY_GROUP_MAP and MAP_PFC_PRIORITY_TO_QUEUE of the port
- cumulus: `nv set qos mapping default-global dscp 26 switch-priority 3`
- junos: the classifier and `pfc-priority` of the forwarding class
- mlx5: `mlnx_qos -i IF --dscp2prio set,26,3`

## When to ignore

Links where one side rewrites the mark on purpose (tunnel remap).

## References

- Juniper: output queue priorities must match the input PFC priorities
- IEEE 802.1Q: a PFC frame names priorities, not classes or queues
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import End, Given, Hit, Link, PortQos, Severity, Unknown, numbers_text

ID, NAME, SEVERITY, PROFILE, SINCE = "PEER-005", "trust-or-map-mismatch", Severity.ERROR, "safe", "0.1"
GOOD = """
devices:
  - name: leaf1
    ports:
      Ethernet0:
        qos: &qos
          trust: dscp
          dscp_to_tc: {26: 3, 34: 4, rest: 0}
          pfc: {admin: "on", tx: [3, 4], rx: [3, 4]}
          tc_to_pg: {0: 0, 3: 3, 4: 4}
          priority_to_pg: {3: [3], 4: [4]}
  - {name: spine1, ports: {Ethernet0: {qos: *qos}}}
links: [{a: "leaf1:Ethernet0", b: "spine1:Ethernet0"}]
"""
BAD = GOOD.replace(
    "spine1, ports: {Ethernet0: {qos: *qos}}",
    """spine1, ports: {Ethernet0: {qos: {
    trust: dscp, dscp_to_tc: {26: 4, 34: 3, rest: 0}, pfc: {admin: "on", tx: [3, 4], rx: [3, 4]},
    tc_to_pg: {0: 0, 3: 3, 4: 4}, priority_to_pg: {3: [3], 4: [4]}}}}""",
)


def check(link: Link, given: Given) -> Iterator[Hit | Unknown]:
    ends = (link.a, link.b)
    qos = [end.port.qos if end.port is not None else None for end in ends]
    first, second = qos
    if first is None or second is None or not _both_pause_alike(first, second):
        return  # an end is in no text, or PEER-001 says that the priorities differ
    for end, one in zip(ends, (first, second), strict=True):
        if one.trust is None:
            yield Unknown("what the port trusts", end)
            return
        if one.trust not in {"dscp", "both"}:
            return  # QMAP-003 and NIC-002 judge ports that ignore the DSCP
        if one.dscp_to_tc is None or one.tc_to_pg is None or one.priority_to_pg is None:
            yield Unknown("the way from DSCP to priority of the port", end)
            return
    expect = given.expect
    wanted = expect.lossless_dscps if expect is not None else _protected(first) | _protected(second)
    differing: dict[tuple[frozenset[int], frozenset[int]], set[int]] = {}
    for dscp in sorted(wanted):
        near, far = _priorities(first, dscp), _priorities(second, dscp)
        if near is not None and far is not None and near != far:
            differing.setdefault((near, far), set()).add(dscp)
    for (near, far), dscps in differing.items():
        here, there, there_name = (near, far, link.b) if far else (far, near, link.a)
        yield _hit(frozenset(dscps), here, there, link.a if far else link.b, there_name)


def _hit(dscps: frozenset[int], here: frozenset[int], there: frozenset[int], end: End, far: End) -> Hit:
    def protected(priorities: frozenset[int]) -> str:
        return f"by priority {numbers_text(priorities)}" if priorities else "by no priority"

    return Hit(
        f"DSCP {numbers_text(dscps)} is protected {protected(here)} here and {protected(there)} on {far.device_name}",
        "use the same map from DSCP to priority on both ends",
        f"dscp_to_tc.{min(dscps)}",
        f"DSCP {numbers_text(dscps)}",
        end=end,
    )


def _both_pause_alike(first: PortQos, second: PortQos) -> bool:
    lossless = [qos.lossless_priorities() for qos in (first, second)]
    return None not in lossless and lossless[0] == lossless[1]


def _protected(qos: PortQos) -> frozenset[int]:
    """Return the DSCPs that a port puts into classes which it pauses for."""
    return frozenset(dscp for dscp in range(64) if _priorities(qos, dscp))


def _priorities(qos: PortQos, dscp: int) -> frozenset[int] | None:
    """Return the lossless priorities that protect a DSCP, empty for none, None when the maps do not tell."""
    lossless = qos.lossless_priorities()
    tc = qos.dscp_to_tc.to[dscp] if qos.dscp_to_tc is not None else None
    group = qos.tc_to_pg[tc] if tc is not None and qos.tc_to_pg is not None and tc < len(qos.tc_to_pg) else None
    if lossless is None or group is None or qos.priority_to_pg is None:
        return None
    found = set()
    for priority in lossless:
        groups = qos.priority_to_pg[priority]
        if groups is None:
            return None
        if group in groups:
            found.add(priority)
    return frozenset(found)
