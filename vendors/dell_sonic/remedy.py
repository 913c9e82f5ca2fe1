"""Maps of Enterprise SONiC one number a line: a line names many, and a remedy moves single ones."""

from __future__ import annotations

import re

from rocecfg.state.numbers import number_set

_MANY = re.compile(
    r"^(\s+(?:dscp|dot1p|traffic-class|pfc-priority) )([\d,-]*[,-][\d,-]*)"
    r"( (?:traffic-class|queue|priority-group|pg|dscp|dot1p) \d+)$"
)


def normalised(text: str) -> str:
    """Return the text with a line of its own for each number of a map line."""
    return "\n".join(line for raw in text.split("\n") for line in _single(raw))


def _single(raw: str) -> list[str]:
    found = _MANY.match(raw)
    numbers = number_set(found[2], 63) if found is not None else None
    return [raw] if found is None or numbers is None else [f"{found[1]}{n}{found[3]}" for n in sorted(numbers)]
