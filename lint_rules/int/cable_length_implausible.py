"""A cable is longer than its medium reaches.

## What it finds

A link of the intent whose length is beyond what its medium is sold for: passive copper, active electrical, active
optical, fibre.

## Why it matters

Medium or length is wrong, and the headroom is worked out from the length.

## What to do

Correct the length or the medium of the link.

## When to ignore

Special cables: raise the limits in the configuration, `[rules."INT-003"] dac = 7`.

## References

- IEEE 802.3 copper reaches: 5 m at 25G a lane, 3 m at 50G a lane (set `dac = 3` for such fabrics)
- sonic-swss pull request 3548: length 0 m
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Intent, Option, Severity

ID, NAME, SEVERITY, PROFILE, SINCE = "INT-003", "cable-length-implausible", Severity.WARNING, "safe", "0.1"
OPTIONS = {
    "dac": Option(5, "metres that passive copper reaches"),
    "aec": Option(7, "metres that active electrical cables reach"),
    "aoc": Option(100, "metres that active optical cables reach"),
    "fibre": Option(10000, "metres that fibre reaches with pluggable optics"),
}
GOOD = """
intent:
  version: 1
  fabric: pod1
  classes: {roce: {dscp: 26, priority: 3, lossless: true}}
  devices: {leaf1: {nos: nxos, asic: cloudscale}, gpu01: {nic: mlx5}}
  links: [{a: "leaf1:Ethernet1/1", b: "gpu01:rail0", speed: 400G, cable: 3m dac}]
"""
BAD = GOOD.replace("3m dac", "30m dac")
_TITLES = {"dac": "passive copper", "aec": "an active electrical cable", "aoc": "an active optical cable"}


def check(fabric: Intent, given: Given) -> Iterator[Hit]:
    options = given.options
    seen: set[int] = set()
    for link in fabric.links:
        cable = link.cable
        if cable is None or cable.media is None:
            continue
        reach = getattr(options, cable.media, None)
        if reach is None or cable.length <= reach or link.place.line in seen:
            continue
        seen.add(link.place.line)
        yield Hit(
            f"the cable from {link.a} to {link.b} is {float(cable.length):g} m of {_TITLES.get(cable.media, cable.media)}, "
            f"which reaches {reach} m",
            "correct the length or the medium",
            object=f"{link.a} - {link.b}",
            place=link.place,
        )
