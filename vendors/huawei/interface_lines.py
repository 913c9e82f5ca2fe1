"""What one line below an interface states: names and values, judged word by word."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import Amount, Dynamic, Static
from rocecfg.state.numbers import number_set, whole_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.grammar import Record

_CONFIG = load_module(Path(__file__).with_name("config.py"))

Meaning = tuple[tuple[str, Any], ...]
_NOTHING: Meaning = ()
_FACTOR = {"byte": 1, "kbyte": 1024, "mbyte": 1_048_576}
"""30720 kbytes are documented as 31457280 bytes."""
_UNITS = {"bytes": "byte", "kbytes": "kbyte", "mbytes": "mbyte", "cells": "cell"}
_RATES = {"kbps": 1_000, "mbps": 1_000_000, "gbps": 1_000_000_000}
_MODES = {"pq", "drr", "lpq", "wfq"}
"""`wfq` stands where chassis of older versions have it; it shares by weight as `drr` does."""
_DISTANCES = {"level-1", "level-10", "level-25", "level-50", "level-100"}
_LARGEST = 1 << 31
_KEYWORDS = {"auto", "manual", "mode", "static", "dynamic"}


def amount(word: str, unit: str) -> Amount | None:
    """Return a size as the line writes it; None for no number or no unit of VRP."""
    value, known = whole_number(word, _LARGEST), _UNITS.get(unit)
    if value is None or known is None:
        return None
    factor = _FACTOR.get(known)
    return Amount(value, known, None if factor is None else value * factor)  # type: ignore[arg-type]


def meaning(record: Record) -> Meaning | None:
    """Return what a line states as (name, value), None as value = taken back; None for a line with a wrong word."""
    kind, words = record.kind, record.values
    queue = words.get("queue")
    if queue is not None and whole_number(queue, 7) is None:
        return None
    reader = _READERS.get(kind)
    if reader is not None:
        return reader(words)  # type: ignore[no-any-return]
    return _plain(kind, words)


def _plain(kind: str, words: Mapping[str, str]) -> Meaning | None:
    """Return (name, value) of the lines whose words need no judging."""
    queue = words.get("queue", "")
    plain: dict[str, Meaning] = {
        "no_pfc": (("pfc", ("off", "")),),
        "no_buffer": _taken_back(queue, words.get("what", "")),
        "ets": (("ets", words.get("profile")),),
        "no_ets": (("ets", None),),
        "app": (("app", words.get("profile")),),
        "no_app": (("app", None),),
        "cee": (("cee", True),),
        "no_cee": (("cee", None),),
        "no_trust": (("trust", None),),
        "domain": (("domain", words.get("domain")),),
        "no_domain": (("domain", None),),
        "no_port_priority": (("port priority", None),),
        "wred": ((f"wred {queue}", words.get("profile")),),
        "no_wred": ((f"wred {queue}", None),),
        "ecn": ((f"ecn {queue}", True),),
        "ecn_profile": ((f"ecn {queue}", True), (f"wred {queue}", words.get("profile"))),
        "no_ecn": ((f"ecn {queue}", False),),
        "no_weight": ((f"weight {queue}", None),),
        "no_shaping": ((f"shaper {queue}", None),),
        "no_limit": ((f"limit {queue}", None),),
        "no_flow_control": (("flow-control", (False, words.get("side", ""))),),
        "remark_dscp": (("remark dscp", True),),
        "no_remark_dscp": (("remark dscp", None),),
        "dcbx": (("dcbx", True),),
        "no_dcbx": (("dcbx", False),),
        "no_jumbo": (("mtu", None),),
        "no_distance": (("distance", None),),
        "shutdown": (("enabled", False),),
        "no_shutdown": (("enabled", True),),
        "routed": (("mode", "routed"),),
        "switched": (("mode", None),),
        "trunk_member": (("trunk", f"Eth-Trunk{words.get('trunk', '')[:5]}"),),
        "no_trunk_member": (("trunk", None),),
        "peer_link": (("peer link", True),),
        "no_port_mode": (("speed", None),),
    }
    return plain.get(kind, _NOTHING)


def _taken_back(queue: str, what: str) -> Meaning:
    """Return the thresholds that `undo dcb pfc buffer 3 WHAT` takes back: those it names, all without a name."""
    fills = ("xoff", "xon_below", "xon_at")
    named = {"guaranteed": ("reserved",), "hdrm": ("headroom",), "": (*fills, "reserved", "headroom")}
    names = named.get(what.split(" ", 1)[0], fills)
    return tuple((f"{name} {queue}" if queue else f"{name} *", None) for name in names)


def _pfc(words: Mapping[str, str]) -> Meaning | None:
    mode = {"auto": "auto", "manual": "on"}.get(words.get("mode", "manual"))
    profile = words.get("profile", "default")
    return (("pfc", (mode, profile)),) if mode is not None and profile not in _KEYWORDS else None


def _xoff(words: Mapping[str, str]) -> Meaning | None:
    """Return the threshold of the family with a headroom pool: a fill or an index, and how far Xon lies below it."""
    queue = words["queue"]
    limit = _limit(words.get("xoff"), words.get("unit", "kbytes"), words.get("alpha"))
    if limit is None:
        return None
    found: list[tuple[str, Any]] = [(f"xoff {queue}", limit)]
    if "offset" in words:
        offset = amount(words["offset"], words.get("offset_unit", "kbytes"))
        if offset is None:
            return None
        found.append((f"xon_below {queue}", offset))
    return tuple(found)


def _xon(words: Mapping[str, str]) -> Meaning | None:
    """Return the thresholds of the families without a headroom pool: both fills, or an alpha each."""
    queue = words["queue"]
    limit = _limit(words.get("xoff"), words.get("unit", "kbytes"), words.get("alpha"))
    if limit is None:
        return None
    if "xon" not in words:  # the alpha of Xon has no place in the neutral state
        return ((f"xoff {queue}", limit),)
    xon = amount(words["xon"], words["xon_unit"])
    return None if xon is None else ((f"xoff {queue}", limit), (f"xon_at {queue}", xon))


def _limit(size: str | None, unit: str, alpha: str | None) -> Static | Dynamic | None:
    if alpha is not None:
        index = whole_number(alpha, 12)
        return None if index is None else Dynamic(index=index)
    fixed = amount(size or "", unit)
    return None if fixed is None else Static(fixed)


def _size(name: str, unit: str, words: Mapping[str, str]) -> Meaning | None:
    size = amount(words["size"], words.get("unit", unit))
    if size is not None and size.unit == "kbyte" and name == "headroom" and not 16 <= size.value <= 30_720:
        return None
    return None if size is None else ((f"{name} {words['queue']}", size),)


def _queue_limit(words: Mapping[str, str]) -> Meaning | None:
    limit = _limit(words.get("size"), words.get("unit", ""), words.get("alpha"))
    return None if limit is None else ((f"limit {words['queue']}", limit),)


def _trust(words: Mapping[str, str]) -> Meaning | None:
    what, tag = words.get("what", "8021p"), words.get("tag", "outer")
    if what not in {"dscp", "8021p"} or tag not in {"outer", "inner"}:
        return None
    return (("trust", "dscp" if what == "dscp" else "pcp"),)


def _numbered(name: str, low: int, high: int, word: str, words: Mapping[str, str]) -> Meaning | None:
    value = whole_number(words[word], high, low)
    return None if value is None else ((f"{name} {words['queue']}" if "queue" in words else name, value),)


def _modes(words: Mapping[str, str]) -> Meaning | None:
    """Return the scheduling mode of each queue: `qos drr 0 to 5`, in older versions `qos pq 6 to 7 drr 0 to 5`."""
    found: dict[str, str] = {}
    mode, queues = words["mode"], ""
    for word in (*words["list"].split(), "end"):
        if word not in {*_MODES, "end"}:
            queues = f"{queues} {word}"
            continue
        numbers = number_set(queues, 7)
        if numbers is None or mode not in _MODES:
            return None
        found |= {f"mode {queue}": mode for queue in numbers}
        mode, queues = word, ""
    return tuple(found.items())


def _no_modes(words: Mapping[str, str]) -> Meaning | None:
    found = _modes(words)
    return None if found is None else tuple((key, None) for key, _ in found)


def _shaping(words: Mapping[str, str]) -> Meaning | None:
    """Return the peak rate of `cir 10000 kbps pir 20000 kbps`; without a peak the committed rate is the limit."""
    parts = words["rates"].split()
    rates = {"cir": _rate(parts[0:2])}
    for at, word in enumerate(parts):
        if word == "pir":
            rates["pir"] = _rate(parts[at + 1 : at + 3])
    if None in rates.values():
        return None
    rate = rates.get("pir", rates["cir"]) or None
    return ((f"shaper {words['queue']}", rate),)


def _shaping_percent(words: Mapping[str, str]) -> Meaning | None:
    """Return the rate limit as a share of the port: the port's speed is known to whoever resolves it."""
    percent = whole_number(words.get("pir", words["cir"]), 100, 1)
    return None if percent is None else ((f"shaper {words['queue']}", ("percent", percent)),)


