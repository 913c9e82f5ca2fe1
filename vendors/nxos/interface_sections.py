"""Reads the interface sections of a running configuration, ranges in headers expanded."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.grammar import Record, grammar
from rocecfg.state.numbers import whole_number
from rocecfg.state.sections import Block, BodyLine, expand_numbers

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from vendors.nxos.config import Config, Interface, Profile, Settings, Value

_HERE = Path(__file__)
_CONFIG = load_module(_HERE.with_name("config.py"))

MOST_PORT_REFERENCES = 100_000
"""Ports named by all headers of one text, ranges expanded; a text with more is not a switch's."""
_NO_PORT = re.compile(
    r"(?:(?:vlan|loopback|mgmt|nve|tunnel|sup-eth|bdi|fc|vfc|san-port-channel|overlay|null) ?[\d/,. -]+"
    r"|breakout .*|(?:ethernet|port-channel) ?[\d/]+\.[\d,. -]+)",
    re.IGNORECASE,
)
_QOS_WORDS = {
    "priority-flow-control", "service-policy", "flowcontrol", "link-level-flow-control", "lldp", "mtu", "queuing",
    "qos", "random-detect", "pause", "queue-limit",
}  # fmt: skip
_PORT_WORDS = _QOS_WORDS | {"speed", "channel-group", "shutdown", "switchport", "vpc", "inherit"}
_INHERIT = "inherit port-profile "
_DEEPEST = 4
"""NX-OS lets a port-profile inherit another one, four levels deep."""


def read_interfaces(config: Config, blocks: list[Block], vlans: list[Block], profiles: list[Block]) -> None:
    """Take the sections of ports, and what VLANs, logical interfaces and port-profiles state."""
    ours: list[tuple[list[Interface], list[BodyLine]]] = []
    elsewhere = [line for block in vlans for line in block.body if _first_word(line.text) in _QOS_WORDS]
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
        elif _NO_PORT.fullmatch(block.header[len("interface ") :]) is not None:
            elsewhere += [line for line in lines if line.text.startswith("service-policy ")]
            _read_arp(config, block)
    wanted.update(dict.fromkeys(line.text for line in elsewhere))
    of_profiles = [
        (block, [line for line in block.body if _first_word(line.text) in _PORT_WORDS]) for block in profiles
    ]
    wanted.update(dict.fromkeys(line.text for _, lines in of_profiles for line in lines))
    records = grammar(_HERE.with_name("parse") / "interface.ttp").read(wanted)
    settings = {text: _Setting(text, record) for text, record in records.items()}
    for block, lines in of_profiles:
        profile = _profile(config, block)
        for line, setting in _taken(config, lines, settings):
            _put([profile], setting, line.number)
    if any(text.startswith(_INHERIT) for text in wanted):
        _inherit(config, ours)
    for ports, lines in ours:
        for line, setting in _taken(config, lines, settings):
            _put(ports, setting, line.number)
    for line in elsewhere:
        setting = settings[line.text]
        config.lines_read += 1
        if setting.key.endswith("put"):
            config.elsewhere.append((setting.key, setting.value, line.number))
        elif not setting.understood:
            config.refuse(line.text, line.number)


def _taken(
    config: Config, lines: list[BodyLine], settings: Mapping[str, _Setting]
) -> Iterator[tuple[BodyLine, _Setting]]:
    """Yield the lines that state a value; count those of our subject and report what nobody understands."""
    for line in lines:
        setting = settings[line.text]
        config.lines_read += setting.counted
        if setting.key:
            yield line, setting
        elif setting.counted and not setting.understood:
            config.refuse(line.text, line.number)


def _profile(config: Config, block: Block) -> Profile:
    """Return the port-profile of a section, made on first sight, with its parents and whether it is enabled."""
    name = block.header.split(" ")[-1]
    profile: Profile = config.profiles.setdefault(name, _CONFIG.Profile(name, block.number))
    for line in block.body:
        if line.text.startswith(_INHERIT):
            profile.parents.append(line.text.removeprefix(_INHERIT))
        elif line.text in ("state enabled", "no state enabled"):
            profile.enabled = line.text == "state enabled"
    return profile


