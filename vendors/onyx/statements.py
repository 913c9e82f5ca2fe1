"""Cuts a text of Onyx into statements: whom each line is about, and what it says.

Onyx prints one full command a line (`interface ethernet 1/1 qos trust L3`); with prefix modes on, a bare
`interface ethernet 1/1` opens a context that lasts until `exit`, and the prompt of a session names it too.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.sections import text_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vendors.onyx.config import Config, Interface

_CONFIG = load_module(Path(__file__).with_name("config.py"))

_PROMPT = re.compile(r"[\w.-]{1,63} ?(?:\[[^\]]{1,80}\] ?)?(?:\((config[^)]{0,120})\) ?)?[#>](?: |$)")
_SHOWS = re.compile(r"sh(?:ow)? (?!run|conf)")
"""A show command, whose output is no configuration."""
_INTERFACE = re.compile(r"interface (ethernet|port-channel|mlag-port-channel) ([0-9/,-]{1,400})")
_POOL = re.compile(r"(?:traffic )?pool (\S{1,63})")
_HEADER = re.compile(
    r"## ?(Hostname|Product release|Product model|Model|Running database|Active saved database|Generated at)\b:? ?(.*)"
)
_QUOTED = ("banner ", "description ")

_KINDS = frozenset(("ethernet", "eth", "port-channel", "mlag-port-channel"))
PORT_WORDS = frozenset((
    "traffic-class", "qos", "dcb", "dcb-priority-flow-control", "pfc-wd", "flowcontrol", "ingress-buffer",
    "egress-buffer", "mtu", "lldp", "congestion-control", "priority-flow-control", "pfc", "ecn", "traffic", "roce",
))  # fmt: skip
"""First words of a port's lines that are ours to understand."""
KNOWN_WORDS = frozenset((
    "speed", "shutdown", "channel-group", "mlag-channel-group", "switchport", "ipl",
))  # fmt: skip
"""First words of a port's lines that we read where we know them, and that are not our subject."""
GLOBAL_WORDS = frozenset((
    "dcb", "roce", "traffic", "traffic-class", "advanced", "pool", "lldp", "pfc-wd", "priority-flow-control",
))  # fmt: skip
_POOL_WORDS = frozenset(("type", "memory", "map"))
_GLOBAL_ONLY = (
    "dcb priority-flow-control enable", "dcb priority-flow-control priority", "dcb application-priority", "roce",
    "traffic pool", "advanced ", "pool ",
)  # fmt: skip
"""Commands of the device: at the margin they end the context of a port."""
_OTHER_PORT_WORDS = frozenset((
    "description", "fec-override", "ip", "ipv6", "spanning-tree", "no", "lacp", "storm-control", "load-interval",
))  # fmt: skip


class Statement(NamedTuple):
    """One command: its line, whether it begins with `no`, the ports it is about (None = the device), its words."""

    number: int
    negated: bool
    ports: list[Interface] | None
    text: str
    ours: bool = True
    """The line is of our subject: it counts, and has to be understood."""


class _Context(NamedTuple):
    indent: int
    ports: list[Interface] | None
    pool: str