def _rate(words: list[str]) -> int | None:
    value = whole_number(words[0] if words else None, 4_294_967_295)
    unit = _RATES.get(words[1], 1_000) if len(words) > 1 else 1_000
    return None if value is None else value * unit


def _flow_control(words: Mapping[str, str]) -> Meaning | None:
    side = words.get("side", "")
    return (("flow-control", (True, side)),) if side in {"", "input", "output"} else None


def _jumbo(words: Mapping[str, str]) -> Meaning | None:
    size = whole_number(words["size"], 16_384, 1518)
    return None if size is None else (("mtu", size),)


def _distance(words: Mapping[str, str]) -> Meaning | None:
    return (("distance", words["level"]),) if words["level"] in _DISTANCES else None


def _link_type(words: Mapping[str, str]) -> Meaning:
    return (("mode", "trunk" if words["type"] in {"trunk", "hybrid"} else "access"),)


def _trigger(words: Mapping[str, str]) -> Meaning | None:
    return _NOTHING if words["action"] in {"error-down", "turn-off"} else None


def _speed(words: Mapping[str, str]) -> Meaning:
    """Return the speed of a port in Mbit/s."""
    value = whole_number(words["speed"], 1_600_000, 10)
    return (("speed", value * 1_000_000),) if value is not None else _NOTHING