def _inherit(config: Config, ours: list[tuple[list[Interface], list[BodyLine]]]) -> None:
    """Give the ports what their port-profiles state; it comes before their own lines, which win."""
    for ports, lines in ours:
        for line in lines:
            if line.text.startswith(_INHERIT):
                name = line.text.removeprefix(_INHERIT)
                config.inherited.setdefault(name, line.number)
                for port in ports:
                    port.settings.update(_inherited(config, name, _DEEPEST))


def _inherited(config: Config, name: str, depth: int) -> Settings:
    """Return what a port gets from a port-profile; one that is not enabled gives nothing."""
    profile = config.profiles.get(name)
    if profile is None or not profile.enabled or not depth:
        return {}
    found: Settings = {}
    for parent in profile.parents[:_DEEPEST]:
        found.update(_inherited(config, parent, depth - 1))
    return found | profile.settings


def _read_arp(config: Config, block: Block) -> None:
    """Take the ARP timeout of a VLAN interface; the longest one is what flooding depends on."""
    if block.header[len("interface ") :].lower().startswith("vlan"):
        for line in block.body:
            if line.text.startswith("ip arp timeout "):
                found = _CONFIG.seconds(line.text.removeprefix("ip arp timeout "))
                config.timers["arp"] = max(found or 0, config.timers.get("arp", 0))


def _put(ports: Sequence[Interface | Profile], setting: _Setting, number: int) -> None:
    """State a value on every port of a header, or take it back (`no ...`)."""
    for port in ports:
        if setting.value is None:
            port.settings.pop(setting.key, None)
        else:
            port.settings[setting.key] = (setting.value, number)


@lru_cache(maxsize=4096)
def _first_word(text: str) -> str:
    """Return the first word of a line behind a `no`; ports repeat one another's lines."""
    word, _, rest = text.partition(" ")
    return rest.partition(" ")[0] if word == "no" else word


def _ports_of(config: Config, block: Block) -> list[Interface]:
    """Return the ports that a header names; an interface type that NX-OS does not have is noted."""
    text = block.header[len("interface ") :]
    single = _CONFIG.port_name(text)
    names = [single] if single is not None else [_CONFIG.port_name(name) for name in expand_numbers(text, limit=600)]
    if names and None not in names:
        ports = []
        for name in names:
            port = config.interfaces.get(str(name))
            if port is None:
                port = config.interfaces[str(name)] = _CONFIG.Interface(str(name), block.number)
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
    """What one line below an interface states: a value under a key, or nothing we model (key "")."""

    __slots__ = ("counted", "key", "understood", "value")

    def __init__(self, text: str, record: Record | None) -> None:
        self.counted = _first_word(text) in _QOS_WORDS
        meaning = None if record is None else _meaning(record)
        self.understood = meaning is not None
        self.key: str = meaning[0] if meaning is not None else ""
        self.value: Value = meaning[1] if meaning is not None else None


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
        return "watchdog", (
            words["mode"],
            "disable_action" in words,
            whole_number(words.get("multiplier", ""), 40),
        )
    if kind in ("attach", "detach"):
        key = _CONFIG.attachment(record)
        return None if key is None else (key, words["name"] if kind == "attach" else None)
    if kind == "flowcontrol":
        if words["direction"] not in ("receive", "send") or words["mode"] not in ("on", "off", "desired"):
            return None
        return f"flowcontrol {words['direction']}", words["mode"]
    if kind == "mtu":
        return None if whole_number(words["mtu"], 9216) is None else ("mtu", int(words["mtu"]))
    if kind == "switched":
        return "mode", "trunk" if words.get("mode") == "trunk" else "access"
    return _plain_meaning(kind, words)


def _plain_meaning(kind: str, words: Mapping[str, str]) -> tuple[str, Value]:
    """Return (name, value) of the lines whose words need no judging."""
    plain: dict[str, tuple[str, Value]] = {
        "no_pfc_mode": ("pfc", None),
        "no_watchdog": ("watchdog", None),
        "no_mtu": ("mtu", None),
        "dcbx": ("dcbx", words.get("version")),
        "speed": ("speed", whole_number(words.get("speed", ""), 1_600_000)),
        "channel": ("channel", "port-channel" + words.get("number", "")[:4]),
        "no_channel": ("channel", None),
        "shutdown": ("enabled", False),
        "no_shutdown": ("enabled", True),
        "routed": ("mode", "routed"),
        "peer_link": ("peer link", True),
    }
    return plain.get(kind, ("", None))
