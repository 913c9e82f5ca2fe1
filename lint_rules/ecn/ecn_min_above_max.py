"""An ECN or WRED ramp begins above its end.

## What it finds

A curve of a queue whose lower threshold is above the upper one (error), or equal to it (warning: a step, which marks
nothing below and everything above). In a profile that no port has yet it is information.

## Why it matters

A crossed ramp has no meaning: systems refuse it, ignore it, or fail (SONiC's orchagent has crashed on 123/122). A step
is legal and works, but all flows of a congested port are marked at once and back off together.

## What to do

Give the ramp a lower end below its upper end, for instance 150 and 1500 kB at 400G.

- nxos: `random-detect minimum-threshold 150 kbytes maximum-threshold 3000 kbytes drop-probability 7 weight 0 ecn`
- sonic: `config ecn -profile NAME -gmin 250000 -gmax 1048576`
- cumulus: `nv set qos congestion-control default-global traffic-class 3 min-threshold 150000`
  and `max-threshold 1500000`
- onyx: `traffic-class 3 congestion-control ecn minimum-absolute 150 maximum-absolute 1500` on the interface, in KB
- junos: two rising `fill-level` values in the drop profile

## When to ignore

Step marking on purpose (DCTCP style): set the severity to info, or ignore the rule for the device.

## References

- sonic-utilities pull request 579 (minimum above maximum)
- Zhu et al., Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015: the marking ramp
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rocecfg.lint.api import Curve, Device, Given, Hit, PortQos, Severity, Unknown, amount_text, colour_text, compare

ID, NAME, SEVERITY, PROFILE, SINCE = "ECN-001", "ecn-min-above-max", Severity.ERROR, "min", "0.1"
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet1/1: {qos: {queues: {3: {ecn: {curves: [{low: 150 kbyte, high: 3000 kbyte, probability: 7}]}}}}}
"""
BAD = """
device:
  name: leaf1
  ports:
    Ethernet1/1: {qos: {queues: {3: {ecn: {curves: [{low: 3000 kbyte, high: 150 kbyte, probability: 7}]}}}}}
"""


def check(qos: PortQos, given: Given) -> Iterator[Hit | Unknown]:
    for number, queue in enumerate(qos.queues or ()):
        if queue is None:
            continue
        seen: set[str] = set()
        for curve, leaf in [
            *((curve, "ecn") for curve in (queue.ecn.curves if queue.ecn else ())),
            *((curve, "wred") for curve in queue.wred or ()),
        ]:
            for outcome in _judge(curve, number, f"queues.{number}.{leaf}"):
                if not isinstance(outcome, Hit) or outcome.message not in seen:
                    yield outcome
                seen.add(outcome.message if isinstance(outcome, Hit) else "")


def check_unused(device: Device, given: Given) -> Iterator[Hit]:
    """Say it of a profile too that no port has yet."""
    for item in device.objects:
        for hit in check(item.would.qos, given) if item.would is not None else ():
            if isinstance(hit, Hit):
                yield replace(
                    hit,
                    message=f'{item.kind} "{item.name}" is in force nowhere; a port that gets it: {hit.message}',
                    object=item.name,
                    severity=Severity.INFO,
                    place=item.would.where(hit.leaf) if item.would is not None else None,
                )


def _judge(curve: Curve, number: int, leaf: str) -> Iterator[Hit | Unknown]:
    if curve.low is None or curve.high is None:
        return
    order = compare(curve.low, curve.high)
    low, high = amount_text(curve.low), amount_text(curve.high)
    if order is None:
        yield Unknown(f"the thresholds {low} and {high} in one unit")
    elif order > 0:
        yield Hit(
            f"the ramp of queue {number}{colour_text(curve)} begins at {low} and ends at {high}",
            "put the lower threshold below the upper one",
            leaf,
            f"queue {number}",
        )
    elif order == 0:
        yield Hit(
            f"queue {number}{colour_text(curve)} marks nothing below {low} and everything above: a step, no ramp",
            "put the lower threshold below the upper one",
            leaf,
            f"queue {number}",
            Severity.WARNING,
        )
