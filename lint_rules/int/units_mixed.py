"""A threshold has the size of another unit.

## What it finds

An ECN threshold, headroom or PAUSE threshold of the intent below 1000 bytes (less than one frame: kilobytes or cells
were meant), or above what any switch chip buffers (megabytes for kilobytes).

## Why it matters

ECN that marks at 150 bytes marks every packet and stops the fabric; one at 150 MB never marks.

## What to do

Write the unit: `150KB`, `1500KB`. Or write `auto`: the planner derives the value, and `rocecfg plan --why` shows how.
`lint --fix` writes `auto`, because which unit was meant nobody but you can know.

## When to ignore

Chassis with external buffer memory hold more: raise `largest`.

## References

- Onyx counts 150 as kilobytes, SONiC as bytes, H3C as cells (vendor documentation)
- The largest on-chip buffer known is 267 MB (sonic-buildimage issue 28657)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rocecfg.lint.api import Edit, Given, Hit, Intent, Option, Severity

ID, NAME, SEVERITY, PROFILE, SINCE = "INT-004", "units-mixed", Severity.ERROR, "min", "0.1"
OPTIONS = {
    "least": Option(1000, "bytes below which a threshold is less than a frame"),
    "largest": Option(267_000_000, "bytes above which no single chip buffers"),
}
GOOD = """
intent:
  version: 1
  fabric: pod1
  classes: {roce: {dscp: 26, priority: 3, lossless: true}}
  settings: {ecn: {kmin: 150KB, kmax: 1500KB}}
  devices: {leaf1: {nos: nxos}}
"""
BAD = GOOD.replace("150KB, kmax: 1500KB", "150B, kmax: 1500KB")
_FIELDS = ("ecn_kmin", "ecn_kmax", "pfc_headroom", "pfc_xoff_at")


def check(fabric: Intent, given: Given) -> Iterator[Hit]:
    for item in fabric.classes.values():
        for name in ("ecn_kmin", "ecn_kmax"):
            place = fabric.intent.document.key_place(("classes", item.name, "ecn", name.removeprefix("ecn_")))
            yield from _judge(f"class {item.name}", name, getattr(item, name), place, given)
    seen: set[Any] = set()
    for device in fabric.devices.values():
        for port in (None, *device.overrides):
            settings = fabric.settings(device.name, port)
            for name in _FIELDS:
                setting = getattr(settings, name)
                if setting.place is not None and (setting.place, name) not in seen:
                    seen.add((setting.place, name))
                    yield from _judge(setting.level, name, setting.value, setting.place, given)


def _judge(level: str, name: str, value: int | None, place: Any, given: Given) -> Iterator[Hit]:
    if value is None or given.options.least <= value <= given.options.largest:
        return
    word = name.partition("_")[2]
    small = value < given.options.least
    reason = "less than one frame" if small else "more than any switch chip buffers"
    yield Hit(
        f"{word} of {level} is {value} bytes, {reason}",
        f"did you mean {value} KB?" if small else "check the unit",
        object=f"{level} {word}",
        place=place,
        edits=(Edit(place, "auto"),),
    )
