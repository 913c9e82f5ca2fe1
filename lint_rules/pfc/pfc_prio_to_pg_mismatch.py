"""Lossless and lossy traffic share the buffer that pauses are sent for.

## What it finds

A priority group that sends pauses for one priority and holds the traffic of more classes than that, so at least one
class in it is lossy; and a priority that sends pauses for another group than the one its own traffic is counted in. (A
pause that stops the wrong queue is PFC-007's.)

## Why it matters

Best-effort packets fill the group and the lossless class is paused for them; the lossy class in turn eats the headroom
that was kept for packets already on the wire.

## What to do

Give each lossless priority a priority group of its own and put every lossy class into another one.

- sonic: TC_TO_PRIORITY_GROUP_MAP: lossy classes to 0, 3 to 3, 4 to 4
- mlx5: `mlnx_qos -i IF --prio2buffer 0,0,0,1,0,0,0,0`

## When to ignore

Chips without a map from priority to group, where the text shows a map that is not used.

## References

- sonic-buildimage qos_config.j2: lossy classes in group 0, 3 in 3, 4 in 4
- IEEE 802.1Q, annex on PFC buffer requirements
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, PortQos, Severity, Unknown, lossless_groups, numbers_text, reachable_tcs
from rocecfg.lint.classes import group_map_is_odd, pfc_sets

ID, NAME, SEVERITY, PROFILE, SINCE = "PFC-008", "pfc-prio-to-pg-mismatch", Severity.ERROR, "min", "0.1"
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet0:
      qos:
        trust: dscp
        dscp_to_tc: {26: 3, 10: 2, rest: 0}
        tc_to_pg: {0: 0, 2: 0, 3: 3}
        priority_to_pg: {3: [3]}
        pfc: {admin: "on", tx: [3], rx: [3]}
"""
BAD = GOOD.replace("2: 0, 3: 3", "2: 3, 3: 3")


def check(qos: PortQos, given: Given) -> Iterator[Hit | Unknown]:
    sends = pfc_sets(qos).sends
    if sends is None:
        yield Unknown("PFC of the port")
        return
    by_group: dict[int, set[int]] = {}
    for priority in sends:
        for group in lossless_groups(qos, priority) or ():
            by_group.setdefault(group, set()).add(priority)
    yield from _elsewhere(qos, sends)
    reachable, certain = reachable_tcs(qos)
    for group, priorities in sorted(by_group.items()):
        if qos.tc_to_pg is None:
            yield Unknown("the map from traffic class to priority group")
            return
        tcs = frozenset(tc for tc in reachable if qos.tc_to_pg[tc] == group)
        if len(tcs) > len(priorities):
            text = numbers_text(frozenset(priorities))
            yield Hit(
                f"priority group {group} pauses for priority {text} and holds traffic class {numbers_text(tcs)}: "
                f"{len(tcs) - len(priorities)} of them without PFC of its own",
                "put the lossy classes into another priority group",
                f"tc_to_pg.{min(tcs - priorities, default=min(tcs))}",
                f"priority group {group}",
            )
        elif not certain:
            yield Unknown("trust and the classification maps of the port")


def _elsewhere(qos: PortQos, sends: frozenset[int]) -> Iterator[Hit]:
    """Say where a priority pauses for a group in which the traffic of its queue is not counted."""
    for priority in sorted(sends):
        groups = lossless_groups(qos, priority)
        if groups is None or qos.tc_to_queue is None or qos.tc_to_pg is None or not group_map_is_odd(qos, priority):
            continue
        tcs = [tc for tc, queue in enumerate(qos.tc_to_queue) if queue == priority]
        counted = frozenset(group for tc in tcs if (group := qos.tc_to_pg[tc]) is not None)
        if counted and not counted & groups:
            yield Hit(
                f"priority {priority} pauses for priority group {numbers_text(groups)}, its queue carries traffic class "
                f"{numbers_text(frozenset(tcs))}, which is counted in priority group {numbers_text(counted)}",
                f"let priority {priority} pause for priority group {numbers_text(counted)}",
                f"priority_to_pg.{priority}",
                f"priority {priority}",
            )
