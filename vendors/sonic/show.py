"""Reads what SONiC's show commands print, by header and title, into rows of the tables they were printed from.

`show pfcwd config` becomes PFC_WD rows, `show ecn` WRED_PROFILE rows, `show buffer ...` and `show mmu` pools and
profiles, so that one resolver serves dumps and outputs alike. Counters name ports; their rows are kept in `counted`.
"""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.grammar import grammar
from rocecfg.state.model import Amount, Dynamic, HeadroomRow, Static
from rocecfg.state.numbers import whole_number
from rocecfg.state.sections import text_lines

if TYPE_CHECKING:
    from collections.abc import Mapping

_HERE = Path(__file__)
dump: Any = load_module(_HERE.with_name("dump.py"))
counters: Any = load_module(_HERE.with_name("counters.py"))
ports: Any = load_module(_HERE.with_name("show_ports.py"))

_RULER = re.compile(r"\s*-+(?:\s+-+)*\s*$")
_GAP = re.compile(r"\s{2,}")
_PROMPT = re.compile(r"\S{1,200}[@:][^#$>]{0,200}[#$>]|[#$] +[a-z]")
_COUNTER = re.compile(r"(?:PFC|PG|UC|MC|ALL)[0-9]{1,2}$|TxQ$|Voq$|RX Pause Transitions$")
_CURVE = re.compile(r"(?:green|yellow|red)_(?:min_threshold|max_threshold|drop_probability)$|wred_[a-z]+_enable$|ecn$")
_NAME = re.compile(r"[A-Za-z][^ ]*[0-9]")
"""How the name of a port looks: `Ethernet0`, `Ethernet0:3`, `PortChannel101`, `switch|asic0|Ethernet0`."""
_OF_PORTS = re.compile(r"Port|Interface|IFACE", re.IGNORECASE)
_OF_PORT_TABLES = frozenset({"status", "neighbours"})
_LONGEST_NAME = 64
_LARGEST_POWER = 64


class Shown:
    """What a text of show outputs said."""

    def __init__(self, base: int) -> None:
        self.dump: Any = dump.Dump()
        self.base = base
        self.recognised = False
        self.version: str | None = None
        self.model: str | None = None
        self.title = ""
        """The line above the next table: tables of several counters have the same header."""
        self.counted: list[tuple[str, tuple[str, ...], list[str], int]] = []
        """Rows of counters: title, header, cells, line."""

    def put(self, table: str, key: str, line: int, fields: dict[str, str]) -> None:
        """Add fields to a row, made on first use at that line."""
        rows = self.dump.tables.setdefault(table, {})
        row = rows.get(key)
        lines = dict.fromkeys(fields, line)
        if row is None:
            rows[key] = dump.Row(line, fields, 0, lines)
        else:
            row.merge(dump.Row(line, fields, 0, lines))


def read_show(text: str, base: int = 0) -> Shown:
    """Return the rows in a text of show outputs. What is neither table nor title is remarked upon."""
    shown = Shown(base)
    lines = text_lines(text)
    loose = {
        " ".join(line.split()) for line in lines if line.strip() and not _RULER.match(line) and not _PROMPT.match(line)
    }
    titles = grammar(_HERE.with_name("parse") / "show.ttp").read(loose) if len(loose) < 20_000 else {}
    at = 0
    block: tuple[str, str] | None = None
    while at < len(lines):
        line = lines[at]
        number = base + at + 1
        stripped = line.strip()
        if not stripped or stripped == "..." or _PROMPT.match(stripped):
            at += 1
            continue
        title = titles.get(" ".join(stripped.split()))
        if stripped.split()[:2] == ["IFACE", "STATE"]:
            at = _interfaces(shown, lines, at)
        elif _RULER.match(line):
            at = _pairs(shown, lines, at, block)
            block = None
        elif at + 1 < len(lines) and _RULER.match(lines[at + 1]) and title is None:
            at = _table(shown, lines, at, titles)
        else:
            if title is not None:
                shown.title = stripped
                block = _title(shown, title, number)
                shown.recognised = True
            else:
                shown.dump.remark(number, stripped[:200])
            shown.dump.lines_read += title is not None
            at += 1
    return shown


