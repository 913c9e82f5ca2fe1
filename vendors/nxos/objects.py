"""Lists the named objects of a running configuration: defined, used, in force or bound to nothing."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import Named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vendors.nxos.config import Config, Policy

_POLICIES = load_module(Path(__file__).with_name("policies.py"))
_INFORCE = load_module(Path(__file__).with_name("inforce.py"))


def objects(config: Config) -> tuple[Named, ...]:
    """Return every class-map, policy-map and odd interface type, in the order of the text.

    A text without interfaces cannot attach an input policy, and one without policies defines none: what such a part
    of a configuration leaves open is no broken reference and is left out.
    """
    found = [*_policies(config), *_class_maps(config), *_profiles(config), *_interfaces(config)]
    return tuple(sorted(found, key=lambda item: (item.place.line if item.place else 0, item.kind, item.name)))


def _policies(config: Config) -> Iterator[Named]:
    attached = _INFORCE.attached_names(config, config.interfaces.values())
    for (kind, name), policy in config.policies.items():
        used = (kind, name) in attached
        if used or (config.interfaces if kind != "network-qos" else config.system_number or config.interfaces):
            yield Named(
                f"policy-map type {kind}",
                name,
                defined=True,
                used=used,
                matters=_matters(policy),
                system=_POLICIES.is_system_policy(kind, name),
                place=config.where(policy.number),
            )
    for (kind, name), number in attached.items():
        if (kind, name) in config.policies:
            continue
        system = _POLICIES.is_system_policy(kind, name)
        if system or _whole(config) or any(known == kind for known, _ in config.policies):
            yield Named(
                f"policy-map type {kind}",
                name,
                defined=False,
                used=True,
                matters=True,
                system=system,
                place=config.where(number),
                near=_near(name, [known for type_, known in config.policies if type_ == kind]),
            )


def _whole(config: Config) -> bool:
    return bool(config.hostname or config.version)


def _matters(policy: Policy) -> bool:
    return any(item.settings for item in policy.classes.values())


def _class_maps(config: Config) -> Iterator[Named]:
    uses: dict[tuple[str, str], int] = {}
    pausing: set[tuple[str, str]] = set()
    for (kind, _), policy in config.policies.items():
        for item in policy.classes.values():
            uses[kind, item.name] = min(item.number, uses.get((kind, item.name), item.number))
            if any(record.kind in ("pause", "no_drop") for record, _ in item.settings):
                pausing.add((kind, item.name))
    for (kind, name), class_map in config.class_maps.items():
        inert = ""
        if (kind, name) in pausing and _POLICIES.group_of(config, kind, name) is None:
            inert = "its class-map matches no qos-group, so its pause setting holds for no class"
        yield Named(
            f"class-map type {kind}",
            name,
            defined=True,
            used=(kind, name) in uses,
            system=_POLICIES.is_system_class(kind, name),
            place=config.where(class_map.number),
            inert=inert,
        )
    if not (config.class_maps or config.interfaces or _whole(config)):
        return  # an excerpt of policies alone: their classes stand elsewhere
    for (kind, name), number in uses.items():
        if (kind, name) not in config.class_maps and not _POLICIES.is_system_class(kind, name):
            yield Named(
                f"class-map type {kind}",
                name,
                defined=False,
                used=True,
                matters=True,
                place=config.where(number),
                near=_near(name, [known for type_, known in config.class_maps if type_ == kind]),
            )


def _profiles(config: Config) -> Iterator[Named]:
    """Yield the port-profiles; one that ports inherit and that is not enabled gives them nothing."""
    parents = {parent for profile in config.profiles.values() for parent in profile.parents}
    idle = 'it has no "state enabled": ports that inherit it get nothing'
    for name, profile in config.profiles.items():
        used = name in config.inherited or name in parents
        if used or config.interfaces:
            yield Named(
                "port-profile",
                name,
                defined=True,
                used=used,
                matters=bool(profile.settings),
                place=config.where(profile.number),
                inert="" if profile.enabled or not used else idle,
            )
    for name, number in config.inherited.items():
        if name not in config.profiles and (_whole(config) or config.profiles):
            near = _near(name, list(config.profiles))
            yield Named(
                "port-profile", name, defined=False, used=True, matters=True, place=config.where(number), near=near
            )


def _interfaces(config: Config) -> Iterator[Named]:
    for name, (header, number) in config.odd_interfaces.items():
        yield Named(
            "interface",
            name,
            defined=True,
            used=True,
            place=config.where(number),
            inert=f'NX-OS has no such interface ("{header}"): it refuses the header and what stands below it',
        )


def _near(name: str, known: list[str]) -> str:
    return next(iter(get_close_matches(name[:64], known[:1000], n=1, cutoff=0.6)), "")
