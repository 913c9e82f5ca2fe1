"""Reads the display commands of a CloudEngine: PFC and deadlocks, thresholds, queues, ECN."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.counters import Tally
from rocecfg.state.grammar import grammar
from rocecfg.state.model import Device, Line, Port, Where, intern_ports
from rocecfg.state.sections import text_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocecfg.state.capture import Text
    from rocecfg.state.grammar import Record

_HERE = Path(__file__)
_CONFIG = load_module(_HERE.with_name("config.py"))
_ROWS = load_module(_HERE.with_name("show_rows.py"))
READERS = frozenset(_ROWS.READERS)
_RULES = frozenset("=-+| ")
_OTHERS_SKIPPED = {"show-interface"}
"""Outputs of which only a few lines are our business."""
_TOP_PORTS = 20_000
_PROMPT = re.compile(r"[\[<][~*]?[\w./:-]{1,100}[\]>] ?(.*)")
_NAMED = re.compile(r"display .{0,80}?\binterface ([\w/: -]{1,60})", re.IGNORECASE)


class Table:
    """Ports read from one text, and the account of its lines."""

    def __init__(self, text: Text) -> None:
        """Begin with no port; a command line that names one opens it."""
        self.file = text.file
        self.ports: dict[str, Port] = {}
        self.lines: list[Line] = []
        self.count = 0
        self.tally = Tally()
        self.current = ""
        self.objects: list[tuple[str, str, int]] = []

    def where(self, number: int) -> Where:
        """Return the place of a line."""
        return Where(self.file, number)

    def open(self, word: str, number: int) -> bool:
        """Make the port of that name the current one; False when it is no port's name."""
        name = _CONFIG.port_name(word)
        if name is None:
            return False
        if name not in self.ports and len(self.ports) >= _TOP_PORTS:
            raise ReadError(f"{self.file}:{number}: more than {_TOP_PORTS} ports")
        place = self.where(number)
        self.ports.setdefault(name, Port(name, place=place, places={"pfc": place}))
        self.current = name
        return True


def read_show(command: str, text: Text) -> Device:
    """Return what a display command says. Raises ReadError when nothing of its table stands in it."""
    table = Table(text)
    taker = _ROWS.READERS[command](table)
    known = 0
    for number, line, record in _lines(command.replace("-", "_"), text, table):
        if record is None and command in _OTHERS_SKIPPED:
            continue
        table.count += 1
        if record is None or not taker.take(record, number):
            table.lines.append(Line(line, Where(text.file, number)))
        else:
            known += 1
    taker.finish()
    if not known:
        raise ReadError(f"{text.file}: nothing of {command.replace('-', ' ')} in it")
    return Device(
        "",
        "huawei",
        ports=intern_ports(table.ports.values()),
        source="applied",
        lines=tuple(table.lines),
        lines_read=table.count,
        sample=table.tally.sample(),
        place=Where(text.file),
    )


def _lines(name: str, text: Text, table: Table) -> Iterator[tuple[int, str, Record | None]]:
    """Yield the lines from the first known one on; rules, empty lines and prompts are left out."""
    numbered = []
    for number, raw in enumerate(text_lines(text.content), 1):
        line = " ".join(raw.split())
        if not line or _RULES.issuperset(line):
            continue
        prompt = _PROMPT.fullmatch(line)
        words = prompt[1] if prompt is not None else line
        if prompt is not None or words.startswith("display "):
            found = _NAMED.match(words)
            if found is not None:
                table.open(found[1], number)
            continue
        numbered.append((number, line))
    if table.current == "" and text.command:
        found = _NAMED.match(text.command)
        if found is not None:
            table.open(found[1], 0)
    records = grammar(_HERE.with_name("parse") / f"{name}.ttp").read(line for _, line in numbered)
    started = False
    for number, line in numbered:
        record = records[line]
        started = started or record is not None
        if started:
            yield number, line, record


def joined(stated: Port, shown: Port) -> Port:
    """Return a port of the configuration with what a display command adds: it never overrides a line."""
    changes: dict[str, object] = {}
    pfc, seen = stated.qos.pfc, shown.qos.pfc
    if seen is not None:
        changes["pfc"] = seen if pfc is None else replace(pfc, admin=pfc.admin or seen.admin, oper=seen.oper)
    for name in ("queues", "priority_groups"):
        mine, theirs = getattr(stated.qos, name), getattr(shown.qos, name)
        if theirs is not None:
            changes[name] = (
                theirs if mine is None else tuple(_ROWS.joined(*pair) for pair in zip(mine, theirs, strict=True))
            )
    qos = replace(stated.qos, **changes)  # type: ignore[arg-type]
    return replace(stated, qos=qos, places={**shown.places, **stated.places})
