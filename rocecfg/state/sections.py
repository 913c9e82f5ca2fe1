"""Cuts a device text into the blocks that matter, with line numbers.

A TTP group does not end where the vendor's section ends, so a foreign line would be credited to the last
interface. Here every block ends at the next line that stands as far left as its header; what no vendor asked
for never reaches a parser.
"""

from __future__ import annotations

from dataclasses import dataclass, field
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
    "deeper than" matter. A banner is skipped up to its delimiter.
    """
    by_letter: dict[str, list[tuple[str, str]]] = {}
    for prefix, kind in sorted(headers.items(), key=lambda item: -len(item[0])):
        by_letter.setdefault(prefix[0], []).append((prefix, kind))
    marks = tuple(comments)
    block: Block | None = None
    banner_end = ""
    for number, line in enumerate(text_lines(text), 1):
        if banner_end:
            if banner_end in line:
                banner_end = ""
            continue
        if block is None and line[:1] == " ":
            continue  # the body of a section nobody asked for
        stripped = line.lstrip()
        if not stripped or stripped.startswith(marks):
            continue
        indent = len(line) - len(stripped)
        if indent:
            if block is not None:
                block.body.append(BodyLine(number, indent, " ".join(stripped.split())))
            continue
        if block is not None:
            yield block
            block = None
        if stripped.startswith(_BANNER_STARTS):
            banner_end = _banner_delimiter(stripped)
        elif stripped[0] in by_letter:
            header = " ".join(stripped.split())
            for prefix, kind in by_letter[stripped[0]]:
                if header.startswith(prefix):
                    block = Block(kind, header, number)
                    break
    if block is not None:
        yield block


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
        if first[:1].isdigit() and prefix:
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
