"""Reads a configuration of Onyx: every statement of our subject is taken, or reported as not understood."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.grammar import grammar
from rocecfg.state.numbers import number_set

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.grammar import Record
    from vendors.onyx.config import Config, TrafficPool
    from vendors.onyx.statements import Statement

_HERE = Path(__file__)
_CONFIG = load_module(_HERE.with_name("config.py"))
_PORT_LINES = load_module(_HERE.with_name("port_lines.py"))
_STATEMENTS = load_module(_HERE.with_name("statements.py"))


def read_config(file: str, content: str) -> Config:
    """Return what a configuration says. Raises ReadError when it names more ports than a switch has."""
    config: Config = _CONFIG.Config(file)
    found: list[Statement] = list(_STATEMENTS.statements(config, content))
    shapes = _HERE.with_name("parse")
    of_ports = grammar(shapes / "port.ttp").read(item.text for item in found if item.ports is not None and item.text)
    of_device = grammar(shapes / "global.ttp").read(item.text for item in found if item.ports is None)
    meanings: dict[tuple[str, bool], list[tuple[tuple[Any, ...], Any]] | None] = {}
    for item in found:
        if item.ports is None:
            config.lines_read += 1
            record = of_device[item.text]
            if record is None or not _device(config, record, item):
                config.refuse(_shown(item), item.number)
            continue
        config.lines_read += item.ours
        if not item.text:  # `no interface port-channel 1`
            for port in item.ports:
                port.settings.clear()
                config.ports.pop(port.name, None)
            continue
        key = (item.text, item.negated)
        if key not in meanings:
            record = of_ports[item.text]
            meanings[key] = None if record is None else _PORT_LINES.meaning(record, negated=item.negated)
        meaning = meanings[key]
        if meaning is None or not item.ports:
            if item.ours:
                config.refuse(_shown(item), item.number)
            continue
        _put(config, item, meaning)
    return config


def _shown(item: Statement) -> str:
    return f"no {item.text}" if item.negated else item.text


def _put(config: Config, item: Statement, meaning: list[tuple[tuple[Any, ...], Any]]) -> None:
    for port in item.ports or ():
        config.ports.setdefault(port.name, port)  # it may have been taken away before
    for name, value in meaning:
        if name[0] in ("group", "queue buffer") and value is not None:
            config.uses.setdefault(value[0], item.number)
        for port in item.ports or ():
            if value is None:
                port.settings.pop(name, None)
            else:
                port.settings[name] = (value, item.number)


def _device(config: Config, record: Record, item: Statement) -> bool:
    """Take a statement of the device; return whether it makes sense."""
    kind, words, on = record.kind, record.values, not item.negated
    if kind == "pfc_enable":
        config.pfc = (on, item.number)
    elif kind == "pfc_priority":
        priorities = number_set(words["list"], 7)
        if priorities is None:
            return False
        config.priorities |= dict.fromkeys(priorities, (on, item.number))
    elif kind == "roce":
        mode = words.get("mode", "lossless")
        if mode not in ("lossless", "semi-lossless", "lossy"):
            return False
        config.roce = (mode if on else "", item.number)
    elif kind == "advanced":
        config.advanced = (on, item.number)
    elif kind.startswith("buffer_pool"):
        return _buffer_pool(config, record, item)
    elif kind.startswith("pool"):
        return _traffic_pool(config, record, item)
    elif kind == "lldp":
        config.lldp = on
    return True


def _buffer_pool(config: Config, record: Record, item: Statement) -> bool:
    name = record.values["name"]
    if item.negated:
        config.buffer_pools.pop(name, None)
        return True
    if record.kind == "buffer_pool_bare":
        return False
    total = _CONFIG.size(record.values["size"])
    mode = record.values.get("type", "dynamic")
    if total is None or mode not in ("static", "dynamic"):
        return False
    config.buffer_pools[name] = _CONFIG.BufferPool(name, item.number, total, mode)
    return True


def _traffic_pool(config: Config, record: Record, item: Statement) -> bool:
    kind, words = record.kind, record.values
    name = words["name"]
    if kind == "pool":
        if item.negated:
            config.pools.pop(name, None)
        else:
            config.pools.setdefault(name, _CONFIG.TrafficPool(name, item.number))
        return True
    if item.negated:
        return _pool_taken_back(config.pools.get(name), kind, words)
    if kind in ("pool_memory_bare", "pool_type_bare"):
        return False
    type_, share = words.get("type"), words.get("percent")
    priorities = number_set(words["list"], 7) if "list" in words else ()
    percent: Fraction | None = _CONFIG.percent(share) if share is not None else Fraction(0)
    if type_ not in (None, "lossless", "lossy", "lossy-mc") or priorities is None:
        return False
    if percent is None and share != "auto":  # `auto` is what `show roce` prints for a pool without a share
        return False
    pool = config.pools.setdefault(name, _CONFIG.TrafficPool(name, item.number))
    pool.type = type_ or pool.type
    if share is not None:
        pool.percent = percent
    for priority in priorities:
        for other in config.pools.values():  # a priority is in one pool: the last line wins
            other.priorities.pop(priority, None)
        pool.priorities[priority] = item.number
    return True


def _pool_taken_back(pool: TrafficPool | None, kind: str, words: Mapping[str, str]) -> bool:
    if pool is None:
        return True
    if kind.startswith("pool_memory"):
        pool.percent = None
    elif kind.startswith("pool_type"):
        pool.type = ""
    else:
        for priority in number_set(words["list"], 7) or ():
            pool.priorities.pop(priority, None)
    return True
