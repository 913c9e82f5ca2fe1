"""A watchdog time is in another unit than the system's.

## What it finds

A detection or restoration time of 10 ms or less, or a detection time of more than 10 seconds (options `shortest`,
`longest`): what results when seconds, milliseconds, microseconds or polls are mixed up.

## Why it matters

200 typed where polls or seconds are meant is 20 or 200 seconds: every RDMA connection has died before the watchdog
looks. 1 typed where milliseconds are meant shoots at each burst.

## What to do

Convert.

- sonic: milliseconds
- junos: `detection` counts polls of `poll-interval` milliseconds
- cumulus: `robustness` counts polls of `polling-interval` milliseconds
- nxos: the multiplier counts polling intervals

## When to ignore

Hardware detection in the millisecond class.

## References

- Arista EOS: seconds with decimals; SONiC: milliseconds; Huawei: units
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Option, PortQos, Severity
from rocecfg.lint.watchdogs import LONGEST_DETECTION, SHORTEST_TIME, other_unit, watchdog_times

ID, NAME, SEVERITY, PROFILE, SINCE = "WD-014", "watchdog-time-unit", Severity.ERROR, "safe", "0.1"
DEVICES = "switch"
OPTIONS = {
    "shortest": Option(SHORTEST_TIME, "milliseconds that are still no watchdog time"),
    "longest": Option(LONGEST_DETECTION, "milliseconds above which a detection time is no detection time"),
}
GOOD = """
device:
  name: leaf1
  ports:
    et-0/0/0: {qos: {watchdog: {enabled: true, priorities: [3], poll: 100, detect: 200, restore: 400}}}
"""
BAD = GOOD.replace("detect: 200, restore: 400", "detect: 20000, restore: 40000")


def check(qos: PortQos, given: Given) -> Iterator[Hit]:
    for time in watchdog_times(qos):
        if not other_unit(time, given.options.shortest, given.options.longest):
            continue
        if time.value <= given.options.shortest:
            yield Hit(
                f"the watchdog's {time.word} time is {time.value} ms: less than any switch can watch for",
                f"did you mean {time.value} seconds ({time.value * 1000} ms)?",
                time.leaf,
                "watchdog",
            )
        else:
            yield Hit(
                f"the watchdog's {time.word} time is {time.value} ms ({time.value / 1000:g} seconds): connections have "
                "failed long before",
                "convert the unit: 200 to 400 ms are usual",
                time.leaf,
                "watchdog",
            )
