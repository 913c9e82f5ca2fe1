"""Cuts a device text into the blocks that matter, with line numbers.

A TTP group does not end where the vendor's section ends, so a foreign line would be credited to the last
interface. Here every block ends at the next line that stands as far left as its header; what no vendor asked
for never reaches a parser.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

LONGEST_LINE = 4096
"""Longer lines are cut: no device prints them, and every pattern over them would cost time."""

_BANNER_STARTS = ("banner ",)


class BodyLine(NamedTuple):
    """A line inside a block: its number from 1, its indentation in columns, its words joined by one blank."""

    number: int
    indent: int
    text: str


@dataclass(slots=True)
class Block:
    """A top-level line and what is indented below it."""

    kind: str
    header: str
    number: int
    body: list[BodyLine] = field(default_factory=list)


def text_lines(text: str) -> list[str]:
    """Return the lines of a text as an editor counts them: LF and CRLF end a line, nothing else does."""
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    if "\r" in text:
        return [line[:LONGEST_LINE].rstrip("\r") for line in lines]
    return [line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE] for line in lines]


def cut(text: str, headers: Mapping[str, str], comments: Iterable[str] = ("!",)) -> Iterator[Block]:
    """Yield the blocks whose header line starts with one of `headers` (prefix -> kind; longest prefix wins).

    Comments and blank lines are dropped and end nothing. Tabs count as one column: only "indented or not" and
    "deeper than" matter. A banner is skipped up to its delimiter. Only lines at the left margin are looked at one
    by one; what stands below a header nobody asked for costs nothing.
    """
    heads, kinds = _heads(tuple(headers.items()))
    marks = tuple(comments)
    margin = _margin(marks)
    text = "\n" + text  # every line then begins behind a line feed: a literal, which is found fast
    counted, number, position = 0, 0, 0
    seen: dict[str, tuple[int, str] | None] = {}
    while (found := heads.search(text, position)) is not None:
        start = found.start() + 1
        if text.startswith(_BANNER_STARTS, start):
            position = _after_banner(text, start)
            continue
        position = _line_end(text, start)
        header = " ".join(text[start : min(position, start + LONGEST_LINE)].split())
        kind = next((kind for prefix, kind in kinds[found[0]] if header.startswith(prefix)), None)
        if kind is None:
            continue
        number += text.count("\n", counted, start)
        counted = start
        below = margin.search(text, position)
        end = below.start() if below is not None else len(text)
        yield _block(Block(kind, header, number), text[position + 1 : end], marks, seen)
        position = end


@lru_cache(maxsize=64)
def _heads(headers: tuple[tuple[str, str], ...]) -> tuple[re.Pattern[str], dict[str, list[tuple[str, str]]]]:
    """Return the pattern of a line at the left margin that starts with one of our own words, or a banner.

    Beside it, for each text that it may find, the headers that can begin so (prefix, kind), the longest first.
    """
    longest = sorted(headers, key=lambda item: -len(item[0]))
    words = sorted({prefix.split(" ", 1)[0] for prefix, _ in headers})
    kinds = {f"\n{word}": [item for item in longest if item[0].startswith(word)] for word in words}
    return re.compile("\n(?:" + "|".join(map(re.escape, (*words, *_BANNER_STARTS))) + ")"), kinds


@lru_cache(maxsize=16)
def _margin(marks: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern of a line at the left margin that is neither blank nor a comment."""
    return re.compile("\n(?!" + "|".join(map(re.escape, marks)) + r")\S")


def _line_end(text: str, start: int) -> int:
    """Return where the line that holds `start` ends: at its line feed, or at the end of the text."""
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def _block(block: Block, text: str, marks: tuple[str, ...], seen: dict[str, tuple[int, str] | None]) -> Block:
    """Fill a block with the lines of its text; `seen` holds what lines were, since ports repeat one another's."""
    add, new = block.body.append, tuple.__new__
    for number, line in enumerate(text.split("\n"), block.number + 1):
        if line in seen:
            found = seen[line]
        else:
            found = seen[line] = _indent_and_words(line, marks)
        if found is not None:
            add(new(BodyLine, (number, *found)))
    return block


def _indent_and_words(line: str, marks: tuple[str, ...]) -> tuple[int, str] | None:
    """Return the indentation of a line and its words joined by one blank; None for a blank line and a comment."""
    line = line[:LONGEST_LINE]  # no device prints a longer one
    words = line.strip()
    if not words or words.startswith(marks):
        return None
    indent = line.find(words[0])
    if "  " in words or not words.isprintable():
        words = " ".join(words.split())
    return indent, words


def _after_banner(text: str, start: int) -> int:
    """Return where the text goes on after a banner: behind the line that holds its closing delimiter."""
    end = _line_end(text, start)
    delimiter = _banner_delimiter(text[start:end])
    if not delimiter:
        return end
    closing = text.find(delimiter, end)
    return len(text) if closing < 0 else _line_end(text, closing)


def _banner_delimiter(line: str) -> str:
    """Return the text that ends a banner, or nothing when the banner is whole on its line."""
    words = line.split(None, 2)
    rest = words[2] if len(words) > 2 else ""
    if not rest:
        return ""
    delimiter = rest[:2] if rest.startswith("^") else rest[0]
    return "" if delimiter in rest[len(delimiter) :] else delimiter


def expand_numbers(text: str, limit: int = 4096) -> list[str]:
    """Return the names that a port range stands for, in order.

    `Ethernet1/1-4,Ethernet1/9` and `Ethernet 1/1-1/16` (NX-OS), `swp1-3,swp6s0-1` (Cumulus): the last number of
    a name runs, a full name behind the dash is accepted. A range that makes no sense is returned as it stands.
    """
    names: list[str] = []
    prefix = ""
    for part in (piece.strip() for piece in text.split(",")):
        if not part:
            continue
        first, dash, last = part.partition("-")
        first = "".join(first.split())
        if first[:1].isdecimal() and prefix:
            first = prefix + first
        head = first.rstrip("0123456789")
        tail = first[len(head) :]
        prefix = first.rstrip("0123456789/:")
        end = last.strip().rpartition("/")[2]
        digits = end[len(end.rstrip("0123456789")) :]
        if not dash or not tail or not digits or not int(tail) <= int(digits) < int(tail) + limit:
            names.append("".join(part.split()) if dash else first)
            continue
        names += [f"{head}{number}" for number in range(int(tail), int(digits) + 1)]
    return names
