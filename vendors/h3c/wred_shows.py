"""Reads `display qos wred table`: every WRED table with the limits, exponent and ECN of its eight queues."""

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
    from vendors.h3c.config import Config, WredTable

_HERE = Path(__file__)
_CONFIG = load_module(_HERE.with_name("config.py"))
_NAMES = load_module(_HERE.with_name("names.py"))
_SHOWS = load_module(_HERE.with_name("shows.py"))
_SECTIONS = load_module(_HERE.with_name("system_sections.py"))

COMMAND = "display-qos-wred-table"
_NAME = re.compile(r"Table name: ?(\S{1,64})", re.IGNORECASE)
_HEADINGS = ("table type:", "qid ")
_COLUMNS = 12
"""Queue, three limits of each of three colours, exponent, ECN."""

Tables = dict[str, "WredTable"]


def read_tables(text: Text) -> tuple[Tables, Device]:
    """Return the tables of a display output, and a device with its lines. Raises ReadError where there is none."""
    tables: Tables = {}
    lines: list[Line] = []
    count = 0
    table: WredTable | None = None
    for at, line in _SHOWS.table_lines(text):
        header = _NAME.fullmatch(line)
        if header is not None:
            table = tables.setdefault(header[1], _CONFIG.WredTable(header[1], 0))
        elif not line.lower().startswith(_HEADINGS):
            count += 1
            if table is None or not _row(table, line.split(" ")):
                lines.append(Line(line, Where(text.file, at)))
    if not tables:
        raise ReadError(f"{text.file}: no table in it: expected the output of display qos wred table")
    device = Device("", "h3c", source="applied", lines=tuple(lines), lines_read=count, place=Where(text.file))
    return tables, device


def _row(table: WredTable, words: list[str]) -> bool:
    """Take the row of a queue; False when its numbers make no sense."""
    if len(words) != _COLUMNS or words[-1] not in ("Y", "N"):
        return False
    number, exponent = whole_number(words[0], 7), whole_number(words[-2], 99)
    found = [whole_number(word, _SECTIONS.MOST_CELLS) for word in words[1:-2]]
    limits = [limit for limit in found if limit is not None]
    if number is None or exponent is None or len(limits) < len(found):
        return False
    queue = table.queue(number)
    for at, colour in enumerate(_CONFIG.COLOURS):
        low, high, percent = limits[3 * at : 3 * at + 3]
        queue.limits[colour] = (low, high, percent, 0)
    queue.ecn = int(words[-1] == "Y")
    queue.weight = (exponent, 0)
    return True


def add_tables(config: Config, tables: Tables) -> None:
    """Give a configuration the tables that it names and does not define; its own stay."""
    for name, table in tables.items():
        config.tables.setdefault(name, table)
