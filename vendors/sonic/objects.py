"""Everything in a dump that has a name: defined, used, missing, without effect."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import Named

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

names: Any = load_module(Path(__file__).with_name("names.py"))

_MAP_FIELDS = {
    "dscp_to_tc_map": "DSCP_TO_TC_MAP",
    "dot1p_to_tc_map": "DOT1P_TO_TC_MAP",
    "tc_to_queue_map": "TC_TO_QUEUE_MAP",
    "tc_to_pg_map": "TC_TO_PRIORITY_GROUP_MAP",
    "tc_to_dscp_map": "TC_TO_DSCP_MAP",
    "pfc_to_queue_map": "MAP_PFC_PRIORITY_TO_QUEUE",
    "pfc_to_pg_map": "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
}
TUNNEL_FIELDS = {
    "decap_dscp_to_tc_map": "DSCP_TO_TC_MAP",
    "decap_tc_to_pg_map": "TC_TO_PRIORITY_GROUP_MAP",
    "encap_tc_to_dscp_map": "TC_TO_DSCP_MAP",
    "encap_tc_to_queue_map": "TC_TO_QUEUE_MAP",
}
"""Maps of a dual-ToR tunnel (sonic-buildimage minigraph, TUNNEL|MuxTunnel0): bounced traffic in classes of its own."""


class Objects:
    """Collects the references that belong to no port, and judges every named row."""

    def __init__(self, resolver: Any) -> None:
        self._resolver = resolver

    def use_all(self) -> None:
        for table in ("BUFFER_PORT_INGRESS_PROFILE_LIST", "BUFFER_PORT_EGRESS_PROFILE_LIST"):
            seen: set[str] = set()
            for row in self._resolver.table(table).values():
                for field_name, content in row.fields.items():
                    if str(content) in seen:
                        continue
                    seen.add(str(content))
                    names = content if isinstance(content, list) else str(content).split(",")
                    for name in names:
                        self._resolver.look_up("BUFFER_PROFILE", name, row.line_of(field_name))
        for row in self._resolver.table("BUFFER_PROFILE").values():
            if "pool" in row.fields:
                self._resolver.look_up("BUFFER_POOL", row.fields["pool"], row.line_of("pool"))
        row = next((row for key, row in self._resolver.table("PORT_QOS_MAP").items() if key.lower() == "global"), None)
        if row is not None:
            for field_name, table in _MAP_FIELDS.items():
                if field_name in row.fields:
                    self._resolver.look_up(table, row.fields[field_name], row.line_of(field_name))

        for row in self._resolver.table("TUNNEL").values():
            for field_name, table in TUNNEL_FIELDS.items():
                if field_name in row.fields:
                    self._resolver.look_up(table, row.fields[field_name], row.line_of(field_name))

    def named(self) -> Iterator[Named]:
        for table in (*_MAP_FIELDS.values(), "SCHEDULER", "WRED_PROFILE", "BUFFER_PROFILE", "BUFFER_POOL"):
            used = self._resolver.used.get(table, set())
            for name, row in self._resolver.table(table).items():
                yield Named(
                    table,
                    name,
                    defined=True,
                    used=name in used,
                    matters=name not in used and self._unused_matters(table, name, row.fields),
                    system=names.generated(name) is not None,
                    place=self._resolver.where(row.line),
                    inert=_inert(table, row.fields) if name in used else "",
                )
        for (table, name), line in self._resolver.missing.items():
            near = get_close_matches(name, list(self._resolver.table(table)), n=1, cutoff=0.6)
            yield Named(
                table, name, defined=False, used=True, place=self._resolver.where(line), near=near[0] if near else "",
                system=names.generated(name) is not None,
            )  # fmt: skip

    def _unused_matters(self, table: str, name: str, fields: Mapping[str, Any]) -> bool:
        """Tell whether a lossless or ECN setting lies unattached; templates always write their maps and schedulers."""
        if self._resolver.dump.patch or names.generated(name):
            return False
        if table == "WRED_PROFILE":
            return bool(self._resolver.table("QUEUE")) and fields.get("ecn", "ecn_none") != "ecn_none"
        if table == "BUFFER_PROFILE":
            return bool(self._resolver.table("BUFFER_PG")) and str(fields.get("xoff", "0")) != "0"
        if table in {"DSCP_TO_TC_MAP", "DOT1P_TO_TC_MAP"}:
            return "qos" in self._resolver.complete() and not name.upper().startswith("AZURE")
        return False


def _inert(table: str, fields: Mapping[str, Any]) -> str:
    if table != "WRED_PROFILE":
        return ""
    colours = ("green", "yellow", "red")
    stated = [colour for colour in colours if f"{colour}_max_threshold" in fields]
    if stated and not any(str(fields.get(f"wred_{colour}_enable")).lower() == "true" for colour in colours):
        return "no wred_<colour>_enable is true: the thresholds do nothing"
    return ""
