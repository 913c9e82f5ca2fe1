"""A host sends packets without ECN capability into a queue that drops such packets.

## What it finds

A host whose NIC does not mark its RDMA packets as ECN-capable, behind a switch port whose lossless queue drops packets
without ECN capability where it marks the others.

## Why it matters

One set of thresholds serves marking and dropping. Packets that cannot be marked are dropped at random from Kmin on, in
the class that is called lossless, and no counter of full buffers moves.

## What to do

Turn ECN on at the host, or let the queue pass what it cannot mark.

- mlx5: `echo 106 > /sys/class/infiniband/DEV/tc/1/traffic_class` (DSCP 26 x 4 + 2 = ECN-capable), and
  `echo 1 > /sys/class/net/IF/ecn/roce_rp/enable/3`

## When to ignore

Switches that never drop in a queue with PFC.

## References

- sonic-swss issue 4718: one threshold set serves drop and mark
- RFC 3168: only ECN-capable packets may be marked instead of dropped
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import End, Given, Hit, Link, Severity, Unknown
from rocecfg.lint.classes import lossless_ramps

ID, NAME, SEVERITY, PROFILE, SINCE = "ECN-012", "non-ect-traffic-in-ecn-queue", Severity.WARNING, "safe", "0.1"
GOOD = """
devices:
  - name: leaf1
    ports:
      Ethernet0:
        qos:
          pfc: {admin: "on", tx: [3], rx: [3]}
          priority_to_queue: {3: [3]}
          queues: {3: {ecn: {non_ect: drop, curves: [{low: 150000, high: 1500000, probability: 20}]}}}
  - name: gpu01
    kind: host
    ports: {rail0: {nic: {sets_ect: true}, qos: {pfc: {admin: "on", tx: [3], rx: [3]}}}}
links: [{a: "leaf1:Ethernet0", b: "gpu01:rail0"}]
"""
BAD = GOOD.replace("sets_ect: true", "sets_ect: false")
_ECN_BITS = 3


def check(link: Link, given: Given) -> Iterator[Hit | Unknown]:
    for switch, host in ((link.a, link.b), (link.b, link.a)):
        if switch.port is None or host.port is None or host.port.nic is None or switch.port.nic is not None:
            continue
        dropping = [
            ramp
            for ramp in lossless_ramps(switch.port.qos, given)
            if (queue := switch.port.qos.queue(ramp.queue)) is not None
            and queue.ecn is not None
            and queue.ecn.non_ect == "drop"
        ]
        if not dropping:
            continue
        capable = _ecn_capable(host, dropping[0].priority)
        if capable is None:
            yield Unknown("whether the NIC marks its packets as ECN-capable", host)
        elif not capable:
            yield Hit(
                f"the NIC sends packets without ECN capability, and queue {dropping[0].queue} of {switch.device_name} "
                "drops them where it marks others",
                "turn ECN on at the host",
                "nic.default_tos",
                f"priority {dropping[0].priority}",
                end=host,
            )


def _ecn_capable(host: End, priority: int | None) -> bool | None:
    """Return whether RDMA packets leave the NIC ECN-capable, None when the texts do not tell."""
    nic = host.port.nic if host.port is not None else None
    if nic is None:
        return None
    if nic.sets_ect is not None:
        return nic.sets_ect
    tos = nic.forced_tos if nic.forced_tos is not None else nic.default_tos
    if tos is not None and tos & _ECN_BITS:
        return True
    reacts = nic.congestion_control.reacts if nic.congestion_control is not None else None
    if reacts is None:
        return None
    return True if priority in reacts else False if tos is not None else None
