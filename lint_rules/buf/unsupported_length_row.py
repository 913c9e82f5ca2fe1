"""No headroom profile exists for the port's speed and cable.

## What it finds

A device that takes its headroom from a static table, and a lossless port whose speed and cable length have no row.

## Why it matters

No profile is made at all: the port pauses without headroom, and nothing but a log line says so.

## What to do

Use a length that the table has (round up), or add the row.

- sonic: `config interface cable-length IF LENGTH`, with a length of pg_profile_lookup.ini; 0m means lossy on purpose

## When to ignore

A length of 0 m is a port that shall not be lossless, and is accepted.

## References

- sonic-buildimage pull requests 23059 and 25606: no row for 50 m at 100, 400 and 800G
- sonic-swss pull request 3548
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Port, Severity, Unknown
from rocecfg.lint.headrooms import metres_text, rate_text

ID, NAME, SEVERITY, PROFILE, SINCE = "BUF-019", "unsupported-length-row", Severity.ERROR, "min", "0.1"
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  buffer_model: table
  headroom_table:
    - {speed: 100000000000, cable: 5, headroom: 66560}
    - {speed: 100000000000, cable: 40, headroom: 72704}
  ports: {Ethernet0: {speed: 100000000000, qos: {pfc: {admin: "on", tx: [3], rx: [3]}, cable: 40}}}
"""
BAD = GOOD.replace("cable: 40}}}", "cable: 50}}}")


def check(port: Port, given: Given) -> Iterator[Hit | Unknown]:
    device, qos = given.device, port.qos
    sends = qos.pfc.sends() if qos.pfc is not None else None
    if device is None or device.buffer_model != "table" or not device.headroom_table or not sends:
        return
    if any(group is not None and group.lossless and group.headroom is not None and group.headroom.by == "stated"
           for group in qos.priority_groups or ()):  # fmt: skip
        return  # the port has a profile of its own
    speed, cable = port.speed, qos.cable
    if speed is None or cable is None:
        yield Unknown("the port's speed" if speed is None else "the length of the cable")
        return
    if cable == 0 or any(row.speed == speed and row.cable == cable for row in device.headroom_table):
        return
    lengths = sorted(row.cable for row in device.headroom_table if row.speed == speed)
    have = f"has {', '.join(metres_text(length) for length in lengths)} m" if lengths else "has no such speed"
    longer = next((length for length in lengths if length >= cable), None)
    yield Hit(
        f"the headroom table has no row for {rate_text(speed)} over {metres_text(cable)} m, the length the port is told "
        f"(for {rate_text(speed)} it {have})",
        f"use {metres_text(longer)} m" if longer is not None else "add a row, or use the dynamic buffer model",
        "cable",
        "headroom table",
    )
