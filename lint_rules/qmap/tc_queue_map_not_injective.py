"""Lossless and lossy traffic leave by the same queue.

## What it finds

An egress queue that serves a class that PFC protects and another class that it does not, both reachable by marks that
arrive on the port.

## Why it matters

A received pause stops the lossy traffic too, and lossy traffic fills the queue that marks ECN for RDMA: RDMA slows down
for congestion that is not its own, and with WRED beside ECN it can be dropped.

## What to do

Give the lossless class a queue of its own.

- sonic: TC_TO_QUEUE_MAP with one class for each queue
- cumulus: `nv set qos egress-queue-mapping default-global switch-priority 5 traffic-class 0`
- onyx: `traffic-class 0 bind switch-priority 5` on the interface
- junos: another `queue-num` for the second forwarding class
- mlx5: `mlnx_qos -i IF --prio_tc 0,1,2,3,4,5,6,7`

## When to ignore

Chips with too few queues: then make both classes lossless.

## References

- sonic-buildimage qos_config.j2: one class for each queue
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, PortQos, Severity, Unknown, numbers_text, reachable_tcs
from rocecfg.lint.classes import lossless_tcs

ID, NAME, SEVERITY, PROFILE, SINCE = "QMAP-008", "tc-queue-map-not-injective", Severity.ERROR, "safe", "0.1"
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet0:
      qos:
        trust: dscp
        dscp_to_tc: {26: 3, 40: 5, rest: 0}
        tc_to_pg: {0: 0, 3: 3, 5: 0}
        tc_to_queue: {0: 0, 3: 3, 5: 5}
        priority_to_pg: {3: [3]}
        pfc: {admin: "on", tx: [3], rx: [3]}
"""
BAD = GOOD.replace("5: 5}", "5: 3}")


def check(qos: PortQos, given: Given) -> Iterator[Hit | Unknown]:
    lossless = lossless_tcs(qos)
    if lossless is None:
        if qos.pfc is not None and (qos.pfc.tx or qos.pfc.rx):
            yield Unknown("PFC of the port and the maps from class and priority to group")
        return
    if not lossless:
        return
    reachable, certain = reachable_tcs(qos)
    if qos.tc_to_queue is None or not certain:
        yield Unknown(
            "the map from class to queue" if qos.tc_to_queue is None else "the classification maps of the port"
        )
    by_queue: dict[int, set[int]] = {}
    for tc in reachable:
        queue = qos.tc_to_queue[tc] if qos.tc_to_queue is not None else None
        if queue is not None:
            by_queue.setdefault(queue, set()).add(tc)
    for queue, tcs in sorted(by_queue.items()):
        if (held := frozenset(tcs) & lossless) and (others := frozenset(tcs) - lossless):
            yield Hit(
                f"queue {queue} serves lossless traffic class {numbers_text(held)} and lossy class "
                f"{numbers_text(others)}",
                f"give traffic class {numbers_text(others)} another queue",
                f"tc_to_queue.{min(others)}",
                f"queue {queue}",
            )
