"""Reads the sections of a running configuration of AOS-CX, or of a session pasted with its prompts."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.grammar import grammar
from rocecfg.state.numbers import number_set, whole_number
from rocecfg.state.sections import Block, BodyLine, cut, expand_numbers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.grammar import Record
    from vendors.aruba_cx.config import Config, Interface

_HERE = Path(__file__)
_PARSE = _HERE.with_name("parse")
_CONFIG = load_module(_HERE.with_name("config.py"))

MOST_PORT_REFERENCES = 100_000
"""Ports named by all headers of one text, ranges expanded; a text with more is not a switch's."""
_HEADERS = {
    "qos ": "global", "no qos ": "global", "apply qos ": "global", "lldp": "global", "no lldp": "global",
    "dcbx ": "global", "no dcbx ": "global",
    "qos queue-profile ": "queue-profile", "qos schedule-profile ": "schedule-profile",
    "qos threshold-profile ": "threshold-profile", "interface ": "interface", "hostname ": "hostname",
}  # fmt: skip
_PROFILES = ("queue-profile", "schedule-profile", "threshold-profile")
_VERSION = re.compile(r"^!Version ArubaOS-CX (\S{1,60})", re.MULTILINE)
_PROMPT = re.compile(r"^[\w.-]{1,64} ?(?:\((config(?:-[\w-]{1,40})?)\))?[#>][ \t]?", re.MULTILINE)
_BODY = {
    "profile": frozenset({"map", "name", "dwrr", "wfq", "strict", "queue"}),
    "interface": frozenset(
        {"flow-control", "qos", "apply", "mtu", "lag", "lldp", "routing", "vlan", "shutdown", "description", "ip",
         "speed", "ipv6", "spanning-tree", "vrf", "lacp"}
    ),
}  # fmt: skip
_OURS = frozenset({"flow-control", "qos", "mtu", "lldp", "dcbx"})
"""First words of interface lines that count as read; `apply` counts with `qos` behind it."""
_PERCENT = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,2})?")
_PLAIN = frozenset({"lag", "shutdown", "routing", "vlan"})


def read_config(file: str, content: str) -> Config:
    """Return what a text says. Raises ReadError when it names more ports than a switch has."""
    config: Config = _CONFIG.Config(file)
    found = _VERSION.search(content, 0, 4000)
    config.version = found[1] if found is not None else ""
    blocks = list(cut(_straightened(config, content), _HEADERS))
    config.blocks = len(blocks)
    globals_, profiles, interfaces = [], [], []
    for block in blocks:
        if block.kind == "hostname":
            config.hostname = block.header.split(" ", 1)[1].strip('"')[:253]
        elif block.kind == "interface":
            interfaces.append(block)
        elif block.kind in _PROFILES:
            profiles.append(block)
        else:
            globals_.append(block)
    _read_globals(config, globals_)
    _read_profiles(config, profiles)
    _read_interfaces(config, interfaces)
    return config


def _straightened(config: Config, content: str) -> str:
    """Return a text with prompts turned into indentation, and lost indentation put back; line numbers stay."""
    if "(config" in content:
        config.session = _PROMPT.search(content) is not None
        content = _PROMPT.sub(lambda found: "    " if (found[1] or "config") != "config" else "", content)
    lines, body = [], ""
    for line in content.split("\n"):
        if line[:1] in {" ", "\t", "!"} or not line.strip():
            lines.append(line)
            continue
        if line.startswith("interface "):
            body = "interface"
        elif line.startswith(tuple(f"qos {kind} " for kind in _PROFILES)):
            body = "profile"
        elif body and _first(line) in _BODY[body]:
            lines.append(f"    {line}" if not _global_again(body, line) else line)
            continue
        else:
            body = ""
        lines.append(line)
    return "\n".join(lines)


def _global_again(body: str, line: str) -> bool:
    """Return whether a flat line below an interface can only be one of the switch as a whole."""
    return body == "interface" and line.startswith(
        ("apply qos queue-profile ", "qos pool ", "qos dscp-map ", "ip route")
    )


def _read_globals(config: Config, blocks: list[Block]) -> None:
    records = grammar(_PARSE / "global.ttp").read(block.header for block in blocks)
    for block in blocks:
        config.lines_read += 1
        record = records[block.header]
        if record is None or not _take_global(config, record, block.number):
            config.refuse(block.header, block.number)


