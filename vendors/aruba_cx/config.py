"""What a running configuration of AOS-CX says, section by section, before anything is resolved."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rocecfg.state.model import Line, Where

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

    from rocecfg.state.grammar import Record

_PORT = re.compile(r"\d{1,2}/\d{1,2}/\d{1,3}(?::\d)?")
_LAG = re.compile(r"lag ?(\d{1,4})(?: multi-chassis(?: static)?)?")
Setting = tuple[Any, int]
"""A value and the number of the line that states it."""


@dataclass(slots=True)
class Profile:
    """A queue, schedule or threshold profile: its lines in order."""

    kind: str
    name: str
    number: int
    settings: list[tuple[Record, int]] = field(default_factory=list)


@dataclass(slots=True)
class BufferPool:
    """`qos pool`: sizes as they stand, None for the factory default."""

    name: str
    percent: int | Fraction | None
    headroom: int | None
    priorities: frozenset[int]
    number: int


@dataclass(slots=True)
class Interface:
    """A port or LAG: all its blocks, ranges expanded, later lines over earlier ones."""

    name: str
    number: int
    settings: dict[str, Setting] = field(default_factory=dict)
    pfc: dict[int, tuple[str, int]] = field(default_factory=dict)
    """Priority -> (rx, tx or rxtx, line)."""


@dataclass(slots=True)
class Config:
    """All that a running configuration says about our subject."""

    file: str
    hostname: str = ""
    version: str = ""
    profiles: dict[tuple[str, str], Profile] = field(default_factory=dict)
    pools: dict[str, BufferPool] = field(default_factory=dict)
    dscp: dict[int, Setting] = field(default_factory=dict)
    cos: dict[int, Setting] = field(default_factory=dict)
    rewrites: dict[int, Setting] = field(default_factory=dict)
    options: dict[str, Setting] = field(default_factory=dict)
    """ "trust", "dcbx", and the profiles in force: "queues", "schedule", "thresholds"."""
    interfaces: dict[str, Interface] = field(default_factory=dict)
    blocks: int = 0
    session: bool = False
    lines: list[Line] = field(default_factory=list)
    lines_read: int = 0

    def where(self, number: int) -> Where:
        """Return the place of a line of this text."""
        return Where(self.file, number)

    def refuse(self, text: str, number: int) -> None:
        """Note a line of our sections that nobody understands."""
        self.lines.append(Line(text, Where(self.file, number)))


def port_name(text: str) -> str | None:
    """Return a port's name as AOS-CX prints it (`1/1/1`, `lag 1`); None when it is no port's name."""
    words = " ".join(text.split())
    found = _LAG.fullmatch(words)
    if found is not None:
        return f"lag {found[1]}"
    return words if _PORT.fullmatch(words) else None


def listed(values: Iterable[int]) -> str:
    """Return numbers as a list that AOS-CX takes: `0,1,4`."""
    return ",".join(map(str, sorted(values)))
