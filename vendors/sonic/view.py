"""The rows of config_db.json and what apply.sh needs to know, from a fitted device."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import Dynamic
from rocecfg.vendor.api import View

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.model import Curve, Device, Port, PortQos, Queue

_HERE = Path(__file__)
curves: Any = load_module(_HERE.with_name("curves.py"))
family: Any = load_module(_HERE.with_name("family.py"))


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its key, and its fields as the JSON object they are printed as."""

    key: str
    body: str


@dataclass(slots=True)
class Table:
    """One table of the dump."""

    name: str
    rows: list[Row] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Mtu:
    """The MTU of a port, set by command: PORT rows do not belong to the dump."""

    port: str
    mtu: int


_ORDER = (
    "CABLE_LENGTH", "DSCP_TO_TC_MAP", "DOT1P_TO_TC_MAP", "TC_TO_QUEUE_MAP", "TC_TO_PRIORITY_GROUP_MAP",
    "TC_TO_DSCP_MAP", "MAP_PFC_PRIORITY_TO_QUEUE", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", "PORT_QOS_MAP", "SCHEDULER",
    "WRED_PROFILE", "QUEUE", "DEFAULT_LOSSLESS_BUFFER_PARAMETER", "LOSSLESS_TRAFFIC_PATTERN", "BUFFER_POOL",
    "BUFFER_PROFILE", "BUFFER_PG", "BUFFER_QUEUE", "BUFFER_PORT_INGRESS_PROFILE_LIST",
    "BUFFER_PORT_EGRESS_PROFILE_LIST", "PFC_WD",
)  # fmt: skip


def from_state(device: Device) -> Mapping[str, View]:
    """Return the view of each template for a fitted device."""
    tables = _Writer(device).tables()
    sku = family.family_of(device)
    mtus = [Mtu(port.name, port.mtu) for port in device.ports.values() if port.mtu is not None]
    return {
        "config_db.json.j2": View({"tables": tables}),
        "apply.sh.j2": View({
            "device": "".join(letter for letter in device.name if letter.isprintable()),
            "buffer_model": "dynamic" if sku.dynamic else "traditional",
            "pools": sku.egress_lossless is not None,
            "mtus": mtus,
        }),
    }  # fmt: skip


def _body(fields: Mapping[str, str]) -> str:
    return json.dumps(fields)


def _ranges(numbers: list[int]) -> list[str]:
    """Return ascending numbers as keys: 3-4 for neighbours, 6 for one alone."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs]


class _Writer:
    """Fills the tables; equal contents get one name, and equal ports are worked out once."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.sku = family.family_of(device)
        self.found = {name: Table(name) for name in _ORDER}
        self._names: dict[tuple[str, object], str] = {}
        self._rows: dict[int, _PortRows] = {}

    def tables(self) -> list[Table]:
        """Return the tables with rows, in the order a reader follows a packet; QUEUE always stands there."""
        self._cables()
        for port in self.device.ports.values():
            self._port(port)
        if self.sku.dynamic:
            self._dynamic()
        if self.sku.egress_lossless is not None:
            self._pools()
        self._watchdog_global()
        return [table for table in self.found.values() if table.rows or table.name in {"PORT_QOS_MAP", "QUEUE"}]

    def add(self, table: str, key: str, body: str) -> None:
        self.found[table].rows.append(Row(json.dumps(key), body))

    def named(self, table: str, base: str, fields: Mapping[str, str]) -> str:
        """Return the name of a row with these fields, adding the row on first use."""
        body = _body(fields)
        known = self._names.get((table, body))
        if known is None:
            count = len(self.found[table].rows)
            taken = any(row.key == json.dumps(base) for row in self.found[table].rows)
            known = self._names[table, body] = f"{base}_{count + 1}" if taken else base
            self.add(table, known, body)
        return known

    def _cables(self) -> None:
        lengths = {port.name: f"{port.qos.cable}m" for port in self.device.ports.values() if port.qos.cable is not None}
        if lengths:
            self.add("CABLE_LENGTH", "AZURE", json.dumps(lengths, indent=6)[:-1] + "    }")

    def _port(self, port: Port) -> None:
        rows = self._rows.get(id(port.qos))
        if rows is None:
            rows = self._rows[id(port.qos)] = _PortRows(port.qos, self)
        name = port.name
        self.add("PORT_QOS_MAP", name, rows.maps)
        for table, entries in rows.keyed:
            target = self.found[table].rows
            for index, body in entries:
                target.append(Row(json.dumps(f"{name}|{index}"), body))
        if self.sku.egress_lossless is not None:
            self.add("BUFFER_PORT_INGRESS_PROFILE_LIST", name, rows.ingress)
            self.add("BUFFER_PORT_EGRESS_PROFILE_LIST", name, rows.egress)
        if rows.watchdog is not None:
            self.add("PFC_WD", name, rows.watchdog)

    def _dynamic(self) -> None:
        groups = [group for port in self.device.ports.values() for group in port.qos.priority_groups or () if group]
        alpha = next((g.xoff_at for g in groups if g.lossless and isinstance(g.xoff_at, Dynamic)), None)
        ratio = next((pool.oversubscription for pool in self.device.pools or () if pool.oversubscription), 0)
        fields = {"default_dynamic_th": str(_power(alpha)), "over_subscribe_ratio": str(ratio)}
        self.add("DEFAULT_LOSSLESS_BUFFER_PARAMETER", "AZURE", _body(fields))
        if self.device.traffic is not None:
            mtu, small = self.device.traffic
            self.add(
                "LOSSLESS_TRAFFIC_PATTERN", "AZURE", _body({"mtu": str(mtu), "small_packet_percentage": str(small)})
            )

    def _pools(self) -> None:
        for pool in self.device.pools or ():
            fields = {"type": str(pool.direction), "mode": str(pool.mode)}
            if pool.total is not None:
                fields["size"] = str(pool.total.value)
            self.add("BUFFER_POOL", pool.name, _body(fields))
        for profile in family.profiles().values():
            fields = {"pool": profile.pool, "size": str(profile.guaranteed), "dynamic_th": str(profile.power)}
            self.add("BUFFER_PROFILE", profile.name, _body(fields))

    def _watchdog_global(self) -> None:
        dogs = [port.qos.watchdog for port in self.device.ports.values()]
        poll = next((dog.poll for dog in dogs if dog is not None and dog.enabled and dog.poll is not None), None)
        if poll is not None:
            self.found["PFC_WD"].rows.insert(0, Row('"GLOBAL"', _body({"POLL_INTERVAL": str(poll)})))


