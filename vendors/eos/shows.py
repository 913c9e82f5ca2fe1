"""Reads the show commands of an Arista switch: PFC in operation, and what it counts."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.counters import Tally, number
from rocecfg.state.grammar import grammar
from rocecfg.state.model import NEVER, Device, Line, Pfc, Port, PortQos, PortWatchdog, Where, intern_ports
from rocecfg.state.numbers import whole_number
from rocecfg.state.sections import text_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from rocecfg.state.capture import Text
    from rocecfg.state.grammar import Record

_HERE = Path(__file__)
_CONFIG = load_module(_HERE.with_name("config.py"))
_SETTINGS = load_module(_HERE.with_name("settings.py"))
_JSON = load_module(_HERE.with_name("shows_json.py"))
_LINKS = load_module(_HERE.with_name("shows_links.py"))

_RULES = frozenset("=-+| /")
_PROMPT = re.compile(r"[\w.:-]{1,63}(?:\([\w.-]{1,63}\))?[#>] ?(?:sh(?:ow)? .*|exit|end)?")
_TOP_PORTS = 20_000
_QUEUE = re.compile(r"(?:UC|TC|Q)?([0-7])", re.IGNORECASE)


class Table:
    """Ports read from one text, and the account of its lines."""

    def __init__(self, text: Text) -> None:
        self.file = text.file
        self.ports: dict[str, Port] = {}
        self.lines: list[Line] = []
        self.count = 0
        self.tally = Tally()
        self.pfc_enabled: bool | None = None

    def refuse(self, at: int, line: str) -> None:
        """Report a line that nobody took."""
        self.lines.append(Line(line, Where(self.file, at)))

    def port(self, word: str, at: int) -> Port | None:
        """Return the port of that name, made on first sight; None when it is no port's name."""
        name = _CONFIG.port_name(word)
        if name is None:
            return None
        if len(self.ports) >= _TOP_PORTS:
            raise ReadError(f"{self.file}:{at}: more than {_TOP_PORTS} ports")
        place = Where(self.file, at)
        return self.ports.setdefault(name, Port(name, place=place, places={"pfc": place, "watchdog": place}))


def read_show(command: str, text: Text) -> Device:
    """Return what a show command says. Raises ReadError when no port stands in it."""
    table = Table(text)
    as_json = text.content.lstrip()[:1] in ("{", "[")
    if as_json:
        _JSON.read(command, text, table)
    else:
        reader = READERS[command]
        if reader is None:
            raise ReadError(f"{text.file}: of this command the JSON is read: add | json to it")
        reader(text, table)
    if not table.ports and not as_json and not (command == "show-lldp" and table.count):
        raise ReadError(f"{text.file}: no port in it: expected the output of {command.replace('-', ' ')}")
    return Device(
        "",
        "eos",
        ports=intern_ports(table.ports.values()),
        pfc_enabled=table.pfc_enabled,
        source="applied",
        lines=tuple(table.lines),
        lines_read=table.count,
        sample=table.tally.sample(),
        place=Where(text.file),
    )


def joined(stated: Port, shown: Port) -> Port:
    """Return a port of the running configuration with what a show command adds: it never overrides a line."""
    qos, seen = stated.qos, shown.qos
    changes: dict[str, Any] = {}
    if seen.pfc is not None:
        pfc = qos.pfc or Pfc()
        admin = pfc.admin or seen.pfc.admin
        tx = seen.pfc.tx if pfc.tx is None else pfc.tx
        changes["pfc"] = replace(pfc, admin=admin, tx=tx, rx=tx, oper=seen.pfc.oper)
    if seen.watchdog is not None:
        mine = qos.watchdog or PortWatchdog()
        names = ("enabled", "poll", "detect", "restore", "action")
        added = {name: getattr(seen.watchdog, name) for name in names if getattr(mine, name) is None}
        changes["watchdog"] = replace(mine, **added)
    if seen.link_pause is not None and qos.link_pause is None:
        changes["link_pause"] = seen.link_pause
    mine_counts = shown.mtu_counts if stated.mtu in (None, shown.mtu) else stated.mtu_counts
    return replace(
        stated,
        qos=replace(qos, **changes) if changes else qos,
        mtu=shown.mtu if stated.mtu is None else stated.mtu,
        mtu_counts=stated.mtu_counts or mine_counts,
        speed_now=stated.speed_now or shown.speed_now,
        neighbour=stated.neighbour or shown.neighbour,
        places={**shown.places, **stated.places},
    )


def _lines(name: str, text: Text) -> Iterator[tuple[int, str, Record | None]]:
    """Yield the lines from the first known one on: number, words, record. Rules and empty lines are left out."""
    numbered = []
    for at, raw in enumerate(text_lines(text.content), 1):
        line = " ".join(raw.split())
        if line and not _RULES.issuperset(line) and not (("#" in line or ">" in line) and _PROMPT.fullmatch(line)):
            numbered.append((at, line))
    records = grammar(_HERE.with_name("parse") / f"{name}.ttp").read(line for _, line in numbered)
    started = False
    for at, line in numbered:
        record = records[line]
        started = started or record is not None
        if started:
            yield at, line, record


def _pfc(text: Text, table: Table) -> None:
    """Read `show priority-flow-control`, in the short form of old releases and in the form with watchdog columns."""
    device: dict[str, Any] = {}
    for at, line, record in _lines("show_pfc", text):
        table.count += 1
        if record is None or not _pfc_line(table, device, record, at):
            table.refuse(at, line)


