"""What one port asks of its chip's buffer: frames, cable, traffic, and the headroom that follows from them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from rocecfg.physics.laws import Demand, headroom
from rocecfg.physics.traffic import Traffic

if TYPE_CHECKING:
    from rocecfg.intent.settings import Settings
    from rocecfg.physics.chip import Chip
    from rocecfg.physics.derived import Derived

SWITCH_MTU, HOST_MTU = 9216, 9000
DEFAULT_CABLE = 100
"""Metres, where neither the link nor a setting says: the length Juniper's cable-length assumes."""
HEADERS = 104
"""Bytes of Ethernet, IP, UDP and InfiniBand around a RoCE payload, rounded up: 4200 B for a path MTU of 4096."""


def mtu_of(settings: Settings, host: bool) -> int:
    """Return the port's MTU in bytes as its system counts it: stated, or the usual one."""
    return int(settings.mtu.or_else(HOST_MTU if host else SWITCH_MTU))


def roce_frame(settings: Settings) -> int:
    """Return the largest RoCE frame: RDMA path MTU and headers."""
    return int(settings.roce_mtu.or_else(4096)) + HEADERS


def demand_of(settings: Settings, rate: int, metres: int | Fraction, host: bool) -> Demand:
    """Return what one lossless priority of a port needs room for."""
    mtu = mtu_of(settings, host)
    small = Fraction(settings.traffic.or_else(100))
    return Demand(rate, metres, mtu, mtu, Traffic(small), frame=min(roce_frame(settings), mtu))


@lru_cache(maxsize=4096)
def headroom_of(chip: Chip | None, demand: Demand) -> Derived:
    """Return the headroom of one lossless priority, with the peer's time of 802.3 even where a table ships less."""
    found = headroom(chip, demand)
    if chip is None:
        note = "the chip is not known (give `model` or `asic`): the bound of 802.1Q is used"
        return replace(found, assumptions=(note, *found.assumptions))
    if chip.table is None or not chip.shipped:
        return found
    small, counted_by = chip.as_shipped().number("small"), chip.as_shipped().word("small_by")
    as_shipped = replace(
        demand,
        mtu=chip.as_shipped().whole("mtu_port") or demand.mtu,
        lossless_mtu=chip.as_shipped().whole("mtu_lossless") or demand.lossless_mtu,
        frame=0,
        traffic=Traffic(Fraction(100) if small is None else small, counted_by or ""),  # type: ignore[arg-type]
    )
    table = headroom(chip.as_shipped(), as_shipped)
    note = f"the formula of {chip.sku}'s shipped table gives {table.value} B: {table.assumptions[0]}"
    return replace(found, assumptions=(*found.assumptions, note))
