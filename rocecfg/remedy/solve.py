"""Finds the smallest change that leaves no drift: proposals are tried on the text and read back, never believed.

Proposed is everything the rendered configuration says, and, in its sections, taking back what only the live text
says and the vendor names as ours. Whatever turns out not to matter is left as it is on the device.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rocecfg.remedy.rules import Rules
    from rocecfg.remedy.text import Path, Settings

MOST_SINGLE = 4000
"""Changes that are tried one by one; beyond, only whole sections are."""


@dataclass(frozen=True, slots=True)
class Change:
    """One setting to add, change, or (`line` None) take back."""

    path: Path
    line: str | None


def proposed(live: Settings, wanted: Settings, rules: Rules) -> list[Change]:
    """Return every change that may be needed."""
    changes = [Change(path, line) for path, line in wanted.items() if live.get(path) != line]
    known = {path[:-1] for path in wanted} | {()}
    gone: set[Path] = set()
    for path, line in live.items():
        if path in wanted or path[:-1] not in known or path[:-1] in gone:
            continue
        lines = path if rules.form == "patch" else (*(_line(above, wanted, live) for above in _above(path)), line)
        if rules.is_ours(lines) and rules.negated(line) is not None:
            gone.add(path)
            changes.append(Change(path, None))
    return changes


def _above(path: Path) -> list[Path]:
    return [path[:depth] for depth in range(1, len(path))]


def _line(path: Path, wanted: Settings, live: Settings) -> str:
    return wanted.get(path) or live.get(path) or path[-1]


def applied(live: Settings, changes: Iterable[Change], wanted: Settings) -> Settings:
    """Return the settings after changes. The sections around a new setting come with it."""
    target = dict(live)
    taken = {change.path for change in changes if change.line is None}
    if taken:
        target = {
            path: line
            for path, line in target.items()
            if not any(path[:depth] in taken for depth in range(1, len(path) + 1))
        }
    for change in changes:
        if change.line is None:
            continue
        for above in _above(change.path):
            if above not in target:
                target[above] = wanted[above]
        target[change.path] = change.line
    return target


def smallest(
    live: Settings, wanted: Settings, changes: Sequence[Change], good: Callable[[Settings], bool]
) -> list[Change]:
    """Return the changes that are needed, out of changes that together are good."""
    tops: dict[str, list[Change]] = {}
    for change in changes:
        tops.setdefault(change.path[0], []).append(change)

    def works(units: Sequence[Sequence[Change]]) -> bool:
        return good(applied(live, [change for unit in units for change in unit], wanted))

    kept = _pruned(list(tops.values()), works)
    if sum(map(len, kept)) > MOST_SINGLE:
        return [change for unit in kept for change in unit]
    units: list[list[Change]] = []
    for section in kept:
        whole: dict[Path, list[Change]] = {}
        for change in section:  # what is new as a whole stays whole
            head = next((above for above in (*_above(change.path), change.path) if above not in live), change.path)
            whole.setdefault(head, []).append(change)
        units += whole.values()
    return [change for unit in _pruned(units, works) for change in unit]


def _pruned(units: list[list[Change]], works: Callable[[Sequence[Sequence[Change]]], bool]) -> list[list[Change]]:
    """Return the units that cannot be left out, halving what is left out at once."""

    def needed(some: list[list[Change]], others: list[list[Change]]) -> list[list[Change]]:
        if not some or works(others):
            return []
        if len(some) == 1:
            return some
        middle = len(some) // 2
        first = needed(some[:middle], [*some[middle:], *others])
        return first + needed(some[middle:], [*first, *others])

    kept = needed(units, [])
    order = {id(unit): at for at, unit in enumerate(units)}
    return sorted(kept, key=lambda unit: order[id(unit)])
