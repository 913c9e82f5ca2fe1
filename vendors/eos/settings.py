"""What single lines below an interface or a qos profile mean: a value under a key, given or taken back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rocecfg.packs import load_module
from rocecfg.state.grammar import grammar
from rocecfg.state.model import Curve
from rocecfg.state.numbers import whole_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rocecfg.state.grammar import Record
    from vendors.eos.config import Value

_HERE = Path(__file__)
_CONFIG = load_module(_HERE.with_name("config.py"))


class Setting(NamedTuple):
    """One value that a line states; `cleared` = the line gives back the default (`no ...`, `default ...`)."""

    key: str
    value: Value
    cleared: bool = False


Meaning = tuple[Setting, ...] | None
"""None = not understood; empty = understood, nothing we model."""
_UNDERSTOOD: tuple[Setting, ...] = ()
WATCHDOG_ACTIONS = {"drop": "drop", "errdisable": "port-down", "notify-only": "alert"}
"""Arista's own model knows these; older generated files say `no-drop`, which it dropped: kept as unknown."""
_CLEARED: dict[str, tuple[str, Value]] = {
    "no_pfc": ("pfc", "off"),
    "no_watchdog_action": ("watchdog action", None),
    "no_watchdog_timer": ("watchdog timer", None),
    "default_watchdog": ("watchdog", True),
    "default_trust": ("trust", None),
    "no_cos": ("cos", 0),
    "no_dscp": ("dscp", 0),
    "no_profile": ("profile", None),
    "no_policy": ("policy", None),
    "no_dcbx": ("dcbx", "off"),
    "no_mtu": ("mtu", None),
    "no_shape": ("shape", None),
    "no_speed": ("speed", None),
    "no_channel": ("channel", None),
    "default_priority": ("priority", "strict"),
    "no_percent": ("percent", None),
    "no_guaranteed": ("guaranteed", None),
    "no_count": ("count", False),
    "no_ecn": ("ecn", None),
    "no_drop": ("drop", None),
}
_GIVEN: dict[str, tuple[str, Value]] = {
    "watchdog": ("watchdog", True),
    "no_watchdog": ("watchdog", False),
    "no_trust": ("trust", "none"),
    "shutdown": ("enabled", False),
    "no_shutdown": ("enabled", True),
    "routed": ("mode", "routed"),
    "strict": ("priority", "strict"),
    "weighted": ("priority", "weighted"),
    "count": ("count", True),
}


def meanings(kind: str, lines: Iterable[str]) -> dict[str, Meaning]:
    """Return what each distinct line of a kind of section ("port", "queue") means."""
    records = grammar(_HERE.with_name("parse") / f"{kind}.ttp").read(lines)
    of = _port if kind == "port" else _queue
    return {text: None if record is None else of(record) for text, record in records.items()}


def _plain(record: Record) -> Meaning:
    """Return the meaning of a line whose words need no judging, None for all others."""
    kind = record.kind
    if kind == "known":
        return _UNDERSTOOD
    if kind in _GIVEN:
        return (Setting(*_GIVEN[kind]),)
    return (Setting(*_CLEARED[kind], cleared=True),) if kind in _CLEARED else None


def _port(record: Record) -> Meaning:
    kind, words = record.kind, record.values
    plain = _plain(record)
    if plain is not None:
        return plain
    if kind == "pfc":
        return (Setting("pfc", words["mode"]),) if words["mode"] in ("on", "off") else None
    if kind in ("pfc_priority", "no_pfc_priority"):
        number = whole_number(words["priority"], 7)
        what = words.get("what", "no-drop")
        if number is None or what not in ("drop", "no-drop"):
            return None
        return (Setting(f"priority {number}", what if kind == "pfc_priority" else "drop", kind != "pfc_priority"),)
    if kind == "watchdog_action":
        if words["action"] == "no-drop":
            return _UNDERSTOOD
        action = WATCHDOG_ACTIONS.get(words["action"])
        return None if action is None else (Setting("watchdog action", action),)
    if kind == "watchdog_timer":
        return _timer(words)
    return _number(kind, words)


