"""Reads `show lldp neighbors`: a name too long for its column ends in dots and names nobody."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.neighbours import Row, read_table

if TYPE_CHECKING:
    from rocecfg.state.capture import Text
    from rocecfg.state.model import Device

COMMAND = "show-lldp"
_CONFIG = load_module(Path(__file__).with_name("config.py"))
_HEADER = re.compile(r"^ *Loc PortID +Rem Host Name +Rem Port Id +Rem Chassis Id")
_ROW = re.compile(
    r" *(?P<near>(?:ethernet|mgmt) ?\d[\d/:]{2,12})\s+(?P<device>\S[^\n]{0,100}?)(?:\s{2,}|(?<=\.\.\.)\s*)"
    r"(?P<far>\S[^\n]{0,100}?)\s+(?P<chassis>[0-9a-fA-F]{2}(?::[0-9a-fA-F]{2}){5}|\S{1,40})"
)


def read_neighbours(text: Text) -> Device:
    """Return the ports with their neighbours."""
    return read_table(text, "dell_os10", _HEADER, _row, _CONFIG.port_name)


def _row(line: str, kept: str) -> Row | str | None:
    del kept
    found = _ROW.fullmatch(line)
    if found is None:
        return None
    unknown = found["device"].endswith("...") or found["device"] in {"-", "Not Advertised"}
    return Row(found["near"], "" if unknown else found["device"].strip(), found["far"].strip())
