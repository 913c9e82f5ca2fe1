"""The headroom of all ports together leaves too little of the buffer to share.

## What it finds

A switch whose lossless priorities on all planned ports need more headroom than the chip has packet memory (error), or
more than 40 percent of it (warning), the oversubscription of the headroom pool counted.

## Why it matters

The rest of the memory absorbs bursts for all classes. With less than half of it the switch pauses early and marks
early, everywhere.

## What to do

Protect fewer priorities, use shorter cables or fewer ports, or share the headroom (`buffer: {oversubscription: 2}`).

## When to ignore

Long-haul boxes with deep memory outside the chip.

## References

- A shipped table of Tomahawk 6 keeps 45 percent of its 267 MB as headroom (sonic-buildimage issue 28657)
- House rule: keep 30 percent or more of the memory for the shared lossless pool
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from rocecfg.lint.api import Given, Hit, Intent, Option, Severity, Unknown
from rocecfg.lint.budget import headroom_of_port, may_fill
from rocecfg.lint.headrooms import chip_named
from rocecfg.lint.ranges import compact

if TYPE_CHECKING:
    from rocecfg.yamlfile import Place

ID, NAME, SEVERITY, PROFILE, SINCE = "INT-007", "headroom-budget-exceeds-chip", Severity.ERROR, "safe", "0.1"
OPTIONS = {"share": Option(40, "percent of the chip's memory that headroom may take")}
GOOD = """
intent:
  version: 1
  fabric: pod1
  classes: {roce: {dscp: 26, priority: 3, lossless: true}}
  settings: {design_incast: 8}
  devices: {leaf1: {nos: sonic, asic: tomahawk-5}, spine1: {nos: sonic, asic: tomahawk-5}}
  links: [{a: "leaf1:Ethernet[0-504:8]", b: "spine1:Ethernet[0-504:8]", speed: 400G, cable: 30m fibre}]
"""
BAD = GOOD.replace("30m fibre", "1500m fibre")


def check(fabric: Intent, given: Given) -> Iterator[Hit | Unknown]:
    unknown = False
    over: dict[tuple[Place, str, Severity | None], list[str]] = {}
    for device in fabric.devices.values():
        if device.kind != "switch" or not may_fill(fabric, device, given.options.share):
            continue
        needs = [need for port in device.ports.values() if (need := headroom_of_port(fabric, device, port)) is not None]
        if not needs:
            continue
        chip = chip_named(device.model, device.asic)
        memory = chip.memory()[0] if chip is not None else None
        if chip is None or memory is None:
            unknown = True
            continue
        ratio = fabric.settings(device.name).buffer_oversubscription.or_else(Fraction(1))
        total = int(sum(needs) / max(ratio, Fraction(1)))
        if total * 100 > memory * given.options.share:
            message = (
                f"{len(needs)} lossless ports need {total} bytes of headroom, {100 * total // memory} percent of the "
                f"{memory} bytes of {chip.title}"
            )
            severity = Severity.WARNING if total <= memory else None
            over.setdefault((device.place, message, severity), []).append(device.name)
    for (place, message, severity), names in over.items():
        cure = "protect fewer priorities, use shorter cables, or share the headroom"
        yield Hit(message, cure, object=compact(names, "devices"), severity=severity, place=place)
    if unknown:
        yield Unknown("the packet memory of the switches' chips (model or asic)")
