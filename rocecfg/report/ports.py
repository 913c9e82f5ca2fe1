"""Many port names as one short text: `Ethernet1/1-32, Ethernet1/49`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_LAST_NUMBER = re.compile(r"([^0-9]|^)([0-9]{1,9})\Z")


def port_ranges(names: Iterable[str]) -> str:
    """Return names in their order, runs whose last number counts up by one, or by one other step, joined.

    `Ethernet0, Ethernet8, Ethernet16` (SONiC lanes) becomes `Ethernet0-16/8`.
    """
    runs: list[tuple[str, list[int]]] = []
    for name in names:
        found = _LAST_NUMBER.search(name)
        head, last = (name[: found.start(2)], int(found[2])) if found and str(int(found[2])) == found[2] else (name, -1)
        if runs and last >= 0 and runs[-1][0] == head and runs[-1][1] and _continues(runs[-1][1], last):
            runs[-1][1].append(last)
        else:
            runs.append((head, [last] if last >= 0 else []))
    return ", ".join(text for head, run in runs for text in _run(head, run))


def _continues(run: list[int], last: int) -> bool:
    step = last - run[-1]
    return step > 0 and (len(run) == 1 or step == run[1] - run[0])


def _run(head: str, run: list[int]) -> list[str]:
    if len(run) < 2:
        return [f"{head}{number}" for number in run] or [head]
    step = run[1] - run[0]
    if step == 1:
        return [f"{head}{run[0]}-{run[-1]}"]
    return [f"{head}{number}" for number in run] if len(run) == 2 else [f"{head}{run[0]}-{run[-1]}/{step}"]
