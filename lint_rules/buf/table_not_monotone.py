"""A headroom table gives a longer cable or a faster port less.

## What it finds

Two rows of a static headroom table where the longer cable at the same speed, or the faster port at the same length,
has the smaller headroom. Equal values are fine.

## Why it matters

More bytes are under way on the longer or faster link, so one of the two rows is a copy error, and the ports that use
it lose packets while paused.

## What to do

Recompute the smaller row.

- sonic: correct the row in pg_profile_lookup.ini, then `config qos reload`

## When to ignore

Never: a flat table is accepted.

## References

- sonic-buildimage pg_profile_lookup.ini of several SKUs: 1500 m with 366,592 bytes above 2000 m with 234,496
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rocecfg.lint.api import Device, Given, HeadroomRow, Hit, Severity

ID, NAME, SEVERITY, PROFILE, SINCE = "BUF-018", "table-not-monotone", Severity.ERROR, "min", "0.1"
GOOD = """
device:
  name: leaf1
  headroom_table:
    - {speed: 100000000000, cable: 5, headroom: 66560}
    - {speed: 100000000000, cable: 40, headroom: 72704}
"""
BAD = """
device:
  name: leaf1
  headroom_table:
    - {speed: 100000000000, cable: 5, headroom: 66560}
    - {speed: 100000000000, cable: 40, headroom: 62704}
"""


def check(device: Device, given: Given) -> Iterator[Hit]:
    rows = device.headroom_table or ()
    by_speed: dict[int, list[HeadroomRow]] = {}
    by_cable: dict[Fraction | int, list[HeadroomRow]] = {}
    for row in rows:
        by_speed.setdefault(row.speed, []).append(row)
        by_cable.setdefault(row.cable, []).append(row)
    for same in by_speed.values():
        yield from _falls(sorted(same, key=lambda row: row.cable), "the shorter cable")
    for same in by_cable.values():
        yield from _falls(sorted(same, key=lambda row: row.speed), "the slower port")


def _falls(rows: list[HeadroomRow], why: str) -> Iterator[Hit]:
    """Report each row that has less than the largest row before it."""
    most = rows[0]
    for row in rows[1:]:
        if row.headroom < most.headroom:
            yield Hit(
                f"{_name(row)} has {row.headroom} bytes, less than the {most.headroom} of {_name(most)}, {why}",
                "recompute the smaller row",
                object=f"row {_name(row)}",
                place=row.place,
            )
        else:
            most = row


def _name(row: HeadroomRow) -> str:
    return f"{row.speed // 10**9}G/{float(row.cable):g}m"
