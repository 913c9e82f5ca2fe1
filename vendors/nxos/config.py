"""Reads a running configuration of NX-OS into what it says, section by section, before anything is resolved."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.errors import ReadError
from rocecfg.state.grammar import Record, grammar
from rocecfg.state.model import Line, Where
from rocecfg.state.sections import Block, BodyLine, cut, expand_numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_PARSE = Path(__file__).with_name("parse")
MOST_PORT_REFERENCES = 100_000
"""Ports named by all headers of one text, ranges expanded; a text with more is not a switch's."""

_HEADERS = {
    "class-map": "class-map",
    "policy-map": "policy-map",
    "system qos": "system",
    "interface ": "interface",
    "priority-flow-control": "global",
    "no priority-flow-control": "global",
    "link-level-flow-control": "global",
    "no link-level-flow-control": "global",
    "lldp ": "global",
    "no lldp ": "global",
    "feature lldp": "global",
    "no feature lldp": "global",
    "hardware qos ": "global",
    "hardware profile pfc": "global",
    "qos ": "global",
    "hostname ": "name",
    "switchname ": "name",
    "version ": "version",
    # A line of a QoS section that stands at the margin: its section has lost its indentation.
    "class ": "stray",
    "set qos-group": "stray",
    "match cos": "stray",
    "match dscp": "stray",
    "match qos-group": "stray",
    "random-detect": "stray",
    "bandwidth ": "stray",
    "queue-limit": "stray",
    "pause ": "stray",
    "service-policy ": "stray",
    "flowcontrol ": "stray",
}
_PORT = re.compile(r"(eth(?:ernet)?|e|po(?:rt-channel)?) ?(\d{1,4}(?:/\d{1,3}){0,3})", re.IGNORECASE)
_NO_PORT = re.compile(
    r"(?:(?:vlan|loopback|mgmt|nve|tunnel|sup-eth|bdi|fc|vfc|san-port-channel|overlay|null) ?[\d/,. -]+"
    r"|breakout .*|(?:ethernet|port-channel) ?[\d/]+\.[\d,. -]+)",
    re.IGNORECASE,
)
_QOS_WORDS = frozenset(
    "priority-flow-control service-policy flowcontrol link-level-flow-control lldp mtu queuing qos random-detect "
    "pause queue-limit".split()
)
_PORT_WORDS = _QOS_WORDS | {"speed", "channel-group", "shutdown", "switchport", "vpc"}

Value = Any
Settings = dict[str, tuple[Value, int]]
"""What an interface states: name -> (value, number of the line)."""


@dataclass(slots=True)
class ClassMap:
    """A class-map: which packets or groups it means."""

    type: str
    name: str
    match_any: bool
    number: int
    matches: list[tuple[Record, int]] = field(default_factory=list)


@dataclass(slots=True)
class PolicyClass:
    """A class inside a policy-map and its settings."""

    name: str
    number: int
    settings: list[tuple[Record, int]] = field(default_factory=list)

    def last(self, kind: str) -> tuple[Record, int] | None:
        """Return the setting of a kind that the device keeps: the last one."""
        return next((item for item in reversed(self.settings) if item[0].kind == kind), None)


@dataclass(slots=True)
class Policy:
    """A policy-map with its classes in order."""

    type: str
    name: str
    number: int
    classes: dict[str, PolicyClass] = field(default_factory=dict)


@dataclass(slots=True)
class Interface:
    """A port or port-channel: all its blocks, ranges expanded, later lines over earlier ones."""

    name: str
    number: int
    settings: Settings = field(default_factory=dict)


@dataclass(slots=True)
class Config:
    """All that a running configuration says about our subject."""

    file: str
    hostname: str = ""
    version: str = ""
    class_maps: dict[tuple[str, str], ClassMap] = field(default_factory=dict)
    policies: dict[tuple[str, str], Policy] = field(default_factory=dict)
    system: Settings = field(default_factory=dict)
    system_number: int = 0
    options: Settings = field(default_factory=dict)
    interfaces: dict[str, Interface] = field(default_factory=dict)
    odd_interfaces: dict[str, tuple[str, int]] = field(default_factory=dict)
    """Interface types that NX-OS does not have -> (first header, its line)."""
    blocks: int = 0
    lines: list[Line] = field(default_factory=list)
    lines_read: int = 0

    def where(self, number: int) -> Where:
        """Return the place of a line of this text."""
        return Where(self.file, number)

    def refuse(self, text: str, number: int) -> None:
        """Note a line of our sections that nobody understands."""
        self.lines.append(Line(text, Where(self.file, number)))


