"""Reads the texts of a CloudEngine: configurations, and the display commands of PFC, queues and ECN."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.join import read_texts
from rocecfg.state.model import Amount, Device, Lag, Pool, Port, Where, intern_ports
from rocecfg.state.readable import readable_head
from rocecfg.vendor import registry

if TYPE_CHECKING:
    from rocecfg.state.capture import Capture, Text
    from rocecfg.state.model import PortQos
    from vendors.huawei.config import Config, Interface

_HERE = Path(__file__)
_CONFIG = load_module(_HERE.with_name("config.py"))
_SECTIONS = load_module(_HERE.with_name("sections.py"))
_INFORCE = load_module(_HERE.with_name("inforce.py"))
_OBJECTS = load_module(_HERE.with_name("objects.py"))
_FAMILY = load_module(_HERE.with_name("family.py"))
_SHOWS = load_module(_HERE.with_name("shows.py"))
_LLDP = load_module(_HERE.with_name("show_lldp.py"))
_STRAIGHTEN = load_module(_HERE.with_name("straighten.py"))

_EXPECTED = (
    "nothing of VRP in it: expected dcb, qos, drop-profile, diffserv domain or interface sections, or the output of a "
    "display command"
)
_PAGER = re.compile(r"^[ \t]{0,40}-{2,4} ?More ?-{2,4}", re.MULTILINE)
_END = re.compile(r"^[ \t]*return[ \t\r]*$", re.MULTILINE)
_FILTERED = re.compile(r"display (?:current|saved)-configuration[ \t]+(?:\||[a-z])|display this")
_TAIL = 2_000
_MODELS = {"kbytes": "kbyte", "mbytes": "mbyte"}
_BYTES = {"kbytes": 1024, "mbytes": 1_048_576}


def to_state(capture: Capture) -> Device:
    """Return what the texts of a CloudEngine state, resolved per port.

    Raises ReadError for an empty, binary or foreign text and for one that names nothing of our subject.
    """
    return read_texts(capture, "huawei", _read, _SHOWS.joined)


def _read(raw: Text) -> Device:
    text = replace(raw, content=_STRAIGHTEN.unpaged(raw.content))
    _refuse_unreadable(text)
    command = registry.command_of("huawei", text)
    if command == _LLDP.COMMAND:
        neighbours: Device = _LLDP.read_neighbours(text)
        return neighbours
    return _SHOWS.read_show(command, text) if command in _SHOWS.READERS else _from_config(text)


def _refuse_unreadable(text: Text) -> None:
    head = readable_head(text)
    if head[0] in "{[" and head[1:2] not in {"~", "*"} and "]" not in head[:80]:
        raise ReadError(f"{text.file}: JSON is not read for VRP: take the text form of the command")


def _from_config(text: Text) -> Device:
    config: Config = _SECTIONS.read_config(text.file, text.content)
    if not config.blocks or not (config.interfaces or config.lines_read or config.hostname or config.version):
        raise ReadError(f"{text.file}: {_EXPECTED}")
    family = _FAMILY.of_config(config)
    complete = _complete(config, text)
    killed = config.value("pfc_off")
    place = config.where(config.options["pfc_off"][1]) if killed else Where(text.file)
    lags = _INFORCE.share_in_trunks(config.interfaces)
    return Device(
        config.hostname,
        "huawei",
        ports=_ports(config, family, whole=bool(complete)),
        pfc_enabled=None if killed is None else not killed,
        ecn_enabled=config.value("ecn"),
        pools=_pools(config, whole=bool(complete)),
        buffer_model={"A": "stated", "B": "box"}.get(family or ""),  # type: ignore[arg-type]
        os_version=config.version or None,
        model=_FAMILY.model_of(config),
        complete=complete,
        lags=tuple(Lag(name, tuple(members)) for name, members in lags.items()) if config.interfaces else None,
        objects=_OBJECTS.objects(config),
        lines=tuple(config.lines),
        lines_read=config.lines_read,
        place=place,
    )


def _complete(config: Config, text: Text) -> frozenset[str]:
    """Return "all" for a whole configuration: VRP ends it with `return`.

    `display current-configuration interface` and `display this` end so too: they name neither device nor version and
    hold interfaces alone.
    """
    cut = text.complete is False or config.session or _PAGER.search(text.content) is not None
    if (
        cut
        or not config.interfaces
        or _END.search(text.content[-_TAIL:]) is None
        or _FILTERED.search(text.content, 0, 1000)
    ):
        return frozenset()
    whole = text.complete or config.hostname or config.version or config.device_wide
    return frozenset({"all"}) if whole else frozenset()


def _pools(config: Config, *, whole: bool) -> tuple[Pool, ...] | None:
    """Return the headroom pool of each slot; none is made without a line."""
    pools = []
    for option, (value, number) in config.options.items():
        if option.startswith("headroom-pool "):
            size, unit = value
            amount = Amount(size, _MODELS[unit], size * _BYTES[unit])  # type: ignore[arg-type]
            slot = option.removeprefix("headroom-pool ")
            pools.append(
                Pool(f"headroom slot {slot}", "ingress", lossless=True, headroom=amount, place=config.where(number))
            )
        elif option.startswith("lossless-pool "):
            slot, share = option.removeprefix("lossless-pool "), Amount(value, "percent")
            pools.append(Pool(f"lossless slot {slot}", lossless=True, total=share, place=config.where(number)))
    return tuple(pools) if pools or whole else None


def _ports(config: Config, family: str | None, *, whole: bool) -> dict[str, Port]:
    resolver = _INFORCE.Resolver(config, family, whole=whole)
    return intern_ports(_port(config, item, *resolver.port(item)) for item in config.interfaces.values())


def _port(config: Config, interface: Interface, qos: PortQos, places: dict[str, Where]) -> Port:
    stated = {name: value for name, (value, _) in interface.settings.items()}
    mode = stated.get("mode")
    if mode == "routed" and "tagged" in stated:
        mode = "trunk"
    return Port(
        interface.name,
        qos,
        speed=stated.get("speed") or stated.get("transceiver") or stated.get("type"),
        mtu=stated.get("mtu"),
        mtu_counts="l2" if "mtu" in stated else None,
        mode=mode,
        lag=stated.get("trunk"),
        role="peer-link" if "peer link" in stated else None,
        enabled=stated.get("enabled"),
        place=config.where(interface.number),
        places=places,
    )
