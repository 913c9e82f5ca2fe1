"""Reads the texts of an Arista switch: running configurations and the show commands of its PFC, queues and ECN."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.join import read_texts
from rocecfg.state.model import Device, Ecn, Lag, Pool, Port, Where, intern_ports
from rocecfg.state.readable import readable_head
from rocecfg.vendor import registry

if TYPE_CHECKING:
    from rocecfg.state.capture import Capture, Text
    from rocecfg.state.model import PortQos
    from vendors.eos.config import Config, Holder, Settings
    from vendors.eos.inforce import Resolver

_HERE = Path(__file__)
_RUNNING = load_module(_HERE.with_name("running.py"))
_STRAIGHTEN = load_module(_HERE.with_name("straighten.py"))
_INFORCE = load_module(_HERE.with_name("inforce.py"))
_CHANNELS = load_module(_HERE.with_name("channels.py"))
_OBJECTS = load_module(_HERE.with_name("objects.py"))
_SHOWS = load_module(_HERE.with_name("shows.py"))

_EXPECTED = (
    "nothing of EOS in it: expected interface, qos profile, qos map or priority-flow-control lines, or the output of "
    "show priority-flow-control, show priority-flow-control counters, show qos interfaces ecn or "
    "show interfaces counters queue detail"
)
_PAGER = "--More--"
_AT_PROMPT = re.compile(r"[\w.:-]{1,63}(?:\([\w.-]{1,63}\))?[#>]")
_PRINTED_BY = re.compile(r"^! Command: (show (?:running|startup)-config[^\n]*)", re.MULTILINE)


def to_state(capture: Capture) -> Device:
    """Return what the texts of a switch state, resolved per port.

    Raises ReadError for an empty, binary or foreign text and for one that says nothing of our subject.
    """
    return read_texts(capture, "eos", _read, _SHOWS.joined)


def _read(text: Text) -> Device:
    command = registry.command_of("eos", text)
    _refuse_unreadable(text, json=command in _SHOWS.READERS)
    return _SHOWS.read_show(command, text) if command in _SHOWS.READERS else _from_config(text)


def _refuse_unreadable(text: Text, *, json: bool) -> None:
    head = readable_head(text)
    if head[0] in "{[" and not json:
        raise ReadError(f"{text.file}: the JSON of this command is not read for EOS: take its text form")


def _from_config(text: Text) -> Device:
    config: Config = _RUNNING.read_config(text.file, text.content)
    if not config.says_anything():
        raise ReadError(f"{text.file}: {_EXPECTED}")
    channels = _CHANNELS.share_in_channels(config.interfaces)
    killed, options = "all off" in config.options, config.options
    complete = frozenset[str]() if config.session or _cut_off(text) else _complete(config, text)
    resolver: Resolver = _INFORCE.Resolver(config, whole="all" in complete)
    return Device(
        config.hostname,
        "eos",
        ports=_ports(config, resolver),
        pfc_enabled=False if killed else None,
        ecn_on_pool=Ecn((options["global_ecn"][0],)) if "global_ecn" in options else None,
        pools=_pools(config),
        os_version=config.version or None,
        model=config.model or None,
        complete=complete,
        lags=tuple(Lag(name, tuple(members)) for name, members in channels.items()) if config.interfaces else None,
        arp_timeout=options["arp"][0] if "arp" in options else None,
        mac_ageing=options["mac_ageing"][0] if "mac_ageing" in options else None,
        objects=_OBJECTS.objects(config, resolver),
        lines=tuple(sorted(config.lines, key=lambda line: line.place.line)),
        lines_read=config.lines_read,
        place=config.where(options["all off"][1]) if killed else Where(text.file),
    )


def _pools(config: Config) -> tuple[Pool, ...] | None:
    """Return the shared headroom pool, where its limit is stated."""
    limit = config.options.get("headroom_pool")
    if limit is None:
        return None
    return (Pool("headroom", "ingress", lossless=True, headroom=limit[0], place=config.where(limit[1])),)


def _cut_off(text: Text) -> bool:
    """Return whether a text is known to be cut: said so, paged, ending inside a banner, or without its `end`.

    The switch ends what it prints under `! Command: show running-config` with `end`; a `!` is let pass, because people
    take the last lines away.
    """
    if text.complete is False or _PAGER in text.content or _STRAIGHTEN.ends_in_free_text(text.content):
        return True
    if text.complete or _PRINTED_BY.search(text.content, 0, 1000) is None:
        return False
    lines = (line.strip() for line in reversed(text.content[-4_000:].splitlines()))
    last = next((line for line in lines if line and not _AT_PROMPT.match(line)), "")
    return last not in ("end", "!")


def _complete(config: Config, text: Text) -> frozenset[str]:
    """Return the sections whose silence means the default: all of a whole text, the interfaces of an excerpt.

    `show running-config interfaces` and `section` print a part. An excerpt whose ports use a profile that it does not
    hold says nothing of what those ports lack.
    """
    printed = _PRINTED_BY.search(text.content, 0, 1000)
    command = text.command or (printed[1].strip() if printed is not None else "")
    parts = command.split()[2:] if command.startswith(("show running-config ", "show startup-config ")) else []
    if parts and parts[:1] not in (["all"], ["sanitized"], ["|"]) and parts[:2] != ["all", "detail"]:
        return frozenset()
    if "section" in parts or "include" in parts:
        return frozenset()
    rest = config.hostname or config.profiles or config.dscp_map or config.queue_map or config.options
    if config.interfaces and rest:
        return frozenset({"all"})
    holders = (*config.interfaces.values(), *config.interface_profiles.values())
    if config.interfaces and not any("profile" in item.settings for item in holders):
        return frozenset({"interfaces"})
    return frozenset()


def _ports(config: Config, resolver: Resolver) -> dict[str, Port]:
    return intern_ports(_port(config, item, *resolver.port(item)) for item in config.interfaces.values())


def _port(config: Config, interface: Holder, qos: PortQos, places: dict[str, Where], stated: Settings) -> Port:
    routed = stated.get("mode", ("",))[0] == "routed"
    default = config.options.get("default mtu") if routed else None
    mtu = stated.get("mtu") or default
    enabled = stated["enabled"][0] if "enabled" in stated else None
    if enabled is None and "default shutdown" in config.options:
        enabled = False
    return Port(
        interface.name,
        qos,
        speed=stated["speed"][0] if "speed" in stated else None,
        mtu=mtu[0] if mtu is not None else None,
        # `show interfaces` calls the number of a routed port its IP MTU.
        mtu_counts="ip" if mtu is not None and routed else None,
        mode=stated["mode"][0] if "mode" in stated else "access" if "switched" in stated else None,
        lag=stated["channel"][0] if "channel" in stated else None,
        enabled=enabled,
        place=config.where(interface.number),
        places=places if default is None or "mtu" in stated else {**places, "mtu": config.where(default[1])},
    )
