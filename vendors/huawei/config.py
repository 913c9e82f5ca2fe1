"""What a configuration of a CloudEngine says, section by section, before anything is resolved."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from rocecfg.state.model import Line, Where
from rocecfg.state.numbers import whole_number

PHBS = {"be": 0, "af1": 1, "af2": 2, "af3": 3, "af4": 4, "ef": 5, "cs6": 6, "cs7": 7}
"""Internal priority (PHB) -> queue = PFC priority: fixed by the system."""
COLOURS = ("green", "yellow", "red")
DROP_COLOURS = (*COLOURS, "non-tcp")
"""Before V300 packets other than TCP have a drop curve of their own."""
DSCP_OUT = {0: 0, 1: 10, 2: 18, 3: 26, 4: 34, 5: 46, 6: 48, 7: 56}
"""Queue -> DSCP of green packets that leave it, where marking is on: the default of every domain."""
GIGABIT = 1_000_000_000
_PHYSICAL = re.compile(r"(\d{0,4})GE ?(\d{1,3}(?:/\d{1,3}){1,3}(?::\d{1,2})?)", re.IGNORECASE | re.ASCII)
_TRUNK = re.compile(r"eth-trunk ?(\d{1,5})", re.IGNORECASE | re.ASCII)
_LAST = re.compile(r"(.*?)(\d{1,5})", re.ASCII)
_MOST_IN_RANGE = 600

Value = Any
Settings = dict[str, tuple[Value, int]]
"""What an interface states: name -> (value, number of the line)."""


@dataclass(slots=True)
class PfcProfile:
    """A PFC profile: its priorities and its deadlock times."""

    name: str
    number: int
    priorities: dict[int, int] = field(default_factory=dict)
    """Priority -> line. Empty = the profile's default, priority 3."""
    times: dict[tuple[str, int], tuple[int, int]] = field(default_factory=dict)
    """("detect" or "restore", priority) -> (units, line)."""


@dataclass(slots=True)
class Ramp:
    """An `ecn` or `color` line of a drop profile."""

    unit: str
    low: int
    high: int
    probability: int
    number: int


@dataclass(slots=True)
class DropProfile:
    """A WRED drop profile: one ECN ramp, and a drop curve for each colour."""

    name: str
    number: int
    ecn: Ramp | None = None
    weight: int | None = None
    """Averaging weight of the queue length, in versions that have it."""
    colours: dict[str, Ramp] = field(default_factory=dict)


@dataclass(slots=True)
class Domain:
    """A DiffServ domain: the codes it maps otherwise than by default."""

    name: str
    number: int
    dscp: dict[int, tuple[int, str, int]] = field(default_factory=dict)
    """DSCP -> (queue, colour, line)."""
    pcp: dict[int, tuple[int, str, int]] = field(default_factory=dict)
    dscp_out: dict[tuple[int, str], tuple[int, int]] = field(default_factory=dict)
    """(queue, colour) -> (DSCP, line)."""


@dataclass(slots=True)
class EtsProfile:
    """An ETS profile: priority groups with their queues and weights."""

    name: str
    number: int
    groups: dict[int, str] = field(default_factory=lambda: {0: "drr", 1: "drr", 15: "pq"})
    weights: dict[int, int] = field(default_factory=lambda: {0: 50, 1: 50})
    group_of: dict[int, int] = field(default_factory=lambda: {0: 0, 1: 0, 2: 0, 3: 1, 4: 0, 5: 0, 6: 15, 7: 15})
    lines: dict[int, int] = field(default_factory=dict)
    """Group -> line."""


@dataclass(slots=True)
class Interface:
    """A port or Eth-Trunk: all its blocks together, later lines over earlier ones."""

    name: str
    number: int
    settings: Settings = field(default_factory=dict)
    counted: bool = False
    """Whether a line about our subject stands below it."""


