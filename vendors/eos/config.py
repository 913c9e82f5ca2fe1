"""What a running configuration of EOS says, section by section, before anything is resolved."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from rocecfg.state.model import Amount, Line, Where
from rocecfg.state.numbers import DSCP_NAMES, number_set, whole_number

_PORT = re.compile(
    r"(eth(?:ernet)?|et|e|port-channel|po) ?((?:\d{1,4}|[A-Z])(?:/(?:\d{1,3}|[A-Z])){0,2})", re.IGNORECASE
)
"""A letter stands for a number where somebody made a text general: EthernetN/1."""
_UNITS = {
    "segments": "segment",
    "bytes": "byte",
    "kbytes": "kbyte",
    "mbytes": "mbyte",
    "milliseconds": "ns",
    "microseconds": "ns",
    "cells": "cell",
}
_FACTORS = {"byte": 1, "kbyte": 1_000, "mbyte": 1_000_000}
_NANOSECONDS = {"milliseconds": 1_000_000, "microseconds": 1_000}
LARGEST_NUMBER = 10**12
"""Larger numbers are no thresholds, rates or sizes of a switch."""

Value = Any
Settings = dict[str, tuple[Value, int]]
"""What a section states: name -> (value, number of the line). Queues: "queues.3.ecn"."""


@dataclass(slots=True)
class Holder:
    """A section that holds port settings: an interface, a qos profile, an interface profile."""

    name: str
    number: int
    settings: Settings = field(default_factory=dict)
    cleared: Settings = field(default_factory=dict)
    """What `no ...` and `default ...` lines give back: the default, unless a profile says otherwise."""

    def take(self, key: str, value: Value, number: int, *, cleared: bool) -> None:
        """Note a value; the later line wins, as on the device."""
        if cleared:
            self.settings.pop(key, None)
            self.cleared[key] = (value, number)
        else:
            self.cleared.pop(key, None)
            self.settings[key] = (value, number)


@dataclass(slots=True)
class ClassMap:
    """A class-map type qos: the codes it matches; None = packets that no code tells (an access list, a VLAN)."""

    name: str
    number: int
    dscp: frozenset[int] = frozenset()
    cos: frozenset[int] = frozenset()
    other: bool = False


@dataclass(slots=True)
class Policy:
    """A policy-map type quality-of-service: class -> (traffic class or None, line), in order."""

    name: str
    number: int
    classes: dict[str, tuple[int | None, int]] = field(default_factory=dict)
    rewrites: dict[str, int] = field(default_factory=dict)
    """Class -> DSCP that is set."""


@dataclass(slots=True)
class MmuProfile:
    """A `platform trident mmu queue profile`: ingress and egress shares of the buffer."""

    name: str
    number: int
    settings: Settings = field(default_factory=dict)
    """"threshold", "headroom", "reserved" (ingress, all groups), "3.threshold" (one group), "queue 3.threshold"."""


@dataclass(slots=True)
class Config:
    """All that a running configuration says about our subject."""

    file: str
    hostname: str = ""
    version: str = ""
    model: str = ""
    dscp_map: Settings = field(default_factory=dict)
    """DSCP as text -> (traffic class, line)."""
    cos_map: Settings = field(default_factory=dict)
    queue_map: Settings = field(default_factory=dict)
    """Traffic class as text -> (transmit queue, line)."""
    rewrite_map: Settings = field(default_factory=dict)
    """Traffic class as text -> (DSCP that leaves the switch, line)."""
    drop_precedence: dict[int, int] = field(default_factory=dict)
    options: Settings = field(default_factory=dict)
    """Global lines: "all off", "timeout", "restore", "poll", "action", "override", "rewrite dscp", ..."""
    profiles: dict[str, Holder] = field(default_factory=dict)
    interface_profiles: dict[str, Holder] = field(default_factory=dict)
    interfaces: dict[str, Holder] = field(default_factory=dict)
    class_maps: dict[str, ClassMap] = field(default_factory=dict)
    policies: dict[str, Policy] = field(default_factory=dict)
    mmu_profiles: dict[str, MmuProfile] = field(default_factory=dict)
    session: bool = False
    """A pasted configuration session: what it does not say may stand on the device."""
    other_interfaces: int = 0
    """Interfaces that are no ports: management, VLANs, loopbacks. A switch may be set up with nothing else."""
    lines: list[Line] = field(default_factory=list)
    lines_read: int = 0

    def where(self, number: int) -> Where:
        """Return a line of this text as a place."""
        return Where(self.file, number)

    def refuse(self, text: str, number: int) -> None:
        """Report a line that nobody took."""
        self.lines.append(Line(text, self.where(number)))

    def says_anything(self) -> bool:
        """Return whether something of our subject stands in the text."""
        found = (
            self.interfaces, self.profiles, self.mmu_profiles, self.options, self.dscp_map, self.cos_map,
            self.queue_map, self.rewrite_map, self.policies, self.class_maps, self.interface_profiles,
            self.other_interfaces,
        )  # fmt: skip
        return any(found)


def port_name(text: str) -> str | None:
    """Return the name EOS prints for a port ("et1/1" -> "Ethernet1/1"), None when it is no port's name."""
    found = _PORT.fullmatch(text.strip())
    if found is None:
        return None
    return ("Port-Channel" if found[1].lower().startswith("po") else "Ethernet") + found[2].upper()


