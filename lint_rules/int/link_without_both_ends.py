"""A link of the intent leads to a device that the intent does not have.

## What it finds

A link end whose device is not declared under `devices`.

## Why it matters

Nothing is rendered for that end, and whether both ends agree cannot be checked.

## What to do

Declare the device, or correct the name. `lint --fix` corrects a name that differs from one declared device only by
case or leading zeros.

## When to ignore

Never: a device that others manage can be declared and left out of rendering (`--device`).

## References

- docs/architecture.md: the intent names every device of a link
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

from rocecfg.lint.api import Edit, Given, Hit, Intent, Severity, Spot

ID, NAME, SEVERITY, PROFILE, SINCE = "INT-005", "link-without-both-ends", Severity.ERROR, "min", "0.1"
GOOD = """
intent:
  version: 1
  fabric: pod1
  classes: {roce: {dscp: 26, priority: 3, lossless: true}}
  devices: {leaf1: {nos: nxos, asic: cloudscale}, gpu01: {nic: mlx5}}
  links: [{a: "leaf1:Ethernet1/1", b: "gpu01:rail0", speed: 400G, cable: 3m}]
"""
BAD = GOOD.replace('b: "gpu01:rail0"', 'b: "gpu1:rail0"')


def check(fabric: Intent, given: Given) -> Iterator[Hit]:
    missing: dict[str, Spot] = {}
    for link in fabric.links:
        for end in (link.a, link.b):
            if end.device not in fabric.devices:
                missing.setdefault(end.device, link.place)
    known = list(fabric.devices) if missing else []
    for name, place in missing.items():
        near = get_close_matches(name, known[:5000], n=1, cutoff=0.6)
        yield Hit(
            f'a link leads to "{name}", which is not declared' + (f', did you mean "{near[0]}"?' if near else ""),
            f'declare "{name}" under devices, or correct the link',
            object=name,
            place=place,
            edits=tuple(_respelt(fabric, name, known)),
        )


def _respelt(fabric: Intent, name: str, known: list[str]) -> Iterator[Edit]:
    """Yield the corrections of a name that differs from one device only by case or leading zeros."""
    same = [other for other in known if _plain(other) == _plain(name)]
    if len(same) != 1:
        return
    document = fabric.intent.document
    for number, line in enumerate(fabric.intent.links):
        for key, end in (("a", line.a), ("b", line.b)):
            if end.partition(":")[0] == name:
                yield Edit(document.place(("links", number, key)), same[0] + end.removeprefix(name))


def _plain(name: str) -> str:
    return re.sub("0*([0-9]+)", r"\1", name.lower())
