"""A system for tests: its text is the neutral state as JSON, its headroom counts in steps of 1000 bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

from rocecfg.errors import ReadError, UsageError
from rocecfg.state.codec import from_plain, to_plain
from rocecfg.state.model import Amount, Device, Headroom, Line, Where, intern_ports
from rocecfg.vendor.api import Adjustment, View


class Places(Mapping):
    """Places in a class of the vendor's own, as a vendor may keep them."""

    def __init__(self, file):
        self._places = {"pfc": Where(file, 3)}

    def __getitem__(self, leaf):
        return self._places[leaf]

    def __iter__(self):
        return iter(self._places)

    def __len__(self):
        return len(self._places)


def to_state(capture):
    """Read the JSON text of a capture."""
    text = next((text for text in capture.texts if text.content.lstrip().startswith("{")), None)
    if text is None:
        raise ReadError(f"{capture.file}: a JSON object is expected")
    if "internal bug" in text.content:
        raise ZeroDivisionError
    try:
        data = json.loads(text.content)["toyos"]
        unknown = data.pop("unknown", [])
        device = from_plain(Device, data)
    except (ValueError, KeyError, TypeError, AttributeError, UsageError) as error:
        raise ReadError(f"{text.file}: broken toy: {error}") from error
    lines = tuple(Line(line, Where(text.file, at)) for at, line in enumerate(unknown, 2))
    ports = [replace(port, place=Where(text.file, 1), places=Places(text.file)) for port in device.ports.values()]
    return replace(
        device, ports=intern_ports(ports), lines=lines, lines_read=1 + len(lines), complete=frozenset({"all"})
    )


def defaults(device):
    """The toy has no defaults."""
    return device


def fit(device):
    """Round headroom up to 1000 bytes; refuse trust in PCP."""
    changes = []
    ports = []
    for port in device.ports.values():
        groups = []
        for number, group in enumerate(port.qos.priority_groups or ()):
            have = (
                group.headroom.amount.value if group is not None and group.headroom and group.headroom.amount else None
            )
            step = have if have is None else -(-have // 1000) * 1000
            if group is not None and step is not None and step != have:
                changes.append(
                    Adjustment(device.name, port.name, f"priority_groups.{number}.headroom", f"{have} B", f"{step} B",
                               "quantised", "the toy counts headroom in steps of 1000 B")
                )  # fmt: skip
                groups.append(replace(group, headroom=Headroom(Amount.of_bytes(step))))
            else:
                groups.append(group)
        if port.qos.trust == "pcp":
            changes.append(
                Adjustment(device.name, port.name, "trust", "pcp", "dscp", "refused", "the toy reads no tags")
            )
        ports.append(replace(port, qos=replace(port.qos, priority_groups=tuple(groups) or None)))
    return replace(device, ports=intern_ports(ports)), tuple(changes)


def from_state(device):
    """Give the template the JSON text."""
    plain = to_plain(device)
    return {
        "toy.json.j2": View({"text": json.dumps({"toyos": plain}, sort_keys=False)}),
        "apply.sh.j2": View({"file": "toy.json"}),
    }
