"""Reads the interface views of a Comware configuration, ranges in headers expanded."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.grammar import Record, grammar
from rocecfg.state.numbers import number_set, whole_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rocecfg.state.sections import Block, BodyLine
    from vendors.h3c.config import Config, Interface, Schedule, Value, WredTable

_HERE = Path(__file__)
_NAMES = load_module(_HERE.with_name("names.py"))
_CONFIG = load_module(_HERE.with_name("config.py"))

MOST_PORT_REFERENCES = 100_000
"""Ports named by all headers of one text, ranges expanded; a text with more is not a switch's."""
_QOS_WORDS = {"priority-flow-control", "qos", "flow-control", "lldp", "dcbx", "buffer", "jumboframe", "mtu"}
_PORT_WORDS = _QOS_WORDS | {"port", "speed", "shutdown"}
_UNCOUNTED = {"lldp", "port", "speed", "shutdown"}
"""Read for a few of their lines; the others are no concern of ours."""
_NO_PORT = re.compile(
    r"(?:m-(?:gigabitethernet|ethernet)|meth|vlan-interface|loopback|inloopback|null|tunnel|vsi-interface|mtunnel"
    r"|register-tunnel|irf-port|nve|eth-channel|service-loopback|blade-aggregation|virtual-\S*|fc|vfc|sae|hdlc-bundle"
    r"|ethernet|serial|cellular|schannel-aggregation|s-channel|bridge-aggregation|route-aggregation|reth|redundancy|"
    r"[a-z-]*(?:gigabitethernet|gige)) ?[0-9./:]*(?: mode \S+)?",
    re.IGNORECASE,
)
MOST_BYTES = 65_535
MOST_CELLS = 100_000_000
MOST_KBPS = 2_000_000_000
_BUFFER_WORDS = {"headroom": "headroom", "reserved-buffer": "reserved", "ingress-threshold-offset": "offset"}


def records(name: str, lines: Iterable[str]) -> dict[str, Record | None]:
    """Return the lines with their records, None for one of no known shape or with a word that Comware does not take."""
    found = grammar(_HERE.with_name("parse") / f"{name}.ttp").read(lines)
    return {
        line: record if record is not None and _NAMES.makes_sense(record.kind, record.values) else None
        for line, record in found.items()
    }


def read_interfaces(config: Config, blocks: list[Block]) -> None:
    """Take the views of ports and aggregates; other interfaces are skipped."""
    ours: list[tuple[list[Interface], list[BodyLine]]] = []
    wanted: dict[str, None] = {}
    references = 0
    for block in blocks:
        ports = _ports_of(config, block)
        references += len(ports)
        if references > MOST_PORT_REFERENCES:
            raise ReadError(f"{config.file}:{block.number}: more than {MOST_PORT_REFERENCES} ports are named")
        if ports:
            lines = [line for line in block.body if _first_word(line.text) in _PORT_WORDS]
            wanted.update(dict.fromkeys(line.text for line in lines))
            ours.append((ports, lines))
    known = records("interface", wanted)
    for ports, lines in ours:
        for line in lines:
            record = known[line.text]
            counted = _first_word(line.text) not in _UNCOUNTED
            config.lines_read += counted
            taken = record is not None and all(_take(port, record, line.number) for port in ports)
            if counted and not taken:
                config.refuse(line.text, line.number)


def _first_word(text: str) -> str:
    word, _, rest = text.partition(" ")
    return rest.partition(" ")[0] if word == "undo" else word


def _ports_of(config: Config, block: Block) -> list[Interface]:
    """Return the ports that a header names; what is no interface of Comware is noted."""
    text = block.header[len("interface ") :]
    if text.startswith("range "):
        names = _range_of(config, text[len("range ") :])
    else:
        single = _NAMES.port_name(text)
        names = [single] if single is not None else None
    if names is not None:
        return [config.interface(name, block.number) for name in names]
    if text.startswith("range ") or _NO_PORT.fullmatch(text) is None:
        config.lines_read += 1
        config.refuse(block.header, block.number)
    return []


