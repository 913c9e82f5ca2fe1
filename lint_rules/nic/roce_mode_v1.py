"""The NIC speaks RoCE v1, which has no IP header.

## What it finds

A host port whose default RoCE version is v1.

## Why it matters

Version 1 is an Ethernet frame of its own type: no router forwards it, and it carries no DSCP that a switch could
classify by.

## What to do

Use version 2.

- mlx5: `cma_roce_mode -d DEVICE -p 1 -m 2`

## When to ignore

Single broadcast domains that use v1 on purpose.

## References

- InfiniBand Architecture Specification, annexes 16 (RoCE) and 17 (RoCEv2)
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Port, Severity, Unknown

ID, NAME, SEVERITY, PROFILE, SINCE = "NIC-014", "roce-mode-v1", Severity.ERROR, "min", "0.1"
DEVICES = "host"
GOOD = """
device: {name: gpu01, kind: host, ports: {rail0: {nic: {roce_version: v2}}}}
"""
BAD = GOOD.replace("v2", "v1")


def check(port: Port, given: Given) -> Iterator[Hit | Unknown]:
    version = port.nic.roce_version if port.nic is not None else None
    if version is None and port.qos.pfc is not None and port.qos.pfc.sends():
        yield Unknown("the RoCE version of the NIC")
    elif version == "v1":
        yield Hit("the NIC's default is RoCE v1: no IP header, no DSCP", "use RoCE v2", "nic.roce_version")
