"""What a planned port needs of its chip, for rules about an intent: the planner's own arithmetic."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rocecfg.physics.headroom import standard_bound

if TYPE_CHECKING:
    from fractions import Fraction

    from rocecfg.intent.fabric import Fabric, FabricDevice, FabricPort


SMALLEST_MEMORY = 12_000_000
"""Bytes of the smallest packet memory in the catalogue of chips (Trident 2)."""
_MOST = 10
"""No published table holds more than this many times the standard's bound (Tomahawk 6: 8.6 at 800G and 5 m)."""


def may_fill(fabric: Fabric, device: FabricDevice, percent: int) -> bool:
    """Return whether a device's headroom could reach a share of the smallest memory, on any chip.

    Most intents are far below it, and then the catalogue of chips need not be read.
    """
    total = 0
    lossless = sum(item.lossless for item in fabric.classes.values())
    for port in device.ports.values():
        settings = fabric.settings(device.name, port.name)
        if settings.pfc_headroom.value is not None:
            total += settings.pfc_headroom.value * lossless
        elif port.speed is not None:
            metres = port.cable_m
            if metres is None:
                metres = settings.cable.value.length if settings.cable.value else 0
            total += _most(port.speed, metres) * lossless
        if total * 100 > SMALLEST_MEMORY * percent:
            return True
    return False


@lru_cache(maxsize=1024)
def _most(speed: int, metres: int | Fraction) -> int:
    frame = 9216
    return _MOST * int(standard_bound(speed, metres, frame, frame).value)


def headroom_of_port(fabric: Fabric, device: FabricDevice, port: FabricPort) -> int | None:
    """Return the bytes of headroom of all lossless priorities of a port.

    None for a port without speed, cable or PFC, and where no class is lossless.
    """
    from rocecfg.lint.headrooms import chip_named
    from rocecfg.plan.demand import demand_of, headroom_of

    lossless = sum(item.lossless for item in fabric.classes.values())
    settings = fabric.settings(device.name, port.name)
    metres = port.cable_m if port.cable_m is not None else settings.cable.value.length if settings.cable.value else None
    if not lossless or port.speed is None or not metres or settings.pfc_mode.value == "off":
        return None
    stated = settings.pfc_headroom.value
    if stated is not None:
        return stated * lossless
    chip = chip_named(device.model, device.asic)
    need = headroom_of(chip, demand_of(settings, port.speed, metres, device.kind == "host"))
    return int(need.value) * lossless
