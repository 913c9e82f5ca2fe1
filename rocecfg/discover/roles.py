"""What a device does in the fabric, guessed: by its distance from the hosts, else by its name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_BY_DISTANCE = ("host", "leaf", "spine", "core")
_WORDS = (
    ("core", ("superspine", "super-spine", "core")),
    ("spine", ("spine", "agg")),
    ("leaf", ("leaf", "tor", "rack", "edge", "access")),
)


class Role(NamedTuple):
    """A role, empty where nothing tells, and why."""

    name: str
    because: str


def guess(kinds: Mapping[str, str], links: Iterable[tuple[str, str]], outside: Iterable[str] = ()) -> dict[str, Role]:
    """Return the role of each device.

    `kinds` = "host" or "switch" by name, `links` = pairs of devices, `outside` = devices with neighbours of which
    nothing else is known: where no host is known those neighbours count as hosts.
    """
    beside: dict[str, set[str]] = {}
    for a, b in links:
        beside.setdefault(a, set()).add(b)
        beside.setdefault(b, set()).add(a)
    hosts = {name for name, kind in kinds.items() if kind == "host"}
    cabled = {name for name in hosts if beside.get(name)}
    far = dict.fromkeys(hosts, 0)
    edge = set(cabled)
    why = "{} from the hosts"
    if not cabled:
        edge = {name for name in outside if kinds.get(name) == "switch" and not _by_name(name).startswith(("sp", "co"))}
        far |= dict.fromkeys(edge, 1)
        why = "{} from neighbours without a capture, taken for hosts"
    steps = 0 if cabled else 1
    while edge:
        steps += 1
        edge = {other for name in edge for other in beside.get(name, ()) if other in kinds and other not in far}
        far |= dict.fromkeys(edge, steps)
    return {name: _role(name, kind, far, why) for name, kind in kinds.items()}


def _role(name: str, kind: str, far: Mapping[str, int], why: str) -> Role:
    if kind == "host":
        return Role("host", "")
    steps = far.get(name)
    if steps is not None:
        cables = "one cable" if steps == 1 else f"{steps} cables"
        return Role(_BY_DISTANCE[min(steps, 3)], why.format(cables))
    word = _by_name(name)
    return Role(word, "by the name" if word else "neither cables nor the name tell what it does")


def _by_name(name: str) -> str:
    lowered = name.lower()
    for role, words in _WORDS:
        if any(re.search(rf"(?:^|[^a-z]){word}(?:[^a-z]|$)", lowered) for word in words):
            return role
    return ""
