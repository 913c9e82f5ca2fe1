"""What to type on which device: the lines of a remedy, equal ones once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocecfg.report.fleet_grouping import LONGEST, listed, natural, short
from rocecfg.report.table import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MOST_LINES = 400
MOST_BYTES = 1_200_000
"""Characters of all remedies; the rest is in the files that the audit writes."""


@dataclass(slots=True)
class Cure:
    """The lines for one device, or for several that need the same."""

    number: int
    names: list[str]
    devices: str
    commands: str
    hidden: int
    undo: str
    risk: str
    steps: tuple[str, ...]
    count: int


@dataclass(frozen=True, slots=True)
class Cures:
    """All remedies of a report, and the devices whose lines are left out for their size."""

    cures: tuple[Cure, ...] = ()
    left_out: str = ""
    of: dict[str, int] | None = None
    """Device -> number of its remedy."""

    def first(self, device: str) -> Cure | None:
        """Return the remedy of a device."""
        number = (self.of or {}).get(device)
        return self.cures[number] if number is not None else None

    def numbers_of(self, devices: Iterable[str]) -> list[int]:
        """Return the numbers of the remedies of some devices where they share one."""
        found = {number for name in devices if (number := (self.of or {}).get(name)) is not None}
        return list(found) if len(found) == 1 else []


def cures(remedies: Mapping[str, Any] | None, order: Iterable[str]) -> Cures:
    """Return the remedies in an order of devices, those with the same lines together."""
    if not remedies:
        return Cures()
    groups: dict[tuple[Any, ...], list[str]] = {}
    for name in dict.fromkeys([*order, *sorted(remedies, key=natural)]):
        remedy = remedies.get(name)
        commands = lines_of(getattr(remedy, "commands", None))
        if remedy is None or not any(line.strip() for line in commands):
            continue
        risk = getattr(remedy, "risk", "")
        key = (commands, lines_of(getattr(remedy, "undo", None)), _words(risk), _steps(getattr(remedy, "steps", None)))
        groups.setdefault(key, []).append(name)
    made: list[Cure] = []
    of: dict[str, int] = {}
    left, out = MOST_BYTES, []
    for (commands, undo, risk, steps), names in groups.items():
        text, hidden = _bounded(commands)
        back, _ = _bounded(undo)
        left -= len(text) + len(back)
        if left < 0:
            out += names
            continue
        of.update(dict.fromkeys(names, len(made)))
        shown = sorted(names, key=natural)
        made.append(
            Cure(
                len(made),
                shown,
                listed(shown),
                text,
                hidden,
                back,
                short(risk),
                tuple(map(short, steps)),
                len(commands),
            )
        )
    return Cures(tuple(made), listed(sorted(out, key=natural)) if out else "", of)


def lines_of(value: Any) -> tuple[str, ...]:
    """Return commands as lines, whether they come as one text, as a list or as texts by file."""
    if value is None:
        return ()
    if isinstance(value, str):
        return tuple(value.splitlines())
    if isinstance(value, dict):
        return tuple(line for text in value.values() for line in lines_of(text))
    return tuple(line for item in value for line in lines_of(getattr(item, "text", item) if item is not None else ""))


def _words(risk: Any) -> str:
    if risk is None:
        return ""
    if isinstance(risk, list | tuple | set | frozenset):
        return "; ".join(_words(item) for item in risk)
    for name in ("word", "value"):
        found = getattr(risk, name, None)
        if isinstance(found, str):
            return found
    return str(risk)


def _steps(value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str):
        return tuple(line for line in value.splitlines() if line.strip())
    return tuple(str(getattr(item, "text", item)) for item in value)


def _bounded(lines: tuple[str, ...]) -> tuple[str, int]:
    """Return lines as one text of harmless characters, and how many are left out."""
    kept = [printable(line.replace("\t", "    "))[:LONGEST] for line in lines[:MOST_LINES]]
    return "\n".join(kept), max(len(lines) - MOST_LINES, 0)
