"""Names and numbers as mlxconfig writes them: cards, parameters, firmware values."""

from __future__ import annotations

import re

ROW = re.compile(r"(?P<name>[A-Z][A-Z0-9_]*?)(?:_P(?P<port>[12]))?$")


def card_of(name: str, port: str | None) -> tuple[str, int]:
    """Return a card without its PCI function, and the port number: the suffix of the row, else function + 1."""
    base, dot, function = name.rpartition(".")
    if dot and function.isdecimal() and ":" in base:
        return base, int(port or int(function) + 1)
    return name.rpartition("/")[2], int(port or 1)


def parameter_name(name: str) -> tuple[str, str | None]:
    """Return a firmware parameter without its port suffix, and the port. Raises ValueError for another word."""
    row = ROW.match(name)
    if row is None:
        raise ValueError(name)
    return row["name"], row["port"]


def firmware_number(cell: str) -> int | None:
    """Return the number of `255`, `True(1)` or `ALL(2)`; None for arrays and `N/A`."""
    text = cell[cell.index("(") + 1 : -1] if cell.endswith(")") and "(" in cell else cell
    try:
        return int(text, 0)
    except ValueError:
        return None