def port_name(text: str) -> str | None:
    """Return the name NX-OS prints for a port ("eth 1/1" -> "Ethernet1/1"), None when it is no port's name."""
    found = _PORT.fullmatch(text.strip())
    if found is None:
        return None
    kind = "port-channel" if found[1].lower().startswith("po") else "Ethernet"
    return kind + found[2]


def read_config(file: str, content: str) -> Config:
    """Return what a running configuration says. Raises ReadError for a text that names too many ports."""
    config = Config(file)
    blocks: dict[str, list[Block]] = {}
    for block in cut(content, _HEADERS):
        blocks.setdefault(block.kind, []).append(block)
        config.blocks += block.kind not in ("name", "version", "stray")
    for block in blocks.get("name", ()):
        config.hostname = block.header.split(" ")[1]
    for block in blocks.get("version", ()):
        config.version = block.header.split(" ")[1]
    for block in blocks.get("stray", ()):
        config.lines_read += 1
        config.refuse(block.header, block.number)
    _read_globals(config, blocks.get("global", []))
    _read_class_maps(config, blocks.get("class-map", []))
    _read_policies(config, blocks.get("policy-map", []))
    _read_system(config, blocks.get("system", []))
    _read_interfaces(config, blocks.get("interface", []))
    config.lines.sort(key=lambda line: line.place.line)
    return config


_MODES = {"watchdog": ("on", "off"), "override": ("off",)}


def _records(name: str, lines: Iterable[str]) -> dict[str, Record | None]:
    return grammar(_PARSE / f"{name}.ttp").read(lines)


def _read_globals(config: Config, blocks: list[Block]) -> None:
    records = _records("top", (block.header for block in blocks))
    for block in blocks:
        config.lines_read += 1 + len(block.body)
        for line in block.body:
            config.refuse(line.text, line.number)
        record = records[block.header]
        mode = "" if record is None else record.values.get("mode", "")
        if record is None or (record.kind in _MODES and mode not in _MODES[record.kind]):
            config.refuse(block.header, block.number)
        elif record.kind == "no_override":
            config.options.pop("override", None)
        elif record.kind == "no_watchdog":
            config.options["watchdog"] = ("off", block.number)
        elif record.kind != "known":
            words = record.values
            config.options[record.kind] = (words.get("mode") or words.get("count") or "on", block.number)


def _named(header: str, default_type: str) -> tuple[str, str, str] | None:
    """Return (type, mode, name) of a class-map or policy-map header."""
    words = header.split(" ")[1:]
    kind = default_type
    if len(words) > 2 and words[0] == "type":
        kind, words = words[1], words[2:]
    mode = words.pop(0) if len(words) == 2 and words[0] in ("match-any", "match-all", "match-first") else ""
    if len(words) != 1 or words[0] == "?" or kind not in ("qos", "network-qos", "queuing", "control-plane"):
        return None
    return kind, mode, words[0]


def _refuse_block(config: Config, block: Block) -> None:
    config.lines_read += 1 + len(block.body)
    config.refuse(block.header, block.number)
    for line in block.body:
        config.refuse(line.text, line.number)


def _read_class_maps(config: Config, blocks: list[Block]) -> None:
    ours: list[tuple[ClassMap, Block]] = []
    for block in blocks:
        named = _named(block.header, "qos")
        if named is None:
            _refuse_block(config, block)
        elif named[0] != "control-plane":
            kind, mode, name = named
            known = config.class_maps.get((kind, name))
            if known is None:
                # Queuing and network-qos classes name groups: one packet has one group, so any match decides.
                match_any = mode == "match-any" or kind != "qos"
                known = config.class_maps[kind, name] = ClassMap(kind, name, match_any, block.number)
            ours.append((known, block))
    records = _records("class_map", (line.text for _, block in ours for line in block.body))
    for class_map, block in ours:
        config.lines_read += 1 + len(block.body)
        for line in block.body:
            record = records[line.text]
            if record is None or not _valid_match(record):
                config.refuse(line.text, line.number)
            elif record.kind != "known":
                class_map.matches.append((record, line.number))


_DSCP_NAMES = {
    "default": 0,
    "ef": 46,
    **{f"cs{number}": 8 * number for number in range(1, 8)},
    **{f"af{high}{low}": 8 * high + 2 * low for high in range(1, 5) for low in range(1, 4)},
}


def codes(text: str, top: int) -> frozenset[int] | None:
    """Return the codes of a match list: `18,20,22`, `24-31`, `af31`; None when it is none."""
    found: set[int] = set()
    for part in text.replace(",", " ").split():
        first, dash, last = part.partition("-")
        low, high = _code(first), _code(last if dash else first)
        if low is None or high is None or not low <= high <= top:
            return None
        found.update(range(low, high + 1))
    return frozenset(found) or None