def statements(config: Config, text: str) -> Iterator[Statement]:
    """Yield the statements of a text that may be about QoS; note its header lines and ports in `config`."""
    context: _Context | None = None
    prefix_modes, quoted, printed = True, False, False
    for number, raw in enumerate(text_lines(text), 1):
        line = raw.strip()
        if "  " in line or not line.isprintable():
            line = " ".join(line.split())
        if quoted:
            quoted = '"' not in line
            continue
        if not line or line[0] in "#!":
            if line.startswith("##"):
                context = None
                _header(config, line)
            continue
        prompt = _PROMPT.match(line) if "#" in line or ">" in line else None
        if prompt is not None:  # what a show command prints lasts until the next prompt
            printed = _SHOWS.match(line, prompt.end()) is not None
        if printed:
            continue
        indent = len(raw) - len(raw.lstrip())
        if prompt is not None:
            line = line[prompt.end() :]
            context = _from_prompt(config, prompt[1] or "", number)
            indent = 2
            if not line:
                continue
        negated = line.startswith("no ")
        if negated:
            line = line[3:]
        if line.startswith(_QUOTED):
            quoted = line.count('"') == 1
            continue
        if line == "cli default prefix-modes enable":
            prefix_modes = not negated
            continue
        if line in {"exit", "end"}:
            context = None
            continue
        target = line.split(" ", 3) if line.startswith("int") else None
        if target is not None and len(target) > 2 and target[1] in _KINDS:
            rest = target[3] if len(target) > 3 else ""
            ports = _ports(config, target[1], target[2], number)
            context = None
            if ports is None:
                if rest.removeprefix("no ").split(" ", 1)[0] in PORT_WORDS:
                    yield Statement(number, negated, [], line)
            elif not rest:
                if negated:
                    yield Statement(number, negated, ports, "", ours=False)
                elif prefix_modes:
                    context = _Context(indent, ports, "")
            else:
                if rest.startswith("no "):
                    negated, rest = True, rest[3:]
                word = rest.split(" ", 1)[0]
                if word in PORT_WORDS or word in KNOWN_WORDS or rest.startswith("vlan default "):
                    yield Statement(number, negated, ports, rest, word not in KNOWN_WORDS)
            continue
        if target is not None:
            context = None
            continue
        word = line.split(" ", 1)[0]
        if word == "hostname":
            config.hostname = config.hostname or line.partition(" ")[2][:63]
        if context is not None and context.pool and word in _POOL_WORDS:
            yield Statement(number, negated, None, f"traffic pool {context.pool} {line}")
            continue
        if context is not None and context.ports is not None:
            if indent > context.indent or not line.startswith(_GLOBAL_ONLY):
                if word in PORT_WORDS or word in KNOWN_WORDS or line.startswith("vlan default "):
                    yield Statement(number, negated, context.ports, line, word not in KNOWN_WORDS)
                    continue
                if word in _OTHER_PORT_WORDS or indent > context.indent:
                    continue
            context = None
        if word in GLOBAL_WORDS:
            pool = _POOL.fullmatch(line) if line.startswith("traffic pool ") and not negated else None
            if pool is not None and prefix_modes:
                context = _Context(indent, None, pool[1])
            yield Statement(number, negated, None, line)


def _header(config: Config, line: str) -> None:
    found = _HEADER.match(line[:300])
    if found is None:
        return
    what, value = found[1], found[2].strip()
    if what == "Hostname":
        config.hostname = value[:63]
    elif what == "Product release":
        config.release = value[:40]
    elif what in {"Product model", "Model"}:
        config.model = value[:40]
    config.database = True


def _from_prompt(config: Config, mode: str, number: int) -> _Context | None:
    """Return the context that a prompt names: `(config interface ethernet 1/1)`, `(config pool roce)`."""
    words = mode.removeprefix("config").strip()
    found = _INTERFACE.fullmatch(words)
    if found is not None:
        ports = _ports(config, found[1], found[2], number)
        return None if ports is None else _Context(0, ports, "")
    pool = _POOL.fullmatch(words)
    return _Context(0, None, pool[1]) if pool is not None else None


def _ports(config: Config, kind: str, text: str, number: int) -> list[Interface] | None:
    """Return the ports of a range, made on first sight; None when the range makes no sense."""
    key = (kind, text)
    if key not in config.ranges:
        config.ranges[key] = _looked_up(config, kind, text, number)
    ports = config.ranges[key]
    config.references += len(ports or ())
    if config.references > _CONFIG.MOST_REFERENCES or len(config.ports) > _CONFIG.MOST_PORTS:
        raise ReadError(f"{config.file}:{number}: more ports are named than a switch has")
    return ports


def _looked_up(config: Config, kind: str, text: str, number: int) -> list[Interface] | None:
    names = _CONFIG.port_range(kind.lower(), text)
    if names is None:
        return None
    ports = []
    for name in names:
        port = config.ports.get(name)
        if port is None:
            port = config.ports[name] = _CONFIG.Interface(name, number)
        ports.append(port)
    return ports
