"""From the rows of a CONFIG_DB dump to the state that is in force on each port."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import (
    Device,
    Lag,
    Line,
    Named,
    Neighbour,
    Port,
    Where,
    intern_ports,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rocecfg.state.model import PortQos

_HERE = Path(__file__)
tables: Any = load_module(_HERE.with_name("tables.py"))
values: Any = load_module(_HERE.with_name("values.py"))
names: Any = load_module(_HERE.with_name("names.py"))

_MAP_FIELDS = {
    "dscp_to_tc_map": "DSCP_TO_TC_MAP",
    "dot1p_to_tc_map": "DOT1P_TO_TC_MAP",
    "tc_to_queue_map": "TC_TO_QUEUE_MAP",
    "tc_to_pg_map": "TC_TO_PRIORITY_GROUP_MAP",
    "tc_to_dscp_map": "TC_TO_DSCP_MAP",
    "pfc_to_queue_map": "MAP_PFC_PRIORITY_TO_QUEUE",
    "pfc_to_pg_map": "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
}
_MANY = 1024
"""Queue ranges are short; a longer one is a mistake, not a request for memory."""


class Site:
    """All rows that speak about one port."""

    __slots__ = ("buffer_queues", "cable", "groups", "port", "qos", "queues", "watchdog")

    def __init__(self) -> None:
        self.port: Any = None
        self.qos: Any = None
        self.cable: tuple[int, str] | None = None
        self.watchdog: Any = None
        self.queues: dict[int, Any] = {}
        self.groups: dict[int, Any] = {}
        self.buffer_queues: dict[int, Any] = {}


class Resolver:
    """Builds the device out of a dump."""

    def __init__(self, dump: Any, files: Any) -> None:
        self.dump = dump
        self.files = files
        self.rows: dict[str, dict[str, Any]] = dump.tables
        self.sites: dict[str, Site] = {}
        self.used: dict[str, set[str]] = {}
        self.missing: dict[tuple[str, str], int] = {}
        self.armed: dict[str, set[int]] = dump.armed
        self._ranges: dict[str, tuple[int, ...]] = {}
        self._home = self._own_switch()
        self.values = values.Values(self)

    # rows to ports

    def table(self, name: str) -> dict[str, Any]:
        """Return the rows of a table, empty when it does not stand in the dump."""
        return self.rows.get(name, {})

    def _own_switch(self) -> tuple[str, str] | None:
        """Return (host, ASIC) of this line card: stated, or the only one in the keys; None when it is open."""
        row = self.table("DEVICE_METADATA").get("localhost")
        if row is not None:
            return str(row.fields.get("hostname", "")), str(row.fields.get("asic_name", ""))
        owners = {tuple(key.split("|")[:2]) for key in self.table("QUEUE") if key.count("|") == 3}
        return owners.pop() if len(owners) == 1 else None  # type: ignore[return-value]

    def site(self, name: str) -> Site:
        """Return the rows of a port, made on first use."""
        found = self.sites.get(name)
        if found is None:
            found = self.sites[name] = Site()
        return found

    def _indexes(self, text: str) -> tuple[int, ...]:
        """Return the numbers of `3` or `3-4`; empty when it is neither."""
        known = self._ranges.get(text)
        if known is None:
            first, dash, last = text.partition("-")
            known = ()
            if first.isdecimal() and (not dash or last.isdecimal()) and len(text) < 12:
                low, high = int(first), int(last or first)
                if low <= high < low + _MANY:
                    known = tuple(range(low, high + 1))
            self._ranges[text] = known
        return known

    def _spread(self, table: str, slot: str) -> None:
        """Give the rows of QUEUE, BUFFER_PG and BUFFER_QUEUE to their ports and indexes."""
        for key, row in self.table(table).items():
            parts = key.split("|")
            indexes = self._indexes(parts[-1])
            if len(parts) not in {2, 4} or not indexes or not parts[-2]:
                self.dump.remark(row.line, f"{table}/{key}: a port and a number are expected")
                continue
            for name in parts[-2].split(","):
                port = name.strip()
                if len(parts) == 4 and (parts[0], parts[1]) != self._home:
                    port = f"{parts[0]}|{parts[1]}|{port}"
                target = getattr(self.site(port), slot)
                for index in indexes:
                    target[index] = row

    def _collect(self) -> None:
        for name, row in self.table("PORT").items():
            self.site(name).port = row
        for key, row in self.table("PORT_QOS_MAP").items():
            if key.lower() != "global":
                for name in key.split(","):
                    self.site(name.strip()).qos = row
        self._spread("QUEUE", "queues")
        self._spread("BUFFER_PG", "groups")
        self._spread("BUFFER_QUEUE", "buffer_queues")
        for key, row in self.table("PFC_WD").items():
            if key.upper() != "GLOBAL":
                for name in key.split(","):
                    self.site(name.strip()).watchdog = row
        for row in self.table("CABLE_LENGTH").values():
            for name, length in row.fields.items():
                self.site(name).cable = (row.line_of(name), str(length))
        for name in self.armed:
            self.site(name)

    # references

    def look_up(self, table: str, value: object, line: int) -> Any:
        """Return the row a field refers to, or None; a missing one counts as broken only when its table is there."""
        name = names.reference(value)
        self.used.setdefault(table, set()).add(name)
        rows = self.rows.get(table)
        if rows is None:
            return None
        row = rows.get(name)
        if row is None and name and name != "NULL":
            self.missing.setdefault((table, name), line)
        return row

    # the device

    def device(self) -> Device:
        """Return the device with everything its rows state."""
        self._check_fields()
        self._collect()
        ports = list(self._ports())
        metadata = self.table("DEVICE_METADATA").get("localhost")
        stated = metadata.fields if metadata is not None else {}
        self._use_profile_lists()
        pools, traffic = self.values.pools(), self.values.traffic()
        objects = tuple(self._objects())
        return Device(
            name=str(stated.get("hostname", "")),
            nos="sonic",
            ports=intern_ports(ports),
            pools=pools,
            buffer_model=self._buffer_model(stated),
            traffic=traffic,
            model=stated.get("hwsku"),
            role=stated.get("type"),
            complete=self._complete(),
            lags=self._lags(),
            objects=objects,
            lines=tuple(Line(text, self._where(line)) for line, text in sorted(self.dump.remarks)),
            lines_read=self._lines_read(),
        )

    def _ports(self) -> Iterator[Port]:
        order = list(self.table("PORT"))
        others = [name for name in self.sites if name not in self.table("PORT")]
        member_of = {
            port: lag
            for lag, _, port in (key.partition("|") for key in self.table("PORTCHANNEL_MEMBER"))
            if port
        }
        neighbours = self.table("DEVICE_NEIGHBOR")
        built: dict[object, PortQos] = {}
        for name in [*order, *sorted(others, key=names.natural)]:
            site = self.sites[name]
            signature = self.values.signature(name, site)
            qos = built.get(signature)
            if qos is None:
                qos = built[signature] = self.values.port_qos(name, site)
            near = neighbours.get(name)
            fields = site.port.fields if site.port is not None else {}
            speed, mtu = (self.values.number(fields, what) for what in ("speed", "mtu"))
            yield Port(
                name,
                qos=qos,
                speed=speed * 1_000_000 if speed is not None else None,
                mtu=mtu,
                mtu_counts="ip" if mtu is not None else None,
                lag=member_of.get(name),
                alias=fields.get("alias"),
                enabled=fields["admin_status"] == "up" if "admin_status" in fields else None,
                fec=fields.get("fec"),
                neighbour=_neighbour(near.fields) if near is not None else None,
                place=self._where(self._header(site)),
                places=self.values.places(site),
            )

    def _where(self, line: int) -> Where:
        found: Where = self.files.where(line)
        return found

    @staticmethod
    def _header(site: Site) -> int:
        for row in (site.port, site.qos, site.watchdog, *site.queues.values(), *site.groups.values()):
            if row is not None:
                return int(row.line)
        return site.cable[0] if site.cable is not None else 1

    def _buffer_model(self, stated: Mapping[str, Any]) -> Any:
        model = stated.get("buffer_model")
        if model is not None:
            return {"dynamic": "dynamic", "traditional": "table"}.get(str(model))
        by_length = any(str(row.fields.get("profile")) == "NULL" for row in self.table("BUFFER_PG").values())
        if by_length or self.table("DEFAULT_LOSSLESS_BUFFER_PARAMETER") or self.table("LOSSLESS_TRAFFIC_PATTERN"):
            return "dynamic"
        return None

    def _complete(self) -> frozenset[str]:
        """Sections whose absence proves something; a configlet or a show output proves nothing."""
        if self.dump.patch or not self.dump.places:
            return frozenset()
        there = self.dump.places.keys()
        whole = {"DEVICE_METADATA", "PORT", "PORT_QOS_MAP"} <= there
        proved = set()
        if "PORT_QOS_MAP" in there and ("QUEUE" in there or whole):
            proved |= {"qos", "maps"}
        if "PORT" in there:
            proved.add("interfaces")
        if there & {"CABLE_LENGTH", "BUFFER_PG", "BUFFER_POOL"}:
            proved.add("buffers")
        if "PFC_WD" in there or whole:
            proved.add("watchdog")
        return frozenset(proved)

    def _lags(self) -> tuple[Lag, ...] | None:
        if "PORTCHANNEL" not in self.rows:
            return None
        members: dict[str, list[str]] = {name: [] for name in self.rows["PORTCHANNEL"]}
        for key in self.table("PORTCHANNEL_MEMBER"):
            lag, _, port = key.partition("|")
            members.setdefault(lag, []).append(port)
        return tuple(Lag(name, tuple(ports)) for name, ports in members.items())

    # lines

    def _check_fields(self) -> None:
        for name, rows in self.rows.items():
            known = tables.FIELDS[name]
            if known is None:
                continue
            for key, row in rows.items():
                if not known.issuperset(row.fields):
                    for field_name in row.fields.keys() - known - {"NULL"}:
                        value = str(row.fields[field_name])[:80]
                        self.dump.remark(row.line_of(field_name), f'{name}/{key}/{field_name}: "{value}"')

    def _lines_read(self) -> int:
        count = len(self.dump.remarks) + self.dump.lines_read
        for name, rows in self.rows.items():
            if name not in self.dump.places:
                continue
            if name == "PORT":
                wanted = tables.PORT_FIELDS
                count += sum(sum(field in row.fields for field in wanted) for row in rows.values())
            elif name == "CABLE_LENGTH" or tables.FIELDS[name] is not None:
                count += 1 + sum(1 + len(row.fields) for row in rows.values())
        return count

    # named objects

    def _use_profile_lists(self) -> None:
        for table in ("BUFFER_PORT_INGRESS_PROFILE_LIST", "BUFFER_PORT_EGRESS_PROFILE_LIST"):
            for row in self.table(table).values():
                for field_name, content in row.fields.items():
                    names = content if isinstance(content, list) else str(content).split(",")
                    for name in names:
                        self.look_up("BUFFER_PROFILE", name, row.line_of(field_name))
        for row in self.table("BUFFER_PROFILE").values():
            if "pool" in row.fields:
                self.look_up("BUFFER_POOL", row.fields["pool"], row.line_of("pool"))
        row = next((row for key, row in self.table("PORT_QOS_MAP").items() if key.lower() == "global"), None)
        if row is not None:
            for field_name, table in _MAP_FIELDS.items():
                if field_name in row.fields:
                    self.look_up(table, row.fields[field_name], row.line_of(field_name))

    def _objects(self) -> Iterator[Named]:
        for table in (*_MAP_FIELDS.values(), "SCHEDULER", "WRED_PROFILE", "BUFFER_PROFILE", "BUFFER_POOL"):
            used = self.used.get(table, set())
            for name, row in self.table(table).items():
                yield Named(
                    table,
                    name,
                    defined=True,
                    used=name in used,
                    matters=name not in used and self._unused_matters(table, name, row.fields),
                    system=names.generated(name) is not None,
                    place=self._where(row.line),
                    inert=_inert(table, row.fields) if name in used else "",
                )
        for (table, name), line in self.missing.items():
            near = get_close_matches(name, list(self.table(table)), n=1, cutoff=0.6)
            yield Named(
                table, name, defined=False, used=True, place=self._where(line), near=near[0] if near else "",
                system=names.generated(name) is not None,
            )  # fmt: skip

    def _unused_matters(self, table: str, name: str, fields: Mapping[str, Any]) -> bool:
        """A lossless or ECN setting that nothing attaches; templates' own maps and schedulers are always written."""
        if self.dump.patch or names.generated(name):
            return False
        if table == "WRED_PROFILE":
            return bool(self.table("QUEUE")) and fields.get("ecn", "ecn_none") != "ecn_none"
        if table == "BUFFER_PROFILE":
            return bool(self.table("BUFFER_PG")) and str(fields.get("xoff", "0")) != "0"
        if table in {"DSCP_TO_TC_MAP", "DOT1P_TO_TC_MAP"}:
            return "qos" in self._complete() and not name.upper().startswith("AZURE")
        return False


def _inert(table: str, fields: Mapping[str, Any]) -> str:
    if table != "WRED_PROFILE":
        return ""
    colours = ("green", "yellow", "red")
    stated = [colour for colour in colours if f"{colour}_max_threshold" in fields]
    if stated and not any(str(fields.get(f"wred_{colour}_enable")).lower() == "true" for colour in colours):
        return "no wred_<colour>_enable is true: the thresholds do nothing"
    return ""


def _neighbour(fields: Mapping[str, Any]) -> Neighbour | None:
    name, port = fields.get("name"), fields.get("port")
    if not name:
        return None
    return Neighbour(str(name), str(port or ""), source="description")


