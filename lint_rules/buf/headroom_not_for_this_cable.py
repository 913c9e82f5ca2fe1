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

- sonic: `config interface cable-length IF LENGTH`, and remove the old BUFFER_PG row so that it is generated again

## When to ignore

A longer length in the profile than the cable's is rounding up to a table row, and is accepted. A profile chosen by
hand on purpose: ignore the rule there with the reason.

## References

- sonic-buildimage issue 1602: cable length changed, profile stayed
- sonic-swss pull request 4004
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rocecfg.lint.api import End, Given, Hit, Link, Port, PortQos, Severity, Unknown
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
    for made_for, numbers in _made_for(port.qos).items():
        made_speed, made_metres = made_for
        speed, metres = port.line_rate, port.qos.cable
        if speed is None:
            yield Unknown("the port's speed")
        elif speed != made_speed:
            yield _hit(
                numbers,
                f"{rate_text(made_speed)}, the port runs at {rate_text(speed)}",
                "let the profile be made for the port's speed",
                Severity.WARNING if made_speed > speed else None,
            )
        elif metres is not None and metres > made_metres:
            yield _hit(
                numbers,
                f"{metres_text(made_metres)} m, the device is told a cable of {metres_text(metres)} m",
                "let the profile be made for the cable",
            )


def check_link(link: Link, given: Given) -> Iterator[Hit]:
    """Judge against the cabling where the device was told a shorter cable, or none."""
    for end in (link.a, link.b):
        if link.cable is None or end.port is None or end.device is None or end.device.kind != "switch":
            continue
        told = end.port.qos.cable
        for (_, metres), numbers in _made_for(end.port.qos).items():
            if metres < link.cable and (told is None or told <= metres):
                yield _hit(
                    numbers,
                    f"{metres_text(metres)} m, the cable has {metres_text(link.cable)} m",
                    "tell the device the cable's length and let the profile be made again",
                    end=end,
                )


def _made_for(qos: PortQos) -> dict[tuple[int, Fraction | int], list[int]]:
    """Return what the headrooms of a port were made for, with the groups of each."""
    found: dict[tuple[int, Fraction | int], list[int]] = {}
    for number in sorted(lossless_group_numbers(qos)):
        group = qos.priority_group(number)
        if group is not None and group.headroom is not None and group.headroom.made_for is not None:
            found.setdefault(group.headroom.made_for, []).append(number)
    return found


def _hit(numbers: list[int], what: str, cure: str, severity: Severity | None = None, end: End | None = None) -> Hit:
    name = f"priority group {', '.join(map(str, numbers))}"
    return Hit(
        f"the headroom of {name} is made for {what}",
        cure,
        f"priority_groups.{numbers[0]}.headroom",
        name,
        severity,
        end=end,
    )
