"""Buffers and marking ramps of the plan, devices with the same drawings once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rocecfg.report.drawing import groups
from rocecfg.report.fleet_grouping import listed, natural, short

if TYPE_CHECKING:
    from rocecfg.plan.planned import Plan
    from rocecfg.report.chart import Bar, Chart

MOST_GROUPS = 24
"""Kinds of devices that are drawn."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Devices with the same buffer and the same ramps."""

    devices: str
    count: int
    about: str
    notes: tuple[str, ...]
    drawings: tuple[Chart | Bar, ...]


@dataclass(frozen=True, slots=True)
class Physics:
    """What is drawn, and which devices are not."""

    kinds: tuple[Kind, ...]
    undrawn: str
    hidden: str


def groups_of(plan: Plan) -> Physics:
    """Return the drawings of all devices of a plan."""
    names = sorted(plan.devices, key=natural)
    same: dict[object, list[str]] = {}
    first: dict[object, tuple[str, tuple[str, ...], tuple[Chart | Bar, ...]]] = {}
    undrawn: list[str] = []
    for group in groups(plan, names):
        members = group.names
        if not group.drawings:
            undrawn += members
            continue
        key = (group.subtitle, group.drawings)
        same.setdefault(key, []).extend(members)
        first.setdefault(key, (group.subtitle, group.notes, group.drawings))
    order = sorted(same, key=lambda key: (not any(d.kind == "bar" for d in first[key][2]), -len(same[key])))
    kinds = tuple(
        Kind(listed(sorted(same[key], key=natural)), len(same[key]), short(first[key][0]),
             tuple(map(short, first[key][1])), first[key][2])
        for key in order[:MOST_GROUPS]
    )  # fmt: skip
    hidden = [name for key in order[MOST_GROUPS:] for name in same[key]]
    return Physics(kinds, listed(sorted(undrawn, key=natural)), listed(sorted(hidden, key=natural)))
