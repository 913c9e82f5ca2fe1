"""Reads the lines and sections of EOS that hold for the whole device: maps, watchdog, policies, MMU profiles."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.grammar import grammar
from rocecfg.state.model import Amount, Curve, Dynamic
from rocecfg.state.numbers import whole_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.grammar import Record
    from rocecfg.state.sections import Block
    from vendors.eos.config import ClassMap, Config, MmuProfile, Policy, Value

_HERE = Path(__file__)
_CONFIG = load_module(_HERE.with_name("config.py"))
_SETTINGS = load_module(_HERE.with_name("settings.py"))

_ALPHAS = {"1", "2", "4", "8"} | {f"1/{1 << power}" for power in range(1, 8)}
_TAKEN_BACK = {
    "no_rewrite_dscp": "rewrite dscp", "not_all_off": "all off", "no_timeout": "timeout", "no_restore": "restore",
    "no_poll": "poll", "no_action": "action", "no_override": "override",
}  # fmt: skip
_FLAGS = {"rewrite_dscp": "rewrite dscp", "all_off": "all off", "override": "override", "non_ect": "non ect"}


def read_lines(config: Config, blocks: list[Block]) -> None:
    """Take the one-line settings at the left margin."""
    known = grammar(_HERE.with_name("parse") / "top.ttp").read([block.header for block in blocks])
    for block in blocks:
        record = known[block.header]
        config.lines_read += 1
        if record is None or not _global(config, record, block.number):
            config.refuse(block.header, block.number)


def _global(config: Config, record: Record, number: int) -> bool:
    """Take one line; False = its words make no sense."""
    kind, words = record.kind, record.values
    if kind == "known":
        return True
    if kind in _FLAGS:
        config.options[_FLAGS[kind]] = (True, number)
        return True
    if kind in _TAKEN_BACK:
        config.options.pop(_TAKEN_BACK[kind], None)
        return True
    if kind.endswith("_map"):
        return _map(config, kind, words, number)
    if kind in ("timeout", "restore", "poll", "mac_ageing", "arp"):
        plain = kind in ("mac_ageing", "arp")
        value = whole_number(words["seconds"], 10_000_000) if plain else _CONFIG.milliseconds(words["seconds"])
        return _option(config, kind, value, number)
    if kind == "action":
        if words["action"] == "no-drop":  # stands in generated files up to 2024; Arista's model no longer knows it
            return True
        return _option(config, kind, _SETTINGS.WATCHDOG_ACTIONS.get(words["action"]), number)
    if kind == "global_ecn":
        low, high = (_CONFIG.amount(words[name], words[f"{name}_unit"]) for name in ("low", "high"))
        fine = low is not None and high is not None and words["low_unit"] == words["high_unit"]
        return _option(config, kind, Curve(low, high, None) if fine else None, number)
    if kind == "headroom_pool":
        return _option(config, kind, _size(words.get("unit", "bytes"), words["size"]), number)
    if kind == "apply":
        return _option(config, kind, words["name"], number)
    return False


def _option(config: Config, name: str, value: Value, number: int) -> bool:
    if value is None:
        return False
    config.options[name] = (value, number)
    return True


def _size(unit: str, word: str) -> Amount | None:
    """Return a buffer size; the unit stands before the number, and no unit means bytes."""
    return _CONFIG.amount(word, unit) if unit in ("bytes", "cells") else None


def _map(config: Config, kind: str, words: Mapping[str, str], number: int) -> bool:
    source = 63 if kind == "dscp_map" else 7
    codes = _CONFIG.codes(words["codes"], source)
    to = whole_number(words.get("tc") or words.get("queue") or words.get("dscp") or "", 63)
    precedence = whole_number(words.get("precedence", "0"), 2)
    if codes is None or to is None or precedence is None or (to > 7 and kind != "rewrite_map"):
        return False
    table = getattr(config, kind)
    for code in codes:
        table[str(code)] = (to, number)
        if kind == "dscp_map":
            config.drop_precedence[code] = precedence
    return True


def read_class_maps(config: Config, blocks: list[Block]) -> None:
    """Take the class-maps of type qos."""
    known = grammar(_HERE.with_name("parse") / "class_map.ttp").read(
        [line.text for block in blocks for line in block.body]
    )
    for block in blocks:
        name = block.header.split()[-1]
        class_map: ClassMap = config.class_maps.setdefault(name, _CONFIG.ClassMap(name, block.number))
        for line in block.body:
            config.lines_read += 1
            record = known[line.text]
            if record is None or not _match(class_map, record):
                config.refuse(line.text, line.number)


def _match(class_map: ClassMap, record: Record) -> bool:
    if record.kind in ("dscp", "dscp_ecn", "cos"):
        top = 7 if record.kind == "cos" else 63
        codes = _CONFIG.codes(record.values["codes"], top)
        if codes is None:
            return False
        if record.kind == "dscp":
            class_map.dscp |= codes
        elif record.kind == "cos":
            class_map.cos |= codes
        else:
            class_map.other = True
    elif record.kind == "other":
        class_map.other = True
    return True


def read_policy_maps(config: Config, blocks: list[Block]) -> None:
    """Take the policy-maps of type quality-of-service."""
    known = grammar(_HERE.with_name("parse") / "policy_map.ttp").read(
        [line.text for block in blocks for line in block.body]
    )
    for block in blocks:
        name = block.header.split()[-1]
        policy: Policy = config.policies.setdefault(name, _CONFIG.Policy(name, block.number))
        current = ""
        for line in block.body:
            config.lines_read += 1
            record = known[line.text]
            if record is not None and record.kind == "class":
                current = record.values["name"]
                policy.classes.setdefault(current, (None, line.number))
            elif record is None or not _set(policy, current, record, line.number):
                config.refuse(line.text, line.number)


def _set(policy: Policy, current: str, record: Record, number: int) -> bool:
    if record.kind == "known":
        return True
    top = 7 if record.kind == "set_tc" else 63
    word = record.values["tc" if record.kind == "set_tc" else "dscp"]
    codes = _CONFIG.codes(word, top)
    if not current or codes is None or len(codes) != 1:
        return False
    if record.kind == "set_tc":
        policy.classes[current] = (min(codes), number)
    else:
        policy.rewrites[current] = min(codes)
    return True


def read_mmu(config: Config, blocks: list[Block]) -> None:
    """Take the MMU profiles of an XGS switch, and the line that applies one."""
    known = grammar(_HERE.with_name("parse") / "mmu.ttp").read([line.text for block in blocks for line in block.body])
    for block in blocks:
        words = block.header.split()
        name = words[5] if len(words) > 5 else ""
        if words[6:] == ["apply"]:
            config.lines_read += 1
            config.options["apply"] = (name, block.number)
            continue
        if words[6:] or not name:
            config.lines_read += 1
            config.refuse(block.header, block.number)
            continue
        profile: MmuProfile = config.mmu_profiles.setdefault(name, _CONFIG.MmuProfile(name, block.number))
        for line in block.body:
            config.lines_read += 1
            record = known[line.text]
            if record is None or not _buffer(profile, record, line.number):
                config.refuse(line.text, line.number)


def _buffer(profile: MmuProfile, record: Record, number: int) -> bool:
    words = record.values
    if record.kind == "known":
        return True
    what, unit = words["what"], words.get("unit", "bytes")
    prefix = ""
    if record.kind in ("group", "unicast"):
        at = whole_number(words["group" if record.kind == "group" else "queue"], 7)
        if at is None:
            return False
        prefix = f"{at}." if record.kind == "group" else f"queue {at}."
    value: Value
    if what == "threshold":
        value = Dynamic(Fraction(words["size"])) if words["size"] in _ALPHAS and "unit" not in words else None
    elif what == "resume":
        value = whole_number(words["size"], _CONFIG.LARGEST_NUMBER) if "unit" not in words else None
    else:
        value = _size(unit, words["size"]) if what in ("reserved", "headroom") else None
    if value is None:
        return False
    profile.settings[f"{prefix}{what}"] = (value, number)
    return True
