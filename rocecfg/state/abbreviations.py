"""Spells out the first words of lines that somebody typed in short: `priority-flow mode on`, `service-pol type qos`.

A device prints its words whole; scripts and sessions hold what people type, and the device takes every beginning that
is no other word's. A reader knows the whole words: a line in short would be one of a foreign subject, and what it sets
would be missed in silence. Only first words are spelled out: what is short further on is a line not understood.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_BEFORE = r"^((?:[\w.:-]{1,63}\([^)\n]{0,80}\)#)?[ \t]{0,80}(?:no )?)"
"""A prompt of a configuration mode, indentation, a negation."""


@dataclass(frozen=True, slots=True)
class _Words:
    """Shortest and whole form of each word, how a line with any begins, the whole ones, the pattern of such a line."""

    pairs: tuple[tuple[str, str], ...]
    begin: tuple[str, ...]
    whole: frozenset[str]
    pattern: re.Pattern[str]


@lru_cache(maxsize=64)
def _words(forms: tuple[str, ...]) -> _Words:
    pairs = tuple((form.partition("|")[0], form.replace("|", "")) for form in forms)
    shortest = tuple(short for short, _ in pairs)
    pattern = re.compile(rf"{_BEFORE}((?:{'|'.join(map(re.escape, shortest))})[a-z-]{{0,40}})(?=[ \t])", re.MULTILINE)
    return _Words(
        pairs, (*shortest, *(f"no {short}" for short in shortest)), frozenset(whole for _, whole in pairs), pattern
    )


def _is_short(line: str, words: _Words) -> bool:
    """Return whether the first word of a line without indentation is no whole one, or may be none."""
    first = line.removeprefix("no ").split(None, 1)
    return bool(first) and first[0] not in words.whole


def spelled_out(content: str, forms: tuple[str, ...]) -> str:
    """Return a text with the first words of its lines whole; a bar in a form ends the shortest beginning of the word.

    `("flowc|ontrol",)` spells out `flowc` and `flowcontr`, and leaves `flow` and `flowchart` as they stand.
    """
    words = _words(forms)
    lines = {line for line in set(map(str.strip, content.split("\n"))) if line.startswith(words.begin)}
    if ")#" not in content and not any(_is_short(line, words) for line in lines):
        return content

    def whole(found: re.Match[str]) -> str:
        typed = found[2]
        return found[1] + next(
            (word for short, word in words.pairs if typed.startswith(short) and word.startswith(typed)), typed
        )

    return words.pattern.sub(whole, content)
