"""A switch takes more bandwidth from below than it can send up.

## What it finds

A switch whose ports towards hosts (or lower switches) add up to more than its ports upward, by a ratio above
`max_oversubscription` of the intent: a warning. Where the intent does not state it, a ratio above 1 is information.
Switches without a way up are left out.

## Why it matters

When all hosts send, the uplinks are the bottleneck of every flow: queues stand there, and the pauses spread from the
uplinks to all hosts of the switch.

## What to do

Add uplinks, or state the ratio that is meant: `settings: {max_oversubscription: 3:1}` in the intent, for all or for a
role.

- nxos, sonic, cumulus, junos: cabling, not configuration

## When to ignore

Storage and front-end fabrics: state their ratio.

## References

- Gangidi et al., RDMA over Ethernet for Distributed AI Training at Meta Scale, SIGCOMM 2024: uplinks above 1:1
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rocecfg.fabric.graph import DOWN, UP
from rocecfg.lint.api import End, Fabric, Given, Hit, Severity, Unknown

ID, NAME, SEVERITY, PROFILE, SINCE = "PATH-005", "oversubscription-above-intent", Severity.WARNING, "safe", "0.2"
GOOD = """
intent:
  version: 1
  fabric: pod
  classes: {roce: {dscp: 26, priority: 3, lossless: true}}
  settings: {design_incast: 2, max_oversubscription: 1}
  devices:
    leaf[1-2]: {nos: nxos, model: N9K-C9364D-GX2A, role: leaf}
    spine[1-2]: {nos: nxos, model: N9K-C9364D-GX2A, role: spine}
    gpu[1-4]: {nic: mlx5, role: host}
  links:
    - {a: "leaf1:Ethernet1/[1-2]", b: "gpu[1-2]:rail0", speed: 400G, cable: 5m aoc}
    - {a: "leaf2:Ethernet1/[1-2]", b: "gpu[3-4]:rail0", speed: 400G, cable: 5m aoc}
    - {a: "leaf[1-2]:Ethernet1/11", b: "spine1:Ethernet1/[1-2]", speed: 400G, cable: 5m aoc}
    - {a: "leaf[1-2]:Ethernet1/12", b: "spine2:Ethernet1/[1-2]", speed: 400G, cable: 5m aoc}
"""
BAD = GOOD.replace('spine2:Ethernet1/[1-2]", speed: 400G', 'spine2:Ethernet1/[1-2]", speed: 100G')


def check(fabric: Fabric, given: Given) -> Iterator[Hit | Unknown]:
    topology = fabric.topology
    for device, name in enumerate(topology.names):
        if not topology.forwards(device) or not topology.out[device][UP] or not topology.out[device][DOWN]:
            continue
        sums = []
        for way in (DOWN, UP):
            speeds = [fabric.speeds(channel >> 1) for channel in topology.out[device][way]]
            sums.append(sum(speed for speed in speeds if speed is not None) if None not in speeds else None)
        down, up = sums
        if down is None or up is None:
            yield Unknown("the speed of a cable", End(name, ""))
            continue
        stated = fabric.oversubscription(name)
        if not up or Fraction(down, up) <= (stated or 1):
            continue
        accepted = f"the intent accepts {_ratio(stated)}" if stated is not None else "the intent states no ratio"
        yield Hit(
            f"{_rate(down)} from below meet {_rate(up)} upward, {_ratio(Fraction(down, up))}; {accepted}",
            "add uplinks, or state max_oversubscription in the intent",
            severity=Severity.WARNING if stated is not None else Severity.INFO,
            place=fabric.places(topology.out[device][UP][0] >> 1),
            end=End(name, ""),
        )


def _rate(speed: int) -> str:
    return f"{speed / 10**9:g}G"


def _ratio(ratio: Fraction) -> str:
    return f"{float(ratio):.3g}:1"
