"""From the rows that speak about one port to its `PortQos`; equal rows are turned into values once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import (
    NEVER,
    Amount,
    CodeMap,
    Pfc,
    PortQos,
    PortWatchdog,
    Queue,
)
from rocecfg.state.numbers import whole_number

if TYPE_CHECKING:
    from collections.abc import Mapping

buffers: Any = load_module(Path(__file__).with_name("buffers.py"))
curves: Any = load_module(Path(__file__).with_name("curves.py"))
names: Any = load_module(Path(__file__).with_name("names.py"))
_reference = names.reference

_ACTIONS = {"drop": "drop", "forward": "forward", "alert": "alert"}
_SCHEDULERS = {"STRICT": "strict", "DWRR": "weighted", "WRR": "weighted"}
_ENDS = {"TC_TO_DSCP_MAP": 64, "TC_TO_PRIORITY_GROUP_MAP": 8, "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": 8}
"""What a map leads to: less than this; a traffic class or a queue (0 to 15) for all others."""
_EVERY_PRIORITY = frozenset(range(8))
_LONGEST_NUMBER = 18


class Values:
    """Turns rows into values; asks the resolver for the rows they refer to."""

    def __init__(self, resolver: Any) -> None:
        self._resolver = resolver
        self._known: dict[tuple[Any, ...], Any] = {}
        self.buffers: Any = buffers.Buffers(resolver, self)
        self._global: Any = next(
            (row for key, row in resolver.table("PORT_QOS_MAP").items() if key.lower() == "global"), None
        )
        self.watch_global: Any = resolver.table("PFC_WD").get("GLOBAL")

    # plain values

    def number(
        self, fields: Mapping[str, Any], name: str, row: Any = None, *, low: int | None = None, high: int | None = None
    ) -> int | None:
        """Return a whole number in the range given, None when it is absent; anything else is reported."""
        value = fields.get(name)
        if value is None:
            return None
        text = str(value).strip()
        if text.isascii() and text.removeprefix("-").isdecimal() and len(text) <= _LONGEST_NUMBER:
            number = int(text)
            if (low is None or number >= low) and (high is None or number <= high):
                return number
        self.odd(row, name, text)
        return None

    def odd(self, row: Any, name: str, text: str) -> None:
        key = ("odd", id(row), name, text)
        if key not in self._known:
            self._known[key] = True
            line = row.line_of(name) if row is not None else 0
            self._resolver.dump.remark(line, f'{name}: "{text[:80]}" is no value it takes')

    def _priorities(self, row: Any, name: str) -> frozenset[int] | None:
        if row is None or name not in row.fields:
            return None
        text = str(row.fields[name]).strip()
        words = [word.strip() for word in text.split(",")] if text else []
        found = frozenset(int(word) for word in words if word in {"0", "1", "2", "3", "4", "5", "6", "7"})
        if len(found) < len(words):
            self.odd(row, name, text)
        return found

    # what makes two ports equal

    def signature(self, name: str, site: Any) -> object:
        """Return what decides the port's `PortQos`."""
        port = site.port
        parts = (
            tuple(site.qos.fields.items()) if site.qos is not None else None,
            tuple([(i, row.fields.get("scheduler"), row.fields.get("wred_profile")) for i, row in site.queues.items()]),
            tuple([(i, row.fields.get("profile")) for i, row in site.groups.items()]),
            tuple([(i, row.fields.get("profile")) for i, row in site.buffer_queues.items()]),
            tuple(site.watchdog.fields.items()) if site.watchdog is not None else None,
            site.cable[1] if site.cable is not None else None,
            port.fields.get("pfc_asym") if port is not None else None,
            frozenset(self._resolver.armed.get(name, ())),
        )
        try:
            hash(parts)
        except TypeError:
            return repr(parts)
        return parts

    # one port

    def port_qos(self, name: str, site: Any) -> PortQos:
        """Return what the rows of a port state."""
        dscp = self._map(site.qos, "dscp_to_tc_map", "DSCP_TO_TC_MAP", 64)
        pcp = self._map(site.qos, "dot1p_to_tc_map", "DOT1P_TO_TC_MAP", 8)
        named = {field for field in ("dscp_to_tc_map", "dot1p_to_tc_map") if self.bound(site.qos, field)[0] is not None}
        trust: Any = {0: None, 2: "both"}.get(len(named), "dscp" if "dscp_to_tc_map" in named else "pcp")
        remark = self._map(site.qos, "tc_to_dscp_map", "TC_TO_DSCP_MAP", 16)
        to_pg = self._map(site.qos, "tc_to_pg_map", "TC_TO_PRIORITY_GROUP_MAP", 16)
        to_queue = self._map(site.qos, "tc_to_queue_map", "TC_TO_QUEUE_MAP", 16)
        queues = tuple(self._queue(site.queues.get(i), site.buffer_queues.get(i)) for i in range(8))
        groups = tuple(self.buffers.group(site.groups.get(i)) for i in range(8))
        return PortQos(
            trust=trust,
            dscp_to_tc=dscp,
            pcp_to_tc=pcp,
            rewrite=tuple(("tc", tc, mark) for tc, mark in enumerate(remark.to) if mark is not None)
            if remark is not None
            else None,
            tc_to_queue=to_queue.to if to_queue is not None else None,
            tc_to_pg=to_pg.to if to_pg is not None else None,
            priority_to_queue=self._sets(site.qos, "pfc_to_queue_map", "MAP_PFC_PRIORITY_TO_QUEUE"),
            priority_to_pg=self._sets(site.qos, "pfc_to_pg_map", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"),
            pfc=self._pfc(site),
            cable=self._cable(site),
            watchdog=self._watchdog(name, site),
            queues=queues if any(queues) else None,
            priority_groups=groups if any(groups) else None,
        )

    def bound(self, qos: Any, field: str) -> tuple[Any, int]:
        """Return (reference, line) of a map: the port's own row, else the switch-wide row."""
        for row in (qos, self._global):
            if row is not None and field in row.fields:
                return row.fields[field], row.line_of(field)
        return None, 0

    def _map(self, qos: Any, field: str, table: str, size: int) -> CodeMap | None:
        value, line = self.bound(qos, field)
        if value is None:
            return None
        row = self._resolver.look_up(table, value, line)
        if row is None:
            return None
        key = (table, id(row))
        if key not in self._known:
            self._known[key] = self._read_map(row, size, _ENDS.get(table, 16))
        found: CodeMap = self._known[key]
        return found

    def _read_map(self, row: Any, size: int, end: int) -> CodeMap:
        codes: dict[int, int] = {}
        for name in row.fields:
            to = self.number(row.fields, name, row)
            code = whole_number(name, 63)
            if code is None or to is None:
                continue
            if code < size and 0 <= to < end:
                codes[code] = to
            else:
                self.odd(row, name, str(row.fields[name]))
        stated = sum(1 << code for code in codes)
        return CodeMap(tuple(codes.get(code) for code in range(size)), stated)

    def _sets(self, qos: Any, field: str, table: str) -> tuple[frozenset[int] | None, ...] | None:
        found = self._map(qos, field, table, 8)
        if found is None:
            return None
        return tuple(None if to is None else frozenset({to}) for to in found.to)

    def _pfc(self, site: Any) -> Pfc | None:
        tx = self._priorities(site.qos, "pfc_enable")
        asymmetric = site.port is not None and str(site.port.fields.get("pfc_asym", "off")) == "on"
        if tx is None and not asymmetric:
            return None
        rx = _EVERY_PRIORITY if asymmetric else tx
        return Pfc(admin="on" if tx or rx else "off", tx=tx, rx=rx)

    def _cable(self, site: Any) -> int | None:
        if site.cable is None:
            return None
        line, text = site.cable
        metres = whole_number(text.removesuffix("m"), 99_999_999)
        if text.endswith("m") and metres is not None:
            return metres
        self._resolver.dump.remark(line, f'CABLE_LENGTH: "{text[:60]}" is no length in metres, such as 40m')
        return None

    def _watchdog(self, name: str, site: Any) -> PortWatchdog | None:
        row = site.watchdog
        priorities = self._priorities(site.qos, "pfcwd_sw_enable")
        armed = self._resolver.armed.get(name)
        if row is None and priorities is None and armed is None:
            return None
        if armed is not None:
            enabled: bool | None = True
            priorities = frozenset(armed) if priorities is None else priorities
        elif priorities is not None and not priorities:
            enabled = False
        else:
            enabled = True if row is not None and priorities else None
        if row is None:
            return PortWatchdog(enabled=enabled, priorities=priorities)
        action = row.fields.get("action")
        if action is not None and action not in _ACTIONS:
            self.odd(row, "action", str(action))
        poll = self.watch_global
        return PortWatchdog(
            enabled=enabled,
            priorities=priorities,
            poll=self.number(poll.fields, "POLL_INTERVAL", poll) if poll is not None else None,
            detect=self._time(row, "detection_time"),
            restore=self._time(row, "restoration_time"),
            action=_ACTIONS.get(str(action)),  # type: ignore[arg-type]
        )

    def _time(self, row: Any, field: str) -> int | None:
        if str(row.fields.get(field)) in {"infinite", "N/A"}:
            return NEVER
        return self.number(row.fields, field, row)

    # queues

    def _queue(self, row: Any, buffer_row: Any) -> Queue | None:
        if row is None and buffer_row is None:
            return None
        fields = row.fields if row is not None else {}
        profile = buffer_row.fields.get("profile") if buffer_row is not None else None
        key = ("queue", fields.get("scheduler"), fields.get("wred_profile"), str(profile))
        if key not in self._known:
            self._known[key] = self._read_queue(row, fields, buffer_row, profile)
        found: Queue = self._known[key]
        return found

    def _read_queue(self, row: Any, fields: Mapping[str, Any], buffer_row: Any, profile: Any) -> Queue:
        look_up = self._resolver.look_up
        values: dict[str, Any] = {}
        if "scheduler" in fields:
            scheduler = look_up("SCHEDULER", fields["scheduler"], row.line_of("scheduler"))
            if scheduler is not None:
                values.update(self._scheduler(scheduler))
        if "wred_profile" in fields:
            wred = look_up("WRED_PROFILE", fields["wred_profile"], row.line_of("wred_profile"))
            if wred is not None:
                values["ecn"], values["wred"] = curves.read(wred, self.number)
        if profile is not None:
            found = look_up("BUFFER_PROFILE", profile, buffer_row.line_of("profile"))
            if found is not None:
                values["limit"] = self.buffers.limit(found)
                size = self.number(found.fields, "size", found)
                values["reserved"] = Amount.of_bytes(size) if size is not None else None
                values["pool"] = self.buffers.pool_name(found)
        return Queue(**values)

    def _scheduler(self, row: Any) -> dict[str, Any]:
        kind = row.fields.get("type")
        values: dict[str, Any] = {"scheduler": _SCHEDULERS.get(str(kind))}
        if kind is not None and values["scheduler"] is None:
            self.odd(row, "type", str(kind))
        weight = self.number(row.fields, "weight", row, low=0, high=255)  # YANG: 1 to 100; SAI takes a byte
        if weight is not None and values["scheduler"] != "strict":
            values["weight"], values["weight_kind"] = weight, "relative"
        if str(row.fields.get("meter_type", "bytes")) == "bytes":
            for field, leaf in (("cir", "guarantee"), ("pir", "shaper")):
                rate = self.number(row.fields, field, row)
                if rate:
                    values[leaf] = rate * 8
        return values
