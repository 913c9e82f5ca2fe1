"""Reads the interface sections of a configuration, and what is said of port groups for their members."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.grammar import grammar

if TYPE_CHECKING:
    from rocecfg.state.sections import Block, BodyLine
    from vendors.huawei.config import Config, Interface

_HERE = Path(__file__)
_CONFIG = load_module(_HERE.with_name("config.py"))
_MEANING = load_module(_HERE.with_name("interface_lines.py"))

MOST_PORT_REFERENCES = 100_000
"""Ports named by all headers of one text; a text with more is not a switch's."""
_NO_PORT = re.compile(
    r"(?:vlanif|loopback|meth|null|nve|vbdif|tunnel|stack-port|fabric-port|sip|virtual-if|ce|mgmt|global-ve|ve-group"
    r"|virtual-template|ip-trunk|gigabitethernet|xgigabitethernet|ethernet|\d{0,3}ge|eth-trunk|fcoe-port|fc)"
    r" ?[\d./:]*(?: mode l2| p2p)?",
    re.IGNORECASE | re.ASCII,
)
_SUBINTERFACE = re.compile(r"(.+)\.\d{1,6}(?: mode l2)?", re.ASCII)
_QOS_WORDS = {"dcb", "qos", "trust", "flow-control", "iqcn", "npcc", "long-distance", "abs-pfc", "jumboframe", "dei"}
_PORT_WORDS = {"shutdown", "portswitch", "eth-trunk", "speed", "peer-link"}
_TWO_WORDS = {
    "port priority": True, "port pfc-deadlock": True, "lldp tlv-enable": True, "lldp tlv-disable": True,
    "ipv6 npcc": True, "port link-type": False, "port mode": False, "device transceiver": False,
}  # fmt: skip
"""Two first words -> whether the line is about our subject."""


def read_interfaces(config: Config, blocks: list[Block], groups: list[Block]) -> None:
    """Take the sections of ports and of port groups; other interface types are not our business."""
    ours: list[tuple[list[Interface], list[tuple[BodyLine, bool]]]] = []
    wanted: dict[str, None] = {}
    references = 0
    for block in (*blocks, *groups):
        ports = _ports_of(config, block) if block.kind == "interface" else _members_of(config, block)
        references += len(ports)
        if references > MOST_PORT_REFERENCES:
            raise ReadError(f"{config.file}:{block.number}: more than {MOST_PORT_REFERENCES} ports are named")
        lines = [(line, counted) for line in block.body if (counted := _is_ours(line.text)) is not None]
        if ports:
            wanted.update({line.text: None for line, _ in lines})
            ours.append((ports, lines))
    records = grammar(_HERE.with_name("parse") / "interface.ttp").read(wanted)
    meanings = {text: None if record is None else _MEANING.meaning(record) for text, record in records.items()}
    for ports, lines in ours:
        for line, counted in lines:
            meaning = meanings[line.text]
            config.lines_read += counted
            if meaning is not None:
                _put(ports, meaning, line.number, counted=counted)
            elif counted:
                config.refuse(line.text, line.number)


def _put(ports: list[Interface], meaning: tuple[tuple[str, object], ...], number: int, *, counted: bool) -> None:
    """State values on every port, or take them back: a value of None, a key with `*` for all keys that begin so."""
    for port in ports:
        settings = port.settings
        port.counted = port.counted or counted
        for key, value in meaning:
            if key.endswith("*"):
                for known in [known for known in settings if known.startswith(key[:-1])]:
                    del settings[known]
            elif value is None:
                settings.pop(key, None)
            else:
                settings[key] = (value, number)


@lru_cache(maxsize=10_000)
def _is_ours(text: str) -> bool | None:
    """Return True for a line about our subject, False for one that describes the port, None for any other."""
    words = text.split(" ", 3)
    if words[0] == "undo":
        words = words[1:]
    first = words[0] if words else ""
    if first in _QOS_WORDS:
        return True
    if first in _PORT_WORDS:
        return False
    return _TWO_WORDS.get(" ".join(words[:2]))


def _ports_of(config: Config, block: Block) -> list[Interface]:
    """Return the port that a header names; a sub-interface marks its port as one with tagged frames."""
    text = block.header[len("interface ") :]
    name = _CONFIG.port_name(text)
    if name is None:
        owner = _SUBINTERFACE.fullmatch(text)
        of_port = _CONFIG.port_name(owner[1]) if owner is not None else None
        if of_port is not None:
            if of_port in config.interfaces:
                config.interfaces[of_port].settings["tagged"] = (True, block.number)
        elif _NO_PORT.fullmatch(text) is None:
            _refuse_lines(config, block)
        return []
    return [_interface(config, name, block.number)]


def _refuse_lines(config: Config, block: Block) -> None:
    """Report the lines about our subject below an interface type that VRP does not have."""
    for line in block.body:
        if _is_ours(line.text):
            config.lines_read += 1
            config.refuse(line.text, line.number)


def _interface(config: Config, name: str, number: int) -> Interface:
    port = config.interfaces.get(name)
    if port is None:
        port = config.interfaces[name] = _CONFIG.Interface(name, number)
        speed = _CONFIG.speed_of(name)
        if speed is not None:
            port.settings["type"] = (speed, number)
    return port


def _members_of(config: Config, block: Block) -> list[Interface]:
    """Return the members of a port group, whose other lines hold for each of them."""
    config.lines_read += 1
    ports = []
    header = block.header.split()
    if header[1:2] == ["group-member"]:  # a temporary group: port-group group-member A to B
        names = _CONFIG.port_list(" ".join(header[2:]))
        ports += [_interface(config, name, block.number) for name in names or ()]
        if names is None:
            config.refuse(block.header, block.number)
    for line in block.body:
        words = line.text.removeprefix("undo ")
        if not words.startswith("group-member "):
            continue
        config.lines_read += 1
        names = _CONFIG.port_list(words.removeprefix("group-member ").removeprefix("interface "))
        if names is None:
            config.refuse(line.text, line.number)
        elif words == line.text:
            ports += [_interface(config, name, line.number) for name in names]
    return ports
