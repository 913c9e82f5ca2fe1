"""Reads the texts of an AOS-CX switch: running configurations, DCBX and the counters of the queues."""

from __future__ import annotations

from dataclasses import replace
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
    from rocecfg.state.model import PortQos, PriorityGroup
    from vendors.aruba_cx.config import Config, Interface

    Groups = tuple[PriorityGroup | None, ...] | None

_HERE = Path(__file__)
_SECTIONS = load_module(_HERE.with_name("sections.py"))
_INFORCE = load_module(_HERE.with_name("inforce.py"))
_OBJECTS = load_module(_HERE.with_name("objects.py"))
_SHOWS = load_module(_HERE.with_name("shows.py"))
_DCBX = load_module(_HERE.with_name("show_dcbx.py"))
_INTERFACE = load_module(_HERE.with_name("show_interface.py"))
_BUFFERS = load_module(_HERE.with_name("show_buffers.py"))
_SHOWN = {
    "show-interface-queues": _SHOWS.read_queues,
    _DCBX.COMMAND: _DCBX.read_dcbx,
    _INTERFACE.COMMAND: _INTERFACE.read_interfaces,
    _BUFFERS.COMMAND: _BUFFERS.read_buffers,
}

_EXPECTED = (
    "nothing of AOS-CX in it: expected qos, apply qos or interface sections, or the output of show interface "
    "(alone, qos, qos buffers or queues) or show dcbx interface"
)
_PAGER = "-- MORE --"


def to_state(capture: Capture) -> Device:
    """Return what the texts of an AOS-CX switch state, resolved per port.

    Raises ReadError for an empty, binary or foreign text and for one that names no port, profile or option.
    """
    return read_texts(capture, "aruba_cx", _read, _joined)


def _read(text: Text) -> Device:
    _refuse_unreadable(text)
    shown = _SHOWN.get(registry.command_of("aruba_cx", text))
    return _from_config(text) if shown is None else shown(text)


def _refuse_unreadable(text: Text) -> None:
    head = readable_head(text)
    if head[0] in "{[":
        raise ReadError(f"{text.file}: JSON is not read for AOS-CX: take the text of show running-config")


def _joined(stated: Port, shown: Port) -> Port:
    """Return a port of the configuration with what negotiation ended with, and what is shown where it is silent."""
    own, seen = stated.qos, shown.qos
    pfc = own.pfc
    if seen.pfc is not None and seen.pfc.oper is not None:
        pfc = seen.pfc if own.pfc is None else replace(own.pfc, oper=seen.pfc.oper)
    qos = replace(
        own,
        pfc=pfc,
        trust=own.trust or seen.trust,
        link_pause=own.link_pause or seen.link_pause,
        priority_groups=_measured(own.priority_groups, seen.priority_groups),
    )
    if stated.mtu is None and shown.mtu is not None:
        stated = replace(stated, mtu=shown.mtu, mtu_counts=shown.mtu_counts)
    return replace(stated, qos=qos, speed_now=stated.speed_now or shown.speed_now)


def _measured(own: Groups, seen: Groups) -> Groups:
    """Return the priority groups of a configuration with the headroom that the switch made of the cable's length."""
    if own is None or seen is None:
        return own or seen
    return tuple(
        replace(mine, headroom=replace(mine.headroom, amount=shown.headroom.amount))
        if mine is not None and mine.headroom is not None and mine.headroom.amount is None
        and shown is not None and shown.headroom is not None
        else mine
        for mine, shown in zip(own, seen, strict=True)
    )  # fmt: skip


def _from_config(text: Text) -> Device:
    config: Config = _SECTIONS.read_config(text.file, text.content)
    if not config.lines_read and not config.interfaces:
        raise ReadError(f"{text.file}: {_EXPECTED}")
    complete = _complete(config, text)
    return Device(
        config.hostname,
        "aruba_cx",
        ports=_ports(config, whole=bool(complete)),
        pools=_INFORCE.pools(config) if config.pools or complete else None,
        os_version=config.version or None,
        complete=complete,
        lags=_lags(config),
        objects=_OBJECTS.objects(config),
        lines=tuple(config.lines),
        lines_read=config.lines_read,
        place=Where(text.file),
    )


def _complete(config: Config, text: Text) -> frozenset[str]:
    """Return the sections whose silence means the default: all of a whole running configuration, else none."""
    partial = text.command.startswith("show running-config ")
    if text.complete is False or config.session or partial or _PAGER in text.content:
        return frozenset()
    headed = bool(config.hostname or config.version) or "Current configuration:" in text.content[:1000]
    return frozenset({"all"}) if config.interfaces and (headed or text.complete) else frozenset()


def _ports(config: Config, *, whole: bool) -> dict[str, Port]:
    resolver = _INFORCE.Resolver(config, whole=whole)
    return intern_ports(_port(config, item, *resolver.port(item)) for item in config.interfaces.values())


def _port(config: Config, interface: Interface, qos: PortQos, places: dict[str, Where]) -> Port:
    stated = {key: value for key, (value, _) in interface.settings.items()}
    return Port(
        interface.name,
        qos,
        mtu=stated.get("mtu"),
        mtu_counts="ip" if "mtu" in stated else None,
        mode=stated.get("mode"),
        lag=stated.get("lag"),
        enabled=stated.get("enabled"),
        place=config.where(interface.number),
        places=places,
    )


def _lags(config: Config) -> tuple[Lag, ...] | None:
    members: dict[str, list[str]] = {name: [] for name in config.interfaces if name.startswith("lag ")}
    for name, interface in config.interfaces.items():
        if "lag" in interface.settings:
            members.setdefault(interface.settings["lag"][0], []).append(name)
    return tuple(Lag(name, tuple(ports)) for name, ports in members.items()) if config.interfaces else None
