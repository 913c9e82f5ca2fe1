"""Reads a CONFIG_DB dump: which rows stand in the tables we care about, and on which line each field stands.

`json` gives no positions, and a tokeniser in Python is too slow for a 64-port dump. So only the skeleton is walked
here (tables and row keys of the tables in `FIELDS`); each row's body, and every foreign table as a whole, is one
call of the standard library's C scanner. All layouts in use are read:

    {"QUEUE": {"Ethernet0|3": {...}}}                              config_db.json, `show runningconfiguration all`
    {"QUEUE|Ethernet0|3": {...}}                                   flat keys
    {"QUEUE|Ethernet0|3": {"type": "hash", "value": {...}}}        redis-dump
    [{"QUEUE": {"Ethernet0|3": {...}}}, {"PORT": {...}}]           configlets
    {"BUFFER_PG_TABLE:Ethernet0:3-4": {...}}                       dumps of APPL_DB and STATE_DB: what is applied
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.errors import ReadError
from rocecfg.packs import load_module

if TYPE_CHECKING:
    from collections.abc import Callable

tables: Any = load_module(Path(__file__).with_name("tables.py"))

_STRING = r'"([^"\\]*(?:\\.[^"\\]*)*)"'
_FIRST_KEY = re.compile(r"\s*" + _STRING + r"\s*:\s*", re.DOTALL)
_NEXT_KEY = re.compile(r"\s*,\s*" + _STRING + r"\s*:\s*", re.DOTALL)
_CLOSE = re.compile(r"\s*\}")
_FIELD = re.compile(_STRING + r'(?:\s*:\s*(?:"[^"\\]*(?:\\.[^"\\]*)*")?)?', re.DOTALL)
_SPACE = re.compile(r"\s*")
_START = re.compile(r"^[ \t]*[{\[]", re.MULTILINE)
_PROMPT = re.compile(r"^\S{1,200}[@:]\S{0,200}[#$>]|^\S{1,100}[#$>]\s?$")
_MOST_REMARKS = 200
_PLAIN = (str, int)


def _joined(content: Any) -> str:
    """Return a value that is no string as CONFIG_DB would hold it: lists by comma."""
    return ",".join(str(item) for item in content) if type(content) is list else str(content)


class Row:
    """One row of a table: its fields, the line of its key, and the line of each field."""

    __slots__ = ("_lines", "_step", "fields", "line")

    def __init__(self, line: int, fields: dict[str, Any], step: int = 0, lines: dict[str, int] | None = None) -> None:
        """`step` 1 = each field has its own line below the key, 0 = all on the key's line; `lines` = any other."""
        self.line = line
        self.fields = fields
        self._step = step
        self._lines = lines

    def line_of(self, name: str) -> int:
        """Return the line of a field, the row's own when the field does not stand there."""
        if self._lines is not None:
            return self._lines.get(name, self.line)
        if self._step and name in self.fields:
            return self.line + 1 + list(self.fields).index(name)
        return self.line

    def merge(self, later: Row) -> None:
        """Add the fields of a later row of the same key (configlets are applied in order)."""
        known = {name: self.line_of(name) for name in self.fields}
        known.update((name, later.line_of(name)) for name in later.fields)
        self.fields = {**self.fields, **later.fields}
        self._lines = known


@dataclass(slots=True)
class Dump:
    """The rows of the known tables, by table and key, and what was odd on the way."""

    tables: dict[str, dict[str, Row]] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    """Line where each table starts."""
    remarks: list[tuple[int, str]] = field(default_factory=list)
    """(line, text) of what was not understood."""
    lines_read: int = 0
    patch: bool = False
    """A list of table fragments: a row or field that is missing proves nothing."""
    foreign: set[str] = field(default_factory=set)
    """Other tables that stand there."""
    armed: dict[str, set[int]] = field(default_factory=dict)
    """Port -> queues that `show pfcwd stats` lists: the watchdog watches them."""

    def add(self, other: Dump) -> None:
        """Add what another text of the same device says where this one is silent."""
        for name, rows in other.tables.items():
            mine = self.tables.setdefault(name, {})
            for key, row in rows.items():
                known = mine.setdefault(key, row)
                if known is not row and name == "PORT":
                    row.merge(known)
                    mine[key] = row
        self.places.update((name, line) for name, line in other.places.items() if name not in self.places)
        for line, text in other.remarks:
            self.remark(line, text)
        for port, queues in other.armed.items():
            self.armed.setdefault(port, set()).update(queues)
        self.lines_read += other.lines_read
        self.patch = self.patch or other.patch

    def remark(self, line: int, text: str) -> None:
        """Note something that was not understood; the list is bounded."""
        if len(self.remarks) < _MOST_REMARKS:
            self.remarks.append((line, text))


