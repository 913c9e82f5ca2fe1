"""Many names as few patterns of the intent language: `leaf[01-16]`, `pod[1-4]-leaf[1-8]`, `Ethernet[0-248:8]`."""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_DIGITS = re.compile(r"([0-9]+)")
_MOST_DIGITS = 7
"""Longer numbers are no counters; the intent language does not take them as ranges."""
LONGEST = 400
"""Characters of one bracket; the intent language takes 1,000 for a whole name."""

Shape = tuple[str, ...]
Numbers = tuple[str, ...]


def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """Return a sort key that puts leaf2 before leaf10."""
    return tuple(
        (1, int(part), part) if part.isdecimal() and part.isascii() else (0, 0, part)
        for part in _DIGITS.split(name)
        if part
    )


def cut(name: str) -> tuple[Shape, Numbers]:
    """Return the fixed texts of a name, and the numbers between them."""
    fixed, numbers = [""], []
    for index, part in enumerate(_DIGITS.split(name)):
        if index % 2 and len(part) <= _MOST_DIGITS:
            numbers.append(part)
            fixed.append("")
        else:
            fixed[-1] += part
    return tuple(fixed), tuple(numbers)


def widths(rows: Iterable[Numbers]) -> list[frozenset[int]]:
    """Return, by position, the widths that numbers are padded to with zeros."""
    padded: list[set[int]] = []
    for row in rows:
        while len(padded) < len(row):
            padded.append(set())
        for at, text in enumerate(row):
            if text.startswith("0") and len(text) > 1:
                padded[at].add(len(text))
    return [frozenset(found) for found in padded]


def width_class(row: Numbers, padded: Sequence[frozenset[int]]) -> tuple[int, ...]:
    """Return which padding each number of a name belongs to, 0 = none: `[08-12]` never holds `7`."""
    return tuple(len(text) if len(text) in padded[at] else 0 for at, text in enumerate(row))


def patterns_of(names: Iterable[str]) -> list[str]:
    """Return patterns that stand for these names and no others, in counting order."""
    families: dict[Shape, list[Numbers]] = {}
    for name in sorted(set(names), key=natural):
        shape, numbers = cut(name)
        families.setdefault(shape, []).append(numbers)
    found: list[tuple[tuple[tuple[int, int, str], ...], str]] = []
    for shape, rows in families.items():
        padded = widths(rows)
        kinds: dict[tuple[int, ...], list[Numbers]] = {}
        for row in rows:
            kinds.setdefault(width_class(row, padded), []).append(row)
        for of_kind in kinds.values():
            for sets in _blocks(of_kind):
                first = join(shape, [numbers[0] for numbers in sets])
                found += [(natural(first), text) for text in _texts(shape, sets)]
    return [text for _, text in sorted(found)]


def _blocks(rows: list[Numbers]) -> list[tuple[tuple[str, ...], ...]]:
    """Return products of number sets that cover the rows exactly: the last position is merged first."""
    blocks: list[tuple[tuple[str, ...], ...]] = [tuple((number,) for number in row) for row in rows]
    count = len(rows[0]) if rows else 0
    before = 0
    while before != len(blocks):
        before = len(blocks)
        for at in reversed(range(count)):
            merged: dict[tuple[tuple[str, ...], ...], list[str]] = {}
            for block in blocks:
                merged.setdefault((*block[:at], *block[at + 1 :]), []).extend(block[at])
            blocks = [(*rest[:at], tuple(sorted(set(values), key=int)), *rest[at:]) for rest, values in merged.items()]
    return blocks


def _texts(shape: Shape, sets: Sequence[Sequence[str]]) -> list[str]:
    """Return the patterns of one block: one, or several where a bracket would get too long."""
    return [join(shape, choice) for choice in product(*(brackets(numbers) for numbers in sets))]


def join(shape: Shape, numbers: Sequence[str]) -> str:
    """Put numbers or brackets between the fixed texts of a name."""
    return "".join(part for pair in zip(shape, (*numbers, ""), strict=True) for part in pair)


def brackets(numbers: Sequence[str]) -> list[str]:
    """Return numbers in this order as one bracket, or as several where one would get too long."""
    if len(numbers) == 1:
        return [numbers[0]]
    found, inside = [], ""
    for part in _ranges(numbers):
        if inside and len(inside) + len(part) >= LONGEST:
            found.append(f"[{inside}]")
            inside = ""
        inside = f"{inside},{part}" if inside else part
    return [*found, f"[{inside}]"]


def _ranges(numbers: Sequence[str]) -> list[str]:
    """Return runs of equal steps as `1-8`, `0-56:8`, the rest one by one."""
    parts, at = [], 0
    while at < len(numbers):
        end, step = at, 0
        while end + 1 < len(numbers) and _one_form(numbers[at], numbers[end + 1]):
            gap = int(numbers[end + 1]) - int(numbers[end])
            if gap < 1 or (step and gap != step):
                break
            step, end = gap, end + 1
        length = end - at + 1
        if length >= 3 or (length == 2 and step == 1):
            parts.append(f"{numbers[at]}-{numbers[end]}" + (f":{step}" if step > 1 else ""))
            at = end + 1
        else:
            parts.append(numbers[at])
            at += 1
    return parts


def _one_form(first: str, other: str) -> bool:
    padded = (first.startswith("0") and len(first) > 1) or (other.startswith("0") and len(other) > 1)
    return not padded or len(first) == len(other)
