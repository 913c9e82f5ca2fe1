"""Numbers as devices print them: whole ones in plain digits, lists with ranges, the names of DSCPs.

A digit is one of ASCII: `int` takes those of every alphabet, signs and underscores too, and a word with them is no
number to a switch. What is longer than any number of a device is none either, before `int` spends its time on it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

LONGEST: Final = 20
"""Digits of the largest 64-bit number."""
_LONGEST_LIST: Final = 1000
DSCP_NAMES: Final[Mapping[str, int]] = {
    "ef": 46,
    **{f"cs{number}": 8 * number for number in range(1, 8)},
    **{f"af{group}{drop}": 8 * group + 2 * drop for group in range(1, 5) for drop in range(1, 4)},
}
"""The names every system knows (RFC 2474, 2597, 3246); each calls DSCP 0 by a word of its own."""


def whole_number(word: str | None, top: int, low: int = 0) -> int | None:
    """Return a number of plain digits from `low` to `top`, None for any other word."""
    if word is None or len(word) > LONGEST or not (word.isascii() and word.isdecimal()):
        return None
    number = int(word)
    return number if low <= number <= top else None


def number_set(text: str, top: int, names: Mapping[str, int] | None = None) -> frozenset[int] | None:
    """Return the numbers of a list: `3`, `0-2,4-7`, `0 2 to 3`, `af31` with `names`; None when it is none.

    One number above `top`, one range that runs backwards or one other word makes it none.
    """
    found: set[int] = set()
    for part in text[:_LONGEST_LIST].replace(",", " ").replace(" to ", "-").split():
        first, dash, last = part.partition("-")
        low, high = (_named(word, top, names) for word in (first, last if dash else first))
        if low is None or high is None or low > high:
            return None
        found.update(range(low, high + 1))
    return frozenset(found) or None


def _named(word: str, top: int, names: Mapping[str, int] | None) -> int | None:
    named = names.get(word.lower()) if names is not None else None
    return whole_number(word, top) if named is None else named if named <= top else None


def natural(word: str, top: int = 2**62) -> int:
    """Return a number of plain digits up to `top`. Raises ValueError for any other word."""
    number = whole_number(word, top)
    if number is None:
        raise ValueError(word)
    return number
