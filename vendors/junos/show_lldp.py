"""Reads `show lldp neighbors`: the far end of each port."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from rocecfg.state.neighbours import Row, read_table

if TYPE_CHECKING:
    from rocecfg.state.capture import Text
    from rocecfg.state.model import Device

COMMAND = "show-lldp-neighbors"
_HEADER = re.compile(r"^Local Interface +Parent Interface +Chassis Id +Port info +System Name")
_ROW = re.compile(
    r"(?P<near>[a-z]{2,5}[\w/:.-]{0,20})\s+(?P<parent>\S{1,20})\s+(?P<chassis>\S{1,64})\s+"
    r"(?P<far>\S[^\n]{0,100}?)(?:\s{2,}(?P<device>\S{1,200}))?"
)
_PORT = re.compile(r"(?:et|xe|ge)-\d{1,3}/\d{1,3}/\d{1,3}(?::\d{1,2})?")


def add(device: Device, text: Text) -> Device:
    """Return the device with the neighbours of a table; what the configuration said of a port stays."""
    shown = read_table(text, "junos", _HEADER, _row, _port_name)
    ports = dict(device.ports)
    for name, port in shown.ports.items():
        ports[name] = replace(ports[name], neighbour=port.neighbour) if name in ports else port
    return replace(
        device, ports=ports, lines=device.lines + shown.lines, lines_read=device.lines_read + shown.lines_read
    )  # fmt: skip


def _row(line: str, kept: str) -> Row | str | None:
    del kept
    found = _ROW.fullmatch(line)
    return None if found is None else Row(found["near"], found["device"] or "", found["far"].strip())


def _port_name(word: str) -> str | None:
    """Return the name of a port of a table: without its unit; None for an interface that is no front port."""
    name = word.strip().partition(".")[0]
    return name if _PORT.fullmatch(name) is not None else None