def _power(alpha: Dynamic | None) -> int:
    if alpha is None or alpha.alpha is None:
        return int(family.limits()["buffer"]["default_dynamic_th"])
    return alpha.alpha.numerator.bit_length() - alpha.alpha.denominator.bit_length()


class _PortRows:
    """The row bodies that ports with one `PortQos` share."""

    def __init__(self, qos: PortQos, writer: _Writer) -> None:
        self.writer = writer
        self.qos = qos
        self.maps = _body(self._maps())
        self.keyed = [("QUEUE", self._queues()), *self._buffers()]
        self.watchdog = self._watchdog()
        self.ingress = _body({"profile_list": "ingress_lossless_profile"})
        self.egress = _body({"profile_list": "egress_lossless_profile,egress_lossy_profile"})

    def _maps(self) -> dict[str, str]:
        qos, named = self.qos, self.writer.named
        fields: dict[str, str] = {}
        for name, table, codes in (
            ("dscp_to_tc_map", "DSCP_TO_TC_MAP", qos.dscp_to_tc.to if qos.dscp_to_tc else None),
            ("dot1p_to_tc_map", "DOT1P_TO_TC_MAP", qos.pcp_to_tc.to if qos.pcp_to_tc else None),
            ("tc_to_queue_map", "TC_TO_QUEUE_MAP", qos.tc_to_queue),
            ("tc_to_pg_map", "TC_TO_PRIORITY_GROUP_MAP", qos.tc_to_pg),
            ("pfc_to_queue_map", "MAP_PFC_PRIORITY_TO_QUEUE", _single(qos.priority_to_queue)),
            ("pfc_to_pg_map", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", self._groups_of_priorities()),
        ):
            if codes is not None:
                content = {str(code): str(to) for code, to in enumerate(codes) if to is not None}
                fields[name] = named(table, "ROCE", content)
        if qos.rewrite:
            content = {str(tc): str(mark) for kind, tc, mark in qos.rewrite if kind == "tc"}
            fields["tc_to_dscp_map"] = named("TC_TO_DSCP_MAP", "ROCE", content)
        if qos.pfc is not None:
            fields["pfc_enable"] = _listed(qos.pfc.tx)
        if qos.watchdog is not None:
            fields["pfcwd_sw_enable"] = _listed(qos.watchdog.priorities)
        return fields

    def _groups_of_priorities(self) -> tuple[int | None, ...] | None:
        """Return the map where the ASIC has one; what the port's own silence means is not spelt out."""
        qos = self.qos
        if not self.writer.sku.pfc_to_pg or "priority_to_pg" in qos.defaulted:
            return None
        return _single(qos.priority_to_pg)

    def _queues(self) -> list[tuple[str, str]]:
        entries = []
        for number, queue in enumerate(self.qos.queues or ()):
            fields = self._queue(queue) if queue is not None else {}
            if fields:
                entries.append((str(number), _body(fields)))
        return entries

    def _queue(self, queue: Queue) -> dict[str, str]:
        fields: dict[str, str] = {}
        if queue.scheduler is not None:
            content, base = _scheduler(queue)
            fields["scheduler"] = self.writer.named("SCHEDULER", base, content)
        profile = _wred(queue)
        if profile:
            fields["wred_profile"] = self.writer.named("WRED_PROFILE", "ROCE_ECN", profile)
        return fields

    def _buffers(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """Return buffer rows: the dynamic model is asked for lossless groups, the traditional one makes them itself."""
        sku, qos = self.writer.sku, self.qos
        lossless_queues = self._lossless_queues()
        groups: list[tuple[str, str]] = []
        queues: list[tuple[str, str]] = []
        if sku.dynamic:
            wanted = [n for n, g in enumerate(qos.priority_groups or ()) if g is not None and g.lossless]
            groups += [(index, _body({"profile": "NULL"})) for index in _ranges(wanted)]
        if sku.egress_lossless is not None:
            lossy = [n for n, g in enumerate(qos.priority_groups or ()) if g is not None and g.lossless is False]
            groups += [(index, _body({"profile": "ingress_lossy_profile"})) for index in _ranges(lossy)]
        stock = set(family.limits()["queue"]["stock_lossless"])
        if sku.egress_lossless is not None or not lossless_queues <= stock:
            lossy_profile = "q_lossy_profile" if sku.dynamic else "egress_lossy_profile"
            others = [number for number in range(8) if number not in lossless_queues]
            queues += [(index, _body({"profile": lossy_profile})) for index in _ranges(others)]
            queues += [(i, _body({"profile": "egress_lossless_profile"})) for i in _ranges(sorted(lossless_queues))]
        return [("BUFFER_PG", sorted(groups)), ("BUFFER_QUEUE", sorted(queues))]

    def _lossless_queues(self) -> set[int]:
        qos = self.qos
        tcs = qos.lossless_tcs() or ()
        return {queue for tc in tcs if (queue := (qos.tc_to_queue or ())[tc]) is not None}

    def _watchdog(self) -> str | None:
        dog = self.qos.watchdog
        if dog is None or not dog.enabled:
            return None
        fields = {"action": str(dog.action), "detection_time": str(dog.detect)}
        if dog.restore is not None and dog.restore >= 0:
            fields["restoration_time"] = str(dog.restore)
        return _body(fields)


def _single(sets: tuple[frozenset[int] | None, ...] | None) -> tuple[int | None, ...] | None:
    return tuple(min(found) if found else None for found in sets) if sets is not None else None


def _listed(priorities: frozenset[int] | None) -> str:
    return ",".join(str(priority) for priority in sorted(priorities or ()))


def _scheduler(queue: Queue) -> tuple[dict[str, str], str]:
    strict = queue.scheduler == "strict"
    fields = {"type": "STRICT" if strict else "DWRR"}
    name = "roce.strict" if strict else f"roce.dwrr{queue.weight or ''}"
    if not strict and queue.weight is not None:
        fields["weight"] = str(queue.weight)
    for rate, word in ((queue.guarantee, "cir"), (queue.shaper, "pir")):
        if rate is not None and rate > 0:
            fields[word] = str(rate // 8)
    if "cir" in fields or "pir" in fields:
        fields["meter_type"] = "bytes"
        name += ".shaped"
    return fields, name


def _wred(queue: Queue) -> dict[str, str]:
    marking: dict[str, Curve] = curves.apart(queue.ecn.curves if queue.ecn is not None else ())
    by_colour = {**curves.apart(queue.wred or ()), **marking}
    if not by_colour:
        return {}
    fields = {"ecn": curves.ECN_WORDS[frozenset(marking)]}
    for colour in curves.COLOURS:
        curve = by_colour.get(colour)
        if curve is None:
            continue
        fields[f"wred_{colour}_enable"] = "false" if curve.active is False else "true"
        for end, amount in (("min", curve.low), ("max", curve.high)):
            if amount is not None:
                fields[f"{colour}_{end}_threshold"] = str(amount.value)
        if curve.probability is not None:
            fields[f"{colour}_drop_probability"] = str(curve.probability)
    return fields
