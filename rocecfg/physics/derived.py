"""A number that can be argued with."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Term:
    """One summand of a derivation, in bytes."""

    name: str
    bytes: int
    because: str


@dataclass(frozen=True, slots=True)
class Derived:
    """A value, its unit, and why it is this one."""

    value: int | Fraction
    unit: str
    because: str
    terms: tuple[Term, ...] = ()
    assumptions: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()


def round_up(value: int | Fraction, step: int = 1) -> int:
    """Return the smallest multiple of `step` that is not below `value`."""
    return int(-(-Fraction(value) // step)) * step
