"""The small values that a state is made of: places, amounts, limits, code maps, curves."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

NEVER: Final = -1
"""A time that is known to be unset: the watchdog never restores, the timer never fires."""
UNLIMITED: Final = -1
"""A rate that is known to be without a limit."""

PRIORITIES: Final = range(8)
DSCPS: Final = range(64)

Unit = Literal["byte", "kbyte", "mbyte", "cell", "packet", "segment", "percent", "ns"]
Trust = Literal["dscp", "pcp", "both", "none"]
Source = Literal["intended", "running", "startup", "applied"]
Action = Literal["drop", "forward", "alert", "ignore-pause", "port-down", "pfc-off"]


@dataclass(frozen=True, slots=True)
class Where:
    """A place in a text: file, line from 1 (0 = the file as a whole), column from 1 (0 = the whole line)."""

    file: str
    line: int = 0
    column: int = 0

    def __reduce__(self) -> tuple[type[Where], tuple[str, int, int]]:
        """Travel between processes as a call: three times faster than what dataclasses do by themselves."""
        return Where, (self.file, self.line, self.column)


@dataclass(frozen=True, slots=True)
class Amount:
    """A quantity in the device's own unit; `bytes` is the same in bytes, None when the factor is unknown."""

    value: int | Fraction
    unit: Unit = "byte"
    bytes: int | None = field(default=None, compare=False)

    @classmethod
    def of_bytes(cls, count: int) -> Amount:
        """Return an amount that is stated in bytes."""
        return cls(count, "byte", count)


@dataclass(frozen=True, slots=True)
class Dynamic:
    """A limit of alpha x free shared buffer. `index` is kept where the device's ratio table is unpublished."""

    alpha: Fraction | None = None
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Static:
    """A fixed limit."""

    amount: Amount


Limit = Dynamic | Static


@dataclass(frozen=True, slots=True)
class CodeMap:
    """64 DSCPs or 8 PCPs to traffic classes; None = this code is not known (capture) or free (plan)."""

    to: tuple[int | None, ...]
    stated: int = field(default=0, compare=False)
    """Bit n = code n stands in the text (the rest comes from the system's default)."""
    conflicts: tuple[tuple[int, frozenset[int]], ...] = ()
    """Codes that the text maps to several classes (NIC APP tables allow it)."""

    def codes(self, traffic_class: int) -> tuple[int, ...]:
        """Return the codes that land in a traffic class, ascending."""
        return tuple(code for code, to in enumerate(self.to) if to == traffic_class)


@dataclass(frozen=True, slots=True)
class Curve:
    """A marking or dropping ramp: nothing below `low`, `probability` percent at `high`, all above."""

    low: Amount | None = None
    high: Amount | None = None
    probability: int | None = None
    colours: frozenset[str] = frozenset()
    """Empty = every colour."""
    active: bool | None = True
    """False = the thresholds stand there and the switch that arms them does not (SONiC `wred_green_enable`)."""


_Q = TypeVar("_Q")


def eight(values: Mapping[int, _Q]) -> tuple[_Q | None, ...]:
    """Return an 8-tuple with the given places filled and None elsewhere."""
    return tuple(values.get(number) for number in range(8))


def code_map(codes: Mapping[int, int], size: int = 64, *, rest: int | None = None) -> CodeMap:
    """Return a map of 64 DSCPs (or 8 PCPs) from the stated codes; `rest` = class of all others."""
    stated = 0
    for code in codes:
        stated |= 1 << code
    return CodeMap(tuple(codes.get(code, rest) for code in range(size)), stated)
