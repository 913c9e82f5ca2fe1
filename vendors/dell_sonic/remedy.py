"""Maps of Enterprise SONiC one number a line: a line names many, and a remedy moves single ones."""

from __future__ import annotations

import re

_MANY = re.compile(
    r"^(\s+(?:dscp|dot1p|traffic-class|pfc-priority) )([\d,-]*[,-][\d,-]*)"
    r"( (?:traffic-class|queue|priority-group|pg|dscp|dot1p) \d+)$"
)


def normalised(text: str) -> str:
    """Return the text with a line of its own for each number of a map line."""
    return "\n".join(line for raw in text.split("\n") for line in _single(raw))


def _single(raw: str) -> list[str]:
    found = _MANY.match(raw)
    return [f"{found[1]}{number}{found[3]}" for number in _numbers(found[2])] if found else [raw]


def _numbers(text: str) -> list[int]:
    numbers: list[int] = []
    for part in text.split(","):
        first, dash, last = part.partition("-")
        if len(part) < 8 and first.isdecimal() and (not dash or last.isdecimal()):
            numbers += range(int(first), min(int(last or first), 63) + 1)
    return numbers