@dataclass(slots=True)
class Config:
    """All that a configuration says about our subject."""

    file: str
    hostname: str = ""
    version: str = ""
    models: dict[str, None] = field(default_factory=dict)
    options: Settings = field(default_factory=dict)
    pfc_profiles: dict[str, PfcProfile] = field(default_factory=dict)
    ets_profiles: dict[str, EtsProfile] = field(default_factory=dict)
    app_profiles: dict[str, int] = field(default_factory=dict)
    drop_profiles: dict[str, DropProfile] = field(default_factory=dict)
    domains: dict[str, Domain] = field(default_factory=dict)
    interfaces: dict[str, Interface] = field(default_factory=dict)
    ai_queues: dict[int, int] = field(default_factory=dict)
    """Queue of AI ECN -> line."""
    device_wide: bool = False
    """Whether something beside interfaces stands in the text."""
    session: bool = False
    """Commands of a session: what they do not say may stand on the device."""
    blocks: int = 0
    lines: list[Line] = field(default_factory=list)
    lines_read: int = 0

    def where(self, number: int) -> Where:
        """Return the place of a line of this text."""
        return Where(self.file, number)

    def refuse(self, text: str, number: int) -> None:
        """Note a line of our sections that nobody understands."""
        self.lines.append(Line(text, Where(self.file, number)))

    def value(self, option: str) -> Value:
        """Return an option of the device, None where no line states it."""
        return self.options[option][0] if option in self.options else None


def port_name(text: str) -> str | None:
    """Return the name VRP prints for a port ("100ge 1/0/1" -> "100GE1/0/1"), None when it is no port of ours."""
    word = text.strip()
    found = _PHYSICAL.fullmatch(word)
    if found is not None:
        return f"{found[1]}GE{found[2]}"
    found = _TRUNK.fullmatch(word)
    return f"Eth-Trunk{found[1]}" if found is not None else None


def speed_of(name: str) -> int | None:
    """Return the bit rate that a port's name tells ("25GE1/0/1"); None for an Eth-Trunk.

    A port in another speed mode, or one part of a split port, is printed under the type it was made as.
    """
    found = _PHYSICAL.fullmatch(name)
    return int(found[1] or 1) * GIGABIT if found is not None and ":" not in name else None


def rate_of(word: str) -> int | None:
    """Return the bit rate of `10G`, `100GE` or `GE`; None for any other word."""
    digits = word.upper().removesuffix("E").removesuffix("G")
    if digits == word.upper() or len(digits) > 4:
        return None
    return GIGABIT if not digits else (whole_number(digits, 1600, 1) or 0) * GIGABIT or None


def slot_of(name: str) -> str:
    """Return the slot of a port ("100GE1/0/1" -> "1"), an empty text for an Eth-Trunk."""
    found = _PHYSICAL.fullmatch(name)
    return found[2].partition("/")[0] if found is not None else ""


def port_list(text: str) -> list[str] | None:
    """Return the ports of `100ge 1/0/1 to 100ge 1/0/4 25GE1/0/7`, None when one of them is no port."""
    names: list[str] = []
    words = text.split()
    at, last_was_to = 0, False
    while at < len(words):
        if words[at] == "to" and names and not last_was_to:
            last_was_to, at = True, at + 1
            continue
        one = port_name(words[at])
        width = 1
        if one is None and at + 1 < len(words):
            one, width = port_name(f"{words[at]} {words[at + 1]}"), 2
        if one is None:
            return None
        more = between(names.pop(), one) if last_was_to else [one]
        if more is None:
            return None
        names += more
        last_was_to, at = False, at + width
    return None if last_was_to or not names else names


def between(first: str, last: str) -> list[str] | None:
    """Return the ports from one to another whose names differ in the last number only."""
    low, high = _LAST.fullmatch(first), _LAST.fullmatch(last)
    if (
        low is None
        or high is None
        or low[1] != high[1]
        or not int(low[2]) <= int(high[2]) < int(low[2]) + _MOST_IN_RANGE
    ):
        return None
    return [f"{low[1]}{number}" for number in range(int(low[2]), int(high[2]) + 1)]