_KIND = re.compile(r"(eth(?:ernet)?|et|e|port-channel|po) ?(?=\d)", re.IGNORECASE)
_RUN = re.compile(r"([0-9]{1,4})(?:-([0-9]{1,4}))?")


def port_names(text: str, limit: int = 600) -> list[str] | None:
    """Return the ports that a header names; None when it names none, or more than `limit`.

    Every number may run: `Ethernet1-4,7`, `Ethernet49-52/1`, `Ethernet1-2/1-4` (eight ports), `Ethernet1/31-34/1`.
    """
    single = port_name(text)
    if single is not None:
        return [single]
    names: list[str] = []
    kind = ""
    for part in text.split(",", limit):
        piece = part.strip()
        found = _KIND.match(piece)
        if found is not None:
            kind = "Port-Channel" if found[1].lower().startswith("po") else "Ethernet"
            piece = piece[found.end() :]
        run = _run(piece) if kind else None
        if run is None or len(names) + len(run) > limit:
            return None
        names += [kind + name for name in run]
    return names


def _run(text: str) -> list[str] | None:
    """Return the numbers that one part of a header stands for, None when it makes no sense."""
    names = [""]
    pieces = text.split("/", 3)
    for piece in pieces if len(pieces) < 4 else ():
        found = _RUN.fullmatch(piece)
        if found is None or not 0 <= int(found[2] or found[1]) - int(found[1]) < 600:
            return None
        numbers = range(int(found[1]), int(found[2] or found[1]) + 1)
        if len(names) * len(numbers) > 4096:
            return None
        names = [f"{name}/{number}" if name else str(number) for name in names for number in numbers]
    return names if names != [""] else None


_CODES = {"default": 0, "be": 0, "cs0": 0, **DSCP_NAMES}


def codes(text: str, top: int) -> frozenset[int] | None:
    """Return the codes of a list: `18 20 22`, `24-31`, `af31`, `1,3`; None when it is none."""
    return number_set(text, top, _CODES if top == 63 else None)


_SECONDS = re.compile(r"([0-9]{1,6})(?:\.([0-9]{1,6}))?")


def milliseconds(word: str) -> int | None:
    """Return seconds with decimals ("0.20") as milliseconds, None for any other word."""
    found = _SECONDS.fullmatch(word)
    if found is None:
        return None
    thousandths = (found[2] or "").ljust(3, "0")
    return int(found[1]) * 1000 + int(thousandths[:3])


def amount(word: str, unit: str) -> Amount | None:
    """Return a threshold in its own unit, None when the number or the unit is none.

    kbytes and mbytes are taken as 1000 and 1000000 bytes: nobody states which the device means.
    """
    value, kind = whole_number(word, LARGEST_NUMBER), _UNITS.get(unit)
    if value is None or kind is None:
        return None
    if kind == "ns":
        return Amount(value * _NANOSECONDS[unit], "ns")
    factor = _FACTORS.get(kind)
    return Amount(value, kind, value * factor if factor is not None else None)  # type: ignore[arg-type]


_SPEED = re.compile(r"(?:forced |auto )?([0-9]{1,5}(?:\.[0-9])?)(t|g|m)?(?:full|half)?(?:-[0-9])?")
_OF_SPEED = {"t": 10**12, "g": 10**9, "m": 10**6, None: 10**6}


def speed(text: str) -> int | None:
    """Return bit/s of a speed word: `100g-2`, `forced 100gfull`, `400g`, `1.6t-8`, `10000full`; None for `auto`."""
    found = _SPEED.fullmatch(text)
    if found is None:
        return None
    whole, _, tenth = found[1].partition(".")
    factor = _OF_SPEED[found[2]]
    return int(whole) * factor + (int(tenth) * factor // 10 if tenth else 0)
