"""The watchdog sees a storm and lets it go on.

## What it finds

A PFC watchdog that is told to forward, or only to report. Where forwarding is the system's own choice it is WD-015.

## Why it matters

`forward` sends into a port that asked for silence: the packets are lost there, in a class that is called lossless, and
no drop counter of the switch moves. `alert` frees nothing: the fabric stands still, with a message in a log.

## What to do

Drop what is queued for the stormed priority.

- sonic: `config pfcwd start --action drop all 400 --restoration-time 400`
- nxos: `priority-flow-control watch-dog-interval on` without a further word
- junos: `watchdog-action drop` under `pfc-watchdog`

## When to ignore

`alert` during the roll-out of the watchdog.

## References

- SONiC PFC watchdog design: drop, forward, alert
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, PortQos, Severity

ID, NAME, SEVERITY, PROFILE, SINCE = "WD-008", "watchdog-action-forward", Severity.WARNING, "safe", "0.1"
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet0: {qos: {watchdog: {enabled: true, priorities: [3], action: drop}}}
"""
BAD = GOOD.replace("action: drop", "action: forward")
_MEANS = {
    "forward": "forwards into the port that asked for silence",
    "alert": "reports the storm and contains nothing",
}


def check(qos: PortQos, given: Given) -> Iterator[Hit]:
    watchdog = qos.watchdog
    if watchdog is None or watchdog.enabled is False or "watchdog.action" in qos.defaulted:
        return
    if watchdog.action in _MEANS:
        yield Hit(
            f"the watchdog's action is {watchdog.action}: it {_MEANS[watchdog.action]}",
            "let the watchdog drop",
            "watchdog.action",
            "watchdog",
        )
