"""The headroom is far more than cable, speed and chip can need.

## What it finds

A headroom that somebody wrote down (not one that the device works out) above twice what the standard's delays ask for
when every packet is the smallest and wastes its buffer cell. Where the chip is not known, the largest known cell is
assumed.

## Why it matters

Headroom is taken from the shared buffer: all ports pause and drop earlier, for bytes that never arrive.

## What to do

Recompute it (`rocecfg calc headroom`), and use the rest for sharing.

- nxos: a smaller `pause buffer-size`
- sonic: a smaller `xoff` in the BUFFER_PROFILE

## When to ignore

One value for all speeds and lengths, chosen by the vendor on a chip with room to spare.

## References

- Shipped SONiC tables hold between 0.23 and 26.8 times the standard's bound
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rocecfg.lint.api import Given, Hit, Option, Port, Severity, Unknown
from rocecfg.lint.headrooms import alike, chip_of, kept_headrooms, metres_text, packing, rate_text, speed_of
from rocecfg.physics.headroom import standard_bound

ID, NAME, SEVERITY, PROFILE, SINCE = "BUF-005", "headroom-excessive", Severity.INFO, "strict", "0.1"
DEVICES = "switch"
OPTIONS = {
    "factor": Option(2, "times the need from which headroom is called excessive"),
    "packing": Option(5, "buffer bytes per wire byte where the chip is not known (the largest known cell, 420 bytes)"),
    "frame": Option(9216, "bytes of the largest frame where the port does not say"),
}
GOOD = """
device:
  name: leaf1
  asic: trident-3
  ports:
    Ethernet0:
      speed: 10000000000
      mtu: 9216
      qos:
        cable: 5
        priority_groups: {3: {lossless: true, headroom: {amount: 64000}}}
"""
BAD = GOOD.replace("64000", "160000")


def check(port: Port, given: Given) -> Iterator[Hit | Unknown]:
    for kept in alike(kept_headrooms(port.qos)):
        if kept.headroom.by not in {"stated", "table"}:
            continue
        made_for = kept.headroom.made_for
        speed, metres = speed_of(port, kept), port.qos.cable
        if metres is None and made_for is not None:
            metres = made_for[1]
        if speed is None or metres is None:
            yield Unknown("the port's speed" if speed is None else "the length of the cable")
            continue
        chip = chip_of(given.device)
        worst = (packing(chip) if chip is not None else None) or Fraction(given.options.packing)
        frame = port.mtu or given.options.frame
        need = int(max(worst, Fraction(1)) * Fraction(standard_bound(speed, metres, frame, frame).value))
        if kept.bytes > given.options.factor * need:
            yield Hit(
                f"{kept.object} keeps {kept.bytes} bytes of headroom; {rate_text(speed)} over {metres_text(metres)} m "
                f"needs {need} at most",
                f"{need} bytes are enough",
                kept.leaf,
                kept.object,
            )
