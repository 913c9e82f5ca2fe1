"""The application's packets say that they cannot be marked.

## What it finds

A traffic class whose two ECN bits are 00 on a NIC that is known not to set them itself, or 11, which claims that the
packet has already met congestion.

## Why it matters

Switches drop a packet that is not ECN-capable where they would mark it: in the lossless class random loss appears. With
11 every packet looks marked, and the sender slows down for nothing.

## What to do

Add 2 (ECT(0)) to DSCP x 4: 106 for DSCP 26.

## When to ignore

NICs that set the ECN bits on RoCE packets themselves, as many do with DCQCN on.

## References

- openucx/ucx issue 10325: 106 = 26 x 4 + 2; RFC 3168
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Device, Given, Hit, Severity, Unknown

ID, NAME, SEVERITY, PROFILE, SINCE = "APP-003", "tc-ecn-bits-zero", Severity.WARNING, "safe", "0.1"
DEVICES = "host"
GOOD = """
device:
  name: gpu01
  kind: host
  apps: [{name: nccl, tos: 106}]
  ports: {rail0: {nic: {sets_ect: false}}}
"""
BAD = GOOD.replace("106", "104")
_CONGESTED = 3


def check(device: Device, given: Given) -> Iterator[Hit | Unknown]:
    sets = {port.nic.sets_ect for port in device.ports.values() if port.nic is not None}
    for app in device.apps or ():
        if not app.tos:
            continue
        dscp, bits = app.tos >> 2, app.tos & 3
        if bits == _CONGESTED:
            yield Hit(
                f"{app.name} uses traffic class {app.tos}: DSCP {dscp} and the ECN bits 11, congestion already met",
                f"use {dscp * 4 + 2}",
                object=app.name,
                place=app.places.get("tos") or app.place,
            )
        elif bits == 0 and False in sets:
            yield Hit(
                f"{app.name} uses traffic class {app.tos}: DSCP {dscp} and no ECN bits, and the NIC sets none",
                f"use {dscp * 4 + 2}",
                object=app.name,
                place=app.places.get("tos") or app.place,
            )
        elif bits == 0 and True not in sets:
            yield Unknown("whether the NIC sets the ECN bits of RoCE packets itself")
