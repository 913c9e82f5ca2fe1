"""SR Linux texts as single set lines; only the flat form is taken."""

from __future__ import annotations


def normalised(text: str) -> str:
    """Return the text with one value of a list a line. Raises ValueError for braces and JSON."""
    if not any(line.lstrip("- ").startswith("set / ") for line in text.split("\n")):
        raise ValueError("commands are made from `info flat`: capture that too")
    return "\n".join(single for line in text.split("\n") for single in _single(line))


def _single(line: str) -> list[str]:
    if not line.startswith("set / ") or not line.endswith("]"):
        return [line]
    head, _, inside = line.partition("[")
    return [head + value for value in inside[:-1].split()] or [line]
