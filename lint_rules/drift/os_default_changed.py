"""Devices of one role behave differently because a default of their releases differs.

## What it finds

Devices of one role, system and model with different releases, and a setting that no line states on either and that
differs between them.

## Why it matters

Nothing was changed and nothing looks different in the configurations; after an upgrade the switch pauses, marks or
watches otherwise.

## What to do

Write the value down on all devices, then the release does not matter.

## When to ignore

Roll-outs in progress, once the new default was looked at.

## References

- Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 6: a default that differed from the fleet's
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rocecfg.lint.api import Device, Fleet, Given, Hit, PortQos, Severity

ID, NAME, SEVERITY, PROFILE, SINCE = "DRIFT-005", "os-default-changed", Severity.WARNING, "safe", "0.1"
GOOD = """
devices:
  - {name: leaf1, role: leaf, os_version: "5.14", ports: &same {swp1: {qos: {link_pause: {rx: false, tx: false}, defaulted: [link_pause]}}}}
  - {name: leaf2, role: leaf, os_version: "5.15", ports: *same}
"""
BAD = """
devices:
  - {name: leaf1, role: leaf, os_version: "5.14", ports: {swp1: {qos: {link_pause: {rx: false, tx: false}, defaulted: [link_pause]}}}}
  - {name: leaf2, role: leaf, os_version: "5.15", ports: {swp1: {qos: {link_pause: {rx: true, tx: false}, defaulted: [link_pause]}}}}
"""


def check(fleet: Fleet, given: Given) -> Iterator[Hit]:
    releases = sorted({device.os_version for device in fleet.devices if device.os_version is not None})
    if len(releases) < 2:
        return
    by_release = {release: [device for device in fleet.devices if device.os_version == release] for release in releases}
    usual = max(releases, key=lambda release: (len(by_release[release]), release))
    known = _defaults(by_release[usual])
    for release in releases:
        if release == usual:
            continue
        for device in by_release[release]:
            here = _defaults([device])
            for leaf in sorted(here.keys() & known.keys()):
                if not here[leaf] & known[leaf]:
                    yield Hit(
                        f"no line states {leaf}; release {release} makes it {_text(here[leaf])}, release {usual} "
                        f"{_text(known[leaf])} ({by_release[usual][0].name} and {len(by_release[usual]) - 1} others)",
                        "write the value down on all devices",
                        leaf,
                        leaf,
                        device=device,
                    )


def _defaults(devices: list[Device]) -> dict[str, set[Any]]:
    """Return the values of the leaves that no line states, over all ports of some devices."""
    found: dict[str, set[Any]] = {}
    for device in devices:
        for port in device.ports.values():
            for leaf in port.qos.defaulted:
                value = _value(port.qos, leaf)
                if value is not None:
                    found.setdefault(leaf, set()).add(value)
    return found


def _value(qos: PortQos, leaf: str) -> Any:
    value: Any = qos
    for step in leaf.split("."):
        if isinstance(value, tuple):
            value = value[int(step)] if step.isdecimal() and int(step) < len(value) else None
        else:
            value = getattr(value, step, None)
        if value is None:
            return None
    return value


def _text(values: set[Any]) -> str:
    return " or ".join(sorted(str(value)[:80] for value in values))
