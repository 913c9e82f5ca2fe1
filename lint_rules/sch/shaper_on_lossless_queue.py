"""A lossless queue is held below the port's speed.

## What it finds

A rate limit on the queue of a lossless priority that is below the speed of the port.

## Why it matters

The queue backs up at the limit, not at the wire: it is congested by configuration, and every burst above the rate turns
into pauses upstream. With different limits on two lossless queues only one of them pauses.

## What to do

Take the limit off the lossless queue; limit the sender instead.

- nxos: take `shape` out of the class of the no-drop queue
- sonic: take `pir` out of the SCHEDULER of the queue
- junos: `delete class-of-service schedulers NAME shaping-rate`
- mlx5: `mlnx_qos -i IF --ratelimit 0,0,0,0,0,0,0,0`

## When to ignore

Tenants whose rate is limited on purpose.

## References

- sonic-mgmt pull request 20075: unequal rates of lossless classes
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import UNLIMITED, Given, Hit, Port, Severity, Unknown
from rocecfg.lint.classes import lossless_queues

ID, NAME, SEVERITY, PROFILE, SINCE = "SCH-006", "shaper-on-lossless-queue", Severity.WARNING, "safe", "0.1"
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet0:
      speed: 100000000000
      qos:
        pfc: {admin: "on", tx: [3], rx: [3]}
        priority_to_queue: {3: [3]}
        queues: {3: {shaper: -1}}
"""
BAD = GOOD.replace("shaper: -1", "shaper: 50000000000")


def check(port: Port, given: Given) -> Iterator[Hit | Unknown]:
    speed = port.line_rate
    for number in sorted(lossless_queues(port.qos, given)):
        queue = port.qos.queue(number)
        rate = queue.shaper if queue is not None else None
        share = queue.shaper_share if queue is not None else None
        if rate is None and share is not None and share < 100:
            yield Hit(
                f"queue {number} is lossless and limited to {share} % of the port",
                f"take the rate limit off queue {number}",
                f"queues.{number}.shaper",
                f"queue {number}",
            )
        if rate is None or rate == UNLIMITED:
            continue
        if speed is None:
            yield Unknown("the port's speed, to compare the rate limit of a lossless queue with")
        elif rate < speed:
            yield Hit(
                f"queue {number} is lossless and limited to {_gigabits(rate)}, the port runs at {_gigabits(speed)}",
                f"take the rate limit off queue {number}",
                f"queues.{number}.shaper",
                f"queue {number}",
            )


def _gigabits(rate: int) -> str:
    return f"{rate / 1_000_000_000:g} Gb/s"
