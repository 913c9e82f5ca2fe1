"""Reads the global lines, maps, profiles, class-maps, policy-maps and system qos of a running configuration."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.abbreviations import spelled_out
from rocecfg.state.grammar import Record, grammar
from rocecfg.state.numbers import number_set, whole_number
from rocecfg.state.sections import Block, cut

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocecfg.state.sections import BodyLine
    from vendors.dell_os10.config import Config, Policy, PolicyClass, Settings

_HERE = Path(__file__)
_CONFIG = load_module(_HERE.with_name("config.py"))
_INTERFACES = load_module(_HERE.with_name("interface_sections.py"))
_STRAIGHTEN = load_module(_HERE.with_name("straighten.py"))

HEADERS = {
    "class-map type queuing ": "class-map",
    "class-map type network-qos ": "class-map",
    "policy-map type queuing ": "policy-map",
    "policy-map type network-qos ": "policy-map",
    "trust dot1p-map ": "trust",
    "trust dscp-map ": "trust",
    "qos-map traffic-class ": "qos-map",
    "wred ": "wred",
    "system qos": "system",
    "interface ": "interface",
    "vlt-domain ": "vlt",
    "dcbx ": "global",
    "no dcbx ": "global",
    "lldp ": "global",
    "no lldp ": "global",
    "control-plane-buffer-size ": "global",
    "qos-rate-adjust ": "global",
    "mac address-table aging-time ": "timer",
    "hostname ": "name",
    # A line of a QoS section that stands at the margin below no section that knows it.
    "class ": "stray",
    "pfc-cos ": "stray",
    "priority-flow-control": "stray",
    "service-policy ": "stray",
    "random-detect ": "stray",
    "trust-map ": "stray",
    "flowcontrol ": "stray",
    "ets mode": "stray",
}
_NOT_COUNTED = ("name", "timer", "stray", "global", "vlt")


_TYPED = (
    "int|erface", "pol|icy-map", "class-m|ap", "priority-f|low-control", "service-p|olicy", "flowc|ontrol",
    "random-d|etect", "random|-detect", "queue-l|imit", "band|width", "qos-m|ap", "trust-m|ap",
)  # fmt: skip
"""First words as people type them, the shortest beginning before the bar."""


def read_config(file: str, content: str) -> Config:
    """Return what a running configuration says. Raises ReadError for a text that names too many ports."""
    config: Config = _CONFIG.Config(file)
    config.session = _STRAIGHTEN.is_session(content)
    content = spelled_out(content, _TYPED)
    if config.session or _STRAIGHTEN.is_bent(content):
        content = _STRAIGHTEN.straightened(content)
    blocks: dict[str, list[Block]] = {}
    for block in cut(content, HEADERS, ("!", "#") if "#" in content else ("!",)):
        blocks.setdefault(block.kind, []).append(block)
    config.blocks = sum(len(found) for kind, found in blocks.items() if kind not in _NOT_COUNTED)
    for block in blocks.get("name", ()):
        config.hostname = block.header.split(" ")[1].strip('"')
    for block in blocks.get("timer", ()):
        words = block.header.removeprefix("mac address-table aging-time ")
        seconds = whole_number(words, 1_000_000)
        if seconds is not None:
            config.timers["mac"] = seconds
    for block in blocks.get("stray", ()):
        config.lines_read += 1
        config.refuse(block.header, block.number)
    _read_globals(config, blocks.get("global", []))
    _read_class_maps(config, blocks.get("class-map", []))
    _read_tables(config, "trust_map", blocks.get("trust", []))
    _read_tables(config, "qos_map", blocks.get("qos-map", []))
    _read_wreds(config, blocks.get("wred", []))
    _read_policies(config, blocks.get("policy-map", []))
    _read_system(config, blocks.get("system", []))
    _INTERFACES.read_interfaces(config, blocks.get("interface", []))
    _INTERFACES.read_peer_links(config, blocks.get("vlt", []))
    config.lines.sort(key=lambda line: line.place.line)
    return config


def _records(name: str, lines: Iterable[str]) -> dict[str, Record | None]:
    return grammar(_HERE.with_name("parse") / f"{name}.ttp").read(lines)


def _read_globals(config: Config, blocks: list[Block]) -> None:
    records = _records("top", (block.header for block in blocks))
    for block in blocks:
        config.lines_read += 1
        record = records[block.header]
        if record is None:
            config.refuse(block.header, block.number)
        elif record.kind != "known":
            config.options["dcbx"] = (record.kind == "dcbx", block.number)


def _body(block: Block) -> list[BodyLine]:
    """Return the lines of a block; a script leaves a mode with `exit`."""
    return [line for line in block.body if line.text not in ("exit", "end")]


def _name(block: Block, words: int) -> str:
    """Return the name in a header of so many words before it; "" when there is no single one."""
    rest = block.header.split(" ")[words:]
    return rest[0] if len(rest) == 1 and rest[0] != "?" else ""


def _refuse_block(config: Config, block: Block) -> None:
    config.lines_read += 1 + len(block.body)
    config.refuse(block.header, block.number)
    for line in block.body:
        config.refuse(line.text, line.number, inside=True)


def _read_class_maps(config: Config, blocks: list[Block]) -> None:
    records = _records("class_map", (line.text for block in blocks for line in _body(block)))
    for block in blocks:
        words = block.header.split(" ")
        kind, names = words[2], [word for word in words[3:] if word not in ("match-any", "match-all")]
        if len(names) != 1 or names[0] == "?":
            _refuse_block(config, block)
            continue
        class_map = config.class_maps.setdefault((kind, names[0]), _CONFIG.ClassMap(kind, names[0], block.number))
        wanted = "queue" if kind == "queuing" else "group"
        config.lines_read += 1
        for line in _body(block):
            config.lines_read += 1
            record = records[line.text]
            if record is not None and record.kind == "known":
                continue
            found = number_set(record.values["numbers"], 7) if record is not None else None
            if found is None or record is None or record.kind != wanted:
                config.refuse(line.text, line.number, inside=True)
            else:
                class_map.matches.update(dict.fromkeys(found, line.number))


def _read_tables(config: Config, shapes: str, blocks: list[Block]) -> None:
    """Take the lines of trust maps (code -> qos-group) and of traffic-class maps (qos-group -> queue)."""
    records = _records(shapes, (line.text for block in blocks for line in _body(block)))
    for block in blocks:
        name = _name(block, 2)
        if not name:
            _refuse_block(config, block)
            continue
        kind = "queue" if shapes == "qos_map" else block.header.split(" ")[1].removesuffix("-map")
        table = config.tables.setdefault((kind, name), _CONFIG.Table(kind, name, block.number))
        config.lines_read += 1
        for line in _body(block):
            config.lines_read += 1
            record = records[line.text]
            if record is None or (record.kind != "known" and not _put(table.to, record, kind, line.number)):
                config.refuse(line.text, line.number, inside=True)


def _put(to: dict[int, tuple[int, int]], record: Record, kind: str, number: int) -> bool:
    """Note one line of a map. Returns False for a line of another map or with numbers that OS10 does not have."""
    words = record.values
    if record.kind not in (kind, "typed"):
        return False
    target = whole_number(words.get("queue", words.get("group", "")), 7)
    codes = number_set(words["numbers"], 63 if kind == "dscp" else 7)
    if target is None or codes is None or words.get("type", "ucast") not in ("ucast", "mcast"):
        return False
    if words.get("type") != "mcast":  # RoCE is unicast: the queues of multicast are not modelled
        to.update(dict.fromkeys(codes, (target, number)))
    return True


WRED_TOP = 12_480
_COLOURS = ("green", "yellow", "red")


def _read_wreds(config: Config, blocks: list[Block]) -> None:
    records = _records("wred", (line.text for block in blocks for line in _body(block)))
    for block in blocks:
        name = _name(block, 1)
        if not name:
            _refuse_block(config, block)
            continue
        profile = config.wreds.setdefault(name, _CONFIG.Wred(name, block.number))
        config.lines_read += 1
        for line in _body(block):
            config.lines_read += 1
            record = records[line.text]
            taken = True
            if record is not None and record.kind in ("ecn", "no_ecn"):
                profile.ecn = (record.kind == "ecn", line.number)
            elif record is not None and record.kind == "weight":
                profile.weight = whole_number(record.values["weight"], 15)
                taken = profile.weight is not None
            else:
                ramp = _ramp(record)
                taken = ramp is not None
                if ramp is not None and record is not None:
                    profile.ramps[record.values["colour"]] = (*ramp, line.number)
            if not taken:
                config.refuse(line.text, line.number, inside=True)


def _ramp(record: Record | None) -> tuple[int, int, int] | None:
    if record is None or record.values["colour"] not in _COLOURS:
        return None
    low, high = (whole_number(record.values[name], WRED_TOP, 1) for name in ("low", "high"))
    percent = whole_number(record.values["percent"], 100)
    return None if low is None or high is None or percent is None else (low, high, percent)


def _read_policies(config: Config, blocks: list[Block]) -> None:
    ours: dict[str, list[tuple[Policy, Block]]] = {kind: [] for kind in _CONFIG.TYPES}
    for block in blocks:
        kind, name = block.header.split(" ")[2], _name(block, 3)
        if not name:
            _refuse_block(config, block)
        else:
            policy = config.policies.setdefault((kind, name), _CONFIG.Policy(kind, name, block.number))
            ours[kind].append((policy, block))
    for kind, items in ours.items():
        texts = (line.text for _, block in items for line in _body(block))
        records = _records(f"policy_{kind.replace('-', '_')}", texts)
        for policy, block in items:
            _read_policy(config, policy, block, records)


def _read_policy(config: Config, policy: Policy, block: Block, records: dict[str, Record | None]) -> None:
    """Take the lines of a policy-map. Depth does not matter: a setting belongs to the class line above it."""
    current: PolicyClass | None = None
    config.lines_read += 1
    for line in _body(block):
        config.lines_read += 1
        record = records[line.text]
        if record is not None and record.kind == "class":
            name = record.values["name"]
            current = policy.classes.setdefault(name, _CONFIG.PolicyClass(name, line.number))
        elif record is None or not _valid(record) or (current is None and record.kind != "known"):
            config.refuse(line.text, line.number, inside=True)
        elif current is not None and record.kind != "known":
            current.settings.append((record, line.number))


MOST_KBYTES = 1_000_000
_TOPS = {"percent": 100, "buffer": MOST_KBYTES, "pause": MOST_KBYTES, "resume": MOST_KBYTES, "kbytes": MOST_KBYTES,
         "index": 10, "low": 1_000_000_000, "high": 1_000_000_000}  # fmt: skip
_UNITS = frozenset({"kbps", "mbps", "pps"})


def _valid(record: Record) -> bool:
    """Return whether the numbers of a policy line are ones that OS10 takes and we can convert."""
    for name, word in record.values.items():
        if name in _TOPS and whole_number(word, _TOPS[name]) is None:
            return False
        if name.endswith("_unit") and word not in _UNITS:
            return False
        if name == "numbers" and number_set(word, 7) is None:
            return False
    return True


def _read_system(config: Config, blocks: list[Block]) -> None:
    records = _records("system_qos", (line.text for block in blocks for line in _body(block)))
    for block in blocks:
        config.lines_read += 1
        config.system_number = config.system_number or block.number
        if block.header != "system qos":
            config.refuse(block.header, block.number)
        for line in _body(block):
            config.lines_read += 1
            record = records[line.text]
            if record is None or (record.kind != "known" and not _set(config.system, record, line.number)):
                config.refuse(line.text, line.number, inside=True)


def _set(settings: Settings, record: Record, number: int) -> bool:
    meaning = _INTERFACES.meaning(record)
    if meaning is None:
        return False
    key, value = meaning
    if key:
        settings[key] = (value, number)
    return True
