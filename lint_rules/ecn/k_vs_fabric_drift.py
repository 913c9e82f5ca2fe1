"""One device marks earlier or later than its twins.

## What it finds

Kmin or Kmax of the lossless queue, in time at line rate, that differs by more than 25 percent (option `percent`) between
ports of one speed and role on devices of one role. Where four or more devices agree, REF-005 names the odd one too.

## Why it matters

Flows over different leaves get different shares: those that are marked earlier back off for those that are not. It
looks like a slow host, and the host is fine.

## What to do

Use one profile for a role.

- nxos: the same queuing policy on every device of the role
- sonic: the same WRED_PROFILE on every device of the role
- cumulus: the same congestion-control profile
- junos: the same drop profile

## When to ignore

Devices with another chip whose thresholds differ on purpose: override them in the intent.

## References

- House rule
- Guo et al., SIGCOMM 2016: one model with another default disturbed its fleet
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from rocecfg.lint.api import Device, Fleet, Given, Hit, Option, Severity
from rocecfg.lint.buffers import least_bytes, size_text
from rocecfg.lint.classes import lossless_ramps
from rocecfg.lint.headrooms import rate_text

ID, NAME, SEVERITY, PROFILE, SINCE = "ECN-011", "k-vs-fabric-drift", Severity.WARNING, "safe", "0.1"
DEVICES = "switch"
OPTIONS = {"percent": Option(25, "percent by which thresholds of one role and speed may differ")}
_PORT = """{Ethernet0: {speed: 400000000000, role: host, qos: {pfc: {admin: "on", tx: [3], rx: [3]},
    priority_to_queue: {3: [3]}, queues: {3: {ecn: {curves: [{low: 400000, high: 1600000, probability: 20}]}}}}}}"""
GOOD = f"""
devices:
  - {{name: leaf1, role: leaf, ports: {_PORT}}}
  - {{name: leaf2, role: leaf, ports: {_PORT}}}
"""
BAD = f"""
devices:
  - {{name: leaf1, role: leaf, ports: {_PORT}}}
  - {{name: leaf2, role: leaf, ports: {_PORT.replace("low: 400000, high: 1600000", "low: 1000000, high: 2000000")}}}
"""
_Key = tuple[int, str | None, int]
"""Speed in bit/s, role of the port, queue."""
_Ramp = tuple[Fraction, Fraction]


def check(fleet: Fleet, given: Given) -> Iterator[Hit]:
    by_key: dict[_Key, list[tuple[Device, str, _Ramp]]] = {}
    for device in fleet.devices:
        for key, (port, ramp) in _ramps(device, given).items():
            by_key.setdefault(key, []).append((device, port, ramp))
    for (speed, _, queue), found in by_key.items():
        if len(found) < 2:
            continue
        (usual, count), *_ = Counter(ramp for _, _, ramp in found).most_common(1)
        for device, port, ramp in found:
            if _apart(ramp, usual) * 100 > given.options.percent:
                yield Hit(
                    f"queue {queue} of {rate_text(speed)} ports marks from {size_text(ramp[0])} to "
                    f"{size_text(ramp[1])}, on {count} of {len(found)} devices of role {fleet.role} from "
                    f"{size_text(usual[0])} to {size_text(usual[1])}",
                    "use one marking profile for the role",
                    f"queues.{queue}.ecn",
                    f"queue {queue}",
                    device=device,
                    ports=(port,),
                )


def _ramps(device: Device, given: Given) -> dict[_Key, tuple[str, _Ramp]]:
    """Return the first ramp in bytes for each speed, role of port and queue of a device."""
    found: dict[_Key, tuple[str, _Ramp]] = {}
    for port in device.ports.values():
        speed = port.line_rate
        for ramp in lossless_ramps(port.qos, given) if speed is not None else ():
            low, high = least_bytes(ramp.curve.low), least_bytes(ramp.curve.high)
            if low is not None and high is not None and speed is not None:
                found.setdefault((speed, port.role, ramp.queue), (port.name, (low, high)))
    return found


def _apart(one: _Ramp, other: _Ramp) -> Fraction:
    """Return the larger relative difference of both ends."""
    (low, high), (usual_low, usual_high) = one, other
    return max(_relative(low, usual_low), _relative(high, usual_high))


def _relative(value: Fraction, usual: Fraction) -> Fraction:
    return abs(value - usual) / usual if usual else Fraction(int(value != usual))
