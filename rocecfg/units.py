"""Quantities as people write them (`150KB`, `400G`, `30m`, `200ms`, `10%`, `1/8`) and as the engine counts them.

After parsing everything is a plain number in one base unit:

    size        bytes                     150KB = 150,000   1MiB = 1,048,576
    rate        bits per second           400G = 400,000,000,000
    length      metres                    30m, 0.5m, 2km
    duration    nanoseconds               200ms, 8us
    percent     percent points            10% = 10
    alpha       dynamic threshold factor  1/8, 2
    ratio       plain ratio               1.5, 3/2, "2:1"

KB is 1000 bytes and KiB 1024; what a vendor calls "kbytes" is the vendor folder's business.
Numbers are `int` where they are whole and `Fraction` where they are not: nothing is rounded.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from rocecfg.errors import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

Number = int | Fraction

SIZE_UNITS: Mapping[str, int] = {
    "B": 1, "KB": 10**3, "kB": 10**3, "MB": 10**6, "GB": 10**9,
    "KiB": 2**10, "MiB": 2**20, "GiB": 2**30,
}  # fmt: skip
RATE_UNITS: Mapping[str, int] = {"M": 10**6, "G": 10**9, "T": 10**12}
LENGTH_UNITS: Mapping[str, Fraction] = {"m": Fraction(1), "km": Fraction(1000), "cm": Fraction(1, 100)}
DURATION_UNITS: Mapping[str, int] = {
    "ns": 1, "us": 10**3, "µs": 10**3, "μs": 10**3, "ms": 10**6, "s": 10**9,
}  # fmt: skip

_NUMBER = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,18})?)[ ]?(.*)", re.DOTALL)
_FRACTION = re.compile(r"([0-9]{1,9})/([0-9]{1,9})")
_POWER_OF_TWO = re.compile(r"2\^(-?[0-9]{1,2})")
_RATE_SUFFIX = re.compile(r"(?<=[MGT])(?:b/s|bps|bit/s)\Z")


class UnitError(ValueError):
    """A quantity that cannot be read: `message` shows the value, `help` the accepted forms."""

    def __init__(self, message: str, help: str) -> None:  # noqa: A002 - the word of `Problem`
        super().__init__(f"{message}; {help}")
        self.message = message
        self.help = help


def shown(value: object, limit: int = 60) -> str:
    """Return a value as it may stand in a message: quoted, one line, never long."""
    words = {"True": "true", "False": "false", "None": "nothing"}  # as YAML writes them
    text = value if isinstance(value, str) else repr(value)
    text = text if isinstance(value, str) else words.get(text, text)
    return repr(text[:limit] + "..." if len(text) > limit else text).replace("'", '"')


def parse_size(value: object) -> int:
    """Return bytes of `150KB` or `1MiB`. Raises UnitError, also for a part of a byte."""
    return _whole(value, "size", SIZE_UNITS, "150KB (1000), 128KiB (1024), 12MB, 9216B", "bytes")


def parse_rate(value: object) -> int:
    """Return bit/s of `400G` (also `400Gb/s`). Raises UnitError."""
    plain = _RATE_SUFFIX.sub("", value) if isinstance(value, str) and len(value) < 40 else value
    return _whole(plain, "speed", RATE_UNITS, "25G, 400G, 1.6T", "bit/s")


def parse_duration(value: object) -> int:
    """Return nanoseconds of `200ms`, `8us` or `1s`. Raises UnitError."""
    return _whole(value, "time", DURATION_UNITS, "8us, 200ms, 1s", "nanoseconds")


def parse_length(value: object) -> Number:
    """Return metres of `30m`, `0.5m` or `2km`. Raises UnitError."""
    return _narrow(_quantity(value, "length", LENGTH_UNITS, "3m, 0.5m, 2km"))


def parse_percent(value: object) -> Number:
    """Return percent points of `10%` (10). Raises UnitError, also below 0 or above 100."""
    percent = _quantity(value, "percentage", {"%": Fraction(1)}, "10%, 0.5%")
    if percent > 100:
        raise UnitError(f"percentage {shown(value)} is above 100%", "accepted: 0% to 100%")
    return _narrow(percent)


def parse_alpha(value: object) -> Fraction:
    """Return the dynamic threshold factor of `1/8`, `2`, `0.125` or `2^-3`. Raises UnitError."""
    if isinstance(value, str) and (match := _POWER_OF_TWO.fullmatch(value)):
        exponent = int(match[1])
        if -16 <= exponent <= 16:
            return Fraction(2) ** exponent
    return _bare(value, "alpha", "1/8, 2, 0.125, 2^-3")


def parse_ratio(value: object) -> Fraction:
    """Return the ratio of `1.5`, `3/2` or `"2:1"`. Raises UnitError, also for 0."""
    if isinstance(value, str) and value.endswith(":1"):
        value = value.removesuffix(":1")
    return _bare(value, "ratio", '1.5, 3/2, "2:1"')


def print_size(count: int) -> str:
    """Return the shortest text that `parse_size` reads back as `count` bytes."""
    return _shortest(count, SIZE_UNITS)


def print_rate(bits_per_second: int) -> str:
    """Return the shortest text that `parse_rate` reads back, such as `400G`."""
    return _shortest(bits_per_second, RATE_UNITS)


def print_duration(nanoseconds: int) -> str:
    """Return the shortest text that `parse_duration` reads back, such as `200ms`."""
    return _shortest(nanoseconds, {u: f for u, f in DURATION_UNITS.items() if u.isascii()})


def print_length(metres: Number) -> str:
    """Return the shortest text that `parse_length` reads back, such as `30m`."""
    return _shortest(metres, {"m": 1, "km": 1000})


def print_percent(percent: Number) -> str:
    """Return `10%`."""
    return f"{_decimal(Fraction(percent)) or Fraction(percent)}%"


def print_alpha(alpha: Number) -> str:
    """Return `1/8` or `2`."""
    return str(Fraction(alpha))


def _whole(value: object, what: str, units: Mapping[str, int], forms: str, base: str) -> int:
    exact = _quantity(value, what, units, forms)
    if exact.denominator != 1:
        raise UnitError(f"{what} {shown(value)} is no whole number of {base}", f"accepted: {forms}")
    return exact.numerator


def _quantity(value: object, what: str, units: Mapping[str, int | Fraction], forms: str) -> Fraction:
    accepted = f"accepted: {forms}"
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise UnitError(f"{shown(value)} is no {what}", accepted)
    if not isinstance(value, str):
        raise UnitError(f"{what} {shown(value)} has no unit", accepted)
    match = _NUMBER.fullmatch(value.strip())
    if not match:
        raise UnitError(f"{shown(value)} is no {what}", accepted)
    number, unit = match[1], match[2]
    if not unit:
        raise UnitError(f"{what} {shown(value)} has no unit", accepted)
    factor = units.get(unit)
    if factor is None:
        known = {name.lower(): name for name in units}
        near = f', did you mean "{known[unit.lower()]}"?' if unit.lower() in known else did_you_mean(unit, units)
        raise UnitError(f"{what} {shown(value)} has the unknown unit {shown(unit, 20)}{near}", accepted)
    return Fraction(number) * factor


def _bare(value: object, what: str, forms: str) -> Fraction:
    """Read a number that has no unit by nature; floats come from YAML and are taken as they were written."""
    accepted = f"accepted: {forms}"
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise UnitError(f"{shown(value)} is no {what}", accepted)
    text = str(value).strip() if len(str(value)) < 60 else ""
    if match := _FRACTION.fullmatch(text):
        numerator, denominator = int(match[1]), int(match[2])
        result = Fraction(numerator, denominator) if denominator else Fraction(0)
    elif (match := _NUMBER.fullmatch(text)) and not match[2]:
        result = Fraction(match[1])
    else:
        raise UnitError(f"{shown(value)} is no {what}", accepted)
    if result <= 0:
        raise UnitError(f"{what} {shown(value)} must be above 0", accepted)
    return result


def _narrow(value: Fraction) -> Number:
    return value.numerator if value.denominator == 1 else value


def _decimal(value: Fraction, most: int = 9) -> str | None:
    """Return the exact decimal text, or None when it needs more than `most` places."""
    scaled = value * 10**most
    if scaled.denominator != 1:
        return None
    digits = str(scaled.numerator).rjust(most + 1, "0")
    return f"{digits[:-most]}.{digits[-most:]}".rstrip("0").rstrip(".")


def _shortest(value: Number, units: Mapping[str, int]) -> str:
    smallest = min(units.values())
    texts = [
        (len(text) + len(unit), -factor, f"{text}{unit}")
        for unit, factor in units.items()
        if (factor <= value or factor == smallest) and (text := _decimal(Fraction(value) / factor)) is not None
    ]
    if texts:
        return min(texts)[2]
    unit, factor = min(units.items(), key=lambda item: item[1])  # no finite decimal: thirds of a metre
    return f"{Fraction(value) / factor}{unit}"
