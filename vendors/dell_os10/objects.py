"""Lists the named objects of a running configuration: defined, used, in force or bound to nothing."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import Named

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vendors.dell_os10.config import Config

_POLICIES = load_module(Path(__file__).with_name("policies.py"))
_INFORCE = load_module(Path(__file__).with_name("inforce.py"))

Attached = dict[tuple[str, str], int]
"""(kind of setting, name) -> the first line that names it, on a port or in `system qos`."""
_POLICY_KEYS = {"network-qos": "policy-map type network-qos", "queuing": "policy-map type queuing"}
_TABLE_KINDS = {"dot1p": "trust dot1p-map", "dscp": "trust dscp-map", "queue": "qos-map traffic-class"}
_SETTING_OF = {"dot1p": "trust dot1p", "dscp": "trust dscp", "queue": "queue map"}


def objects(config: Config) -> tuple[Named, ...]:
    """Return every map, profile, class-map, policy-map and odd interface type, in the order of the text.

    A text without interfaces cannot attach anything, and one without policies defines none: what such a part of a
    configuration leaves open is no broken reference and is left out.
    """
    attached = _INFORCE.attached_names(config)
    found = [
        *_policies(config, attached),
        *_class_maps(config),
        *_tables(config, attached),
        *_wreds(config, attached),
        *_interfaces(config),
    ]
    return tuple(sorted(found, key=lambda item: (item.place.line if item.place else 0, item.kind, item.name)))


def _named(
    config: Config,
    kind: str,
    defined: dict[str, tuple[int, bool]],
    used: dict[str, int],
    *,
    judged: bool,
) -> Iterator[Named]:
    """Yield the objects of one kind. `defined` = name -> (line, it holds settings), `used` = name -> line.

    `judged` = the text can hold a use of every object: then an unused one is said to be unused.
    """
    for name, (number, matters) in defined.items():
        if name in used or judged:
            yield Named(
                kind,
                name,
                defined=True,
                used=name in used,
                matters=matters,
                system=_POLICIES.is_system_name(kind, name),
                place=config.where(number),
            )
    for name, number in used.items():
        if name in defined:
            continue
        system = _POLICIES.is_system_name(kind, name)
        if system or _whole(config) or defined or config.policies:
            yield Named(
                kind,
                name,
                defined=False,
                used=True,
                matters=True,
                system=system,
                place=config.where(number),
                near=_near(name, defined),
            )


def _whole(config: Config) -> bool:
    return bool(config.hostname)


def _near(name: str, known: Iterable[str]) -> str:
    return next(iter(get_close_matches(name[:64], list(known)[:1000], n=1, cutoff=0.6)), "")


def _policies(config: Config, attached: Attached) -> Iterator[Named]:
    for key, kind in _POLICY_KEYS.items():
        defined = {
            name: (policy.number, any(item.settings for item in policy.classes.values()))
            for (type_, name), policy in config.policies.items()
            if type_ == key
        }
        used = {name: number for (setting, name), number in attached.items() if setting == key}
        yield from _named(config, kind, defined, used, judged=bool(config.interfaces))


def _class_maps(config: Config) -> Iterator[Named]:
    for key in _POLICY_KEYS:
        defined = {
            name: (class_map.number, False) for (type_, name), class_map in config.class_maps.items() if type_ == key
        }
        used: dict[str, int] = {}
        for (type_, _), policy in config.policies.items():
            for item in policy.classes.values() if type_ == key else ():
                used[item.name] = min(item.number, used.get(item.name, item.number))
        if defined or config.interfaces or _whole(config):  # else an excerpt of policies alone
            yield from _named(config, f"class-map type {key}", defined, used, judged=True)


def _tables(config: Config, attached: Attached) -> Iterator[Named]:
    for key, kind in _TABLE_KINDS.items():
        defined = {name: (table.number, bool(table.to)) for (of, name), table in config.tables.items() if of == key}
        used = {name: number for (setting, name), number in attached.items() if setting == _SETTING_OF[key]}
        yield from _named(config, kind, defined, used, judged=bool(config.interfaces))


def _wreds(config: Config, attached: Attached) -> Iterator[Named]:
    used = {name: number for (setting, name), number in attached.items() if setting in ("wred", "pool wred")}
    for policy in config.policies.values():
        for item in policy.classes.values():
            wred = item.last("wred")
            if wred is not None:
                name = wred[0].values["name"]
                used[name] = min(wred[1], used.get(name, wred[1]))
    defined = {name: (profile.number, bool(profile.ramps)) for name, profile in config.wreds.items()}
    yield from _named(config, "wred", defined, used, judged=bool(config.interfaces or config.policies))


def _interfaces(config: Config) -> Iterator[Named]:
    for name, (header, number) in config.odd_interfaces.items():
        yield Named(
            "interface",
            name,
            defined=True,
            used=True,
            place=config.where(number),
            inert=f'OS10 has no such interface ("{header}"): it refuses the header and what stands below it',
        )
