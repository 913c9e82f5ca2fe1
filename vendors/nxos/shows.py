"""Reads the show commands of a Nexus: PFC in operation, queues, watchdog, link pause."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.counters import Tally
from rocecfg.state.grammar import grammar
from rocecfg.state.model import (
    Device,
    Line,
    LinkPause,
    Pfc,
    Port,
    PortQos,
    PortWatchdog,
    Where,
    eight,
    intern_ports,
)
from rocecfg.state.numbers import whole_number
from rocecfg.state.sections import text_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocecfg.state.capture import Text
    from rocecfg.state.grammar import Record
    from rocecfg.state.model import PriorityGroup, Queue

_HERE = Path(__file__)
_CONFIG = load_module(_HERE.with_name("config.py"))
_ROWS = load_module(_HERE.with_name("show_rows.py"))
_COUNTERS = load_module(_HERE.with_name("counters.py"))
_RULES = frozenset("=-+| ")
_GIGABIT = {"Kb/s": 1_000, "Mb/s": 1_000_000, "Gb/s": 1_000_000_000}
_TOP_PORTS = 20_000
_INNER = ("ii", "Vethernet", "Br-Ethernet")
"""Rows of no port with a plug: a link inside a modular switch, a virtual NIC, a backplane port of a blade chassis."""
_OF_PORT = re.compile(r"\bsh(?:ow)? queu\w{0,3} int\w{0,6} (\S{3,31}|eth\w{0,5} \d\S{0,12}) ?\|", re.IGNORECASE)
_PROMPT = re.compile(r"[\w.:-]{1,63}(?:\([\w.-]{1,63}\))?# ?(?:sh(?:ow)? .*|exit|end)?")


def read_show(command: str, text: Text) -> Device:
    """Return what a show command says. Raises ReadError when no port stands in it."""
    device = Device("", "nxos", source="applied", place=Where(text.file))
    reader = {
        "show-interface-pfc": _interface_pfc,
        "show-queuing": _queuing,
        "show-pfc-queue": _pfc_queue,
        "show-interface": _interface,
    }[command]
    table = reader(text)
    ports, lines = table.ports, table.lines
    if not ports:
        raise ReadError(f"{text.file}: no port in it: expected the table of {command.replace('-', ' ')}")
    return replace(
        device,
        ports=intern_ports(ports.values()),
        lines=tuple(lines),
        lines_read=table.count,
        sample=table.tally.sample(),
    )


def joined(stated: Port, shown: Port) -> Port:
    """Return a port of the running configuration with what a show command adds: it never overrides a line."""
    names = ("priority_to_queue", "priority_to_pg", "link_pause", "watchdog", "queues", "priority_groups")
    changes = {name: getattr(shown.qos, name) for name in names if getattr(stated.qos, name) is None}
    pfc, seen = stated.qos.pfc, shown.qos.pfc
    if seen is not None:
        changes["pfc"] = seen if pfc is None else replace(pfc, admin=pfc.admin or seen.admin, oper=seen.oper)
    return replace(
        stated,
        qos=replace(stated.qos, **changes),
        mtu=shown.mtu if stated.mtu is None else stated.mtu,
        speed_now=shown.speed_now,
        places={**shown.places, **stated.places},
    )


def _lines(name: str, text: Text) -> Iterator[tuple[int, str, Record | None]]:
    """Yield the lines from the first known one on: number, words, record. Rules and empty lines are left out."""
    numbered = []
    for number, raw in enumerate(text_lines(text.content), 1):
        line = " ".join(raw.split())
        if line and not _RULES.issuperset(line) and not ("#" in line and _PROMPT.fullmatch(line)):
            numbered.append((number, line))
    texts = (line for _, line in numbered if not line.startswith("|") or "QOS GROUP" in line)  # rows of numbers: Blocks
    records = grammar(_HERE.with_name("parse") / f"{name}.ttp").read(texts)
    started = False
    for number, line in numbered:
        record = records.get(line)
        started = started or record is not None or (line.startswith("|") and "QOS GROUP" in line)
        if started:
            yield number, line, record


class _Table:
    """Ports read from one text, and the account of its lines."""

    def __init__(self, text: Text) -> None:
        self.file = text.file
        self.ports: dict[str, Port] = {}
        self.lines: list[Line] = []
        self.count = 0
        self.tally = Tally()

    def refuse(self, number: int, line: str) -> None:
        self.count += 1
        self.lines.append(Line(line, Where(self.file, number)))

    def port(self, word: str, number: int) -> Port | None:
        """Return the port of that name, made on first sight; None when it is no port's name."""
        name = _CONFIG.port_name(word)
        if name is None:
            return None
        if len(self.ports) >= _TOP_PORTS:
            raise ReadError(f"{self.file}:{number}: more than {_TOP_PORTS} ports")
        place = Where(self.file, number)
        return self.ports.setdefault(name, Port(name, place=place, places={"pfc": place}))