def _port_mode(words: Mapping[str, str]) -> Meaning:
    """Return the speed of `port mode 10G` and the like; other modes (stack) say nothing of it."""
    rate = _CONFIG.rate_of(words["mode"])
    return (("speed", rate),) if rate else _NOTHING


def _transceiver(words: Mapping[str, str]) -> Meaning:
    """Return the speed of `device transceiver 40GBASE-FIBER`: what a port runs at that its type does not tell."""
    kind, base, _ = words["type"].upper().partition("BASE")
    rate = _CONFIG.rate_of(kind) if base else None
    return (("transceiver", rate),) if rate else _NOTHING


_READERS: dict[str, Any] = {
    "port_mode": _port_mode,
    "transceiver": _transceiver,
    "pfc": _pfc,
    "pfc_mode": _pfc,
    "buffer_xoff": _xoff,
    "buffer_xon": _xon,
    "guaranteed": lambda words: _size("reserved", "bytes", words),
    "headroom": lambda words: _size("headroom", "kbytes", words),
    "limit_static": _queue_limit,
    "limit_dynamic": _queue_limit,
    "trust": _trust,
    "port_priority": lambda words: _numbered("port priority", 0, 7, "priority", words),
    "weight": lambda words: _numbered("weight", 1, 100, "weight", words),
    "modes": _modes,
    "no_modes": _no_modes,
    "shaping": _shaping,
    "shaping_percent": _shaping_percent,
    "flow_control": _flow_control,
    "jumbo": _jumbo,
    "distance": _distance,
    "link_type": _link_type,
    "trigger": _trigger,
    "speed": _speed,
}