def _interfaces(shown: Shown, lines: list[str], at: int) -> int:
    """Step over a table about interfaces (`show interfaces counters`), of which only counters are our subject."""
    header = tuple(column for column in _GAP.split(lines[at].strip()) if column)
    shown.recognised = shown.recognised or not counters.INTERFACES.keys().isdisjoint(header)
    at += 1
    while at < len(lines) and lines[at].strip() and not _PROMPT.match(lines[at]):
        if not _RULER.match(lines[at]):
            cells = [cell for cell in _GAP.split(lines[at].strip()) if cell]
            shown.counted.append(("", header, cells, shown.base + at + 1))
        at += 1
    return at


def _title(shown: Shown, title: Any, number: int) -> tuple[str, str] | None:
    kind, values = title.kind, title.values
    if kind == "poll":
        shown.put("PFC_WD", "GLOBAL", number, {"POLL_INTERVAL": values["milliseconds"]})
    elif kind in {"pool", "profile", "wred"}:
        name = values["name"].strip("*")
        if "asic" in values:  # each ASIC has pools and profiles of the same names
            name = f"{values['asic']}|{name}"
        table = {"pool": "BUFFER_POOL", "profile": "BUFFER_PROFILE", "wred": "WRED_PROFILE"}[kind]
        if table == "BUFFER_POOL":
            shown.put(table, name, number, {})
        return table, name
    elif kind == "pattern":
        return "DEFAULT_LOSSLESS_BUFFER_PARAMETER", "AZURE"
    elif kind == "version":
        shown.version = values["version"]
    elif kind == "sku":
        shown.model = values["sku"]
    return None


def _pairs(shown: Shown, lines: list[str], at: int, block: tuple[str, str] | None) -> int:
    """Read `name value` lines between two rulers; without a title above they are remarked upon."""
    at += 1
    while at < len(lines) and lines[at].strip() and not _RULER.match(lines[at]):
        words = lines[at].split(None, 1)
        number = shown.base + at + 1
        if block is None or len(words) != 2:
            shown.dump.remark(number, lines[at].strip()[:200])
        else:
            table = block[0]
            if table == "BUFFER_PROFILE" and _CURVE.match(words[0]):
                table = "WRED_PROFILE"
            if words[0] in {"mtu", "small_packet_percentage"}:
                table = "LOSSLESS_TRAFFIC_PATTERN"
            shown.put(table, block[1], number, {words[0]: words[1].strip()})
            shown.recognised = True
            shown.dump.lines_read += 1
        at += 1
    return at + 1


def _table(shown: Shown, lines: list[str], at: int, titles: Mapping[str, Any]) -> int:
    """Read a table with a header line and a ruler below it, as far as the next title or header."""
    header = [column for column in _GAP.split(lines[at].strip()) if column]
    known = _kind(header)
    start = shown.base + at + 1
    ruler = lines[at + 1]
    at += 2
    if known is None:
        shown.dump.remark(start, lines[at - 2].strip()[:200])
    else:
        shown.recognised = True
        shown.dump.lines_read += 1
    while at < len(lines) and not _PROMPT.match(lines[at]):
        if not lines[at].strip():
            if not _goes_on(lines, at + 1, len(header)):
                break
            at += 1
            continue
        if titles.get(" ".join(lines[at].split())) is not None or _is_header(lines, at):
            break
        if _RULER.match(lines[at]):
            at += 1
            break
        number = shown.base + at + 1
        cells = lines[at].split()
        if cells[0] == "...":
            pass
        elif known in _OF_PORT_TABLES and ports.row(shown, known, header, lines[at], ruler, number):
            shown.dump.lines_read += 1
        elif known is None or len(cells[0]) > _LONGEST_NAME or not _row(shown, known, header, cells, number):
            shown.dump.remark(number, lines[at].strip()[:200])
        else:
            shown.dump.lines_read += 1
            if known in {"counters", "storms"}:
                shown.counted.append((shown.title, tuple(header), cells, number))
        at += 1
    shown.title = ""
    return at


def _is_header(lines: list[str], at: int) -> bool:
    if at + 1 >= len(lines) or _RULER.match(lines[at + 1]) is None or _RULER.match(lines[at]):
        return False
    return len(lines[at + 1].split()) > 1 or len(_GAP.split(lines[at].strip())) == 1  # one rule closes a table


def _goes_on(lines: list[str], at: int, columns: int) -> bool:
    """Return whether a table continues behind a blank line: some outputs set one between two ports."""
    if at >= len(lines) or _PROMPT.match(lines[at]) or len(_GAP.split(lines[at].strip())) != columns:
        return False
    return not _RULER.match(lines[at]) and (at + 1 >= len(lines) or not _RULER.match(lines[at + 1]))


