"""A marking threshold in percent of a queue whose length moves.

## What it finds

A lossless queue with a dynamic limit whose ECN thresholds are percentages.

## Why it matters

The bytes behind 55 percent change with alpha, with the load of other ports and with the model: the same profile copied
to another box marks at another depth, and nobody sees it.

## What to do

Write down the byte value the percentage stands for, and compare devices by that.

- junos: `show class-of-service drop-profile` shows the percentages; the base is the share that `buffer-dynamic-threshold`
  leaves the queue

## When to ignore

Systems that know percentages only, once the byte value is documented.

## References

- Juniper, drop profiles: fill level in percent of the queue
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, PortQos, Severity, amount_text
from rocecfg.lint.buffers import is_dynamic
from rocecfg.lint.classes import lossless_ramps

ID, NAME, SEVERITY, PROFILE, SINCE = (
    "ECN-015",
    "percent-threshold-on-dynamic-queue",
    Severity.INFO,
    "strict",
    "0.1",
)
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  ports:
    et-0/0/0:
      qos:
        pfc: {admin: "on", tx: [3], rx: [3]}
        priority_to_queue: {3: [3]}
        queues: {3: {limit: {at: 1000000}, ecn: {curves: [{low: 55 percent, high: 90 percent, probability: 20}]}}}
"""
BAD = GOOD.replace("{at: 1000000}", "{index: 7}")


def check(qos: PortQos, given: Given) -> Iterator[Hit]:
    for ramp in lossless_ramps(qos, given):
        low, queue = ramp.curve.low, qos.queue(ramp.queue)
        if low is not None and low.unit == "percent" and queue is not None and is_dynamic(queue.limit):
            yield Hit(
                f"queue {ramp.queue} begins to mark at {amount_text(low)} of a length that moves with the free buffer",
                "document the byte value that the percentage stands for",
                ramp.leaf,
                f"queue {ramp.queue}",
            )
