"""Lists the named objects of a Comware configuration: WRED tables, scheduling profiles, and buffers never applied."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from rocecfg.state.model import Named

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from vendors.h3c.config import Config


def objects(config: Config) -> tuple[Named, ...]:
    """Return the objects in the order of the text.

    A text without ports cannot use a table, and one that is a part may lack a definition: rules judge only whole ones.
    """
    tables = {name: (table.number, bool(table.queues)) for name, table in config.tables.items()}
    profiles = {name: (profile.number, bool(profile.queues)) for name, profile in config.profiles.items()}
    found = [
        *_named(config, "qos wred queue table", "wred", tables),
        *_named(config, "qos qmprofile", "profile", profiles),
        *_unapplied(config),
        *_never_paused(config),
    ]
    return tuple(sorted(found, key=lambda item: (item.place.line if item.place else 0, item.kind, item.name)))


def _named(config: Config, kind: str, key: str, defined: Mapping[str, tuple[int, bool]]) -> Iterator[Named]:
    uses: dict[str, int] = {}
    for port in config.interfaces.values():
        used = port.settings.get(key)
        if used is not None and used[0]:  # `qos wred apply` without a name takes the system's own table
            uses.setdefault(used[0], used[1])
    for name, (number, matters) in defined.items():
        if config.interfaces and number:  # without a line, the device shows it and the text does not define it
            yield Named(kind, name, defined=True, used=name in uses, matters=matters, place=config.where(number))
    if not (config.hostname or config.returned or defined):
        return
    for name, number in uses.items():
        if name not in defined:
            near = next(iter(get_close_matches(name[:64], list(defined)[:1000], n=1, cutoff=0.6)), "")
            yield Named(kind, name, defined=False, used=True, matters=True, place=config.where(number), near=near)


def _unapplied(config: Config) -> Iterator[Named]:
    if config.applied or not config.buffers or not (config.returned or config.hostname):
        return
    numbers = [number for areas in config.buffers.values() for _, _, number in areas.values()]
    if numbers:
        yield Named(
            "buffer",
            "egress",
            defined=True,
            used=True,
            matters=True,
            place=config.where(min(numbers)),
            inert="buffer lines take effect with buffer apply, which is missing",
        )


def _never_paused(config: Config) -> Iterator[Named]:
    """Name the ports that list priorities of PFC and do not have PFC on: the list alone pauses nothing."""
    if not (config.returned or config.hostname):
        return
    everywhere = config.options.get("pfc")
    ports: list[tuple[int, str]] = []
    for port in config.interfaces.values():
        listed, live = port.settings.get("no_drop"), port.settings.get("pfc") or everywhere
        if listed is not None and listed[0] and (live is None or live[0] == "off") and "enabled" not in port.settings:
            ports.append((listed[1], port.name))
    if not ports:
        return
    number, name = min(ports)
    more = f" and {len(ports) - 1} more" if len(ports) > 1 else ""
    yield Named(
        "priority-flow-control no-drop dot1p",
        f"{name}{more}",
        defined=True,
        used=True,
        matters=True,
        place=config.where(number),
        inert="priority-flow-control enable or auto is missing there",
    )
