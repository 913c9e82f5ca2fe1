"""A port outside the intent takes part in lossless traffic.

## What it finds

A port that the intent does not have, on a device that it does, with PFC or a lossless priority group of its own.

## Why it matters

Nobody plans its headroom, cable and peer. It shares the buffer with the planned ports, and its pauses stop their
traffic.

## What to do

Add the port to the intent, or take the QoS settings off it.

## When to ignore

Systems whose settings hold for all ports at once, on ports that nothing is plugged into.

## References

- docs/architecture.md, section on drift
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Expected, Given, Hit, Port, Severity, numbers_text
from rocecfg.lint.headrooms import lossless_group_numbers

ID, NAME, SEVERITY, PROFILE, SINCE = "DRIFT-002", "unmanaged-qos-object", Severity.INFO, "strict", "0.1"
GOOD = """
device: {name: leaf1, ports: {Ethernet1/1: {}, Ethernet1/9: {qos: {pfc: {admin: "off", tx: [], rx: []}}}}}
intent:
  version: 1
  fabric: pod1
  classes: {roce: {dscp: 26, priority: 3, lossless: true}}
  devices: {leaf1: {nos: nxos, asic: cloudscale, ports: {Ethernet1/1: {speed: 400G}}}}
"""
BAD = GOOD.replace('admin: "off", tx: [], rx: []', 'admin: "on", tx: [3], rx: [3]')


def check(port: Port, given: Given) -> Iterator[Hit]:
    expect, device = given.expect, given.device
    if expect != Expected() or port.enabled is False:
        return
    if device is not None and port.name in {lag.name for lag in device.lags or ()}:
        return  # the members carry the plan
    pfc = port.qos.pfc
    sends = (pfc.sends() if pfc is not None else None) or frozenset()
    groups = lossless_group_numbers(port.qos)
    if sends or groups:
        what = (
            f"PFC is on for priority {numbers_text(sends)}"
            if sends
            else f"priority group {numbers_text(groups)} is lossless"
        )
        yield Hit(
            f"the intent has no such port, yet {what}",
            "add the port to the intent, or take the settings off it",
            "pfc" if sends else "priority_groups",
        )
