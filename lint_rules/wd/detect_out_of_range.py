"""The system refuses a watchdog time.

## What it finds

Detection or restoration times outside the range that the device's system accepts: SONiC 100 to 5000 and 100 to 60000
ms. A value that is far off is most likely in another unit: WD-014's finding.

## Why it matters

The row is rejected when it is loaded, and the port runs without a watchdog although one is configured.

## What to do

Use a time of the accepted range.

- sonic: `config pfcwd start --action drop all 200 --restoration-time 400`

## When to ignore

Releases with another range.

## References

- sonic-swss orchagent/pfcwdorch.h; sonic-pfcwd.yang
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import NEVER, Given, Hit, Port, Severity
from rocecfg.lint.watchdogs import accepted_times, other_unit, watchdog_times

ID, NAME, SEVERITY, PROFILE, SINCE = "WD-004", "detect-out-of-range", Severity.ERROR, "min", "0.1"
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  nos: sonic
  ports:
    Ethernet0: {qos: {watchdog: {enabled: true, priorities: [3], poll: 100, detect: 200, restore: 400}}}
"""
BAD = GOOD.replace("restore: 400", "restore: 90000")


def check(port: Port, given: Given) -> Iterator[Hit]:
    ranges = accepted_times(given.device.nos if given.device is not None else "")
    for time in watchdog_times(port.qos):
        low, high = ranges.get(time.word, (None, None))
        if low is None or high is None or time.value == NEVER or low <= time.value <= high or other_unit(time):
            continue
        yield Hit(
            f"the watchdog's {time.word} time is {time.value} ms, accepted are {low} to {high} ms",
            f"use {low} to {high} ms",
            time.leaf,
            "watchdog",
        )
