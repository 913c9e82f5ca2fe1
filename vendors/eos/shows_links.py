"""Reads what an Arista switch shows of its links: `show interfaces` and `show lldp neighbors`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.counters import number
from rocecfg.state.model import Neighbour, Where
from rocecfg.state.neighbours import without_domain
from rocecfg.state.numbers import whole_number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocecfg.state.grammar import Record
    from rocecfg.state.model import Port
    from vendors.eos.shows import Table

_CONFIG = load_module(Path(__file__).with_name("config.py"))
_COUNTERS = {
    "pause_in": "rx_link_pause", "pause_out": "tx_link_pause", "errors": "fcs_errors", "sent": "tx_bytes",
}  # fmt: skip
_FASTEST = 10_000_000_000
"""kbit/s; more is no port's bandwidth."""


def interfaces(lines: Iterable[tuple[int, str, Record | None]], table: Table) -> None:
    """Read `show interfaces`: of its many lines MTU, bandwidth, pause frames and CRC errors are our business."""
    current: Port | None = None
    up = False
    for at, line, record in lines:
        if record is None:
            if "PAUSE" in line or " MTU " in line:
                table.count += 1
                table.refuse(at, line)
            continue
        words = record.values
        if record.kind == "start":
            current = table.port(words["port"], at) if _CONFIG.port_name(words["port"]) else None
            up = "(connected)" in line
            table.count += current is not None
            continue
        if current is None:
            continue
        table.count += 1
        if record.kind == "mtu":
            current = table.ports[current.name] = _with_mtu(current, words["kind"], words["mtu"], at, table.file)
            bandwidth = whole_number(words.get("bandwidth", ""), _FASTEST)
            if up and bandwidth:
                current = table.ports[current.name] = replace(current, speed_now=bandwidth * 1000)
        else:
            table.tally.add(current.name, _COUNTERS[record.kind], number(words["count"]), Where(table.file, at))


def _with_mtu(port: Port, kind: str, mtu: str, at: int, file: str) -> Port:
    """Return a port with its MTU: a routed port shows the IP MTU, a switched one what it calls the Ethernet MTU."""
    value = whole_number(mtu, 65_535)
    if value is None or kind not in ("IP", "Ethernet"):
        return port
    places = {**port.places, "mtu": Where(file, at)}
    return replace(port, mtu=value, mtu_counts="ip" if kind == "IP" else None, places=places)


def neighbours(lines: Iterable[tuple[int, str, Record | None]], table: Table) -> None:
    """Read `show lldp neighbors`: the name of a neighbour is taken without its domain, as a configuration states it."""
    for at, line, record in lines:
        table.count += 1
        if record is None:
            table.refuse(at, line)
        elif record.kind == "row":
            port = table.port(record.values["port"], at) if _CONFIG.port_name(record.values["port"]) else None
            if port is not None:
                device = without_domain(record.values["device"])
                far = _CONFIG.port_name(record.values["far"]) or record.values["far"]
                table.ports[port.name] = replace(port, neighbour=Neighbour(device, far, "lldp"))
