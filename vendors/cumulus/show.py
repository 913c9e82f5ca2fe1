"""Reads `nv show` outputs: tables under a ruler of dashes, with titles, units in the cells, and cut headers.

They give what they show and nothing else. Usage is known and not modelled here.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import Where
from rocecfg.state.numbers import whole_number
from rocecfg.state.sections import text_lines

if TYPE_CHECKING:
    from rocecfg.state.capture import Text
    from vendors.cumulus.facts import Facts

facts_module = load_module(Path(__file__).with_name("facts.py"))
amounts = load_module(Path(__file__).with_name("amounts.py"))
schema = load_module(Path(__file__).with_name("schema.py"))
rows = load_module(Path(__file__).with_name("show_rows.py"))
tables = load_module(Path(__file__).with_name("show_tables.py"))
counters = load_module(Path(__file__).with_name("counters.py"))

_D = facts_module.EVERY_PORT
_TITLES = re.compile(
    r"^(?:[ \t]{0,80}operational[ \t]{1,20}applied|PFC WD Status|ECN [Cc]onfigurations?|Ingress Buffer Statistics|"
    r"Egress Queue Statistics|PFC Statistics|Qos Port Statistics|RoCE Pool Status|"
    r"RoCE (?:PCP|SP))|^\S{1,80}[$#>] ?nv show ",
    re.MULTILINE,
)
_COUNTED = {
    "rx-frames", "tx-frames", "rx-pause-frames", "deadlock-count", "Counter", "pool-id", "Pool ID",
}  # fmt: skip
_SUMMARIES = {"Summary", "Feature", "switch-priorities"}
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


def read_show(text: Text, facts: Facts) -> None:
    """Add what the tables of a show output state."""
    asked = text.command.removeprefix("nv show ").strip() if text.command.startswith("nv show ") else ""
    reader = _Reader(text.file, facts)
    for table in tables.cut(text_lines(text.content), asked):
        reader.table(table)


class _Reader:
    """Turns tables into settings of the port (or of all ports) that they were shown for."""

    def __init__(self, file: str, facts: Facts) -> None:
        self._file, self._facts = file, facts
        self._name = self._profile = _D
        self._asked = ""

    def table(self, table: Any) -> None:
        """Read one table by its heads."""
        self._facts.read += len(table.rows)
        heads, self._asked = set(table.heads), table.asked
        self._name = self._port(table)
        self._profile = _D if self._name == _D else f"{facts_module.SHOWN}{self._name}"
        reader = rows.reader_of(heads)
        if {"operational", "applied"} <= heads:
            self._leaves(table)
        elif reader is not None:
            for row in table.rows:
                if not self._settings(row, reader(row.cells, table.asked)):
                    self._unknown(row)
        elif "applied" in heads and "operational" not in heads and len(heads) == 2:
            self._leaves(table)
        elif heads & _SUMMARIES:
            pass  # what they sum up is shown in tables of their own
        elif heads & _COUNTED:
            for row in table.rows:
                counters.row(self._facts.tally, self._name, row.cells, Where(self._file, row.number))
        else:
            for row in table.rows:
                self._unknown(row)

    def _port(self, table: Any) -> str:
        words = table.asked.split()
        row = table.rows[0]
        name = words[1] if len(words) > 1 and words[0] == "interface" else ""
        if name and len(facts_module.expand(name)) == 1:
            self._facts.port(name, Where(self._file, row.number))
            return name
        if not self._facts.ports:
            self._facts.port(_D, Where(self._file, row.number))
        return _D if words[:1] == ["qos"] else next(iter(self._facts.ports))

    def _settings(self, row: Any, settings: Any) -> bool:
        """State what a row says; False when it says nothing that makes sense."""
        for (section, *path), value in settings or ():
            self._state(row, section, *path, value=value)
        return settings is not None

    def _unknown(self, row: Any) -> None:
        self._facts.not_understood(row.text, Where(self._file, row.number))

    def _state(self, row: Any, section: str, *path: str, value: str) -> bool:
        if not self._facts.configured:
            shared = section in {rows.QUEUES, "advance-buffer-config"} or self._profile == _D
            profile = _D if shared else self._profile
            where = Where(self._file, row.number)
            self._facts.settings[section, profile, *path] = facts_module.Leaf(value, where, shown=True)
            if not shared:
                port = self._facts.ports[profile.removeprefix(facts_module.SHOWN)]
                port["qos", section, "profile"] = facts_module.Leaf(profile, where)
        return True

    def _leaves(self, table: Any) -> None:
        """Read an object's leaves: indentation nests them, the operational value is the one in force."""
        above: list[tuple[int, str]] = []
        status: dict[str, tuple[str, Any]] = {}
        for row in table.rows:
            name = (
                row.text.split("  ")[0].strip()
                if not row.cells.get(table.heads[0] or "#0")
                else row.cells[table.heads[0] or "#0"]
            )
            while above and above[-1][0] >= row.indent:
                above.pop()
            value = row.cells.get("operational") or row.cells["applied"]
            path = "/".join([*(word for _, word in above), name])
            if path in status and name.startswith("["):  # a collection: one row a member
                if not self._leaf(path, value, row, status, table.asked):
                    self._unknown(row)
                continue
            if not value:
                above.append((row.indent, name))
            status[path] = (value, row)
        for path, (value, row) in status.items():
            counters.leaf(self._facts.tally, self._name, path, value, Where(self._file, row.number))
            if not self._leaf(path, value, row, status, table.asked):
                self._unknown(row)

    def _leaf(self, path: str, value: str, row: Any, status: dict[str, tuple[str, Any]], asked: str) -> bool:
        switch = _SWITCH.get(value, "")
        shown = self._of_one_class(path, value, row)
        if shown is not None:
            return shown
        if path in {"tx", "rx"} and switch:
            section = "link-pause" if "qos link-pause" in asked else "pfc"
            return self._state(row, section, path, value=switch)
        if path == "cable-length" and value.isdecimal():
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
                leaves = self._facts.port(self._name, Where(self._file, row.number))
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

    def _of_one_class(self, path: str, value: str, row: Any) -> bool | None:
        """Read a leaf shown for one class, priority or code, of a map or of a traffic pool; None = no such leaf."""
        words = self._asked.split()
        kind, number = words[-2:] if len(words) > 3 else ("", "")
        section = next((name for name in rows.SECTIONS if name in words), "")
        if section and kind in {"traffic-class", "switch-priority", "pcp", "dscp"} and number.isdecimal():
            if path.endswith("-shaper-state"):
                return True
            value = value.removesuffix(" B")
            known = bool(schema.qos_setting((section, rows.ALL, kind, number, path, value)))
            return known and (value == rows.NO_RATE or self._state(row, section, kind, number, path, value=value))
        if "mapping" in words and path in {"trust", "port-default-sp"}:
            known = bool(schema.qos_setting(("mapping", rows.ALL, path, value)))
            return known and self._state(row, "mapping", path, value=value)
        if "egress-shaper" in words and path.startswith("port-max-"):
            return True
        if "traffic-pool" in words and path in {"memory-percent", "[switch-priority]"}:
            if path == "memory-percent" and value.isdecimal():
                self._pool(row, words[-1], path, value=value)
            elif value in rows.EIGHT:
                self._pool(row, words[-1], "switch-priority", value)
            return value.isdecimal()
        return True if path in {"enable", "state"} and words[:2] == ["qos", "roce"] else None

    def _pool(self, row: Any, name: str, *path: str, value: str = "") -> None:
        if not self._facts.configured:
            where = Where(self._file, row.number)
            self._facts.settings["traffic-pool", name, *path] = facts_module.Leaf(value, where, shown=True)

    def _status_ramp(self, queues: str, row: Any, status: dict[str, tuple[str, Any]]) -> bool:
        numbers = facts_module.expand(queues) if queues else ()
        mode = status.get("congestion-control/congestion-mode", ("", row))[0].lower()
        if not all(number in set("01234567") for number in numbers) or "ecn" not in mode:
            return False
        for number in numbers:
            path = ("congestion-control", "traffic-class", number)
            self._state(row, *path, "ecn", value="enable")
            for word in ("min-threshold", "max-threshold", "probability"):
                value, at = status.get(f"congestion-control/{word}", ("", row))
                share = word == "probability" and whole_number(value, 100) is not None
                if value and (share or amounts.amount(value)):
                    self._state(at, *path, word, value=value)
        return True
