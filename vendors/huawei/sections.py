"""Reads the sections of a CloudEngine configuration: profiles, domains, device-wide lines."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.grammar import grammar
from rocecfg.state.numbers import whole_number
from rocecfg.state.sections import BodyLine, cut

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rocecfg.state.grammar import Record
    from rocecfg.state.sections import Block
    from vendors.huawei.config import Config

_HERE = Path(__file__)
_CONFIG = load_module(_HERE.with_name("config.py"))
_STRAIGHTEN = load_module(_HERE.with_name("straighten.py"))
_INTERFACES = load_module(_HERE.with_name("interface_sections.py"))
_PROFILES = load_module(_HERE.with_name("profile_sections.py"))

_HEADERS = {
    "interface ": "interface",
    "port-group ": "port-group",
    "dcb ": "top",
    "undo dcb ": "top",
    "qos ": "top",
    "undo qos ": "top",
    "dcb pfc uplink group ": "uplink",
    "dcb ets-profile ": "ets",
    "dcb app-profile ": "app",
    "abs-pfc profile ": "abs",
    "drop-profile ": "drop",
    "diffserv domain ": "domain",
    "ai-service": "ai",
    "lldp enable": "top",
    "undo lldp enable": "top",
    "assign forward nvo3 ": "top",
    "set priority traffic-class": "top",
    "device board ": "model",
    "sysname ": "name",
}
_COMMENTS = ("#", "!")
_VIEWS = {"ai-ecn", "iqcn", "npcc", "mice-elephant-flow"}
"""Views inside `ai-service` that concern queues."""
_VERSION = re.compile(r"^!Software Version (V\d{3}R\w{1,30})", re.MULTILINE | re.ASCII)
_BOARD = re.compile(r"device board \d{1,3} board-type (\S{1,60})", re.ASCII)
_OTHER_QOS = (
    "qos car ", "qos schedule-profile ", "qos local-precedence", "qos group ", "qos map-table ", "qos user-queue ",
    "qos flow-queue ", "qos flow-wred ", "qos tunnel ", "qos resource ", "qos stream", "qos ipv",
)  # fmt: skip
"""Device-wide `qos` commands about rate limits and re-marking by traffic policy: not our subject."""


def read_config(file: str, content: str) -> Config:
    """Return what a configuration says, its sections read; nothing is resolved yet."""
    config: Config = _CONFIG.Config(file)
    config.session = _STRAIGHTEN.is_session(content)
    version = _VERSION.search(content, 0, 4096)
    config.version = version[1] if version is not None else ""
    interfaces, groups, top = [], [], []
    for block in cut(_STRAIGHTEN.straightened(content), _HEADERS, _COMMENTS):
        config.blocks += 1
        kind = block.kind
        config.device_wide = config.device_wide or kind not in {"interface", "port-group"}
        if kind == "top" and _STRAIGHTEN.is_pfc_profile(block.header):
            _profile(config, block, "pfc")
        elif kind in {"ets", "drop", "domain"}:
            _profile(config, block, kind)
        elif kind in {"app", "abs", "uplink", "ai"}:
            _simple(config, block, kind)
        elif kind == "interface":
            interfaces.append(block)
        elif kind == "port-group":
            groups.append(block)
        elif kind == "top":
            top.append(BodyLine(block.number, 0, block.header))
            top += block.body
        else:
            _identity(config, block)
    _read_top(config, [line for line in top if not line.text.startswith(_OTHER_QOS)])
    _INTERFACES.read_interfaces(config, interfaces, groups)
    return config


def _identity(config: Config, block: Block) -> None:
    """Take the name of the device and the type of its boards."""
    if block.kind == "name":
        config.hostname = config.hostname or block.header.removeprefix("sysname ")[:63]
        return
    found = _BOARD.match(block.header)
    if found is not None:
        config.models[found[1]] = None


def _profile(config: Config, block: Block, kind: str) -> None:
    """Read a section whose lines state something of a named profile."""
    owner, take = _PROFILES.opened(config, kind, block.header, block.number)
    config.lines_read += 1
    if owner is None:
        config.refuse(block.header, block.number)
        return
    _each(config, block.body, kind, lambda record, number: take(owner, record, number))


def _simple(config: Config, block: Block, kind: str) -> None:
    """Read a section that is understood and mostly states nothing of the neutral state."""
    config.lines_read += 1
    body = _ours_of_service(block.body) if kind == "ai" else block.body
    if kind == "app":
        config.app_profiles.setdefault(block.header.split()[-1], block.number)
    view = ""

    def take(record: Record, number: int) -> bool:
        nonlocal view
        if record.kind == "view":
            view = record.values["view"]
            return view in _VIEWS
        if record.kind == "queue":
            queue = whole_number(record.values["queue"], 7)
            if queue is not None and view == "ai-ecn":
                config.ai_queues[queue] = number
            return queue is not None
        if record.kind == "ai_enable":
            config.options["ai-ecn"] = (True, number)
        return True

    _each(config, body, kind, take)


def _ours_of_service(body: list[BodyLine]) -> list[BodyLine]:
    """Leave out the zones of `inof`, an AI service that is about hosts and not about queues."""
    kept: list[BodyLine] = []
    foreign = False
    for line in body:
        foreign = line.text == "inof" or (foreign and line.text not in _VIEWS)
        if not foreign:
            kept.append(line)
    return kept


def _each(config: Config, body: list[BodyLine], kind: str, take: Callable[[Record, int], bool]) -> None:
    """Hand each line of a section to its reader; a line of no known shape or with a wrong word is reported."""
    records = grammar(_HERE.with_name("parse") / f"{kind}.ttp").read(line.text for line in body)
    for line in body:
        record = records[line.text]
        config.lines_read += 1
        if record is None or not take(record, line.number):
            config.refuse(line.text, line.number)


def _read_top(config: Config, lines: Iterable[BodyLine]) -> None:
    body = list(lines)
    _each(config, body, "top", lambda record, number: _take_top(config, record, number))


def _take_top(config: Config, record: Record, number: int) -> bool:
    """Take a device-wide line; return whether its words are ones that VRP has."""
    kind, words = record.kind, record.values
    slot = words.get("slot", "")
    if kind in {"lldp", "ecn", "pfc_off"}:
        config.options[kind] = (True, number)
    elif kind in {"no_lldp", "no_ecn", "no_pfc_off"}:
        config.options[kind.removeprefix("no_")] = (False, number)
    elif kind in {"dscp_mapping", "no_dscp_mapping"}:
        config.options[f"dscp-mapping {slot}"] = (kind == "dscp_mapping", number)
    elif kind == "headroom_pool":
        size = whole_number(words["size"], 1_048_576, 1)
        if size is None or words["unit"] not in {"kbytes", "mbytes"}:
            return False
        config.options[f"headroom-pool {slot}"] = ((size, words["unit"]), number)
    elif kind == "lossless_pool":
        percent = whole_number(words["percent"], 100)
        if percent is None:
            return False
        config.options[f"lossless-pool {slot}"] = (percent, number)
    elif kind == "no_headroom_pool":
        config.options.pop(f"headroom-pool {slot}", None)
    elif kind == "recovery":
        if words["behaviour"] not in {"forwarding", "discard"}:
            return False
        config.options[f"recovery {slot}"] = (words["behaviour"], number)
    elif kind in {"interval", "detect", "restore"}:
        time = whole_number(words["time"], 100_000, 1)
        if time is None or (kind == "interval" and time not in {10, 100, 500, 1000}):
            return False
        config.options[kind] = (time, number)
    elif kind.startswith("no_"):
        config.options.pop(kind.removeprefix("no_"), None)
    return True
