"""What a Comware configuration says, view by view, before anything is resolved."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rocecfg.state.model import Line, Where

if TYPE_CHECKING:
    from rocecfg.state.model import Unit

Value = Any
Settings = dict[str, tuple[Value, int]]
"""What a view states: name -> (value, number of the line)."""

GREEN, YELLOW, RED = "green", "yellow", "red"
COLOURS = (GREEN, YELLOW, RED)
"""The drop levels 0, 1 and 2."""


@dataclass(slots=True)
class WredQueue:
    """One queue of a WRED table, or of a port that has its WRED lines itself."""

    limits: dict[str, tuple[int, int, int | None, int]] = field(default_factory=dict)
    """Colour -> (low, high, percent or None, number of the line)."""
    ecn: int = 0
    """The line that turns ECN on, 0 = none."""
    weight: tuple[int, int] | None = None
    """(exponent, number of the line)."""


@dataclass(slots=True)
class WredTable:
    """A `qos wred queue table`."""

    name: str
    number: int
    queues: dict[int, WredQueue] = field(default_factory=dict)

    def queue(self, number: int) -> WredQueue:
        """Return a queue, made on first sight."""
        return self.queues.setdefault(number, WredQueue())


@dataclass(slots=True)
class Schedule:
    """How queues are served: lines of a port, or a `qos qmprofile`."""

    mode: str = ""
    """`sp`, `wrr`, `wfq`; empty = nobody said."""
    number: int = 0
    queues: dict[int, tuple[str, int | None, int]] = field(default_factory=dict)
    """Queue -> ("sp" or "1" or "2" = group, weight, number of the line)."""
    guarantees: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Queue -> (bit/s, number of the line)."""

    def said(self) -> bool:
        """Return whether anything was said of the scheduling."""
        return bool(self.mode or self.queues)


@dataclass(slots=True)
class Interface:
    """A port or an aggregate: all its blocks, ranges expanded, later lines over earlier ones."""

    name: str
    number: int
    settings: Settings = field(default_factory=dict)
    schedule: Schedule = field(default_factory=Schedule)
    wred: WredTable = field(default_factory=lambda: WredTable("", 0))
    buffers: dict[int, dict[str, tuple[int, int]]] = field(default_factory=dict)
    """802.1p priority -> PFC buffer word -> (value, number of the line)."""
    shapers: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Queue -> (bit/s, number of the line)."""


@dataclass(slots=True)
class Config:
    """All that a configuration says about our subject."""

    file: str
    hostname: str = ""
    version: str = ""
    returned: bool = False
    """The text ends with `return`: Comware prints it as the last line."""
    session: bool = False
    blocks: int = 0
    options: Settings = field(default_factory=dict)
    maps: dict[str, dict[int, tuple[int, int]]] = field(default_factory=dict)
    """Priority map -> input -> (output, number of the line)."""
    tables: dict[str, WredTable] = field(default_factory=dict)
    profiles: dict[str, Schedule] = field(default_factory=dict)
    intervals: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Local precedence -> (deadlock interval in precision units, number of the line)."""
    delays: dict[int, tuple[int, int]] = field(default_factory=dict)
    pools: dict[str, tuple[int, int]] = field(default_factory=dict)
    """PFC headroom pool -> (cells, number of the line)."""
    buffers: dict[int, dict[str, tuple[Unit, int, int]]] = field(default_factory=dict)
    """Egress queue -> "shared" or "guaranteed" -> (unit, value, number of the line)."""
    applied: int = 0
    """The line `buffer apply`, 0 = there is none."""
    learnt: dict[int, int] = field(default_factory=dict)
    """Queues whose ECN thresholds AI ECN moves -> the line."""
    remarking: dict[str, str] = field(default_factory=dict)
    """Behaviours and policies that change the marks of packets -> the first word of the action."""
    policies: dict[str, list[str]] = field(default_factory=dict)
    """`qos policy` -> its behaviours."""
    everywhere: set[str] = field(default_factory=set)
    """Policies applied to what comes in by any port, or by those of some VLANs."""
    ranges: dict[str, list[str]] = field(default_factory=dict)
    interfaces: dict[str, Interface] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)
    lines_read: int = 0

    def where(self, number: int) -> Where:
        """Return the place of a line of this text."""
        return Where(self.file, number)

    def refuse(self, text: str, number: int) -> None:
        """Note a line of our views that nobody understands."""
        self.lines.append(Line(text, Where(self.file, number)))

    def interface(self, name: str, number: int) -> Interface:
        """Return a port, made on first sight."""
        port = self.interfaces.get(name)
        if port is None:
            port = self.interfaces[name] = Interface(name, number)
        return port
