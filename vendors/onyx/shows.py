"""Reads the JSON of show commands (`| json-print`, and the answers of the switch's JSON interface).

Same-named keys are lists of one dictionary, and all values are texts.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.counters import Tally, number
from rocecfg.state.model import (
    Amount,
    Curve,
    Dcbx,
    Device,
    Ecn,
    LinkPause,
    Pfc,
    Pool,
    Port,
    Queue,
    Where,
    code_map,
    eight,
    intern_ports,
)
from rocecfg.state.numbers import number_set, whole_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocecfg.state.capture import Text

_CONFIG = load_module(Path(__file__).with_name("config.py"))
_TRUST = {"L2": "pcp", "L3": "dscp", "both": "both", "port": "none"}
_TLVS = {"PFC": "pfc", "ETS-C": "ets", "ETS-R": "ets", "AP": "app"}
_UNITS = {"KB": "kbyte", "%": "percent"}
_RATE = re.compile(r"(\d{1,4}) ?Gbps")
_MTU = re.compile(r"(\d{1,5}) bytes")
_SWITCHED = {"enabled": True, "on": True, "disabled": False, "off": False}
_MOST_PORTS = 2_000
_DEEP = 60


def read_json(text: Text) -> Device:
    """Return what JSON output says. Raises ReadError when it is broken or of no command we know."""
    try:
        data = json.loads(text.content)
    except ValueError as error:
        raise ReadError(f"{text.file}: broken JSON: {error}") from error
    table = Table(text)
    for part in _answers(data):
        _read(table, part)
    if not table.rows:
        raise ReadError(
            f"{text.file}: JSON of no command that is read: expected show dcb priority-flow-control, show qos, show "
            "dcb ets, show traffic pool, show lldp interfaces, show interfaces ethernet or its congestion-control"
        )
    return table.device()


def _answers(data: Any) -> Iterator[Any]:
    """Yield the data of each answer of the JSON interface, or the text's own data."""
    results = data.get("results") if isinstance(data, dict) else None
    if isinstance(results, list):
        for result in results:
            if isinstance(result, dict) and "data" in result:
                yield result["data"]
    else:
        yield data


class Table:
    """Ports and device values read from one text."""

    def __init__(self, text: Text) -> None:
        self.file = text.file
        self.ports: dict[str, Port] = {}
        self.tally = Tally()
        self.rows = 0
        self.release = self.model = ""
        self.pools: list[Pool] = []
        self.enabled: bool | None = None
        self.priorities: frozenset[int] | None = None
        self.queues: dict[str, dict[int, Queue]] = {}
        self._lines: dict[str, int] = {}
        for at, line in enumerate(text.content.split("\n"), 1):
            for word in re.findall(r'"((?:Eth|Po|Mpo)[0-9/]{1,20})"', line[:2000]):
                self._lines.setdefault(word, at)

    def where(self, name: str) -> Where:
        """Return the line that names a port first."""
        return Where(self.file, self._lines.get(name, 1))

    def port(self, word: object) -> Port | None:
        """Return the port of that name, made on first sight; None when it is no port's name."""
        name = _CONFIG.port_name(word) if isinstance(word, str) else None
        if name is None or (name not in self.ports and len(self.ports) >= _MOST_PORTS):
            return None
        return self.ports.setdefault(name, Port(name, place=self.where(name), places={"pfc": self.where(name)}))

    def put(self, port: Port, **changes: Any) -> None:
        """Note what a row says of a port's QoS."""
        now = self.ports[port.name]
        self.ports[port.name] = replace(now, qos=replace(now.qos, **changes))

    def device(self) -> Device:
        """Return what was read."""
        ports = []
        for name, port in self.ports.items():
            qos = port.qos
            if name in self.queues:
                qos = replace(qos, queues=eight(self.queues[name]))
            pfc = qos.pfc
            if pfc is not None and self.priorities is not None:
                on = pfc.oper is None or bool(pfc.oper)
                oper = None if pfc.oper is None else self.priorities if on else frozenset()
                qos = replace(
                    qos, pfc=replace(pfc, tx=self.priorities, rx=self.priorities, oper=oper, gate=self.enabled)
                )
            elif pfc is not None and pfc.oper:
                qos = replace(qos, pfc=replace(pfc, oper=None))  # enabled, and no line says for which priorities
            ports.append(replace(port, qos=qos))
        return Device(
            "",
            "onyx",
            ports=intern_ports(ports),
            pfc_enabled=self.enabled,
            pools=tuple(self.pools) or None,
            source="applied",
            os_version=self.release or None,
            model=self.model or None,
            lines_read=self.rows,
            sample=self.tally.sample(),
            place=Where(self.file),
        )


