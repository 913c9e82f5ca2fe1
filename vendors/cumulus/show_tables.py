"""Cuts `nv show` outputs into tables: what was asked, the heads over a ruler of dashes, the rows below."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_RULER = re.compile(r"[ \t]{0,20}-[-… \t]{2,400}\Z")
_UNDERLINE = re.compile(r"={4,200}[ \t]{0,8}\Z")
_ASKED = re.compile(r"(?:\S{1,80}[$#>][ \t]{0,4})?nv show (.{1,200})")


class Row(NamedTuple):
    """One row of a table: its line, its indentation, its cells by column head."""

    number: int
    indent: int
    cells: dict[str, str]
    text: str


class Table(NamedTuple):
    """A table: the words `nv show` was asked with ("" = not in the text), its heads, its rows."""

    asked: str
    heads: tuple[str, ...]
    rows: list[Row]


def cut(lines: list[str], asked: str) -> Iterator[Table]:
    """Cut a text into tables: the line (or two) above a ruler is the head, the columns are where its dashes are."""
    table: Table | None = None
    columns: list[tuple[int, int]] = []
    for number, line in enumerate(lines, 1):
        words = _ASKED.match(line)
        following = lines[number] if number < len(lines) else ""
        if words or not line.strip() or _UNDERLINE.match(line) or _UNDERLINE.match(following):
            asked = words[1].strip() if words else asked
            if table is not None and table.rows:
                yield table
                table = None
        elif _RULER.match(line) and "---" in line:
            columns = [(found.start(), found.end()) for found in re.finditer(r"[-…]+", line)]
            heads = _heads(lines, number - 1, columns)
            table = Table(asked, heads, [])
        elif table is not None:
            cells = {}
            for at, (head, (start, _)) in enumerate(zip(table.heads, columns, strict=False)):
                end = columns[at + 1][0] if at + 1 < len(columns) else len(line)
                cells[head or f"#{at}"] = line[start:end].strip()
            table.rows.append(Row(number, len(line) - len(line.lstrip()), cells, line.strip()))
    if table is not None and table.rows:
        yield table


def _heads(lines: list[str], ruler: int, columns: list[tuple[int, int]]) -> tuple[str, ...]:
    """Return the column heads above a ruler; a head may be folded over two lines."""
    above = lines[ruler - 1] if ruler else ""
    folded = ruler > 1 and above[: columns[1][0] if len(columns) > 1 else 1].strip() == ""
    first = lines[ruler - 2] if folded else ""
    if _UNDERLINE.match(first) or _ASKED.match(first):
        first = ""
    heads = []
    for at, (start, _) in enumerate(columns):
        end = columns[at + 1][0] if at + 1 < len(columns) else None
        heads.append(f"{first[start:end].strip()} {above[start:end].strip()}".strip())
    return tuple(heads)
