"""Reads the global lines, class-maps, policy-maps and system qos of a running configuration."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.abbreviations import spelled_out
from rocecfg.state.grammar import Record, grammar
from rocecfg.state.numbers import whole_number
from rocecfg.state.sections import Block, cut

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vendors.nxos.config import ClassMap, Config, Policy, PolicyClass

_HERE = Path(__file__)
_CONFIG = load_module(_HERE.with_name("config.py"))
_INTERFACES = load_module(_HERE.with_name("interface_sections.py"))
_STRAIGHTEN = load_module(_HERE.with_name("straighten.py"))
_SHOWN = load_module(_HERE.with_name("shown_policies.py"))

_TYPED = (
    "int|erface", "pol|icy-map", "class-m|ap", "priority-f|low-control", "service-p|olicy", "flowc|ontrol",
    "random-d|etect", "random|-detect", "queue-l|imit", "band|width", "congestion|-control",
)  # fmt: skip
"""First words as people type them, the shortest beginning before the bar."""
HEADERS = {
    "class-map": "class-map",
    "policy-map": "policy-map",
    "system qos": "system",
    "interface ": "interface",
    "int ": "interface",
    "port-profile ": "profile",
    "priority-flow-control": "global",
    "priority-flow-control mode": "stray",
    "no priority-flow-control": "global",
    "link-level-flow-control": "global",
    "no link-level-flow-control": "global",
    "lldp ": "global",
    "no lldp ": "global",
    "feature lldp": "global",
    "no feature lldp": "global",
    "hardware qos ": "global",
    "hardware profile pfc": "global",
    "qos ": "global",
    "mac address-table aging-time ": "timer",
    "hostname ": "name",
    "switchname ": "name",
    "version ": "version",
    # A line of a QoS section that stands at the margin: its section has lost its indentation.
    "class ": "stray",
    "set qos-group": "stray",
    "match cos": "stray",
    "match dscp": "stray",
    "match qos-group": "stray",
    "match ip dscp": "stray",
    "random-detect": "stray",
    "bandwidth ": "stray",
    "queue-limit": "stray",
    "pause ": "stray",
    "service-policy ": "stray",
    "flowcontrol ": "stray",
    "mtu ": "stray",
}


def read_config(file: str, content: str) -> Config:
    """Return what a running configuration says. Raises ReadError for a text that names too many ports."""
    config: Config = _CONFIG.Config(file)
    content = spelled_out(_STRAIGHTEN.without_help(content), _TYPED)
    printed = _SHOWN.is_shown(content)
    blocks = _SHOWN.blocks_of(content) if printed else _blocks(content)
    shown = not blocks and _STRAIGHTEN.shows_policies_of_system(content)
    config.session = printed or _STRAIGHTEN.is_session(content)
    if not printed and (config.session or blocks.get("stray") or not blocks):
        blocks = _blocks(_STRAIGHTEN.straightened(content))
    config.blocks = sum(
        len(found) for kind, found in blocks.items() if kind not in ("name", "version", "stray", "vlan", "timer")
    )
    for block in blocks.get("name", ()):
        config.hostname = block.header.split(" ")[1]
    for block in blocks.get("version", ()):
        config.version = block.header.split(" ")[1]
    for block in blocks.get("timer", ()):
        seconds = _CONFIG.seconds(block.header.removeprefix("mac address-table aging-time "))
        if seconds is not None:
            config.timers["mac"] = seconds
    for block in blocks.get("stray", ()):
        config.lines_read += 1
        config.refuse(block.header, block.number)
    _read_globals(config, blocks.get("global", []))
    _read_class_maps(config, blocks.get("class-map", []))
    _read_policies(config, blocks.get("policy-map", []))
    _read_system(config, blocks.get("system", []))
    if shown:
        for (kind, name), policy in config.policies.items():
            if kind == "network-qos":
                config.system[kind], config.system_number = (name, policy.number), policy.number
    _INTERFACES.read_interfaces(config, blocks.get("interface", []), blocks.get("vlan", []), blocks.get("profile", []))
    config.lines.sort(key=lambda line: line.place.line)
    return config


_OF_VLANS = {"vlan configuration ": "vlan"}
_MODULAR = frozenset(("class-map", "policy-map", "system"))


def _blocks(content: str) -> dict[str, list[Block]]:
    blocks: dict[str, list[Block]] = {}
    headers = HEADERS | _OF_VLANS if "vlan configuration " in content else HEADERS
    for block in cut(content, headers, ("!", "#") if "#" in content else ("!",)):
        if block.header.startswith("int "):  # as it is typed
            block.header = f"interface {block.header[4:]}"
        if block.kind in _MODULAR:  # a script leaves the mode of a class or policy with `exit`
            block.body = [line for line in block.body if line.text not in ("exit", "end")]
        blocks.setdefault(block.kind, []).append(block)
    return blocks


_MODES = {"watchdog": ("on", "off"), "override": ("off",)}


def _records(name: str, lines: Iterable[str]) -> dict[str, Record | None]:
    return grammar(_HERE.with_name("parse") / f"{name}.ttp").read(lines)


def _read_globals(config: Config, blocks: list[Block]) -> None:
    records = _records("top", (block.header for block in blocks))
    for block in blocks:
        config.lines_read += 1 + len(block.body)
        for line in block.body:
            config.refuse(line.text, line.number)
        record = records[block.header]
        mode = "" if record is None else record.values.get("mode", "")
        if record is None or (record.kind in _MODES and mode not in _MODES[record.kind]):
            config.refuse(block.header, block.number)
        elif record.kind == "no_override":
            config.options.pop("override", None)
        elif record.kind == "no_watchdog":
            config.options["watchdog"] = ("off", block.number)
        elif record.kind != "known":
            words = record.values
            config.options[record.kind] = (words.get("mode") or words.get("count") or "on", block.number)


def _named(header: str, default_type: str) -> tuple[str, str, str] | None:
    """Return (type, mode, name) of a class-map or policy-map header."""
    words = header.split(" ")[1:]
    kind = default_type
    if len(words) > 2 and words[0] == "type":
        kind, words = words[1], words[2:]
    mode = words.pop(0) if len(words) == 2 and words[0] in ("match-any", "match-all", "match-first") else ""
    if len(words) != 1 or words[0] == "?" or kind not in ("qos", "network-qos", "queuing", "control-plane"):
        return None
    return kind, mode, words[0]


def _refuse_block(config: Config, block: Block) -> None:
    config.lines_read += 1 + len(block.body)
    config.refuse(block.header, block.number)
    for line in block.body:
        config.refuse(line.text, line.number)


def _read_class_maps(config: Config, blocks: list[Block]) -> None:
    ours: list[tuple[ClassMap, Block]] = []
    for block in blocks:
        named = _named(block.header, "qos")
        if named is None:
            _refuse_block(config, block)
        elif named[0] != "control-plane":
            kind, mode, name = named
            known = config.class_maps.get((kind, name))
            if known is None:
                # Queuing and network-qos classes name groups: one packet has one group, so any match decides.
                match_any = mode == "match-any" or kind != "qos"
                known = config.class_maps[kind, name] = _CONFIG.ClassMap(kind, name, match_any, block.number)
            ours.append((known, block))
    records = _records("class_map", (line.text for _, block in ours for line in block.body))
    for class_map, block in ours:
        config.lines_read += 1 + len(block.body)
        for line in block.body:
            record = records[line.text]
            if record is None or not _valid_match(record):
                config.refuse(line.text, line.number)
            elif record.kind != "known":
                class_map.matches.append((record, line.number))


def _valid_match(record: Record) -> bool:
    if record.kind == "group":
        return whole_number(record.values["group"], 7) is not None
    if record.kind.endswith("precedence"):
        return _CONFIG.precedences(record.values["codes"]) is not None
    if "codes" in record.values:
        return _CONFIG.codes(record.values["codes"], 63 if record.kind.endswith("dscp") else 7) is not None
    return True


def _read_policies(config: Config, blocks: list[Block]) -> None:
    ours: dict[str, list[tuple[Policy, Block]]] = {"qos": [], "network-qos": [], "queuing": []}
    for block in blocks:
        named = _named(block.header, "qos")
        if named is None:
            _refuse_block(config, block)
        elif named[0] != "control-plane":
            kind, _, name = named
            policy = config.policies.setdefault((kind, name), _CONFIG.Policy(kind, name, block.number))
            ours[kind].append((policy, block))
    for kind, items in ours.items():
        records = _records(f"policy_{kind.replace('-', '_')}", (line.text for _, block in items for line in block.body))
        for policy, block in items:
            config.lines_read += 1
            _read_policy(config, policy, block, records)


def _read_policy(config: Config, policy: Policy, block: Block, records: dict[str, Record | None]) -> None:
    """Take the lines of a policy-map. Depth does not matter: a setting belongs to the class line above it."""
    current: PolicyClass | None = None
    for line in block.body:
        config.lines_read += 1
        record = records[line.text]
        if record is not None and record.kind == "class":
            name = record.values["name"]
            current = policy.classes.setdefault(name, _CONFIG.PolicyClass(name, line.number))
        elif record is None or not _valid_setting(record) or (current is None and record.kind != "known"):
            config.refuse(line.text, line.number)
        elif current is not None and record.kind != "known":
            current.settings.append((record, line.number))


_TOPS: dict[str, dict[str, int]] = {
    "group": {"group": 7},
    "mtu": {"mtu": 9216},
    "percent": {"percent": 100},
    "remaining": {"percent": 100},
    "priority": {"level": 8},
    "wred": {"low": 52_428_800, "high": 52_428_800, "probability": 100, "weight": 15},
    "pause": {"buffer": 268_435_456, "pause": 268_435_456, "resume": 268_435_456},
    "limit_dynamic": {"index": 10},
    "limit_static": {"limit": 12_582_912},
    "shape": {"low": 100_000_000_000, "high": 100_000_000_000},
}
_WORDS = {
    "low_unit": frozenset(("packets", "bytes", "kbytes", "mbytes")),
    "high_unit": frozenset(("packets", "bytes", "kbytes", "mbytes")),
    "precedence": frozenset(
        ("routine", "priority", "immediate", "flash", "flash-override", "critical", "internet", "network", *"01234567")
    ),
    "unit": frozenset(("packets", "bytes", "kbytes", "mbytes")),
    "preset": frozenset(("burst-optimized", "mesh-optimized")),
}


def _valid_setting(record: Record) -> bool:
    """Return whether the numbers of a policy line are ones that NX-OS takes and we can convert."""
    tops = _TOPS.get(record.kind, {})
    for name, word in record.values.items():
        if name in tops and whole_number(word, tops[name]) is None:
            return False
        if name == "codes" and _CONFIG.codes(word, 7) is None:
            return False
        if name == "code" and _CONFIG.codes(word, 63) is None:
            return False
        accepted = _CONFIG.RATES.keys() if record.kind == "shape" and name.endswith("unit") else _WORDS.get(name)
        if accepted is not None and word not in accepted:
            return False
    return True


def _read_system(config: Config, blocks: list[Block]) -> None:
    records = _records("system_qos", (line.text for block in blocks for line in block.body))
    for block in blocks:
        config.lines_read += 1 + len(block.body)
        config.system_number = config.system_number or block.number
        if block.header != "system qos":
            config.refuse(block.header, block.number)
        for line in block.body:
            record = records[line.text]
            if record is not None and record.kind == "known":
                continue
            key = None if record is None else _CONFIG.attachment(record)
            if record is None or key is None:
                config.refuse(line.text, line.number)
            else:
                config.system[key] = (record.values["name"], line.number)
