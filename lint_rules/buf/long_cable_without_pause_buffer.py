"""A long cable relies on the headroom that the box keeps for short ones.

## What it finds

A port of a system that keeps headroom by itself without a number (NX-OS does, up to 100 m; Onyx for a lossless pool), with a longer cable and no
stated pause buffer.

## Why it matters

The built-in headroom covers short cables. Over 300 m at 100G another 5 KB are under way for every 200 m, and are lost
with each pause.

## What to do

State the pause buffer for the length (`rocecfg calc headroom`).

- nxos: `pause buffer-size N pause-threshold N resume-threshold N` in the `c-in-qN` class of an input queuing policy
- onyx: the advanced buffer form, `ingress-buffer iPort.pg3 map pool NAME type lossless reserved BYTES xoff BYTES xon BYTES`

## When to ignore

Line cards with virtual output queues and deep buffers.

## References

- Cisco, Priority Flow Control guides: default buffers are for cables up to 100 m
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rocecfg.lint.api import End, Given, Hit, Link, Option, Port, Severity
from rocecfg.lint.headrooms import metres_text, paused_groups

ID, NAME, SEVERITY, PROFILE, SINCE = "BUF-020", "long-cable-without-pause-buffer", Severity.ERROR, "safe", "0.1"
DEVICES = "switch"
OPTIONS = {"longest": Option(100, "metres that the built-in headroom covers")}
GOOD = """
devices:
  - name: leaf1
    ports:
      Ethernet1/1: &port
        qos:
          pfc: {admin: "on", tx: [3], rx: [3]}
          priority_to_pg: {3: [3]}
          priority_groups: {3: {lossless: true, headroom: {by: box}}}
  - {name: spine1, ports: {Ethernet1/1: *port}}
links: [{a: "leaf1:Ethernet1/1", b: "spine1:Ethernet1/1", cable: 80}]
"""
BAD = GOOD.replace("cable: 80", "cable: 300")


def check_link(link: Link, given: Given) -> Iterator[Hit]:
    for end in (link.a, link.b):
        if link.cable is not None and end.port is not None and (end.device is None or end.device.kind == "switch"):
            yield from _judge(end.port, link.cable, given, end)


def check(port: Port, given: Given) -> Iterator[Hit]:
    """Judge a device that was told the length itself."""
    if port.qos.cable is not None:
        yield from _judge(port, port.qos.cable, given)


def _judge(port: Port, cable: Fraction | int, given: Given, end: End | None = None) -> Iterator[Hit]:
    if cable <= given.options.longest:
        return
    for number in sorted(paused_groups(port.qos)):
        group = port.qos.priority_group(number)
        headroom = group.headroom if group is not None else None
        if headroom is not None and headroom.by == "box" and headroom.amount is None:
            yield Hit(
                f"the cable has {metres_text(cable)} m, and priority group {number} relies on the built-in headroom for "
                f"{given.options.longest} m",
                "state a pause buffer for the length",
                f"priority_groups.{number}.headroom",
                f"priority group {number}",
                end=end,
            )
