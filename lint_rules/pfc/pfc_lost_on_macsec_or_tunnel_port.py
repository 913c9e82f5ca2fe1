"""A lossless port encrypts with MACsec.

## What it finds

A port with PFC on for a priority and MACsec on.

## Why it matters

On several chips PFC frames are neither sent nor obeyed on a MACsec port; and the security tag makes every frame up to
32 bytes longer, which headroom and MTU must hold.

## What to do

Prove on that platform and release that PFC works under MACsec, raise the MTU by the tag, or keep lossless traffic off
the port.

- sonic: `macsec` of the PORT row names the profile

## When to ignore

Platforms on which you have seen PFC counters move on an encrypted port.

## References

- sonic-buildimage issue 25675 (PFC under MACsec on Broadcom DNX)
- IEEE 802.1AE: 16-byte tag and 16-byte check value
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Device, Given, Hit, Severity, Unknown, numbers_text
from rocecfg.lint.classes import pfc_sets

ID, NAME, SEVERITY, PROFILE, SINCE = (
    "PFC-012",
    "pfc-lost-on-macsec-or-tunnel-port",
    Severity.WARNING,
    "safe",
    "0.1",
)
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet0: {macsec: false, qos: {pfc: {admin: "on", tx: [3], rx: [3]}}}
"""
BAD = GOOD.replace("macsec: false", "macsec: true")


def check(device: Device, given: Given) -> Iterator[Hit | Unknown]:
    found: dict[frozenset[int], list[str]] = {}
    for port in device.ports.values():
        if not port.macsec:
            continue
        sends, honours = pfc_sets(port.qos)
        if sends is None or honours is None:
            yield Unknown("PFC of a port with MACsec")
        elif sends | honours:
            found.setdefault(sends | honours, []).append(port.name)
    for lossless, names in found.items():
        yield Hit(
            f"the port encrypts with MACsec, and PFC is on for priority {numbers_text(lossless)}: on several chips no "
            "PFC frame passes",
            "prove that PFC works under MACsec on this platform, or keep lossless traffic off the port",
            "macsec",
            f"priority {numbers_text(lossless)}",
            ports=tuple(names),
        )