def _interface_pfc(text: Text) -> _Table:
    table = _Table(text)
    current: Port | None = None
    for number, line, record in _lines("show_interface_pfc", text):
        if record is None and not line.startswith("|"):
            table.refuse(number, line)
            continue
        table.count += 1
        if record is not None and record.kind == "port":
            current = table.port(record.values["port"], number)
        elif record is not None and current is not None and record.kind in _ROWS.OF_DETAIL:
            current = table.ports[current.name] = _ROWS.with_detail(current, record)
        if record is None or record.kind != "row" or record.values["port"].startswith(_INNER):
            continue
        words = record.values
        port = table.port(words["port"], number)
        admin, oper = words["admin"].lower(), words["oper"].lower()
        if port is None or admin not in ("on", "off", "auto") or oper not in ("on", "off"):
            table.count -= 1
            table.refuse(number, line)
            continue
        _COUNTERS.interface_pfc(table.tally, port.name, words, Where(text.file, number))
        running = frozenset() if oper == "off" else _ROWS.bitmap(words.get("bitmap", ""))
        qos = replace(port.qos, pfc=Pfc(admin=admin, oper=running))  # type: ignore[arg-type]
        table.ports[port.name] = replace(port, qos=qos)
    return table


def _asked_for(text: Text, table: _Table) -> Port | None:
    """Return the port that the command names: behind `| begin` its block has no title."""
    found = _OF_PORT.search(text.command) or _OF_PORT.search(text.content[:2_000])
    return table.port(found[1], 1) if found is not None else None


def _queuing(text: Text) -> _Table:
    table = _Table(text)
    current = _asked_for(text, table)
    active: dict[str, dict[int, tuple[int, int]]] = {}
    served: dict[str, dict[int, Queue]] = {}
    buffers: dict[str, dict[int, PriorityGroup]] = {}
    blocks = _COUNTERS.Blocks(table.tally)
    for number, line, record in _lines("show_queuing", text):
        if record is None and not line.startswith("|"):
            table.refuse(number, line)
            continue
        table.count += 1
        if record is not None and record.kind == "start":
            current = table.port(record.values["port"], number)
            blocks.start()
        elif current is not None and line.startswith("|"):
            blocks.line(current.name, line, Where(text.file, number))
        elif current is not None and record is not None and record.kind == "mmu_drops":
            count = _COUNTERS.number(record.values["count"])
            table.tally.add(current.name, "rx_buffer_drops", count, Where(text.file, number))
        elif record is not None and record.kind == "served" and current is not None:
            served.setdefault(current.name, {}).update(_ROWS.served(record.values))
        elif record is not None and record.kind == "buffer" and current is not None:
            buffers.setdefault(current.name, {}).update(_ROWS.buffer(record.values))
        elif record is not None and record.kind == "row" and current is not None:
            _COUNTERS.pauses(table.tally, current.name, record.values, Where(text.file, number))
            cos, group, pg = (record.values[name] for name in ("cos", "group", "pg"))
            seen = active.setdefault(current.name, {})
            if len(cos) == len(group) == len(pg) == 1 and f"{cos}{group}{pg}".isdecimal() and max(cos, group, pg) < "8":
                seen[int(cos)] = (int(group), int(pg))
    for name in table.ports:
        rows = active.get(name, {})
        qos = PortQos(
            queues=eight(served[name]) if served.get(name) else None,
            priority_groups=eight(buffers[name]) if buffers.get(name) else None,
        )
        if name not in active:
            table.ports[name] = replace(table.ports[name], qos=qos)
            continue
        qos = replace(
            qos,
            pfc=Pfc(oper=frozenset(rows)),
            priority_to_queue=eight({cos: frozenset({group}) for cos, (group, _) in rows.items()}),
            priority_to_pg=eight({cos: frozenset({pg}) for cos, (_, pg) in rows.items()}),
        )
        table.ports[name] = replace(table.ports[name], qos=qos)
    return table


