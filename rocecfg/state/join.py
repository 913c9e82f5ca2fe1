"""Joins what several texts of one device say: an earlier text states, a later one adds what is still open."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from rocecfg.errors import ReadError
from rocecfg.state import counters
from rocecfg.state.model import Device

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocecfg.state.capture import Capture, Text
    from rocecfg.state.model import Port

    JoinPorts = Callable[[Port, Port], Port]

_OF_THE_FIRST = frozenset({"name", "nos", "kind", "source", "defaulted"})
_ADDED_UP = frozenset({"objects", "lines", "lines_read"})
_TAKEN_APART = frozenset({"ports", "complete", "sample"})
_ONE_OF_BOTH = tuple(item.name for item in fields(Device) if item.name not in _OF_THE_FIRST | _ADDED_UP | _TAKEN_APART)


def read_texts(capture: Capture, nos: str, read: Callable[[Text], Device], port: JoinPorts) -> Device:
    """Return what the texts of a capture say, read one by one; `port` joins two texts of one port.

    Configurations go first, whatever the order of the texts: what a show command prints never overrides a line.
    Raises ReadError for a capture without texts, and what `read` raises.
    """
    if not capture.texts:
        raise ReadError(f"{capture.file}: no text")
    device = Device(capture.device, nos)
    found = [read(text) for text in capture.texts]
    for one in sorted(found, key=lambda one: one.source == "applied"):
        device = join(device, one, port)
    return device


def join(first: Device, second: Device, port: JoinPorts) -> Device:
    """Join two texts of one device: where both speak, the first is right; `port` says how for two texts of a port."""
    ports = dict(first.ports)
    for name, more in second.ports.items():
        joined = port(ports[name], more) if name in ports else more
        if joined.neighbour is None and name in ports:  # who is behind a port is said by one text alone
            told = ports[name].neighbour or more.neighbour
            joined = replace(joined, neighbour=told) if told is not None else joined
        ports[name] = joined
    changes: dict[str, Any] = {leaf: getattr(first, leaf) + getattr(second, leaf) for leaf in _ADDED_UP}
    changes |= {leaf: getattr(second, leaf) for leaf in _ONE_OF_BOTH if getattr(first, leaf) is None}
    return replace(
        first,
        **changes,
        name=first.name or second.name,
        ports=ports,
        complete=first.complete | second.complete,
        sample=counters.joined(first.sample, second.sample),
    )
