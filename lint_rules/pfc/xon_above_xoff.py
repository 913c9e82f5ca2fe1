"""A port asks its peer to resume before, or just when, it asked it to stop.

## What it finds

A lossless priority group whose resume threshold is at or above its pause threshold, or lies further below it than the
threshold is high.

## Why it matters

With resume at or above pause, every packet pauses and resumes again: the link carries more pause frames than data.
With a distance larger than the threshold the group must run empty first, or never resumes.

## What to do

Put the resume threshold at least two frames below the pause threshold.

- nxos: `pause buffer-size N pause-threshold N resume-threshold N` with resume below pause
- sonic: `xon` and `xon_offset` of the BUFFER_PROFILE
- junos: `xon` of the buffer profile

## When to ignore

Never for fixed thresholds. NVIDIA's `xon` beside a dynamic threshold is another quantity and is not compared.

## References

- Huawei CloudEngine: the real resume threshold is the larger of xon and xoff minus offset
- Linux mlx5 port_buffer.c: xon = xoff - largest frame
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Port, Severity, amount_text
from rocecfg.lint.buffers import alpha_of, least_bytes, limit_text, pool_of, shared_bytes, size_text, static_bytes

ID, NAME, SEVERITY, PROFILE, SINCE = "PFC-010", "xon-above-xoff", Severity.ERROR, "min", "0.1"
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet1/1: {qos: {priority_groups: {3: {lossless: true, xoff_at: {at: 60000}, xon_at: 45000}}}}
"""
BAD = GOOD.replace("45000", "60000")


def check(port: Port, given: Given) -> Iterator[Hit]:
    for number, group in enumerate(port.qos.priority_groups or ()):
        if group is None or group.lossless is False or group.xoff_at is None:
            continue
        pauses = static_bytes(group.xoff_at)
        if pauses is None:
            alpha, buffer = alpha_of(group.xoff_at), shared_bytes(given.device, pool_of(given.device, group))
            highest = alpha * buffer / (1 + alpha) if alpha is not None and buffer is not None else None
        else:
            highest = pauses
        resumes, below = least_bytes(group.xon_at), least_bytes(group.xon_below)
        if pauses and resumes is not None and group.xon_at is not None and resumes >= pauses:
            yield _hit(f"pauses at {limit_text(group.xoff_at)} and resumes at {amount_text(group.xon_at)}", number)
        elif highest and below is not None and group.xon_below is not None and below >= highest:
            yield _hit(
                f"pauses at {size_text(highest)} at most and resumes {amount_text(group.xon_below)} below that", number
            )


def _hit(what: str, number: int) -> Hit:
    return Hit(
        f"priority group {number} {what}",
        "put the resume threshold two frames below the pause threshold",
        f"priority_groups.{number}.xon_at",
        f"priority group {number}",
    )
