"""An intent holds a DSCP, priority or probability that does not exist.

## What it finds

A DSCP outside 0 to 63, a priority outside 0 to 7, a marking probability outside 0 to 100 percent. The loader refuses
such a file outright (exit code 2, with line and column); this rule says the same of fabrics that a program builds
through the Python interface.

## Why it matters

No packet can carry the value, and no device takes it.

## What to do

Write a DSCP, not a ToS byte: ToS 104 is DSCP 26.

## When to ignore

Never.

## References

- RFC 2474 (DSCP, six bits), IEEE 802.1Q (priority, three bits)
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Intent, Severity

ID, NAME, SEVERITY, PROFILE, SINCE = "INT-002", "dscp-out-of-range", Severity.ERROR, "min", "0.1"
GOOD = """
intent:
  version: 1
  fabric: pod1
  classes: {roce: {dscp: 26, priority: 3, lossless: true}}
  devices: {leaf1: {nos: nxos}}
"""
BAD = GOOD + "instead: {roce: {dscp: [104]}}\n"


def check(fabric: Intent, given: Given) -> Iterator[Hit]:
    for item in fabric.classes.values():
        for word, value, most in (
            *(("DSCP", dscp, 63) for dscp in item.dscp),
            ("priority", item.priority, 7),
            ("ECN probability", item.ecn_pmax, 100),
        ):
            if value is not None and not 0 <= value <= most:
                tos = f"; {value} is the ToS byte of DSCP {int(value) // 4}" if word == "DSCP" and value < 256 else ""
                yield Hit(
                    f"{word} {value} of class {item.name} is outside 0 to {most}{tos}",
                    f"write a {word} from 0 to {most}",
                    object=f"class {item.name}",
                    place=item.place,
                )
