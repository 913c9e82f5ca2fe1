"""The watchdog is on and has no time after which it fires.

## What it finds

A port whose PFC watchdog is enabled while its detection time is known to be unset.

## Why it matters

It looks enabled in every report and never fires: the port is as unprotected as one without a watchdog, and nobody
looks again.

## What to do

Set the detection and restoration times.

- sonic: `config pfcwd start --action drop all 400 --restoration-time 400`

## When to ignore

Systems that fill in a default by themselves.

## References

- Arista EOS: without a timeout the watchdog never fires
- H3C Comware: the deadlock interval is unset by default
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import NEVER, Given, Hit, PortQos, Severity

ID, NAME, SEVERITY, PROFILE, SINCE = "WD-013", "watchdog-armed-without-timer", Severity.ERROR, "min", "0.1"
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet0: {qos: {watchdog: {enabled: true, priorities: [3], detect: 400, restore: 800}}}
"""
BAD = GOOD.replace("detect: 400", "detect: -1")


def check(qos: PortQos, given: Given) -> Iterator[Hit]:
    watchdog = qos.watchdog
    if watchdog is not None and watchdog.enabled and watchdog.detect == NEVER:
        yield Hit(
            "the watchdog is on and has no detection time: it never fires",
            "set the detection time, for instance 400 ms",
            "watchdog.detect",
            "watchdog",
        )
