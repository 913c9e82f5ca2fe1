"""Reads the system view of a Comware configuration: single commands, priority maps, WRED tables, profiles."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.numbers import number_set, whole_number
from rocecfg.state.sections import Block, cut

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from rocecfg.state.grammar import Record
    from vendors.h3c.config import Config, Schedule, WredTable

_HERE = Path(__file__)
_CONFIG = load_module(_HERE.with_name("config.py"))
_NAMES = load_module(_HERE.with_name("names.py"))
_STRAIGHTEN = load_module(_HERE.with_name("straighten.py"))
_INTERFACES = load_module(_HERE.with_name("interface_sections.py"))

HEADERS = {
    "interface ": "interface",
    "priority-flow-control": "system",
    "undo priority-flow-control": "system",
    "qos ": "system",
    "undo qos ": "system",
    "buffer ": "system",
    "undo buffer ": "system",
    "burst-mode ": "system",
    "lldp ": "system",
    "undo lldp ": "system",
    "netanalysis ": "system",
    "queue low-latency": "system",
    "qos map-table": "map",
    "qos wred queue table": "wred",
    "qos qmprofile": "profile",
    "qos policy ": "policy",
    "traffic behavior ": "behavior",
    "ai-service": "ai",
    "sysname ": "name",
    "version ": "version",
    "return": "return",
    # Lines of a view that stand at the margin: their header is missing.
    "import ": "stray",
    "queue ": "stray",
}
_NOT_OURS = ("lldp ", "undo lldp ", "netanalysis ")
"""Read for one switch; their other lines are no concern of ours."""
MAPS = {"dot1p-lp": (7, 7), "dscp-dot1p": (63, 7), "dscp-dp": (63, 2), "dot1p-dp": (7, 2), "dscp-dscp": (63, 63),
         "dscp-lp": (63, 7)}  # fmt: skip
"""Priority map -> (highest input, highest output)."""
MOST_CELLS = 100_000_000
MOST_UNITS = 100_000


def read_config(file: str, content: str) -> Config:
    """Return what a configuration says. Raises ReadError for a text that names too many ports."""
    config: Config = _CONFIG.Config(file)
    straight = _STRAIGHTEN.straightened(content)
    config.session = straight.session
    blocks: dict[str, list[Block]] = {}
    for block in cut(straight.text, HEADERS, ("#", "!")):
        blocks.setdefault(block.kind, []).append(block)
    config.blocks = sum(
        len(found) for kind, found in blocks.items() if kind not in ("name", "version", "return", "stray", "behavior")
    )
    for kind, into in (("name", "hostname"), ("version", "version")):
        for block in blocks.get(kind, ()):
            setattr(config, into, block.header.split(" ", 1)[1].strip()[:64])
    config.returned = any(block.header == "return" for block in blocks.get("return", ()))
    for block in blocks.get("stray", ()):
        config.lines_read += 1
        config.refuse(block.header, block.number)
    _read_system(config, blocks.get("system", []))
    for kind, read in _TABLES.items():
        for block in blocks.get(kind, ()):
            read(config, block)
    _read_policies(config, blocks.get("behavior", []), blocks.get("policy", []))
    _INTERFACES.read_interfaces(config, blocks.get("interface", []))
    config.lines.sort(key=lambda line: line.place.line)
    return config


def _records(name: str, lines: Iterable[str]) -> Mapping[str, Record | None]:
    return _INTERFACES.records(name, lines)  # type: ignore[no-any-return]


def _read_system(config: Config, blocks: list[Block]) -> None:
    records = _records("system", (block.header for block in blocks))
    for block in blocks:
        record = records[block.header]
        ours = not block.header.startswith(_NOT_OURS) or (record is not None and record.kind in ("lldp", "no_lldp"))
        config.lines_read += ours
        if record is not None and record.kind == "known":
            continue
        if record is None or not _take(config, record, block.number):
            config.refuse(block.header, block.number)
        for line in block.body:  # no single command has a body
            config.lines_read += 1
            config.refuse(line.text, line.number)


_SIMPLE = {
    "precision": "precision",
    "action": "action",
    "trust": "trust",
}
_UNDONE = {
    "no_no_drop": "no_drop",
    "no_precision": "precision",
    "no_action": "action",
    "no_trust": "trust",
}


def _take(config: Config, record: Record, number: int) -> bool:
    """Note what a command of the system view states; False when its words make no sense."""
    kind, words = record.kind, record.values
    if kind in _SIMPLE:
        config.options[_SIMPLE[kind]] = (words["word"], number)
    elif kind in _UNDONE:
        config.options.pop(_UNDONE[kind], None)
    elif kind in ("pfc", "no_pfc"):
        config.options["pfc"] = ("off" if kind == "no_pfc" else words["mode"], number)
    elif kind in ("lldp", "no_lldp"):
        config.options["lldp"] = (kind == "lldp", number)
    elif kind in ("apply", "no_apply"):
        config.applied = number if kind == "apply" else 0
    elif kind == "no_drop":
        listed = number_set(words["list"], 7)
        if listed is not None:
            config.options["no_drop"] = (listed, number)
        return listed is not None
    elif kind in ("interval", "delay", "no_interval", "no_delay"):
        return _take_time(config, kind, words, number)
    elif kind in ("pool", "no_pool"):
        return _take_pool(config, kind, words, number)
    elif kind == "policy":
        if words["rest"].rpartition(" ")[2] == "inbound":
            config.everywhere.add(words["name"])
    elif kind in ("buffer", "no_buffer", "total"):
        return _take_buffer(config, kind, words, number)
    return True


def _take_time(config: Config, kind: str, words: Mapping[str, str], number: int) -> bool:
    cos = whole_number(words["cos"], 7)
    table = config.intervals if kind.endswith("interval") else config.delays
    if cos is None:
        return False
    if kind.startswith("no_"):
        table.pop(cos, None)
        return True
    units = whole_number(words["units"], MOST_UNITS)
    if units is not None:
        table[cos] = (units, number)
    return units is not None


def _take_pool(config: Config, kind: str, words: Mapping[str, str], number: int) -> bool:
    pool = whole_number(words["pool"], 99)
    if pool is None:
        return False
    if kind == "no_pool":
        config.pools.pop(str(pool), None)
        return True
    cells = whole_number(words["cells"], MOST_CELLS)
    if cells is not None:
        config.pools[str(pool)] = (cells, number)
    return cells is not None


def _take_buffer(config: Config, kind: str, words: Mapping[str, str], number: int) -> bool:
    if kind == "total":
        return True
    queues = number_set(words["queue"], 7)
    if queues is None:
        return False
    value = whole_number(words.get("value", "0"), 100 if "ratio" in words else MOST_CELLS * 10)
    if value is None:
        return False
    if words["direction"] == "ingress" or words["resource"] == "packet":
        return True  # packet pointers and the ingress side: understood, no threshold of ours
    for queue in queues:
        areas = config.buffers.setdefault(queue, {})
        if kind == "no_buffer":
            areas.pop(words["area"], None)
        else:
            areas[words["area"]] = ("percent" if "ratio" in words else "byte", value, number)
    return True


def _read_map(config: Config, block: Block) -> None:
    words = block.header.split(" ")[2:]
    if words and words[0] in ("inbound", "outbound", "color"):
        return  # maps of a direction or a colour: other platforms than data centre switches
    name = words[0] if len(words) == 1 else ""
    config.lines_read += 1 + len(block.body)
    if name not in MAPS:
        # Maps of MPLS and other marks are none of our business; their entries have the same shape.
        if not name or "-" not in name:
            config.refuse(block.header, block.number)
        return
    table = config.maps.setdefault(name, {})
    top, to_top = MAPS[name]
    records = _records("map_table", (line.text for line in block.body))
    for line in block.body:
        record = records[line.text]
        listed = None if record is None else number_set(record.values["list"].replace("all", f"0-{top}"), top)
        to = None if record is None else whole_number(record.values.get("to", "0"), to_top)
        if record is None or listed is None or to is None:
            config.refuse(line.text, line.number)
            continue
        for code in sorted(listed):
            if record.kind == "import":
                table[code] = (to, line.number)
            else:
                table.pop(code, None)


def _read_wred(config: Config, block: Block) -> None:
    config.lines_read += 1 + len(block.body)
    name = block.header.removeprefix("qos wred queue table").strip()
    if not name or " " in name:
        config.refuse(block.header, block.number)
        return
    table: WredTable = config.tables.setdefault(name, _CONFIG.WredTable(name, block.number))
    records = _records("wred_table", (line.text for line in block.body))
    for line in block.body:
        record = records[line.text]
        if record is None or not take_wred(table, record, line.number):
            config.refuse(line.text, line.number)


def take_wred(table: WredTable, record: Record, number: int) -> bool:
    """Note a line of a WRED table or of a port's own WRED; False when its numbers make no sense."""
    return bool(_INTERFACES.take_wred(table, record.kind, record.values, number))


