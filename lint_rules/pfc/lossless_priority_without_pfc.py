"""A priority is meant to be lossless, and a port does not pause for it.

## What it finds

A host or fabric port whose PFC set lacks a lossless priority of the intent, in the sending or in the honouring
direction. Without an intent lossless is what the configuration itself protects with a lossless priority group (a
no-drop class, a headroom profile), and a priority with PFC in one direction is left to PFC-004.

## Why it matters

The class is called lossless and nobody pauses: the buffer overflows and packets are dropped. RDMA answers a loss by
going back to the lost packet; at one loss in 256 packets a reliable connection of long messages carries nothing at
all (Guo et al., SIGCOMM 2016, section 4.1).

## What to do

Turn PFC on for the priority on every port the class may use, on both ends of the cable.

- nxos: `priority-flow-control mode on` on the interface (the priority comes from `pause pfc-cos` in network-qos)
- sonic: `config interface pfc priority IF PRIORITY on`
- cumulus: `nv set qos pfc NAME switch-priority PRIORITY`, `tx enable`, `rx enable`, then
  `nv set interface IF qos pfc profile NAME`
- onyx: `dcb priority-flow-control enable force`, `dcb priority-flow-control priority PRIORITY enable`, and `dcb
  priority-flow-control mode on force` on the interface
- junos: `input dscp code-point BITS pfc` and `output ieee-802.1 code-point BITS flow-control-queue N` in the
  congestion-notification-profile, and the profile on the interface
- mlx5: `mlnx_qos -i IF --pfc 0,0,0,1,0,0,0,0` or `dcb pfc set dev IF prio-pfc all:off 3:on`

## When to ignore

Ports that never carry the class (management, storage over TCP): leave them out of the intent, or ignore the rule there.

## References

- Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 4.1
- IEEE 802.1Qbb priority-based flow control
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import (
    Given,
    Hit,
    Port,
    PortQos,
    Severity,
    Unknown,
    lossless_groups,
    numbers_text,
    reachable_tcs,
    tcs_of_priority,
    wanted_lossless,
)

ID, NAME, SEVERITY, PROFILE, SINCE = "PFC-001", "lossless-priority-without-pfc", Severity.ERROR, "min", "0.1"
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet8: {role: host, qos: {pfc: {admin: "on", tx: [3, 4], rx: [3, 4]}}}
expect:
  classes:
    roce: {dscp: [26], priority: 3, lossless: true}
    storage: {dscp: [34], priority: 4, lossless: true}
"""
BAD = """
device:
  name: leaf1
  ports:
    Ethernet8: {role: host, qos: {pfc: {admin: "on", tx: [4], rx: [4]}}}
expect:
  classes:
    roce: {dscp: [26], priority: 3, lossless: true}
    storage: {dscp: [34], priority: 4, lossless: true}
"""


def check(port: Port, given: Given) -> Iterator[Hit | Unknown]:
    qos, pfc = port.qos, port.qos.pfc
    wanted = wanted_lossless(qos, given)
    if not wanted or port.role in {"peer-link", "other"} or port.enabled is False:
        return
    if pfc is None:
        yield Unknown("PFC of the port")
        return
    if pfc.gate is False or (pfc.admin == "auto" and not pfc.oper):
        return  # PFC-013 and PFC-005 say why nothing is paused
    if given.expect is None and not _takes_part(qos, wanted):
        yield Unknown("the classification of the port")
        return
    asymmetric = given.expect is not None and given.expect.asymmetric_pfc
    sends, honours = pfc.sends(), pfc.honours()
    if given.expect is None and sends is not None and honours is not None:
        sends = honours = sends | honours  # one direction only, and nobody says it must be lossless: PFC-004
    elif given.expect is None and not (sends or honours):
        sends = honours = None  # the direction that is not known may be on
    ways = (("pauses its peer", sends, "pfc.tx"), ("honours pauses", honours, "pfc.rx"))
    for way, have, leaf in ways:
        if have is None:
            yield Unknown("PFC of the port" if pfc.admin is None else f"the priorities for which the port {way}")
        elif lacking := _lacking(qos, given, wanted, have):
            if asymmetric and way == "honours pauses" and not have:
                continue
            lack = numbers_text(lacking)
            only = f"priority {numbers_text(have)} only" if have else "no priority"
            yield Hit(
                f"priority {lack} shall be lossless, but the port {way} for {only}",
                f"turn PFC on for priority {lack}",
                leaf,
                f"priority {lack}",
            )
            return


def _takes_part(qos: PortQos, wanted: frozenset[int]) -> bool:
    """Return whether anything on a port shows that it carries the lossless class: PFC, headroom, or a mark that leads there.

    A class is often defined for the whole device and bound to some of its ports.
    """
    if qos.pfc is None or qos.pfc.admin != "off":
        return True
    if any(group is not None and group.lossless and group.headroom is not None for group in qos.priority_groups or ()):
        return True
    classes = [tcs_of_priority(qos, priority) for priority in wanted]
    return any(tcs is None or tcs & reachable_tcs(qos)[0] for tcs in classes)


def _lacking(qos: PortQos, given: Given, wanted: frozenset[int], have: frozenset[int]) -> frozenset[int]:
    """Return the priorities that lack PFC. Without an intent one priority is enough to protect a shared group."""
    if given.expect is not None:
        return wanted - have
    protected = {group for priority in have for group in lossless_groups(qos, priority) or ()}
    bare = frozenset(
        priority for priority in wanted - have if not (lossless_groups(qos, priority) or frozenset()) & protected
    )
    named = (qos.pfc.tx or frozenset()) | (qos.pfc.rx or frozenset()) if qos.pfc is not None else frozenset()
    return bare & named or bare
