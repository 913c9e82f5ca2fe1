"""Port lists as people write them: `Ethernet1/1-32`, `swp1-4,swp9`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_LAST_NUMBER = re.compile(r"(.*?)(\d+)(\D*)")
_SHOWN = 4


def compact(names: Sequence[str], noun: str = "ports") -> str:
    """Return port names as a short list of ranges, in their order; long lists end with the number of ports."""
    runs = ranges(names)
    text = ", ".join(runs[:_SHOWN])
    return text if len(runs) <= _SHOWN else f"{text} ... ({len(names)} {noun})"


def ranges(names: Iterable[str]) -> list[str]:
    """Return names in their order, each run that differs only in one number that counts up evenly as one range."""
    texts: list[str] = []
    run: list[tuple[str, str, str]] = []
    for name in names:
        match = _LAST_NUMBER.fullmatch(name) if len(name) < 100 else None
        item = (match[1], match[2], match[3]) if match is not None else (name, "", "")
        if run and not _follows(run, item):
            texts += _range(run)
            run = []
        run.append(item)
    return texts + _range(run)


def _follows(run: list[tuple[str, str, str]], item: tuple[str, str, str]) -> bool:
    head, digits, tail = run[-1]
    if (head, tail) != (item[0], item[2]) or not digits or not item[1]:
        return False
    if len(digits) != len(item[1]) and (digits[0] == "0" or item[1][0] == "0"):
        return False  # gpu09 and gpu10 count on, gpu9 and gpu010 do not
    step = int(item[1]) - int(digits)
    return step > 0 and (len(run) < 2 or step == int(digits) - int(run[-2][1]))


def _range(run: list[tuple[str, str, str]]) -> list[str]:
    if not run:
        return []
    (head, first, tail), (_, last, _) = run[0], run[-1]
    step = int(run[1][1]) - int(first) if len(run) > 1 else 1
    if len(run) == 1 or (len(run) == 2 and step > 1):
        return [f"{head}{digits}{tail}" for head, digits, tail in run]
    return [f"{head}{first}-{last}{tail}" + (f" step {step}" if step > 1 else "")]
