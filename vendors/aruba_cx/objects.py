"""Lists the named objects of a running configuration: profiles and pools, defined, used, or bound to nothing."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from rocecfg.state.model import Named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vendors.aruba_cx.config import Config

_KINDS = {"queues": "queue-profile", "schedule": "schedule-profile", "thresholds": "threshold-profile"}
_SYSTEM = {
    ("queue-profile", "factory-default"),
    ("schedule-profile", "factory-default"),
    ("schedule-profile", "strict"),
}


def objects(config: Config) -> tuple[Named, ...]:
    """Return every profile in the order of the text, and the profiles that are applied and stand nowhere.

    A part of a configuration without interfaces and without `apply` cannot apply a profile: nothing is said of it.
    """
    found = [*_profiles(config), *_pools(config)]
    return tuple(sorted(found, key=lambda item: (item.place.line if item.place else 0, item.kind, item.name)))


def _uses(config: Config) -> dict[tuple[str, str], int]:
    uses: dict[tuple[str, str], int] = {}
    for stated in (config.options, *(interface.settings for interface in config.interfaces.values())):
        for option, kind in _KINDS.items():
            if option in stated:
                name, number = stated[option]
                uses[kind, name] = min(number, uses.get((kind, name), number))
    return uses


def _profiles(config: Config) -> Iterator[Named]:
    uses = _uses(config)
    if not uses and not config.interfaces:
        return
    for (kind, name), profile in config.profiles.items():
        matters = kind != "queue-profile" and bool(profile.settings)
        yield Named(
            f"qos {kind}",
            name,
            defined=True,
            used=(kind, name) in uses,
            matters=matters,
            system=(kind, name) in _SYSTEM,
            place=config.where(profile.number),
        )
    for (kind, name), number in uses.items():
        if (kind, name) in config.profiles or (kind, name) in _SYSTEM:
            continue
        if not config.profiles and not (config.hostname or config.version):
            continue  # an excerpt of interfaces: the profiles stand elsewhere
        known = [known for of, known in config.profiles if of == kind]
        near = next(iter(get_close_matches(name[:64], known[:1000], n=1, cutoff=0.6)), "")
        yield Named(f"qos {kind}", name, defined=False, used=True, matters=True, place=config.where(number), near=near)


def _pools(config: Config) -> Iterator[Named]:
    """Yield the pools; a pool whose priorities no port pauses for keeps memory for nothing."""
    paused = {priority for interface in config.interfaces.values() for priority in interface.pfc}
    for pool in config.pools.values() if config.interfaces else ():
        inert = "" if pool.priorities else "it names no priority: no traffic uses it"
        yield Named(
            "qos pool",
            pool.name,
            defined=True,
            used=bool(pool.priorities & paused) or not paused,
            matters=True,
            place=config.where(pool.number),
            inert=inert,
        )
