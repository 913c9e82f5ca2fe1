"""What a line of a port states: its shape of `parse/port.ttp` as settings and values."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import Amount
from rocecfg.state.numbers import number_set, whole_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.grammar import Record

_CONFIG = load_module(Path(__file__).with_name("config.py"))

_TRUST = {"L2": "pcp", "L3": "dscp", "both": "both", "port": "none"}
_REWRITES = ("pcp", "dscp", "map")
_RATE = {"G": 10**9, "M": 10**6}
Meaning = list[tuple[tuple[Any, ...], Any]]
"""What a line of a port states: (setting, value) pairs; the value None takes a setting back."""


def meaning(record: Record, *, negated: bool) -> Meaning | None:
    """Return what a line of a port states, None when it makes no sense."""
    kind, words = record.kind, record.values
    if kind.endswith("_bare") and not negated:
        return None
    reader = _READERS.get(kind.removesuffix("_bare"))
    if reader is None:
        return []
    found: Meaning | None = reader(words)
    if found is None:
        return None
    if negated and kind in _OPPOSITES:
        return _OPPOSITES[kind]
    return [(name, None) for name, _ in found] if negated else found


_OPPOSITES: dict[str, Meaning] = {
    "shutdown": [(("shutdown",), False)],
    "switchport": [(("switchport",), "routed")],
}
"""Lines whose `no` form states something of its own."""


def _chosen(name: str, word: str, choices: Mapping[str, Any]) -> Meaning | None:
    return [((name,), choices[word])] if word in choices else None


def _pfc(words: Mapping[str, str]) -> Meaning | None:
    mode = words.get("mode", "on")
    return [(("pfc",), mode)] if mode in ("on", "off", "auto", "force") else None


def _trust(words: Mapping[str, str]) -> Meaning | None:
    return _chosen("trust", words.get("mode", "L2"), _TRUST)


def _codes(kind: str, top: int, words: Mapping[str, str]) -> Meaning | None:
    codes = number_set(words["list"], top) if "list" in words else tuple(range(top + 1))
    priority = whole_number(words.get("priority", "0"), 7)
    if codes is None or priority is None:
        return None
    return [((kind, code), priority) for code in codes]


def _pcp(words: Mapping[str, str]) -> Meaning | None:
    """Return the PCP codes of a line; a line of DEI 1 alone is about packets that may be dropped first."""
    codes, _, dei = words.get("list", "0-7").partition(" dei ")
    marks = number_set(dei, 1) if dei else (0, 1)
    if marks is None:
        return None
    return _codes("pcp" if 0 in marks else "pcp of dei 1", 7, {**words, "list": codes})


def _rewrite(words: Mapping[str, str]) -> Meaning | None:
    return [((f"rewrite {words['what']}",), True)] if words["what"] in _REWRITES else None


def _flowcontrol(words: Mapping[str, str]) -> Meaning | None:
    mode = words.get("mode", "off")
    if words["direction"] not in ("send", "receive") or mode not in ("on", "off", "force"):
        return None
    return [((f"flowcontrol {words['direction']}",), mode == "on")]


def _bind(words: Mapping[str, str]) -> Meaning | None:
    tc = whole_number(words["tc"], 7)
    priorities = number_set(words["list"], 7) if "list" in words else tuple(range(8))
    if tc is None or priorities is None:
        return None
    return [(("bind", priority), tc) for priority in priorities]


def _ets(words: Mapping[str, str]) -> Meaning | None:
    tc = whole_number(words["tc"], 7)
    weight = whole_number(words["weight"], 1000) if "weight" in words else 0
    if tc is None or weight is None:
        return None
    return [(("ets", tc), ("weighted", weight) if "weight" in words else ("strict", 0))]


def _marking(unit: str, words: Mapping[str, str]) -> Meaning | None:
    tc, mode = whole_number(words["tc"], 7), words.get("mode", "ecn")
    if tc is None or mode not in ("ecn", "red", "both"):
        return None
    if unit == "percent":
        ends = [whole_number(words[end], 100) for end in ("low", "high")]
        low, high = (Amount(end, "percent") if end is not None else None for end in ends)
    else:
        low, high = (_CONFIG.threshold(words[end]) for end in ("low", "high"))
    if low is None or high is None:
        return None
    return [(("marking", tc), (mode, low, high))]


def _marking_bare(words: Mapping[str, str]) -> Meaning | None:
    tc = whole_number(words["tc"], 7)
    return None if tc is None else [(("marking", tc), True)]


def _numbered(buffer: str, prefix: str) -> int | None:
    head, _, tail = buffer.rpartition(prefix)
    return whole_number(tail, 7) if not head and tail else None


def _group_bind(words: Mapping[str, str]) -> Meaning | None:
    group = _numbered(words["buffer"], "iPort.pg")
    priorities = number_set(words["list"], 7) if "list" in words else tuple(range(8))
    if group is None or priorities is None:
        return None
    return [(("group of", priority), group) for priority in priorities]


def _group(words: Mapping[str, str]) -> Meaning | None:
    """Return an ingress buffer: (pool, lossless, reserved, xoff, xon, alpha)."""
    group = _numbered(words["buffer"], "iPort.pg")
    lossless = "xoff" in words
    sizes = [_CONFIG.size(words[name]) for name in ("reserved", "xoff", "xon") if name in words]
    factor = _CONFIG.alpha(words["alpha"])
    if None in sizes or (factor is None and words["alpha"] != "inf"):
        return None
    if group is None:  # the buffer of the whole port, of which we have no model
        return [] if words["buffer"] == "iPort" else None
    reserved, xoff, xon = (*sizes, None, None)[:3]
    return [(("group", group), (words["pool"], lossless, reserved, xoff, xon, factor))]


def _queue_buffer(words: Mapping[str, str]) -> Meaning | None:
    queue = _numbered(words["buffer"], "ePort.tc")
    reserved, factor = _CONFIG.size(words["reserved"]), _CONFIG.alpha(words["alpha"])
    if reserved is None or (factor is None and words["alpha"] != "inf"):
        return None
    if queue is None:
        return [] if words["buffer"] in ("ePort", "ePort.mc") else None
    return [(("queue buffer", queue), (words["pool"], reserved, factor))]


def _buffer_bare(words: Mapping[str, str]) -> Meaning | None:
    name, prefix = ("group", "iPort.pg") if words["side"] == "ingress" else ("queue buffer", "ePort.tc")
    number = _numbered(words["buffer"], prefix)
    return None if number is None else [((name, number), True)]


def _mtu(words: Mapping[str, str]) -> Meaning | None:
    mtu = whole_number(words.get("mtu", "1500"), 12_000)
    return None if mtu is None else [(("mtu",), mtu)]


def _speed(words: Mapping[str, str]) -> Meaning:
    number, unit = words["speed"][:-1], words["speed"][-1:].upper()
    rate = whole_number(number, 800_000)
    return [(("speed",), rate * _RATE[unit])] if rate and unit in _RATE else []


def _channel(kind: str, words: Mapping[str, str]) -> Meaning | None:
    number = whole_number(words.get("number", "0"), 9999)
    return None if number is None else [(("channel",), f"{kind}{number}")]


def _default_priority(words: Mapping[str, str]) -> Meaning | None:
    priority = whole_number(words.get("priority", "0"), 7)
    return None if priority is None else [(("default priority",), priority)]


_READERS: dict[str, Any] = {
    "pfc_mode": _pfc,
    "watchdog": lambda _: [(("watchdog",), True)],
    "trust": _trust,
    "dscp": lambda words: _codes("dscp", 63, words),
    "pcp": _pcp,
    "rewrite": _rewrite,
    "default_pcp": _default_priority,
    "flowcontrol": _flowcontrol,
    "bind": _bind,
    "strict": _ets,
    "weighted": _ets,
    "ets": _ets,
    "absolute": lambda words: _marking("kbyte", words),
    "relative": lambda words: _marking("percent", words),
    "marking": _marking_bare,
    "group_bind": _group_bind,
    "lossless": _group,
    "lossy": _group,
    "egress": _queue_buffer,
    "buffer": _buffer_bare,
    "mtu": _mtu,
    "speed": _speed,
    "channel": lambda words: _channel("Po", words),
    "mlag": lambda words: _channel("Mpo", words),
    "shutdown": lambda _: [(("shutdown",), True)],
    "switchport": lambda _: [(("switchport",), "access")],
    "switchport_mode": lambda words: [(("switchport",), "access" if words["mode"] == "access" else "trunk")],
    "peer_link": lambda _: [(("peer link",), True)],
    "dcbx": lambda _: [(("dcbx",), "ieee")],
    "dcbx_cee": lambda _: [(("dcbx",), "cee")],
}
"""What the shapes of `parse/port.ttp` mean; a shape that is missing here is known and carries nothing we model."""
