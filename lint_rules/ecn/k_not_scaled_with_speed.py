"""Ports of different speed use the same marking threshold.

## What it finds

Lossless queues of one device whose Kmin, in time at line rate, differs by more than a factor of two (option `ratio`)
between ports of different speed.

## Why it matters

What a flow feels is the time in the queue. 1 MB is 84 us at 100G and 10 us at 800G: the same number is late on one
port and early on the other, and flows that cross both get the worse of each.

## What to do

Use a profile for each speed, with K in proportion to the rate.

- nxos: a queuing policy for each port speed
- sonic: a WRED_PROFILE for each speed, bound in the QUEUE rows of its ports
- cumulus: a congestion-control profile for each speed
- junos: a drop profile and scheduler map for each speed

## When to ignore

Chips whose thresholds are times.

## References

- HPCC simulation/run.py: K grows with bandwidth
- sonic-buildimage qos_config.j2: 1 and 2 MB at every speed
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from rocecfg.lint.api import Device, Given, Hit, Option, Port, Severity, Unknown, amount_text
from rocecfg.lint.buffers import least_bytes
from rocecfg.lint.classes import lossless_ramps, queues_text
from rocecfg.lint.headrooms import rate_text

ID, NAME, SEVERITY, PROFILE, SINCE = "ECN-010", "k-not-scaled-with-speed", Severity.WARNING, "safe", "0.1"
DEVICES = "switch"
OPTIONS = {"ratio": Option(2, "times by which Kmin may differ between speeds, measured in time")}
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet0:
      speed: 100000000000
      qos: &slow
        pfc: {admin: "on", tx: [3], rx: [3]}
        priority_to_queue: {3: [3]}
        queues: {3: {ecn: {curves: [{low: 100000, high: 400000, probability: 20}]}}}
    Ethernet64:
      speed: 800000000000
      qos:
        pfc: {admin: "on", tx: [3], rx: [3]}
        priority_to_queue: {3: [3]}
        queues: {3: {ecn: {curves: [{low: 800000, high: 3200000, probability: 20}]}}}
"""
BAD = GOOD.replace("low: 800000, high: 3200000", "low: 100000, high: 400000")

_SLOWEST = 10_000_000_000
"""bit/s: slower ports are management."""


class _Kmin(NamedTuple):
    """Kmin of the ports of one speed, in nanoseconds at line rate."""

    time: Fraction
    speed: int
    text: str
    queue: int
    leaf: str


def check(device: Device, given: Given) -> Iterator[Hit | Unknown]:
    found: dict[tuple[int, int, int], tuple[_Kmin, list[Port]]] = {}
    unknown = False
    for speed, ports in _alike(device):
        for ramp in lossless_ramps(ports[0].qos, given):
            start, kmin = ramp.curve.low, least_bytes(ramp.curve.low)
            if speed is None or kmin is None or start is None:
                unknown = unknown or start is not None
                continue
            time = kmin * 8_000_000_000 / speed
            value = _Kmin(time, speed, amount_text(start), ramp.queue, ramp.leaf)
            found.setdefault((speed, ramp.queue, int(time)), (value, []))[1].extend(ports)
    if unknown:
        yield Unknown("the speed of the ports or their marking thresholds in bytes")
    told: dict[str, list[tuple[int, Hit]]] = {}
    for queue in sorted({queue for _, queue, _ in found}):
        own = [item for key, item in found.items() if key[1] == queue]
        low, high = min(own, key=lambda item: item[0].time), max(own, key=lambda item: item[0].time)
        if low[0].speed != high[0].speed and high[0].time > given.options.ratio * low[0].time:
            fewer = low if len(low[1]) <= len(high[1]) else high
            text = f"at {_told(low[0])} and at {_told(high[0])}"
            hit = Hit(text, leaf=fewer[0].leaf, ports=tuple(port.name for port in fewer[1]))
            told.setdefault(text, []).append((queue, hit))
    for text, hits in told.items():
        queues = queues_text(queue for queue, _ in hits)
        yield replace(
            hits[0][1],
            message=f"marking of {queues} begins {text}",
            help="use a profile for each speed, K in proportion to the rate",
            object=queues,
        )


def _alike(device: Device) -> Iterator[tuple[int | None, list[Port]]]:
    """Yield the ports in use that share settings and speed: a ramp is looked at once for all of them."""
    groups: dict[tuple[int, int | None], list[Port]] = {}
    for port in device.ports.values():
        speed = port.line_rate
        if port.enabled is not False and (speed is None or speed >= _SLOWEST):
            groups.setdefault((id(port.qos), speed), []).append(port)
    for (_, speed), ports in groups.items():
        yield speed, ports


def _told(kmin: _Kmin) -> str:
    return f"{kmin.text} ({float(kmin.time) / 1000:.3g} us) on {rate_text(kmin.speed)} ports"
