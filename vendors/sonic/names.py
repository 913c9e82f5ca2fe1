"""How CONFIG_DB names things: references between rows, and the names the buffer manager makes."""

from __future__ import annotations

import re

_NATURAL = re.compile(r"(\d+)")
_GENERATED = re.compile(r"pg_lossless_(\d{1,9})_(\d{1,7})m(?:_\w{1,60})?_profile$")


def natural(name: str) -> list[tuple[int, str]]:
    """Return the sort key that puts Ethernet8 before Ethernet16."""
    return [(int(part[:18]), "") if part.isdecimal() else (-1, part) for part in _NATURAL.split(name) if part]


def reference(value: object) -> str:
    """Return the row a field points at: `NAME`, or `[TABLE|NAME]` as old releases wrote it."""
    name = str(value)
    if name[:1] == "[" and name[-1:] == "]":
        inside = name[1:-1]
        table, bar, rest = inside.partition("|") if "|" in inside else inside.partition(":")
        return rest if bar and table.isupper() else inside
    return name


def generated(name: str) -> tuple[int, int] | None:
    """Return (speed in Mb/s, cable in metres) of a profile name the buffer manager made, None for any other name."""
    match = _GENERATED.match(name)
    return (int(match[1]), int(match[2])) if match is not None else None