def joined(stated: Port, shown: Port) -> Port:
    """Return a port of the configuration with what a show command adds: it never overrides a line."""
    changes: dict[str, Any] = {}
    for name in ("trust", "dscp_to_tc", "pcp_to_tc", "link_pause", "queues", "dcbx"):
        if getattr(stated.qos, name) is None:
            changes[name] = getattr(shown.qos, name)
    pfc, seen = stated.qos.pfc, shown.qos.pfc
    if seen is not None:
        changes["pfc"] = seen if pfc is None else replace(pfc, admin=pfc.admin or seen.admin, oper=seen.oper)
    return replace(
        stated,
        qos=replace(stated.qos, **changes),
        mtu=shown.mtu if stated.mtu is None else stated.mtu,
        mtu_counts=shown.mtu_counts if stated.mtu is None else stated.mtu_counts,
        speed_now=shown.speed_now or stated.speed_now,
        places={**shown.places, **stated.places},
    )


def _read(table: Table, data: Any, depth: int = 0) -> None:
    if depth > _DEEP:
        return
    if isinstance(data, list):
        current: Port | None = None
        for item in data:
            if isinstance(item, dict) and "Interface ethernet" in item:
                current = table.port(f"Eth{item['Interface ethernet']}")
                _marked(table, current, item)
            elif isinstance(item, dict) and str(item.get("header", "")).startswith("TC-"):
                _marking(table, current, item)
            else:
                _read(table, item, depth + 1)
    elif isinstance(data, dict):
        _mapping(table, data, depth)


def _mapping(table: Table, data: dict[str, Any], depth: int) -> None:
    if "Priority Enabled List" in data:
        _priorities(table, data)
    elif "priority-flow-control" in data and "lacp" in data:  # show protocols
        table.rows += 1
        table.enabled = _SWITCHED.get(str(data["priority-flow-control"]).lower())
    elif "Product release" in data:
        table.rows += 1
        table.release, table.model = str(data["Product release"])[:40], ""
    elif "header" in data and "Operational state" in data:
        _interface(table, data)
    else:
        for key, value in data.items():
            port = table.port(key)
            listed = value if isinstance(value, list) else [value]
            rows = [row for row in listed if isinstance(row, dict)]
            if port is not None:
                _port(table, port, rows)
            elif rows and "Memory [%]" in rows[0] and "Type" in rows[0]:
                _pool(table, key, rows[0])
            elif key == "data" or depth == 0:
                _read(table, value, depth + 1)


def _priorities(table: Table, data: dict[str, Any]) -> None:
    words = str(data["Priority Enabled List"]).strip()
    listed = number_set(words, 7)
    if listed is None and words:
        return
    table.rows += 1
    table.priorities = frozenset(listed or ())
    table.enabled = _SWITCHED.get(str(data.get("PFC", "")).lower())


def _port(table: Table, port: Port, rows: list[dict[str, Any]]) -> None:
    for row in rows:
        table.rows += 1
        if "PFC admin" in row:
            admin, oper = str(row["PFC admin"]).lower(), str(row.get("PFC oper", "")).lower()
            seen = {"enabled": frozenset({-1}), "disabled": frozenset()}.get(oper)
            if admin in ("on", "off", "auto", "disabled"):
                table.put(port, pfc=Pfc(admin="off" if admin == "disabled" else admin, oper=seen))  # type: ignore[arg-type]
        elif "Trust mode" in row:
            default = whole_number(str(row.get("Default switch-priority", "")), 7)
            table.put(port, trust=_TRUST.get(str(row["Trust mode"])), default_tc=default)
        elif "PCP(DEI); DSCP to switch-priority mapping" in row:
            _maps(table, port, row["PCP(DEI); DSCP to switch-priority mapping"])
        elif "ETS per TC" in row:
            _ets(table, port, row["ETS per TC"])
        elif "TLVs" in row:
            shown = frozenset(_TLVS[word.strip()] for word in str(row["TLVs"]).split(",") if word.strip() in _TLVS)
            silent = str(row.get("Transmit")) == "Disabled"
            table.put(port, dcbx=Dcbx(state="off" if silent else None, advertises=frozenset() if silent else shown))
        elif "Allowed vlans" in row:
            mode = "access" if row.get("Mode") == "access" else "trunk"
            table.ports[port.name] = replace(table.ports[port.name], mode=mode)  # type: ignore[arg-type]
        elif "Rx" in row or "Tx" in row:
            _roce_counters(table, port, row)


