"""Marking follows a moving average of the queue.

## What it finds

A lossless queue whose WRED or ECN averages the queue length (weight other than 0).

## Why it matters

DCQCN expects marks from the queue as it is. An average lags a burst by many packets: marks come late, and go on after
the queue has drained.

## What to do

Use the instantaneous queue: weight 0.

- nxos: `weight 0` in the random-detect line

## When to ignore

Chips that cannot turn averaging off.

## References

- Dell OS9: weight 0 means instantaneous ECN
- Zhu et al., SIGCOMM 2015: DCQCN marks on the instantaneous queue
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, PortQos, Severity
from rocecfg.lint.classes import lossless_queues

ID, NAME, SEVERITY, PROFILE, SINCE = "ECN-013", "average-queue-weight", Severity.WARNING, "safe", "0.1"
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet1/1:
      qos:
        pfc: {admin: "on", tx: [3], rx: [3]}
        priority_to_queue: {3: [3]}
        queues: {3: {ecn: {weight: 0, curves: [{low: 150 kbyte, high: 3000 kbyte, probability: 7}]}}}
"""
BAD = GOOD.replace("weight: 0", "weight: 9")


def check(qos: PortQos, given: Given) -> Iterator[Hit]:
    for number in sorted(lossless_queues(qos, given)):
        queue = qos.queue(number)
        if queue is not None and queue.ecn is not None and queue.ecn.curves and queue.ecn.weight:
            yield Hit(
                f"queue {number} marks by an average of its length (weight {queue.ecn.weight}), DCQCN expects weight 0",
                "set the weight to 0",
                f"queues.{number}.ecn.weight",
                f"queue {number}",
            )
