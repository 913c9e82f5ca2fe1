"""Nothing says how many senders may hit one receiver at once.

## What it finds

An intent with a switch that has lossless classes and at least three ports, and no `design_incast`.

## Why it matters

Whether ECN marks before PFC pauses depends on the number of senders. Without it only the two extremes can be judged,
one sender and all ports: the first says too little, the second too much.

## What to do

Say it: `settings: {design_incast: 16}`. Rail-optimised training fabrics often see 8 to 32, storage as many as clients
read from one target.

## When to ignore

Fabrics whose congestion control keeps incast away (receiver-driven).

## References

- docs of the rules ECN-005, ECN-006 and BUF-010, which use it
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Intent, Option, Severity

ID, NAME, SEVERITY, PROFILE, SINCE = "INT-006", "incast-degree-missing", Severity.INFO, "strict", "0.1"
OPTIONS = {"ports": Option(3, "ports of a switch from which incast is possible")}
GOOD = """
intent:
  version: 1
  fabric: pod1
  classes: {roce: {dscp: 26, priority: 3, lossless: true}}
  settings: {design_incast: 8}
  devices: {leaf1: {nos: nxos, asic: cloudscale}, "gpu[01-03]": {nic: mlx5}}
  links: [{a: "leaf1:Ethernet1/[1-3]", b: "gpu[01-03]:rail0", speed: 400G, cable: 3m dac}]
"""
BAD = GOOD.replace("  settings: {design_incast: 8}\n", "")


def check(fabric: Intent, given: Given) -> Iterator[Hit]:
    lossless = next((item for item in fabric.classes.values() if item.lossless), None)
    if lossless is None:
        return
    silent = [
        device
        for device in fabric.devices.values()
        if device.kind == "switch"
        and len(device.ports) >= given.options.ports
        and fabric.settings(device.name).design_incast.value is None
    ]
    if silent:
        yield Hit(
            f"nothing says how many senders may hit one receiver at once ({len(silent)} "
            f"{'switch' if len(silent) == 1 else 'switches'}, for instance {silent[0].name} with {len(silent[0].ports)} "
            "ports)",
            "add `design_incast: N` under settings",
            object=f"class {lossless.name}",
            place=lossless.place,
        )
