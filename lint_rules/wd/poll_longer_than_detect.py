"""The watchdog looks too seldom for the time it shall detect in.

## What it finds

A polling interval above the detection or the restoration time (error: SONiC refuses it, elsewhere the time cannot be
kept), or above half the detection time (warning: one missed poll doubles it).

## Why it matters

A storm is seen by comparing two polls. With one poll per detection time it is seen late or, between two polls, not at
all.

## What to do

Poll at least twice in the detection time.

- nxos: count two polls or more to a detection (the shutdown multiplier)
- sonic: `config pfcwd interval 100`
- junos: `poll-interval 100` and `detection 2` under `pfc-watchdog`
- cumulus: `nv set qos pfc-watchdog robustness 3`

## When to ignore

Chips that detect in hardware; SONiC's own `start_default` sets poll = detection, which is the warning.

## References

- sonic-utilities pfcwd/main.py: the interval is refused above the smallest detection or restoration time
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import NEVER, Given, Hit, PortQos, Severity

ID, NAME, SEVERITY, PROFILE, SINCE = "WD-003", "poll-longer-than-detect", Severity.ERROR, "safe", "0.1"
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet0: {qos: {watchdog: {enabled: true, priorities: [3], poll: 200, detect: 400, restore: 800}}}
"""
BAD = """
device:
  name: leaf1
  ports:
    Ethernet0: {qos: {watchdog: {enabled: true, priorities: [3], poll: 400, detect: 200, restore: 800}}}
"""


def check(qos: PortQos, given: Given) -> Iterator[Hit]:
    watchdog = qos.watchdog
    if watchdog is None or watchdog.enabled is False or watchdog.poll is None:
        return
    poll = watchdog.poll
    for word, leaf, time in (
        ("detection", "watchdog.detect", watchdog.detect),
        ("restoration", "watchdog.restore", watchdog.restore),
    ):
        if time is not None and time != NEVER and poll > time > 0:
            yield Hit(
                f"the watchdog polls every {poll} ms, its {word} time is {time} ms",
                f"poll every {time // 2} ms or less",
                leaf,
                "watchdog",
            )
            return
    detect = watchdog.detect
    if detect is not None and detect > 0 and poll * 2 > detect:
        yield Hit(
            f"the watchdog polls every {poll} ms, more than half of its detection time of {detect} ms",
            f"poll every {detect // 2} ms or less",
            "watchdog.detect",
            "watchdog",
            Severity.WARNING,
        )
