"""Reads the running configurations of an OS10 switch."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.join import read_texts
from rocecfg.state.model import Device, Lag, Port, PortQos, Where, intern_ports
from rocecfg.state.readable import readable_head
from rocecfg.vendor import registry

if TYPE_CHECKING:
    from rocecfg.state.capture import Capture, Text
    from vendors.dell_os10.config import Config, Interface

_HERE = Path(__file__)
_CONFIG = load_module(_HERE.with_name("config.py"))
_SECTIONS = load_module(_HERE.with_name("sections.py"))
_INFORCE = load_module(_HERE.with_name("inforce.py"))
_OBJECTS = load_module(_HERE.with_name("objects.py"))
_POLICIES = load_module(_HERE.with_name("policies.py"))
_EFFECTIVE = load_module(_HERE.with_name("effective.py"))
_LLDP = load_module(_HERE.with_name("show_lldp.py"))

_EXPECTED = (
    "nothing of OS10 in it: expected class-map, policy-map, trust, qos-map, wred, system qos or interface sections of "
    "show running-configuration, or the table of show lldp neighbors"
)
_PAGER = "--More--"
_BANNER = re.compile(r"^banner [a-z-]+ (\^?\S)(.*)$", re.MULTILINE)
_VERSION = re.compile(r"^! Version (\d[\w.()-]{0,30})", re.MULTILINE)
_PRINTED_BY = re.compile(r"^[\w.-]{1,63}# ?(show running-configuration[^\n]{0,200})", re.MULTILINE)
_FTOS = re.compile(
    r"^(?:! Version [89]\.|stack-unit \d|protocol lldp|interface (?:TenGigabitEthernet|fortyGigE|ManagementEthernet) )",
    re.MULTILINE,
)
"""Lines of Dell's older system OS9 (FTOS), whose policies are read by other rules."""


def to_state(capture: Capture) -> Device:
    """Return what the texts of an OS10 switch state, resolved per port.

    Raises ReadError for an empty, binary or foreign text and for one that names no port, policy or map.
    """
    return read_texts(capture, "dell_os10", _read, _joined)


def _read(text: Text) -> Device:
    if registry.command_of("dell_os10", text) == _LLDP.COMMAND:
        neighbours: Device = _LLDP.read_neighbours(text)
        return neighbours
    return _from_config(text)


def _joined(first: Port, later: Port) -> Port:
    """Return a port of two texts: the later configuration is right; a table of neighbours says nothing of QoS."""
    return first if later.qos == PortQos() and later.mtu is None else later


def _refuse_unreadable(text: Text) -> None:
    head = readable_head(text)
    if head[0] in "{[":
        raise ReadError(f"{text.file}: JSON or RESTCONF output is not read for OS10: take show running-configuration")
    if _FTOS.search(text.content, 0, 100_000):
        raise ReadError(f"{text.file}: a configuration of Dell OS9 (FTOS), which is another system")


def _from_config(text: Text) -> Device:
    _refuse_unreadable(text)
    config: Config = _SECTIONS.read_config(text.file, text.content)
    found = (
        config.interfaces
        or config.policies
        or config.class_maps
        or config.tables
        or config.wreds
        or config.system_number
        or config.options
        or config.odd_interfaces
    )
    if not found:
        raise ReadError(f"{text.file}: {_EXPECTED}")
    complete = frozenset() if config.session or _cut_off(text) else _complete(config, text)
    config.partial = not complete
    channels = _INFORCE.share_in_channels(config.interfaces)
    version = _VERSION.search(text.content, 0, 2000)
    pool = config.system.get("pool wred")
    ecn, _, _ = _POLICIES.marking(config, pool[0]) if pool is not None else (None, None, None)
    return Device(
        config.hostname,
        "dell_os10",
        ports=_ports(config),
        ecn_on_pool=ecn,
        os_version=version[1] if version is not None else None,
        complete=complete,
        lags=tuple(Lag(name, tuple(members)) for name, members in channels.items()) if config.interfaces else None,
        mac_ageing=config.timers.get("mac"),
        objects=_OBJECTS.objects(config),
        lines=tuple(config.lines),
        lines_read=config.lines_read,
        place=Where(text.file),
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

    `show running-configuration interface ...` and the like print one part: their silence proves nothing.
    """
    printed = _PRINTED_BY.search(text.content, 0, 4000)
    words = (text.command or (printed[1] if printed is not None else "")).split()
    if words[:2] == ["show", "running-configuration"] and words[2:3] not in ([], ["compressed"], ["|"]):
        return frozenset()
    policies = bool(config.policies or config.system_number)
    if config.interfaces and (policies or config.hostname):
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
