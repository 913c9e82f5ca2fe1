"""While it recovers, the watchdog lets packets go out to a peer that asked for silence.

## What it finds

A watchdog that ignores pauses during recovery and forwards what is queued: by the system's own choice, or by switching
PFC off for the while.

## Why it matters

The peer asked for silence because it has no room: what is sent is lost there, in a class that is called lossless, and no
drop counter of the switch moves. A forwarding action that somebody wrote down is WD-008.

## What to do

Discard during recovery where the system can.

- huawei: `dcb pfc deadlock recovery-behavior discard slot SLOT`
- h3c: `priority-flow-control deadlock auto-recover action discard`

## When to ignore

Storage networks whose vendor advises to forward.

## References

- H3C, PFC deadlock detection: the default action of recovery is forwarding
- Huawei CloudEngine, PFC deadlock detection: received PFC is ignored, the queue forwards or discards
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, PortQos, Severity

ID, NAME, SEVERITY, PROFILE, SINCE = "WD-015", "watchdog-recovery-forwards", Severity.INFO, "strict", "0.1"
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  ports:
    100GE1/0/1: {qos: {watchdog: {enabled: true, priorities: [3], detect: 100, restore: 100, action: drop}}}
"""
BAD = GOOD.replace("action: drop", "action: pfc-off")


def check(qos: PortQos, given: Given) -> Iterator[Hit]:
    watchdog = qos.watchdog
    if watchdog is None or watchdog.enabled is False:
        return
    defaulted = "watchdog.action" in qos.defaulted
    if watchdog.action == "pfc-off" or (watchdog.action == "forward" and defaulted):
        whose = "by default " if defaulted else ""
        yield Hit(
            f"during recovery the watchdog {whose}forwards to the peer that asked for silence: the packets are lost there",
            "discard during recovery",
            "watchdog.action",
            "watchdog",
        )
