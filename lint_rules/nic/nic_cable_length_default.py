"""The NIC was told a shorter cable than it has.

## What it finds

A host port whose cable length (the driver's default is 7 m) is below the length of its cable.

## Why it matters

The driver works out from it where the NIC must pause. With 7 m on a 30 m cable at 400G it pauses too late by about
20 KB.

## What to do

Tell the NIC the length of its cable.

- mlx5: `mlnx_qos -i IF --cable_len METRES`

## When to ignore

Copper cables no longer than the default.

## References

- Linux drivers/net/ethernet/mellanox/mlx5/core/en/port_buffer.c: default 7 m, below 1000 m
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Link, Severity, Unknown
from rocecfg.lint.headrooms import metres_text

ID, NAME, SEVERITY, PROFILE, SINCE = "NIC-005", "nic-cable-length-default", Severity.WARNING, "safe", "0.1"
GOOD = """
devices:
  - {name: leaf1, ports: {Ethernet0: {}}}
  - {name: gpu01, kind: host, ports: {rail0: {qos: {cable: 30}}}}
links: [{a: "leaf1:Ethernet0", b: "gpu01:rail0", cable: 30}]
"""
BAD = GOOD.replace("qos: {cable: 30}", "qos: {cable: 7}")


def check(link: Link, given: Given) -> Iterator[Hit | Unknown]:
    for end in (link.a, link.b):
        if end.port is None or end.device is None or end.device.kind != "host" or link.cable is None:
            continue
        told = end.port.qos.cable
        if told is None:
            yield Unknown("the cable length that the NIC was told", end)
        elif told < link.cable:
            yield Hit(
                f"the NIC was told a cable of {metres_text(told)} m, it has {metres_text(link.cable)} m",
                f"tell it {metres_text(-(-link.cable // 1))} m",
                "cable",
                end=end,
            )
