"""RoCE gets less of the port than it was promised.

## What it finds

A port whose lossless queues together have a smaller share of the bandwidth than the intent states for their classes.
Without an intent: less than half (option `minimum`).

## Why it matters

A queue that is served at 20 percent of the port is congested whenever RDMA wants more: it marks and pauses all day
while the port has room.

## What to do

Raise the share of the lossless queue.

- nxos: `bandwidth remaining percent 60` in the class of the no-drop queue
- sonic: a larger `weight` in the SCHEDULER of the queue
- cumulus: `nv set qos egress-scheduler default-global traffic-class 3 bw-percent 50`
- onyx: `traffic-class 3 dcb ets wrr 50` on the interface
- junos: `transmit-rate percent 60` in the scheduler

## When to ignore

Ports that carry storage and TCP side by side: state the share in the intent.

## References

- NVIDIA Cumulus Linux, RDMA over Converged Ethernet: 50 percent
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rocecfg.lint.api import Given, Hit, Option, PortQos, Severity, Unknown
from rocecfg.lint.classes import lossless_queues, queues_in_use, queues_text

ID, NAME, SEVERITY, PROFILE, SINCE = "SCH-005", "lossless-share-too-small", Severity.WARNING, "strict", "0.1"
DEVICES = "switch"
OPTIONS = {"minimum": Option(50, "percent that the lossless queues get where no intent is given")}
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet0:
      qos:
        trust: dscp
        dscp_to_tc: {26: 3, rest: 0}
        tc_to_queue: {0: 0, 3: 3}
        pfc: {admin: "on", tx: [3], rx: [3]}
        priority_to_queue: {3: [3]}
        queues: {0: {scheduler: weighted, weight: 40}, 3: {scheduler: weighted, weight: 60}}
expect: {trust: dscp, classes: {roce: {dscp: [26], priority: 3, lossless: true, bandwidth: 60}}}
"""
BAD = GOOD.replace("weight: 40", "weight: 80").replace("weight: 60", "weight: 20")


def check(qos: PortQos, given: Given) -> Iterator[Hit | Unknown]:
    lossless = lossless_queues(qos, given)
    weights: dict[int, Fraction] = {}
    for number in sorted(queues_in_use(qos) | set(lossless)):
        queue = qos.queue(number)
        if queue is not None and queue.scheduler == "strict":
            continue
        if queue is None or queue.weight is None:
            if lossless:
                yield Unknown(f"the weight of queue {number}")
            return
        weights[number] = Fraction(queue.weight)
    own = sum((weight for number, weight in weights.items() if number in lossless), Fraction(0))
    total = sum(weights.values(), Fraction(0))
    if not total or not set(lossless) & set(weights):
        return
    classes = given.expect.classes if given.expect is not None else ()
    stated = [Fraction(item.bandwidth) for item in classes if item.lossless and item.bandwidth is not None]
    if given.expect is not None and not stated:
        return  # the intent leaves the share to the planner
    wanted = sum(stated, Fraction(0)) if stated else Fraction(given.options.minimum)
    share = own * 100 / total
    if share < wanted:
        queues = queues_text(set(lossless) & set(weights))
        yield Hit(
            f"lossless traffic ({queues}) gets {float(share):.3g} % of the port, "
            f"{'the intent wants' if stated else 'less than'} {float(wanted):.3g} %",
            f"raise the weight of {queues}",
            f"queues.{min(set(lossless) & set(weights))}.weight",
            queues,
        )