def _code(word: str) -> int | None:
    return int(word) if word.isascii() and word.isdigit() and len(word) < 4 else _DSCP_NAMES.get(word.lower())


def _valid_match(record: Record) -> bool:
    if record.kind == "group":
        return _number(record.values["group"], 7) is not None
    if "codes" in record.values:
        return codes(record.values["codes"], 63 if record.kind.endswith("dscp") else 7) is not None
    return True


def _number(word: str, top: int) -> int | None:
    """Return a number up to `top`, None for any other word."""
    return int(word) if word.isascii() and word.isdigit() and len(word) <= 12 and int(word) <= top else None


def _read_policies(config: Config, blocks: list[Block]) -> None:
    ours: dict[str, list[tuple[Policy, Block]]] = {"qos": [], "network-qos": [], "queuing": []}
    for block in blocks:
        named = _named(block.header, "qos")
        if named is None:
            _refuse_block(config, block)
        elif named[0] != "control-plane":
            kind, _, name = named
            policy = config.policies.setdefault((kind, name), Policy(kind, name, block.number))
            ours[kind].append((policy, block))
    for kind, items in ours.items():
        records = _records(
            f"policy_{kind.replace('-', '_')}", (line.text for _, block in items for line in block.body)
        )
        for policy, block in items:
            config.lines_read += 1
            _read_policy(config, policy, block, records)


def _read_policy(config: Config, policy: Policy, block: Block, records: dict[str, Record | None]) -> None:
    """Take the lines of a policy-map. Depth does not matter: a setting belongs to the class line above it."""
    current: PolicyClass | None = None
    for line in block.body:
        config.lines_read += 1
        record = records[line.text]
        if record is not None and record.kind == "class":
            name = record.values["name"]
            current = policy.classes.setdefault(name, PolicyClass(name, line.number))
        elif record is None or not _valid_setting(record) or (current is None and record.kind != "known"):
            config.refuse(line.text, line.number)
        elif current is not None and record.kind != "known":
            current.settings.append((record, line.number))


_TOPS: dict[str, dict[str, int]] = {
    "group": {"group": 7},
    "mtu": {"mtu": 9216},
    "percent": {"percent": 100},
    "remaining": {"percent": 100},
    "priority": {"level": 8},
    "wred": {"low": 52_428_800, "high": 52_428_800, "probability": 100, "weight": 15},
    "pause": {"buffer": 268_435_456, "pause": 268_435_456, "resume": 268_435_456},
    "limit_dynamic": {"index": 10},
    "limit_static": {"limit": 12_582_912},
    "shape": {"low": 100_000_000_000, "high": 100_000_000_000},
}
_WORDS = {
    "low_unit": frozenset(("packets", "bytes", "kbytes", "mbytes")),
    "high_unit": frozenset(("packets", "bytes", "kbytes", "mbytes")),
    "unit": frozenset(("packets", "bytes", "kbytes", "mbytes")),
    "preset": frozenset(("burst-optimized", "mesh-optimized")),
}
RATES = {"bps": 1, "kbps": 1_000, "mbps": 1_000_000, "gbps": 1_000_000_000}


def _valid_setting(record: Record) -> bool:
    """Return whether the numbers of a policy line are ones that NX-OS takes and we can convert."""
    tops = _TOPS.get(record.kind, {})
    for name, word in record.values.items():
        if name in tops and _number(word, tops[name]) is None:
            return False
        if name == "codes" and codes(word, 7) is None:
            return False
        if name == "code" and codes(word, 63) is None:
            return False
        accepted = RATES.keys() if record.kind == "shape" and name.endswith("unit") else _WORDS.get(name)
        if accepted is not None and word not in accepted:
            return False
    return True


def _read_system(config: Config, blocks: list[Block]) -> None:
    records = _records("system_qos", (line.text for block in blocks for line in block.body))
    for block in blocks:
        config.lines_read += 1 + len(block.body)
        config.system_number = config.system_number or block.number
        if block.header != "system qos":
            config.refuse(block.header, block.number)
        for line in block.body:
            record = records[line.text]
            key = None if record is None else _attachment(record)
            if record is None or key is None:
                config.refuse(line.text, line.number)
            else:
                config.system[key] = (record.values["name"], line.number)


def _attachment(record: Record) -> str | None:
    """Return "qos input" and the like, None for an attachment that NX-OS does not have."""
    if record.kind == "network":
        return "network-qos"
    kind, direction = record.values.get("type"), record.values.get("direction")
    known = kind in ("qos", "queuing") and direction in ("input", "output")
    return f"{kind} {direction}" if known else None


