"""Lossless traffic has no buffer behind it.

## What it finds

A buffer partition for lossless traffic, or for its headroom, of zero, on a device that pauses or obeys pauses (error), or whose
configuration holds a PFC profile that no port uses yet (warning).

## Why it matters

The switch has nowhere to keep what arrives while a queue is paused: every pause it obeys or sends costs packets.

## What to do

Give the lossless partition and its headroom a share, or turn PFC off where nothing shall be lossless.

- junos: `set class-of-service shared-buffer ingress buffer-partition lossless-headroom percent N`

## When to ignore

Never while a port has PFC on.

## References

- Juniper, Understanding CoS Buffer Configuration
- A public five-stage Junos design: both partitions at 0 percent, pauses obeyed on queue 5
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Device, Given, Hit, Option, Severity, Unknown

ID, NAME, SEVERITY, PROFILE, SINCE = "BUF-024", "lossless-headroom-partition-empty", Severity.ERROR, "safe", "0.1"
DEVICES = "switch"
OPTIONS = {
    "profiles": Option(
        ("congestion-notification-profile",), "kinds of objects that prepare PFC although no port uses them"
    )
}
GOOD = """
device:
  name: leaf1
  pools: [{name: ingress lossless, direction: ingress, lossless: true, total: 66 percent, headroom: 24 percent}]
  ports: {et-0/0/0: {qos: {pfc: {admin: "on", tx: [3], rx: [3]}}}}
"""
BAD = GOOD.replace("24 percent", "0 percent")


def check(device: Device, given: Given) -> Iterator[Hit | Unknown]:
    for pool in device.pools or ():
        if not pool.lossless or pool.direction == "egress":
            continue
        empty = [
            word
            for word, amount in ((pool.name, pool.total), (f"the headroom of {pool.name}", pool.headroom))
            if amount is not None and not amount.value and amount.unit == "percent"
        ]
        if not empty:
            continue
        known = [port.qos.pfc for port in device.ports.values() if port.qos.pfc is not None]
        paused = [pfc for pfc in known if pfc.sends() or pfc.honours()]
        if paused:
            yield Hit(
                f"{' and '.join(empty)} {'is' if len(empty) == 1 else 'are'} 0 percent, while {len(paused)} "
                f"{'port sends or obeys' if len(paused) == 1 else 'ports send or obey'} pauses",
                "give both a share of the buffer",
                object=f"partition {pool.name}",
                place=pool.place,
            )
        elif named := [item.name for item in device.objects if item.defined and item.kind in given.options.profiles]:
            yield Hit(
                f"{' and '.join(empty)} {'is' if len(empty) == 1 else 'are'} 0 percent, and {named[0]} stands ready to pause",
                "give both a share of the buffer before a port uses it",
                object=f"partition {pool.name}",
                severity=Severity.WARNING,
                place=pool.place,
            )
        elif not known:
            yield Unknown("PFC of the device's ports")
