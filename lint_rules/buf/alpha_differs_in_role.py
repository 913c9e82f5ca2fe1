"""One device of a role pauses much earlier than its twins.

## What it finds

Devices of one role, system and model whose lossless priority groups use different dynamic thresholds (alpha).

## Why it matters

The device with the smaller alpha pauses first and spreads the congestion to everybody who sends to it. In a published
incident one new switch model with alpha 1/64 among switches with 1/16 paused half a data centre; nothing was wrong on
the box alone.

## What to do

Write the same alpha on all devices of the role.

- sonic: `dynamic_th` of the lossless BUFFER_PROFILE (0 = alpha 1, -3 = 1/8)
- cumulus: `nv set qos advance-buffer-config default-global ingress-lossless-buffer shared-alpha alpha_1`
- junos: `set class-of-service shared-buffer ingress buffer-partition lossless dynamic-threshold N`

## When to ignore

Devices that are tuned apart on purpose: give them a role of their own.

## References

- Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 6
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rocecfg.lint.api import Device, Fleet, Given, Hit, Severity
from rocecfg.lint.headrooms import lossless_group_numbers
from rocecfg.state.model import Dynamic

ID, NAME, SEVERITY, PROFILE, SINCE = "BUF-012", "alpha-differs-in-role", Severity.WARNING, "safe", "0.1"
DEVICES = "switch"
GOOD = """
devices:
  - {name: leaf1, role: leaf, ports: &same {swp1: {qos: {priority_groups: {3: {lossless: true, xoff_at: {alpha: 1/16}}}}}}}
  - {name: leaf2, role: leaf, ports: *same}
"""
BAD = """
devices:
  - {name: leaf1, role: leaf, ports: &same {swp1: {qos: {priority_groups: {3: {lossless: true, xoff_at: {alpha: 1/16}}}}}}}
  - {name: leaf2, role: leaf, ports: *same}
  - {name: leaf3, role: leaf, ports: {swp1: {qos: {priority_groups: {3: {lossless: true, xoff_at: {alpha: 1/64}}}}}}}
"""
Alpha = tuple[str, Fraction | int]


def check(fleet: Fleet, given: Given) -> Iterator[Hit]:
    by_alpha: dict[frozenset[Alpha], list[Device]] = {}
    for device in fleet.devices:
        found = frozenset(alpha for alpha, _, _ in _alphas(device))
        if found:
            by_alpha.setdefault(found, []).append(device)
    if len(by_alpha) < 2:
        return
    usual, most = max(by_alpha.items(), key=lambda item: (len(item[1]), -len(item[0])))
    for found, devices in by_alpha.items():
        for device in devices if found != usual else ():
            port, leaf = next(((port, leaf) for alpha, port, leaf in _alphas(device) if alpha not in usual), ("", ""))
            yield Hit(
                f"the lossless priority groups use {_text(found)}, those of {len(most)} other {fleet.role} devices "
                f"{_text(usual)} (for instance {most[0].name})",
                f"use {_text(usual)} here too",
                leaf,
                "alpha",
                ports=(port,) if port else (),
                device=device,
            )


def _alphas(device: Device) -> Iterator[tuple[Alpha, str, str]]:
    """Yield each threshold of a lossless group with its port and leaf."""
    for port in device.ports.values():
        for number in sorted(lossless_group_numbers(port.qos)):
            group = port.qos.priority_group(number)
            limit = group.xoff_at if group is not None else None
            if isinstance(limit, Dynamic):
                leaf = f"priority_groups.{number}.xoff_at"
                if limit.alpha is not None:
                    yield ("alpha", limit.alpha), port.name, leaf
                elif limit.index is not None:
                    yield ("threshold index", limit.index), port.name, leaf


def _text(alphas: frozenset[Alpha]) -> str:
    return " and ".join(f"{word} {value}" for word, value in sorted(alphas, key=str))
