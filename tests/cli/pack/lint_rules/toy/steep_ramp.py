"""A toy queue marks with more than 15 percent.

## What it finds
A marking probability above 15 percent at Kmax.

## Why it matters
It does not: the rule exists for tests.

## What to do
- toyos: `toy-pmax 10`

## When to ignore
Always.

## References
- the toy's manual
"""

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Option, PortQos, Severity, Unknown

ID, NAME, SEVERITY, PROFILE, SINCE = "TOY-001", "steep-ramp", Severity.WARNING, "safe", "0.1"
OPTIONS = {"maximum": Option(15, "percent that is still accepted")}
GOOD = """
device: {name: a, nos: toyos, ports: {p1: {qos: {queues: {3: {ecn: {curves: [{probability: 10}]}}}}}}}
"""
BAD = """
device: {name: a, nos: toyos, ports: {p1: {qos: {queues: {3: {ecn: {curves: [{probability: 20}]}}}}}}}
"""


def check(port: PortQos, given: Given) -> Iterator[Hit | Unknown]:
    """Look at every queue."""
    for number, queue in enumerate(port.queues or ()):
        for curve in queue.ecn.curves if queue is not None and queue.ecn is not None else ():
            if curve.probability is None:
                yield Unknown("the marking probability")
            elif curve.probability > given.options.maximum:
                yield Hit(
                    f"queue {number} marks with {curve.probability}%, {given.options.maximum}% is the most",
                    "lower it",
                    leaf=f"queues.{number}.ecn",
                    object=f"queue {number}",
                )
