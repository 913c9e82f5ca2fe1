"""A long cable needs more headroom than the chip can give one port.

## What it finds

A port of the intent whose lossless priorities alone need more than a quarter of the chip's packet memory.

## Why it matters

Over 10 km at 400G 5 MB are under way, over 40 km 20 MB: on a chip with 64 to 165 MB one such port starves all others,
and two cannot be served.

## What to do

Use a box with deep buffers for that link, or let the class be lossy across it.

## When to ignore

A single link between sites on a switch that does nothing else.

## References

- 10 ns a metre there and back; the 7280R4 table of sonic-buildimage goes to 120 km
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rocecfg.lint.api import Given, Hit, Intent, Option, Severity, Unknown
from rocecfg.lint.budget import headroom_of_port
from rocecfg.lint.headrooms import chip_named, metres_text, rate_text
from rocecfg.lint.ranges import compact

if TYPE_CHECKING:
    from rocecfg.yamlfile import Place

ID, NAME, SEVERITY, PROFILE, SINCE = "INT-008", "long-haul-on-shallow-buffer", Severity.ERROR, "safe", "0.1"
OPTIONS = {
    "share": Option(25, "percent of the chip's memory that one port may take"),
    "long": Option(500, "metres from which a cable is judged"),
}
GOOD = """
intent:
  version: 1
  fabric: dci
  classes: {roce: {dscp: 26, priority: 3, lossless: true}, storage: {dscp: 24, priority: 4, lossless: true}}
  settings: {traffic: worst}
  devices: {leaf1: {nos: sonic, asic: tomahawk-5}, leaf2: {nos: sonic, asic: tomahawk-5}}
  links: [{a: "leaf1:Ethernet0", b: "leaf2:Ethernet0", speed: 800G, cable: 2km fibre}]
"""
BAD = GOOD.replace("2km fibre", "10km fibre")


def check(fabric: Intent, given: Given) -> Iterator[Hit | Unknown]:
    unknown = False
    over: dict[tuple[Place, str], list[str]] = {}
    for device in fabric.devices.values():
        if device.kind != "switch":
            continue
        for port in device.ports.values():
            if port.speed is None or port.cable_m is None or port.cable_m < given.options.long:
                continue
            need = headroom_of_port(fabric, device, port)
            if need is None:
                continue
            chip = chip_named(device.model, device.asic)
            memory = chip.memory()[0] if chip is not None else None
            if chip is None or memory is None:
                unknown = True
            elif need * 100 > memory * given.options.share:
                message = (
                    f"{rate_text(port.speed)} over {metres_text(port.cable_m)} m needs {need} bytes of headroom for one "
                    f"port, {100 * need // memory} percent of the {memory} bytes of {chip.title}"
                )
                over.setdefault((port.place, message), []).append(f"{device.name}:{port.name}")
    for (place, message), names in over.items():
        cure = "use a box with deep buffers for this link, or let the class be lossy across it"
        yield Hit(message, cure, object=compact(names), place=place)
    if unknown:
        yield Unknown("the packet memory of the switches at long cables (model or asic)")
