"""Many cables as few lines of the intent language, both sides paired in counting order.

A line takes what both sides count through in the same order. A Clos of 64 leaves and 8 spines is 8 lines, one for each
spine: the leaves count through one spine's ports.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, TypeVar

from rocecfg.discover.names import Numbers, Shape, brackets, cut, join, natural, width_class, widths

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

T = TypeVar("T", bound="Hashable")
Row = tuple[Numbers, Numbers]


def lines_of(links: Iterable[tuple[str, str, T]]) -> list[tuple[str, str, T]]:
    """Return lines (a, b, what both share) that stand for exactly these cables; ends are `device:port`."""
    families: dict[tuple[Shape, Shape, T], list[Row]] = {}
    for a, b, shared in sorted(links, key=lambda link: (natural(link[0]), natural(link[1]))):
        (shape_a, numbers_a), (shape_b, numbers_b) = cut(a), cut(b)
        families.setdefault((shape_a, shape_b, shared), []).append((numbers_a, numbers_b))
    found = []
    for (shape_a, shape_b, shared), rows in families.items():
        padded = widths(row[0] for row in rows), widths(row[1] for row in rows)
        kinds: dict[tuple[tuple[int, ...], ...], list[Row]] = {}
        for row in rows:
            key = tuple(width_class(row[side], padded[side]) for side in (0, 1))
            kinds.setdefault(key, []).append(row)
        for of_kind in kinds.values():
            found += [(join(shape_a, a), join(shape_b, b), shared) for a, b in _solve(of_kind)]
    return sorted(found, key=lambda line: (natural(line[0].replace("[", "")), natural(line[1].replace("[", ""))))


def _solve(rows: list[Row]) -> list[tuple[list[str], list[str]]]:
    """Return the brackets of both sides, for as few lines as a search by one number at a time finds."""
    line = _one_line(rows)
    if line is not None:
        return [line]
    best: tuple[int, list[list[Row]]] | None = None
    for side in (0, 1):
        for at in range(len(rows[0][side])):
            parts: dict[str, list[Row]] = {}
            for row in rows:
                parts.setdefault(row[side][at], []).append(row)
            if len(parts) > 1:
                cost = sum(1 if _one_line(part) else len(part) for part in parts.values())
                if best is None or cost < best[0]:
                    best = cost, list(parts.values())
    if best is None:  # the same cable twice
        return [line for row in rows if (line := _one_line([row])) is not None]
    return [line for part in best[1] for line in _solve(part)]


def _one_line(rows: Sequence[Row]) -> tuple[list[str], list[str]] | None:
    """Return the brackets of both sides where each side counts through all its numbers in order, else None."""
    sides = []
    for side in (0, 1):
        counted = [list(dict.fromkeys(row[side][at] for row in rows)) for at in range(len(rows[0][side]))]
        total = 1
        for numbers in counted:
            total *= len(numbers)
        if total != len(rows) or any(
            row[side] != numbers for row, numbers in zip(rows, product(*counted), strict=True)
        ):
            return None
        texts = [brackets(numbers) for numbers in counted]
        if any(len(text) > 1 for text in texts):
            return None
        sides.append([text[0] for text in texts])
    return sides[0], sides[1]
