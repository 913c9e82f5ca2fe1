"""The shared headroom pool runs dry when many ports pause at once.

## What it finds

A device whose priority groups together are promised several times the headroom that its shared pool holds, or whose
pool cannot serve the incast that the intent plans for.

## Why it matters

The pool is sized for the hope that only some ports pause at the same time. A wide incast pauses all its senders' ports
together; the last ones find the pool empty and lose packets.

## What to do

Enlarge the headroom pool, shorten cable lengths to what they are, or protect fewer priorities.

- sonic: raise `xoff` of ingress_lossless_pool, or lower `over_subscribe_ratio`

## When to ignore

Fabrics whose headroom watermarks stay near zero under load. With large packets a chip needs a third of the worst case.

## References

- Shipped ratios from 1.4 (64 x 100G, Tomahawk 2) to 5.2 (128 x 400G, Tomahawk 5); review comment "1:4" of
  sonic-buildimage pull request 25104
- SONiC, dynamically-headroom-calculation.md
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rocecfg.lint.api import Device, Given, Hit, Option, Severity, Unknown
from rocecfg.lint.headrooms import kept_headrooms, lossless_group_numbers

ID, NAME, SEVERITY, PROFILE, SINCE = "BUF-010", "shp-oversubscription-unsafe", Severity.WARNING, "safe", "0.1"
DEVICES = "switch"
OPTIONS = {"ratio": Option(4, "times the pool that the headrooms may add up to")}
GOOD = """
device:
  name: leaf1
  pools: [{name: ingress_lossless_pool, direction: ingress, lossless: true, total: 10000000, headroom: 200000}]
  ports:
    Ethernet0: {qos: &same {priority_groups: {3: {lossless: true, headroom: {amount: 98304}}}}}
    Ethernet4: {qos: *same}
"""
BAD = GOOD.replace("headroom: 200000", "headroom: 40000")


def check(device: Device, given: Given) -> Iterator[Hit | Unknown]:
    pools = [pool for pool in device.pools or () if pool.lossless and pool.headroom is not None and pool.headroom.bytes]
    if len(pools) != 1:
        return
    (pool,) = pools
    assert pool.headroom is not None
    room = pool.headroom.bytes or 0
    largest: list[int] = []
    unknown = 0
    for port in device.ports.values():
        if port.enabled is False:
            continue
        kept = [item.bytes for item in kept_headrooms(port.qos)]
        unknown += len(lossless_group_numbers(port.qos)) - len(kept)
        largest += kept
    total, count = sum(largest), len(largest)
    incast = given.expect.design_incast if given.expect is not None else None
    needed = sum(sorted(largest, reverse=True)[:incast]) if incast else 0
    if total > given.options.ratio * room:
        yield Hit(
            f"{count} lossless priority groups are promised {total} bytes of headroom, pool {pool.name} holds {room}: "
            f"{float(Fraction(total, room)):.1f} to 1",
            f"keep {-(-total // given.options.ratio)} bytes or more in the headroom pool",
            object=f"pool {pool.name}",
            place=pool.place,
        )
    elif needed > room:
        yield Hit(
            f"an incast of {incast} senders may take {needed} bytes of headroom, pool {pool.name} holds {room}",
            f"keep {needed} bytes or more in the headroom pool",
            object=f"pool {pool.name}",
            place=pool.place,
        )
    elif unknown:
        yield Unknown("the headroom of some lossless priority groups in bytes")