def looks_like(text: str) -> bool:
    """Return whether a text holds JSON: an object or list that starts on a line of its own."""
    start = _START.search(text, 0, 65536)
    if start is None:
        return False
    return all(not line.strip() or _is_noise(line) for line in text[: start.start()].splitlines())


def _is_noise(line: str) -> bool:
    stripped = line.strip()
    return bool(_PROMPT.match(stripped)) or stripped.startswith(
        ("show ", "sudo ", "sonic-cfggen ", "cat ", "#", "Last cached")
    )


def read_dump(text: str, file: str, base: int = 0) -> Dump:
    """Return the dump in a text, its line numbers raised by `base`.

    Raises ReadError when it is no JSON, is cut off, or holds no known table.
    """
    reader = _Reader(text, file, base)
    try:
        reader.run()
    except (ValueError, StopIteration, IndexError) as error:
        raise ReadError(reader.broken(error)) from None
    except RecursionError:
        raise ReadError(f"{file}: nested too deeply to be read") from None
    dump = reader.dump
    if not dump.tables and not dump.remarks:
        raise ReadError(
            f"{file}: none of the QoS, buffer, PORT or PFC_WD tables of CONFIG_DB stands in it "
            f"({len(dump.foreign)} other tables)"
        )
    return dump


class _Reader:
    def __init__(self, text: str, file: str, base: int) -> None:
        self._text = text
        self._file = file
        self._line = 1 + base
        self._counted = 0
        self._at = 0
        self._repeated: list[str] = []
        self.dump = Dump()
        self._skip: Callable[[str, int], tuple[Any, int]] = json.JSONDecoder().scan_once  # type: ignore[attr-defined]
        self._scan: Callable[[str, int], tuple[Any, int]] = json.JSONDecoder(  # type: ignore[attr-defined]
            object_pairs_hook=self._pairs
        ).scan_once
        """As `_skip`, and notes the fields that stand twice."""

    def _pairs(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        fields = dict(pairs)
        if len(fields) != len(pairs):
            seen: set[str] = set()
            for name, _ in pairs:
                if name in seen:
                    self._repeated.append(name)
                seen.add(name)
        return fields

    def _line_at(self, position: int) -> int:
        self._line += self._text.count("\n", self._counted, position)
        self._counted = position
        return self._line

    def broken(self, error: Exception) -> str:
        position = error.pos if isinstance(error, json.JSONDecodeError) else self._at
        line = self._text.count("\n", 0, min(position, len(self._text))) + 1
        last = self._text[-2000:].rstrip()[-1:]
        if last not in {"}", "]"} or not self._text[position:].strip(" \t\r\n,"):
            return f"{self._file}:{line}: cut off: the JSON ends before its last bracket"
        shown = " ".join(self._text[position : position + 60].split())
        return f"{self._file}:{line}: not JSON from here on: {shown}"

    def run(self) -> None:
        start = _START.search(self._text)
        if start is None:
            raise StopIteration
        self._at = start.end() - 1
        if self._text[self._at] == "{":
            self._at = self._object(self._at)
        else:
            self.dump.patch = True
            self._at = self._list(self._at)
        self._rest()

    def _rest(self) -> None:
        """Report what follows the JSON; only a prompt may."""
        rest = self._text[self._at :]
        if not rest.strip():
            return
        line = self._line_at(self._at)
        for offset, content in enumerate(rest.split("\n")):
            if content.strip() and not _is_noise(content):
                self.dump.remark(line + offset, content.strip()[:200])

    def _list(self, position: int) -> int:
        position = self._blank(position + 1)
        while self._text[position] != "]":
            self._at = position
            if self._text[position] == "{":
                position = self._object(position)
            else:
                self.dump.remark(self._line_at(position), "an object with one table is expected here")
                _, position = self._skip(self._text, position)
            position = self._next(position, "]")
        return position + 1

    def _blank(self, position: int) -> int:
        match = _SPACE.match(self._text, position)
        return match.end() if match is not None else position

    def _next(self, position: int, closing: str) -> int:
        """Step over the comma between two members; a closing bracket is left for the caller."""
        self._at = position = self._blank(position)
        if self._text[position] == ",":
            position = self._blank(position + 1)
            if self._text[position] == closing:
                self._at = position
                raise StopIteration
        elif self._text[position] != closing:
            raise StopIteration
        return position

    def _members(self, position: int, member: Callable[[str, int, int], int]) -> int:
        """Walk the members of an object: `member(key, position of the key, position of the value)`."""
        text = self._text
        self._at = end = position + 1
        key = _FIRST_KEY.match(text, end)
        while key is not None:
            name = key.group(1)
            if "\\" in name:
                name = json.loads(f'"{name}"')
            self._at = key.end()
            end = member(name, key.start(1) - 1, key.end())
            self._at = end
            key = _NEXT_KEY.match(text, end)
        close = _CLOSE.match(text, end)
        if close is None:
            raise StopIteration
        return close.end()

    def _object(self, position: int) -> int:
        return self._members(position, self._table)

    def _table(self, key: str, at: int, value: int) -> int:
        name, bar, rest = key.partition("|")
        applied = tables.applied(key) if name not in tables.FIELDS else None
        if applied is not None:
            name, bar, rest = applied[0], "|", applied[1]
            self.dump.patch = True
        if name not in tables.FIELDS:
            if tables.is_ours(name.partition(":")[0]):
                self.dump.remark(self._line_at(at), f"{key}: a table that is not known")
            self.dump.foreign.add(name)
            _, end = self._skip(self._text, value)
            return int(end)
        rows = self.dump.tables.get(name)
        if rows is None:
            rows = self.dump.tables[name] = {}
            self.dump.places[name] = self._line_at(at)
        elif not bar and not self.dump.patch:
            self.dump.remark(self._line_at(at), f"{name}: the table stands twice, a reader keeps only the last")
            rows.clear()
        if bar:
            return self._row(name, rows, rest, at, value)
        if self._text[value] != "{":
            self.dump.remark(self._line_at(at), f"{name}: rows are expected")
            _, end = self._skip(self._text, value)
            return int(end)
        return self._members(value, lambda row, at, value: self._row(name, rows, row, at, value))

    def _row(self, name: str, rows: dict[str, Row], key: str, at: int, value: int) -> int:
        text, dump = self._text, self.dump
        self._line += text.count("\n", self._counted, at)
        self._counted = at
        line = self._line
        fields, end = self._skip(text, value)
        if type(fields) is not dict:
            dump.remark(line, f"{name}/{key}: fields are expected, not {str(fields)[:60]}")
            return int(end)
        if "value" in fields and type(fields["value"]) is dict and fields.get("type") == "hash":
            value = text.index('"value"', value)
            value = text.index("{", value)
            fields = fields["value"]
        count = len(fields)
        if (
            text.count('"', value, end) != 4 * count
            or text.count(":", value, end) != count
            or text.find("[", value, end) >= 0
        ):
            # Not plainly one string a field: look for fields that stand twice, and for lists.
            self._scan(text, value)
            fields = {
                name: content if type(content) in _PLAIN else _joined(content) for name, content in fields.items()
            }
        height = text.count("\n", value, end)
        row = self._placed(line, fields, value, end, height)
        if self._repeated:
            for field_name in self._repeated:
                dump.remark(
                    row.line_of(field_name), f"{name}/{key}/{field_name}: the field stands twice, the last one counts"
                )
            self._repeated.clear()
        known = rows.get(key)
        if known is None:
            rows[key] = row
        elif dump.patch:
            known.merge(row)
        else:
            dump.remark(line, f"{name}/{key}: the row stands twice, a reader keeps only the last")
            rows[key] = row
        return int(end)

    def _placed(self, line: int, fields: dict[str, Any], value: int, end: int, height: int) -> Row:
        if height == 0:
            return Row(line, fields)
        if height == len(fields) + 1 and not self._repeated and "\n" not in self._text[self._counted : value]:
            return Row(line, fields, 1)
        lines = {}
        at = line + self._text.count("\n", self._counted, value)
        counted = value
        for match in _FIELD.finditer(self._text, value, end):
            at += self._text.count("\n", counted, match.start())
            counted = match.start()
            lines[match.group(1)] = at
        return Row(line, fields, 0, lines)
