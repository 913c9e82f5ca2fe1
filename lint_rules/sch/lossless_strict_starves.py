"""The lossless data queue is served before everything else, without a limit.

## What it finds

A queue of a lossless priority with strict priority and no shaper, on a port that has other queues in use which are
served after it: weighted ones, and strict ones of a lower rank.

## Why it matters

Bulk data that always goes first starves the rest: routing protocols time out under load, and in best effort nothing
moves. Strict priority is for queues that carry little.

## What to do

Serve the lossless queue by weight, for instance half of the port.

- nxos: `bandwidth remaining percent 60` instead of `priority level` in the class of the no-drop queue
- sonic: a SCHEDULER of type DWRR in the QUEUE row
- cumulus: `nv set qos egress-scheduler default-global traffic-class 3 mode dwrr`
- onyx: `traffic-class 3 dcb ets wrr 50` on the interface
- junos: `transmit-rate percent 60` instead of `priority strict-high`

## When to ignore

Backend fabrics that carry nothing but RDMA and its control packets.

## References

- Intel Gaudi, Expected Switch Configuration: no priority on the data queues
- House rule
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import UNLIMITED, Given, Hit, Port, Severity, Unknown
from rocecfg.lint.classes import class_of_kind, lossless_queues, queues_in_use, queues_of_dscps
from rocecfg.state.model import Queue

ID, NAME, SEVERITY, PROFILE, SINCE = "SCH-002", "lossless-strict-starves", Severity.WARNING, "safe", "0.1"
DEVICES = "switch"
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
        queues: {0: {scheduler: weighted, weight: 40}, 3: {scheduler: weighted, weight: 60, shaper: -1}}
"""
BAD = GOOD.replace("weighted, weight: 60", "strict")


def check(port: Port, given: Given) -> Iterator[Hit | Unknown]:
    qos = port.qos
    cnp = class_of_kind(given.expect, "cnp")
    signals = (queues_of_dscps(qos, cnp.dscps) if cnp is not None else None) or frozenset()
    for number in sorted(set(lossless_queues(qos, given)) - signals):
        queue = qos.queue(number)
        if queue is None or queue.scheduler is None:
            yield Unknown(f"the scheduler of queue {number}")
        elif queue.scheduler == "strict":
            others = {other for other in queues_in_use(qos) - {number} if not _served_before(qos.queue(other), queue)}
            if queue.shaper_share is not None:
                continue
            if queue.shaper is None and others and not _whole(given):
                yield Unknown(f"the shaper of queue {number}")
            elif queue.shaper in {UNLIMITED, None} and others:
                text = ", ".join(map(str, sorted(others)))
                yield Hit(
                    f"queue {number} is lossless and strict without a limit: queue {text} waits as long as it has data",
                    f"serve queue {number} by weight",
                    f"queues.{number}.scheduler",
                    f"queue {number}",
                )


def _served_before(other: Queue | None, queue: Queue) -> bool:
    """Return whether another strict queue goes before this one and so never waits for it."""
    if other is None or other.scheduler != "strict" or other.rank is None or queue.rank is None:
        return False
    return other.rank < queue.rank


def _whole(given: Given) -> bool:
    """Return whether the text is complete, so that a rate limit it does not state is not there."""
    return given.device is not None and given.device.knows_all_of("qos")
