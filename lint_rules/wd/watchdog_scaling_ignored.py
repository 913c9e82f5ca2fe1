"""The watchdog polls more queues than its processor can look at in time.

## What it finds

A SONiC device that watches more than 32 ports with a polling or detection time below 200 ms for each 32 ports.

## Why it matters

The poll reads counters of every watched queue. When a round takes longer than its interval, the watchdog sees storms
late or computes them from half-old counters.

## What to do

Let SONiC choose: it multiplies its times by the number of ports divided by 32.

- sonic: `config pfcwd start_default`

## When to ignore

Chips that detect in hardware.

## References

- sonic-utilities pfcwd/main.py: start_default scales with the number of ports; the poll is capped at 1000 ms
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import NEVER, Device, Given, Hit, Option, Severity

ID, NAME, SEVERITY, PROFILE, SINCE = "WD-009", "watchdog-scaling-ignored", Severity.INFO, "strict", "0.1"
DEVICES = "switch"
OPTIONS = {
    "time": Option(200, "milliseconds that 32 ports need"),
    "longest": Option(1000, "milliseconds SONiC accepts as poll"),
}
_PORTS = "\n".join(f"    Ethernet{number * 4}: *port" for number in range(1, 33))
GOOD = f"""
device:
  name: leaf1
  nos: sonic
  ports:
    Ethernet0: &port {{qos: {{watchdog: {{enabled: true, priorities: [3], poll: 400, detect: 800, restore: 1600}}}}}}
{_PORTS}
"""
BAD = GOOD.replace("poll: 400, detect: 800", "poll: 100, detect: 200")
_GROUP = 32


def check(device: Device, given: Given) -> Iterator[Hit]:
    if device.nos != "sonic":
        return
    watched = [p for p in device.ports.values() if p.qos.watchdog is not None and p.qos.watchdog.enabled]
    factor = -(-len(watched) // _GROUP)
    if factor < 2:
        return
    needed = given.options.time * factor
    polls = {p.qos.watchdog.poll for p in watched if p.qos.watchdog is not None and p.qos.watchdog.poll is not None}
    times = {p.qos.watchdog.detect for p in watched if p.qos.watchdog is not None and p.qos.watchdog.detect is not None}
    poll, detect = min(polls, default=None), min(times - {NEVER}, default=None)
    if (poll is not None and poll < min(needed, given.options.longest)) or (detect is not None and detect < needed):
        yield Hit(
            f"the watchdog looks at {len(watched)} ports every {poll} ms and detects after {detect} ms: SONiC's own default "
            f"for that many is {min(needed, given.options.longest)} and {needed} ms",
            "multiply the times by the number of ports divided by 32",
            "watchdog.detect",
            "watchdog",
            ports=tuple(port.name for port in watched),
        )
