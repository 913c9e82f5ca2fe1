"""Reads `show interface ... qos buffers`: pool, pause limit and headroom of each priority, and how full they were."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError
from rocecfg.state.counters import Tally
from rocecfg.state.model import (
    Amount,
    Device,
    Dynamic,
    Headroom,
    Line,
    Port,
    PortQos,
    PriorityGroup,
    Static,
    Where,
    eight,
    intern_ports,
)
from rocecfg.state.numbers import whole_number
from rocecfg.state.sections import text_lines

if TYPE_CHECKING:
    from rocecfg.state.capture import Text
    from rocecfg.state.model import Limit

COMMAND = "show-interface-qos-buffers"
KBYTE = 1024
_HEADER = re.compile(r"Buffer usage for (\d{1,2}/\d{1,2}/\d{1,3}(?::\d)?) in kbytes:")
_ROW = re.compile(
    r"(?P<priority>[0-7]) (?P<kind>Lossy|Lossless|Headroom) (?P<pool>\d{1,2}) \d{1,9} \d{1,9} (?P<peak>\d{1,9})"
    r"(?: (?P<limit>Dyn:-?\d{1,2}|\d{1,9}))?"
)
_KNOWN = ("Cable Length:", "Recent Peak Interval:", "Dynamic thresholds limit", "Ingress:", "Egress:", "Pri ", "--- ")
_MOST_PORTS = 20_000
_LARGEST_POWER = 16


def read_buffers(text: Text) -> Device:
    """Return what the tables say. Raises ReadError where no port is named."""
    tally = Tally()
    groups: dict[str, dict[int, PriorityGroup]] = {}
    places: dict[str, Where] = {}
    lines: list[Line] = []
    port, read = "", 0
    for at, raw in enumerate(text_lines(text.content), 1):
        words, place = " ".join(raw.split()), Where(text.file, at)
        header, row = _HEADER.fullmatch(words), _ROW.fullmatch(words)
        if header is not None:
            port = header[1] if len(groups) < _MOST_PORTS else ""
            groups.setdefault(port, {})
            places.setdefault(port, place)
        elif row is not None and port:
            number = int(row["priority"])
            groups[port][number] = _with_row(groups[port].get(number, PriorityGroup()), row)
            if row["kind"] == "Headroom":
                tally.add(port, "headroom_peak", int(row["peak"]) * KBYTE, place, number)
        elif not port or not words or words.startswith(_KNOWN) or words.endswith("#"):
            continue
        else:
            lines.append(Line(words, place))
        read += 1
    if not groups:
        raise ReadError(f"{text.file}: no port in it: keep the line Buffer usage for ... in kbytes")
    return Device(
        "",
        "aruba_cx",
        source="applied",
        ports=intern_ports(
            Port(name, PortQos(priority_groups=eight(found)), place=places[name]) for name, found in groups.items()
        ),
        lines=tuple(lines),
        lines_read=read,
        sample=tally.sample(),
    )


def _with_row(group: PriorityGroup, row: re.Match[str]) -> PriorityGroup:
    if row["kind"] == "Lossy":
        return replace(group, lossless=False)
    if row["kind"] == "Headroom":
        kbytes = whole_number(row["limit"] or "", 10**9)
        amount = None if kbytes is None else Amount(kbytes, "kbyte", kbytes * KBYTE)
        return replace(group, headroom=Headroom(amount, by="box"))
    return replace(group, lossless=True, pool=row["pool"], xoff_at=_limit(row["limit"] or ""))


def _limit(words: str) -> Limit | None:
    """Return `Dyn:1` (2 to that power times the free space), or kbytes."""
    _, dynamic, power = words.partition("Dyn:")
    if dynamic:
        return Dynamic(Fraction(2) ** int(power)) if abs(int(power)) <= _LARGEST_POWER else None
    kbytes = whole_number(words, 10**9)
    return None if kbytes is None else Static(Amount(kbytes, "kbyte", kbytes * KBYTE))
