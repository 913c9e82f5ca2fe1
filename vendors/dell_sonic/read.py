"""Reads the texts of an Enterprise SONiC switch: running configurations, PFC and watchdog show outputs, counters."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.join import read_texts
from rocecfg.state.model import Device, Lag, Pool, Port, Where, intern_ports
from rocecfg.state.readable import readable_head
from rocecfg.state.values import Amount
from rocecfg.vendor import registry

if TYPE_CHECKING:
    from rocecfg.state.capture import Capture, Text
    from rocecfg.state.model import PortQos
    from vendors.dell_sonic.config import Config, Interface

_HERE = Path(__file__)
_SECTIONS = load_module(_HERE.with_name("sections.py"))
_INFORCE = load_module(_HERE.with_name("inforce.py"))
_OBJECTS = load_module(_HERE.with_name("objects.py"))
_SHOWS = load_module(_HERE.with_name("shows.py"))

_EXPECTED = (
    "nothing of Enterprise SONiC's management CLI in it: expected qos map, qos policy or interface sections, or the "
    "output of show qos priority-flow-control or show queue counters"
)
_PAGER = "--more--"
_SHOWS_OF = "show-"


def to_state(capture: Capture) -> Device:
    """Return what the texts of a switch state, resolved per port.

    Raises ReadError for an empty, binary or foreign text and for one that names no port, map or option.
    """
    return read_texts(capture, "dell_sonic", _read, _joined)


def _read(text: Text) -> Device:
    _refuse_unreadable(text)
    shown = registry.command_of("dell_sonic", text).startswith(_SHOWS_OF)
    return _SHOWS.read_show(text) if shown else _from_config(text)


def _refuse_unreadable(text: Text) -> None:
    head = readable_head(text)
    if head[0] in "{[":
        raise ReadError(f"{text.file}: JSON; CONFIG_DB of the switch is read as nos: sonic")


def _joined(first: Port, second: Port) -> Port:
    """Return a port of two texts: a show output fills in what the configuration does not say."""
    if second.qos.watchdog is None or first.qos.watchdog is not None:
        return first
    return replace(
        first, qos=replace(first.qos, watchdog=second.qos.watchdog), places={**second.places, **first.places}
    )


def _from_config(text: Text) -> Device:
    config: Config = _SECTIONS.read_config(text.file, text.content)
    if not config.lines_read and not config.interfaces:
        raise ReadError(f"{text.file}: {_EXPECTED}")
    complete = _complete(config, text)
    pools = tuple(
        Pool(name, "ingress", lossless=True, headroom=Amount.of_bytes(size), place=config.where(number))
        for name, (size, number) in config.pools.items()
    )
    return Device(
        config.hostname,
        "dell_sonic",
        ports=_ports(config, whole=bool(complete)),
        pools=pools or None,
        complete=complete,
        lags=_lags(config),
        objects=_OBJECTS.objects(config),
        lines=tuple(config.lines),
        lines_read=config.lines_read,
        place=Where(text.file),
    )


def _complete(config: Config, text: Text) -> frozenset[str]:
    """Return the sections whose silence means the default: all of a whole running configuration, else none."""
    partial = text.command.startswith("show running-configuration ")
    if text.complete is False or partial or _PAGER in text.content:
        return frozenset()
    return frozenset({"all"}) if config.interfaces and (config.hostname or text.complete) else frozenset()


def _ports(config: Config, *, whole: bool) -> dict[str, Port]:
    resolver = _INFORCE.Resolver(config, whole=whole)
    return intern_ports(_port(config, item, *resolver.port(item)) for item in config.interfaces.values())


def _port(config: Config, interface: Interface, qos: PortQos, places: dict[str, Where]) -> Port:
    stated = {key: value for key, (value, _) in interface.settings.items()}
    speed = stated.get("speed")
    return Port(
        interface.name,
        qos,
        speed=speed * 1_000_000 if speed else None,
        mtu=stated.get("mtu"),
        mtu_counts="ip" if "mtu" in stated else None,
        lag=stated.get("lag"),
        enabled=stated.get("enabled"),
        place=config.where(interface.number),
        places=places,
    )


def _lags(config: Config) -> tuple[Lag, ...] | None:
    members: dict[str, list[str]] = {name: [] for name in config.interfaces if name.startswith("PortChannel")}
    for name, interface in config.interfaces.items():
        if "lag" in interface.settings:
            members.setdefault(interface.settings["lag"][0], []).append(name)
    return tuple(Lag(name, tuple(ports)) for name, ports in members.items()) if config.interfaces else None
