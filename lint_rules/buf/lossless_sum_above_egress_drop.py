"""The egress queue drops before the ports that feed it are paused.

## What it finds

A lossless egress queue with a fixed limit, or a drop curve, below what its senders may send before each of them has
stopped: the sum of fixed pause threshold and headroom over as many ports as the intent's `design_incast` says (error),
without one over all other lossless ports of the device (warning: a guarantee rather than traffic).

## Why it matters

Ingress counts each port alone, egress counts them together. In an incast the queue reaches its limit first and drops
lossless packets without a single pause having gone out.

## What to do

Raise the limit of the egress queue to the pool, or lower the pause thresholds.

- sonic: `static_th` of the egress lossless BUFFER_PROFILE = size of egress_lossless_pool
- nxos: a larger `queue-limit` of the no-drop queue

## When to ignore

Traffic patterns where only few ports ever feed one queue: lower `senders`.

## References

- Huawei CloudEngine, low-latency network: the sum of ingress thresholds must stay below the egress drop threshold
- sonic-buildimage pull request 21320
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Device, Given, Hit, Option, PortQos, Severity, Unknown, queues_of_priority
from rocecfg.lint.headrooms import kept_headrooms, lossless_group_numbers
from rocecfg.state.model import Queue, Static

ID, NAME, SEVERITY, PROFILE, SINCE = "BUF-022", "lossless-sum-above-egress-drop", Severity.ERROR, "safe", "0.1"
DEVICES = "switch"
OPTIONS = {"senders": Option(0, "ports that may feed one queue at once; 0 = design_incast, else all other ports")}
GOOD = """
device:
  name: leaf1
  pools: [{name: egress_lossless_pool, direction: egress, lossless: true, total: 12000000}]
  ports:
    Ethernet0:
      qos: &same
        pfc: {admin: "on", tx: [3], rx: [3]}
        priority_to_pg: {3: [3]}
        priority_to_queue: {3: [3]}
        priority_groups: {3: {lossless: true, xoff_at: {at: 200000}, headroom: {amount: 98304}}}
        queues: {3: {limit: {at: 11000000}}}
    Ethernet4: {qos: *same}
    Ethernet8: {qos: *same}
expect: {design_incast: 2}
"""
BAD = GOOD.replace("11000000", "500000")


def check(device: Device, given: Given) -> Iterator[Hit | Unknown]:
    largest = max((pool.total.bytes or 0 for pool in device.pools or () if pool.total is not None), default=None)
    by_qos: dict[int, tuple[PortQos, list[str]]] = {}
    for port in device.ports.values():
        if port.enabled is not False:
            by_qos.setdefault(id(port.qos), (port.qos, []))[1].append(port.name)
    bounds = [
        bound for qos, ports in by_qos.values() if lossless_group_numbers(qos) for bound in [_bound(qos)] * len(ports)
    ]
    known = sorted((bound for bound in bounds if bound is not None), reverse=True)
    for qos, ports in by_qos.values():
        for priority in sorted((qos.pfc.sends() if qos.pfc is not None else None) or ()):
            for number in sorted(queues_of_priority(qos, priority) or ()):
                limit = _drops_at(qos.queue(number), largest)
                if limit is None:
                    continue
                if len(known) < len(bounds):
                    yield Unknown("the fixed fill at which lossless ports pause")
                    return
                stated = given.options.senders or (given.expect.design_incast if given.expect is not None else None)
                count = min(stated or len(known) - 1, len(known) - 1)
                total = sum(known[:count])
                if count > 0 and total >= limit:
                    yield Hit(
                        f"queue {number} drops at {limit} bytes; {count} ports may send {total} bytes before each has "
                        "paused and stopped",
                        f"let the queue hold {total} bytes or the whole pool",
                        f"queues.{number}.limit",
                        f"queue {number}",
                        None if stated else Severity.WARNING,
                        ports=tuple(ports),
                    )


def _bound(qos: PortQos) -> int | None:
    """Return what one port may send into a queue before it stops; None when alpha decides or it is not known."""
    total = 0
    kept = {item.number: item.bytes for item in kept_headrooms(qos)}
    for number in lossless_group_numbers(qos):
        group = qos.priority_group(number)
        limit = group.xoff_at if group is not None else None
        if not isinstance(limit, Static) or limit.amount.bytes is None or number not in kept:
            return None
        total += limit.amount.bytes + kept[number]
    return total


def _drops_at(queue: Queue | None, largest: int | None) -> int | None:
    """Return the fill at which a queue drops, None when it has no limit below the pool."""
    if queue is None:
        return None
    limits = [curve.low.bytes for curve in queue.wred or () if curve.low is not None and curve.active is not False]
    if isinstance(queue.limit, Static):
        limits.append(queue.limit.amount.bytes)
    found = [limit for limit in limits if limit]
    return min(found) if found and (largest is None or min(found) < largest) else None
