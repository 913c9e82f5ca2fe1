"""What a configuration of Onyx says, line by line, before anything is resolved."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rocecfg.state.model import Amount, Line, Where
from rocecfg.state.numbers import whole_number

Value = Any
Settings = dict[tuple[Any, ...], tuple[Value, int]]
"""What a port states: (name, number) -> (value, number of the line)."""

MOST_PORTS = 2_000
"""Ports of one text: the largest Spectrum switch has 128 and can split them into four each."""
MOST_REFERENCES = 200_000
"""Ports named by all lines of one text, ranges expanded; a text with more is not a switch's."""
_KINDS = {"ethernet": "Eth", "eth": "Eth", "port-channel": "Po", "po": "Po", "mlag-port-channel": "Mpo", "mpo": "Mpo"}
_NAME = re.compile(
    r"(eth(?:ernet)?|po(?:rt-channel)?|mpo|mlag-port-channel) ?([0-9]{1,4}(?:/[0-9]{1,3}){0,2})", re.IGNORECASE
)
_SIZE = re.compile(r"([0-9]{1,12})([KkMm]?)")
_PERCENT = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,4})?")
_ALPHA = re.compile(r"([0-9]{1,3})(?:/([0-9]{1,3}))?")


@dataclass(slots=True)
class Interface:
    """A port or port-channel with all that its lines say, later lines over earlier ones."""

    name: str
    number: int
    settings: Settings = field(default_factory=dict)


@dataclass(slots=True)
class TrafficPool:
    """A traffic pool of the simple buffer form."""

    name: str
    number: int
    type: str = ""
    """ "lossless", "lossy", "lossy-mc"; empty = no line says it: lossy, where the text is whole."""
    percent: Fraction | None = None
    priorities: dict[int, int] = field(default_factory=dict)
    """Switch priority -> the line that maps it."""


@dataclass(slots=True)
class BufferPool:
    """A pool of the advanced buffer form."""

    name: str
    number: int
    size: Amount | None
    mode: str


@dataclass(slots=True)
class Config:
    """All that a configuration says about our subject."""

    file: str
    hostname: str = ""
    release: str = ""
    model: str = ""
    database: bool = False
    """The header of a configuration database stands above it: the text is the whole configuration."""
    ports: dict[str, Interface] = field(default_factory=dict)
    pfc: tuple[bool, int] | None = None
    """The device-wide switch of PFC."""
    priorities: dict[int, tuple[bool, int]] = field(default_factory=dict)
    roce: tuple[str, int] | None = None
    """The RoCE mode, "" = known to be off."""
    pools: dict[str, TrafficPool] = field(default_factory=dict)
    advanced: tuple[bool, int] | None = None
    buffer_pools: dict[str, BufferPool] = field(default_factory=dict)
    lldp: bool | None = None
    uses: dict[str, int] = field(default_factory=dict)
    """Pool of the advanced form -> the first line that maps a buffer to it."""
    ranges: dict[tuple[str, str], list[Interface] | None] = field(default_factory=dict)
    """Ranges that were looked up before: most lines of a text name the same few."""
    references: int = 0
    lines: list[Line] = field(default_factory=list)
    lines_read: int = 0

    def where(self, number: int) -> Where:
        """Return the place of a line of this text."""
        return Where(self.file, number)

    def refuse(self, text: str, number: int) -> None:
        """Note a line of our subject that nobody understands."""
        self.lines.append(Line(text, Where(self.file, number)))


def port_name(text: str) -> str | None:
    """Return the name that Onyx prints for a port ("ethernet 1/1" -> "Eth1/1"), None when it is no port's name."""
    found = _NAME.fullmatch(text.strip())
    if found is None:
        return None
    kind = _KINDS[found[1].lower()]
    numbers = found[2].split("/")
    if (kind == "Eth") != (len(numbers) > 1):
        return None
    return kind + "/".join(str(int(number)) for number in numbers)


def command_name(name: str) -> tuple[str, str]:
    """Return the words of a printed name in a command: "Eth1/1" -> ("ethernet", "1/1")."""
    kind = name.rstrip("0123456789/")
    return {"Eth": "ethernet", "Po": "port-channel", "Mpo": "mlag-port-channel"}[kind], name[len(kind) :]


def port_range(kind: str, text: str) -> list[str] | None:
    """Return the ports of a range ("1/13-1/16", "1/1-4", "1/1,1/3", "1-9"), None when it makes no sense."""
    names: list[str] = []
    for part in text.split(","):
        first, dash, last = part.partition("-")
        start = port_name(f"{kind} {first}")
        if start is None:
            return None
        if not dash:
            names.append(start)
            continue
        head, _, low = start.rpartition("/")
        stem, high = last.rpartition("/")[::2]
        if not head:  # a port-channel: the kind stands before the only number
            head, low = start.rstrip("0123456789"), start.lstrip("EthPoMp")
        elif stem and not head.endswith(stem):
            return None
        end = whole_number(high, 9999)
        if end is None or not int(low) <= end < int(low) + 600:
            return None
        joint = "/" if "/" in start else ""
        names += [f"{head}{joint}{number}" for number in range(int(low), end + 1)]
    return names


def size(word: str) -> Amount | None:
    """Return bytes as `67538`; `40K` and `5M` keep their unit, for nobody says whether a K has 1000 or 1024."""
    found = _SIZE.fullmatch(word)
    if found is None:
        return None
    if not found[2]:
        return Amount.of_bytes(int(found[1]))
    return Amount(int(found[1]), "kbyte" if found[2] in "Kk" else "mbyte")


def threshold(word: str) -> Amount | None:
    """Return an absolute threshold: a plain number and `150K` are KB of 1000 bytes, `2M` keeps its unit.

    The RoCE mode marks from 150 KB, which is 150000 bytes on Cumulus Linux for the same chips.
    """
    found = _SIZE.fullmatch(word)
    if found is None or int(found[1]) > 1_000_000:
        return None
    value = int(found[1])
    return Amount(value, "mbyte") if found[2] in ("M", "m") else Amount(value, "kbyte", value * 1000)


def percent(word: str) -> Fraction | None:
    """Return a share of 0 to 100 percent."""
    if _PERCENT.fullmatch(word) is None or not word.isascii():
        return None
    share = Fraction(word)
    return share if share <= 100 else None


def alpha(word: str) -> Fraction | None:
    """Return the factor of `2`, `1/8`; None for `inf` and anything else."""
    found = _ALPHA.fullmatch(word)
    if found is None or (found[2] and not int(found[2])):
        return None
    return Fraction(int(found[1]), int(found[2] or 1))
