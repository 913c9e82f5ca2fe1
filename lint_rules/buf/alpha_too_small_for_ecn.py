"""PAUSE goes out before the marking ramp is through.

## What it finds

A lossless queue whose Kmax lies above the fill at which its senders are already paused: with N senders the queue holds
N x alpha x pool / (1 + N x alpha) at most. N is the intent's `design_incast`; without one all other ports of the device
are taken, which is the most that can ever be.

## Why it matters

The upper part of the ramp is never reached: PFC holds the senders back while ECN still marks lightly, so the senders do
not slow down and the pauses spread.

## What to do

Raise alpha, or lower Kmax under the fill that the finding names.

- sonic: `config ecn -profile AZURE_LOSSLESS -gmax BYTES`, or a larger `dynamic_th`
- cumulus: `nv set qos congestion-control default-global traffic-class 3 max-threshold BYTES`

## When to ignore

Queues whose congestion control does not read marks.

## References

- Zhu et al., Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015 (ECN before PFC)
- Choudhury and Hahne, Dynamic queue length thresholds, IEEE/ACM ToN 6(2), 1998
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rocecfg.lint.api import Device, Given, Hit, Port, Severity, Unknown, lossless_groups, queues_of_priority
from rocecfg.physics.thresholds import share
from rocecfg.state.model import Dynamic, PriorityGroup, Static

ID, NAME, SEVERITY, PROFILE, SINCE = "BUF-014", "alpha-too-small-for-ecn", Severity.ERROR, "safe", "0.1"
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  pools: [{name: ingress_lossless_pool, direction: ingress, lossless: true, total: 14000000}]
  ports:
    Ethernet0:
      qos:
        pfc: {admin: "on", tx: [3], rx: [3]}
        priority_to_pg: {3: [3]}
        priority_to_queue: {3: [3]}
        priority_groups: {3: {xoff_at: {alpha: 1/8}, pool: ingress_lossless_pool}}
        queues: {3: {ecn: {curves: [{low: 400000, high: 1600000, probability: 10}]}}}
expect: {design_incast: 8}
"""
BAD = GOOD.replace("1600000", "10000000")


def check(port: Port, given: Given) -> Iterator[Hit | Unknown]:
    qos = port.qos
    sends = qos.pfc.sends() if qos.pfc is not None else None
    for priority in sorted(sends or ()):
        groups, queues = lossless_groups(qos, priority), queues_of_priority(qos, priority)
        for number in sorted(queues or ()):
            queue = qos.queue(number)
            curves = queue.ecn.curves if queue is not None and queue.ecn is not None else ()
            highs = [curve.high.bytes for curve in curves if curve.high is not None and curve.high.bytes]
            group = qos.priority_group(min(groups)) if groups and len(groups) == 1 else None
            if not highs or group is None or group.xoff_at is None:
                continue
            yield from _judge(min(groups or ()), group, number, max(highs), given)


def _judge(index: int, group: PriorityGroup, queue: int, kmax: int, given: Given) -> Iterator[Hit | Unknown]:
    device = given.device
    stated = given.expect.design_incast if given.expect is not None else None
    senders = stated or max(len(device.ports) - 1 if device is not None else 1, 1)
    limit = group.xoff_at
    if isinstance(limit, Static):
        each = limit.amount.bytes
        if each is None:
            return
        onset, why = senders * each, f"at {each} bytes each"
    elif isinstance(limit, Dynamic) and limit.alpha is not None:
        pool = _pool(device, group)
        if pool is None:
            yield Unknown("the size of the pool that the lossless priority group shares")
            return
        onset = int(senders * share(limit.alpha, senders) * Fraction(pool))
        why = f"with alpha {limit.alpha} of {pool} bytes"
    else:
        yield Unknown("alpha of the lossless priority group as a ratio")
        return
    if kmax > onset:
        yield Hit(
            f"Kmax of queue {queue} is {kmax} bytes; {senders} senders are paused {why} when it holds {onset}",
            f"lower Kmax below {onset} bytes, or raise alpha",
            f"queues.{queue}.ecn",
            f"queue {queue}, priority group {index}",
        )


def _pool(device: Device | None, group: PriorityGroup) -> int | None:
    """Return the shared bytes of the pool that a group draws from."""
    pools = [pool for pool in (device.pools if device is not None else None) or () if pool.direction != "egress"]
    named = (
        [pool for pool in pools if pool.name == group.pool]
        if group.pool is not None
        else [p for p in pools if p.lossless]
    )
    if len(named) != 1 or named[0].total is None:
        return None
    return named[0].total.bytes or None
