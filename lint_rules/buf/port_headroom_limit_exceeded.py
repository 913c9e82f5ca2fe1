"""The lossless priority groups of one port ask for more than the chip gives a port.

## What it finds

A port whose priority groups together (guarantee and headroom) exceed the chip's limit for one port.

## Why it matters

The platform refuses the update and keeps the old, smaller value; only a line in the log says so.

## What to do

Use fewer lossless priorities or a shorter cable on that port, or the shared headroom pool.

- sonic: fewer lossless rows in BUFFER_PG of that port, or `over_subscribe_ratio` in DEFAULT_LOSSLESS_BUFFER_PARAMETER

## When to ignore

Never while model and limit are right.

## References

- sonic-mgmt pull requests 8041, 9205 and 13135: "Accumulative headroom size exceeds the limit"
- sonic-buildimage platform/mellanox/asic_table.j2: port_max_shp
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Port, Severity, Unknown
from rocecfg.lint.headrooms import chip_of, kept_headrooms

ID, NAME, SEVERITY, PROFILE, SINCE = "BUF-007", "port-headroom-limit-exceeded", Severity.ERROR, "safe", "0.1"
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  asic: spectrum-3
  ports:
    Ethernet0: {qos: {priority_groups: {3: {lossless: true, reserved: 19456, headroom: {amount: 4000000}}}}}
"""
BAD = GOOD.replace("4000000", "9000000")


def check(port: Port, given: Given) -> Iterator[Hit | Unknown]:
    kept = list(kept_headrooms(port.qos))
    if not kept:
        return
    chip = chip_of(given.device)
    limit = chip.whole("port_limit") if chip is not None else None
    if chip is None or limit is None:
        yield Unknown("the chip's limit for the headroom of one port (model or asic)")
        return
    total = sum(item.bytes for item in kept)
    for group in port.qos.priority_groups or ():
        if group is not None and group.reserved is not None:
            total += group.reserved.bytes or 0
    if total > limit:
        yield Hit(
            f"the priority groups of the port ask for {total} bytes, {chip.title} gives a port {limit} at most",
            "use fewer lossless priorities or a shorter cable on this port",
            kept[0].leaf,
            "port headroom",
        )
