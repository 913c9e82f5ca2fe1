"""The named things of a text: profiles, pools and port groups, defined and used."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import Named, Port, PortQos, PriorityGroup, Where, eight

if TYPE_CHECKING:
    from vendors.cumulus.facts import Facts

amounts = load_module(Path(__file__).with_name("amounts.py"))
facts_module = load_module(Path(__file__).with_name("facts.py"))
schema = load_module(Path(__file__).with_name("schema.py"))

_D = facts_module.EVERY_PORT
_POOLS_IN_USE = {"default-lossy", "default-lossless", "mc-lossy"}
_ROCE_POOLS = {"roce-lossless", "roce-lossy"}


def objects_of(facts: Facts, tables: Any, roce: str) -> tuple[Named, ...]:
    """Return every profile and pool that is defined or used, in the order of the text."""
    used: dict[tuple[str, str], Where] = {}
    for leaves in facts.ports.values():
        for path, leaf in leaves.items():
            if path[0] == "qos" and path[-1] == "profile":
                used.setdefault((path[1], leaf.value), leaf.place)
    used |= facts.listed_groups
    found = []
    for section in schema.PROFILES:
        profiles = tables.get(section, {})
        for name, leaves in profiles.items():
            if name.startswith(facts_module.SHOWN):
                continue
            place = next(iter(leaves.values())).place
            system = name == _D or all(leaf.system for leaf in leaves.values())
            bound = (section, name) in used or name == _D
            would = None if bound or section != "pfc" else _would(name, leaves)
            found.append(
                Named(f"{section} profile", name, True, bound, matters=True, system=system, place=place, would=would)
            )
        for (of, name), place in used.items():
            if of == section and name not in profiles and name != _D:
                near = _nearest(name, [other for other in profiles if (section, other) not in used and other != _D])
                found.append(Named(f"{section} profile", name, False, True, matters=True, place=place, near=near))
    for name, leaves in tables.get("traffic-pool", {}).items():
        place = next(iter(leaves.values())).place
        in_use = name in _POOLS_IN_USE or (name in _ROCE_POOLS and bool(roce))
        found.append(
            Named(
                "traffic-pool",
                name,
                True,
                in_use,
                matters=True,
                system=in_use,
                place=place,
                inert=_inert(name, leaves, in_use),
            )
        )
    return tuple(sorted(found, key=lambda named: (named.place.file, named.place.line) if named.place else ("", 0)))


def _would(name: str, leaves: Any) -> Port | None:
    """Return the resume threshold that an unused PFC profile would put in force."""
    xon = leaves.get(("xon-threshold",))
    # a list that is left empty (`cos_list = []`) is a path without a number
    numbers = {int(path[1]) for path in leaves if path[:1] == ("switch-priority",) and len(path) == 2}
    if xon is None or not numbers:
        return None
    group = PriorityGroup(lossless=True, xon_below=amounts.amount(xon.value))
    places = {f"priority_groups.{number}.xon_below": xon.place for number in numbers}
    return Port(name, PortQos(priority_groups=eight(dict.fromkeys(numbers, group))), place=xon.place, places=places)


def _nearest(name: str, unused: list[str]) -> str:
    """Return the defined profile that was probably meant: one that nobody uses."""
    near = get_close_matches(name.lower(), [other.lower() for other in unused], n=1, cutoff=0.5)
    if near:
        return next(other for other in unused if other.lower() == near[0])
    return unused[0] if len(unused) == 1 else ""


def _inert(name: str, leaves: Any, in_use: bool) -> str:
    if not in_use and name in _ROCE_POOLS:
        return f"{name} is a pool of the RoCE mode, and RoCE mode is not on"
    if name == "default-lossless" and not any(path[:1] == ("switch-priority",) for path in leaves):
        return "no switch priority is put in the lossless pool"
    return ""
