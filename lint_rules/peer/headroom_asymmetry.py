"""One end of a cable keeps far more headroom than the other.

## What it finds

A cable whose ends keep headrooms that differ by more than a factor of three, the cells of their chips counted.

## Why it matters

Both hold the same cable at the same speed. One of the two was worked out from another assumption, and perhaps from a
wrong one.

## What to do

Compare both with `rocecfg calc headroom`.

## When to ignore

Chips that need different room for other reasons than their cells.

## References

- Shipped tables for 100G over 5 m: 18,432 to 229,680 bytes on different chips
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rocecfg.lint.api import End, Given, Hit, Link, Option, Severity, Unknown
from rocecfg.lint.headrooms import chip_of, kept_headrooms, packing

ID, NAME, SEVERITY, PROFILE, SINCE = "PEER-008", "headroom-asymmetry", Severity.INFO, "strict", "0.1"
OPTIONS = {"ratio": Option(3, "times that one headroom may be the other")}
GOOD = """
devices:
  - {name: leaf1, model: A, ports: {Ethernet0: {qos: {priority_groups: {3: {lossless: true, headroom: {amount: 165000}}}}}}}
  - {name: spine1, model: A, ports: {Ethernet0: {qos: {priority_groups: {3: {lossless: true, headroom: {amount: 160000}}}}}}}
links: [{a: "leaf1:Ethernet0", b: "spine1:Ethernet0"}]
"""
BAD = GOOD.replace("165000", "22000")


def check(link: Link, given: Given) -> Iterator[Hit | Unknown]:
    kept = [
        max((item.bytes for item in kept_headrooms(end.port.qos)), default=0) if end.port else 0
        for end in (link.a, link.b)
    ]
    if not all(kept):
        return
    near, far = kept
    small, large = (link.a, link.b) if near <= far else (link.b, link.a)
    ratio = Fraction(max(kept), min(kept))
    if ratio <= given.options.ratio:
        return
    cells = _cells(small, large)
    if cells is None:
        yield Unknown("the buffer cells of both chips (model or asic)", small)
    elif ratio / cells > given.options.ratio:
        yield Hit(
            f"the port keeps {min(kept)} bytes of headroom, {large.device_name} {max(kept)} on the same cable: "
            f"{float(ratio):.1f} times",
            "compare both with `rocecfg calc headroom`",
            "priority_groups",
            end=small,
        )


def _cells(small: End, large: End) -> Fraction | None:
    """Return how much more the larger end's chip needs for its cells alone; None when that is not known."""
    if small.device is None or large.device is None:
        return None
    if small.device.model is not None and small.device.model == large.device.model:
        return Fraction(1)
    chips = [chip_of(end.device) for end in (small, large)]
    known = [packing(chip) if chip is not None else None for chip in chips]
    if known[0] is None or known[1] is None:
        return None
    return max(known[1] / known[0], Fraction(1))
