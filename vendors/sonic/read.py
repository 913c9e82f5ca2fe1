"""From the rows of a CONFIG_DB dump to the state that is in force on each port."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import (
    Device,
    Interner,
    Lag,
    Line,
    Neighbour,
    Port,
    Where,
)
from rocecfg.state.neighbours import without_domain
from rocecfg.state.numbers import whole_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rocecfg.state.model import PortQos

_HERE = Path(__file__)
tables: Any = load_module(_HERE.with_name("tables.py"))
values: Any = load_module(_HERE.with_name("values.py"))
objects: Any = load_module(_HERE.with_name("objects.py"))
places: Any = load_module(_HERE.with_name("places.py"))
names: Any = load_module(_HERE.with_name("names.py"))

_WHOLE_SWITCH = 5
"""A running switch holds dozens of tables beside ours; a dump with fewer than these is an excerpt."""
_FASTEST = 10_000_000
"""Mb/s: no port is anywhere near it, a number above is none."""
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
        self.places = places.Places(self, self.values)

    # rows to ports

    def table(self, name: str) -> dict[str, Any]:
        """Return the rows of a table, empty when it does not stand in the dump."""
        return self.rows.get(name, {})

    def _own_switch(self) -> tuple[str, str] | None:
        """Return (host, ASIC) of this line card: stated, or the only one in the keys; None when it is open."""
        row = self.table("DEVICE_METADATA").get("localhost")
        if row is not None:
            return str(row.fields.get("hostname", "")), str(row.fields.get("asic_name", ""))
        ports: dict[tuple[str, str], set[str]] = {}
        for table in ("QUEUE", "BUFFER_QUEUE"):
            for key in self.table(table):
                parts = key.split("|")
                if len(parts) == 4:
                    ports.setdefault((parts[0], parts[1]), set()).update(parts[2].split(","))
        own = {key for key in self.table("PORT_QOS_MAP") if key.lower() != "global"}
        fitting = [owner for owner, names_ in ports.items() if own and own <= names_]
        if len(fitting) == 1:
            return fitting[0]
        return next(iter(ports)) if len(ports) == 1 else None

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
            low, high = (whole_number(word, 10**9) for word in (first, last if dash else first))
            if low is not None and high is not None and low <= high < low + _MANY:
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
        if row is None and name and name != "NULL" and table in self.dump.places:
            self.missing.setdefault((table, name), line)
        return row

    # the device

    def device(self) -> Device:
        """Return the device with everything its rows state."""
        self._check_fields()
        self._collect()
        metadata = self.table("DEVICE_METADATA").get("localhost")
        stated = metadata.fields if metadata is not None else {}
        ports = {port.name: port for port in self._ports()}
        named = objects.Objects(self)
        named.use_all()
        pools, traffic = self.values.buffers.pools(), self.values.buffers.traffic()
        found = tuple(named.named())
        dual_tor, tunnel_remap = self._tunnels(stated)
        return Device(
            name=str(stated.get("hostname", "")),
            nos="sonic",
            ports=ports,
            pools=pools,
            buffer_model=self._buffer_model(stated),
            traffic=traffic,
            model=stated.get("hwsku"),
            role=stated.get("type"),
            complete=self.complete(),
            lags=self._lags(),
            dual_tor=dual_tor,
            tunnel_remap=tunnel_remap,
            objects=found,
            lines=tuple(Line(text, self.where(line)) for line, text in sorted(self.dump.remarks)),
            lines_read=self._lines_read(),
        )

    def _tunnels(self, stated: Mapping[str, Any]) -> tuple[bool | None, bool | None]:
        """Return whether the device is one of a dual-ToR pair, and whether its tunnel remaps bounced traffic."""
        dual_tor = str(stated.get("subtype", "")).lower() == "dualtor" if stated else None
        rows = list(self.table("TUNNEL").values())
        remaps = all(all(field in row.fields for field in objects.TUNNEL_FIELDS) for row in rows) if rows else None
        return dual_tor, remaps

    def _ports(self) -> Iterator[Port]:
        order = list(self.table("PORT"))
        others = [name for name in self.sites if name not in self.table("PORT")]
        member_of = {
            port: lag for lag, _, port in (key.partition("|") for key in self.table("PORTCHANNEL_MEMBER")) if port
        }
        neighbours, seen = self.table("DEVICE_NEIGHBOR"), self.table("LLDP_ENTRY_TABLE")
        built: dict[object, PortQos] = {}
        share = Interner()
        for name in [*order, *sorted(others, key=names.natural)]:
            site = self.sites[name]
            signature = self.values.signature(name, site)
            qos = built.get(signature)
            if qos is None:
                qos = built[signature] = share(self.values.port_qos(name, site))
            near, told = neighbours.get(name), seen.get(name)
            fields = site.port.fields if site.port is not None else {}
            speed = self.values.number(fields, "speed", site.port, low=0, high=_FASTEST)
            mtu = self.values.number(fields, "mtu", site.port, low=0, high=65535)
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
                macsec=True if fields.get("macsec") else None,
                neighbour=(_told(told.fields) if told is not None else None)
                or (_neighbour(near.fields) if near is not None else None),
                place=self.where(self._header(site)),
                places=self.places.of(site),
            )

    def where(self, line: int) -> Where:
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

    def complete(self) -> frozenset[str]:
        """Sections whose absence proves something; a configlet or a show output proves nothing."""
        if self.dump.patch or not self.dump.places:
            return frozenset()
        there = self.dump.places.keys()
        whole = {"DEVICE_METADATA", "PORT", "PORT_QOS_MAP"} <= there and len(self.dump.foreign) >= _WHOLE_SWITCH
        proved = set()
        if "PORT_QOS_MAP" in there and ("QUEUE" in there or whole):
            proved |= {"qos", "maps"}
            if self._home is not None or not any(key.count("|") == 3 for key in self.table("QUEUE")):
                proved.add("queues")
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
        count: int = len(self.dump.remarks) + self.dump.lines_read
        for name, rows in self.rows.items():
            if name not in self.dump.places:
                continue
            if name == "PORT":
                wanted = tables.PORT_FIELDS
                count += sum(sum(field in row.fields for field in wanted) for row in rows.values())
            elif name == "CABLE_LENGTH" or tables.FIELDS[name] is not None:
                count += 1 + sum(1 + len(row.fields) for row in rows.values())
        return count


def _told(fields: Mapping[str, Any]) -> Neighbour | None:
    """Return what LLDP told about the far end."""
    name, port = fields.get("lldp_rem_sys_name"), fields.get("lldp_rem_port_id")
    return Neighbour(without_domain(str(name)), str(port), source="lldp") if name and port else None


def _neighbour(fields: Mapping[str, Any]) -> Neighbour | None:
    name, port = fields.get("name"), fields.get("port")
    if not name:
        return None
    return Neighbour(str(name), str(port or ""), source="description")
