"""Lists the pools of a configuration: defined, used, or mapped to without being there."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from rocecfg.state.model import Named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vendors.onyx.config import Config

_SYSTEM = ("iPool0", "ePool0", "lossy-default", "roce-reserved")
"""Pools that the switch has by itself: with its number 0 in the advanced form, and those that `show roce` prints."""


def objects(config: Config, *, whole: bool) -> tuple[Named, ...]:
    """Return every pool in the order of the text. In a part of a text an unknown pool is no broken reference."""
    found = [*_traffic_pools(config), *_buffer_pools(config, whole=whole)]
    return tuple(sorted(found, key=lambda item: (item.place.line if item.place else 0, item.kind, item.name)))


def _traffic_pools(config: Config) -> Iterator[Named]:
    for pool in config.pools.values():
        yield Named(
            "traffic pool",
            pool.name,
            defined=True,
            used=bool(pool.priorities) or pool.type != "lossless",
            matters=pool.type == "lossless",
            system=pool.name in _SYSTEM,
            place=config.where(pool.number),
        )


def _buffer_pools(config: Config, *, whole: bool) -> Iterator[Named]:
    for name, pool in config.buffer_pools.items():
        used = name in config.uses
        # An egress pool that no line maps may still serve the queues that it has by default.
        if used or name.startswith("iPool"):
            yield Named("pool", name, defined=True, used=used, system=name in _SYSTEM, place=config.where(pool.number))
    for name, number in config.uses.items():
        if name not in config.buffer_pools and (whole or config.buffer_pools):
            near = get_close_matches(name[:64], list(config.buffer_pools)[:1000], n=1, cutoff=0.6)
            yield Named(
                "pool",
                name,
                defined=False,
                used=True,
                matters=True,
                system=name in _SYSTEM,
                place=config.where(number),
                near=next(iter(near), ""),
            )
