"""The intent to be: devices, cables, classes and settings with the reason of every guess, before it is a text."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping
    from fractions import Fraction

Path = tuple[str, ...]
"""Where a setting stands: ("pfc", "headroom")."""


class Kin(NamedTuple):
    """What devices of one line of the file share."""

    role: str
    kind: str
    system: str
    model: str
    release: str
    asic: str


@dataclass(slots=True)
class Loose:
    """A port that no cable is known of."""

    speed: int
    cable: int | Fraction | None = None
    guessed: str = ""


@dataclass(slots=True)
class Member:
    """One device."""

    name: str
    kind: str
    system: str
    model: str = ""
    release: str = ""
    asic: str = ""
    role: str = ""
    role_because: str = ""
    loose: dict[str, Loose] = field(default_factory=dict)

    @property
    def kin(self) -> Kin:
        """What its line of the file says."""
        return Kin(self.role, self.kind, self.system, self.model, self.release, self.asic)


@dataclass(frozen=True, slots=True)
class Link:
    """One cable: ends as (device, port), bit/s, metres where known, and what of it was guessed."""

    a: tuple[str, str]
    b: tuple[str, str]
    speed: int
    cable: int | Fraction | None = None
    guessed: str = ""


@dataclass(slots=True)
class ClassLine:
    """One line under `classes`: keys with their values as written, and what of it was guessed."""

    name: str
    keys: dict[str, str]
    guessed: str = ""
    tc: int | None = None
    """The traffic class on the ports that the line was read from."""


@dataclass(slots=True)
class Draft:
    """The whole file."""

    fabric: str
    preset: str = ""
    classes: list[ClassLine] = field(default_factory=list)
    members: dict[str, Member] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)
    settings: dict[Path, str] = field(default_factory=dict)
    roles: dict[str, dict[Path, str]] = field(default_factory=dict)
    kin: dict[Kin, dict[Path, str]] = field(default_factory=dict)
    ports: dict[Kin, dict[str, dict[Path, str]]] = field(default_factory=dict)
    heading: list[str] = field(default_factory=list)
    """Comment lines at the top."""
    links_remarks: list[str] = field(default_factory=list)
    """Comment lines of the links section."""
    devices_remarks: list[str] = field(default_factory=list)

    def families(self) -> dict[Kin, list[str]]:
        """Return the devices that share a line, hosts last."""
        found: dict[Kin, list[str]] = {}
        for member in self.members.values():
            found.setdefault(member.kin, []).append(member.name)
        order = {"core": 0, "spine": 1, "leaf": 2, "": 3, "host": 4}
        return dict(sorted(found.items(), key=lambda item: (order.get(item[0].role, 3), item[0])))


def most(values: Iterable[Hashable]) -> Hashable:
    """Return the most frequent value; of equally frequent ones that with the smallest text. None for no values."""
    counted = Counter(values)
    return min(counted, key=lambda value: (-counted[value], str(value))) if counted else None


def place(draft: Draft, path: Path, values: Mapping[tuple[str, str], str], weights: Mapping[str, int]) -> None:
    """State a setting of ports on the broadest levels that say it: fabric, roles, device lines, ports of a line.

    `values` = by (device, port), `weights` = how many devices one of them stands for. What most ports of a level have
    is stated there. A single device that has it otherwise than its likes is not copied: the comparison with the
    finished file counts it.
    """
    if not values:
        return
    of_fabric = str(most(text for (device, _), text in values.items() for _ in range(weights[device])))
    if of_fabric != "auto":
        draft.settings[path] = of_fabric
    by_role: dict[str, dict[Kin, dict[str, list[str]]]] = {}
    for (device, port), text in values.items():
        kin = draft.members[device].kin
        by_role.setdefault(kin.role, {}).setdefault(kin, {}).setdefault(port, []).extend([text] * weights[device])
    for role, families in by_role.items():
        said = of_fabric
        if role:
            said = str(most(text for ports in families.values() for texts in ports.values() for text in texts))
            if said != of_fabric:
                draft.roles.setdefault(role, {})[path] = said
        for kin, ports in families.items():
            of_kin = str(most(text for texts in ports.values() for text in texts))
            if of_kin != said:
                draft.kin.setdefault(kin, {})[path] = of_kin
            for port, texts in ports.items():
                of_port = str(most(texts))
                if of_port != of_kin:
                    draft.ports.setdefault(kin, {}).setdefault(port, {})[path] = of_port