def _read_interfaces(config: Config, blocks: list[Block]) -> None:
    ours: list[tuple[list[Interface], list[BodyLine]]] = []
    wanted: dict[str, None] = {}
    references = 0
    for block in blocks:
        ports = _ports_of(config, block)
        references += len(ports)
        if references > MOST_PORT_REFERENCES:
            raise ReadError(f"{config.file}:{block.number}: more than {MOST_PORT_REFERENCES} ports are named")
        lines = [line for line in block.body if _first_word(line.text) in _PORT_WORDS]
        if ports:
            wanted.update(dict.fromkeys(line.text for line in lines))
            ours.append((ports, lines))
    settings = {text: _Setting(text, record) for text, record in _records("interface", wanted).items()}
    for ports, lines in ours:
        for line in lines:
            setting = settings[line.text]
            config.lines_read += setting.counted
            if setting.apply is None:
                if setting.counted:
                    config.refuse(line.text, line.number)
                continue
            for port in ports:
                setting.apply(port.settings, line.number)


def _first_word(text: str) -> str:
    word, _, rest = text.partition(" ")
    return rest.partition(" ")[0] if word == "no" else word


def _ports_of(config: Config, block: Block) -> list[Interface]:
    """Return the ports that a header names; an interface type that NX-OS does not have is noted."""
    text = block.header[len("interface ") :]
    single = port_name(text)
    names = [single] if single is not None else [port_name(name) for name in expand_numbers(text, limit=600)]
    if names and None not in names:
        ports = []
        for name in names:
            port = config.interfaces.get(str(name))
            if port is None:
                port = config.interfaces[str(name)] = Interface(str(name), block.number)
            ports.append(port)
        return ports
    if _NO_PORT.fullmatch(text) is None:
        odd = text.rstrip("0123456789/-, ") or text
        config.odd_interfaces.setdefault(odd, (block.header, block.number))
        for line in block.body:  # NX-OS refuses the header, and with it what stands below
            if _first_word(line.text) in _QOS_WORDS and _first_word(line.text) != "mtu":
                config.lines_read += 1
                config.refuse(line.text, line.number)
    return []


class _Setting:
    """What one line below an interface does to its settings; `apply` is None when it is not understood."""

    __slots__ = ("apply", "counted")

    def __init__(self, text: str, record: Record | None) -> None:
        self.counted = _first_word(text) in _QOS_WORDS
        self.apply: Callable[[Settings, int], None] | None = None
        meaning = None if record is None else _meaning(record)
        if meaning is not None:
            key, value = meaning
            self.apply = (lambda settings, number: None) if not key else _change(key, value)


def _change(key: str, value: Value) -> Callable[[Settings, int], None]:
    def remove(settings: Settings, number: int) -> None:  # noqa: ARG001 - same shape as `put`
        settings.pop(key, None)

    def put(settings: Settings, number: int) -> None:
        settings[key] = (value, number)

    return remove if value is None else put


def _meaning(record: Record) -> tuple[str, Value] | None:
    """Return (name, value) that an interface line states; value None takes it back, name "" is not modelled."""
    kind, words = record.kind, record.values
    if kind == "pfc_mode":
        if words["mode"] not in ("on", "off", "auto"):
            return None
        return "pfc", (words["mode"], "send_tlv" in words)
    if kind == "watchdog":
        # A number here is a frequent mistake: the command takes on or off, times are global.
        if words["mode"] not in ("on", "off"):
            return None
        return "watchdog", (words["mode"], "disable_action" in words, _number(words.get("multiplier", ""), 40))
    if kind in ("attach", "detach"):
        key = _attachment(record)
        return None if key is None else (key, words["name"] if kind == "attach" else None)
    if kind == "flowcontrol":
        if words["direction"] not in ("receive", "send") or words["mode"] not in ("on", "off", "desired"):
            return None
        return f"flowcontrol {words['direction']}", words["mode"]
    if kind == "mtu":
        return None if _number(words["mtu"], 9216) is None else ("mtu", int(words["mtu"]))
    if kind == "switched":
        return "mode", "trunk" if words.get("mode") == "trunk" else "access"
    simple: dict[str, tuple[str, Value]] = {
        "no_pfc_mode": ("pfc", None),
        "no_watchdog": ("watchdog", None),
        "no_mtu": ("mtu", None),
        "dcbx": ("dcbx", words.get("version")),
        "speed": ("speed", _number(words.get("speed", ""), 1_600_000)),
        "channel": ("channel", "port-channel" + words.get("number", "")[:4]),
        "no_channel": ("channel", None),
        "shutdown": ("enabled", False),
        "no_shutdown": ("enabled", True),
        "routed": ("mode", "routed"),
        "peer_link": ("peer link", True),
    }
    return simple.get(kind, ("", None))
