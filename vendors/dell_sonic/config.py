"""What a running configuration of the management CLI says, before anything is resolved."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rocecfg.state.model import Line, Where
from rocecfg.state.numbers import number_set, whole_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.grammar import Record

MAP_KINDS = {
    "dscp-tc": ("dscp", 63, 7),
    "dot1p-tc": ("dot1p", 7, 7),
    "tc-queue": ("tc", 15, 7),
    "tc-pg": ("tc", 15, 7),
    "tc-dscp": ("tc", 15, 63),
    "tc-dot1p": ("tc", 15, 7),
    "pfc-priority-queue": ("priority", 7, 7),
    "pfc-priority-pg": ("priority", 7, 7),
}
"""Map -> the lines that may stand in it, the largest key and the largest value."""
_PORT = re.compile(r"(eth|ethernet|portchannel) ?(\d{1,4}(?:/\d{1,3}){0,3})", re.IGNORECASE)


@dataclass(slots=True)
class Named:
    """A map or policy: its entries, each with its line."""

    kind: str
    name: str
    number: int
    entries: dict[Any, tuple[Any, int]] = field(default_factory=dict)


@dataclass(slots=True)
class Interface:
    """A port or port channel: later lines over earlier ones."""

    name: str
    number: int
    settings: dict[str, tuple[Any, int]] = field(default_factory=dict)
    pfc: dict[int, int] = field(default_factory=dict)
    wred: dict[int, tuple[str, int]] = field(default_factory=dict)


@dataclass(slots=True)
class Config:
    """All that a running configuration says about our subject."""

    file: str
    hostname: str = ""
    maps: dict[tuple[str, str], Named] = field(default_factory=dict)
    wred: dict[str, Named] = field(default_factory=dict)
    schedulers: dict[str, Named] = field(default_factory=dict)
    options: dict[str, tuple[Any, int]] = field(default_factory=dict)
    """ "poll", "dcbx", "buffers", "roce"."""
    pools: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Pool -> (bytes of its shared headroom, line)."""
    interfaces: dict[str, Interface] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)
    lines_read: int = 0

    def where(self, number: int) -> Where:
        """Return the place of a line of this text."""
        return Where(self.file, number)


def port_name(text: str) -> str | None:
    """Return a port's name as the switch prints it ("Eth 1/1" -> "Eth1/1"), None when it is no port's name."""
    found = _PORT.fullmatch(" ".join(text.split()))
    if found is None:
        return None
    native = "/" not in found[2]
    kind = {"eth": "Eth", "ethernet": "Ethernet" if native else "Eth", "portchannel": "PortChannel"}[found[1].lower()]
    return kind + found[2]


def take_entry(named: Named, record: Record, number: int) -> bool:
    """Take a line of a map; False when it does not belong there or leaves the range."""
    kind, top, largest = MAP_KINDS[named.kind]
    words: Mapping[str, str] = record.values
    if record.kind != kind:
        return False
    codes, to = number_set(words["codes"], top), whole_number(words["to"], largest)
    if codes is None or to is None:
        return False
    named.entries.update(dict.fromkeys(codes, (to, number)))
    return True
