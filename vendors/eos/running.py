"""Cuts a running configuration of EOS into its sections and takes their lines."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.abbreviations import spelled_out
from rocecfg.state.numbers import whole_number
from rocecfg.state.sections import Block, BodyLine, cut

if TYPE_CHECKING:
    from vendors.eos.config import Config, Holder
    from vendors.eos.settings import Meaning

_HERE = Path(__file__)
_CONFIG = load_module(_HERE.with_name("config.py"))
_SETTINGS = load_module(_HERE.with_name("settings.py"))
_STRAIGHTEN = load_module(_HERE.with_name("straighten.py"))
_GLOBAL = load_module(_HERE.with_name("global_lines.py"))

MOST_PORT_REFERENCES = 100_000
"""Ports named by all headers of one text, ranges expanded; a text with more is not a switch's."""
_HEADERS = {
    "interface ": "interface",
    "interface profile ": "interface profile",
    "qos profile ": "profile",
    "class-map type qos ": "class-map",
    "policy-map type quality-of-service ": "policy-map",
    "policy-map type qos ": "policy-map",
    "platform trident mmu queue profile ": "mmu",
    "hostname ": "hostname",
    **dict.fromkeys(
        (
            "qos ", "no qos ", "priority-flow-control ", "no priority-flow-control ", "lldp ", "no lldp ", "dcbx ",
            "no dcbx ", "platform trident mmu headroom-pool ", "no platform trident mmu ", "platform sand qos ",
            "hardware counter feature ecn", "no hardware counter feature ecn", "mac address-table aging-time ",
            "arp timeout ",
        ),
        "global",
    ),
}  # fmt: skip
_PORT_WORDS = frozenset(
    {"priority-flow-control", "qos", "service-profile", "service-policy", "flowcontrol", "dcbx", "lldp", "mtu", "shape",
     "tx-queue", "uc-tx-queue", "mc-tx-queue"}
)  # fmt: skip
"""First words of the port lines that are our subject: each is taken or reported."""
_COUNTED = ("l2 m", "no l2 m", "default l2 m", "platform trident mmu ")
"""Beginnings of others. A port is said to take an MMU profile of its own: nobody published the line, it is reported."""
_QUIET_WORDS = frozenset({"speed", "channel-group", "shutdown", "switchport", "profile"})
"""First words of the port lines that we look at, and that others may mean as well."""
_QUEUE = re.compile(r"(?:(uc|mc)-)?tx-queue ([0-9]{1,2})")
_NO_PORT = re.compile(
    r"(?:vlan|loopback|management|vxlan|tunnel|recirc-channel|register|fabric|switch|unconnectedethernet|dps|internal|"
    r"defaults|ethernet ?[\d/]+\.|port-channel ?\d+\.|cpu|test|inband).*",
    re.IGNORECASE,
)
_DEVICE = re.compile(r"^! device: (\S{1,255}) \(([\w.+-]{1,64}), EOS-([^\s()]{1,64})", re.MULTILINE)


_TYPED = (
    "int|erface", "pol|icy-map", "class-m|ap", "priority-f|low-control", "service-pr|ofile", "service-po|licy",
    "flowc|ontrol", "random-d|etect", "random|-detect", "band|width", "uc-t|x-queue", "mc-t|x-queue", "tx-q|ueue",
)  # fmt: skip
"""First words as people type them, the shortest beginning before the bar."""


def read_config(file: str, content: str) -> Config:
    """Return what a running configuration, or a part of one, says."""
    config: Config = _CONFIG.Config(file)
    config.session = _STRAIGHTEN.is_session(content)
    head = _DEVICE.search(content, 0, 4_000)
    if head is not None:
        config.hostname, config.model, config.version = head[1], head[2], head[3]
    text = _STRAIGHTEN.straightened(spelled_out(_STRAIGHTEN.without_free_text(content), _TYPED))
    kinds: dict[str, list[Block]] = {}
    for block in cut(text, _HEADERS):
        kinds.setdefault(block.kind, []).append(block)
    for block in kinds.get("hostname", ()):
        config.hostname = block.header.split()[1]
    _GLOBAL.read_lines(config, kinds.get("global", []))
    _GLOBAL.read_class_maps(config, kinds.get("class-map", []))
    _GLOBAL.read_policy_maps(config, kinds.get("policy-map", []))
    _GLOBAL.read_mmu(config, kinds.get("mmu", []))
    _read_holders(config, kinds)
    return config


