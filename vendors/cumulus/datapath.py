"""Reads the datapath files: traffic.conf of Cumulus Linux 3.x and 4.x, qos_features.conf and qos_infra.conf of 5.x.

A setting of a group counts only when the group stands in the section's `port_group_list`; a group that is listed
and written under another name binds to nothing, which is the most common fault in such files.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.grammar import Record, grammar
from rocecfg.state.model import Where
from rocecfg.state.numbers import whole_number
from rocecfg.state.sections import text_lines

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.capture import Text
    from vendors.cumulus.facts import Facts

_HERE = Path(__file__)
facts_module = load_module(_HERE.with_name("facts.py"))
schema = load_module(_HERE.with_name("schema.py"))
infra = load_module(_HERE.with_name("infra.py"))

_D = facts_module.EVERY_PORT
_SECTIONS = {
    "pfc": "pfc",
    "link_pause": "link-pause",
    "ecn_red": "congestion-control",
    "source": "mapping",
    "remark": "remark",
    "shaping": "egress-shaper",
    "egress_sched": "egress-scheduler",
    "pfc_watchdog": "pfc-watchdog",
}
_TRUST = {
    frozenset({"dscp"}): "l3",
    frozenset({"802.1p"}): "l2",
    frozenset({"802.1p", "dscp"}): "both",
    frozenset({"port"}): "port",
}
_REMARK = {
    frozenset({"dscp"}): "l3", frozenset({"802.1p"}): "l2", frozenset({"802.1p", "dscp"}): "both",
}  # fmt: skip
_EARLIER = {"ecn": "ecn_red", "pause": "link_pause"}
"""Names of sections in the first releases of 3.x."""
_WORDS = {"true": "enable", "false": "disable"}
_RAMP = {
    "ecn_enable": "ecn", "red_enable": "red", "min_threshold_bytes": "min-threshold",
    "max_threshold_bytes": "max-threshold", "probability": "probability",
}  # fmt: skip


_FOREIGN = re.compile(r"(?:hash_config|forwarding_table|sflow|acl|mroute|ecmp)\.[^ ]{1,100} = |[a-z][a-z0-9_]{0,60} = ")
"""Settings of the same file that are not our subject: hashing, forwarding tables, sampling, and bare switches."""


class _Malformed(Exception):  # noqa: N818 - not an error: the line is reported
    """A line of a known shape whose values make no sense."""


def read_datapath(text: Text, facts: Facts) -> None:
    """Add what a datapath file states. The file holds some sections of many, so absence proves no default.

    Its port groups are whole when nothing is left out (`...`) inside a section that lists them: then a listed group
    without settings is a fault, not a gap.
    """
    rows, gaps = _rows(text)
    records = grammar(_HERE.with_name("parse") / "datapath.ttp").read(line for _, line in rows)
    file = _File(text.file, facts)
    spans: dict[str, list[int]] = {}
    for number, line in rows:
        if _FOREIGN.match(line):
            continue
        facts.read += 1
        spans.setdefault(line.partition(".")[0], []).append(number)
        record = records[line]
        try:
            taken = record is not None and file.take(record, number)
        except _Malformed:
            taken = False
        if not taken:
            facts.not_understood(line, Where(text.file, number))
    listed = file.bind()
    if text.complete is not False and not any(spans[of][0] < gap < spans[of][-1] for gap in gaps for of in listed):
        facts.sections.add("port groups")


def _rows(text: Text) -> tuple[list[tuple[int, str]], list[int]]:
    """Return the settings, without blanks inside their values, and the lines where something is left out."""
    rows: list[tuple[int, str]] = []
    gaps: list[int] = []
    for number, line in enumerate(text_lines(text.content), 1):
        stripped = line.strip()
        if stripped in {"...", "…"}:
            gaps.append(number)
        elif stripped and not stripped.startswith("#"):
            key, equals, value = stripped.partition("=")
            value = value.partition(" #")[0]
            words = " ".join(key.split())
            section, dot, rest = words.partition(".")
            words = f"{_EARLIER.get(section, section)}{dot}{rest}"
            rows.append((number, f"{words} = {''.join(value.split())}" if equals else words))
    return rows, gaps


def _numbers(values: str, top: int) -> list[str]:
    """Return the numbers of `[0,1,4-6]`; raises _Malformed for anything else."""
    inside = values.removeprefix("[").removesuffix("]")
    if not inside:
        return []
    names = facts_module.expand(inside)
    numbers = [whole_number(name, top) for name in names]
    if not numbers or None in numbers:
        raise _Malformed
    return list(map(str, numbers))


class _File:
    """One file on its way: settings by section and group, applied once the group lists are known."""

    def __init__(self, file: str, facts: Facts) -> None:
        self._file, self._facts = file, facts
        self._lists: dict[str, dict[str, Where]] = {}
        self._groups: dict[tuple[str, str], dict[tuple[str, ...], tuple[str, Where]]] = {}
        self._queues: dict[tuple[str, str], list[tuple[str, Where]]] = {}
        self._ports: dict[tuple[str, str], tuple[tuple[str, ...], Where]] = {}
        self._weights: dict[str, tuple[str, Where]] = {}
        self._priorities: dict[str, list[str]] = {}
        self._queue_of: dict[str, str] = {}

    def take(self, record: Record, number: int) -> bool:
        """Note what one line says; return False when it says nothing we know."""
        where = Where(self._file, number)
        taker = getattr(self, f"_take_{record.kind}", None)
        if record.kind == "known":
            return True
        if taker is not None:
            return bool(taker(record.values, where))
        return False

    def _state(self, path: tuple[str, ...], value: str, where: Where) -> bool:
        self._facts.settings[path] = facts_module.Leaf(value, where)
        return True

    def _take_port_groups(self, values: Mapping[str, str], where: Where) -> bool:
        if values["section"] not in _SECTIONS:
            return False
        names = [name for name in values["values"].removeprefix("[").removesuffix("]").split(",") if name]
        self._lists.setdefault(values["section"], {}).update(dict.fromkeys(names, where))
        return True

    def _take_trust(self, values: Mapping[str, str], where: Where) -> bool:
        words = frozenset(word for word in values["values"].removeprefix("[").removesuffix("]").split(",") if word)
        if words not in _TRUST:
            raise _Malformed
        return self._state(("mapping", values.get("group", _D), "trust"), _TRUST[words], where)

    def _take_default_priority(self, values: Mapping[str, str], where: Where) -> bool:
        return self._state(
            ("mapping", values.get("group", _D), "port-default-sp"), _numbers(values["value"], 7)[0], where
        )

    def _codes(self, kind: str, top: int, values: Mapping[str, str], where: Where) -> bool:
        priority = _numbers(values["cos"], 7)[0]
        earlier: dict[str, list[str]] = {}
        for code in _numbers(values["values"], top):
            path = ("mapping", values.get("group", _D), kind, code, "switch-priority")
            before = self._facts.settings.get(path)
            if before is not None and before.value != priority and before.place.file == self._file:
                earlier.setdefault(before.value, []).append(code)
            self._state(path, priority, where)
        for cos, codes in earlier.items():
            text = f"{kind.upper()} {','.join(codes)} of cos_{priority} stands in the list of cos_{cos} too"
            self._facts.not_understood(f"{text}: which holds is not documented", where)
        return True

    def _take_dscp(self, values: Mapping[str, str], where: Where) -> bool:
        return self._codes("dscp", 63, values, where)

    def _take_pcp(self, values: Mapping[str, str], where: Where) -> bool:
        return self._codes("pcp", 7, values, where)

    def _take_remark(self, values: Mapping[str, str], where: Where) -> bool:
        words = frozenset(word for word in values["values"].removeprefix("[").removesuffix("]").split(",") if word)
        if words and words not in _REMARK:
            raise _Malformed
        profile = ("remark", values.get("group", _D))
        return not words or self._state((*profile, "rewrite"), _REMARK[words], where)

    def _take_remark_code(self, values: Mapping[str, str], where: Where) -> bool:
        kind, top = ("dscp", 63) if values["kind"] == "dscp" else ("pcp", 7)
        priority, codes = _numbers(values["cos"], 7)[0], _numbers(values["values"], top)
        if values["kind"] not in {"dscp", "8021p"} or len(codes) != 1:
            raise _Malformed
        return self._state(("remark", values.get("group", _D), "switch-priority", priority, kind), codes[0], where)

    def _take_shaper(self, values: Mapping[str, str], where: Where) -> bool:
        rates = [rate for rate in values["values"].removeprefix("[").removesuffix("]").split(",") if rate]
        if not all(rate.isascii() and rate.isdecimal() and len(rate) < 12 for rate in rates):
            raise _Malformed
        profile = ("egress-shaper", values["group"])
        if "queue" not in values:
            return len(rates) == 1 and self._state((*profile, "port-max-rate"), rates[0], where)
        queue = _numbers(values["queue"], 7)[0]
        return len(rates) == 2 and all(
            self._state((*profile, "traffic-class", queue, word), rate, where)
            for word, rate in zip(("min-rate", "max-rate"), rates, strict=True)
        )

    def _take_infra(self, values: Mapping[str, str], where: Where) -> bool:
        if values.get("alpha", "").isdecimal():
            return True  # 3.x and 4.x: an index, of a group by name
        try:
            path, value = infra.setting(values)
        except ValueError:
            return False
        return bool(schema.qos_setting((*path, value))) and self._state(path, value, where)

    _take_group_remark = _take_remark
    _take_group_remark_code = _take_remark_code
    _take_group_source = _take_trust
    _take_group_source_priority = _take_default_priority
    _take_group_dscp = _take_dscp
    _take_group_pcp = _take_pcp

    def _take_queue(self, values: Mapping[str, str], where: Where) -> bool:
        priority, queue = _numbers(values["cos"], 7)[0], _numbers(values["value"], 7)[0]
        self._queue_of[priority] = queue
        return self._state(("egress-queue-mapping", _D, "switch-priority", priority, "traffic-class"), queue, where)

    def _take_share(self, values: Mapping[str, str], where: Where) -> bool:
        queue, percent = _numbers(values["queue"], 7)[0], _numbers(values["value"], 100)[0]
        profile = ("egress-scheduler", values.get("group", _D), "traffic-class", queue)
        self._state((*profile, "mode"), "strict" if percent == "0" else "dwrr", where)  # 0 = strict
        return percent == "0" or self._state((*profile, "bw-percent"), percent, where)

    _take_group_share = _take_share

    def _take_ramp(self, values: Mapping[str, str], where: Where) -> bool:
        key, value = values["key"], values["value"]
        group = ("ecn_red", _D)
        if key == "egress_queue_list":
            self._queues[group] = [(number, where) for number in _numbers(value, 7)]
            self._lists.setdefault("ecn_red", {}).setdefault(_D, where)
            return True
        if key not in _RAMP or not (value in _WORDS or value.isdecimal()):
            return False
        self._groups.setdefault(group, {})[_RAMP[key],] = (_WORDS.get(value, value), where)
        return True

    def _take_ports(self, values: Mapping[str, str], where: Where) -> bool:
        names = facts_module.expand(values["value"].removeprefix("[").removesuffix("]"))
        if not names or values["section"] not in _SECTIONS:
            raise _Malformed
        self._ports[values["section"], values["group"]] = (names, where)
        return True

    def _take_priorities(self, values: Mapping[str, str], where: Where) -> bool:
        section, group = values["section"], values["group"]
        numbers = _numbers(values["values"], 7)
        if section == "priority_group":
            self._priorities[group] = numbers
        elif section in {"pfc", "ecn_red"}:
            self._queues[section, group] = [(number, where) for number in numbers]
            self._groups.setdefault((section, group), {}).setdefault(("switch-priority",), ("", where))
        else:
            return False
        return True

    _take_queues = _take_priorities

    def _take_weight(self, values: Mapping[str, str], where: Where) -> bool:
        self._weights[values["group"]] = (_numbers(values["value"], 127)[0], where)
        return True

    def _take_setting(self, values: Mapping[str, str], where: Where) -> bool:
        if values["section"] not in _SECTIONS:
            return False
        for key, value in values.items():
            if key not in {"section", "group"}:
                self._groups.setdefault((values["section"], values["group"]), {})[key.replace("_", "-"),] = (
                    value,
                    where,
                )
        return True

    def _take_switch(self, values: Mapping[str, str], where: Where) -> bool:
        words = {key: value for key, value in values.items() if key not in {"section", "group"}}
        if any(value not in _WORDS for value in words.values()):
            raise _Malformed
        return self._take_setting({**values, **{key: _WORDS[value] for key, value in words.items()}}, where)

    def _take_interval(self, values: Mapping[str, str], where: Where) -> bool:
        return self._state(("pfc-watchdog", "polling-interval"), values["value"], where)

    def _take_robustness(self, values: Mapping[str, str], where: Where) -> bool:
        return self._state(("pfc-watchdog", "robustness"), values["value"], where)

    def bind(self) -> list[str]:
        """Turn groups into profiles, and the port sets of listed groups into bindings; return the listing sections."""
        for (section, group), leaves in self._groups.items():
            self._profile(section, group, leaves)
        for (section, group), (names, where) in self._ports.items():
            listed = section not in self._lists or group in self._lists[section]
            self._bind(section, group, names, where, listed=listed)
        for section, groups in self._lists.items():
            if section in _SECTIONS:
                for group, where in groups.items():
                    if section != "pfc_watchdog" and group != _D:
                        self._facts.listed_groups[_SECTIONS[section], group] = where
        self._schedule()
        return list(self._lists)

    def _profile(self, section: str, group: str, leaves: dict[tuple[str, ...], tuple[str, Where]]) -> None:
        kind, numbers = _SECTIONS[section], self._queues.get((section, group), [])
        ports = self._ports.get((section, group))
        name = _D if ports is not None and ports[0] == ("allports",) and self._listed(section, group) else group
        if section == "pfc":
            for number, where in numbers:
                self._state((kind, name, "switch-priority", number), "", where)
        if section == "ecn_red" and leaves.keys() == {("switch-priority",)}:  # to be listed is enough
            for number, where in numbers:
                self._state((kind, name, "traffic-class", number, "ecn"), "enable", where)
        for path, (value, where) in leaves.items():
            if section == "ecn_red":
                for number, _ in numbers:
                    if path != ("switch-priority",):
                        self._state((kind, name, "traffic-class", number, *path), value, where)
            elif path != ("switch-priority",) or not numbers:
                self._state((kind, name, *path), value, where)

    def _listed(self, section: str, group: str) -> bool:
        return section not in self._lists or group in self._lists[section]

    def _bind(self, section: str, group: str, names: tuple[str, ...], where: Where, *, listed: bool) -> None:
        for name in names:
            if name == "allports":
                continue
            leaves = self._facts.port(name, where)
            if listed and section == "pfc_watchdog":
                leaves["qos", "pfc-watchdog"] = facts_module.Leaf("", where)
            elif listed:
                leaves["qos", _SECTIONS[section], "profile"] = facts_module.Leaf(group, where)

    def _schedule(self) -> None:
        """Weights stand by priority group: 0 is strict, the others share by ratio; queues only where the map says."""
        weighted = sum(int(weight) for weight, _ in self._weights.values())
        for group, (weight, where) in self._weights.items():
            for queue in sorted({self._queue_of[sp] for sp in self._priorities.get(group, []) if sp in self._queue_of}):
                path = ("egress-scheduler", _D, "traffic-class", queue)
                self._state((*path, "mode"), "strict" if weight == "0" else "dwrr", where)
                alone = len(self._priorities[group]) == 1
                if weight != "0" and alone and weighted:
                    self._state((*path, "bw-percent"), str(int(weight) * 100 // weighted), where)
