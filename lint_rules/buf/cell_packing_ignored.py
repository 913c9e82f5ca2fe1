"""The intent asks for headroom for the smallest packets, and the chip's buffer cells are not counted.

## What it finds

An intent that sizes for the worst traffic (`traffic: worst`), on a device whose chip is known, and a headroom below
what that chip needs when every arriving packet is the smallest and fills a whole cell.

## Why it matters

A 64-byte packet takes a cell of 80 to 420 bytes. A burst of small packets fills a headroom that was worked out in
bytes on the wire after a third of the time.

## What to do

Raise the headroom to cells (`rocecfg calc headroom`), or say `traffic: large` where only RDMA with full packets runs.

## When to ignore

Fabrics that carry RDMA in packets of 4 KB only: set `traffic: large` in the intent.

## References

- IEEE 802.1Q annex on PFC buffer requirements; cell sizes of sonic-mgmt's QoS tests
- sonic-swss pull request 4797: 18 KiB more on Spectrum-6 for packet sizes near cell boundaries
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rocecfg.lint.api import Given, Hit, Option, Port, Severity, Unknown
from rocecfg.lint.headrooms import (
    alike,
    chip_of,
    kept_headrooms,
    lossless_frame,
    metres_text,
    packing,
    rate_text,
    speed_of,
)
from rocecfg.physics.headroom import standard_bound

ID, NAME, SEVERITY, PROFILE, SINCE = "BUF-006", "cell-packing-ignored", Severity.WARNING, "safe", "0.1"
DEVICES = "switch"
OPTIONS = {
    "frame": Option(4200, "bytes of the largest lossless frame where the device does not say (RoCE MTU 4096)"),
    "tolerance": Option(15, "percent below the need that is still accepted (measured tables)"),
}
GOOD = """
device:
  name: leaf1
  asic: tomahawk-5
  ports:
    Ethernet0:
      speed: 400000000000
      mtu: 4200
      qos:
        cable: 30
        priority_groups: {3: {lossless: true, headroom: {amount: 240000}}}
expect: {traffic: 100}
"""
BAD = GOOD.replace("240000", "84000")
_WORST = 100


def check(port: Port, given: Given) -> Iterator[Hit | Unknown]:
    if given.expect is None or given.expect.traffic is None or given.expect.traffic < _WORST:
        return
    chip = chip_of(given.device)
    worst = packing(chip) if chip is not None else None
    for kept in alike(kept_headrooms(port.qos)):
        made_for = kept.headroom.made_for
        speed, metres = speed_of(port, kept), port.qos.cable
        if metres is None and made_for is not None:
            metres = made_for[1]
        if chip is None or worst is None:
            yield Unknown("the buffer cell of the device's chip (model or asic)")
        elif speed is None or metres is None:
            yield Unknown("the port's speed" if speed is None else "the length of the cable")
        else:
            frame = lossless_frame(kept.group, port, given.options.frame)
            bound = Fraction(standard_bound(speed, metres, max(port.mtu or frame, frame), frame).value)
            need = int(frame + worst * (bound - frame))
            if (
                bound * (100 - given.options.tolerance) / 100
                <= kept.bytes
                < need * (100 - given.options.tolerance) // 100
            ):
                yield Hit(
                    f"{kept.object} keeps {kept.bytes} bytes of headroom; with the smallest packets {chip.title} needs "
                    f"{need} for {rate_text(speed)} over {metres_text(metres)} m",
                    f"keep {need} bytes, or say `traffic: large`",
                    kept.leaf,
                    kept.object,
                )
