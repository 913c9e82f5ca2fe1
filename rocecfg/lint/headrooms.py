"""Headroom as rules judge it: what a port keeps, for which speed and cable, and what is known of the chip below it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from rocecfg.lint.lossless import lossless_groups

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rocecfg.physics.chip import Chip
    from rocecfg.state.model import Device, Headroom, Port, PortQos, PriorityGroup

ROCE_HEADERS = 104
"""RDMA path MTU to Ethernet frame: NVIDIA's guideline of 4200 bytes for 4096."""
SMALLEST_ON_WIRE = 84
"""Bytes of a 64-byte packet with preamble and gap: the packet that wastes the most of a buffer cell."""
GIGABIT = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Kept:
    """The headroom of one lossless priority group, in bytes."""

    number: int
    group: PriorityGroup
    headroom: Headroom
    bytes: int
    with_others: tuple[int, ...] = ()
    """Further groups of the port that keep the same."""

    @property
    def leaf(self) -> str:
        """The path that findings about it point at."""
        return f"priority_groups.{self.number}.headroom"

    @property
    def object(self) -> str:
        """How findings call it."""
        return f"priority group {', '.join(map(str, (self.number, *self.with_others)))}"


def paused_groups(qos: PortQos) -> frozenset[int]:
    """Return the priority groups that the port pauses its peer for, as far as the maps tell."""
    sends = qos.pfc.sends() if qos.pfc is not None else None
    return frozenset(number for priority in sends or () for number in lossless_groups(qos, priority) or ())


def lossless_group_numbers(qos: PortQos) -> frozenset[int]:
    """Return the groups that are paused for or that the configuration calls lossless."""
    stated = {number for number, group in enumerate(qos.priority_groups or ()) if group is not None and group.lossless}
    return paused_groups(qos) | stated


def kept_headrooms(qos: PortQos) -> Iterator[Kept]:
    """Yield the lossless groups of a port whose headroom is known in bytes."""
    for number in sorted(lossless_group_numbers(qos)):
        group = qos.priority_group(number)
        if group is None or group.headroom is None or group.headroom.amount is None:
            continue
        count = group.headroom.amount.bytes
        if count:
            yield Kept(number, group, group.headroom, count)


def alike(kept: Iterable[Kept]) -> list[Kept]:
    """Return each distinct headroom once, with all groups that keep it: they are one finding."""
    found: dict[tuple[object, ...], Kept] = {}
    for item in kept:
        key = (item.bytes, item.headroom.by, item.headroom.made_for, item.group.mtu)
        first = found.setdefault(key, item)
        if first is not item:
            found[key] = replace(first, with_others=(*first.with_others, item.number))
    return list(found.values())


def speed_of(port: Port, kept: Kept | None = None) -> int | None:
    """Return the speed a port runs at, else the one it is set to, else the one its headroom was made for."""
    made_for = kept.headroom.made_for if kept is not None else None
    return port.line_rate or (made_for[0] if made_for else None)


def lossless_frame(group: PriorityGroup, port: Port, largest: int) -> int:
    """Return the largest frame of a paused class: the class's own MTU, else the port's up to `largest`."""
    return group.mtu or min(port.mtu or largest, largest)


def chip_of(device: Device | None) -> Chip | None:
    """Return what the catalogue knows of a device's chip, None for an unknown or ambiguous model."""
    if device is None or (device.model is None and device.asic is None):
        return None
    return chip_named(device.model, device.asic)


@lru_cache(maxsize=1024)
def chip_named(model: str | None, asic: str | None) -> Chip | None:
    """Return the chip of a model or `asic` word, None when neither is in the catalogue."""
    if model is None and asic is None:
        return None
    from rocecfg.vendor.asics import catalogue

    return catalogue().of_device(model, asic)


def packing(chip: Chip) -> Fraction | None:
    """Return buffer bytes per byte on the wire when every packet is the smallest; None when the cell is not known."""
    worst = chip.number("packing_worst")
    if worst is not None:
        return worst
    cell = chip.number("cell")
    return None if cell is None else max(cell / SMALLEST_ON_WIRE, Fraction(1))


def metres_text(length: Fraction | int) -> str:
    """Return a length without a needless fraction."""
    return str(int(length)) if length == int(length) else str(float(length))


def rate_text(speed: int) -> str:
    """Return `400G` for a speed in bit/s."""
    return f"{float(Fraction(speed, GIGABIT)):g}G"
