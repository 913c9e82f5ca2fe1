"""Counters of hosts before and after a step: `name: value` texts of `ethtool -S` and of RDMA `hw_counters`.

What a name means stands with the NIC's family (vendors/nic/FAMILY/counters.py, from the driver's source). A counter
that is absent is unknown, never zero; one that fell was cleared in between and is unknown too.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module, room_folders
from rocecfg.state.counters import number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

LARGEST = 8 * 1024 * 1024
_FIRST_DIGIT = re.compile(r"(\D*)(\d)(.*)")
MICROSECOND = 1000


@dataclass(slots=True)
class Growth:
    """What the counters of one host grew by; (counter, priority) -> growth, priority None of the whole port."""

    grew: dict[tuple[str, int | None], int] = field(default_factory=lambda: defaultdict(int))
    paused: dict[tuple[str, int | None], int] = field(default_factory=dict)
    """Nanoseconds of pause, of the port that paused longest."""
    trouble: list[str] = field(default_factory=list)

    def of(self, counter: str, priority: int | None = None) -> int | None:
        """Return the growth of a counter, None when the host does not offer it."""
        return self.grew.get((counter, priority))

    def by_priority(self, counter: str) -> dict[int, int]:
        """Return the growth by priority."""
        return {at: count for (name, at), count in self.grew.items() if name == counter and at is not None}


@cache
def _names(family: str) -> Any:
    """Return the vocabulary of a NIC's family, None when it is not known: another driver's words are not its own."""
    for room in room_folders("vendors") if re.fullmatch("[a-z0-9_]{1,40}", family) else ():
        path = Path(room) / "nic" / family / "counters.py"
        if path.is_file():
            return getattr(load_module(path), "COUNTING", None)
    return None


@cache
def meaning(family: str, name: str) -> tuple[str, int | None, int] | None:
    """Return (our counter, priority, factor) of a name, None when it does not concern us."""
    names = _names(family)
    if names is None:
        return None
    known = names.of_port.get(name) or names.of_rdma.get(name)
    if known:
        return (known, None, 1) if isinstance(known, str) else (known[0], None, known[1])
    split = _FIRST_DIGIT.fullmatch(name)
    counter = names.by_priority.get(f"{split[1]}#{split[3]}") if split else None
    if split is None or counter is None:
        return None
    return (counter, int(split[2]), 1) if isinstance(counter, str) else (counter[0], int(split[2]), counter[1])


def growth(before: Path, after: Path, nics: Mapping[str, str]) -> Growth:
    """Return what grew between the two folders of one host; `nics` = interface -> family, as files are named."""
    found = Growth()
    if not before.is_dir() or not after.is_dir():
        found.trouble.append(f"no counters {'before' if not before.is_dir() else 'after'} the step")
        return found
    usual = next(iter(nics.values()), "")
    first, second = dict(_files(before)), dict(_files(after))
    for name in sorted(first.keys() | second.keys()):
        if name not in first or name not in second:
            found.trouble.append(f"{name}: only {'after' if name not in first else 'before'} the step")
            continue
        family = nics.get(Path(name).name.partition(".")[0], usual)
        try:
            old, new = _read(first[name], family), _read(second[name], family)
        except OSError as error:
            found.trouble.append(f"{name}: {error.strerror or error}")
            continue
        for key, count in new.items():
            if key not in old:
                continue
            more = count - old[key]
            if more < 0:
                found.trouble.append(f"{name}: {key[0]} fell from {old[key]} to {count}: cleared during the step")
            elif key[0] == "rx_paused":
                found.paused[key] = max(more, found.paused.get(key, 0))
            else:
                found.grew[key] += more
    if not found.grew and not found.trouble:
        found.trouble.append("no counter that is known by name")
    return found


def _files(folder: Path) -> Iterator[tuple[str, str]]:
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in names:
            path = f"{place}/{name}"
            yield path[len(str(folder)) + 1 :], path


def _read(path: str, family: str) -> dict[tuple[str, int | None], int]:
    with open(path, "rb") as stream:  # noqa: PTH123 - tens of thousands of files
        text = stream.read(LARGEST).decode("utf-8", "replace")
    found: dict[tuple[str, int | None], int] = {}
    for line in text.splitlines():
        name, colon, value = line.partition(":")
        known = meaning(family, name.strip()[:80]) if colon else None
        if known is None:
            continue
        count = number(value)
        if count is not None:
            key = known[:2]
            found[key] = found.get(key, 0) + count * known[2]
    return found
