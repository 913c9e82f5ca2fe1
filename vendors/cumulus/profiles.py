"""Which ports share a setting: the most common one becomes `default-global`, every other a named profile."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rocecfg.state.model import Port, PortQos

GLOBAL = "default-global"
_K = TypeVar("_K")


class Shared(NamedTuple):
    """A profile: its name, one port's QoS that has the setting, and the ports bound to it."""

    name: str
    qos: PortQos
    ports: tuple[str, ...]


def natural(name: str) -> list[tuple[int, int, str]]:
    """Return a key that sorts swp2 before swp10."""
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in re.split(r"([0-9]+)", name) if part]


def split(ports: Iterable[Port], key: Callable[[PortQos], _K], prefix: str) -> list[Shared]:
    """Return the distinct settings of the ports: `default-global` first (the most common, then the first port's)."""
    groups: dict[_K, list[Port]] = {}
    known: dict[int, _K] = {}
    for port in ports:
        of = known.get(id(port.qos))
        if of is None:
            of = known[id(port.qos)] = key(port.qos)
        groups.setdefault(of, []).append(port)
    ranked = sorted(groups.values(), key=lambda members: -len(members))
    return [
        Shared(GLOBAL if at == 0 else f"{prefix}-{at + 1}", members[0].qos, tuple(port.name for port in members))
        for at, members in enumerate(ranked)
    ]


def scheduling(qos: PortQos) -> tuple[object, ...]:
    """Return what an egress scheduler profile says; a queue at weight 0 is one that it leaves out."""
    queues = qos.queues or ()
    return tuple(
        (number, queue.scheduler, queue.weight)
        for number, queue in enumerate(queues)
        if queue is not None and queue.scheduler is not None and (queue.scheduler == "strict" or queue.weight != 0)
    )


def label(ports: Iterable[Port]) -> str:
    """Return the names of ports for a message, shortened when there are many."""
    names = [port.name for port in ports]
    return ", ".join(names) if len(names) <= 3 else f"{names[0]} to {names[-1]} ({len(names)} ports)"