def _take_global(config: Config, record: Record, number: int) -> bool:
    """Take a line of the switch as a whole; False when its words make no sense."""
    kind, words = record.kind, record.values
    if kind in ("trust", "no_trust"):
        return _take_trust(config, words, number)
    if kind == "dcbx":
        return _option(config, "dcbx", words.get("version", "ieee"), number, ("ieee", "cee"))
    if kind in ("dscp_map", "cos_map"):
        codes = number_set(words["codes"], 63 if kind == "dscp_map" else 7)
        to = whole_number(words["to"], 7)
        if codes is None or to is None:
            return False
        table = config.dscp if kind == "dscp_map" else config.cos
        table.update(dict.fromkeys(codes, (to, number)))
    elif kind == "pool":
        return _take_pool(config, words, number)
    elif kind == "rewrite_map":
        priorities, to = number_set(words["from"], 7), whole_number(words["to"], 63)
        if priorities is None or to is None:
            return False
        config.rewrites.update(dict.fromkeys(priorities, (to, number)))
    elif kind == "apply":
        config.options.update({name: (value, number) for name, value in words.items()})
    return True


def _take_trust(config: Config, words: Mapping[str, str], number: int) -> bool:
    meaning = {"trust": None, "unmarked": None} if not words else _trust(words)
    for name, value in (meaning or {}).items():
        if value is None:
            config.options.pop(name, None)
        else:
            config.options[name] = (value, number)
    return meaning is not None


def _trust(words: Mapping[str, str]) -> dict[str, Any] | None:
    """Return the trust of a line, and the local priority that it gives to all packets of a port that trusts none."""
    to = whole_number(words["to"], 7) if "to" in words else None
    if words["mode"] not in ("none", "cos", "dscp") or ("to" in words and (to is None or words["mode"] != "none")):
        return None
    return {"trust": words["mode"], "unmarked": to}


def _option(config: Config, name: str, word: str, number: int, accepted: tuple[str, ...]) -> bool:
    if word in accepted:
        config.options[name] = (word, number)
    return word in accepted


def _take_pool(config: Config, words: Mapping[str, str], number: int) -> bool:
    sizes = []
    for word, number_in in ((words["size"], _percent), (words["headroom"], _kbytes)):
        size = None if word == "factory-default" else number_in(word)
        if size is None and word != "factory-default":
            return False
        sizes.append(size)
    priorities = number_set(words["priorities"], 7) if "priorities" in words else frozenset()
    if priorities is None:
        return False
    config.pools[words["name"]] = _CONFIG.BufferPool(words["name"], sizes[0], sizes[1], priorities, number)
    return True


def _percent(word: str) -> int | Fraction | None:
    """Return a share of the buffer: `30`, or `30.25` as newer releases take and print it."""
    share = Fraction(word) if _PERCENT.fullmatch(word) else None
    if share is None or share > 100:
        return None
    return int(share) if share.denominator == 1 else share


def _kbytes(word: str) -> int | None:
    kbytes: int | None = whole_number(word, 1_000_000)
    return kbytes


def _read_profiles(config: Config, blocks: list[Block]) -> None:
    records = grammar(_PARSE / "profile.ttp").read(line.text for block in blocks for line in block.body)
    for block in blocks:
        name = block.header.split()[2]
        key = (block.kind, name)
        profile = config.profiles.get(key)
        if profile is None:
            profile = config.profiles[key] = _CONFIG.Profile(block.kind, name, block.number)
        config.lines_read += 1
        for line in block.body:
            record = records[line.text]
            if line.text in ("exit", "end"):
                continue
            config.lines_read += 1
            if record is None or not _is_sensible(record):
                config.refuse(line.text, line.number)
            elif record.kind == "no_queue":
                queue = record.values["queue"]
                profile.settings[:] = [item for item in profile.settings if item[0].values.get("queue") != queue]
            elif record.kind != "known":
                profile.settings.append((record, line.number))


_TOPS = {"queue": 7, "weight": 1023, "low": 1_000_000, "high": 1_000_000, "probability": 100, "rate": 10**12}


def _is_sensible(record: Record) -> bool:
    """Return whether each number of a profile's line is one that the line can hold."""
    for name, word in record.values.items():
        if name in _TOPS and whole_number(word, _TOPS[name]) is None:
            return False
        if name == "from" and number_set(word, 7) is None:
            return False
    if record.kind == "wred":
        return record.values["what"] in ("wred-resp", "wred-non-resp", "wred") and record.values["colour"] in _COLOURS
    return record.values.get("unit", "kbps") in ("kbps", "percent")


