"""When the port pauses is left to the platform's default.

## What it finds

A lossless priority group whose dynamic threshold (alpha) stands nowhere in the configuration: the system's own default
is in force.

## Why it matters

The defaults of shipped models span 1/64 to 128. The next model or release may bring another one, and pauses come at
another fill without a line having changed.

## What to do

Write alpha for every lossless priority group, with the value that is in force today.

- sonic: `dynamic_th` in the lossless BUFFER_PROFILE
- junos: `set class-of-service shared-buffer ingress buffer-partition lossless dynamic-threshold N`

## When to ignore

Fleets of a single model and release, and systems that offer no such setting.

## References

- pg_profile_lookup.ini of 77 SONiC models: dynamic_th from -6 to 7
- Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 6
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, PortQos, Severity
from rocecfg.lint.headrooms import lossless_group_numbers
from rocecfg.state.model import Dynamic

ID, NAME, SEVERITY, PROFILE, SINCE = "BUF-013", "alpha-not-explicit", Severity.WARNING, "strict", "0.1"
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  ports:
    swp1: {qos: {priority_groups: {3: {lossless: true, xoff_at: {alpha: 1/8}}}}}
"""
BAD = """
device:
  name: leaf1
  ports:
    swp1: {qos: {priority_groups: {3: {lossless: true, xoff_at: {alpha: 1/8}}}, defaulted: [priority_groups.3.xoff_at]}}
"""


def check(qos: PortQos, given: Given) -> Iterator[Hit]:
    for number in sorted(lossless_group_numbers(qos)):
        group, leaf = qos.priority_group(number), f"priority_groups.{number}.xoff_at"
        if group is None or not isinstance(group.xoff_at, Dynamic) or leaf not in qos.defaulted:
            continue
        limit = group.xoff_at
        value = f"alpha {limit.alpha}" if limit.alpha is not None else f"index {limit.index}"
        yield Hit(
            f"priority group {number} pauses at the system's default ({value}), no line says so",
            f"write {value} down",
            leaf,
            f"priority group {number}",
        )
