"""What a running configuration of OS10 says, section by section, before anything is resolved."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rocecfg.state.model import Line, Where

if TYPE_CHECKING:
    from rocecfg.state.grammar import Record

Value = Any
Settings = dict[str, tuple[Value, int]]
"""What an interface or `system qos` states: name -> (value, number of the line)."""

TYPES = ("network-qos", "queuing")
"""The policy types that are read; `qos`, `application` and `control-plane` classify by rules of their own."""


@dataclass(slots=True)
class ClassMap:
    """A class-map: the queues (`type queuing`) or the qos-groups (`type network-qos`) it means."""

    type: str
    name: str
    number: int
    matches: dict[int, int] = field(default_factory=dict)
    """Queue or qos-group -> the line that names it."""


@dataclass(slots=True)
class PolicyClass:
    """A class inside a policy-map and its settings."""

    name: str
    number: int
    settings: list[tuple[Record, int]] = field(default_factory=list)

    def last(self, kind: str) -> tuple[Record, int] | None:
        """Return the setting of a kind that the device keeps: the last one."""
        return next((item for item in reversed(self.settings) if item[0].kind == kind), None)


@dataclass(slots=True)
class Policy:
    """A policy-map with its classes in order."""

    type: str
    name: str
    number: int
    classes: dict[str, PolicyClass] = field(default_factory=dict)


@dataclass(slots=True)
class Table:
    """A trust map (code -> qos-group) or a `qos-map traffic-class` (qos-group -> queue)."""

    kind: str
    name: str
    number: int
    to: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Code or qos-group -> (qos-group or queue, line)."""


@dataclass(slots=True)
class Wred:
    """A `wred` profile: a ramp for each colour, whether it marks, the averaging weight."""

    name: str
    number: int
    ramps: dict[str, tuple[int, int, int, int]] = field(default_factory=dict)
    """Colour -> (minimum KB, maximum KB, percent, line)."""
    ecn: tuple[bool | None, int] = (None, 0)
    """Whether it marks, and the line that says so; a profile that does not say so drops."""
    weight: int | None = None


@dataclass(slots=True)
class Interface:
    """A port or port-channel: all its blocks, ranges expanded, later lines over earlier ones."""

    name: str
    number: int
    settings: Settings = field(default_factory=dict)


@dataclass(slots=True)
class Config:
    """All that a running configuration says about our subject."""

    file: str
    hostname: str = ""
    version: str = ""
    class_maps: dict[tuple[str, str], ClassMap] = field(default_factory=dict)
    policies: dict[tuple[str, str], Policy] = field(default_factory=dict)
    tables: dict[tuple[str, str], Table] = field(default_factory=dict)
    """("dot1p" | "dscp" | "queue", name) -> its lines."""
    wreds: dict[str, Wred] = field(default_factory=dict)
    system: Settings = field(default_factory=dict)
    system_number: int = 0
    options: Settings = field(default_factory=dict)
    interfaces: dict[str, Interface] = field(default_factory=dict)
    odd_interfaces: dict[str, tuple[str, int]] = field(default_factory=dict)
    """Interface types that OS10 does not have -> (first header, its line)."""
    timers: dict[str, int] = field(default_factory=dict)
    """"mac": seconds until an address ages out of the table."""
    session: bool = False
    """A pasted configuration session: what it does not say may stand on the device."""
    partial: bool = False
    """Lines may be missing: what a section does not say is not known to be off."""
    blocks: int = 0
    lines: list[Line] = field(default_factory=list)
    lines_read: int = 0

    def where(self, number: int) -> Where:
        """Return the place of a line of this text."""
        return Where(self.file, number)

    def refuse(self, text: str, number: int, *, inside: bool = False) -> None:
        """Note a line of our sections that nobody understands; `inside` = it stands below a header.

        A blank before it tells other systems that it is no top-level line: they may know it.
        """
        self.lines.append(Line(f" {text}" if inside else text, Where(self.file, number)))


_KIND = r"(eth(?:ernet)?|port-?channel|po)"
_PORT = re.compile(_KIND + r" ?(\d{1,3}/\d{1,3}/\d{1,3}(?::\d{1,2})?|\d{1,4})", re.IGNORECASE | re.ASCII)
_PIECE = re.compile(
    rf"(?:{_KIND} ?)?(\d{{1,3}}/\d{{1,3}}/)?(\d{{1,4}})(?::(\d{{1,2}}))?"
    rf"(?: ?- ?(?:{_KIND} ?)?(\d{{1,3}}/\d{{1,3}}/)?(\d{{1,4}})(?::(\d{{1,2}}))?)?",
    re.IGNORECASE | re.ASCII,
)
MOST_IN_A_RANGE = 1024


def port_name(text: str) -> str | None:
    """Return the name OS10 prints for a port ("Ethernet 1/1/1" -> "ethernet1/1/1"), None when it is no port's name."""
    found = _PORT.fullmatch(text.strip())
    if found is None or found[1].lower().startswith("e") != ("/" in found[2]):
        return None
    return ("ethernet" if found[1].lower().startswith("e") else "port-channel") + found[2]


def port_names(text: str) -> list[str] | None:
    """Return the ports that the header of an interface names; None when it names something else.

    `ethernet1/1/1-1/1/12`, `Ethernet 1/1/1-1/1/4, 1/1/9`, `ethernet1/1/1:1-1/1/2:4` (lanes 1 to 4 of both ports).
    """
    names: list[str] = []
    kind = ""
    for piece in (part.strip() for part in text.split(",")):
        found = _PIECE.fullmatch(piece)
        if found is None:
            return None
        kind = (found[1] or kind).lower()
        ethernet = kind.startswith("e")
        if not kind or ethernet != bool(found[2]) or (found[5] and found[5].lower()[0] != kind[0]):
            return None
        prefix, first, lane = found[2] or "", int(found[3]), int(found[4] or 0)
        last, last_lane = int(found[7] or first), int(found[8] or 0) if found[7] else lane
        if lane and found[7] and not found[6] and not found[8]:  # ethernet1/1/1:1-4
            last, last_lane = first, last
        if found[6] not in (None, prefix) or bool(lane) != bool(last_lane) or last < first or last_lane < lane:
            return None
        if (last - first + 1) * (last_lane - lane + 1) > MOST_IN_A_RANGE:
            return None
        word = "ethernet" if ethernet else "port-channel"
        for number in range(first, last + 1):
            names += [f"{word}{prefix}{number}{f':{at}' if at else ''}" for at in range(lane, last_lane + 1)]
    return names or None