def _pfc_queue(text: Text) -> _Table:
    table = _Table(text)
    current: Port | None = None
    device: bool | None = None
    numbers: dict[str, int] = {}
    blocks = _COUNTERS.Blocks(table.tally)
    for number, line, record in _lines("show_pfc_queue", text):
        if record is None and not line.startswith("|"):
            table.refuse(number, line)
            continue
        table.count += 1
        if current is not None and line.startswith("|"):
            blocks.line(current.name, line, Where(text.file, number))
        words = record.values if record is not None else {}
        if record is not None and record.kind == "global":
            device = words["state"] == "Enabled"
        elif record is not None and (record.kind == "poll" or record.kind in _ROWS.MULTIPLIERS):
            numbers[record.kind] = whole_number(words["count"], 100_000) or 0
        elif record is not None and record.kind == "start":
            current = table.port(words["port"], number)
            blocks.start()
            if current is not None:
                enabled = words["state"] == "Enabled" and device is not False
                qos = replace(
                    current.qos, watchdog=PortWatchdog(enabled=enabled, priorities=frozenset(), **_ROWS.times(numbers))
                )
                places = {**current.places, "watchdog": Where(text.file, number)}
                current = table.ports[current.name] = replace(current, qos=qos, places=places)
        elif record is not None and current is not None and current.qos.watchdog is not None:
            watchdog = current.qos.watchdog
            if record.kind == "disable" and words["answer"] == "Yes":
                watchdog = replace(watchdog, action="alert")
            elif record.kind == "queue" and words["pfc"] == "YES" and words["cos"] in "01234567":
                watchdog = replace(watchdog, priorities=(watchdog.priorities or frozenset()) | {int(words["cos"])})
            current = replace(current, qos=replace(current.qos, watchdog=watchdog))
            table.ports[current.name] = current
    return table


def _interface(text: Text) -> _Table:
    """Read `show interface`: of its many lines only MTU, speed and pause are our business."""
    table = _Table(text)
    current: Port | None = None
    for number, line, record in _lines("show_interface", text):
        if current is not None:
            _COUNTERS.interface_line(table.tally, current.name, line, Where(text.file, number))
        if record is None:
            if "flow-control" in line or "pause" in line:
                table.refuse(number, line)
            continue
        words = record.values
        if record.kind == "start":
            current = table.port(words["port"], number) if words["state"] in ("up", "down") else current
            if current is not None:
                current = table.ports[current.name] = replace(current, enabled=None)
            continue
        if current is None:
            continue
        table.count += 1
        place = Where(text.file, number)
        if record.kind == "mtu" and len(words["mtu"]) < 6:
            current = replace(current, mtu=int(words["mtu"]), places={**current.places, "mtu": place})
        elif record.kind == "speed" and words["unit"] in _GIGABIT and len(words["speed"]) < 6:
            current = replace(current, speed_now=int(words["speed"]) * _GIGABIT[words["unit"]])
        elif record.kind == "pause":
            pause = LinkPause(rx=words["rx"] == "on", tx=words["tx"] == "on")
            qos = replace(current.qos, link_pause=pause)
            current = replace(current, qos=qos, places={**current.places, "link_pause": place})
        table.ports[current.name] = current
    return table
