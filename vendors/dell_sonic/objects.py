"""Lists the named objects of a running configuration: maps and policies, defined, bound, or missing."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from rocecfg.state.model import Named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vendors.dell_sonic.config import Config

_BINDS = (
    "dscp-tc", "dot1p-tc", "tc-queue", "tc-pg", "tc-dscp", "tc-dot1p", "pfc-priority-queue", "pfc-priority-pg",
)  # fmt: skip
_SYSTEM = {"ROCE"}
"""Made by `roce enable`: they need not stand in the text."""


def objects(config: Config) -> tuple[Named, ...]:
    """Return every map and policy in the order of the text, and those that are bound and stand nowhere."""
    if not config.interfaces:
        return ()
    found = list(_objects(config))
    return tuple(sorted(found, key=lambda item: (item.place.line if item.place else 0, item.kind, item.name)))


def _defined(config: Config) -> dict[tuple[str, str], tuple[int, bool]]:
    """Return the line of each object, and whether it holds a setting that matters when nobody binds it."""
    found = {(f"qos map {kind}", name): (item.number, False) for (kind, name), item in config.maps.items()}
    found |= {("qos wred-policy", name): (item.number, bool(item.entries)) for name, item in config.wred.items()}
    found |= {("qos scheduler-policy", name): (item.number, True) for name, item in config.schedulers.items()}
    return found


def _uses(config: Config) -> dict[tuple[str, str], int]:
    uses: dict[tuple[str, str], int] = {}
    for port in config.interfaces.values():
        for kind in _BINDS:
            if kind in port.settings:
                uses.setdefault((f"qos map {kind}", port.settings[kind][0]), port.settings[kind][1])
        if "scheduler" in port.settings:
            uses.setdefault(("qos scheduler-policy", port.settings["scheduler"][0]), port.settings["scheduler"][1])
        for name, number in port.wred.values():
            uses.setdefault(("qos wred-policy", name), number)
    return uses


def _objects(config: Config) -> Iterator[Named]:
    defined, uses = _defined(config), _uses(config)
    by_system = _SYSTEM if "roce" in config.options else set()
    for (kind, name), (number, matters) in defined.items():
        used = (kind, name) in uses
        yield Named(kind, name, defined=True, used=used, matters=matters, place=config.where(number))
    for (kind, name), number in uses.items():
        if (kind, name) in defined or not (defined or config.hostname):
            continue  # an excerpt of interfaces: the maps stand elsewhere
        known = [known for of, known in defined if of == kind]
        yield Named(
            kind,
            name,
            defined=False,
            used=True,
            matters=True,
            system=name in by_system,
            place=config.where(number),
            near=next(iter(get_close_matches(name[:64], known[:1000], n=1, cutoff=0.6)), ""),
        )
