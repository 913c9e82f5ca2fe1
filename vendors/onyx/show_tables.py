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
from rocecfg.state.numbers import number_set, whole_number
from rocecfg.state.sections import text_lines

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.capture import Text
    from rocecfg.state.grammar import Record
    from rocecfg.state.model import Device, Port

_HERE = Path(__file__)
_SHOWS = load_module(_HERE.with_name("shows.py"))
_CONFIG = load_module(_HERE.with_name("config.py"))

_TABLE = re.compile(
    r"^ {0,8}(?:Interface +PFC admin +PFC oper|Priority Enabled List ?:|PFC [0-7]:|TC [0-7]:)", re.MULTILINE
)
_WORDS = ("PFC admin", "Enabled List", "PFC ", "TC ")
"""One of them stands in every such text: found ten times faster than the pattern."""
_OF_CLASS = {"packets": "queue_packets", "bytes": "queue_bytes", "unicast no buffer discard": "queue_drops"}
_RULES = frozenset("=-+. ")
_PROMPT = re.compile(r"\S{1,63} ?(?:\[[^\]]{1,80}\] ?)?(?:\(config[^)]{0,120}\) ?)?[#>](?: |$)")


def is_table(text: Text) -> bool:
    """Return whether a text is the output of one of these commands."""
    head = text.content[:1_000_000]
    return any(word in head for word in _WORDS) and _TABLE.search(head) is not None


def read_table(text: Text) -> Device:
    """Return what the tables say. Raises ReadError when no port stands in them."""
    reader = _Reader(text)
    numbered = [(at, " ".join(raw.split())) for at, raw in enumerate(text_lines(text.content), 1)]
    lines = [(at, line) for at, line in numbered if line and not _RULES.issuperset(line) and not _PROMPT.match(line)]
    records = grammar(_HERE.with_name("parse") / "show.ttp").read(line for _, line in lines)
    started = False
    for at, line in lines:
        record = records[line]
        started = started or (record is not None and record.kind != "counter")
        if started and (record is None or not reader.take(record, at)):
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

    def take(self, record: Record, at: int) -> bool:
        """Take a known line; return whether it makes sense here."""
        kind, words = record.kind, record.values
        if kind == "pfc":
            self.table.enabled = {"enabled": True, "disabled": False}.get(words["state"])
        elif kind == "enabled":
            self.table.priorities = frozenset(number_set(words.get("list", ""), 7) or ())
        elif kind == "row":
            if not self._row(words, Where(self.file, at)):
                return False
        elif kind == "port":
            self._port, self._block, self._side = self._named(words), ("", 0), ""
            if self._port is None:
                return False
        elif kind in ("priority", "class"):
            of = whole_number(words["number"], 7)
            if of is None:
                return False
            self._block, self._side = (kind, of), ""
        elif kind in ("rx", "tx"):
            self._side = kind
        elif kind == "counter" and not self._counter(words, Where(self.file, at)):
            return False
        self.count += 1
        return True

    def _named(self, words: Mapping[str, str]) -> Port | None:
        names = (f"{kind}{words[kind.lower()]}" for kind in ("Eth", "Po", "Mpo") if kind.lower() in words)
        port: Port | None = self.table.port(next(names, "").rstrip(":"))
        return port

    def _row(self, words: Mapping[str, str], place: Where) -> bool:
        port, admin = self._named(words), words["admin"].lower()
        if port is None or admin not in ("on", "off", "auto"):
            return False
        oper = {"enabled": frozenset({-1}), "disabled": frozenset()}.get(words["oper"].lower())
        self.table.put(port, pfc=Pfc(admin=admin, oper=oper))  # type: ignore[arg-type]
        now = self.table.ports[port.name]
        self.table.ports[port.name] = replace(now, place=place, places={"pfc": place})
        return True

    def _counter(self, words: Mapping[str, str], place: Where) -> bool:
        """Note a counter of the priority or class above it; one we have no place for is known all the same."""
        if self._port is None or not (words["count"] == "N/A" or words["count"][:1].isdecimal()):
            return False
        (kind, at), what = self._block, words["what"]
        if kind == "priority" and self._side:
            name = {"pause packets": f"{self._side}_pfc", "packets": f"{self._side}_priority_packets"}.get(what)
        else:
            name = _OF_CLASS.get(what) if kind == "class" else None
        if name is not None:
            self.table.tally.add(self._port.name, name, number(words["count"]), place, at)
        return True
