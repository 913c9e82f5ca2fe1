"""Reads PFC, ETS and drop profiles and DiffServ domains, line by line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.numbers import number_set, whole_number

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocecfg.state.grammar import Record
    from vendors.huawei.config import Config, Domain, DropProfile, EtsProfile, PfcProfile, Ramp

_CONFIG = load_module(Path(__file__).with_name("config.py"))
_LONGEST_NAME = 63
_LARGEST = 1 << 31


def opened(config: Config, kind: str, header: str, number: int) -> tuple[Any, Callable[[Any, Record, int], bool]]:
    """Return the profile that a header opens (None for a header without a proper name), and the reader of its lines."""
    words = header.split()
    name = "default" if kind == "pfc" and len(words) == 2 else words[-1]
    if len(name) > _LONGEST_NAME or len(words) > 3:
        return None, _nothing
    profiles, make, take = {
        "pfc": (config.pfc_profiles, _CONFIG.PfcProfile, _take_pfc),
        "ets": (config.ets_profiles, _CONFIG.EtsProfile, _take_ets),
        "drop": (config.drop_profiles, _CONFIG.DropProfile, _take_drop),
        "domain": (config.domains, _CONFIG.Domain, _take_domain),
    }[kind]
    profile = profiles.get(name)  # type: ignore[attr-defined]
    if profile is None:
        profile = profiles[name] = make(name, number)  # type: ignore[index]
    return profile, take  # type: ignore[return-value]


def _nothing(_owner: Any, _record: Record, _number: int) -> bool:
    return False


def _take_pfc(profile: PfcProfile, record: Record, number: int) -> bool:
    """Take a line of a PFC profile: priorities add up, deadlock times are in units of the device's interval."""
    kind, words = record.kind, record.values
    if kind in {"priority", "no_priority"}:
        found = number_set(words["list"], 7) if "list" in words else tuple(profile.priorities)
        if found is None:
            return False
        for one in found:
            if kind == "priority":
                profile.priorities[one] = number
            else:
                profile.priorities.pop(one, None)
        return True
    priority = whole_number(words.get("priority"), 7)
    if priority is None:
        return False
    if kind == "threshold":
        return whole_number(words["count"], 300, 1) is not None
    for name, low, high in (("detect", 1, 15), ("restore", 0, 31)):
        if name in words:
            units = whole_number(words[name], high, low)
            if units is None:
                return False
            profile.times[name, priority] = (units, number)
    if kind in {"no_detect", "no_restore"}:
        profile.times.pop((kind.removeprefix("no_"), priority), None)
    return True


def _take_ets(profile: EtsProfile, record: Record, number: int) -> bool:
    """Take a line of an ETS profile."""
    kind, words = record.kind, record.values
    if kind in {"known", "queue"}:
        return "list" not in words or number_set(words["list"], 7) is not None
    group = whole_number(words["group"], 15)
    if group is None or 7 < group < 15:
        return False
    profile.lines[group] = number
    if kind == "weight":
        weight = whole_number(words["weight"], 100, 1)
        if weight is None:
            return False
        profile.groups[group], profile.weights[group] = "drr", weight
    elif kind == "strict":
        profile.groups[group] = "pq"
    elif kind == "members":
        queues = number_set(words["list"], 7)
        if queues is None:
            return False
        profile.groups.setdefault(group, "pq" if group == 15 else "drr")
        for queue in queues:
            profile.group_of[queue] = group
    elif kind == "no_group":
        profile.groups.pop(group, None)
    else:
        profile.groups.setdefault(group, "pq" if group == 15 else "drr")
    return True


def _take_drop(profile: DropProfile, record: Record, number: int) -> bool:
    """Take a line of a drop profile: the ECN ramp or the drop curve of a colour."""
    kind, words = record.kind, record.values
    colour = words.get("colour", "")
    if colour and colour not in _CONFIG.DROP_COLOURS:
        return False
    if kind in {"weight", "no_weight"}:
        profile.weight = whole_number(words["weight"], 63) if kind == "weight" else None
        return kind == "no_weight" or profile.weight is not None
    if kind == "no_ecn":
        profile.ecn = None
    elif kind == "no_colour":
        profile.colours.pop(colour, None)
    elif kind != "known":
        ramp = _ramp(kind.rpartition("_")[2], words, number)
        if ramp is None:
            return False
        if colour:
            profile.colours[colour] = ramp
        else:
            profile.ecn = ramp
    return True


def _ramp(unit: str, words: Any, number: int) -> Ramp | None:
    top = 100 if unit == "percent" else _LARGEST
    low, high = whole_number(words["low"], top), whole_number(words["high"], top)
    probability = whole_number(words["probability"], 100)
    if low is None or high is None or probability is None:
        return None
    return _CONFIG.Ramp(unit, low, high, probability, number)  # type: ignore[no-any-return]


def _take_domain(domain: Domain, record: Record, number: int) -> bool:
    """Take a line of a DiffServ domain."""
    kind, words = record.kind, record.values
    if kind == "known":
        return True
    colour, queue = words.get("colour", "green"), _CONFIG.PHBS.get(words.get("phb", "be"))
    if queue is None or colour not in _CONFIG.COLOURS:
        return False
    if kind in {"dscp_out", "no_dscp_out"}:
        to = whole_number(words.get("code", "0"), 63)
        if to is None:
            return False
        if kind == "dscp_out":
            domain.dscp_out[queue, colour] = (to, number)
        elif "phb" in words:
            domain.dscp_out.pop((queue, colour), None)
        else:
            domain.dscp_out.clear()
        return True
    table, top = (domain.dscp, 63) if kind.endswith("dscp") else (domain.pcp, 7)
    if kind.startswith("no_"):
        code = whole_number(words["code"], top) if "code" in words else None
        if "code" not in words:
            table.clear()
        elif code is None:
            return False
        else:
            table.pop(code, None)
        return True
    code = whole_number(words["code"], top)
    if code is None:
        return False
    table[code] = (queue, colour, number)
    return True
