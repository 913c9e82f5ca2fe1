"""The two ends of a cable, or an end and its plan, disagree about the speed.

## What it finds

A cable whose ends are set to, or run at, different speeds; or an end that runs at another speed than the intent or the
links file gives the cable.

## Why it matters

The link stays down, or it comes up slower than planned: headroom, thresholds and shares were worked out for another
speed.

## What to do

Set both ends to the planned speed and breakout.

- nxos: `speed 400000`, and the breakout of the port
- sonic: `"speed": "400000"` in the PORT row
- cumulus: `nv set interface IF link speed 400G`
- junos: `set chassis fpc 0 pic 0 port 0 speed 400g`

## When to ignore

Never while the cabling is right.

## References

- Headroom tables hold a row for each speed: sonic-buildimage pg_profile_lookup.ini
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import End, Given, Hit, Link, Severity, Unknown
from rocecfg.lint.headrooms import rate_text

ID, NAME, SEVERITY, PROFILE, SINCE = "PEER-003", "speed-or-lane-mismatch", Severity.ERROR, "safe", "0.1"
GOOD = """
devices:
  - {name: leaf1, ports: {Ethernet0: {speed: 400000000000}}}
  - {name: gpu01, kind: host, ports: {rail0: {speed_now: 400000000000}}}
links: [{a: "leaf1:Ethernet0", b: "gpu01:rail0", speed: 400000000000}]
"""
BAD = GOOD.replace("speed_now: 400", "speed_now: 200").replace(", speed: 400000000000}]", "}]")


def check(link: Link, given: Given) -> Iterator[Hit | Unknown]:
    for end, far in ((link.a, link.b), (link.b, link.a)):
        now, planned = end.port.speed_now if end.port is not None else None, link.speed
        if now is not None and planned is not None and now != planned:
            yield Hit(
                f"the port runs at {rate_text(now)}, the cabling plans {rate_text(planned)} to {far.device_name}",
                "set both ends to the planned speed and breakout",
                "speed",
                end=end,
            )
            return
    speeds = [_speed(end) for end in (link.a, link.b)]
    for end, speed in zip((link.a, link.b), speeds, strict=True):
        if speed is None:
            yield Unknown("the port's speed" if end.port is not None else "the port: it is in no text", end)
            return
    near, far_speed = speeds
    assert near is not None
    assert far_speed is not None
    if near != far_speed:
        slow = link.a if near < far_speed else link.b
        other = link.b if slow is link.a else link.a
        yield Hit(
            f"the port has {rate_text(min(near, far_speed))}, {other.device_name} {rate_text(max(near, far_speed))}",
            "set both ends to the same speed and breakout",
            "speed",
            end=slow,
        )


def _speed(end: End) -> int | None:
    return end.port.line_rate if end.port is not None else None
