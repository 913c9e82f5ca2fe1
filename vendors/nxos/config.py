"""What a running configuration of NX-OS says, section by section, before anything is resolved."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rocecfg.state.model import Line, Where
from rocecfg.state.numbers import DSCP_NAMES, number_set, whole_number

if TYPE_CHECKING:
    from rocecfg.state.grammar import Record

_PORT = re.compile(r"(eth(?:ernet)?|e|po(?:rt-channel)?) ?(\d{1,4}(?:/\d{1,3}){0,3})", re.IGNORECASE)
RATES = {"bps": 1, "kbps": 1_000, "mbps": 1_000_000, "gbps": 1_000_000_000}

Value = Any
Settings = dict[str, tuple[Value, int]]
"""What an interface states: name -> (value, number of the line)."""


@dataclass(slots=True)
class ClassMap:
    """A class-map: which packets or groups it means."""

    type: str
    name: str
    match_any: bool
    number: int
    matches: list[tuple[Record, int]] = field(default_factory=list)


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
class Interface:
    """A port or port-channel: all its blocks, ranges expanded, later lines over earlier ones."""

    name: str
    number: int
    settings: Settings = field(default_factory=dict)


@dataclass(slots=True)
class Profile:
    """A port-profile: what ports that inherit it state where they state nothing themselves, once it is enabled."""

    name: str
    number: int
    settings: Settings = field(default_factory=dict)
    parents: list[str] = field(default_factory=list)
    enabled: bool = False


@dataclass(slots=True)
class Config:
    """All that a running configuration says about our subject."""

    file: str
    hostname: str = ""
    version: str = ""
    class_maps: dict[tuple[str, str], ClassMap] = field(default_factory=dict)
    policies: dict[tuple[str, str], Policy] = field(default_factory=dict)
    system: Settings = field(default_factory=dict)
    system_number: int = 0
    options: Settings = field(default_factory=dict)
    interfaces: dict[str, Interface] = field(default_factory=dict)
    profiles: dict[str, Profile] = field(default_factory=dict)
    inherited: dict[str, int] = field(default_factory=dict)
    """Names of port-profiles that ports inherit -> the first such line."""
    elsewhere: list[tuple[str, str, int]] = field(default_factory=list)
    """Attachments to VLANs and logical interfaces: ("qos input", policy, line)."""
    timers: dict[str, int] = field(default_factory=dict)
    """"mac" and "arp": seconds until an entry of the table ages out; "arp" is the longest of the VLAN interfaces."""
    session: bool = False
    """A pasted configuration session: what it does not say may stand on the device."""
    odd_interfaces: dict[str, tuple[str, int]] = field(default_factory=dict)
    """Interface types that NX-OS does not have -> (first header, its line)."""
    blocks: int = 0
    lines: list[Line] = field(default_factory=list)
    lines_read: int = 0

    def where(self, number: int) -> Where:
        """Return the place of a line of this text."""
        return Where(self.file, number)

    def refuse(self, text: str, number: int) -> None:
        """Note a line of our sections that nobody understands."""
        self.lines.append(Line(text, Where(self.file, number)))


def seconds(text: str) -> int | None:
    """Return a plain number of seconds, None for anything else (a timer of one VLAN, a typing mistake)."""
    return whole_number(text.strip(), 9_999_999)


def port_name(text: str) -> str | None:
    """Return the name NX-OS prints for a port ("eth 1/1" -> "Ethernet1/1"), None when it is no port's name."""
    found = _PORT.fullmatch(text.strip())
    if found is None:
        return None
    kind = "port-channel" if found[1].lower().startswith("po") else "Ethernet"
    return kind + found[2]


_CODES = {"default": 0, **DSCP_NAMES}
_PRECEDENCES = {
    word: number
    for number, word in enumerate(
        ("routine", "priority", "immediate", "flash", "flash-override", "critical", "internet", "network")
    )
}


def precedences(text: str) -> frozenset[int] | None:
    """Return the IP precedences of a match list, as numbers or names (`5`, `critical`); None when it is none."""
    return codes(" ".join(str(_PRECEDENCES.get(word.lower(), word)) for word in text.replace(",", " ").split()), 7)


def codes(text: str, top: int) -> frozenset[int] | None:
    """Return the codes of a match list: `18,20,22`, `24-31`, `af31`; None when it is none."""
    return number_set(text, top, _CODES)


def attachment(record: Record) -> str | None:
    """Return "qos input" and the like, None for an attachment that NX-OS does not have."""
    if record.kind == "network":
        return "network-qos"
    kind, direction = record.values.get("type", "qos"), record.values.get("direction")
    known = kind in ("qos", "queuing") and direction in ("input", "output")
    return f"{kind} {direction}" if known else None