def _timer(words: Mapping[str, str]) -> Meaning:
    """Return (detect, poll, restore) of a port's timer line, in milliseconds; None = auto."""
    times = []
    for name in ("timeout", "poll", "restore"):
        value = _CONFIG.milliseconds(words[name])
        if value is None and words[name] != "auto":
            return None
        times.append(value)
    return (Setting("watchdog timer", tuple(times)),)


def _number(kind: str, words: Mapping[str, str]) -> Meaning:
    tops = {"cos": 7, "dscp": 63, "mtu": 65535}
    if kind in tops:
        value = whole_number(words[kind], tops[kind])
        return None if value is None else (Setting(kind, value),)
    if kind == "trust":
        word = {"dscp": "dscp", "cos": "pcp"}.get(words["trust"])
        return None if word is None else (Setting("trust", word),)
    if kind in ("profile", "policy"):
        return (Setting(kind, words["name"]),)
    if kind == "flowcontrol":
        fine = words["direction"] in ("send", "receive") and words["mode"] in ("on", "off", "desired")
        return (Setting(f"flowcontrol {words['direction']}", words["mode"]),) if fine else None
    if kind == "no_flowcontrol":
        fine = words["direction"] in ("send", "receive")
        return (Setting(f"flowcontrol {words['direction']}", "off", cleared=True),) if fine else None
    if kind == "dcbx":
        return (Setting("dcbx", words["mode"]),) if words["mode"] in ("ieee", "cee") else None
    if kind == "switched":
        return (
            (Setting("mode", "trunk" if words.get("mode") == "trunk" else "access"),)
            if "mode" in words
            else (Setting("switched", value=True),)
        )
    if kind == "speed":
        return (Setting("speed", _CONFIG.speed(words["speed"])),)
    if kind == "channel":
        number = whole_number(words["number"], 999_999)
        return None if number is None else (Setting("channel", f"Port-Channel{number}"),)
    if kind == "interface_profile":
        return (Setting("interface profile", tuple(words["names"].split()[:8])),)
    return _rate(kind, words)


def _queue(record: Record) -> Meaning:
    kind, words = record.kind, record.values
    plain = _plain(record)
    if plain is not None:
        return plain
    if kind == "percent":
        value = whole_number(words["percent"], 100)
        return None if value is None else (Setting("percent", value),)
    if kind in ("ecn", "drop"):
        return _curve(kind, words)
    return _rate(kind, words)


def _rate(kind: str, words: Mapping[str, str]) -> Meaning:
    """Return (number, unit) of a shape or guarantee; a bare number is kbit/s."""
    if kind not in ("shape", "guaranteed"):
        return None
    unit = words.get("unit", "kbps")
    value = whole_number(words["rate"], 100 if unit == "percent" else _CONFIG.LARGEST_NUMBER)
    return None if value is None or unit not in ("kbps", "percent", "pps") else (Setting(kind, (value, unit)),)


def _curve(kind: str, words: Mapping[str, str]) -> Meaning:
    """Return the ramp of a random-detect line and its weight; both thresholds carry the same unit."""
    low = _CONFIG.amount(words["low"], words["low_unit"])
    high = _CONFIG.amount(words["high"], words["high_unit"])
    if low is None or high is None or words["low_unit"] != words["high_unit"]:
        return None
    limits = {"probability": 100, "weight": 15, "precedence": 2}
    numbers = {name: whole_number(words[name], top) for name, top in limits.items() if name in words}
    if None in numbers.values():
        return None
    curve = Curve(low, high, numbers.get("probability"))
    if kind == "ecn":
        return (Setting("ecn", (curve, numbers.get("weight"))),)
    return (Setting(f"drop {numbers.get('precedence', '')}".strip(), (curve, numbers.get("weight"))),)
