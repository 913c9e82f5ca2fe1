"""Port lists as people write them: `Ethernet1/1-32`, `swp1-4,swp9`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_LAST_NUMBER = re.compile(r"(.*?)(\d+)(\D*)")
_SHOWN = 4


def compact(names: Sequence[str]) -> str:
    """Return port names as a short list of ranges, in their order; long lists end with the number of ports."""
    runs = list(_runs(names))
    text = ", ".join(runs[:_SHOWN])
    return text if len(runs) <= _SHOWN else f"{text} ... ({len(names)} ports)"


def _runs(names: Iterable[str]) -> Iterable[str]:
    """Yield a range for each run of names that differ only in one number that counts up evenly."""
    run: list[tuple[str, int, str]] = []
    for name in names:
        match = _LAST_NUMBER.fullmatch(name) if len(name) < 100 else None
        if match is None:
            yield from _range(run)
            run = []
            yield name
            continue
        item = (match[1], int(match[2]), match[3])
        if run and not _follows(run, item):
            yield from _range(run)
            run = []
        run.append(item)
    yield from _range(run)


def _follows(run: list[tuple[str, int, str]], item: tuple[str, int, str]) -> bool:
    head, number, tail = run[-1]
    if (head, tail) != (item[0], item[2]) or item[1] <= number:
        return False
    return len(run) < 2 or item[1] - number == number - run[-2][1]


def _range(run: list[tuple[str, int, str]]) -> Iterable[str]:
    if not run:
        return
    (head, first, tail), (_, last, _) = run[0], run[-1]
    step = run[1][1] - first if len(run) > 1 else 1
    if len(run) == 1:
        yield f"{head}{first}{tail}"
    elif len(run) == 2 and step > 1:
        yield f"{head}{first}{tail}"
        yield f"{head}{last}{tail}"
    else:
        yield f"{head}{first}-{last}{tail}" + (f" step {step}" if step > 1 else "")
