"""Lists the named objects of a running configuration: defined, used, in force or bound to nothing."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import Named, Port

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rocecfg.state.model import PortQos, Where
    from vendors.eos.config import Config, Holder
    from vendors.eos.inforce import Resolver

_CONFIG = load_module(Path(__file__).with_name("config.py"))
_MATTERS = ("pfc", "priority ", "queues.", "watchdog ", "trust")
_ONE_SOURCE = frozenset({"class-default"})


def objects(config: Config, resolver: Resolver) -> tuple[Named, ...]:
    """Return every qos profile, policy-map, class-map and MMU profile, in the order of the text."""
    found = [*_profiles(config, resolver), *_policies(config), *_class_maps(config), *_mmu(config)]
    return tuple(sorted(found, key=lambda item: (item.place.line if item.place else 0, item.kind, item.name)))


def _uses(holders: Iterable[Holder], key: str) -> dict[str, int]:
    """Return the names that holders use under a key, with the first line that does."""
    uses: dict[str, int] = {}
    for holder in holders:
        used = holder.settings.get(key)
        if used is not None:
            uses[used[0]] = min(used[1], uses.get(used[0], used[1]))
    return uses


def _listed(
    config: Config, kind: str, defined: Mapping[str, int], uses: Mapping[str, int], matters: frozenset[str]
) -> Iterator[Named]:
    for name, number in defined.items():
        yield Named(kind, name, defined=True, used=name in uses, matters=name in matters, place=config.where(number))
    for name, number in uses.items():
        if name not in defined and name not in _ONE_SOURCE:
            near = next(iter(get_close_matches(name[:64], list(defined)[:1000], n=1, cutoff=0.6)), "")
            yield Named(kind, name, defined=False, used=True, matters=True, place=config.where(number), near=near)


def _profiles(config: Config, resolver: Resolver) -> Iterator[Named]:
    holders = (*config.interfaces.values(), *config.interface_profiles.values())
    uses = _uses(holders, "profile")
    matters = frozenset(
        name for name, item in config.profiles.items() if any(key.startswith(_MATTERS) for key in item.settings)
    )
    defined = {name: item.number for name, item in config.profiles.items()}
    for named in _listed(config, "qos profile", defined, uses, matters):
        if named.defined and not named.used and named.matters:
            qos, places = _would(config, resolver, named.name)
            port = Port(named.name, qos, place=named.place, places=places)
            yield Named(
                named.kind, named.name, defined=True, used=False, matters=True, place=named.place, would=port
            )  # fmt: skip
        else:
            yield named
    profiles = {name: item.number for name, item in config.interface_profiles.items()}
    used: dict[str, int] = {}
    for holder in config.interfaces.values():
        names, number = holder.settings.get("interface profile", ((), 0))
        used |= {name: min(number, used.get(name, number)) for name in names}
    yield from _listed(config, "interface profile", profiles, used, frozenset())


def _would(config: Config, resolver: Resolver, name: str) -> tuple[PortQos, Mapping[str, Where]]:
    """Return a port as a profile that is attached nowhere would make it."""
    holder = _CONFIG.Holder(name, config.profiles[name].number, {"profile": (name, config.profiles[name].number)})
    qos, places, _ = resolver.port(holder)
    return qos, places


def _policies(config: Config) -> Iterator[Named]:
    holders = (*config.interfaces.values(), *config.profiles.values(), *config.interface_profiles.values())
    defined = {name: item.number for name, item in config.policies.items()}
    matters = frozenset(
        name for name, item in config.policies.items() if any(tc is not None for tc, _ in item.classes.values())
    )
    yield from _listed(config, "policy-map type quality-of-service", defined, _uses(holders, "policy"), matters)


def _class_maps(config: Config) -> Iterator[Named]:
    uses: dict[str, int] = {}
    for policy in config.policies.values():
        for name, (_, number) in policy.classes.items():
            uses[name] = min(number, uses.get(name, number))
    defined = {name: item.number for name, item in config.class_maps.items()}
    yield from _listed(config, "class-map type qos", defined, uses, frozenset())


def _mmu(config: Config) -> Iterator[Named]:
    applied = config.options.get("apply")
    uses = {applied[0]: applied[1]} if applied is not None else {}
    defined = {name: item.number for name, item in config.mmu_profiles.items()}
    matters = frozenset(name for name, item in config.mmu_profiles.items() if item.settings)
    yield from _listed(config, "platform trident mmu queue profile", defined, uses, matters)
