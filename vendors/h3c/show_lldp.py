"""Reads `display lldp neighbor-information list`, whose columns changed their order between releases."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.neighbours import Row, read_table

if TYPE_CHECKING:
    from rocecfg.state.capture import Text
    from rocecfg.state.model import Device

COMMAND = "display-lldp-neighbor-information"
_NAMES = load_module(Path(__file__).with_name("names.py"))
_HEADER = re.compile(
    r"^(?:System Name +Local Interface +Chassis ID +Port ID|Local Interface +Chassis ID +Port ID +System Name)"
)
_NEAR = r"(?P<near>[A-Za-z-]{2,25}\d{1,4}(?:/\d{1,4}){1,3}(?::\d{1,2})?)"
_NAME_FIRST = re.compile(
    rf"(?P<device>\S[^\n]{{0,200}}?)[*#]?\s+{_NEAR}[*#]?\s+(?P<chassis>\S{{1,64}})\s+(?P<far>\S[^\n]{{0,100}})"
)
_NAME_LAST = re.compile(
    rf"{_NEAR}[*#]?\s+(?P<chassis>\S{{1,64}})\s+(?P<far>\S[^\n]{{0,100}}?)\s{{2,}}(?P<device>\S{{1,200}})"
)


def read_neighbours(text: Text) -> Device:
    """Return the ports with their neighbours."""
    return read_table(text, "h3c", _HEADER, _row, _NAMES.short_port)


def _row(line: str, kept: str) -> Row | str | None:
    """Take a row; the rest of a name that was wrapped stands in a line of its own, and its domain is not needed."""
    del kept
    found = _NAME_LAST.fullmatch(line) or _NAME_FIRST.fullmatch(line)
    if found is None:
        return "" if len(line.split()) == 1 else None
    device = "" if found["device"] == "-" else found["device"].strip()
    return Row(found["near"], device, found["far"].strip())
