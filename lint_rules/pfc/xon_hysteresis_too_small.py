"""A port resumes after a single packet has left.

## What it finds

A lossless priority group whose resume threshold lies less than two small RDMA frames (option `least`, 2048 bytes)
below its pause threshold. In a profile that no port has yet it is information.

## Why it matters

One packet drains, the port resumes; one packet arrives, it pauses again. The number of pause frames explodes, and the
peer's own response time becomes part of the throughput.

## What to do

Two frames of the lossless class: 8400 bytes for RoCE MTU 4096.

- nxos: a `resume-threshold` below the `pause-threshold`
- sonic: `xon_offset` of the lossless BUFFER_PROFILE
- junos: `xon` of the buffer profile

## When to ignore

Vendor tables hold 2288 to 3556 bytes on 9 KB ports and work; the rule accepts them.

## References

- sonic-buildimage pg_profile_lookup.ini: xon_offset of 2288 to 3556 bytes on Broadcom chips
- House threshold: two frames
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rocecfg.lint.api import Device, Given, Hit, Option, PortQos, Severity
from rocecfg.lint.buffers import least_bytes, size_text, static_bytes

ID, NAME, SEVERITY, PROFILE, SINCE = "PFC-011", "xon-hysteresis-too-small", Severity.WARNING, "safe", "0.1"
OPTIONS = {"least": Option(2048, "bytes between pause and resume: two frames of the smallest RDMA MTU in use, 1024")}
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet0: {qos: {priority_groups: {3: {lossless: true, xoff_at: {alpha: "1/8"}, xon_below: 8400}}}}
"""
BAD = GOOD.replace("8400", "0")


def check(qos: PortQos, given: Given) -> Iterator[Hit]:
    for number, group in enumerate(qos.priority_groups or ()):
        if group is None or group.lossless is False:
            continue
        below, pauses, resumes = least_bytes(group.xon_below), static_bytes(group.xoff_at), least_bytes(group.xon_at)
        if pauses and resumes is not None:  # resume is the larger of both thresholds
            below = min(pauses - resumes, below if below is not None else pauses)
        if below is not None and (below > 0 or group.xon_below is not None) and 0 <= below < given.options.least:
            yield Hit(
                f"priority group {number} resumes {size_text(below)} below its pause threshold, less than "
                f"{given.options.least} B",
                "let it resume two frames below the pause threshold",
                f"priority_groups.{number}.xon_below",
                f"priority group {number}",
            )


def check_unused(device: Device, given: Given) -> Iterator[Hit]:
    """Say it of a profile too that no port has yet."""
    for item in device.objects:
        for hit in check(item.would.qos, given) if item.would is not None else ():
            yield replace(
                hit,
                message=f'{item.kind} "{item.name}" is in force nowhere; a port that gets it: {hit.message}',
                object=item.name,
                severity=Severity.INFO,
                place=item.would.where(hit.leaf) if item.would is not None else None,
            )
