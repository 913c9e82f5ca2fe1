"""The NIC asks for pauses for a priority whose receive queue keeps nothing.

## What it finds

A host port that pauses its peer for a priority while the receive queue (class-of-service queue, no-drop buffer) that the
priority leads to is lossy.

## Why it matters

PFC looks enabled on every side: frames are exchanged, and what arrives after the pause is dropped all the same, because
no buffer was kept for it. RoCE then loses packets that everybody believes protected.

## What to do

Make the queue lossless, or take the priority out of PFC.

- bnxt: `niccli --dev N qos --ingress --cosq --show` must say Lossless; the RoCE performance profile of the card decides
- ionic: `nicctl update qos pfc --priority 3 --no-drop enable`

## When to ignore

Never.

## References

- ROCm/mori env_check.sh: a Thor2 port counts as lossless only when its ingress CoSQ says so
- AMD, nicctl show qos: the bitmap of PFC priorities and the no-drop priorities are two values
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, PortQos, Severity, Unknown

ID, NAME, SEVERITY, PROFILE, SINCE = "NIC-020", "lossy-service-type-with-pfc", Severity.ERROR, "min", "0.1"
DEVICES = "host"
GOOD = """
device:
  name: gpu01
  kind: host
  ports:
    rail0:
      qos:
        pfc: {admin: "on", tx: [3], rx: [3]}
        priority_to_pg: {3: [1]}
        priority_groups: {1: {lossless: true}}
"""
BAD = GOOD.replace("lossless: true", "lossless: false")


def check(qos: PortQos, given: Given) -> Iterator[Hit | Unknown]:
    for priority in sorted((qos.pfc.sends() if qos.pfc is not None else None) or ()):
        groups = qos.priority_to_pg[priority] if qos.priority_to_pg is not None else None
        known = {number: group for number in groups or () if (group := qos.priority_group(number)) is not None}
        if not known or any(group.lossless is None for group in known.values()):
            yield Unknown("whether the NIC's receive queues keep what arrives after a pause")
            continue
        for number, group in sorted(known.items()):
            if group.lossless is False:
                yield Hit(
                    f"the NIC pauses its peer for priority {priority}, and its receive queue {number} is lossy",
                    "make the queue lossless, or take the priority out of PFC",
                    f"priority_groups.{number}",
                    f"priority {priority}",
                )
