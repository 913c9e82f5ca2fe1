"""The headroom was made for another speed or a shorter cable than the port has.

## What it finds

A headroom profile whose name or table row says for which speed and cable it was made, on a port that runs at another
speed or has a longer cable. An error when the port is faster or its cable longer than the profile's; a warning when
the profile is for a faster port: it only wastes buffer.

## Why it matters

After a change of speed or cable the old profile stays bound on several systems, and each pause then loses what is
under way beyond it.

## What to do

Let the profile be made again for what is plugged in now.

- sonic: `config interface cable-length Ethernet0 300m`, and remove the old BUFFER_PG row so that it is generated again

## When to ignore

A longer length in the profile than the cable's is rounding up to a table row, and is accepted. A profile chosen by
hand on purpose: ignore the rule there with the reason.

## References

- sonic-buildimage issue 1602: cable length changed, profile stayed
- sonic-swss pull request 4004
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Link, Port, Severity, Unknown
from rocecfg.lint.headrooms import lossless_group_numbers, metres_text, rate_text

ID, NAME, SEVERITY, PROFILE, SINCE = "BUF-004", "headroom-not-for-this-cable", Severity.ERROR, "safe", "0.1"
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet0:
      speed: 25000000000
      qos:
        cable: 5
        priority_groups: {3: {lossless: true, headroom: {by: table, made_for: [25000000000, 5]}}}
"""
BAD = GOOD.replace("made_for: [25", "made_for: [10")


def check(port: Port, given: Given) -> Iterator[Hit | Unknown]:
    for number in sorted(lossless_group_numbers(port.qos)):
        group = port.qos.priority_group(number)
        made_for = group.headroom.made_for if group is not None and group.headroom is not None else None
        if made_for is None:
            continue
        made_speed, made_metres = made_for
        speed, metres = port.speed_now or port.speed, port.qos.cable
        if speed is None:
            yield Unknown("the port's speed")
        elif speed != made_speed:
            yield Hit(
                f"the headroom of priority group {number} is made for {rate_text(made_speed)}, the port runs at "
                f"{rate_text(speed)}",
                "let the profile be made for the port's speed",
                f"priority_groups.{number}.headroom",
                f"priority group {number}",
                Severity.WARNING if made_speed > speed else None,
            )
            continue
        if metres is not None and metres > made_metres:
            yield Hit(
                f"the headroom of priority group {number} is made for {metres_text(made_metres)} m, the device is told "
                f"a cable of {metres_text(metres)} m",
                "let the profile be made for the cable",
                f"priority_groups.{number}.headroom",
                f"priority group {number}",
            )


def check_link(link: Link, given: Given) -> Iterator[Hit]:
    """Judge against the cabling where the device was told a shorter cable, or none."""
    if link.cable is None:
        return
    for end in (link.a, link.b):
        if end.port is None or end.device is None or end.device.kind != "switch":
            continue
        told = end.port.qos.cable
        for number in sorted(lossless_group_numbers(end.port.qos)):
            group = end.port.qos.priority_group(number)
            made_for = group.headroom.made_for if group is not None and group.headroom is not None else None
            if made_for is not None and made_for[1] < link.cable and (told is None or told <= made_for[1]):
                yield Hit(
                    f"the headroom of priority group {number} is made for {metres_text(made_for[1])} m, the cable has "
                    f"{metres_text(link.cable)} m",
                    "tell the device the cable's length and let the profile be made again",
                    f"priority_groups.{number}.headroom",
                    f"priority group {number}",
                    end=end,
                )
