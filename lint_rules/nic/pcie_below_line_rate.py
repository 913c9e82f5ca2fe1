"""The slot of the NIC is slower than its port.

## What it finds

A NIC whose PCIe link (generation and lanes) carries less than the port's speed, protocol overhead counted.

## Why it matters

The NIC receives faster than it can hand over to memory, so it pauses its switch port whenever traffic comes at line
rate; the fabric pays for a slot.

## What to do

Move the card to a slot with more lanes or a newer generation, or bring the trained link back to full width.

- mlx5: `grep . /sys/class/net/IF/device/current_link_*` shows what was trained

## When to ignore

Cards with two ports of which one idles.

## References

- Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 4.4 (slow receiver)
- PCI Express: 8, 16, 32 and 64 GT/s a lane from generation 3 to 6
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Option, Port, Severity, Unknown
from rocecfg.lint.headrooms import GIGABIT, rate_text

ID, NAME, SEVERITY, PROFILE, SINCE = "NIC-012", "pcie-below-line-rate", Severity.ERROR, "safe", "0.1"
DEVICES = "host"
OPTIONS = {"efficiency": Option(85, "percent of the raw PCIe rate that payload can use")}
GOOD = """
device: {name: gpu01, kind: host, ports: {rail0: {speed: 400000000000, nic: {pcie: [5, 16]}}}}
"""
BAD = GOOD.replace("[5, 16]", "[4, 16]")
_GIGATRANSFERS = {1: 2, 2: 4, 3: 8, 4: 16, 5: 32, 6: 64}
"""Useful Gb/s of a lane: generations 1 and 2 lose a fifth to 8b/10b coding."""


def check(port: Port, given: Given) -> Iterator[Hit | Unknown]:
    if port.nic is None or port.nic.pcie is None:
        if port.qos.pfc is not None and port.qos.pfc.sends():
            yield Unknown("generation and lanes of the NIC's PCIe link")
        return
    generation, lanes = port.nic.pcie
    speed = port.line_rate
    lane = _GIGATRANSFERS.get(generation)
    if speed is None or lane is None or not lanes:
        yield Unknown("the port's speed" if speed is None else "generation and lanes of the NIC's PCIe link")
        return
    usable = lane * lanes * given.options.efficiency // 100
    if usable * GIGABIT < speed:
        yield Hit(
            f"PCIe generation {generation} with {lanes} lanes carries about {usable} Gb/s, the port runs at {rate_text(speed)}",
            "use a slot with more lanes or a newer generation",
            "nic.pcie",
        )
