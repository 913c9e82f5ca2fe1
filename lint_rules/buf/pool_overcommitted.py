"""The buffer pools promise more memory than the chip has.

## What it finds

An ingress pool whose shared part, headroom pool and the guarantees of all priority groups add up to more than the
chip's packet memory.

## Why it matters

The chip refuses the last profiles, or a warm boot aborts: the configuration says lossless and the chip is not.

## What to do

Shrink the shared part of the pool until all three fit.

- sonic: a smaller `size` of ingress_lossless_pool in BUFFER_POOL

## When to ignore

Platforms where the pool's size includes the headroom pool. The rule takes it so where ingress and egress pool have
the same size.

## References

- sonic-buildimage issue 28657: 258,035,400 + 81,553,920 bytes on a chip with 267 MB
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Device, Given, Hit, Option, Severity, Unknown
from rocecfg.lint.headrooms import chip_of

ID, NAME, SEVERITY, PROFILE, SINCE = "BUF-008", "pool-overcommitted", Severity.ERROR, "safe", "0.1"
DEVICES = "switch"
OPTIONS = {"tolerance": Option(0, "percent above the chip's memory that is still accepted")}
GOOD = """
device:
  name: leaf1
  asic: tomahawk-6
  pools:
    - {name: ingress_lossless_pool, direction: ingress, lossless: true, total: 178000000, headroom: 81553920}
"""
BAD = GOOD.replace("178000000", "258035400")


def check(device: Device, given: Given) -> Iterator[Hit | Unknown]:
    pools = [pool for pool in device.pools or () if pool.direction != "egress" and pool.lossless]
    stated = [pool for pool in pools if pool.total is not None and pool.total.bytes]
    if not stated or len(pools) != 1:
        return  # several pools may lie in several memories
    chip = chip_of(device)
    memory = max((size for name in ("usable", "buffer") if (size := chip.whole(name))), default=None) if chip else None
    if chip is None or memory is None:
        yield Unknown("the packet memory of the device's chip (model or asic)")
        return
    reserved = sum(
        group.reserved.bytes or 0
        for port in device.ports.values()
        for group in port.qos.priority_groups or ()
        if group is not None and group.reserved is not None and not group.lossless
    )
    egress = {pool.total.bytes for pool in device.pools or () if pool.direction == "egress" and pool.total is not None}
    for pool in stated:
        assert pool.total is not None
        total, kept = pool.total.bytes or 0, pool.headroom.bytes or 0 if pool.headroom is not None else 0
        if total in egress:
            kept = 0  # the size already holds the headroom pool
        if (total + kept + reserved) * 100 > memory * (100 + given.options.tolerance):
            yield Hit(
                f"pool {pool.name} shares {total} bytes and keeps {kept} as headroom, with {reserved} guaranteed beside "
                f"it: more than the {memory} bytes of {chip.title}",
                f"shrink the shared part to {max(memory - kept - reserved, 0)} bytes",
                object=f"pool {pool.name}",
                place=pool.place,
            )