def _rows(data: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (key, row) of `[{key: [row]}]`."""
    for item in data if isinstance(data, list) else [data]:
        for key, value in item.items() if isinstance(item, dict) else ():
            row = value[0] if isinstance(value, list) and value else value
            if isinstance(row, dict):
                yield key, row


def _maps(table: Table, port: Port, data: Any) -> None:
    """Read the rows `"3(0) 3(1)": {switch-priority: 3, DSCP: 24 25 ...}`."""
    pcps: dict[int, int] = {}
    dscps: dict[int, int] = {}
    for key, row in _rows(data):
        priority = whole_number(str(row.get("switch-priority", "")), 7)
        if priority is None:
            continue
        for code in number_set(str(row.get("DSCP", "")), 63) or ():
            dscps[code] = priority
        for word in key[:200].split():
            pcp, _, dei = word.partition("(")
            if dei == "0)" and (found := whole_number(pcp, 7)) is not None:
                pcps[found] = priority
    table.put(port, dscp_to_tc=code_map(dscps) if dscps else None, pcp_to_tc=code_map(pcps, 8) if pcps else None)


def _ets(table: Table, port: Port, data: Any) -> None:
    for key, row in _rows(data):
        tc = whole_number(key, 7)
        weight = whole_number(str(row.get("W", "")), 1000)
        mode = str(row.get("S.Mode"))
        if tc is None:
            continue
        if mode == "Strict":
            queue = Queue("strict")
        elif mode == "WRR" and weight is not None:
            queue = Queue("weighted", weight=weight, weight_kind="relative")
        else:
            continue
        table.queues.setdefault(port.name, {})[tc] = queue


def _marked(table: Table, port: Port | None, row: dict[str, Any]) -> None:
    if port is not None:
        table.rows += 1
        count = number(str(row.get("ECN marked packets", "")))
        table.tally.add(port.name, "marked_total", count, table.where(port.name))


def _marking(table: Table, port: Port | None, row: dict[str, Any]) -> None:
    """Read the marking of one class: `Mode: ECN`, thresholds as `150 KB` or `9%`."""
    tc = whole_number(str(row["header"])[3:], 7)
    if port is None or tc is None:
        return
    table.rows += 1
    known = table.queues.setdefault(port.name, {})
    mode = str(row.get("Mode", "")).lower()
    low, high = (_threshold(str(row.get(f"{end} threshold", ""))) for end in ("Minimum", "Maximum"))
    queue = known.get(tc, Queue())
    if mode == "none":
        known[tc] = replace(queue, ecn=Ecn(), wred=())
    elif mode in ("ecn", "both"):
        curve = Curve(low, high, None)
        known[tc] = replace(queue, ecn=Ecn((curve,), non_ect="drop" if mode == "both" else "pass"), wred=())
    elif mode == "red":
        known[tc] = replace(queue, ecn=Ecn(), wred=(Curve(low, high, None),))


def _threshold(word: str) -> Amount | None:
    digits = word.rstrip("KB% ")
    value = whole_number(digits, 10**9)
    unit = _UNITS.get(word[len(digits) :].strip())
    if value is None or unit is None:
        return None
    return Amount(value, unit, value * 1000 if unit == "kbyte" else None)  # type: ignore[arg-type]


def _pool(table: Table, name: str, row: dict[str, Any]) -> None:
    table.rows += 1
    share = _CONFIG.percent(str(row["Memory [%]"]))
    total = None if share is None else Amount(int(share) if share.denominator == 1 else share, "percent")
    table.pools.append(Pool(name[:63], "both", str(row["Type"]) == "lossless", total, place=Where(table.file, 1)))


def _interface(table: Table, row: dict[str, Any]) -> None:
    """Read one port of `show interfaces ethernet`: of its many rows only speed, MTU, pause and bytes are ours."""
    port = table.port(row["header"])
    if port is None:
        return
    table.rows += 1
    rate, mtu = _RATE.match(str(row.get("Actual speed", ""))), _MTU.match(str(row.get("MTU", "")))
    found = str(row.get("Flow-control", "")).split()
    if len(found) == 4 and found[::2] == ["receive", "send"]:
        table.put(port, link_pause=LinkPause(rx=_SWITCHED.get(found[1]), tx=_SWITCHED.get(found[3])))
    now = table.ports[port.name]
    table.ports[port.name] = replace(
        now,
        speed_now=int(rate[1]) * 10**9 if rate is not None else None,
        mtu=int(mtu[1]) if mtu is not None else None,
        mtu_counts="ip" if mtu is not None else None,
        enabled=_SWITCHED.get(str(row.get("Admin state", "")).lower()),
    )
    sent = row.get("Tx")
    if isinstance(sent, dict):
        table.tally.add(port.name, "tx_bytes", number(str(sent.get("bytes", ""))), table.where(port.name))


def _roce_counters(table: Table, port: Port, row: dict[str, Any]) -> None:
    """Read `show interfaces ethernet counters roce`: the RoCE mode sends by traffic class 3."""
    for _, sent in _rows({"Tx": row["Tx"]} if "Tx" in row else {}):
        for key, counter in (("RoCE TC packets", "queue_packets"), ("RoCE TC bytes", "queue_bytes")):
            table.tally.add(port.name, counter, number(str(sent.get(key, ""))), table.where(port.name), 3)
