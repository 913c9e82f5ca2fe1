"""Lists the named objects of a configuration: profiles and domains, defined and used."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from rocecfg.state.model import Named

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from vendors.huawei.config import Config


def objects(config: Config) -> tuple[Named, ...]:
    """Return every profile and domain, in the order of the text.

    `default` of each kind is made by the system. A text without interfaces uses nothing, and one without a profile of
    a kind may have it elsewhere: what such a part of a configuration leaves open is left out.
    """
    pfc = {name: (item.number, bool(item.priorities)) for name, item in config.pfc_profiles.items()}
    ets = {name: (item.number, bool(item.lines)) for name, item in config.ets_profiles.items()}
    app = {name: (number, False) for name, number in config.app_profiles.items()}
    drop = {name: (item.number, bool(item.ecn or item.colours)) for name, item in config.drop_profiles.items()}
    domain = {name: (item.number, bool(item.dscp or item.pcp)) for name, item in config.domains.items()}
    kinds: tuple[tuple[str, str, Mapping[str, tuple[int, bool]]], ...] = (
        ("dcb pfc profile", "pfc", pfc),
        ("dcb ets-profile", "ets", ets),
        ("dcb app-profile", "app", app),
        ("drop-profile", "wred", drop),
        ("diffserv domain", "domain", domain),
    )
    uses = _uses(config)
    found: list[Named] = []
    for kind, key, defined in kinds:
        found += _of_kind(config, kind, defined, uses[key])
    return tuple(sorted(found, key=lambda item: (item.place.line if item.place else 0, item.kind, item.name)))


def _uses(config: Config) -> dict[str, dict[str, int]]:
    """Return the names that ports use, by kind of setting, each with the first line that does."""
    uses: dict[str, dict[str, int]] = {key: {} for key in ("pfc", "ets", "app", "wred", "domain")}
    for port in config.interfaces.values():
        for name, (value, number) in port.settings.items():
            of_kind = uses.get(name) if name in uses else uses["wred"] if name.startswith("wred ") else None
            if of_kind is not None:
                word = value[1] if name == "pfc" else value
                if word and not (name == "domain" and word == "none"):
                    of_kind[word] = min(number, of_kind.get(word, number))
    return uses


def _of_kind(
    config: Config, kind: str, defined: Mapping[str, tuple[int, bool]], uses: Mapping[str, int]
) -> Iterator[Named]:
    whole = bool(config.hostname or config.version) and not config.session
    for name, (number, matters) in defined.items():
        if config.interfaces or name == "default":
            yield Named(kind, name, defined=True, used=name in uses or name == "default", matters=matters,
                        system=name == "default", place=config.where(number))  # fmt: skip
    for name, number in uses.items():
        if name not in defined and name != "default" and (whole or defined):
            near = next(iter(get_close_matches(name[:64], list(defined)[:1000], n=1, cutoff=0.6)), "")
            yield Named(kind, name, defined=False, used=True, matters=True, place=config.where(number), near=near)
