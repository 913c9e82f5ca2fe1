"""Reads `show interface queues`: what each egress queue sent and dropped."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rocecfg.state.counters import Tally, number
from rocecfg.state.model import Device, Line, Port, Where
from rocecfg.state.sections import text_lines

if TYPE_CHECKING:
    from rocecfg.state.capture import Text

_PORT = re.compile(
    r"Interface (?P<port>\d{1,2}/\d{1,2}/\d{1,3}(?::\d)?) is (?:up|down)\b.*|"
    r"(?:Interface|Aggregate-name) lag ?(?P<lag>\d{1,4})\b.*"
)
_COLUMNS = {"Tx Bytes": "queue_bytes", "Tx Packets": "queue_packets", "Tx Drops": "queue_drops"}
"""Headings; their order differs between releases."""
_HEADING = re.compile(r"Tx (?:Bytes|Packets|Drops)")
_ROW = re.compile(r"Q([0-7])((?:[ \t]+[\d,]{1,27}){1,3})")


def read_queues(text: Text) -> Device:
    """Return the counters of a `show interface queues`, of one port or of all."""
    tally, port, columns = Tally(), "", list[str]()
    ports: dict[str, Port] = {}
    lines: list[Line] = []
    read = 0
    for at, line in enumerate(text_lines(text.content), 1):
        words, place = line.strip(), Where(text.file, at)
        found = _PORT.fullmatch(words)
        if found is not None:
            port = found["port"] or f"lag {found['lag']}"
            ports[port] = Port(port, place=place)
            read += 1
        elif words.startswith("Tx "):
            columns = _HEADING.findall(words)
            read += 1
        elif words.startswith("Q") and port:
            row = _ROW.fullmatch(words)
            values = row[2].split() if row is not None else []
            read += 1
            if row is None or len(values) != len(columns):
                lines.append(Line(words, place))
                continue
            for column, value in zip(columns, values, strict=True):
                tally.add(port, _COLUMNS[column], number(value), place, int(row[1]))
    return Device(
        "", "aruba_cx", source="applied", ports=ports, lines=tuple(lines), lines_read=read, sample=tally.sample()
    )
