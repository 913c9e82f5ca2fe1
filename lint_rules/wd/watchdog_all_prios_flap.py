"""A software watchdog on a chip where it is known to flap.

## What it finds

A SONiC device with a Tomahawk 4, 5 or 6 that watches two or more priorities. Which releases carry the fix is not known
here, so the finding is information.

## Why it matters

On these chips the counters that the software watchdog reads stop while PFC is turned off for a stormed queue. If all
lossless priorities storm together it takes the silence for the end of the storm, restores, and begins again: 170 cycles
in 20 minutes.

## What to do

Use a release with the fix or hardware detection, or one lossless priority.

- sonic: `config pfcwd start --action drop all 400 --restoration-time 2000` makes the cycles longer

## When to ignore

Releases with the fix.

## References

- sonic-buildimage issue 29203, sonic-swss issue 3824
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rocecfg.lint.api import Device, Given, Hit, Severity, numbers_text
from rocecfg.lint.headrooms import chip_of

ID, NAME, SEVERITY, PROFILE, SINCE = "WD-011", "watchdog-all-prios-flap", Severity.INFO, "strict", "0.1"
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  nos: sonic
  asic: tomahawk5
  ports:
    Ethernet0: {qos: {watchdog: {enabled: true, priorities: [3]}}}
"""
BAD = GOOD.replace("priorities: [3]", "priorities: [3, 4]")
_CHIPS = re.compile(r"tomahawk-[456]\b")


def check(device: Device, given: Given) -> Iterator[Hit]:
    if device.nos != "sonic":
        return
    chip = chip_of(device)
    if chip is None or not _CHIPS.match(chip.name):
        return
    watched = {
        port.name: port.qos.watchdog.priorities
        for port in device.ports.values()
        if port.qos.watchdog is not None and port.qos.watchdog.enabled and port.qos.watchdog.priorities is not None
    }
    several = {name: priorities for name, priorities in watched.items() if len(priorities) > 1}
    if several:
        priorities = frozenset[int]().union(*several.values())
        yield Hit(
            f"the software watchdog watches priority {numbers_text(priorities)} on {chip.title}, where it flaps when all of "
            "them storm together",
            "use a release with the fix, or one lossless priority",
            "watchdog",
            f"priority {numbers_text(priorities)}",
            ports=tuple(several),
        )
