"""Reads the texts of a Nexus: running configurations and the show commands of its PFC, queues and watchdog."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.join import read_texts
from rocecfg.state.model import Device, Lag, Port, Where, intern_ports
from rocecfg.state.readable import readable_head
from rocecfg.vendor import registry

if TYPE_CHECKING:
    from rocecfg.state.capture import Capture, Text
    from rocecfg.state.model import PortQos
    from vendors.nxos.config import Config, Interface

_HERE = Path(__file__)
_CONFIG = load_module(_HERE.with_name("config.py"))
_SECTIONS = load_module(_HERE.with_name("policy_sections.py"))
_INFORCE = load_module(_HERE.with_name("inforce.py"))
_OBJECTS = load_module(_HERE.with_name("objects.py"))
_SHOWS = load_module(_HERE.with_name("shows.py"))
_EFFECTIVE = load_module(_HERE.with_name("effective.py"))
_LLDP = load_module(_HERE.with_name("show_lldp.py"))

_EXPECTED = (
    "nothing of NX-OS in it: expected class-map, policy-map, system qos or interface sections, or the output of "
    "show interface priority-flow-control, show queuing interface, show queuing pfc-queue, show interface or "
    "show lldp neighbors"
)
_PAGER = "--More--"
_BANNER = re.compile(r"^banner [a-z-]+ (\^?\S)(.*)$", re.MULTILINE)
_PRINTED_BY = re.compile(r"^!Command: (show (?:running|startup)-config[^\n]*)", re.MULTILINE)
_SHOW_IDS = ("show-interface-pfc", "show-queuing", "show-pfc-queue", "show-interface")


def to_state(capture: Capture) -> Device:
    """Return what the texts of a Nexus state, resolved per port.

    Raises ReadError for an empty, binary or foreign text and for one that names no port, policy or option.
    """
    return read_texts(capture, "nxos", _read, _SHOWS.joined)


def _read(text: Text) -> Device:
    _refuse_unreadable(text)
    command = registry.command_of("nxos", text)
    if command == _LLDP.COMMAND:
        neighbours: Device = _LLDP.read_neighbours(text)
        return neighbours
    return _SHOWS.read_show(command, text) if command in _SHOW_IDS else _from_config(text)


def _refuse_unreadable(text: Text) -> None:
    head = readable_head(text)
    if head[0] in "{[":
        raise ReadError(f"{text.file}: JSON output is not read for NX-OS: take the text form of the command")


def _from_config(text: Text) -> Device:
    config: Config = _SECTIONS.read_config(text.file, text.content)
    if not config.blocks:
        raise ReadError(f"{text.file}: {_EXPECTED}")
    channels = _INFORCE.share_in_channels(config.interfaces)
    found = config.interfaces or config.policies or config.class_maps or config.options or config.system
    if not found and not config.odd_interfaces:
        raise ReadError(f"{text.file}: {_EXPECTED}")
    killed = config.options.get("override", ("", 0))[0] == "off"
    return Device(
        config.hostname,
        "nxos",
        ports=_ports(config),
        pfc_enabled=False if killed else None,
        os_version=config.version or None,
        complete=frozenset() if config.session or _cut_off(text) else _complete(config, text),
        lags=tuple(Lag(name, tuple(members)) for name, members in channels.items()) if config.interfaces else None,
        arp_timeout=config.timers.get("arp"),
        mac_ageing=config.timers.get("mac"),
        objects=_OBJECTS.objects(config),
        lines=tuple(config.lines),
        lines_read=config.lines_read,
        place=config.where(config.options["override"][1]) if killed else Where(text.file),
    )


def _cut_off(text: Text) -> bool:
    """Return whether a text is known to be cut: said so, paged, or ending inside a banner."""
    if text.complete is False or _PAGER in text.content:
        return True
    for found in _BANNER.finditer(text.content) if "banner " in text.content else ():
        mark, rest = found[1], found[2]
        if mark not in rest and mark not in text.content[found.end() : found.end() + 100_000]:
            return True
    return False


def _complete(config: Config, text: Text) -> frozenset[str]:
    """Return the sections whose silence means the default: those that are really there, or all of a whole text.

    `show running-config ipqos` and the like print a part of each interface: their silence proves nothing there.
    """
    policies = bool(config.policies or config.system_number)
    printed = _PRINTED_BY.search(text.content, 0, 1000)
    command = text.command or (printed[1].strip() if printed is not None else "")
    if command.startswith("show running-config ") and command.split()[2:] != ["all"]:
        return frozenset({"qos", "maps", "buffers"}) if policies and "ipqos" in command else frozenset()
    if config.interfaces and (policies or config.hostname or config.version):
        return frozenset({"all"})
    if config.interfaces:
        return frozenset({"interfaces"})
    return frozenset({"qos", "maps", "buffers"}) if policies else frozenset()


def _ports(config: Config) -> dict[str, Port]:
    resolver = _INFORCE.Resolver(config)
    interfaces = config.interfaces
    if not interfaces and config.system_number:
        interfaces = {_EFFECTIVE.SYSTEM_PORT: _CONFIG.Interface(_EFFECTIVE.SYSTEM_PORT, config.system_number)}
    return intern_ports(_port(config, item, *resolver.port(item)) for item in interfaces.values())


def _port(config: Config, interface: Interface, qos: PortQos, places: dict[str, Where]) -> Port:
    stated = interface.settings
    speed = stated["speed"][0] if "speed" in stated else None
    return Port(
        interface.name,
        qos,
        speed=speed * 1_000_000 if speed else None,
        mtu=stated["mtu"][0] if "mtu" in stated else None,
        mode=stated["mode"][0] if "mode" in stated else None,
        lag=stated["channel"][0] if "channel" in stated else None,
        role="peer-link" if "peer link" in stated else None,
        enabled=stated["enabled"][0] if "enabled" in stated else None,
        place=config.where(interface.number),
        places=places,
    )