def _range_of(config: Config, text: str) -> list[str] | None:
    """Return the ports of `interface range`, a named one too."""
    if not text.startswith("name "):
        found: list[str] | None = _NAMES.port_range(text)
        return found
    name, _, rest = text[len("name ") :].partition(" ")
    if not rest:
        return config.ranges.get(name)
    ports: list[str] | None = _NAMES.port_range(rest.removeprefix("interface "))
    if ports is not None:
        config.ranges[name] = ports
    return ports


def _take(port: Interface, record: Record, number: int) -> bool:
    """State what a line says on a port; False when its words make no sense."""
    kind, words = record.kind, record.values
    if kind in ("known", "tunnel"):
        return True
    if kind.startswith(("wred_limits", "wred_ecn", "wred_weight")):
        return take_wred(port.wred, kind.removeprefix("wred_"), words, number)
    if kind == "no_wred":
        return take_wred(port.wred, "no_queue", words, number)
    if kind.startswith(("schedule_", "no_schedule_", "share_", "strict_", "no_share_")):
        what, _, mode = kind.rpartition("_")
        return take_share(port.schedule, what, {**words, "mode": mode}, number)
    if kind == "guarantee":
        return take_share(port.schedule, kind, words, number)
    if kind in ("headroom", "xoff", "no_buffer"):
        return _take_buffer(port, kind, words, number)
    if kind in ("shaper", "no_shaper"):
        return _take_shaper(port, kind, words, number)
    meaning = _meaning(kind, words)
    if meaning is None:
        return False
    key, value = meaning
    if value is None:
        port.settings.pop(key, None)
    else:
        port.settings[key] = (value, number)
    return True


_PLAIN: dict[str, tuple[str, Value]] = {
    "no_pfc": ("pfc", "off"),
    "no_no_drop": ("no_drop", frozenset()),
    "watchdog": ("watchdog", True),
    "no_watchdog": ("watchdog", False),
    "no_recover": ("recover", None),
    "no_trust": ("trust", None),
    "no_priority": ("priority", None),
    "wred_default": ("wred", ""),
    "no_wred_table": ("wred", None),
    "no_profile": ("profile", None),
    "flow_control": ("flow_control", "both"),
    "flow_control_receive": ("flow_control", "rx"),
    "no_flow_control": ("flow_control", "off"),
    "dcbx": ("dcbx", True),
    "dcbx_all": ("dcbx", True),
    "no_dcbx": ("dcbx", False),
    "lldp": ("lldp", True),
    "no_lldp": ("lldp", False),
    "jumbo_default": ("jumbo", None),
    "no_mtu": ("mtu", None),
    "no_member": ("member", None),
    "shutdown": ("enabled", False),
    "no_shutdown": ("enabled", True),
    "peer_link": ("peer link", True),
}
_WORD: dict[str, str] = {
    "recover": "recover",
    "trust": "trust",
    "dcbx_version": "dcbx version",
    "link_mode": "link mode",
    "link_type": "link type",
}
_NUMBER: dict[str, tuple[str, str, int]] = {
    "priority": ("priority", "value", 7),
    "jumbo": ("jumbo", "bytes", MOST_BYTES),
    "mtu": ("mtu", "bytes", MOST_BYTES),
    "member": ("member", "number", 65_535),
}


def _meaning(kind: str, words: Mapping[str, str]) -> tuple[str, Value] | None:
    """Return (name, value) that a line states; value None takes it back, None = its words make no sense."""
    if kind in _PLAIN:
        return _PLAIN[kind]
    if kind in _WORD:
        return _WORD[kind], words["word"]
    if kind in _NUMBER:
        key, word, top = _NUMBER[kind]
        number = whole_number(words[word], top)
        return None if number is None else (key, number)
    if kind == "pfc":
        return "pfc", words["mode"]
    if kind == "no_drop":
        listed = number_set(words["list"], 7)
        return None if listed is None else ("no_drop", listed)
    if kind == "wred_table":
        return "wred", words["name"]
    if kind == "profile":
        return "profile", words["name"]
    if kind == "policy":
        return f"policy {words['direction']}", words["name"]
    if kind == "no_policy":
        return f"policy {words['rest'].rpartition(' ')[2]}", None
    if kind == "speed":
        return "speed", whole_number(words["megabit"], 1_600_000)
    return None


