"""What the calculators share: quantities as option values, the choice of a chip, checks against the chip."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rocecfg import units
from rocecfg.errors import UsageError
from rocecfg.state.numbers import whole_number
from rocecfg.units import UnitError, print_length, print_rate

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocecfg.physics.chip import Chip

_F = TypeVar("_F", bound="Callable[..., Any]")

GIGABIT = 1_000_000_000
LEAST_MTU, MOST_MTU = 256, 10_240
MOST_METRES = 200_000
"""The longest cable that an intent accepts."""


class Quantity(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.3 on
    """An option value with a unit: `400G`, `40m`, `150KB`."""

    def __init__(self, name: str, read: Callable[[object], Any]) -> None:
        self.name = name
        self._read = read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        try:
            return self._read(value.strip())
        except UnitError as error:
            self.fail(str(error), param, ctx)


class Listed(Quantity):
    """Several quantities, separated by commas."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        parts = [part for part in value.split(",") if part.strip()]
        if not 0 < len(parts) <= 64:
            self.fail("accepted: 1 to 64 values separated by commas", param, ctx)
        return tuple(super(Listed, self).convert(part, param, ctx) for part in parts)


def read_cable(value: object) -> units.Number:
    """Return metres of `40m` or `40m fibre`. Raises UnitError outside 0 to 200 km."""
    text = str(value).partition(" ")[0]
    metres = units.parse_length(text) if not text.startswith("-") else 0
    if not 0 < metres <= MOST_METRES:
        raise UnitError(f'a cable of "{value}" is not accepted', "accepted: above 0m, up to 200km")
    return metres


def read_speed(value: object) -> int:
    """Return bit/s of `400G`. Raises UnitError outside 1G to 1.6T."""
    rate = units.parse_rate(value)
    if not GIGABIT <= rate <= 1600 * GIGABIT:
        raise UnitError(f'the speed "{value}" is not accepted', "accepted: 1G to 1.6T")
    return rate


def read_mtu(value: object) -> int:
    """Return bytes of `9216` or `9216B`. Raises UnitError outside 256 to 10240."""
    text = str(value)
    plain = whole_number(text, 999_999)
    size = units.parse_size(value) if plain is None else plain
    if not LEAST_MTU <= size <= MOST_MTU:
        raise UnitError(f'the MTU "{value}" is not accepted', f"accepted: {LEAST_MTU} to {MOST_MTU} B")
    return size


def read_traffic(value: object) -> Fraction:
    """Return the percentage of small packets of `worst`, `large` or `mixed 50%`. Raises UnitError."""
    if value == "worst":
        return Fraction(100)
    if value == "large":
        return Fraction(0)
    if isinstance(value, str) and value.startswith("mixed"):
        return Fraction(units.parse_percent(value.removeprefix("mixed").strip()))
    raise UnitError(f'"{value}" is no traffic', 'accepted: worst, large, "mixed 50%"')


def read_delay(value: object) -> int:
    """Return nanoseconds of `250ns`. Raises UnitError above 1 ms: no FEC, gearbox or MACsec takes that long."""
    delay = units.parse_duration(value)
    if delay > 10**6:
        raise UnitError(f'a delay of "{value}" is not accepted', "accepted: 0ns to 1ms")
    return delay


SPEED, SPEEDS = Quantity("SPEED", read_speed), Listed("SPEEDS", read_speed)
CABLE, CABLES = Quantity("LENGTH", read_cable), Listed("LENGTHS", read_cable)
MTU, SIZE = Quantity("BYTES", read_mtu), Quantity("SIZE", units.parse_size)
TRAFFIC = Quantity("TRAFFIC", read_traffic)
TIME, DELAY = Quantity("TIME", units.parse_duration), Quantity("TIME", read_delay)
ALPHA, RATIO = Quantity("ALPHA", units.parse_alpha), Quantity("RATIO", units.parse_ratio)


def chip_options(function: _F) -> _F:
    """Add `--sku` and `--asic`."""
    sku = click.option("--sku", metavar="NAME", help="SKU or model: ACS-SN5600, DellEMC-Z9664f-O64, QFX5230-64CD.")
    asic = click.option("--asic", metavar="NAME", help="Chip: spectrum-4, tomahawk-5, jericho-2, connectx-7.")
    return sku(asic(function))


def chosen_chip(sku: str | None, asic: str | None) -> Chip | None:
    """Return the chip that the options name, None for none. Raises UsageError for an unknown or contradicting one."""
    if sku is None and asic is None:
        return None
    from rocecfg.vendor.asics import catalogue

    known = catalogue()
    if sku is None:
        return known.asic(str(asic))
    found = known.sku(sku)
    if asic is not None and known.asic(asic).name != found.name:
        raise UsageError(f"{found.shown} is no {known.asic(asic).title}: give --sku or --asic, or a pair that fits")
    return found


def check_speed(chip: Chip | None, rate: int) -> None:
    """Raise UsageError when the chip has no port of this speed."""
    speeds = chip.speeds() if chip is not None else ()
    if chip is not None and speeds and rate not in {speed * GIGABIT for speed in speeds}:
        accepted = ", ".join(f"{speed}G" for speed in speeds)
        raise UsageError(f"{chip.shown} has no port of {print_rate(rate)}; accepted: {accepted}")


def check_mtu(chip: Chip | None, mtu: int) -> None:
    """Raise UsageError when the chip carries no frame of this size."""
    most = chip.whole("mtu") if chip is not None else None
    if chip is not None and most is not None and mtu > most:
        raise UsageError(f"MTU {mtu} B is more than {chip.shown} carries; accepted: {LEAST_MTU} to {most} B")


@dataclass(frozen=True, slots=True)
class Limit:
    """The most headroom that one port may keep, and who says so."""

    size: int
    what: str


def port_limit(chip: Chip | None) -> Limit | None:
    """Return the chip's limit on one port's headroom: its own, else all of its memory; None when neither is known."""
    if chip is None:
        return None
    own = chip.whole("port_limit")
    if own is not None:
        return Limit(own, "a port may keep at most")
    memory, _ = chip.memory()
    return None if memory is None else Limit(memory, "the whole buffer holds")


def too_long(chip: Chip, rate: int, metres: units.Number, need: int, longest: int, limit: Limit) -> UsageError:
    """Return the refusal of a cable that the chip cannot make lossless."""
    accepted = f"above 0m, up to {print_length(longest)}" if longest else "none"
    return UsageError(
        f"{print_length(metres)} at {print_rate(rate)} needs {need} B of headroom on {chip.shown}, {limit.what}"
        f" {limit.size} B; accepted cables: {accepted}"
    )