def _kind(header: list[str]) -> str | None:
    names = set(header)
    if {"PORT", "ACTION", "DETECTION TIME"} <= names:
        return "watchdog"
    if {"QUEUE", "STATUS", "STORM DETECTED/RESTORED"} <= names:
        return "storms"
    if {"Interface", "Lossless priorities"} <= names:
        return "priorities"
    if {"Interface", "Asymmetric"} <= names:
        return "asymmetric"
    if {"Pool", "Bytes"} <= names:
        return "pools"
    of_ports: str | None = ports.kind(header)
    if of_ports is not None:
        return of_ports
    return "counters" if any(_COUNTER.match(name) for name in names) else None


def _row(shown: Shown, kind: str, header: list[str], cells: list[str], number: int) -> bool:
    name = cells[0]
    if kind in _OF_PORT_TABLES:
        return False
    if kind == "pools":
        return True
    if not _NAME.match(name) or (kind == "counters" and not _OF_PORTS.match(header[0])):
        return False  # a row whose port stands elsewhere, or none
    if kind == "watchdog":
        if len(cells) != len(header):
            return False
        names = {"ACTION": "action", "DETECTION TIME": "detection_time", "RESTORATION TIME": "restoration_time"}
        fields = {names[column]: cell for column, cell in zip(header, cells, strict=True) if column in names}
        shown.put("PFC_WD", name, number, fields)
    elif kind == "storms":
        port, _, numbered = name.rpartition(":")
        queue = whole_number(numbered, 7)  # the watchdog knows a queue by the priority that stops it
        if not port or queue is None:
            return False
        shown.dump.armed.setdefault(port, set()).add(queue)
        shown.put("PORT", port, number, {})
    elif kind == "priorities":
        words = cells[1] if len(cells) == 2 and cells[1] != "N/A" else ""
        shown.put("PORT_QOS_MAP", name, number, {"pfc_enable": words})
    elif kind == "asymmetric":
        shown.put("PORT", name, number, {"pfc_asym": cells[1] if len(cells) > 1 else "off"})
    else:
        shown.put("PORT", name, number, {})
    return True


def looks_like_table(text: str) -> bool:
    """Return whether a text is a `pg_profile_lookup.ini`: its comment, or rows of a speed and a cable."""
    head = text[:20_000]
    return re.search(r"^#\s*speed\s+cable\s+size|^#\s*PG lossless profiles", head, re.MULTILINE) is not None


def read_headroom_table(text: str, files: Any, base: int, shown: Shown) -> tuple[HeadroomRow, ...]:
    """Return the rows of a `pg_profile_lookup.ini`: `speed cable size xon xoff threshold [xon_offset]`, in bytes.

    Lines that do not begin with a number are comments or the title block of some files.
    """
    rows = []
    for number, line in enumerate(text_lines(text), base + 1):
        words = line.split()
        if not words or not words[0].isdecimal():
            continue
        shown.dump.lines_read += 1
        row = _headroom_row(words, files.where(number))
        if row is None:
            shown.dump.remark(number, line.strip()[:200])
        else:
            rows.append(row)
    return tuple(rows)


def _headroom_row(words: list[str], place: Any) -> HeadroomRow | None:
    numbers = [words[0], words[1].removesuffix("m"), *words[2:]] if len(words) in {6, 7} else []
    if not numbers or not all(
        len(word) < 16 and word.isascii() and word.removeprefix("-").isdecimal() for word in numbers
    ):
        return None
    speed, cable, size, resume, kept, threshold, *below = (int(word) for word in numbers)
    if threshold < -_LARGEST_POWER or min(speed, cable, size, resume, kept, *below) < 0:
        return None
    return HeadroomRow(
        speed=speed * 1_000_000,
        cable=cable,
        headroom=kept,
        reserved=size - kept if size >= kept + resume else size,
        xon_at=resume,
        xon_below=below[0] if below else None,
        # The pool's mode decides what the column is, and stands elsewhere: no power of two is that large.
        alpha=Dynamic(Fraction(2) ** threshold) if threshold <= _LARGEST_POWER else Static(Amount.of_bytes(threshold)),
        headroom_shared=size < kept or size == resume if kept else None,
        place=place,
    )
