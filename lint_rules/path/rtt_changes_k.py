"""A way between two hosts takes far longer than the round trip that its ECN thresholds were made for.

## What it finds

A way whose cables alone take more than `times` the round trip of the intent (`rtt`, or the default of its size): 5 ns a
metre, both directions. Without an intent, one that holds more bytes on the wire than Kmax of a queue on it.

## Why it matters

Thresholds follow from bandwidth times round trip. On a longer way senders need more data in flight than Kmax allows:
they are slowed down before the link is full, and react late when it is.

## What to do

Give the long links ECN profiles of their own, made for their round trip, or keep such traffic out of the lossless class.

- nxos: a queuing policy of its own on the long links
- sonic: a WRED_PROFILE of its own in the QUEUE rows of the long links
- cumulus: a congestion-control profile of its own for the ports of the long links
- junos: a drop-profile and scheduler-map of their own for the long links

## When to ignore

Links whose congestion control does not rely on ECN.

## References

- Zhu et al., SIGCOMM 2015 (DCQCN): thresholds follow from the bandwidth-delay product
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.fabric.trace import about_bytes, walks
from rocecfg.lint.api import End, Given, Hit, Option, Path, Severity, Unknown
from rocecfg.lint.networks import TWO_LEAVES

ID, NAME, SEVERITY, PROFILE, SINCE = "PATH-007", "rtt-changes-k", Severity.INFO, "safe", "0.2"
OPTIONS = {"times": Option(2, "how many times the intent's round trip is accepted")}
GOOD = TWO_LEAVES.replace('b: "spine1:a"', 'b: "spine1:a", cable: 30')
BAD = GOOD.replace("cable: 30", "cable: 40000").replace("{by: box}", "{amount: 60000000}")
_NS_PER_METRE = 5
"""Light in glass: 5 ns a metre."""


def check(path: Path, given: Given) -> Iterator[Hit | Unknown]:
    fabric = path.fabric
    known = [length for cable in path.cables if fabric is not None and (length := fabric.lengths(cable)) is not None]
    trip = int(2 * sum(known) * _NS_PER_METRE)
    source, target = path.hops[0].device, path.hops[-1].device
    planned = given.expect.rtt if given.expect is not None else None
    if planned is not None:
        if trip > given.options.times * planned:
            yield Hit(
                f"the cables to {target} take {trip / 1000:g} us there and back, the round trip of the intent is "
                f"{planned / 1000:g} us, on the way {path.text()}",
                "make ECN profiles of their own for the long links",
                object="round trip",
                end=End(source, path.hops[0].leaves),
            )
        return
    if not known:
        yield Unknown("the lengths of the cables", End(source, ""))
        return
    for _, steps in walks(path, given.expect):
        for step in steps:
            port, queue = step.hop.outward, step.settings
            if not step.hop.is_switch or port is None or queue is None or queue.ecn is None or not port.speed:
                continue
            highs = [about_bytes(curve.high) for curve in queue.ecn.curves]
            high = max((amount for amount in highs if amount is not None), default=None)
            on_the_wire = port.speed * trip // 8 // 10**9
            if high is not None and on_the_wire > high:
                yield Hit(
                    f"{on_the_wire} bytes are on the wire for a round trip of {trip / 1000:g} us, marking is at its "
                    f"highest at {high} bytes of queue, on the way {path.text()}",
                    "make ECN profiles of their own for the long links",
                    f"queues.{step.queue}.ecn",
                    f"queue {step.queue}",
                    end=End(step.hop.device, step.hop.leaves),
                )
