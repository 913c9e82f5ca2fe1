"""A received pause stops another queue than the one its traffic leaves by.

## What it finds

A priority whose pauses are honoured, where the queue that a pause stops is not the queue of the traffic class that the
priority protects. (Where the queue is right and the priority group is not, PFC-008 says so.)

## Why it matters

The peer asks for silence and the paused class goes on sending: it drops at the peer. Meanwhile an innocent queue
stands still.

## What to do

Make both maps name the same queue for the lossless class.

- nxos: `pause pfc-cos N` in the network-qos class whose queue carries CoS N
- sonic: the same queue in MAP_PFC_PRIORITY_TO_QUEUE and TC_TO_QUEUE_MAP
- junos: `output ieee-802.1 code-point BITS flow-control-queue N` with the queue-num of the forwarding class
- mlx5: `mlnx_qos -i IF --prio_tc 0,1,2,3,4,5,6,7`

## When to ignore

Uplinks with an explicit tunnel remap whose maps were written on purpose.

## References

- Juniper, congestion-notification-profile: output queue priorities must match the input PFC priorities
- sonic-pfc-priority-queue-map.yang
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import (
    Given,
    Hit,
    PortQos,
    Severity,
    Unknown,
    configured_lossless,
    numbers_text,
    reachable_tcs,
    tcs_of_priority,
)
from rocecfg.lint.classes import group_map_is_odd, pfc_sets

ID, NAME, SEVERITY, PROFILE, SINCE = "PFC-007", "pfc-queue-not-same-priority", Severity.ERROR, "min", "0.1"
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet0:
      qos:
        trust: dscp
        dscp_to_tc: {26: 3, rest: 0}
        tc_to_pg: {0: 0, 3: 3}
        tc_to_queue: {0: 0, 3: 3}
        priority_to_pg: {3: [3]}
        priority_to_queue: {3: [3]}
        pfc: {admin: "on", tx: [3], rx: [3]}
"""
BAD = GOOD.replace("priority_to_queue: {3: [3]}", "priority_to_queue: {3: [4]}")


def check(qos: PortQos, given: Given) -> Iterator[Hit | Unknown]:
    sends, honours = pfc_sets(qos)
    if honours is None:
        yield Unknown("PFC of the port")
        return
    for priority in sorted(honours - _obeyed_only(qos, sends)):
        stopped = qos.priority_to_queue[priority] if qos.priority_to_queue is not None else None
        leaves = _queues(qos, priority)
        if stopped is None or leaves is None:
            yield Unknown("the maps from priority and class to queue")
        elif leaves - stopped and not group_map_is_odd(qos, priority):
            yield Hit(
                f"a pause for priority {priority} stops queue {numbers_text(stopped)}, its traffic leaves by queue "
                f"{numbers_text(leaves)}",
                f"let priority {priority} stop queue {numbers_text(leaves)}",
                f"priority_to_queue.{priority}",
                f"priority {priority}",
            )


def _obeyed_only(qos: PortQos, sends: frozenset[int] | None) -> frozenset[int]:
    """Return the priorities that asymmetric PFC obeys without protecting anything: their group is that of all lossy traffic."""
    if sends is None or qos.priority_groups is None:
        return frozenset()
    return frozenset(range(8)) - sends - configured_lossless(qos)


def _queues(qos: PortQos, priority: int) -> frozenset[int] | None:
    """Return the queues of the classes that a priority protects and that packets can reach; None when not known."""
    tcs = tcs_of_priority(qos, priority)
    if tcs is None or qos.tc_to_queue is None:
        return None
    reachable, certain = reachable_tcs(qos)
    used = tcs & reachable if certain else tcs
    queues = [qos.tc_to_queue[tc] for tc in used]
    return None if None in queues else frozenset(queue for queue in queues if queue is not None)
