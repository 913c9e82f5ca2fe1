"""Reads the show outputs of the management CLI: the watchdog of a port, PFC frames, storms, queue counters."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.counters import Tally, number
from rocecfg.state.model import Device, Line, Port, PortQos, PortWatchdog, Where
from rocecfg.state.sections import text_lines

if TYPE_CHECKING:
    from rocecfg.state.capture import Text

_CONFIG = load_module(Path(__file__).with_name("config.py"))

_COMMAND = re.compile(r"(?:\S{1,64}# ?)?show (\S.{0,200})")
_OF_PORT = re.compile(r"qos interface ((?:Eth(?:ernet)?|PortChannel) ?\d[\d/]{0,12})")
_SIDE = {"received": "rx_pfc", "transmitted": "tx_pfc"}
_WATCHDOG = re.compile(r"(Action|Detection Time|Restoration Time):[ :]*(\w{1,20})")
_POLL = re.compile(r"Polling Interval:[ :]*(\d{1,9})(?: (\S{1,12}))?")
_NAME = re.compile(r"(?:Eth\d[\d/]{0,12}|Ethernet\d{1,4})")
_ACTIONS = {"drop": "drop", "forward": "forward", "alert": "alert"}
_IGNORED = (
    "Watchdog Summary", "Flow Control frames", "Flex Counters", "Asymetric mode", "Asymmetric mode", "Interface",
    "Port", "---", "CPU",
)  # fmt: skip


@dataclass(slots=True)
class _Found:
    """What was read so far."""

    file: str
    tally: Tally = field(default_factory=Tally)
    watchdogs: dict[str, tuple[PortWatchdog, dict[str, Where]]] = field(default_factory=dict)
    ports: dict[str, Where] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)
    read: int = 0
    port: str = ""
    side: str = ""


def read_show(text: Text) -> Device:
    """Return the watchdogs and counters of a text that holds one or several show outputs."""
    found = _Found(text.file)
    of_command = _OF_PORT.search(text.command)
    found.port = _CONFIG.port_name(of_command[1]) or "" if of_command else ""
    for at, line in enumerate(text_lines(text.content), 1):
        words = " ".join(line.split())
        if words and words != "!":
            _line(found, words, at)
    ports = {
        name: Port(name, _qos(found, name), place=place, places=found.watchdogs.get(name, (None, {}))[1])
        for name, place in found.ports.items()
    }
    return Device(
        "",
        "dell_sonic",
        source="applied",
        ports=ports,
        lines=tuple(found.lines),
        lines_read=found.read,
        sample=found.tally.sample(),
    )


def _qos(found: _Found, name: str) -> PortQos:
    return PortQos(watchdog=found.watchdogs[name][0]) if name in found.watchdogs else PortQos()


def _line(found: _Found, words: str, at: int) -> None:
    place = Where(found.file, at)
    command = _COMMAND.fullmatch(words)
    if command is not None:
        of_port = _OF_PORT.search(command[1])
        found.port = _CONFIG.port_name(of_port[1]) or "" if of_port is not None else ""
        return
    found.read += 1
    if words.startswith("Flow Control frames "):
        found.side = _SIDE.get(words.rsplit(" ", 1)[1], "")
        return
    setting = _WATCHDOG.fullmatch(words)
    if setting is not None:
        _watchdog(found, setting[1], setting[2], words, place)
    elif not _POLL.fullmatch(words) and not words.startswith(_IGNORED) and not _row(found, words.split(), place):
        found.lines.append(Line(words, place))


def _watchdog(found: _Found, name: str, value: str, words: str, place: Where) -> None:
    """Note a line of the watchdog's summary of one port; without a port's name it is nobody's."""
    if not found.port:
        return
    found.ports.setdefault(found.port, place)
    watchdog, places = found.watchdogs.get(found.port, (PortWatchdog(enabled=True), {}))
    if name == "Action":
        action = _ACTIONS.get(value.lower())
        watchdog = replace(watchdog, action=action)  # type: ignore[arg-type]
        places["watchdog"] = places["watchdog.action"] = place
        known = action is not None
    else:
        time = number(value.removesuffix("ms")) if value.endswith("ms") else None
        leaf = "detect" if name == "Detection Time" else "restore"
        watchdog = replace(watchdog, detect=time) if leaf == "detect" else replace(watchdog, restore=time)
        places[f"watchdog.{leaf}"] = place
        known = time is not None
    found.watchdogs[found.port] = (watchdog, places)
    if not known:
        found.lines.append(Line(words, place))


def _row(found: _Found, cells: list[str], place: Where) -> bool:
    """Take a row of a table by its shape, because headings differ between releases; False when it has none."""
    if _NAME.fullmatch(cells[0]) is None or len(cells) > 16:
        return False
    port, tally = cells[0], found.tally
    values = [number(cell) for cell in cells]
    if len(cells) == 9 and found.side and all(value is not None for value in values[1:]):
        tally.row(port, found.side, dict(enumerate(values[1:])), place)
    elif len(cells) == 13 and cells[2] in ("operational", "stormed") and values[1] is not None:
        tally.storm(port, values[1], place, now=cells[2] == "stormed")
        tally.add(port, "storms", values[3], place, values[1])
        tally.add(port, "storms_restored", values[4], place, values[1])
    elif len(cells) == 9 and re.fullmatch(r"(?:UC|MC)\d{1,2}", cells[1]):
        queue = int(cells[1][2:])
        for counter, at in (("queue_packets", 2), ("queue_bytes", 3), ("queue_drops", 7)):
            if cells[1].startswith("UC"):
                tally.add(port, counter, values[at], place, queue)
    else:
        return False
    found.ports.setdefault(port, place)
    return True
