"""A host pauses its switch although the link is not even half busy.

## What it finds

Between two captures, a switch port to a host that received more than 1000 PFC frames a second while it sent at less
than half of its speed.

## Why it matters

The fabric is not the bottleneck, the host is: its NIC cannot hand packets to memory fast enough (PCIe, page tables,
a slow consumer). Each of its pauses spreads into the fabric and slows hosts that have nothing to do with it.

## What to do

Look at the host: PCIe generation and lanes, memory page size, receive queues, NUMA placement.

- mlx5: `ethtool -S IF | grep -e outbound_pci -e rx_discards_phy`, `lspci -vv` (LnkSta)

## When to ignore

Bursts shorter than a second between two captures far apart: take them closer together.

## References

- Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 4.4 (slow-receiver symptom)
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import CounterPair, Given, Growth, Hit, Option, Severity, Unknown, worst_port

ID, NAME, SEVERITY, PROFILE, SINCE = "OPS-004", "slow-receiver", Severity.WARNING, "safe", "0.1"
DEVICES = "switch"
OPTIONS = {
    "least-frames": Option(1000, "PFC frames a second from which on it counts"),
    "most-percent": Option(50, "percent of the port's speed below which the link is not busy"),
}
BAD = """
devices:
  - name: leaf1
    sample: {taken: "2026-01-01T00:00:00Z", ports: {Ethernet0: {rx_pfc: {3: 1000}, tx_bytes: 0}}}
  - name: leaf1
    sample: {taken: "2026-01-01T00:00:10Z", ports: {Ethernet0: {rx_pfc: {3: 51000}, tx_bytes: 10000000000}}}
    ports:
      Ethernet0: {role: host, speed: 100000000000}
"""
GOOD = BAD.replace("tx_bytes: 10000000000", "tx_bytes: 110000000000")

_BITS = 8


def check(pair: CounterPair, given: Given) -> Iterator[Hit | Unknown]:
    received = pair.pfc("rx")
    many = [port for port in received.ports if received.total(port)]
    if not many:
        return
    if not pair.seconds or pair.seconds < 1:
        yield Unknown("two captures at least a second apart that say when they were taken")
        return
    sent, queues = pair.growth("tx_bytes"), pair.growth("queue_bytes")
    slow: dict[str, int] = {}
    busy: dict[str, float] = {}
    for name in many:
        rate = (received.total(name) or 0) / pair.seconds
        if rate <= given.options.least_frames:
            continue
        port = pair.device.ports.get(name)
        if port is None or port.role is None:
            yield Unknown("whether the port leads to a host")
        elif port.role == "host":
            share = _share(name, sent, queues, (port.line_rate or 0) * pair.seconds)
            if share is None:
                yield Unknown("the bytes a port sent, or its speed")
            elif share < given.options.most_percent:
                slow[name], busy[name] = int(rate), share
    if slow:
        worst = worst_port(slow)
        more = f" ({len(slow)} such ports, this one paused most)" if len(slow) > 1 else ""
        yield Hit(
            f"the host sent {slow[worst]} PFC frames/s while the port to it was {busy[worst]:.0f} % busy{more}",
            "look at the host: PCIe, memory pages, receive queues",
            object=f"host behind {worst}" if len(slow) > 1 else "",
            ports=tuple(slow),
            place=pair.where(slow, "rx_pfc" if pair.later.ports[worst].rx_pfc is not None else "rx_pfc_total"),
        )


def _share(port: str, sent: Growth, queues: Growth, bits: float) -> float | None:
    """Return the percent of the speed that a port sent at."""
    count = sent.at(port)
    if count is None:
        count = queues.total(port)
    return None if count is None or not bits else 100 * count * _BITS / bits
