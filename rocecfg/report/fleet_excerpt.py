"""The line of a configuration that a finding is about, read from the capture within bounds."""

from __future__ import annotations

import stat
from collections import OrderedDict
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.report.table import printable

if TYPE_CHECKING:
    from rocecfg.findings import Finding

MOST_FILES = 600
MOST_BYTES = 8 * 1024 * 1024
"""A larger file is not opened: the report must stay a matter of seconds."""
MOST_LINE = 200
_KEPT = 8


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A line, and the head of the block it stands in (`interface Ethernet1/1`)."""

    place: str
    head: str
    head_line: int
    text: str
    line: int


class Excerpts:
    """Reads lines of captures; only regular files, few of them, none twice in a row."""

    def __init__(self) -> None:
        self._left = MOST_FILES
        self._texts: OrderedDict[str, list[str]] = OrderedDict()

    def of(self, finding: Finding) -> Excerpt | None:
        """Return the line of a finding; None where it has none or its file cannot be read."""
        if not finding.file or finding.line < 1 or finding.file.startswith("<"):
            return None
        lines = self._lines(finding.file)
        if finding.line > len(lines):
            return None
        text = lines[finding.line - 1]
        if not text.strip():
            return None
        head = _head(lines, finding.line - 1)
        shown = _cut(lines[head]) if head is not None else ""
        place = printable(f"{finding.file}:{finding.line}")
        return Excerpt(place, shown, 0 if head is None else head + 1, _cut(text), finding.line)

    def _lines(self, file: str) -> list[str]:
        known = self._texts.get(file)
        if known is None:
            known = self._texts[file] = self._read(file)
            if len(self._texts) > _KEPT:
                self._texts.popitem(last=False)
        return known

    def _read(self, file: str) -> list[str]:
        if self._left <= 0:
            return []
        self._left -= 1
        try:
            path = Path(file)
            found = path.stat()
            if not stat.S_ISREG(found.st_mode) or found.st_size > MOST_BYTES:
                return []
            return path.read_bytes().decode("utf-8-sig", "replace").split("\n")
        except (OSError, ValueError):
            return []


def _head(lines: list[str], at: int) -> int | None:
    """Return the nearest line above that is less indented; None where the line itself stands at the left."""
    depth = _depth(lines[at])
    if depth == 0:
        return None
    above = range(at - 1, -1, -1)
    return next(
        (number for number in islice(above, 2000) if lines[number].strip() and _depth(lines[number]) < depth), None
    )


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _cut(line: str) -> str:
    text = printable(line.rstrip("\r").replace("\t", "    "))
    return text if len(text) <= MOST_LINE else text[:MOST_LINE] + " ..."
