"""Reads `display qos map-table`: the priority maps in force, defaults included."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.model import Device, Line, Where
from rocecfg.state.numbers import whole_number

if TYPE_CHECKING:
    from rocecfg.state.capture import Text
    from vendors.h3c.config import Config

_HERE = Path(__file__)
_NAMES = load_module(_HERE.with_name("names.py"))
_SHOWS = load_module(_HERE.with_name("shows.py"))
_SECTIONS = load_module(_HERE.with_name("system_sections.py"))

COMMAND = "display-qos-map-table"
_HEADER = re.compile(r"MAP-TABLE NAME: ?(\S{1,40}) TYPE: ?\S+(?: DIRECTION: ?(\S+))?")
_ROW = re.compile(r"(\d{1,3}) : (\d{1,3})")

Maps = dict[str, dict[int, int]]
"""Priority map -> input -> output."""


def read_maps(text: Text) -> tuple[Maps, Device]:
    """Return the maps of a display output, and a device with its lines. Raises ReadError where there is no map."""
    maps: Maps = {}
    lines: list[Line] = []
    count, seen = 0, False
    table: dict[int, int] | None = None
    top = to_top = 0
    for at, line in _SHOWS.table_lines(text):
        header, row = _HEADER.fullmatch(line), _ROW.fullmatch(line)
        if header is not None:
            seen = True
            name, direction = header[1], header[2]
            top, to_top = _SECTIONS.MAPS.get(name, (0, 0))
            # Maps of MPLS and other marks, and those of what goes out, are no concern of ours.
            table = maps.setdefault(name, {}) if top and direction in (None, "inbound") else None
            continue
        if line == "IMPORT : EXPORT" or (table is None and seen):
            continue
        count += 1
        code, to = (whole_number(row[1], top), whole_number(row[2], to_top)) if row else (None, None)
        if table is None or code is None or to is None:
            lines.append(Line(line, Where(text.file, at)))
        else:
            table[code] = to
    if not seen:
        raise ReadError(f"{text.file}: no map in it: expected the output of display qos map-table")
    device = Device("", "h3c", source="applied", lines=tuple(lines), lines_read=count, place=Where(text.file))
    return maps, device


def add_maps(config: Config, maps: Maps) -> None:
    """Complete the maps of a configuration with what the device shows; the configuration's own lines stay."""
    for name, table in maps.items():
        known = config.maps.setdefault(name, {})
        for code, to in table.items():
            known.setdefault(code, (to, 0))
