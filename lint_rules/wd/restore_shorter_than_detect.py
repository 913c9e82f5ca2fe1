"""The watchdog gives a stormed queue back before it could see that the storm goes on.

## What it finds

A restoration time below the detection time, where the system restores by time. (Cumulus restores after a poll without
pause, which cannot flap that way.)

## Why it matters

Under a live storm the queue is dropped, restored, blocked, dropped again. A switch with 200 and 200 ms went through 170
such cycles in 20 minutes; every one of them stops and loses traffic.

## What to do

Restore after twice the detection time or later.

- nxos: a larger auto-restore multiplier
- sonic: `config pfcwd start --action drop all 400 --restoration-time 2000`
- junos: `recovery 400` under `pfc-watchdog`

## When to ignore

Never; a longer restoration costs nothing but the time of one dead queue.

## References

- sonic-buildimage issue 29203: 170 cycles in 20 minutes
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import NEVER, Given, Hit, PortQos, Severity

ID, NAME, SEVERITY, PROFILE, SINCE = "WD-007", "restore-shorter-than-detect", Severity.WARNING, "safe", "0.1"
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet0: {qos: {watchdog: {enabled: true, priorities: [3], poll: 200, detect: 400, restore: 2000, action: drop}}}
"""
BAD = GOOD.replace("restore: 2000", "restore: 200")


def check(qos: PortQos, given: Given) -> Iterator[Hit]:
    watchdog = qos.watchdog
    if watchdog is None or watchdog.enabled is False or watchdog.action == "ignore-pause":
        return
    detect, restore = watchdog.detect, watchdog.restore
    if detect is not None and restore is not None and NEVER not in (detect, restore) and 0 < restore < detect:
        if watchdog.poll is not None and watchdog.poll > restore:
            return  # WD-003: the time cannot be kept at all
        yield Hit(
            f"the watchdog restores a queue after {restore} ms, sooner than the {detect} ms it takes to detect a storm",
            f"restore after {2 * detect} ms",
            "watchdog.restore",
            "watchdog",
        )
