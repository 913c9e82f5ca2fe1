"""Reads what Get-cmdlets print: tables under a row of dashes, lists of `Key : value`, JSON of ConvertTo-Json."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.numbers import natural

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from rocecfg.state.model import Where
    from vendors.nic.windows_dcb.facts import Adapter, Host

_HERE = Path(__file__)
_facts = load_module(_HERE.with_name("facts.py"))
_commands = load_module(_HERE.with_name("commands.py"))

_DASHES = re.compile(r"\s{0,40}-{2,60}(?: {1,300}-{1,60}){0,20}\s*")
_RUN = re.compile(r"-+")
_ON = re.compile(r"(?i)priorit(?:y|ies) ([0-7][0-7, -]{0,40}) enabled")
Row = dict[str, str]


def is_dashes(line: str) -> bool:
    """Return whether a line is the row of dashes under a table's header."""
    return _DASHES.fullmatch(line) is not None


def columns(header: str, dashes: str) -> list[tuple[str, int, int]]:
    """Return the columns of a table: title, first and last position of its dashes."""
    runs = [(found.start(), found.end()) for found in _RUN.finditer(dashes)]
    ends = [*(start for start, _ in runs[1:]), max(len(header), len(dashes))]
    return [(header[start:end].strip(), start, stop) for (start, stop), end in zip(runs, ends, strict=True)]


def cells(line: str, table: list[tuple[str, int, int]]) -> Row:
    """Return the cells of a row by the column's title; numbers may stand to the right, under the dashes' end."""
    cuts = [0]
    for (_, _, stop), (_, start, _) in pairwise(table):
        gap = line[stop - 1 : start]
        cuts.append(stop - 1 + gap.rindex(" ") + 1 if " " in gap else start)
    cuts.append(len(line))
    return {title: line[cuts[at] : cuts[at + 1]].strip() for at, (title, _, _) in enumerate(table)}


def kind_of(titles: list[str]) -> str:
    """Return what a table's columns say it is, empty for a table that is none of ours."""
    have = {title.lower() for title in titles}
    return next((kind for needed, kind in _KINDS if needed <= have), "")


_KINDS: tuple[tuple[set[str], str], ...] = (
    ({"name", "algorithm", "priority"}, "class"),
    ({"priority", "enabled"}, "flow_control"),
    ({"willing"}, "willing"),
    ({"nic", "operationalflowcontrol"}, "operational"),
    ({"check", "item", "state"}, "agent"),
    ({"name", "registrykeyword", "registryvalue"}, "property"),
    ({"name", "interfacedescription", "enabled"}, "rdma"),
    ({"name", "netdirectport", "priorityvalue"}, "policy"),
)


def take_row(host: Host, kind: str, row: Row, place: Where) -> bool:
    """Take a row of one of our tables; False when it is not understood."""
    values = {title.lower(): value for title, value in row.items()}
    try:
        return _ROWS[kind](host, values, place)
    except (ValueError, KeyError, IndexError):
        return False


def _class(host: Host, row: Mapping[str, str], place: Where) -> bool:
    share = row.get("bandwidth(%)", row.get("bandwidthpercentage", "")).strip("% ")
    algorithm = {"ets": "ETS", "strict": "Strict"}[row["algorithm"].lower()]
    priorities = priorities_of(row["priority"])
    number = natural(share, 100) if share else None
    adapter = _owner(host, row, place)
    classes, places = (host.classes, host.places) if adapter is None else (adapter.own_classes, adapter.places)
    classes[row["name"]] = _facts.TrafficClass(priorities, algorithm, number if algorithm == "ETS" else None, place)
    if priorities:
        places[f"queues.{min(priorities)}"] = place
    return True


def _owner(host: Host, row: Mapping[str, str], place: Where) -> Adapter | None:
    """Return whose row it is: an adapter's, with the node in front in a table of several hosts; None = the host's."""
    alias = row.get("ifalias") or row.get("interfacealias") or ""
    own = alias if row.get("policyset", "AdapterSpecific").lower() != "global" else ""
    node = _node(row)
    if not own and not node:
        return None
    name = own or _facts.GLOBAL
    return host.adapter(f"{node}:{name}" if node else name, place)


def _flow_control(host: Host, row: Mapping[str, str], place: Where) -> bool:
    priority, on = natural(row["priority"], 7), truth(row["enabled"])
    adapter = _owner(host, row, place)
    setting, places = (host.flow_control, host.places) if adapter is None else (adapter.flow_control, adapter.places)
    setting[priority] = on
    places["pfc"] = place
    return True


def _willing(host: Host, row: Mapping[str, str], place: Where) -> bool:
    willing = truth(row["willing"].split()[0])
    adapter = _owner(host, row, place)
    if adapter is None:
        host.willing = willing
    else:
        adapter.willing = willing
    (host.places if adapter is None else adapter.places)["dcbx"] = place
    return True


