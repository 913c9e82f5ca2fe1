"""A DSCP was written where a ToS byte is asked.

## What it finds

An application's traffic class, or the NIC's default or forced one, that equals a lossless DSCP instead of four times it
(26 instead of 104 to 106). The lossless DSCPs come from the intent, else from the NIC's own map.

## Why it matters

The byte 26 is DSCP 6: the traffic rides in the default class, unprotected, while the setting looks right to everybody
who reads it.

## What to do

Multiply by four and add 2 for ECN.

- mlx5: `NCCL_IB_TC=106`, `cma_roce_tos -d DEVICE -t 106`

## When to ignore

Settings that do take a DSCP (CNP DSCP, dscp2prio) are not judged.

## References

- RFC 2474: the DSCP is the upper six bits of the byte
- openucx/ucx issue 10325 uses 106 for DSCP 26
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Device, Given, Hit, Port, Severity, Unknown

ID, NAME, SEVERITY, PROFILE, SINCE = "APP-006", "tos-dscp-unit-confusion", Severity.ERROR, "min", "0.1"
DEVICES = "host"
GOOD = """
device: {name: gpu01, kind: host, apps: [{name: nccl, tos: 106}], ports: {rail0: {}}}
expect: {classes: {roce: {dscp: [26], priority: 3, lossless: true}}}
"""
BAD = GOOD.replace("106", "26")
Value = tuple[str, int]


def check(device: Device, given: Given) -> Iterator[Hit | Unknown]:
    for app in device.apps or ():
        if not app.tos:
            continue
        dscps = _dscps(device, given)
        if dscps is None:
            yield Unknown("which DSCPs are lossless: neither an intent nor the NIC's map says")
        elif _confused(app.tos, dscps):
            yield Hit(
                f"{app.name} uses traffic class {app.tos}, which is DSCP {app.tos >> 2}; DSCP {app.tos} is the lossless one",
                f"use {app.tos * 4 + 2}",
                object=app.name,
                place=app.places.get("tos") or app.place,
            )


def check_port(port: Port, given: Given) -> Iterator[Hit]:
    """Judge the ToS that the NIC itself uses."""
    if port.nic is None:
        return
    device = given.device
    dscps = _lossless(port, given) if device is None or given.expect is not None else _dscps(device, given)
    for leaf, value in (("nic.forced_tos", port.nic.forced_tos), ("nic.default_tos", port.nic.default_tos)):
        if value and dscps is not None and _confused(value, dscps):
            word = "forces" if leaf == "nic.forced_tos" else "uses by default"
            yield Hit(
                f"the NIC {word} ToS {value}, which is DSCP {value >> 2}; DSCP {value} is the lossless one",
                f"use {value * 4 + 2}",
                leaf,
                "ToS",
            )


def _confused(tos: int, dscps: frozenset[int]) -> bool:
    return tos in dscps and tos >> 2 not in dscps


def _dscps(device: Device, given: Given) -> frozenset[int] | None:
    """Return the lossless DSCPs of a host, None when nothing tells them."""
    if given.expect is not None:
        return given.expect.lossless_dscps or None
    found = [dscps for port in device.ports.values() if (dscps := _lossless(port, given))]
    return frozenset().union(*found) if found else None


def _lossless(port: Port, given: Given) -> frozenset[int] | None:
    if given.expect is not None:
        return given.expect.lossless_dscps or None
    lossless, codes = port.qos.lossless_priorities(), port.qos.dscp_to_tc
    if not lossless or codes is None:
        return None
    return frozenset(dscp for dscp, priority in enumerate(codes.to) if priority in lossless)
