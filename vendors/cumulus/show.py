"""Reads `nv show` outputs: tables under a ruler of dashes, with titles, units in the cells, and cut headers.

They give what they show and nothing else. Usage is known and not modelled here.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import Where
from rocecfg.state.sections import text_lines

if TYPE_CHECKING:
    from rocecfg.state.capture import Text
    from vendors.cumulus.facts import Facts

facts_module = load_module(Path(__file__).with_name("facts.py"))
amounts = load_module(Path(__file__).with_name("amounts.py"))
schema = load_module(Path(__file__).with_name("schema.py"))
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


_EIGHT = frozenset("01234567")
_QUEUES = "egress-queue-mapping"


def _numbers(cell: str) -> list[str] | None:
    """Return the numbers of `0,1,2`, none for `-`; None when the cell holds anything else."""
    if cell in {"-", ""}:
        return []
    parts = cell.split(",")
    sound = all(part.isascii() and part.isdigit() and len(part) < 4 and int(part) < 64 for part in parts)
    return [str(int(part)) for part in parts] if sound else None


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
        if {"operational", "applied"} <= heads:
            self._leaves(table)
        elif "traffic-class" in heads and "ECN" in heads:
            self._each(table, self._ramp)
        elif {"traffic-class", "mode", "bw-percent"} <= heads:
            self._each(table, self._scheduler)
        elif {"switch-priority", "traffic-class"} == heads:
            self._each(table, self._queue_map)
        elif "switch-prio" in heads and "dscp" in heads:
            self._each(table, self._codes)
        elif "switch-prio" in heads and "scheduler-weight" in heads:
            self._each(table, self._shares)
        elif {"memory-percent", "mode"} <= heads and "Pool-Id" in heads:
            self._each(table, self._service_pool)
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
        return next(iter(self._facts.ports))

    def _each(self, table: Any, take: object) -> None:
        for row in table.rows:
            if not take(row):  # type: ignore[operator]
                self._unknown(row)

    def _unknown(self, row: Any) -> None:
        self._facts.not_understood(row.text, Where(self._file, row.number))

    def _state(self, row: Any, section: str, *path: str, value: str) -> bool:
        if not self._facts.configured:
            shared = section in {_QUEUES, "advance-buffer-config"} or self._profile == _D
            profile = _D if shared else self._profile
            where = Where(self._file, row.number)
            self._facts.settings[section, profile, *path] = facts_module.Leaf(value, where, shown=True)
            if not shared:
                port = self._facts.ports[profile.removeprefix(facts_module.SHOWN)]
                port["qos", section, "profile"] = facts_module.Leaf(profile, where)
        return True

    def _ramp(self, row: Any) -> bool:
        cells = row.cells
        number, low, high, pmax = (cells.get(head, "") for head in ("traffic-class", "Min Th", "Max Th", "Probability"))
        ecn, red = _SWITCH.get(cells["ECN"]), _SWITCH.get(cells.get("RED", ""))
        sound = number in set("01234567") and ecn and red and amounts.amount(low) and amounts.amount(high)
        if not sound or not pmax.isdigit() or int(pmax) > 100:
            return False
        path = ("congestion-control", "traffic-class", number)
        words = {"ecn": ecn, "red": red, "min-threshold": low, "max-threshold": high, "probability": pmax}
        return all(self._state(row, *path, word, value=str(value)) for word, value in words.items())

    def _queue_map(self, row: Any) -> bool:
        priority, queue = row.cells["switch-priority"], row.cells["traffic-class"]
        if priority not in set("01234567") or queue not in set("01234567"):
            return False
        return self._state(row, "egress-queue-mapping", "switch-priority", priority, "traffic-class", value=queue)

    def _service_pool(self, row: Any) -> bool:
        direction = next((word for word in ("ingress", "egress") if word in self._asked), "")
        number, percent, mode = (row.cells.get(head, "") for head in ("Pool-Id", "memory-percent", "mode"))
        if not direction or not number.isdigit() or int(number) > 15:
            return False
        path = ("advance-buffer-config", f"{direction}-service-pool", str(int(number)))
        if percent.isdigit() and int(percent) <= 100:
            self._state(row, *path, "memory-percent", value=str(int(percent)))
        return mode not in {"static", "dynamic"} or self._state(row, *path, "mode", value=mode)

    def _codes(self, row: Any) -> bool:
        dscps, pcp, priority = (_numbers(row.cells.get(head, "")) for head in ("dscp", "pcp", "switch-prio"))
        if dscps is None or pcp is None or priority is None or len(priority) != 1 or not set(pcp + priority) <= _EIGHT:
            return False
        for number in pcp:
            self._state(row, "mapping", "pcp", number, "switch-priority", value=priority[0])
        for code in dscps:
            self._state(row, "mapping", "dscp", code, "switch-priority", value=priority[0])
        return True

    def _shares(self, row: Any) -> bool:
        priority, queue, share = (
            row.cells.get(head, "") for head in ("switch-prio", "traffic-class", "scheduler-weight")
        )
        weight = re.fullmatch(r"dwrr-([0-9]{1,3})%", share, re.IGNORECASE)
        if (
            priority not in set("01234567")
            or queue not in set("01234567")
            or not (weight or share in {"strict priority", "strict-priority"})
        ):
            return False
        self._state(row, "egress-queue-mapping", "switch-priority", priority, "traffic-class", value=queue)
        path = ("egress-scheduler", "traffic-class", queue)
        self._state(row, *path, "mode", value="dwrr" if weight else "strict")
        return self._state(row, *path, "bw-percent", value=weight[1]) if weight else True

    def _scheduler(self, row: Any) -> bool:
        queue, mode, percent = (row.cells.get(head, "") for head in ("traffic-class", "mode", "bw-percent"))
        sound = mode == "strict" or (mode == "dwrr" and percent.isdigit() and int(percent) <= 100)
        if queue not in set("01234567") or not sound:
            return False
        path = ("egress-scheduler", "traffic-class", queue)
        self._state(row, *path, "mode", value=mode)
        return mode == "strict" or self._state(row, *path, "bw-percent", value=percent)

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

    def _of_one_class(self, path: str, value: str, row: Any) -> bool | None:
        """Read a leaf of `... traffic-class 4`, `... switch-priority 2` or a traffic pool; None = no such leaf."""
        words = self._asked.split()
        kind, number = words[-2:] if len(words) > 3 else ("", "")
        section = next((name for name in ("congestion-control", "egress-scheduler", _QUEUES) if name in words), "")
        if section and kind in {"traffic-class", "switch-priority"} and number in _EIGHT:
            settings = schema.qos_setting((section, _D, kind, number, path, value.removesuffix(" B")))
            return bool(settings) and self._state(row, section, kind, number, path, value=value.removesuffix(" B"))
        if "traffic-pool" in words and path in {"memory-percent", "[switch-priority]"}:
            if path == "memory-percent" and value.isdigit():
                self._pool(row, words[-1], path, value=value)
            elif value in _EIGHT:
                self._pool(row, words[-1], "switch-priority", value)
            return value.isdigit()
        return True if path == "enable" and words[:2] == ["qos", "roce"] else None

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
                if value and (
                    (word == "probability" and value.isdigit() and int(value) <= 100) or amounts.amount(value)
                ):
                    self._state(at, *path, word, value=value)
        return True
