"""What to type on which device: the lines of remedies, equal ones once; and how an audit gets them."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.errors import RocecfgError
from rocecfg.report.fleet_grouping import LONGEST, listed, natural, short
from rocecfg.report.table import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rocecfg.cli.auditing import Audited
    from rocecfg.plan.planned import Plan
    from rocecfg.remedy.make import Remedy

MOST_LINES = 400
MOST_BYTES = 1_200_000
"""Characters of all remedies; the rest is in the files that `rocecfg drift --remedy` writes."""
MOST_DEVICES = 60
MOST_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Cure:
    """The lines for one device, or for several that need the same."""

    number: int
    names: tuple[str, ...]
    devices: str
    commands: str
    count: int
    hidden: int
    undo: str
    check: str
    risk: str
    steps: tuple[str, ...]
    by_hand: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cures:
    """All remedies of a report, and the devices whose lines are left out for their size."""

    cures: tuple[Cure, ...] = ()
    left_out: str = ""
    of: dict[str, int] = field(default_factory=dict)
    """Device -> number of its remedy."""

    def first(self, device: str) -> Cure | None:
        """Return the remedy of a device that has lines to type."""
        number = self.of.get(device)
        return self.cures[number] if number is not None and self.cures[number].count else None

    def numbers_of(self, devices: Iterable[str]) -> list[int]:
        """Return the number of the remedy that some devices share; nothing where they need different ones."""
        found = {number for name in devices if (number := self.of.get(name)) is not None}
        return list(found) if len(found) == 1 else []


def cures(remedies: Mapping[str, Remedy] | None, order: Iterable[str]) -> Cures:
    """Return the remedies in an order of devices, those with the same lines together."""
    groups: dict[tuple[tuple[str, ...], ...], list[str]] = {}
    for name in dict.fromkeys([*order, *sorted(remedies or (), key=natural)]):
        item = (remedies or {}).get(name)
        if item is not None and (item.commands or item.by_hand):
            key = (item.commands, item.undo, item.check, (item.risk,), item.steps, item.by_hand)
            groups.setdefault(key, []).append(name)
    made: list[Cure] = []
    of: dict[str, int] = {}
    left, out = MOST_BYTES, []
    for (commands, undo, check, risk, steps, by_hand), names in groups.items():
        texts = [_bounded(lines) for lines in (commands, undo, check)]
        left -= sum(map(len, texts)) + sum(map(len, by_hand))
        if left < 0:
            out += names
            continue
        of.update(dict.fromkeys(names, len(made)))
        shown = tuple(sorted(names, key=natural))
        made.append(
            Cure(len(made), shown, listed(shown), texts[0], len(commands), max(len(commands) - MOST_LINES, 0),
                 texts[1], texts[2], short(risk[0]), tuple(map(short, steps)), tuple(map(short, by_hand[:50])))
        )  # fmt: skip
    return Cures(tuple(made), listed(sorted(out, key=natural)) if out else "", of)


def _bounded(lines: tuple[str, ...]) -> str:
    """Return lines as one text of harmless characters."""
    return "\n".join(printable(line.replace("\t", "    "))[:LONGEST] for line in lines[:MOST_LINES])


def remedies_of(audited: Audited, plan: Plan) -> dict[str, Remedy]:
    """Return the remedies of the devices that drifted most, from the captures they were judged by.

    At most MOST_DEVICES of them, and no further one after MOST_SECONDS: `rocecfg drift --remedy` makes all.
    """
    from rocecfg.remedy.make import remedy
    from rocecfg.state.capture import Capture, read_capture
    from rocecfg.state.parse import parse

    drifted = Counter(item.device for item in audited.outcome.findings if item.rule == "DRIFT-001")
    folders = {item.device: item.folder for item in audited.devices if item.status == "ok" and item.folder}
    until = time.monotonic() + MOST_SECONDS
    found: dict[str, Remedy] = {}
    for name, _ in sorted(drifted.items(), key=lambda item: (-item[1], natural(item[0]))):
        planned, folder = plan.devices.get(name), folders.get(name)
        if planned is None or folder is None or folder.startswith("<"):
            continue
        if len(found) >= MOST_DEVICES or time.monotonic() > until:
            break
        capture = read_capture(Path(folder))
        if not isinstance(capture, Capture):
            continue
        try:
            made = remedy(planned, parse(capture), capture)
        except RocecfgError:
            continue
        if made:
            found[name] = made
    return found
