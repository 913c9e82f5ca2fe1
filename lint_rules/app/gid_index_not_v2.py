"""The application is told an address that cannot be routed.

## What it finds

A GID index in an application's settings that stands for a RoCE v1 entry or a link-local address in the NIC's table.

## Why it matters

Version 1 has no IP header: no routing and no DSCP. A link-local address does not leave its segment. Connections fail, or
they work inside a rack and nowhere else.

## What to do

Use the index of the v2 entry with the port's IPv4 (or routed IPv6) address, or leave the choice to the application.

- mlx5: `show_gids` lists index, version and address; NCCL from 2.21 on chooses by itself without NCCL_IB_GID_INDEX

## When to ignore

Single segments that use link-local addresses on purpose.

## References

- NVIDIA/nccl: NCCL_IB_GID_INDEX, NCCL_IB_ROCE_VERSION_NUM (2)
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Device, Given, Hit, Severity, Unknown

ID, NAME, SEVERITY, PROFILE, SINCE = "APP-004", "gid-index-not-v2", Severity.ERROR, "safe", "0.1"
DEVICES = "host"
GOOD = """
device:
  name: gpu01
  kind: host
  apps: [{name: nccl, gid_index: 3}]
  ports: {rail0: {nic: {gids: [{index: 2, version: v1, kind: ipv4}, {index: 3, version: v2, kind: ipv4}]}}}
"""
BAD = GOOD.replace("gid_index: 3", "gid_index: 2")


def check(device: Device, given: Given) -> Iterator[Hit | Unknown]:
    for app in device.apps or ():
        if app.gid_index is None:
            continue
        tables = [(port.name, port.nic.gids) for port in device.ports.values() if port.nic is not None]
        known = [(name, gids) for name, gids in tables if gids is not None]
        if not known:
            yield Unknown("the table of RoCE addresses (show_gids)")
        bad: dict[str, list[str]] = {}
        for name, gids in known:
            for gid in gids or ():
                if gid.index == app.gid_index and (gid.version == "v1" or gid.kind == "link-local"):
                    what = "RoCE v1" if gid.version == "v1" else "a link-local address"
                    bad.setdefault(what, []).append(name)
        for what, ports in bad.items():
            yield Hit(
                f"{app.name} uses GID index {app.gid_index}, which is {what} on {', '.join(ports[:4])}",
                "use the index of a v2 entry with a routed address",
                object=app.name,
                place=app.places.get("gid_index") or app.place,
            )
