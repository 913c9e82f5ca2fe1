"""A queue marks single bursts of packets.

## What it finds

A queue whose marking begins below three RDMA frames (options `frames`, `frame`); and a ramp given in percent that
begins and ends within the first percents of the queue (option `percent`): almost a step at an empty queue.

## Why it matters

Two packets that arrive together are marked as congestion. Senders slow down on an idle link, and the throughput never
reaches the line rate.

## What to do

Begin at five frames or a quarter of the bandwidth-delay product.

- nxos: `minimum-threshold 150 kbytes`
- sonic: `config ecn -profile NAME -gmin 250000`
- cumulus: `nv set qos congestion-control default-global traffic-class 3 min-threshold 150000`
- junos: a larger first `fill-level` of the drop profile (validated designs use 55)

## When to ignore

Latency profiles on purpose: Huawei ships 7 KB for short messages.

## References

- Zhu et al., SIGCOMM 2015: 5 KB at MTU 1500; Huawei CloudEngine: 7 KB
- Juniper validated design for AI data centres: fill levels 55 and 90
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Curve, Given, Hit, Option, Port, Severity, Unknown, amount_text
from rocecfg.lint.buffers import most_bytes, size_text
from rocecfg.lint.classes import ramps, together

ID, NAME, SEVERITY, PROFILE, SINCE = "ECN-009", "kmin-below-few-mtu", Severity.WARNING, "safe", "0.1"
DEVICES = "switch"
OPTIONS = {
    "frames": Option(3, "frames that a queue may hold unmarked"),
    "frame": Option(4200, "bytes of the largest RDMA frame where the port takes it (RoCE MTU 4096)"),
    "percent": Option(2, "percent of the queue within which a whole ramp is a step at an empty queue"),
}
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet0: {mtu: 9216, qos: {queues: {3: {ecn: {curves: [{low: 150000, high: 1500000, probability: 20}]}}}}}
"""
BAD = GOOD.replace("low: 150000", "low: 4000")


def check(port: Port, given: Given) -> Iterator[Hit | Unknown]:
    for curve, queues, leaf in together((ramp.curve, ramp) for ramp in ramps(port.qos)):
        low = curve.low
        if low is None:
            continue
        if low.unit == "percent":
            yield from _percent(curve, queues, leaf, given.options.percent)
            continue
        kmin = most_bytes(low)
        frame = min(given.options.frame, port.mtu) if port.mtu is not None else given.options.frame
        least = given.options.frames * frame
        if kmin is None:
            yield Unknown(f"the marking threshold of {queues} in bytes")
        elif kmin < least:
            yield Hit(
                f"the ramp of {queues} begins at {amount_text(low)}, less than {given.options.frames} frames of "
                f"{frame} bytes ({size_text(least)})",
                "begin to mark at five frames or more",
                leaf,
                queues,
            )


def _percent(curve: Curve, queues: str, leaf: str, most: int) -> Iterator[Hit]:
    low, high = curve.low, curve.high
    if low is not None and high is not None and high.unit == "percent" and low.value < high.value <= most:
        yield Hit(
            f"the ramp of {queues} begins at {amount_text(low)} and ends at {amount_text(high)} fill: almost a step at an "
            "empty queue",
            "begin to mark at a larger fill",
            leaf,
            queues,
        )
