"""One priority, or one DSCP, belongs to two classes that differ.

## What it finds

A priority that the intent gives both to a lossless and to a lossy class, and a DSCP that stands in two classes.

## Why it matters

A priority is paused as a whole: the lossy class would be stopped with the lossless one, or the lossless one dropped. A
DSCP can be mapped to one class only, so one of the two lines is not followed.

## What to do

Give each class a priority of its own, and each DSCP to one class.

## When to ignore

Never.

## References

- IEEE 802.1Qbb: pause is per priority
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Intent, Severity

ID, NAME, SEVERITY, PROFILE, SINCE = "INT-001", "duplicate-priority-use", Severity.ERROR, "min", "0.1"
GOOD = """
intent:
  version: 1
  fabric: pod1
  classes:
    roce: {dscp: 26, priority: 3, lossless: true}
    storage: {dscp: 18, priority: 2}
  devices: {leaf1: {nos: nxos}}
"""
BAD = GOOD.replace("priority: 2", "priority: 3")


def check(fabric: Intent, given: Given) -> Iterator[Hit]:
    first: dict[int, str] = {}
    for name, item in fabric.classes.items():
        for other in fabric.classes.values():
            if other.name == name:
                break
            if other.priority == item.priority and other.lossless != item.lossless:
                lossless, lossy = (item, other) if item.lossless else (other, item)
                implied = " (the default class, which has priority 0 unless written)" if lossy.implied else ""
                yield Hit(
                    f"priority {item.priority} is lossless for class {lossless.name} and lossy for class "
                    f"{lossy.name}{implied}",
                    "give one of the two another priority",
                    object=f"priority {item.priority}",
                    place=other.place if item.implied else item.place,
                )
        for dscp in item.dscp:
            if dscp in first:
                yield Hit(
                    f"DSCP {dscp} belongs to class {first[dscp]} and to class {name}",
                    "leave it in one class",
                    object=f"DSCP {dscp}",
                    place=item.place,
                )
            first.setdefault(dscp, name)
