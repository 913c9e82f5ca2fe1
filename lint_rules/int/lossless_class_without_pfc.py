"""A class is called lossless on devices that may not pause for it.

## What it finds

An intent with a lossless class whose settings turn PFC off, everywhere or on some of the switches that carry it.

## Why it matters

Lossless means that somebody pauses. With PFC off the switches plan, render and lint the class as a lossy one: packets are
dropped when its buffer is full, and the word in the intent promises something else.

## What to do

Write `kind: roce, lossless: false` where drops are meant (a fabric that relies on congestion control and retransmission),
or let PFC be on: `settings: {pfc: {mode: "on"}}`.

## When to ignore

Devices that carry the class for a while without PFC, during a migration.

## References

- IEEE 802.1Qbb: priority-based flow control is what makes a class lossless
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Intent, Severity

ID, NAME, SEVERITY, PROFILE, SINCE = "INT-011", "lossless-class-without-pfc", Severity.WARNING, "safe", "0.1"
GOOD = """
intent:
  version: 1
  fabric: pod1
  classes: {roce: {dscp: 26, priority: 3, lossless: true}}
  settings: {design_incast: 8}
  devices: {"leaf[1-2]": {nos: nxos, asic: cloudscale}}
"""
BAD = GOOD.replace("{design_incast: 8}", "{design_incast: 8, pfc: {mode: off}}")


def check(fabric: Intent, given: Given) -> Iterator[Hit]:
    lossless = [item for item in fabric.classes.values() if item.lossless]
    switches = [device for device in fabric.devices.values() if device.kind == "switch"]
    bare = [device.name for device in switches if fabric.settings(device.name).pfc_mode.value == "off"]
    if not bare or not lossless:
        return
    where = (
        "every switch" if len(bare) == len(switches) else f"{bare[0]} and {len(bare) - 1} more" if bare[1:] else bare[0]
    )
    for item in lossless:
        yield Hit(
            f"class {item.name} is lossless, and PFC is off on {where}: nobody pauses for it",
            "write `kind: roce, lossless: false`, or leave PFC on",
            object=f"class {item.name}",
            place=item.place,
        )
