"""Reads the interface sections of a running configuration, ranges in headers expanded."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.grammar import Record, grammar
from rocecfg.state.numbers import whole_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.sections import Block, BodyLine
    from vendors.dell_os10.config import Config, Interface, Value

_HERE = Path(__file__)
_CONFIG = load_module(_HERE.with_name("config.py"))

MOST_PORT_REFERENCES = 100_000
"""Ports named by all headers of one text, ranges expanded; a text with more is not a switch's."""
_NO_PORT = re.compile(
    r"(?:range )?(?:vlan|loopback|mgmt|virtual-network|null|tunnel|fibrechannel|vfabric|breakout|port-group)"
    r" ?(?:[\d/:., -]+| mode .*| map .*)?(?: map .*)?",
    re.IGNORECASE,
)
_QOS_WORDS = {
    "priority-flow-control", "service-policy", "flowcontrol", "ets", "dcbx", "lldp", "mtu", "qos-map", "trust-map",
    "random-detect", "trust", "qos", "pfc",
}  # fmt: skip
_PORT_WORDS = _QOS_WORDS | {"speed", "channel-group", "shutdown", "switchport"}


def read_interfaces(config: Config, blocks: list[Block]) -> None:
    """Take the sections of ports and port-channels."""
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
    records = grammar(_HERE.with_name("parse") / "interface.ttp").read(wanted)
    settings = {text: _Setting(text, record) for text, record in records.items()}
    for ports, lines in ours:
        for line in lines:
            setting = settings[line.text]
            config.lines_read += setting.counted
            if setting.key:
                _put(ports, setting, line.number)
            elif setting.counted and not setting.understood:
                config.refuse(line.text, line.number, inside=True)


def read_peer_links(config: Config, blocks: list[Block]) -> None:
    """Note the ports of the link between two VLT peers; OS10 wants them without switchport, and tags all frames."""
    for line in (line for block in blocks for line in block.body):
        if line.text.startswith("discovery-interface "):
            for name in _CONFIG.port_names(line.text.removeprefix("discovery-interface ").removeprefix("range ")) or ():
                port = config.interfaces.get(name)
                if port is not None:
                    port.settings["peer link"] = (True, line.number)
                    port.settings.pop("mode", None)


def _put(ports: list[Interface], setting: _Setting, number: int) -> None:
    """State a value on every port of a header, or take it back (`no ...`)."""
    for port in ports:
        if setting.value is None:
            port.settings.pop(setting.key, None)
        else:
            port.settings[setting.key] = (setting.value, number)


def _first_word(text: str) -> str:
    word, _, rest = text.partition(" ")
    return rest.partition(" ")[0] if word == "no" else word


def _ports_of(config: Config, block: Block) -> list[Interface]:
    """Return the ports that a header names; an interface type that OS10 does not have is noted."""
    text = block.header[len("interface ") :]
    single = _CONFIG.port_name(text)
    names = [single] if single is not None else _CONFIG.port_names(text.removeprefix("range "))
    if names:
        ports = []
        for name in names:
            port = config.interfaces.get(name)
            if port is None:
                port = config.interfaces[name] = _CONFIG.Interface(name, block.number)
            ports.append(port)
        return ports
    if _NO_PORT.fullmatch(text) is None:
        odd = text.rstrip("0123456789/-, ") or text
        config.odd_interfaces.setdefault(odd, (block.header, block.number))
        for line in block.body:  # OS10 refuses the header, and with it what stands below
            if _first_word(line.text) in _QOS_WORDS and _first_word(line.text) != "mtu":
                config.lines_read += 1
                config.refuse(line.text, line.number, inside=True)
    return []


class _Setting:
    """What one line below an interface states: a value under a key, or nothing we model (key "")."""

    __slots__ = ("counted", "key", "understood", "value")

    def __init__(self, text: str, record: Record | None) -> None:
        self.counted = _first_word(text) in _QOS_WORDS
        said = None if record is None else meaning(record)
        self.understood = said is not None
        self.key: str = said[0] if said is not None else ""
        self.value: Value = said[1] if said is not None else None


_MODES = {
    "pfc_mode": ("pfc", ("on", "off", "auto")),
    "ets": ("ets", ("on", "off")),
    "dcbx": ("dcbx", ("auto", "cee", "ieee")),
}
_DIRECTIONS = {"network-qos": "input", "queuing": "output"}


def meaning(record: Record) -> tuple[str, Value] | None:
    """Return (name, value) that a line states; value None takes it back, name "" is not modelled.

    None for words that OS10 does not have.
    """
    kind, words = record.kind, record.values
    if kind in _MODES:
        key, accepted = _MODES[kind]
        word = next(iter(words.values()))
        return (key, word) if word in accepted else None
    if kind in ("attach", "detach"):
        return _attachment(words, attached=kind == "attach")
    if kind in ("trust", "no_trust"):
        key = f"trust {words['field']}"
        return (key, words["name"] if kind == "trust" else None) if words["field"] in ("dot1p", "dscp") else None
    if kind in ("flowcontrol", "no_flowcontrol"):
        mode = words.get("mode", "off")
        if words["direction"] not in ("receive", "transmit") or mode not in ("on", "off"):
            return None
        return f"flowcontrol {words['direction']}", mode if kind == "flowcontrol" else None
    if kind == "mtu":
        mtu = whole_number(words["mtu"], 9216, 576)
        return None if mtu is None else ("mtu", mtu)
    if kind == "switched":
        return "mode", "trunk" if words.get("mode") == "trunk" else "access"
    return _plain_meaning(kind, words)


def _attachment(words: Mapping[str, str], *, attached: bool) -> tuple[str, Value] | None:
    """Return what a service-policy line attaches: network-qos is an input policy, queuing an output one."""
    kind, direction = words["type"], words["direction"]
    if kind in _DIRECTIONS:
        return (kind, words.get("name") if attached else None) if direction == _DIRECTIONS[kind] else None
    # `type qos` classifies by rules of its own, `application` and `control-plane` are no QoS of ports.
    if kind == "qos" and direction in ("input", "output"):
        return f"qos {direction}", words.get("name") if attached else None
    return ("", None) if kind in ("application", "control-plane") else None


def _plain_meaning(kind: str, words: Mapping[str, str]) -> tuple[str, Value]:
    """Return (name, value) of the lines whose words need no judging."""
    plain: dict[str, tuple[str, Value]] = {
        "no_pfc_mode": ("pfc", None),
        "no_mtu": ("mtu", None),
        "no_ets": ("ets", None),
        "no_dcbx_version": ("dcbx", None),
        "no_dcbx": ("dcbx", "off"),
        "queue_map": ("queue map", words.get("name")),
        "no_queue_map": ("queue map", None),
        "port_wred": ("wred", words.get("name")),
        "pool_wred": ("pool wred", words.get("name")),
        "speed": ("speed", whole_number(words.get("speed", ""), 1_600_000)),
        "channel": ("channel", "port-channel" + words.get("number", "")[:4]),
        "no_channel": ("channel", None),
        "shutdown": ("enabled", False),
        "no_shutdown": ("enabled", True),
        "routed": ("mode", "routed"),
    }
    return plain.get(kind, ("", None))