_COLOURS = ("green", "yellow", "red", "all")


def _read_interfaces(config: Config, blocks: list[Block]) -> None:
    wanted: dict[str, None] = {}
    ours: list[tuple[list[Interface], list[BodyLine]]] = []
    references = 0
    for block in blocks:
        ports = _ports_of(config, block)
        references += len(ports)
        if references > MOST_PORT_REFERENCES:
            raise ReadError(f"{config.file}:{block.number}: more than {MOST_PORT_REFERENCES} ports are named")
        if ports:
            lines = [line for line in block.body if _is_ours(line.text) or _first(line.text) in _PLAIN]
            wanted.update(dict.fromkeys(line.text for line in lines))
            ours.append((ports, lines))
    records = grammar(_PARSE / "interface.ttp").read(wanted)
    for ports, lines in ours:
        for line in lines:
            record = records[line.text]
            taken = record is not None and _take_port_line(ports, record, line.number)
            if _is_ours(line.text):
                config.lines_read += 1
                if not taken:
                    config.refuse(line.text, line.number)


def _first(text: str) -> str:
    word, _, rest = text.partition(" ")
    return rest.partition(" ")[0] if word == "no" else word


def _is_ours(text: str) -> bool:
    return _first(text) in _OURS or text.startswith(("apply qos ", "no apply qos ", "ip mtu "))


def _ports_of(config: Config, block: Block) -> list[Interface]:
    text = block.header[len("interface ") :]
    single = _CONFIG.port_name(text)
    names = [single] if single is not None else [_CONFIG.port_name(name) for name in expand_numbers(text, limit=600)]
    if not names or None in names:
        return []  # a VLAN, loopback, tunnel, management port: nothing of ours stands there
    ports = []
    for name in names:
        port = config.interfaces.get(str(name))
        if port is None:
            port = config.interfaces[str(name)] = _CONFIG.Interface(str(name), block.number)
        ports.append(port)
    return ports


def _take_port_line(ports: list[Interface], record: Record, number: int) -> bool:
    """Take a line below an interface header; False when its words make no sense."""
    kind, words = record.kind, record.values
    if kind in ("pfc", "no_pfc"):
        return _take_pfc(ports, record, number)
    meaning = _meaning(kind, words)
    if meaning is None:
        return False
    for port in ports:
        for name, value in meaning.items():
            if value is None:
                port.settings.pop(name, None)
            else:
                port.settings[name] = (value, number)
    return True


def _take_pfc(ports: list[Interface], record: Record, number: int) -> bool:
    direction = record.values.get("direction", "rxtx")
    priorities = number_set(record.values.get("priorities", "0-7"), 7)
    if priorities is None or direction not in ("rx", "tx", "rxtx"):
        return False
    for port in ports:
        for priority in priorities:
            if record.kind == "pfc":
                port.pfc[priority] = (direction, number)
            else:
                port.pfc.pop(priority, None)
    return True


def _meaning(kind: str, words: Mapping[str, str]) -> dict[str, Any] | None:
    """Return what a line states by name (None takes it back), None for words that make no sense."""
    if kind == "trust":
        return _trust(words)
    if kind == "cable":
        metres = 0 if words["metres"] == "auto" else whole_number(words["metres"], 1_000_000, 1)
        return None if metres is None else {"cable": metres}
    if kind == "mtu":
        mtu = whole_number(words["mtu"], 65_535)
        return None if mtu is None else {"mtu": mtu}
    if kind == "link_pause":
        return {"link_pause": words["direction"]} if words["direction"] in ("rx", "tx", "rxtx") else None
    if kind == "rewrite":
        return {"rewrite": words["what"]} if words["what"] in ("cos", "dscp") else None
    if kind == "dcbx":
        version = words.get("version", "on")
        return {"dcbx": version} if version in ("on", "ieee", "cee") else None
    plain: dict[str, dict[str, Any]] = {
        "apply": dict(words),
        "no_trust": {"trust": None, "unmarked": None},
        "no_cable": {"cable": None},
        "no_mtu": {"mtu": None},
        "no_dcbx": {"dcbx": "off"},
        "lag": {"lag": f"lag {words.get('number', '')[:4]}"},
        "shutdown": {"enabled": False},
        "no_shutdown": {"enabled": True},
        "routed": {"mode": "routed"},
        "switched": {"mode": "access"},
        "trunk": {"mode": "trunk"},
    }
    return plain.get(kind, {})
