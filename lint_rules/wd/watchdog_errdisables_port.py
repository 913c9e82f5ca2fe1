"""The watchdog takes the whole port down, and nobody asked it to.

## What it finds

A PFC watchdog without a stated action on a system whose own choice is to disable the port.

## Why it matters

One stuck priority then takes every class of the port with it, and the member of its port-channel: a slow receiver
becomes a lost link, which stays down until somebody or a recovery timer brings it back.

## What to do

State the action: drop what is queued for the stormed priority. Where the port shall go down, state that.

- eos: `priority-flow-control pause watchdog action drop`

## When to ignore

Host ports that shall fail as a whole (fail-stop), until the action is written down.

## References

- Arista EOS, PFC watchdog: the action of the port overrides the default, error-disable
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, PortQos, Severity

ID, NAME, SEVERITY, PROFILE, SINCE = "WD-012", "watchdog-errdisables-port", Severity.WARNING, "safe", "0.1"
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet1: {qos: {watchdog: {enabled: true, priorities: [3], detect: 200, restore: 400, action: port-down}}}
"""
BAD = GOOD.replace("qos: {", "qos: {defaulted: [watchdog.action], ")


def check(qos: PortQos, given: Given) -> Iterator[Hit]:
    watchdog = qos.watchdog
    if watchdog is None or watchdog.enabled is False or watchdog.action != "port-down":
        return
    if "watchdog.action" in qos.defaulted:
        yield Hit(
            "the watchdog has no stated action and disables the port: every class of the port goes down with one priority",
            "state the action, drop",
            "watchdog.action",
            "watchdog",
        )
