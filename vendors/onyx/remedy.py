"""Onyx texts with one port a line: a line may speak of a range, and a remedy moves single ports."""

from __future__ import annotations

import re

_PORTS = re.compile(r"^(\s*(?:no )?interface ethernet )(\d+/)(\d+)-(?:\d+/)?(\d+)( \S.*)$")
_MOST = 1024


def normalised(text: str) -> str:
    """Return the text with a line of its own for each port of a range."""
    return "\n".join(line for raw in text.split("\n") for line in _single(raw))


def _single(raw: str) -> list[str]:
    found = _PORTS.match(raw) if "-" in raw else None
    if found is None:
        return [raw]
    first, last = int(found[3]), int(found[4])
    if not first <= last < first + _MOST:
        return [raw]
    return [f"{found[1]}{found[2]}{port}{found[5]}" for port in range(first, last + 1)]
