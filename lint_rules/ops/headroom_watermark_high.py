"""The headroom was almost used up.

## What it finds

A priority group whose peak use of headroom is above 70 percent of the headroom it has. A peak proves itself: one
capture is enough.

## Why it matters

Headroom holds what still arrives after PAUSE went out. Its use follows the cable, the speed and the peer's reaction,
which do not change from day to day: a peak close to the limit means that the next larger burst is lost.

## What to do

Give the group more headroom, or correct the cable length it was computed from; clear the peak and look again.

- sonic: `sonic-clear priority-group watermark headroom`, `config interface cable-length IF LENGTH`

## When to ignore

After maintenance: the peak may be of another cable or peer. Clear it.

## References

- SONiC watermark design; the share of 70 percent is this project's own judgement
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Counters, Given, Hit, Option, Severity, Unknown, worst_port

ID, NAME, SEVERITY, PROFILE, SINCE = "OPS-002", "headroom-watermark-high", Severity.WARNING, "safe", "0.1"
DEVICES = "switch"
OPTIONS = {"most-percent": Option(70, "percent of the headroom that may have been in use")}
BAD = """
device:
  name: leaf1
  sample: {ports: {Ethernet0: {headroom_peak: {0: 0, 3: 90000}}}}
  ports:
    Ethernet0: {qos: {priority_groups: {3: {lossless: true, headroom: {amount: 98304}}}}}
"""
GOOD = BAD.replace("90000", "20000")


def check(now: Counters, given: Given) -> Iterator[Hit | Unknown]:
    for number, ports in sorted(now.by_number("headroom_peak").items(), key=str):
        high: dict[str, int] = {}
        sizes: dict[str, int] = {}
        for port, peak in ports.items():
            qos = now.qos(port)
            group = qos.priority_group(number) if qos is not None and number is not None else None
            headroom = group.headroom if group is not None else None
            size = headroom.amount.bytes if headroom is not None and headroom.amount is not None else None
            if size is None:
                yield Unknown(f"the headroom of priority group {number} in bytes")
            elif peak * 100 > size * given.options.most_percent:
                high[port], sizes[port] = peak, size
        if high:
            worst = worst_port(high)
            yield Hit(
                f"up to {high[worst]} of {sizes[worst]} bytes of headroom were in use "
                f"({100 * high[worst] // max(1, sizes[worst])} %, {given.options.most_percent} % is the most that "
                "leaves room)",
                "give the priority group more headroom, or correct the cable length it was made for",
                object=f"priority group {number}",
                ports=tuple(high),
                place=now.where(high, f"headroom_peak.{number}"),
            )
