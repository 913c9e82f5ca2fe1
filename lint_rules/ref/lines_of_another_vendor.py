"""A configuration holds lines of another system.

## What it finds

Lines inside the sections that are read, which this system does not know and another supported system does.

## Why it matters

They were pasted; the device ignored or refused them, so the setting they stand for is not there.

## What to do

Write the setting in this system's own words, and delete the lines.

## When to ignore

Never, except in notes that were saved together with a configuration.

## References

- Public OS10 configuration with NX-OS lines left in it
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Device, Given, Hit, Severity

ID, NAME, SEVERITY, PROFILE, SINCE = "REF-006", "lines-of-another-vendor", Severity.WARNING, "safe", "0.1"
GOOD = """
device: {name: leaf1, nos: demo, lines: [{text: "priority-flow-control mode om", place: "leaf1.cfg:7"}]}
"""
BAD = """
device: {name: leaf1, nos: demo, lines: [{text: "nv set qos roce", place: "leaf1.cfg:7", known_to: [cumulus]}]}
"""


def check(device: Device, given: Given) -> Iterator[Hit]:
    for line in device.lines:
        if line.known_to:
            text = line.text.strip()
            shown = text if len(text) <= 80 else text[:77] + "..."
            yield Hit(
                f'"{shown}" is a line of {", ".join(line.known_to)}, not of {device.nos}',
                f"say it in the words of {device.nos}",
                object=f"line {line.place.line}",
                place=line.place,
            )
