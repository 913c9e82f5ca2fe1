"""NVUE's numbers: bytes as plain integers, `40000 B`, `153.00 KB` and `1.43 MB` in show outputs, alphas by name."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from rocecfg.state.model import Amount, Dynamic

_UNITS = {"B": ("byte", 1), "Bytes": ("byte", 1), "KB": ("kbyte", 1024), "MB": ("mbyte", 1024**2)}


@lru_cache(maxsize=4096)
def amount(text: str) -> Amount | None:
    """Return an amount; a show output's KB is 1024 bytes (150000 B is shown as 146.48 KB)."""
    number, _, unit = text.strip().partition(" ")
    unit = unit or "B"
    if unit not in _UNITS or len(number) > 20:
        return None
    try:
        value = Fraction(number)
    except (ValueError, ZeroDivisionError):
        return None
    if value < 0:
        return None
    name, factor = _UNITS[unit]
    whole = int(value) if value.denominator == 1 else value
    return Amount(whole, name, int(value * factor))  # type: ignore[arg-type]


def alpha(name: str) -> Dynamic | None:
    """Return the factor of `alpha_1_8`; None for infinity, which no number carries."""
    parts = name.removeprefix("alpha_").split("_")
    if not all(part.isdecimal() for part in parts):
        return None
    return Dynamic(Fraction(int(parts[0]), int(parts[1]) if len(parts) > 1 else 1))


def alpha_name(factor: Fraction) -> str:
    """Return NVUE's name of a factor that `alpha` reads."""
    if factor.denominator == 1:
        return f"alpha_{factor.numerator}"
    return f"alpha_{factor.numerator}_{factor.denominator}"
