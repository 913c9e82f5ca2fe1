"""Plain columns for terminals and files."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_UNPRINTABLE = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def columns(rows: Iterable[Sequence[str]], gap: str = "  ") -> str:
    """Return rows as left-aligned columns, one line a row; the last column is not padded."""
    table = [list(row) for row in rows]
    width = [
        max((len(row[at]) for row in table if at < len(row)), default=0)
        for at in range(max(map(len, table), default=0))
    ]
    return "".join(
        gap.join(cell.ljust(width[at]) if at < len(row) - 1 else cell for at, cell in enumerate(row)).rstrip() + "\n"
        for row in table
    )


def printable(text: str) -> str:
    r"""Return a device's text as one harmless line: control and direction characters become `\x1b` and the like."""
    return _UNPRINTABLE.sub(lambda match: ascii(match[0])[1:-1], text)


def counted(count: int, word: str) -> str:
    """Return `1 port`, `2 ports`."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