def take_wred(table: WredTable, kind: str, words: Mapping[str, str], number: int) -> bool:
    """Note a WRED line of a queue; False when its numbers make no sense."""
    at = _NAMES.queue_number(words["queue"])
    if at is None:
        return kind == "no_queue" and words["queue"] == "all" and not table.queues.clear()  # type: ignore[func-returns-value]
    if kind == "no_queue":
        table.queues.pop(at, None)
        return True
    queue = table.queue(at)
    if kind in ("ecn", "no_ecn"):
        queue.ecn = number if kind == "ecn" else 0
        return True
    if kind == "weight":
        exponent = whole_number(words["value"], 99)
        if exponent is not None:
            queue.weight = (exponent, number)
        return exponent is not None
    low, high = (whole_number(words[word], MOST_CELLS) for word in ("low", "high"))
    percent = whole_number(words["percent"], 100) if "percent" in words else None
    if low is None or high is None or (percent is None and "percent" in words):
        return False
    level = whole_number(words["level"], 2) if "level" in words else None
    for colour in _CONFIG.COLOURS if level is None else (_CONFIG.COLOURS[level],):
        queue.limits[colour] = (low, high, percent, number)
    return True


def take_share(schedule: Schedule, kind: str, words: Mapping[str, str], number: int) -> bool:
    """Note a scheduling line of a port or a profile; False when its numbers make no sense."""
    if kind in ("schedule", "no_schedule"):
        if kind == "no_schedule" or (schedule.mode not in ("", words["mode"])):
            schedule.queues.clear()
        schedule.mode = "" if kind == "no_schedule" else words["mode"]
        schedule.number = number
        return True
    queue = _NAMES.queue_number(words["queue"])
    if queue is None:
        return False
    if kind in ("no_share", "no_queue"):
        schedule.queues.pop(queue, None)
    elif kind == "strict":
        schedule.queues[queue] = ("sp", None, number)
    elif kind == "guarantee":
        rate = whole_number(words["value"], MOST_KBPS)
        if rate is not None:
            schedule.guarantees[queue] = (rate * 1000, number)
        return rate is not None
    else:
        weight = whole_number(words["value"], MOST_CELLS)
        if weight is not None:
            schedule.queues[queue] = (words.get("group", "1"), weight, number)
        return weight is not None
    return True


def _take_buffer(port: Interface, kind: str, words: Mapping[str, str], number: int) -> bool:
    """Note a PFC buffer line: `headroom`, `reserved`, `offset`, `dynamic` or `static` of a priority."""
    listed = number_set(words["priority"], 7)
    if listed is None:
        return False
    word = _BUFFER_WORDS.get(words["word"], words["word"])
    value = None if kind == "no_buffer" else whole_number(words["value"], 100 if word == "dynamic" else MOST_CELLS)
    if kind != "no_buffer" and value is None:
        return False
    for priority in listed:
        known = port.buffers.setdefault(priority, {})
        if word in ("dynamic", "static", "ingress-buffer"):  # one trigger: the later line wins
            known.pop("dynamic", None)
            known.pop("static", None)
        if value is None:
            known.pop(word, None)
        else:
            known[word] = (value, number)
    return True


def _take_shaper(port: Interface, kind: str, words: Mapping[str, str], number: int) -> bool:
    queue = _NAMES.queue_number(words["queue"])
    if queue is None:
        return False
    if kind == "no_shaper":
        port.shapers.pop(queue, None)
        return True
    rate = whole_number(words["value"], MOST_KBPS)
    if rate is not None:
        port.shapers[queue] = (rate * 1000, number)
    return rate is not None