def _operational(host: Host, row: Mapping[str, str], place: Where) -> bool:
    adapter = host.adapter(_of_node(row, row["nic"]), place)
    adapter.operational = flow_control_of(row["operationalflowcontrol"])
    adapter.places["pfc"] = place
    return True


def _agent(host: Host, row: Mapping[str, str], place: Where) -> bool:
    """Take who speaks LLDP on a port: the NIC's firmware, or Windows."""
    adapter = host.adapter(_of_node(row, row["item"]), place)
    adapter.places["dcbx"] = adapter.places["nic.next_boot"] = place
    state, check = row["state"].lower(), row["check"].lower()
    if "fw lldp" in check:
        adapter.firmware_lldp = not state.startswith(("off", "0"))
        if adapter.firmware_lldp:
            adapter.owners.add("firmware")
        return state.startswith(("off", "all", "rx", "tx", "0", "1", "2"))
    if "windows lldp" in check:
        return state in {"enabled", "disabled"}
    return False


def _property(host: Host, row: Mapping[str, str], place: Where) -> bool:
    _commands.set_property(
        host.adapter(row["name"], place), row["registrykeyword"].lower(), row["registryvalue"], place
    )
    return True


def _rdma(host: Host, row: Mapping[str, str], place: Where) -> bool:
    host.adapter(_of_node(row, row["name"]), place).rdma = truth(row["enabled"])
    return True


def policy(host: Host, row: Mapping[str, str], place: Where) -> bool:
    """Take one policy: name, what it matches, the priority it gives."""
    host.places["app_to_tc"] = place
    priority = row.get("priorityvalue", row.get("priorityvalue8021action", ""))
    template = row.get("template", "").lower()
    port = row.get("netdirectport", row.get("netdirectportmatchcondition", ""))
    if priority in {"", "-1"}:
        return True
    number = natural(priority, 7)
    if template == "default":
        host.default_priority = number
        host.places["default_tc"] = place
    elif template == "cluster":
        host.policies[("cluster", 0)] = number
    elif port not in {"", "0"}:
        host.policies[("netdirect", natural(port, 65535))] = number
    return True


_ROWS: dict[str, Callable[[Any, Mapping[str, str], Any], bool]] = {
    "class": _class,
    "flow_control": _flow_control,
    "willing": _willing,
    "operational": _operational,
    "agent": _agent,
    "property": _property,
    "rdma": _rdma,
    "policy": policy,
}


def _of_node(row: Mapping[str, str], name: str) -> str:
    """Return an adapter's name; with the node in front where a table holds several hosts."""
    if not name:
        raise ValueError(name)
    node = _node(row)
    return f"{node}:{name}" if node else name


def _node(row: Mapping[str, str]) -> str:
    return row.get("node") or row.get("pscomputername") or ""


def truth(word: str) -> bool:
    """Return a truth value as Windows prints it. Raises KeyError."""
    return {"true": True, "false": False}[word.lower()]


def priorities_of(text: str) -> frozenset[int]:
    """Return priorities of `0-2,4-7` or `3`. Raises ValueError."""
    found: set[int] = set()
    for part in filter(None, re.split(r"[,\s]+", text.strip("{} "))):
        first, _, last = part.partition("-")
        found.update(range(natural(first, 7), natural(last or first, 7) + 1))
    return frozenset(found)


def flow_control_of(text: str) -> frozenset[int]:
    """Return the priorities of `Priority 3 Enabled`. Raises ValueError for other words."""
    found = _ON.fullmatch(text.strip())
    if found is not None:
        return priorities_of(found[1])
    words = text.strip().lower()
    if words in {"all priorities disabled", "none", ""}:
        return frozenset()
    if words == "all priorities enabled":
        return frozenset(range(8))
    raise ValueError(text)


def take_json(host: Host, value: Any, place: Where) -> Iterator[str]:
    """Take JSON of ConvertTo-Json; yield what is not understood of the objects that are ours."""
    for item in value if isinstance(value, list) else [value]:
        if not isinstance(item, dict):
            continue
        row = {str(key).lower(): _plain(entry) for key, entry in item.items()}
        kind = next((kind for needed, kind in _JSON_KINDS if needed <= set(row)), "")
        if not kind:
            continue
        if kind == "class":
            row["algorithm"] = {"0": "Strict", "2": "ETS"}.get(row["algorithm"], row["algorithm"])
        try:
            taken = _ROWS[kind](host, row, place)
        except (ValueError, KeyError):
            taken = False
        if not taken:
            yield f"{kind}: {str(item.get('Name', item.get('Priority', '')))[:80]}"


_JSON_KINDS: tuple[tuple[set[str], str], ...] = (
    ({"priorityvalue8021action", "name"}, "policy"),
    ({"algorithm", "priority"}, "class"),
    ({"priority", "enabled"}, "flow_control"),
    ({"willing"}, "willing"),
    ({"registrykeyword", "registryvalue", "name"}, "property"),
)


def _plain(entry: Any) -> str:
    if isinstance(entry, list):
        return ",".join(map(str, entry))
    return "" if entry is None else str(entry)
