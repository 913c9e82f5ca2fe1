"""The marking ramp ends above what the queue can ever hold.

## What it finds

A Kmax above a fixed limit of the queue, or above 80 percent (option `percent`) of the pool that the queue or its
priority group shares.

## Why it matters

The queue drops, or the port pauses, before the ramp is at its end: the part of the ramp that would have slowed the
senders is never reached.

## What to do

Lower Kmax to at most 80 percent of the fill at which the port pauses.

- nxos: a smaller `maximum-threshold`
- sonic: `config ecn -profile NAME -gmax N`
- cumulus: a smaller `max-threshold` of the traffic class

## When to ignore

Chips that buffer outside (VOQ with HBM): the pool of the text is not what the queue uses.

## References

- sonic-buildimage, shipped Trident 2 profile: Kmax 12,000,144 B with a pool of 12,766,208 B
- House factor of 80 percent
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rocecfg.lint.api import Given, Hit, Option, Port, Severity, amount_text
from rocecfg.lint.buffers import groups_of, least_bytes, pool_named, pool_of, shared_bytes, size_text, static_bytes
from rocecfg.lint.classes import Ramp, lossless_ramps, together

ID, NAME, SEVERITY, PROFILE, SINCE = "ECN-014", "kmax-exceeds-pool", Severity.ERROR, "safe", "0.1"
DEVICES = "switch"
OPTIONS = {"percent": Option(80, "percent of the pool that Kmax may reach")}
GOOD = """
device:
  name: leaf1
  pools: [{name: lossless, direction: egress, lossless: true, total: 12766208}]
  ports:
    Ethernet0:
      qos:
        pfc: {admin: "on", tx: [3], rx: [3]}
        priority_to_queue: {3: [3]}
        queues: {3: {pool: lossless, ecn: {curves: [{low: 1048576, high: 2097152, probability: 5}]}}}
"""
BAD = GOOD.replace("high: 2097152", "high: 12000144")


def check(port: Port, given: Given) -> Iterator[Hit]:
    found = []
    for ramp in lossless_ramps(port.qos, given):
        high, kmax = ramp.curve.high, least_bytes(ramp.curve.high)
        bounds = list(_bounds(port, given, ramp))
        if kmax is not None and high is not None and bounds and kmax > min(bounds)[0]:
            found.append(((high, *min(bounds)), ramp))
    for (high, bound, what), queues, leaf in together(found):
        yield Hit(
            f"the ramp of {queues} ends at {amount_text(high)}, above {what}",
            f"lower Kmax to {size_text(bound)} or less",
            leaf,
            queues,
        )


def _bounds(port: Port, given: Given, ramp: Ramp) -> Iterator[tuple[Fraction, str]]:
    """Yield each limit of the queue in bytes with its name."""
    queue, percent = port.qos.queue(ramp.queue), given.options.percent
    limit = static_bytes(queue.limit) if queue is not None else None
    if limit:
        yield limit, f"the queue's limit of {size_text(limit)}"
    named = pool_named(given.device, queue.pool) if queue is not None else None
    pools = [named, *(pool_of(given.device, group) for group in groups_of(port.qos, ramp.priority))]
    for pool in pools:
        total = shared_bytes(given.device, pool)
        if total and pool is not None:
            yield total * percent / 100, f"{percent} % of the pool {pool.name} of {size_text(total)}"
