"""Reads what SONiC prints about ports themselves: `show interfaces status` and `show lldp table`.

Their columns changed between releases (FEC and Vlan came later), so each cell is taken by the title above it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

_GAP = re.compile(r"\s{2,}")
_SPEED = re.compile(r"(\d{1,6})([MG])")
_SIZES = {"M": 1, "G": 1_000}
_FRONT = re.compile(r"Ethernet(?:-[A-Za-z]{2,4})?\d{1,5}")
_FEC = frozenset({"rs", "fc", "none", "auto"})
_LLDP = ("LocalPort", "RemoteDevice", "RemotePortID")


def kind(header: Sequence[str]) -> str | None:
    """Return which of the two tables a header begins, None for any other."""
    names = set(header)
    if {"Interface", "Speed", "MTU", "Oper", "Admin"} <= names:
        return "status"
    return "neighbours" if names.issuperset(_LLDP) else None


def row(shown: Any, table: str, header: Sequence[str], line: str, ruler: str, number: int) -> bool:
    """Add what a line says to the rows of PORT or LLDP_ENTRY_TABLE; False when it is no row of the table."""
    cells = _GAP.split(line.strip())
    if len(cells) != len(header):
        cells = _by_ruler(line, ruler)
    named = dict(zip(header, cells, strict=False))
    port = named.get(header[0], "")
    if len(cells) != len(header) or not port or " " in port:
        return False
    if _FRONT.fullmatch(port) is None:  # a port-channel, or the management port
        return True
    fields = _status(named) if table == "status" else _neighbour(named)
    if fields is None:
        return False
    shown.put("PORT", port, number, fields if table == "status" else {})
    if table == "neighbours":
        shown.put("LLDP_ENTRY_TABLE", port, number, fields)
    return True


def _by_ruler(line: str, ruler: str) -> list[str]:
    """Return the cells below the dashes of a ruler; a cell may be empty, and the last may be longer than its dashes."""
    starts = [match.start() for match in re.finditer(r"-+", ruler)]
    ends = [*starts[1:], max(len(line), 1)]
    return [line[start:end].strip() for start, end in zip(starts, ends, strict=True)]


def _status(named: dict[str, str]) -> dict[str, str] | None:
    speed, mtu = _SPEED.fullmatch(named["Speed"]), named["MTU"]
    if (speed is None and named["Speed"] != "N/A") or not (mtu == "N/A" or (mtu.isdecimal() and len(mtu) < 6)):
        return None
    fields = {}
    if speed is not None:
        fields["speed"] = str(int(speed[1]) * _SIZES[speed[2]])
    if mtu != "N/A":
        fields["mtu"] = mtu
    if named["Admin"] in {"up", "down"}:
        fields["admin_status"] = named["Admin"]
    if named.get("FEC") in _FEC:
        fields["fec"] = named["FEC"]
    if named.get("Asym PFC") in {"on", "off"}:
        fields["pfc_asym"] = named["Asym PFC"]
    if named.get("Alias", "N/A") != "N/A":
        fields["alias"] = named["Alias"]
    return fields


def _neighbour(named: dict[str, str]) -> dict[str, str] | None:
    device, port = named["RemoteDevice"], named["RemotePortID"]
    return {"lldp_rem_sys_name": device, "lldp_rem_port_id": port} if device and port else {}