def _read_holders(config: Config, kinds: dict[str, list[Block]]) -> None:
    """Take the sections that hold port settings: interfaces, qos profiles, interface profiles."""
    ours: list[tuple[list[Holder], list[BodyLine], bool]] = []
    references = 0
    for block in kinds.get("profile", ()):
        name = block.header[len("qos profile ") :]
        profile = config.profiles.setdefault(name, _CONFIG.Holder(name, block.number))
        ours.append(([profile], block.body, True))
    for block in kinds.get("interface profile", ()):
        name = block.header[len("interface profile ") :]
        profile = config.interface_profiles.setdefault(name, _CONFIG.Holder(name, block.number))
        body = [
            BodyLine(line.number, line.indent, line.text.removeprefix("command "))
            for line in block.body
            if line.text.startswith("command ")
        ]
        ours.append(([profile], body, False))
    for block in kinds.get("interface", ()):
        if block.header == "interface defaults":
            _read_defaults(config, block)
        ports = _ports_of(config, block)
        references += len(ports)
        if references > MOST_PORT_REFERENCES:
            raise ReadError(f"{config.file}:{block.number}: more than {MOST_PORT_REFERENCES} ports are named")
        if ports:
            ours.append((ports, block.body, False))
    _take(config, ours)


def _read_defaults(config: Config, block: Block) -> None:
    """Take what holds on every port that says nothing itself: the MTU of routed ones, whether they are shut down."""
    for line in block.body:
        words = line.text.split()
        if words[0] == "mtu" and len(words) > 1:
            mtu = whole_number(words[1], 65535)
            config.lines_read += 1
            if mtu is None:
                config.refuse(line.text, line.number)
            else:
                config.options["default mtu"] = (mtu, line.number)
        elif line.text == "shutdown":
            config.options["default shutdown"] = (True, line.number)


def _ports_of(config: Config, block: Block) -> list[Holder]:
    """Return the ports that a header names; a header of our kind that makes no sense is reported."""
    text = block.header[len("interface ") :]
    names = _CONFIG.port_names(text)
    if names is None:
        if _NO_PORT.fullmatch(text) is None:
            config.lines_read += 1
            config.refuse(block.header, block.number)
        else:
            config.other_interfaces += 1
        return []
    interfaces = config.interfaces
    for name in names:
        if name not in interfaces:
            interfaces[name] = _CONFIG.Holder(name, block.number)
    return [interfaces[name] for name in names]


def _take(config: Config, ours: list[tuple[list[Holder], list[BodyLine], bool]]) -> None:
    """Read all lines of all holders: each distinct one once."""
    sorted_lines = [(holders, _sorted(body, whole=whole)) for holders, body, whole in ours]
    meanings: dict[str, dict[str, Meaning]] = {}
    for kind in ("port", "queue"):
        of_kind = (
            line.text for _, lines in sorted_lines for line, at, _ in lines if (at is not None) == (kind == "queue")
        )
        meanings[kind] = _SETTINGS.meanings(kind, dict.fromkeys(of_kind))
    of_port, of_queue = meanings["port"], meanings["queue"]
    for holders, lines in sorted_lines:
        for line, queue, counted in lines:
            meaning = of_port[line.text] if queue is None else of_queue[line.text]
            config.lines_read += counted
            if meaning is None:
                if counted:
                    config.refuse(line.text, line.number)
                continue
            if queue == _MULTICAST:
                continue
            for setting in meaning:
                key = setting.key if queue is None else f"queues.{queue}.{setting.key}"
                for holder in holders:
                    holder.take(key, setting.value, line.number, cleared=setting.cleared)


_MULTICAST = -1
"""Stands for the number of a multicast queue: its lines are understood, RoCE is unicast."""


def _sorted(body: list[BodyLine], *, whole: bool) -> list[tuple[BodyLine, int | None, bool]]:
    """Return the lines that are our subject: with the queue they stand below, and whether they count."""
    found: list[tuple[BodyLine, int | None, bool]] = []
    queue: int | None = None
    below = -1
    for line in body:
        if queue is not None and line.indent > below:
            found.append((line, queue, True))
            continue
        queue = None
        text = line.text
        header = _QUEUE.fullmatch(text) if "tx-queue" in text else None
        if header is not None and int(header[2]) < 8:
            queue, below = (_MULTICAST if header[1] == "mc" else int(header[2])), line.indent
            continue
        first, _, rest = text.partition(" ")
        if first in ("no", "default"):
            first = rest.partition(" ")[0]
        if whole or first in _PORT_WORDS or text.startswith(_COUNTED):
            found.append((line, None, True))
        elif first in _QUIET_WORDS:
            found.append((line, None, False))
    return found
