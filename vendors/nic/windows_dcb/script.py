"""Reads back the wanted values of a rendered `rocecfg-nic.ps1`: the lines inside its `$Wanted`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.model import Where

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vendors.nic.windows_dcb.facts import Host

_facts = load_module(Path(__file__).with_name("facts.py"))

START, END = "$Wanted = @{", "}"
_FIRST = "# RoCE settings of "
_SWITCH = {"true": True, "false": False}
_WILLING = re.compile(r"Willing = \$(true|false)")
_FLOW_CONTROL = re.compile(r"FlowControl = @\(((?:[0-7](?:, [0-7])*)?)\)")
_SECTION = re.compile(r"(Policies|TrafficClasses|Adapters) = @\(")
_POLICY = re.compile(
    r"@\{ Name = '([^']{1,100})'; Condition = @\{ ([A-Za-z]{1,40}) = ([0-9]{1,5}|\$true) \}; Priority = ([0-7]) \}"
)
_CLASS = re.compile(
    r"@\{ Name = '([^']{1,100})'; Priority = @\(([0-7](?:, [0-7])*)\); Algorithm = '(ETS|Strict)'; "
    r"BandwidthPercentage = ([0-9]{1,3}) \}"
)
_ADAPTER = re.compile(
    r"@\{ Name = '([^']{1,260})'; Qos = \$(true|false);(?: Rdma = \$(true|false);)? Properties = @\{(.{0,400})\} \}"
)
_PROPERTY = re.compile(r"'(\*[A-Za-z]{1,60})' = ([0-9]{1,6})")
SELECTORS = {"netdirectportmatchcondition": "netdirect", "cluster": "cluster"}


def is_script(lines: Sequence[str]) -> bool:
    """Return whether a text is one of our scripts, by its first line and its `$Wanted`."""
    return lines[0].startswith(_FIRST) and any(line.rstrip() == START for line in lines[:200])


def read(host: Host, lines: Sequence[str], file: str) -> tuple[int, list[tuple[str, Where]]]:
    """Read the wanted values; return the lines read and those not understood. Raises ReadError when cut off."""
    first = next(number for number, line in enumerate(lines) if line.rstrip() == START) + 1
    read_lines, inside = 0, ""
    strange: list[tuple[str, Where]] = []
    for number, line in enumerate(lines[first:], first + 1):
        words, place = line.strip(), Where(file, number)
        if line.rstrip() == END:
            return read_lines, strange
        section = _SECTION.fullmatch(words)
        if not words or words == ")":
            inside = "" if words else inside
            continue
        read_lines += 1
        if section is not None:
            inside = section[1]
            leaf = {"Policies": "app_to_tc", "TrafficClasses": "tc_to_queue"}.get(inside)
            if leaf is not None:
                host.places[leaf] = place
        elif not _take(host, words, inside, place):
            strange.append((words, place))
    raise ReadError(f'{file}: cut off: "{START}" has no closing "{END}"')


def _take(host: Host, words: str, inside: str, place: Where) -> bool:
    if inside == "Policies":
        return _policy(host, words, place)
    if inside == "TrafficClasses":
        return _class(host, words, place)
    if inside == "Adapters":
        return _adapter(host, words, place)
    willing, flow_control = _WILLING.fullmatch(words), _FLOW_CONTROL.fullmatch(words)
    if willing is not None:
        host.willing = _SWITCH[willing[1]]
        host.places["dcbx"] = place
    elif flow_control is not None:
        on = {int(word) for word in flow_control[1].split(", ") if word}
        host.flow_control = {priority: priority in on for priority in range(8)}
        host.places["pfc"] = place
    return willing is not None or flow_control is not None


def _policy(host: Host, words: str, place: Where) -> bool:
    found = _POLICY.fullmatch(words)
    if found is None:
        return False
    condition, value, priority = found[2].lower(), found[3], int(found[4])
    if condition == "default":
        host.default_priority = priority
        host.places["default_tc"] = place
    elif condition in SELECTORS:
        host.policies[(SELECTORS[condition], 0 if value == "$true" else int(value))] = priority
    else:
        return False
    return True


def _class(host: Host, words: str, place: Where) -> bool:
    found = _CLASS.fullmatch(words)
    if found is None or int(found[4]) > 100:
        return False
    priorities = frozenset(map(int, found[2].split(", ")))
    share = int(found[4]) if found[3] == "ETS" else None
    host.classes[found[1]] = _facts.TrafficClass(priorities, found[3], share, place)
    host.places[f"queues.{min(priorities)}"] = place
    return True


def _adapter(host: Host, words: str, place: Where) -> bool:
    found = _ADAPTER.fullmatch(words)
    if found is None:
        return False
    adapter = host.adapter(found[1], place)
    adapter.qos = _SWITCH[found[2]]
    adapter.rdma = _SWITCH.get(found[3] or "")
    for part in found[4].strip().split("; ") if found[4].strip() else ():
        keyword = _PROPERTY.fullmatch(part)
        if keyword is None:
            return False
        adapter.properties[keyword[1].lower()] = int(keyword[2])
    adapter.places.update(dict.fromkeys(("mtu", "link_pause", "nic"), place))
    return True
