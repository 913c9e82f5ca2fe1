"""A lossless priority group has nothing of its own to start again with.

## What it finds

A lossless priority group with a guarantee of zero bytes, on a chip with one shared memory that needs at least a frame
to resume.

## Why it matters

After a pause, with the shared pool full, the port cannot take its first packet: it waits for others to drain.

## What to do

Reserve one or two frames.

- sonic: `size` of the lossless BUFFER_PROFILE: the shipped tables hold 1,248 to 18,796 bytes

## When to ignore

Chips with virtual output queues. NVIDIA's xon covers the start.

## References

- sonic-buildimage pg_profile_lookup.ini of Broadcom models
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Option, Port, Severity, Unknown
from rocecfg.lint.headrooms import chip_of, lossless_group_numbers

ID, NAME, SEVERITY, PROFILE, SINCE = "BUF-017", "reserved-min-missing", Severity.INFO, "strict", "0.1"
DEVICES = "switch"
OPTIONS = {"chips": Option(("tomahawk", "trident"), "beginnings of the names of chips that need a guarantee")}
GOOD = """
device:
  name: leaf1
  asic: tomahawk-2
  ports: {Ethernet0: {qos: {priority_groups: {3: {lossless: true, reserved: 1248}}}}}
"""
BAD = GOOD.replace("1248", "0")


def check(port: Port, given: Given) -> Iterator[Hit | Unknown]:
    for number in sorted(lossless_group_numbers(port.qos)):
        group = port.qos.priority_group(number)
        if group is None or group.reserved is None or group.reserved.value:
            continue
        chip = chip_of(given.device)
        if chip is None:
            yield Unknown("the device's chip (model or asic)")
        elif chip.name.startswith(tuple(given.options.chips)):
            yield Hit(
                f"priority group {number} has a guarantee of 0 bytes; {chip.title} needs a frame or two to resume",
                "reserve one or two frames",
                f"priority_groups.{number}.reserved",
                f"priority group {number}",
            )
