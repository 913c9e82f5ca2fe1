"""Names with ranges: `leaf[1-4]`, `gpu[001-128]:rail[0-7]`, `Ethernet[0-24:8]`, `swp[1,3,5-8]`.

One bracket holds numbers and ranges, separated by commas; `first-last:step` counts in steps and zeros in front
are kept (`[01-08]` gives 01, 02, ...). When several brackets stand in one name the leftmost is the outermost
loop: `leaf[1-2]:Ethernet1/[1-2]` gives leaf1:Ethernet1/1, leaf1:Ethernet1/2, leaf2:Ethernet1/1, leaf2:Ethernet1/2.
"""

from __future__ import annotations

import re
from itertools import product

from rocecfg.intent.fields import FieldError
from rocecfg.units import shown

MAX_DEVICES = 200_000
MAX_PORTS = 2_000_000
MAX_LINKS = 1_000_000
_FORMS = "accepted: [1-4], [01-08], [0,8,16], [0-24:8]"
_BRACKET = re.compile(r"\[[^\[\]]*\]")
_PART = re.compile(r"([0-9]{1,7})(?:-([0-9]{1,7})(?::([0-9]{1,7}))?)?")


def count(name: str) -> int:
    """Return how many names a pattern stands for. Raises FieldError for a pattern that cannot be read."""
    if "[" not in name and "]" not in name:
        return 1
    total = 1
    for piece in _pieces(name):
        if not isinstance(piece, str):
            total *= sum(_length(*part) for part in piece)
    return total


def expand(name: str, budget: int = MAX_PORTS) -> list[str]:
    """Return the names of a pattern in order. Raises FieldError, also above the budget of names."""
    if "[" not in name and "]" not in name:
        return [name]
    total = count(name)
    if total > budget:
        raise FieldError(f"{shown(name)} stands for {total:,} names", f"at most {budget:,} are accepted")
    choices = [[piece] if isinstance(piece, str) else _numbers(piece) for piece in _pieces(name)]
    return ["".join(parts) for parts in product(*choices)]


def literal(name: str) -> str:
    """Return a name with its brackets replaced by `0`, for judging the rest."""
    return _BRACKET.sub("0", name) if "[" in name else name


def collapse(names: list[str]) -> list[str]:
    """Return the same names with their last run of digits as ranges; order is kept.

    `["swp1", "swp2", "swp3", "eth0"]` gives `["swp[1-3]", "eth0"]`; expanding each in turn gives the names back.
    """
    patterns: list[str] = []
    run: list[tuple[str, str, str]] = []
    for name in names:
        match = re.fullmatch(r"(.*?)([0-9]+)([^0-9]*)", name, re.DOTALL)
        whole = (match[1], match[2], match[3]) if match and len(match[2]) <= 7 and "[" not in name else None
        if run and whole and _follows(run[-1], whole):
            run.append(whole)
            continue
        _flush(run, patterns)
        run = [whole] if whole else []
        if not whole:
            patterns.append(name)
    _flush(run, patterns)
    return patterns


def _follows(last: tuple[str, str, str], new: tuple[str, str, str]) -> bool:
    same_form = len(last[1]) == len(new[1]) or not (last[1].startswith("0") or new[1].startswith("0"))
    return last[0] == new[0] and last[2] == new[2] and same_form and int(new[1]) == int(last[1]) + 1


def _flush(run: list[tuple[str, str, str]], patterns: list[str]) -> None:
    if run:
        before, first, after = run[0]
        numbers = first if len(run) == 1 else f"[{first}-{run[-1][1]}]"
        patterns.append(f"{before}{numbers}{after}")


def _length(first: int, last: int, step: int, _width: int) -> int:
    return (last - first) // step + 1


def _numbers(parts: list[tuple[int, int, int, int]]) -> list[str]:
    return [str(n).zfill(width) for first, last, step, width in parts for n in range(first, last + 1, step)]


def _pieces(name: str) -> list[str | list[tuple[int, int, int, int]]]:
    """Cut a pattern into literal texts and brackets."""
    if len(name) > 1000:
        raise FieldError(f"{shown(name)} is too long for a name", "at most 1,000 characters are accepted")
    pieces: list[str | list[tuple[int, int, int, int]]] = []
    at = 0
    while at < len(name):
        opened = name.find("[", at)
        literal = name[at:] if opened < 0 else name[at:opened]
        if "]" in literal:
            raise FieldError(f'{shown(name)} has a "]" without a "["', _FORMS)
        pieces.append(literal)
        if opened < 0:
            break
        closed = name.find("]", opened)
        if closed < 0:
            raise FieldError(f'{shown(name)} has a "[" without a "]"', _FORMS)
        pieces.append(_bracket(name, name[opened + 1 : closed]))
        at = closed + 1
    return pieces


def _bracket(name: str, inside: str) -> list[tuple[int, int, int, int]]:
    parts = []
    for text in inside.split(","):
        match = _PART.fullmatch(text.strip())
        if not match:
            raise FieldError(f"{shown(name)} has the range {shown('[' + inside + ']')}", _FORMS)
        first, last, step = match[1], match[2] or match[1], int(match[3] or 1)
        if int(last) < int(first):
            raise FieldError(f"{shown(name)} counts down from {first} to {last}", f"write [{last}-{first}]")
        if not step:
            raise FieldError(f"{shown(name)} has the step 0", _FORMS)
        padded = first.startswith("0") and len(first) > 1
        if (padded or (last.startswith("0") and len(last) > 1)) and len(first) != len(last):
            raise FieldError(f"{shown(name)} pads {first} and {last} to different widths",
                             f"write [{first.zfill(len(last))}-{last.zfill(len(first))}]")  # fmt: skip
        parts.append((int(first), int(last), step, len(first) if padded else 0))
    return parts
