"""Reads the texts of a Comware switch: configurations, pasted sessions and the display commands of its PFC and QoS."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.join import join
from rocecfg.state.model import Amount, Device, Lag, Pool, Port, Where, intern_ports
from rocecfg.state.readable import readable_head
from rocecfg.vendor import registry

if TYPE_CHECKING:
    from typing import Literal

    from rocecfg.state.capture import Capture, Text
    from rocecfg.state.model import PortQos
    from vendors.h3c.config import Config, Interface, WredTable

_HERE = Path(__file__)
_NAMES = load_module(_HERE.with_name("names.py"))
_SECTIONS = load_module(_HERE.with_name("system_sections.py"))
_CELLS = load_module(_HERE.with_name("cells.py"))
_INFORCE = load_module(_HERE.with_name("inforce.py"))
_MEMBERS = load_module(_HERE.with_name("members.py"))
_OBJECTS = load_module(_HERE.with_name("objects.py"))
_SHOWS = load_module(_HERE.with_name("shows.py"))
_LLDP = load_module(_HERE.with_name("show_lldp.py"))
_WRED_SHOWS = load_module(_HERE.with_name("wred_shows.py"))
_MAP_SHOWS = load_module(_HERE.with_name("map_shows.py"))

_EXPECTED = (
    "nothing of Comware in it: expected interface, qos map-table, qos wred or priority-flow-control lines, or the "
    "output of display priority-flow-control interface, display qos map-table or display qos wred table"
)
_PAGER = "---- More ----"
_TAIL = 400
"""Characters at the end of a text in which its last line stands."""


def to_state(capture: Capture) -> Device:
    """Return what the texts of a Comware switch state, resolved per port.

    Raises ReadError for an empty, binary or foreign text and for one that names no port, map or table.
    """
    device = Device(capture.device, "h3c")
    shown: list[Device] = []
    maps: dict[str, dict[int, int]] = {}
    tables: dict[str, WredTable] = {}
    configurations: list[Text] = []
    for text in capture.texts:
        readable_head(text)
        command = registry.command_of("h3c", text)
        if command == _MAP_SHOWS.COMMAND:
            more, other = _MAP_SHOWS.read_maps(text)
            maps |= more
            shown.append(other)
        elif command == _WRED_SHOWS.COMMAND:
            found, other = _WRED_SHOWS.read_tables(text)
            tables |= found
            shown.append(other)
        elif command == _LLDP.COMMAND:
            shown.append(_LLDP.read_neighbours(text))
        elif command in _SHOWS.READERS:
            shown.append(_SHOWS.read_show(command, text))
        else:
            configurations.append(text)
    for text in configurations:
        device = join(device, _from_config(text, maps, tables), _SHOWS.joined)
    for other in shown:
        device = join(device, _SHOWS.renamed(other, device), _SHOWS.joined)
    if not capture.texts:
        raise ReadError(f"{capture.file}: no text")
    named: Device = _CELLS.with_bytes(device)
    return named


def _from_config(text: Text, maps: dict[str, dict[int, int]], tables: dict[str, WredTable]) -> Device:
    config: Config = _SECTIONS.read_config(text.file, text.content)
    if not config.blocks:
        raise ReadError(f"{text.file}: {_EXPECTED}")
    found = config.interfaces or config.maps or config.tables or config.profiles or config.options or config.pools
    printed = config.hostname and (config.version or config.returned)  # whole, and with no port of our concern
    if not (found or config.intervals or config.buffers or config.lines_read or printed):
        raise ReadError(f"{text.file}: {_EXPECTED}")
    _MAP_SHOWS.add_maps(config, maps)
    _WRED_SHOWS.add_tables(config, tables)
    members = _MEMBERS.share_in_aggregates(config)
    complete = _complete(config, text)
    return Device(
        config.hostname,
        "h3c",
        ports=_ports(config, whole="all" in complete, printed="interfaces" in complete),
        pools=tuple(
            Pool(
                f"headroom pool {pool}",
                "ingress",
                lossless=True,
                headroom=Amount(cells, "cell"),
                place=config.where(number),
            )
            for pool, (cells, number) in sorted(config.pools.items())
        )
        or None,
        os_version=config.version or None,
        complete=complete,
        lags=tuple(Lag(name, tuple(ports)) for name, ports in members.items()) if config.interfaces else None,
        objects=_OBJECTS.objects(config),
        lines=tuple(config.lines),
        lines_read=config.lines_read,
        place=Where(text.file),
    )


def _complete(config: Config, text: Text) -> frozenset[str]:
    """Return the sections whose silence means the default.

    Comware prints `return` as the last line. A text that begins as a printed configuration does, with a version, and
    lacks that line is cut off; one that names its device, holds ports and ends its last section by `#` is taken for a
    whole file.
    """
    paged = _PAGER in text.content
    cut_off = text.complete is False or ((paged or bool(config.version)) and not config.returned)
    if cut_off or config.session or not config.interfaces:
        return frozenset()
    ended = text.content[-_TAIL:].rstrip().endswith("\n#")
    if config.returned or (config.hostname and ended) or text.complete:
        return frozenset({"all"})
    return frozenset({"interfaces"})


def _ports(config: Config, *, whole: bool, printed: bool) -> dict[str, Port]:
    resolver = _INFORCE.Resolver(config, whole=whole)
    return intern_ports(
        _port(config, item, *resolver.port(item), whole=whole or printed) for item in config.interfaces.values()
    )


def _port(config: Config, interface: Interface, qos: PortQos, places: dict[str, Where], *, whole: bool) -> Port:
    stated = interface.settings
    speed = stated["speed"][0] if "speed" in stated else None
    mtu, counts = _mtu(interface)
    return Port(
        interface.name,
        qos,
        speed=speed * 1_000_000 if speed else _NAMES.speed_of(interface.name),
        mtu=mtu,
        mtu_counts=counts,
        mode=_mode(interface, whole=whole),
        lag=stated["aggregate"][0] if "aggregate" in stated else None,
        role="peer-link" if "peer link" in stated else None,
        enabled=stated["enabled"][0] if "enabled" in stated else None,
        place=config.where(interface.number),
        places=places,
    )


def _mode(interface: Interface, *, whole: bool) -> Literal["routed", "access", "trunk"] | None:
    """Return how a port forwards: a bridge port is an access port where a printed view names no other link type."""
    mode, kind = interface.settings.get("link mode"), interface.settings.get("link type")
    if mode is not None and mode[0] == "route":
        return "routed"
    if kind is not None:
        return "access" if kind[0] == "access" else "trunk"
    return "access" if whole and mode is not None else None


def _mtu(interface: Interface) -> tuple[int | None, Literal["ip", "l2"] | None]:
    """Return the largest packet: `mtu` counts the IP packet of a routed port, `jumboframe enable` the frame."""
    stated = interface.settings
    if "mtu" in stated:
        return stated["mtu"][0], "ip"
    return (stated["jumbo"][0], None) if "jumbo" in stated else (None, None)
