"""Reads the texts of an Onyx switch: configurations, and show commands in their JSON and table forms."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.join import join
from rocecfg.state.model import Device, Lag, Port, PortQos, Where, intern_ports
from rocecfg.state.readable import readable_head

if TYPE_CHECKING:
    from rocecfg.state.capture import Capture, Text
    from vendors.onyx.config import Config, Interface
    from vendors.onyx.inforce import Resolver

_HERE = Path(__file__)
_CONFIG = load_module(_HERE.with_name("config.py"))
_LINES = load_module(_HERE.with_name("read_lines.py"))
_INFORCE = load_module(_HERE.with_name("inforce.py"))
_EFFECTIVE = load_module(_HERE.with_name("effective.py"))
_OBJECTS = load_module(_HERE.with_name("objects.py"))
_SHOWS = load_module(_HERE.with_name("shows.py"))
_INTERFACES = load_module(_HERE.with_name("show_interfaces.py"))
_ROCE = load_module(_HERE.with_name("show_roce.py"))
_TABLES = load_module(_HERE.with_name("show_tables.py"))

_EXPECTED = (
    "nothing of Onyx in it: expected lines such as `interface ethernet 1/1 ...`, `dcb priority-flow-control ...` or "
    "`roce`, or the output of a show command"
)
_PAGER = re.compile(r"^(?:lines \d{1,6}-\d{1,6}|--More--)", re.MULTILINE)
_COMMAND = re.compile(
    r"^[^\n#>]{1,150}[#>] ?(?:no )?(?:interface|dcb|roce|traffic|pool|advanced) ?(?!show)", re.MULTILINE
)


def to_state(capture: Capture) -> Device:
    """Return what the texts of a switch state, resolved per port.

    Raises ReadError for an empty, binary or foreign text and for one that says nothing of our subject.
    """
    if not capture.texts:
        raise ReadError(f"{capture.file}: no text")
    device: Device | None = None
    for text in capture.texts:
        readable_head(text)
        head = text.content.lstrip()[:1]
        if head in {"{", "["}:
            found = _SHOWS.read_json(text)
        elif _ROCE.is_roce(text):
            found = _device(_ROCE.read_roce(text), frozenset())
        elif _INTERFACES.is_interfaces(text):
            found = _INTERFACES.read_interfaces(text)
        elif not _TABLES.is_table(text):
            found = _from_config(text)
        elif _COMMAND.search(text.content):  # a session: commands, and what a show command printed
            found = _joined(_from_config(text), _TABLES.read_table(text))
        else:
            found = _TABLES.read_table(text)
        device = found if device is None else _joined(device, found)
    assert device is not None
    return replace(device, name=capture.device or device.name)


def _joined(first: Device, second: Device) -> Device:
    """Join two texts of one device; what `show roce` says of all ports, the ports themselves say."""
    if first.ports and _EFFECTIVE.EVERY_PORT in second.ports:
        named = {name: port for name, port in second.ports.items() if name != _EFFECTIVE.EVERY_PORT}
        second = replace(second, ports=named)
    return join(first, second, _SHOWS.joined)


def _from_config(text: Text) -> Device:
    config: Config = _LINES.read_config(text.file, text.content)
    said = config.pfc or config.priorities or config.roce or config.pools or config.buffer_pools or config.advanced
    if not config.ports and not said and not config.database and not config.lines_read:
        raise ReadError(f"{text.file}: {_EXPECTED}")
    if not config.ports and said:
        config.ports[_EFFECTIVE.EVERY_PORT] = _CONFIG.Interface(_EFFECTIVE.EVERY_PORT, 1)
    return _device(config, _complete(config, text))


def _device(config: Config, complete: frozenset[str]) -> Device:
    channels = _INFORCE.share_in_channels(config.ports)
    resolver = _INFORCE.Resolver(config, whole="all" in complete)
    enabled = config.pfc[0] if config.pfc is not None else None
    if enabled is None and resolver.mode in ("lossless", "semi-lossless"):
        enabled = True
    return Device(
        config.hostname,
        "onyx",
        ports=_ports(config, resolver),
        pfc_enabled=enabled,
        pools=resolver.pools(),
        buffer_model="stated" if config.advanced and config.advanced[0] else "box" if resolver.simple else None,
        os_version=config.release or None,
        model=config.model or None,
        complete=complete,
        lags=tuple(Lag(name, tuple(members)) for name, members in channels.items())
        if channels or "all" in complete
        else None,
        objects=_OBJECTS.objects(config, whole="all" in complete),
        lines=tuple(config.lines),
        lines_read=config.lines_read,
        place=config.where(config.pfc[1]) if config.pfc is not None else Where(config.file),
    )


def _complete(config: Config, text: Text) -> frozenset[str]:
    """Return the sections whose silence means the default.

    A configuration database says all. A list of commands that sets up RoCE on ports (PFC, and the trust or marking
    beside it) is meant as a whole: what it leaves out of the maps and of the watchdog is not there.
    """
    paged = any(word in text.content for word in ("\nlines ", "--More--")) and _PAGER.search(text.content)
    if text.complete is False or paged:
        return frozenset()
    if config.database or (text.complete and text.command == "show running-config"):
        return frozenset({"all"})
    names = {name[0] for port in config.ports.values() for name in port.settings}
    paused = "pfc" in names and any(on for on, _ in config.priorities.values())
    paused |= any(pool.type == "lossless" and pool.priorities for pool in config.pools.values())
    if paused and names & {"trust", "marking", "dscp", "bind", "group"}:
        return frozenset({"maps", "watchdog"})
    return frozenset()


def _ports(config: Config, resolver: Resolver) -> dict[str, Port]:
    return intern_ports(_port(config, item, *resolver.port(item)) for item in config.ports.values())


def _port(config: Config, interface: Interface, qos: PortQos, places: dict[str, Where]) -> Port:
    stated = {name[0]: value for name, (value, _) in interface.settings.items() if len(name) == 1}
    shutdown = stated.get("shutdown")
    mtu = stated.get("mtu")
    return Port(
        interface.name,
        qos,
        speed=stated.get("speed"),
        mtu=mtu,
        mtu_counts="ip" if mtu is not None else None,
        mode=stated.get("switchport"),
        lag=stated.get("channel"),
        role="peer-link" if "peer link" in stated else None,
        enabled=None if shutdown is None else not shutdown,
        place=config.where(interface.number),
        places=places,
    )