def _pfc_line(table: Table, device: dict[str, Any], record: Record, at: int) -> bool:
    kind, words = record.kind, record.values
    if kind == "known":
        return True
    if kind == "global_pfc":
        table.pfc_enabled = {"Enabled": True, "Disabled": False}.get(words["state"])
        return table.pfc_enabled is not None
    if kind == "seconds":
        name = {"timeout": "detect", "recovery-time": "restore", "polling-interval": "poll"}.get(words["name"])
        value = _CONFIG.milliseconds(words["seconds"])
        if name is None or value is None:
            return False
        device[name] = value or (NEVER if name == "detect" else None)
        return True
    if kind == "action":
        device["action"] = _SETTINGS.WATCHDOG_ACTIONS.get(words["action"])
        return device["action"] is not None
    if kind == "override":
        if words["state"] == "true":
            device["action"] = "drop"
        return words["state"] in ("true", "false")
    port = table.port(words["port"], at)
    row = words["rest"].split()
    shown = None if port is None else _flags(row, device) if row[0] in ("E", "D") else _words(row)
    if port is None or shown is None:
        return False
    table.ports[port.name] = replace(port, qos=shown)
    return True


def _words(row: list[str]) -> PortQos | None:
    """Return a row of the form `Ethernet1 Yes 3 Yes`: no priority stands there where none is no-drop."""
    answers = [at for at, word in enumerate(row) if word in ("Yes", "No")]
    if len(answers) < 2 or answers[0] != 0:
        return None
    wanted = _priorities(" ".join(row[1 : answers[1]]).replace(",", " ").split())
    if wanted is None:
        return None
    oper = wanted if row[answers[1]] == "Yes" else frozenset[int]()
    return PortQos(pfc=Pfc(admin="on" if row[0] == "Yes" else "off", tx=wanted, rx=wanted, oper=oper))


def _priorities(words: list[str]) -> frozenset[int] | None:
    said = [word for word in words if word != "-"]
    found = frozenset(priority for word in said if (priority := whole_number(word, 7)) is not None)
    return found if len(found) == len(set(said)) else None


def _flags(row: list[str], device: Mapping[str, Any]) -> PortQos | None:
    """Return a row of the form `Et1 E A W 3 drop 0.2 0.4 / auto 0.1 / 0.1`: after the flags the priorities, if any."""
    flags, rest = row[:3], row[3:]
    if len(flags) < 3 or flags[1] not in ("A", "-") or flags[2] not in ("W", "-"):
        return None
    count = next((at for at, word in enumerate(rest) if not word.replace(",", "").isdecimal()), len(rest))
    wanted = _priorities(" ".join(rest[:count]).replace(",", " ").split())
    if wanted is None:
        return None
    oper = wanted if flags[1] == "A" else frozenset[int]()
    return PortQos(
        pfc=Pfc(admin="on" if flags[0] == "E" else "off", tx=wanted, rx=wanted, oper=oper),
        watchdog=_watchdog(rest[count:], device, on=flags[2] == "W"),
    )


def _watchdog(columns: list[str], device: Mapping[str, Any], *, on: bool) -> PortWatchdog:
    """Return the watchdog of a row: its own columns, else what the device-wide lines above the table say."""
    if not on:
        return PortWatchdog(enabled=False)
    action = _SETTINGS.WATCHDOG_ACTIONS.get(columns[0] if columns else "") or device.get("action")
    detect = _CONFIG.milliseconds(columns[1]) if len(columns) > 1 else None
    restore = _CONFIG.milliseconds(columns[2]) if len(columns) > 2 else None
    poll = _CONFIG.milliseconds(columns[5]) if len(columns) > 5 else None
    return PortWatchdog(
        enabled=True,
        detect=detect or device.get("detect"),
        restore=restore or device.get("restore"),
        poll=poll or device.get("poll"),
        action=action,
    )


def _pfc_counters(text: Text, table: Table) -> None:
    """Read `show priority-flow-control counters`: frames of all priorities together."""
    for at, line, record in _lines("show_counters", text):
        table.count += 1
        port = table.port(record.values["port"], at) if record is not None and record.kind == "pfc" else None
        if record is None or (record.kind == "pfc" and port is None) or record.kind == "queue":
            table.refuse(at, line)
        elif port is not None:
            for side in ("rx", "tx"):
                table.tally.add(port.name, f"{side}_pfc_total", number(record.values[side]), Where(text.file, at))


def _queue_counters(text: Text, table: Table) -> None:
    """Read `show interfaces counters queue detail`: packets, bytes and drops of each unicast queue."""
    columns = (
        ("packets", "queue_packets"), ("bytes", "queue_bytes"), ("dropped", "queue_drops"),
        ("dropped_bytes", "queue_drop_bytes"),
    )  # fmt: skip
    for at, line, record in _lines("show_counters", text):
        table.count += 1
        if record is not None and record.kind == "known":
            continue
        port = table.port(record.values["port"], at) if record is not None and record.kind == "queue" else None
        if record is None or port is None:
            table.refuse(at, line)
            continue
        queue = _QUEUE.fullmatch(record.values["queue"])
        for column, counter in columns if queue is not None else ():
            value = number(record.values[column])
            table.tally.add(port.name, counter, value, Where(text.file, at), int(queue[1]) if queue else None)


def _interfaces(text: Text, table: Table) -> None:
    _LINKS.interfaces(_lines("show_interfaces", text), table)


def _neighbours(text: Text, table: Table) -> None:
    _LINKS.neighbours(_lines("show_lldp", text), table)


READERS: dict[str, Callable[[Text, Table], None] | None] = {
    "show-pfc": _pfc,
    "show-pfc-counters": _pfc_counters,
    "show-queue-counters": _queue_counters,
    "show-pfc-watchdog": None,
    "show-ecn-counters": None,
    "show-errors": None,
    "show-flow-control": None,
    "show-interfaces": _interfaces,
    "show-lldp": _neighbours,
}
"""Command -> reader of its text; None = read as JSON alone, nobody published the text."""
