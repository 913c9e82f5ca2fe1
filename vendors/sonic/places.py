"""Which line of the dump decides each leaf of a port."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rocecfg.packs import load_module
from rocecfg.state.model import Where

names: Any = load_module(Path(__file__).with_name("names.py"))
_reference = names.reference

_QUEUE_LEAVES = tuple((f"queues.{n}", f"queues.{n}.limit", f"queues.{n}.ecn", f"queues.{n}.wred") for n in range(8))
_GROUP_LEAVES = tuple(f"priority_groups.{n}" for n in range(8))
_WATCHDOG_LEAVES = (
    ("detection_time", "watchdog.detect"),
    ("restoration_time", "watchdog.restore"),
    ("action", "watchdog.action"),
)
_MAP_LEAVES = (
    ("dscp_to_tc_map", "DSCP_TO_TC_MAP", "dscp_to_tc"),
    ("dot1p_to_tc_map", "DOT1P_TO_TC_MAP", "pcp_to_tc"),
    ("tc_to_queue_map", "TC_TO_QUEUE_MAP", "tc_to_queue"),
    ("tc_to_pg_map", "TC_TO_PRIORITY_GROUP_MAP", "tc_to_pg"),
    ("pfc_to_queue_map", "MAP_PFC_PRIORITY_TO_QUEUE", "priority_to_queue"),
    ("pfc_to_pg_map", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", "priority_to_pg"),
    ("tc_to_dscp_map", "TC_TO_DSCP_MAP", "rewrite"),
)


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

    def __reduce__(self) -> tuple[type[dict[str, Where]], tuple[dict[str, Where]]]:
        """Travel to another process as a plain dictionary: this module has no importable name."""
        return dict, (dict(self),)

    def __contains__(self, leaf: object) -> bool:
        return leaf in self._lines

    def get(self, leaf: str, default: Any = None) -> Any:
        """Return the place of a leaf without paying for an exception."""
        line = self._lines.get(leaf)
        return default if line is None else self._files.where(line)


class Places:
    """Finds the lines; ports bound to the same maps share those lines."""

    def __init__(self, resolver: Any, values: Any) -> None:
        self._resolver = resolver
        self._bound = values.bound
        self._watch_global = values.watch_global
        self._known: dict[tuple[Any, ...], Any] = {}

    def of(self, site: Any) -> LinePlaces:
        """Return which line decides each leaf of a port."""
        lines = dict(self._map_places(site.qos))
        for field in ("mtu", "macsec"):
            if site.port is not None and field in site.port.fields:
                lines[field] = site.port.line_of(field)
        if site.qos is not None:
            row = site.qos
            lines["watchdog"] = lines["watchdog.priorities"] = lines["pfc"] = row.line
            if "trust" in lines:
                lines["trust"] = row.line
        if site.watchdog is not None:
            self._watchdog_places(site.watchdog, lines)
        if site.cable is not None:
            lines["cable"] = site.cable[0]
        for index, row in site.buffer_queues.items():
            if index < 8:
                queue = _QUEUE_LEAVES[index]
                lines[queue[0]] = lines[queue[1]] = row.line
        for index, row in site.queues.items():
            if index < 8:
                queue = _QUEUE_LEAVES[index]
                lines[queue[0]] = row.line
                profile = row.fields.get("wred_profile")
                if profile is not None:
                    lines[queue[2]] = lines[queue[3]] = self._wred_line(row, profile)
        for index, row in site.groups.items():
            if index < 8:
                lines[_GROUP_LEAVES[index]] = row.line
        return LinePlaces(self._resolver.files, lines)

    def _watchdog_places(self, row: Any, lines: dict[str, int]) -> None:
        lines["watchdog"] = row.line
        for field, leaf in _WATCHDOG_LEAVES:
            if field in row.fields:
                lines[leaf] = row.line_of(field)
        if self._watch_global is not None:
            lines["watchdog.poll"] = self._watch_global.line_of("POLL_INTERVAL")

    def _wred_line(self, row: Any, profile: Any) -> int:
        """Return the profile's own line: thresholds are mended there; the queue's line where it does not stand here."""
        found = self._resolver.table("WRED_PROFILE").get(_reference(profile))
        return int(found.line if found is not None else row.line)

    def _map_places(self, qos: Any) -> dict[str, int]:
        """Return the lines of the maps a port is bound to; ports bound to the same maps share them."""
        fields = qos.fields if qos is not None else {}
        key = ("places", *[str(fields.get(field)) for field, _, _ in _MAP_LEAVES])
        known: dict[str, int] | None = self._known.get(key)
        if known is None:
            known = self._known[key] = {}
            for field, table, leaf in _MAP_LEAVES:
                value, line = self._bound(qos, field)
                if value is not None:
                    row = self._resolver.table(table).get(_reference(value))
                    known[leaf] = row.line if row is not None else line
                    if leaf in {"dscp_to_tc", "pcp_to_tc"}:
                        known["trust"] = line
        return known
