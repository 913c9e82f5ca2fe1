"""Breaks a rendered device in the ways live ones differ: other values, missing lines, other names, foreign sections."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Callable

KEEP = "rocecfg-keeps-this"
FOREIGN: dict[str, list[str]] = {
    "indented": [f"snmp-server location {KEEP}", "router bgp 65000", f"  description {KEEP}", "  neighbor 192.0.2.1"],
    "#": ["#", f"sysname {KEEP}", "#", "bgp 65000", f" peer 192.0.2.1 description {KEEP}", "#"],
    "junos": [f"set system location building {KEEP}", f"set protocols bgp group g description {KEEP}"],
    "srlinux": [f"set / system information location {KEEP}"],
    "cumulus": [f"nv set system message pre-login {KEEP}", "nv set vrf default router bgp autonomous-system 65000"],
}
_NAME = re.compile(r"\b(?:ROCE|RDMA|roce|rdma)\b(?!-keeps|cfg)")
_NUMBER = re.compile(r"(?<![\w./:-])\d+(?![\w./:%-])")


def foreign_of(system: str) -> list[str]:
    """Lines of another subject, as a system spells them."""
    kind = system if system in FOREIGN else "#" if system in {"huawei", "h3c"} else "indented"
    return FOREIGN[kind]


@st.composite
def broken(draw: Callable[..., Any], text: str, system: str) -> str:
    """A rendered text with one to three faults and sections of other subjects."""
    for _ in range(draw(st.integers(0, 3))):
        fault = draw(st.sampled_from([_number, _number, _without, _twice, _renamed]))
        text = fault(draw, text)
    lines = text.split("\n")
    closing = next((at for at, line in enumerate(lines) if line.strip() in {"return", "end"}), len(lines))
    return "\n".join([*lines[:closing], *foreign_of(system), *lines[closing:]])


def _pick(draw: Callable[..., Any], lines: list[str], fits: Callable[[str], object]) -> int | None:
    places = [at for at, line in enumerate(lines) if line.strip() and line.strip()[0] not in "!#/" and fits(line)]
    return draw(st.sampled_from(places)) if places else None


def _number(draw: Callable[..., Any], text: str) -> str:
    """Another number in one line."""
    lines = text.split("\n")
    at = _pick(draw, lines, _NUMBER.search)
    if at is not None:
        found = draw(st.sampled_from(list(_NUMBER.finditer(lines[at]))))
        other = draw(st.sampled_from([int(found[0]) + 1, max(int(found[0]) - 1, 0), int(found[0]) * 2, 4]))
        lines[at] = f"{lines[at][: found.start()]}{other}{lines[at][found.end() :]}"
    return "\n".join(lines)


def _without(draw: Callable[..., Any], text: str) -> str:
    """One line less, and what is below it. No switch has buffers of a kind that it is not switched to."""
    lines = text.split("\n")
    at = _pick(draw, lines, lambda line: not line.strip().startswith("advanced buffer management"))
    return text if at is None else without(lines, at)


def without(lines: list[str], at: int) -> str:
    """A text without one line and what is below it."""
    indent = len(lines[at]) - len(lines[at].lstrip())
    end = at + 1
    while end < len(lines) and lines[end].strip() and len(lines[end]) - len(lines[end].lstrip()) > indent:
        end += 1
    return "\n".join(lines[:at] + lines[end:])


def _twice(draw: Callable[..., Any], text: str) -> str:
    """A second line like one that stands there, for another priority, code or queue."""
    lines = text.split("\n")
    at = _pick(draw, lines, lambda line: _NUMBER.search(line) and not line.strip().startswith(("interface", "class")))
    if at is not None:
        found = draw(st.sampled_from(list(_NUMBER.finditer(lines[at]))))
        other = draw(st.integers(0, 7))
        lines.insert(at + 1, f"{lines[at][: found.start()]}{other}{lines[at][found.end() :]}")
    return "\n".join(lines)


def _renamed(draw: Callable[..., Any], text: str) -> str:
    """Other names for the policies and profiles."""
    return _NAME.sub(draw(st.sampled_from(["OLD", "qos-in"])), text)


@st.composite
def broken_tables(draw: Callable[..., Any], text: str) -> str:
    """Rendered CONFIG_DB tables with one to three faults and tables of other subjects."""
    data = json.loads(text)
    ports = sorted(data["PORT_QOS_MAP"])
    for _ in range(draw(st.integers(0, 3))):
        table = draw(st.sampled_from(sorted(data)))
        row = draw(st.sampled_from(sorted(data[table]))) if data[table] else None
        if row is None:
            continue
        fields = data[table][row]
        fault = draw(st.sampled_from(["value", "value", "field", "row", "extra", "range", "rename"]))
        name = draw(st.sampled_from(sorted(fields))) if fields else None
        if fault == "value" and name is not None:
            value = fields[name]
            fields[name] = str(int(value) + draw(st.sampled_from([1, 2, 1000]))) if value.isdecimal() else value
        elif fault == "field" and name is not None:
            del fields[name]
        elif fault == "row":
            del data[table][row]
        elif fault == "extra" and "PORT_QOS_MAP" in data:
            port = data["PORT_QOS_MAP"].get(draw(st.sampled_from(ports)), {})
            port["pfc_enable"] = draw(st.sampled_from(["3,4", "", "4"]))
        elif fault == "range" and table == "QUEUE":
            data["QUEUE"][row.rpartition("|")[0] + "|3-4"] = dict(fields)
        elif fault == "rename":
            data = json.loads(re.sub(r"\bROCE(_ECN)?\b", "AZURE", json.dumps(data)))
    data["BGP_NEIGHBOR"] = {"192.0.2.1": {"name": KEEP}}
    data["VLAN"] = {"Vlan5": {"vlanid": "5"}}
    data.setdefault("PORT", {}).update({port: {"alias": KEEP, "mtu": "9202", "speed": "100000"} for port in ports})
    data["PORT"]["Ethernet200"] = {"alias": KEEP, "mtu": "1500"}
    data["DEVICE_METADATA"] = {"localhost": {"hostname": "one", "type": "LeafRouter"}}
    return json.dumps(data, indent=2)
