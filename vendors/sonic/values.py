"""From the rows that speak about one port to its `PortQos`; equal rows are turned into values once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import (
    NEVER,
    Amount,
    CodeMap,
    Dynamic,
    Ecn,
    Headroom,
    Pfc,
    Pool,
    PortQos,
    PortWatchdog,
    PriorityGroup,
    Queue,
    Static,
    Where,
)

if TYPE_CHECKING:
    from rocecfg.state.model import Limit

curves: Any = load_module(Path(__file__).with_name("curves.py"))
names: Any = load_module(Path(__file__).with_name("names.py"))
_reference = names.reference

_ACTIONS = {"drop": "drop", "forward": "forward", "alert": "alert"}
_SCHEDULERS = {"STRICT": "strict", "DWRR": "weighted", "WRR": "weighted"}
_EVERY_PRIORITY = frozenset(range(8))
_LONGEST_NUMBER = 18


class LinePlaces(Mapping[str, Where]):
    """Leaf path -> place, kept as plain line numbers: 64 ports hold some 1,600 of them."""

    __slots__ = ("_files", "_lines")

    def __init__(self, files: Any, lines: dict[str, int]) -> None:
        self._files = files
        self._lines = lines

    def __getitem__(self, leaf: str) -> Where:
        found: Where = self._files.where(self._lines[leaf])
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)

    def __contains__(self, leaf: object) -> bool:
        return leaf in self._lines

    def get(self, leaf: str, default: Any = None) -> Any:
        """Return the place of a leaf without paying for an exception."""
        line = self._lines.get(leaf)
        return default if line is None else self._files.where(line)


class Values:
    """Turns rows into values; asks the resolver for the rows they refer to."""

    def __init__(self, resolver: Any) -> None:
        self._resolver = resolver
        self._known: dict[tuple[Any, ...], Any] = {}
        self._global: Any = next(
            (row for key, row in resolver.table("PORT_QOS_MAP").items() if key.lower() == "global"), None
        )
        self._watch_global: Any = resolver.table("PFC_WD").get("GLOBAL")

    # plain values

    def number(self, fields: Mapping[str, Any], name: str, row: Any = None) -> int | None:
        """Return a whole number, None when it is absent; anything else is reported."""
        value = fields.get(name)
        if value is None:
            return None
        text = str(value).strip()
        if text.lstrip("-").isdecimal() and len(text) <= _LONGEST_NUMBER:
            return int(text)
        self._odd(row, name, text)
        return None

    def _odd(self, row: Any, name: str, text: str) -> None:
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
            self._odd(row, name, text)
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
        named = {
            field for field in ("dscp_to_tc_map", "dot1p_to_tc_map") if self._bound(site.qos, field)[0] is not None
        }
        trust: Any = {0: None, 2: "both"}.get(len(named), "dscp" if "dscp_to_tc_map" in named else "pcp")
        remark = self._map(site.qos, "tc_to_dscp_map", "TC_TO_DSCP_MAP", 16)
        to_pg = self._map(site.qos, "tc_to_pg_map", "TC_TO_PRIORITY_GROUP_MAP", 16)
        to_queue = self._map(site.qos, "tc_to_queue_map", "TC_TO_QUEUE_MAP", 16)
        queues = tuple(self._queue(site.queues.get(i), site.buffer_queues.get(i)) for i in range(8))
        groups = tuple(self._group(site.groups.get(i)) for i in range(8))
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

    def _bound(self, qos: Any, field: str) -> tuple[Any, int]:
        """Return (reference, line) of a map: the port's own row, else the switch-wide row."""
        for row in (qos, self._global):
            if row is not None and field in row.fields:
                return row.fields[field], row.line_of(field)
        return None, 0

    def _map(self, qos: Any, field: str, table: str, size: int) -> CodeMap | None:
        value, line = self._bound(qos, field)
        if value is None:
            return None
        row = self._resolver.look_up(table, value, line)
        if row is None:
            return None
        key = (table, id(row))
        if key not in self._known:
            self._known[key] = self._read_map(row, size)
        found: CodeMap = self._known[key]
        return found

    def _read_map(self, row: Any, size: int) -> CodeMap:
        codes: dict[int, int] = {}
        for name in row.fields:
            to = self.number(row.fields, name, row)
            if name.isdecimal() and int(name) < size and to is not None and 0 <= to < 64:
                codes[int(name)] = to
            elif name != "NULL":
                self._odd(row, name, str(row.fields[name]))
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
        if text.endswith("m") and text[:-1].isdecimal() and len(text) < 10:
            return int(text[:-1])
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
            self._odd(row, "action", str(action))
        poll = self._watch_global
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
                values["limit"] = self._limit(found)
                size = self.number(found.fields, "size", found)
                values["reserved"] = Amount.of_bytes(size) if size is not None else None
                values["pool"] = self._pool_name(found)
        return Queue(**values)

    def _scheduler(self, row: Any) -> dict[str, Any]:
        kind = row.fields.get("type")
        values: dict[str, Any] = {"scheduler": _SCHEDULERS.get(str(kind))}
        if kind is not None and values["scheduler"] is None:
            self._odd(row, "type", str(kind))
        weight = self.number(row.fields, "weight", row)
        if weight is not None and values["scheduler"] != "strict":
            values["weight"], values["weight_kind"] = weight, "relative"
        if str(row.fields.get("meter_type", "bytes")) == "bytes":
            for field, leaf in (("cir", "guarantee"), ("pir", "shaper")):
                rate = self.number(row.fields, field, row)
                if rate:
                    values[leaf] = rate * 8
        return values

    # buffers

    def _limit(self, row: Any) -> Limit | None:
        power = self.number(row.fields, "dynamic_th", row)
        if power is not None:
            if -64 <= power <= 64:
                return Dynamic(Fraction(2) ** power)
            self._odd(row, "dynamic_th", str(power))
            return None
        fixed = self.number(row.fields, "static_th", row)
        return Static(Amount.of_bytes(fixed)) if fixed is not None else None

    def _pool_name(self, row: Any) -> str | None:
        value = row.fields.get("pool")
        return _reference(value) if value is not None else None

    def _group(self, row: Any) -> PriorityGroup | None:
        if row is None:
            return None
        profile = row.fields.get("profile")
        key = ("group", str(profile))
        if key not in self._known:
            self._known[key] = self._read_group(row, profile)
        found: PriorityGroup | None = self._known[key]
        return found

    def _read_group(self, row: Any, profile: Any) -> PriorityGroup | None:
        if profile is None:
            return None
        name = _reference(profile)
        if name in {"NULL", ""}:
            return PriorityGroup(lossless=True, headroom=Headroom(by="length"), xoff_at=self._default_alpha())
        made_for = self._made_for(name)
        found = self._resolver.look_up("BUFFER_PROFILE", profile, row.line_of("profile"))
        if found is None:
            if made_for is not None:
                return PriorityGroup(lossless=True, headroom=Headroom(by="table", made_for=made_for))
            if name == "ingress_lossy_profile" and "BUFFER_PROFILE" not in self._resolver.rows:
                return PriorityGroup(lossless=False, headroom=Headroom(by="none"))
            return None
        return self._from_profile(found, made_for)

    def _from_profile(self, row: Any, made_for: tuple[int, int] | None) -> PriorityGroup:
        fields = row.fields
        kept, size = self.number(fields, "xoff", row), self.number(fields, "size", row)
        resume, below = self.number(fields, "xon", row), self.number(fields, "xon_offset", row)
        by_length = kept is None and str(fields.get("headroom_type")) == "dynamic"
        lossless = by_length or bool(kept)
        reserved = size
        if kept and size is not None and size >= kept + (resume or 0):
            reserved = size - kept
        if by_length:
            headroom = Headroom(by="length")
        elif kept:
            headroom = Headroom(Amount.of_bytes(kept), "table" if made_for else "stated", made_for)
        else:
            headroom = Headroom(by="none")
        return PriorityGroup(
            lossless=lossless,
            headroom=headroom,
            xoff_at=self._limit(row),
            xon_at=Amount.of_bytes(resume) if resume is not None and lossless else None,
            xon_below=Amount.of_bytes(below) if below is not None and lossless else None,
            reserved=Amount.of_bytes(reserved) if reserved is not None else None,
            pool=self._pool_name(row),
        )

    @staticmethod
    def _made_for(name: str) -> tuple[int, int] | None:
        match = names.generated(name)
        return (match[0] * 1_000_000, match[1]) if match is not None else None

    def _default_alpha(self) -> Dynamic | None:
        for row in self._resolver.table("DEFAULT_LOSSLESS_BUFFER_PARAMETER").values():
            power = self.number(row.fields, "default_dynamic_th", row)
            if power is not None and -8 <= power <= 7:
                return Dynamic(Fraction(2) ** power)
        return None

    def pools(self) -> tuple[Pool, ...] | None:
        """Return the buffer pools, None when the dump has no such table."""
        if "BUFFER_POOL" not in self._resolver.rows:
            return None
        ratio = next(
            (
                self.number(row.fields, "over_subscribe_ratio", row)
                for row in self._resolver.table("DEFAULT_LOSSLESS_BUFFER_PARAMETER").values()
            ),
            None,
        )
        return tuple(self._pool(name, row, ratio) for name, row in self._resolver.table("BUFFER_POOL").items())

    def _pool(self, name: str, row: Any, ratio: int | None) -> Pool:
        direction, mode = row.fields.get("type"), row.fields.get("mode")
        lossless = True if "lossless" in name else False if "lossy" in name else None
        size, percent = (self.number(row.fields, what, row) for what in ("size", "percentage"))
        kept = self.number(row.fields, "xoff", row)
        total = Amount.of_bytes(size) if size is not None else None
        if percent is not None:
            total = Amount(percent, "percent")
        return Pool(
            name,
            direction=direction if direction in {"ingress", "egress", "both"} else None,
            lossless=lossless,
            total=total,
            mode=mode if mode in {"static", "dynamic"} else None,
            headroom=Amount.of_bytes(kept) if kept is not None else None,
            oversubscription=ratio if name == "ingress_lossless_pool" and ratio else None,
            place=self._resolver.files.where(row.line),
        )

    def traffic(self) -> tuple[int, int] | None:
        """Return (lossless MTU, percent of small packets) that the dynamic model sizes headroom for."""
        for row in self._resolver.table("LOSSLESS_TRAFFIC_PATTERN").values():
            mtu, small = (self.number(row.fields, what, row) for what in ("mtu", "small_packet_percentage"))
            if mtu is not None and small is not None:
                return mtu, small
        return None

    # places

    def places(self, site: Any) -> LinePlaces:
        """Return which line decides each leaf of a port."""
        lines: dict[str, int] = {}
        if site.port is not None and "mtu" in site.port.fields:
            lines["mtu"] = site.port.line_of("mtu")
        self._map_places(site.qos, lines)
        if site.qos is not None:
            row = site.qos
            lines["watchdog"] = lines["watchdog.priorities"] = lines["pfc"] = row.line
            if "pfc_enable" in row.fields:
                lines["pfc.tx"] = row.line_of("pfc_enable")
        if site.watchdog is not None:
            row = site.watchdog
            lines["watchdog"] = row.line
            for field, leaf in (("detection_time", "detect"), ("restoration_time", "restore"), ("action", "action")):
                if field in row.fields:
                    lines[f"watchdog.{leaf}"] = row.line_of(field)
            if self._watch_global is not None:
                lines["watchdog.poll"] = self._watch_global.line_of("POLL_INTERVAL")
        if site.cable is not None:
            lines["cable"] = site.cable[0]
        for index, row in site.buffer_queues.items():
            lines[f"queues.{index}"] = lines[f"queues.{index}.limit"] = row.line
        for index, row in site.queues.items():
            lines[f"queues.{index}"] = row.line
            if "wred_profile" in row.fields:
                lines[f"queues.{index}.ecn"] = lines[f"queues.{index}.wred"] = self._wred_line(row)
        for index, row in site.groups.items():
            lines[f"priority_groups.{index}"] = row.line
        return LinePlaces(self._resolver.files, lines)

    def _wred_line(self, row: Any) -> int:
        """The profile's own line: thresholds are mended there; the queue's line where it does not stand here."""
        profile = self._resolver.table("WRED_PROFILE").get(_reference(row.fields["wred_profile"]))
        return int(profile.line if profile is not None else row.line_of("wred_profile"))

    def _map_places(self, qos: Any, lines: dict[str, int]) -> None:
        for field, table, leaf in _MAP_LEAVES:
            value, line = self._bound(qos, field)
            if value is None:
                continue
            row = self._resolver.table(table).get(_reference(value))
            lines[leaf] = row.line if row is not None else line
            if leaf in {"dscp_to_tc", "pcp_to_tc"}:
                lines["trust"] = line


_MAP_LEAVES = (
    ("dscp_to_tc_map", "DSCP_TO_TC_MAP", "dscp_to_tc"),
    ("dot1p_to_tc_map", "DOT1P_TO_TC_MAP", "pcp_to_tc"),
    ("tc_to_queue_map", "TC_TO_QUEUE_MAP", "tc_to_queue"),
    ("tc_to_pg_map", "TC_TO_PRIORITY_GROUP_MAP", "tc_to_pg"),
    ("pfc_to_queue_map", "MAP_PFC_PRIORITY_TO_QUEUE", "priority_to_queue"),
    ("pfc_to_pg_map", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", "priority_to_pg"),
    ("tc_to_dscp_map", "TC_TO_DSCP_MAP", "rewrite"),
)
