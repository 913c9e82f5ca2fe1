"""Maps of EOS one code a line: a map line names many codes, and a remedy moves single ones."""

from __future__ import annotations

import re

from rocecfg.state.numbers import number_set

_MAP = re.compile(r"^(\s*qos map (?:dscp|cos|traffic-class)) ([\d,\- ]+?) (to .*)$")


def normalised(text: str) -> str:
    """Return the text with a line of its own for each code that a map line names."""
    return "\n".join(line for raw in text.split("\n") for line in _single(raw))


def _single(raw: str) -> list[str]:
    found = _MAP.match(raw) if "qos map" in raw[:40] else None
    if found is None:
        return [raw]
    return [f"{found[1]} {code} {found[3]}" for code in sorted(number_set(found[2], 63) or ())] or [raw]
