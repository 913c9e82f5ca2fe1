"""Reads the tables of show commands as they stand on the screen: PFC, and the counters of priorities and classes."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.counters import number
from rocecfg.state.grammar import grammar
from rocecfg.state.model import Line, Pfc, Where
from rocecfg.state.sections import text_lines

if TYPE_CHECKING:
    from rocecfg.state.capture import Text
    from rocecfg.state.grammar import Record
    from rocecfg.state.model import Device, Port

_HERE = Path(__file__)
_SHOWS = load_module(_HERE.with_name("shows.py"))
_CONFIG = load_module(_HERE.with_name("config.py"))

_TABLE = re.compile(
    r"^ {0,8}(?:Interface +PFC admin +PFC oper|Priority Enabled List ?:|PFC [0-7]:|TC [0-7]:)", re.MULTILINE
)
_COUNTERS = {"pause packets": "pfc", "unicast no buffer discard": "queue_drops", "packets": "packets", "bytes": "bytes"}
_RULES = frozenset("=-+ ")


def is_table(text: Text) -> bool:
    """Return whether a text is the output of one of these commands."""
    return _TABLE.search(text.content[:1_000_000]) is not None


def read_table(text: Text) -> Device:
    """Return what the tables say. Raises ReadError when no port stands in them."""
    reader = _Reader(text)
    numbered = [(at, " ".join(raw.split())) for at, raw in enumerate(text_lines(text.content), 1)]
    lines = [(at, line) for at, line in numbered if line and not _RULES.issuperset(line) and "#" not in line]
    records = grammar(_HERE.with_name("parse") / "show.ttp").read(line for _, line in lines)
    started = False
    for at, line in lines:
        record = records[line]
        started = started or record is not None
        if record is not None:
            reader.take(record, at)
        elif started:
            reader.refuse(line, at)
    device: Device = reader.table.device()
    if not device.ports:
        raise ReadError(f"{text.file}: no port in it: expected the table of show dcb priority-flow-control or counters")
    return replace(device, lines=tuple(reader.lines), lines_read=reader.count)


class _Reader:
    """Where in a text of counters we are: which port, which priority or class, which side."""

    def __init__(self, text: Text) -> None:
        self.file, self.table = text.file, _SHOWS.Table(text)
        self.lines: list[Line] = []
        self.count = 0
        self._port: Port | None = None
        self._block: tuple[str, int] = ("", 0)
        self._side = ""

    def refuse(self, line: str, at: int) -> None:
        """Note a line that nobody understands."""
        self.count += 1
        self.lines.append(Line(line, Where(self.file, at)))

    def take(self, record: Record, at: int) -> None:
        """Take a known line."""
        self.count += 1
        kind, words = record.kind, record.values
        place = Where(self.file, at)
        if kind == "pfc":
            self.table.enabled = {"enabled": True, "disabled": False}.get(words["state"])
        elif kind == "enabled":
            self.table.priorities = frozenset(_CONFIG.numbers(words.get("list", ""), 7) or ())
        elif kind == "row":
            port = self.table.port(words["port"])
            admin = words["admin"].lower()
            if port is None or admin not in ("on", "off", "auto"):
                return
            oper = {"enabled": frozenset({-1}), "disabled": frozenset()}.get(words["oper"].lower())
            self.table.put(port, pfc=Pfc(admin=admin, oper=oper))
            now = self.table.ports[port.name]
            self.table.ports[port.name] = replace(now, place=place, places={"pfc": place})
        elif kind == "port":
            self._port, self._block, self._side = self.table.port(words["port"]), ("", 0), ""
        elif kind == "block":
            self._block, self._side = (words["what"], int(words["number"]) if words["number"] in "01234567" else 9), ""
        elif kind == "side":
            self._side = words["side"].lower()
        elif kind == "counter" and self._port is not None:
            self._counter(words, place)

    def _counter(self, words: object, place: Where) -> None:
        values: dict[str, str] = dict(words)  # type: ignore[call-overload]
        what, at = self._block
        counter = _COUNTERS.get(values["what"])
        name = ""
        if what == "PFC" and self._side in ("rx", "tx"):
            name = {"pfc": f"{self._side}_pfc", "packets": f"{self._side}_priority_packets"}.get(counter or "", "")
        elif what == "TC":
            name = {"queue_drops": "queue_drops", "packets": "queue_packets", "bytes": "queue_bytes"}.get(counter or "", "")
        if name and self._port is not None:
            self.table.tally.add(self._port.name, name, number(values["count"]), place, at)
