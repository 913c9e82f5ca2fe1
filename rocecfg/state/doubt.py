"""Keeps a default from speaking where a line of its subject was not understood.

A port whose text is silent about PFC has the system's default. A port with a PFC line that nobody understands is not
silent: what it is set to is unknown, and a rule that says "off" would be wrong as often as right. The same holds for
a line of a policy, a profile or the whole device: which ports it reaches is not known here, so it counts for all,
unless it belongs to an object that nothing uses.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

    from rocecfg.state.capture import Capture
    from rocecfg.state.model import Device, Line, PortQos, Queue

_SUBJECTS = (
    ("pfc", re.compile(r"\b(?:pfc|priority-flow-control|flow-control priority|no-drop|lossless)\b")),
    ("link_pause", re.compile(r"\b(?:flow-control|flowcontrol)\b(?! priority)")),
    ("watchdog", re.compile(r"\b(?:watchdog|watch-dog[\w-]*|deadlock[\w-]*|pfc-deadlock)\b")),
    ("ecn", re.compile(r"\b(?:ecn|wred|random-detect)\b")),
    ("trust", re.compile(r"\btrust\b")),
)
"""What a line is about, by the words that systems of sections use."""
_LEAVES = {
    "pfc": ("pfc", "priority_groups"),
    "link_pause": ("link_pause",),
    "watchdog": ("watchdog",),
    "ecn": ("ecn", "wred"),
    "trust": ("trust", "default_tc", "dscp_to_tc", "pcp_to_tc"),
}
_HEADER = re.compile(r"interface\b", re.IGNORECASE)
_ENDS = {"!", "#", "exit", "quit", "end", "return"}
_EVERYWHERE = ("", 0)
"""The key of what is in doubt on every port."""
_NOTHING: frozenset[str] = frozenset()
_FARTHEST = 400
"""Lines between a line and the header of its section."""


def withheld(capture: Capture, stated: Device, filled: Device) -> Device:
    """Return a device in which no default stands for what a line that nobody understands may have set."""
    doubts = _doubts(capture, stated) if stated.lines and stated.kind == "switch" else {}
    if not doubts:
        return filled
    everywhere = doubts.get(_EVERYWHERE, _NOTHING)
    ports = dict(filled.ports)
    made: dict[tuple[int, int, frozenset[str]], PortQos] = {}
    for port in stated.ports.values():
        own = doubts.get((port.place.file, port.place.line), _NOTHING) if port.place is not None else _NOTHING
        subjects = everywhere | own | doubts.get((port.name, 0), _NOTHING)
        if subjects and port.name in ports:
            before = ports[port.name]
            key = (id(port.qos), id(before.qos), subjects)
            qos = made.get(key)
            if qos is None:
                qos = made[key] = _unsure(port.qos, before.qos, subjects)
            ports[port.name] = replace(before, qos=qos)
    return replace(filled, ports=ports)


def _doubts(capture: Capture, device: Device) -> Mapping[tuple[str, int], frozenset[str]]:
    """Return what the lines not understood are about, by the header of the interface that they stand below.

    A line that names a port counts for (port, 0), one of another section for every port.
    """
    texts = {text.file: text.content.split("\n") for text in capture.texts}
    idle = {item.name for item in device.objects or () if item.defined and not item.used}
    idle -= {item.name for item in device.objects or () if item.used}
    found: dict[tuple[str, int], frozenset[str]] = {}
    for line in device.lines:
        subjects = frozenset(name for name, words in _SUBJECTS if words.search(line.text))
        if "watchdog" in subjects:  # its words begin with those of PFC
            subjects = frozenset({"watchdog"})
        key = _reach(line, texts.get(line.place.file, []), idle) if subjects else None
        named = [word for word in line.text.split() if word in device.ports] if key == _EVERYWHERE else []
        for place in [(name, 0) for name in named] or ([key] if key is not None else []):
            found[place] = found.get(place, _NOTHING) | subjects
    return found


def _reach(line: Line, lines: list[str], idle: AbstractSet[str]) -> tuple[str, int] | None:
    """Return the header of the interface that a line belongs to, or _EVERYWHERE; None where it reaches no port."""
    header = _header_of(line, lines)
    if header:
        return line.place.file, header
    at = line.place.line - 1
    if not 0 <= at < len(lines) or line.text.split()[:1] != lines[at].split()[:1]:
        return None  # no line of a configuration: the remark of a reader
    words = lines[at].split()
    if lines[at][:1].isspace():
        top = next((number for number in range(at, max(at - _FARTHEST, -1), -1) if _is_top(lines[number])), -1)
        words = lines[top].split() if top >= 0 else []
        if not words:
            return None
        if _HEADER.match(words[0]):
            return line.place.file, top + 1
    return None if not idle.isdisjoint(words) else _EVERYWHERE


def _is_top(line: str) -> bool:
    return bool(line.strip()) and not line[0].isspace()


def _header_of(line: Line, lines: list[str]) -> int:
    """Return the number of the interface line that a line stands below, 0 for a line of another section."""
    at = line.place.line - 2
    if not 0 <= at < len(lines) - 1 or not lines[at + 1][:1].isspace():
        return 0
    for number in range(at, max(at - _FARTHEST, -1), -1):
        words = lines[number].strip()
        if _HEADER.match(words):
            return number + 1
        if words in _ENDS or (words and not lines[number][0].isspace()):
            return 0
    return 0


def _unsure(own: PortQos, filled: PortQos, subjects: frozenset[str]) -> PortQos:
    qos = filled
    if own.pfc is not None and own.pfc.admin is not None:
        subjects -= {"pfc"}  # another line says it
    if "pfc" in subjects:
        qos = replace(qos, pfc=own.pfc, priority_groups=own.priority_groups)
    if "link_pause" in subjects:
        qos = replace(qos, link_pause=own.link_pause)
    if "watchdog" in subjects:
        qos = replace(qos, watchdog=own.watchdog)
    if "ecn" in subjects and qos.queues is not None:
        qos = replace(qos, queues=tuple(_unmarked(number, queue, own) for number, queue in enumerate(qos.queues)))
    if "trust" in subjects:
        qos = replace(qos, **{name: getattr(own, name) for name in _LEAVES["trust"]})
    gone = {name for subject in subjects for name in _LEAVES[subject]}
    kept = frozenset(
        leaf for leaf in qos.defaulted if gone.isdisjoint({leaf.partition(".")[0], leaf.rpartition(".")[2]})
    )
    return replace(qos, defaulted=kept)


def _unmarked(number: int, queue: Queue | None, own: PortQos) -> Queue | None:
    before = own.queues[number] if own.queues is not None else None
    if queue is None:
        return None
    return replace(queue, ecn=before.ecn if before else None, wred=before.wred if before else None)
