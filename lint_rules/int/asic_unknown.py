"""The chip of a switch is not known, so its buffer cannot be judged.

## What it finds

Switches of the intent whose model is in no catalogue and that name no `asic`.

## Why it matters

Headroom is then worked out in bytes on the wire: what the chip's cells waste is not counted, and neither pool sizes nor
the budget of the chip can be checked.

## What to do

Write the chip: `asic: tomahawk-5` (`rocecfg calc headroom --asic list` names them), or the exact model.

## When to ignore

Chips of which nothing is public.

## References

- Cell sizes from 80 to 420 bytes: the catalogue in vendors/asics
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rocecfg.lint.api import Given, Hit, Intent, Severity
from rocecfg.lint.headrooms import chip_named
from rocecfg.lint.ranges import compact

if TYPE_CHECKING:
    from rocecfg.yamlfile import Place

ID, NAME, SEVERITY, PROFILE, SINCE = "INT-010", "asic-unknown", Severity.INFO, "strict", "0.1"
GOOD = """
intent:
  version: 1
  fabric: pod1
  classes: {roce: {dscp: 26, priority: 3, lossless: true}}
  devices: {leaf1: {nos: sonic, asic: tomahawk-5}, gpu01: {nic: mlx5}}
  links: [{a: "leaf1:Ethernet0", b: "gpu01:rail0", speed: 400G, cable: 3m dac}]
"""
BAD = GOOD.replace(", asic: tomahawk-5", "")


def check(fabric: Intent, given: Given) -> Iterator[Hit]:
    if not any(item.lossless for item in fabric.classes.values()):
        return
    by_line: dict[tuple[Place, str | None, str | None], list[str]] = {}
    for device in fabric.devices.values():
        if device.kind == "switch" and device.ports and chip_named(device.model, device.asic) is None:
            by_line.setdefault((device.place, device.model, device.asic), []).append(device.name)
    for (place, model, asic), names in by_line.items():
        what = f"asic {asic}" if asic else f"model {model}" if model else "neither model nor asic"
        yield Hit(
            f"{what} is not in the catalogue of chips: headroom counts bytes on the wire, without cells"
            if model or asic
            else "neither model nor asic is stated: headroom counts bytes on the wire, without cells",
            "add `asic:` with the name of the chip",
            object=compact(names, "devices"),
            place=place,
        )
