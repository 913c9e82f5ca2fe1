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
    """Shortest and whole form of each word, the pattern of a line that begins with any, and what to count before."""

    pairs: tuple[tuple[str, str], ...]
    pattern: re.Pattern[str]
    counted: tuple[tuple[str, str], ...]
    heads: tuple[str, ...]


@lru_cache(maxsize=64)
def _words(forms: tuple[str, ...]) -> _Words:
    pairs: list[tuple[str, str]] = []
    counted: list[tuple[str, str]] = []
    for form in forms:
        short, whole = form.lstrip("^").partition("|")[0], form.lstrip("^").replace("|", "")
        pairs.append((short, whole))
        counted += [(head + short, head + whole) for head in (("\n", "# ") if form[0] == "^" else ("",))]
    shortest = "|".join(re.escape(short) for short, _ in pairs)
    pattern = re.compile(rf"{_BEFORE}((?:{shortest})[a-z-]{{0,40}})(?=[ \t])", re.MULTILINE)
    return _Words(tuple(pairs), pattern, tuple(counted), tuple(short for short, _ in pairs))


def spelled_out(content: str, forms: tuple[str, ...]) -> str:
    """Return a text with the first words of its lines whole; a bar in a form ends the shortest beginning of the word.

    `("flowc|ontrol",)` spells out `flowc` and `flowcontr`, and leaves `flow` and `flowchart` as they stand. `^` marks a
    word that stands at the margin or behind a prompt, so that others like it in the text cost no time.
    """
    words = _words(forms)
    if not content.startswith(words.heads) and all(
        content.count(short) == content.count(whole) for short, whole in words.counted
    ):
        return content  # nothing is short anywhere: counting costs next to nothing

    def whole(found: re.Match[str]) -> str:
        typed = found[2]
        return found[1] + next(
            (word for short, word in words.pairs if typed.startswith(short) and word.startswith(typed)), typed
        )

    return words.pattern.sub(whole, content)
