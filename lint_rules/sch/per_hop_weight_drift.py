"""The scheduler gives RoCE a smaller share at one hop than at the others.

## What it finds

Switches on a way between hosts whose queue for RoCE traffic has shares of the link that differ by more than
`tolerance` percentage points, between ports of the same speed. Strict queues and queues of unknown weight are left out.

## Why it matters

The hop with the smallest share becomes the bottleneck as soon as other traffic is there: marks and pauses then come
from a place nobody expects.

## What to do

Give the class the same share on every switch.

- nxos: the same `bandwidth remaining percent` in the queuing policies
- sonic: the same SCHEDULER weight for the queue
- cumulus: the same `nv set qos egress-scheduler default-global traffic-class 3 bw-percent`
- onyx: the same `traffic-class 3 dcb ets wrr` weights
- junos: the same `transmit-rate percent`

## When to ignore

Where leaf and spine carry another mix of traffic on purpose.

## References

- house rule
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rocecfg.fabric.trace import Step, walks
from rocecfg.lint.api import End, Given, Hit, Option, Path, Severity
from rocecfg.lint.classes import queues_in_use
from rocecfg.lint.networks import TWO_LEAVES

ID, NAME, SEVERITY, PROFILE, SINCE = "SCH-007", "per-hop-weight-drift", Severity.INFO, "safe", "0.2"
OPTIONS = {"tolerance": Option(10, "percentage points of the link by which hops may differ")}
GOOD = TWO_LEAVES
BAD = GOOD.replace(
    "l2, qos: *roce}\n      b:",
    """l2, qos: {trust: dscp, dscp_to_tc: {26: 3, rest: 0}, rewrite: [], tc_to_queue: {0: 0, 3: 3},
              queues: {3: {scheduler: weighted, weight: 20, weight_kind: percent-of-link,
                           ecn: {curves: [{low: 400000, high: 1600000, probability: 10}]}}}}}
      b:""",
)


def check(path: Path, given: Given) -> Iterator[Hit]:
    for flow, steps in walks(path, given.expect):
        shares = [(step, share) for step in steps if step.hop.is_switch and (share := _share(step)) is not None]
        if not shares:
            continue
        most, high = max(shares, key=lambda item: item[1])
        for step, share in shares:
            if high - share > given.options.tolerance and _speed(step) == _speed(most):
                yield Hit(
                    f"queue {step.queue} ({flow.name}) gets {float(share):.0f}% of the link here and {float(high):.0f}% "
                    f"at {most.hop.device}, on the way {path.text()}",
                    "give the class the same share on every switch",
                    f"queues.{step.queue}.weight",
                    f"queue {step.queue}",
                    end=End(step.hop.device, step.hop.leaves),
                )


def _speed(step: Step) -> int | None:
    port = step.hop.outward
    return port.line_rate if port is not None else None


def _share(step: Step) -> Fraction | None:
    """Return the share of the link in percent; relative weights count against the port's other queues in use."""
    queue = step.settings
    if queue is None or queue.scheduler != "weighted" or queue.weight is None or step.hop.outward is None:
        return None
    if queue.weight_kind != "relative":
        return Fraction(queue.weight) if queue.weight_kind is not None else None
    qos = step.hop.outward.qos
    used = queues_in_use(qos)  # the default weight of a queue that no packet reaches takes nothing
    weights = [
        other.weight
        for number, other in enumerate(qos.queues or ())
        if other is not None and other.weight and (not used or number in used or number == step.queue)
    ]
    return Fraction(queue.weight) * 100 / Fraction(sum(map(Fraction, weights)))