def _read_profile(config: Config, block: Block) -> None:
    config.lines_read += 1 + len(block.body)
    words = block.header.split(" ")[2:]
    if not words:
        config.refuse(block.header, block.number)
        return
    profile: Schedule = config.profiles.setdefault(words[0], _CONFIG.Schedule(number=block.number))
    profile.mode = "profile"
    records = _records("profile", (line.text for line in block.body))
    for line in block.body:
        record = records[line.text]
        if record is None or not _INTERFACES.take_share(profile, record.kind, record.values, line.number):
            config.refuse(line.text, line.number)


def _read_ai(config: Config, block: Block) -> None:
    """Note the queues whose ECN thresholds are learnt; what else the AI services do is no concern of ours."""
    lines = [line for line in block.body if line.text.startswith("queue ") and line.text.endswith(" enable")]
    config.lines_read += 1 + len(lines)
    records = _records("ai_service", (line.text for line in lines))
    for line in lines:
        record = records[line.text]
        queue = None if record is None else _NAMES.queue_number(record.values["queue"])
        if queue is None:
            config.refuse(line.text, line.number)
        else:
            config.learnt[queue] = line.number


def _read_policies(config: Config, behaviors: list[Block], policies: list[Block]) -> None:
    """Note which policies change a packet's mark: what a port classifies then depends on match lines we do not read."""
    for block in behaviors:
        name = block.header.split(" ")[2:3]
        for line in block.body:
            if name and line.text.startswith("remark "):
                config.remarking[name[0]] = line.text.split(" ")[1]
    for block in policies:
        words = block.header.split(" ")
        if len(words) < 3:
            continue
        uses = config.policies.setdefault(words[2], [])
        for line in block.body:
            parts = line.text.split(" ")
            if "behavior" in parts[:-1]:
                uses.append(parts[parts.index("behavior") + 1])


_TABLES: dict[str, Callable[[Config, Block], None]] = {
    "map": _read_map,
    "wred": _read_wred,
    "profile": _read_profile,
    "ai": _read_ai,
}
