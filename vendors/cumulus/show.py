"""Reads `nv show` outputs: tables under a ruler of dashes, with titles, units in the cells, and cut headers.

They give what they show and nothing else. Usage is known and not modelled here.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rocecfg.packs import load_module
from rocecfg.state.model import Where
from rocecfg.state.sections import text_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocecfg.state.capture import Text
    from vendors.cumulus.facts import Facts

facts_module = load_module(Path(__file__).with_name("facts.py"))
amounts = load_module(Path(__file__).with_name("amounts.py"))
counters = load_module(Path(__file__).with_name("counters.py"))

_D = facts_module.EVERY_PORT
_RULER = re.compile(r"[ \t]{0,20}-[-… \t]{2,400}\Z")
_UNDERLINE = re.compile(r"={4,200}[ \t]{0,8}\Z")
_ASKED = re.compile(r"(?:\S{1,80}[$#>][ \t]{0,4})?nv show (.{1,200})")
_TITLES = re.compile(
    r"^(?:[ \t]{0,80}operational[ \t]{1,20}applied|PFC WD Status|ECN [Cc]onfigurations?|Ingress Buffer Statistics|"
    r"Egress Queue Statistics|PFC Statistics|Qos Port Statistics|RoCE Pool Status|"
    r"RoCE (?:PCP|SP))|^\S{1,80}[$#>] ?nv show ",
    re.MULTILINE,
)
_COUNTED = {
    "rx-frames", "tx-frames", "rx-pause-frames", "deadlock-count", "Counter", "pool-id", "Pool ID",
}  # fmt: skip
_STATUS = {"l3": "l3", "dscp": "l3", "l2": "l2", "pcp": "l2", "pcp,dscp": "both", "dscp,pcp": "both", "port": "port"}
_SWITCH = {
    "enable": "enable",
    "enabled": "enable",
    "yes": "enable",
    "disable": "disable",
    "disabled": "disable",
    "no": "disable",
}


def is_show(text: Text) -> bool:
    """Return whether a text looks like an `nv show` output of ours."""
    return text.command.startswith("nv show") or _TITLES.search(text.content[:1_000_000]) is not None


class Row(NamedTuple):
    """One row of a table: its line, its indentation, its cells by column head."""

    number: int
    indent: int
    cells: dict[str, str]
    text: str


class Table(NamedTuple):
    """A table: the words `nv show` was asked with ("" = not in the text), its heads, its rows."""

    asked: str
    heads: tuple[str, ...]
    rows: list[Row]


def _tables(lines: list[str], asked: str) -> Iterator[Table]:
    """Cut a text into tables: the line (or two) above a ruler is the head, the columns are where its dashes are."""
    table: Table | None = None
    columns: list[tuple[int, int]] = []
    for number, line in enumerate(lines, 1):
        words = _ASKED.match(line)
        following = lines[number] if number < len(lines) else ""
        if words or not line.strip() or _UNDERLINE.match(line) or _UNDERLINE.match(following):
            asked = words[1].strip() if words else asked
            if table is not None and table.rows:
                yield table
                table = None
        elif _RULER.match(line) and "---" in line:
            columns = [(found.start(), found.end()) for found in re.finditer(r"[-…]+", line)]
            heads = _heads(lines, number - 1, columns)
            table = Table(asked, heads, [])
        elif table is not None:
            cells = {}
            for at, (head, (start, _)) in enumerate(zip(table.heads, columns, strict=False)):
                end = columns[at + 1][0] if at + 1 < len(columns) else len(line)
                cells[head or f"#{at}"] = line[start:end].strip()
            table.rows.append(Row(number, len(line) - len(line.lstrip()), cells, line.strip()))
    if table is not None and table.rows:
        yield table


def _heads(lines: list[str], ruler: int, columns: list[tuple[int, int]]) -> tuple[str, ...]:
    """Return the column heads above a ruler; a head may be folded over two lines."""
    above = lines[ruler - 1] if ruler else ""
    folded = ruler > 1 and above[: columns[1][0] if len(columns) > 1 else 1].strip() == ""
    first = lines[ruler - 2] if folded else ""
    if _UNDERLINE.match(first) or _ASKED.match(first):
        first = ""
    heads = []
    for at, (start, _) in enumerate(columns):
        end = columns[at + 1][0] if at + 1 < len(columns) else None
        heads.append(f"{first[start:end].strip()} {above[start:end].strip()}".strip())
    return tuple(heads)


def read_show(text: Text, facts: Facts) -> None:
    """Add what the tables of a show output state."""
    asked = text.command.removeprefix("nv show ").strip() if text.command.startswith("nv show ") else ""
    reader = _Reader(text.file, facts)
    for table in _tables(text_lines(text.content), asked):
        reader.table(table)


class _Reader:
    """Turns tables into settings of the port (or of all ports) that they were shown for."""

    def __init__(self, file: str, facts: Facts) -> None:
        self._file, self._facts = file, facts
        self._name = self._profile = _D

    def table(self, table: Table) -> None:
        """Read one table by its heads."""
        self._facts.read += len(table.rows)
        heads = set(table.heads)
        self._name = self._port(table)
        self._profile = _D if self._name == _D else f"{facts_module.SHOWN}{self._name}"
        if {"operational", "applied"} <= heads:
            self._leaves(table)
        elif "traffic-class" in heads and "ECN" in heads:
            self._each(table, self._ramp)
        elif {"traffic-class", "mode", "bw-percent"} <= heads:
            self._each(table, self._scheduler)
        elif "switch-prio" in heads and "dscp" in heads:
            self._each(table, self._codes)
        elif "switch-prio" in heads and "scheduler-weight" in heads:
            self._each(table, self._shares)
        elif heads & _COUNTED:
            for row in table.rows:
                counters.row(self._facts.tally, self._name, row.cells, Where(self._file, row.number))
        else:
            for row in table.rows:
                self._unknown(row)

    def _port(self, table: Table) -> str:
        words = table.asked.split()
        row = table.rows[0]
        name = words[1] if len(words) > 1 and words[0] == "interface" else ""
        if name and len(facts_module.expand(name)) == 1:
            self._facts.port(name, Where(self._file, row.number))
            return name
        if not self._facts.ports:
            self._facts.port(_D, Where(self._file, row.number))
        return next(iter(self._facts.ports))

    def _each(self, table: Table, take: object) -> None:
        for row in table.rows:
            if not take(row):  # type: ignore[operator]
                self._unknown(row)

    def _unknown(self, row: Row) -> None:
        self._facts.not_understood(row.text, Where(self._file, row.number))

    def _state(self, row: Row, section: str, *path: str, value: str) -> bool:
        if not self._facts.configured:
            shared = section == "egress-queue-mapping" or self._profile == _D
            profile = _D if shared else self._profile
            where = Where(self._file, row.number)
            self._facts.settings[section, profile, *path] = facts_module.Leaf(value, where, shown=True)
            if not shared:
                port = self._facts.ports[profile.removeprefix(facts_module.SHOWN)]
                port["qos", section, "profile"] = facts_module.Leaf(profile, where)
        return True

    def _ramp(self, row: Row) -> bool:
        cells = row.cells
        number, low, high, pmax = (cells.get(head, "") for head in ("traffic-class", "Min Th", "Max Th", "Probability"))
        ecn, red = _SWITCH.get(cells["ECN"]), _SWITCH.get(cells.get("RED", ""))
        sound = number in set("01234567") and ecn and red and amounts.amount(low) and amounts.amount(high)
        if not sound or not pmax.isdigit() or int(pmax) > 100:
            return False
        path = ("congestion-control", "traffic-class", number)
        words = {"ecn": ecn, "red": red, "min-threshold": low, "max-threshold": high, "probability": pmax}
        return all(self._state(row, *path, word, value=str(value)) for word, value in words.items())

    def _codes(self, row: Row) -> bool:
        dscp, pcp, priority = (row.cells.get(head, "") for head in ("dscp", "pcp", "switch-prio"))
        if not (priority in set("01234567") and dscp.isdigit() and int(dscp) < 64 and pcp in set("01234567")):
            return False
        self._state(row, "mapping", "pcp", pcp, "switch-priority", value=priority)
        return self._state(row, "mapping", "dscp", str(int(dscp)), "switch-priority", value=priority)

    def _shares(self, row: Row) -> bool:
        priority, queue, share = (
            row.cells.get(head, "") for head in ("switch-prio", "traffic-class", "scheduler-weight")
        )
        weight = re.fullmatch(r"dwrr-([0-9]{1,3})%", share)
        if (
            priority not in set("01234567")
            or queue not in set("01234567")
            or not (weight or share == "strict priority")
        ):
            return False
        self._state(row, "egress-queue-mapping", "switch-priority", priority, "traffic-class", value=queue)
        path = ("egress-scheduler", "traffic-class", queue)
        self._state(row, *path, "mode", value="dwrr" if weight else "strict")
        return self._state(row, *path, "bw-percent", value=weight[1]) if weight else True

    def _scheduler(self, row: Row) -> bool:
        queue, mode, percent = (row.cells.get(head, "") for head in ("traffic-class", "mode", "bw-percent"))
        sound = mode == "strict" or (mode == "dwrr" and percent.isdigit() and int(percent) <= 100)
        if queue not in set("01234567") or not sound:
            return False
        path = ("egress-scheduler", "traffic-class", queue)
        self._state(row, *path, "mode", value=mode)
        return mode == "strict" or self._state(row, *path, "bw-percent", value=percent)

    def _leaves(self, table: Table) -> None:
        """Read an object's leaves: indentation nests them, the operational value is the one in force."""
        above: list[tuple[int, str]] = []
        status: dict[str, tuple[str, Row]] = {}
        for row in table.rows:
            name = (
                row.text.split("  ")[0].strip()
                if not row.cells.get(table.heads[0] or "#0")
                else row.cells[table.heads[0] or "#0"]
            )
            while above and above[-1][0] >= row.indent:
                above.pop()
            value = row.cells["operational"] or row.cells["applied"]
            path = "/".join([*(word for _, word in above), name])
            if not value:
                above.append((row.indent, name))
            status[path] = (value, row)
        for path, (value, row) in status.items():
            counters.leaf(self._facts.tally, self._name, path, value, Where(self._file, row.number))
            if not self._leaf(path, value, row, status, table.asked):
                self._unknown(row)

    def _leaf(self, path: str, value: str, row: Row, status: dict[str, tuple[str, Row]], asked: str) -> bool:
        switch = _SWITCH.get(value, "")
        if path in {"tx", "rx"} and switch:
            return self._state(row, "pfc", path, value=switch)
        if path == "cable-length" and value.isdigit():
            return self._state(row, "pfc", path, value=value)
        if path in {"port-buffer", "xoff-threshold", "xon-threshold"} and amounts.amount(value):
            return self._state(row, "pfc", path, value=value)
        if path in {"[switch-priority]", "pfc/pfc-priority"}:
            numbers = facts_module.expand(value) if value else ()
            known = [
                self._state(row, "pfc", "switch-priority", number, value="")
                for number in numbers
                if number in set("01234567")
            ]
            return len(known) == len(numbers)
        if path in {"pfc/rx-enabled", "pfc/tx-enabled"} and switch:
            return self._state(row, "pfc", path[4:6], value=switch)
        if path == "trust/trust-mode" and value in _STATUS:
            return self._state(row, "mapping", "trust", value=_STATUS[value])
        if path == "congestion-control/enabled-tc":
            return self._status_ramp(value, row, status)
        if path == "state" and switch and (not asked or "pfc-watchdog" in asked):
            if not self._facts.configured:
                leaves = self._facts.ports[self._name]
                leaves["qos", "pfc-watchdog", "state"] = facts_module.Leaf(switch, Where(self._file, row.number))
            return True
        return path.split("/", maxsplit=1)[0] in {
            "congestion-control",
            "lldp-app-tlv",
            "rx-stats",
            "tx-stats",
            "mode",
            "pfc",
            "trust",
        }

    def _status_ramp(self, queues: str, row: Row, status: dict[str, tuple[str, Row]]) -> bool:
        numbers = facts_module.expand(queues) if queues else ()
        mode = status.get("congestion-control/congestion-mode", ("", row))[0]
        if not all(number in set("01234567") for number in numbers) or "ecn" not in mode:
            return False
        for number in numbers:
            path = ("congestion-control", "traffic-class", number)
            self._state(row, *path, "ecn", value="enable")
            for word in ("min-threshold", "max-threshold", "probability"):
                value, at = status.get(f"congestion-control/{word}", ("", row))
                if value and (
                    (word == "probability" and value.isdigit() and int(value) <= 100) or amounts.amount(value)
                ):
                    self._state(at, *path, word, value=value)
        return True
