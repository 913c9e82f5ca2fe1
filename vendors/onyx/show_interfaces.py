"""Reads `show interfaces ethernet` as it stands on the screen: of its many lines only speed, MTU and pause are ours."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.grammar import grammar
from rocecfg.state.model import LinkPause, Port, Where
from rocecfg.state.numbers import whole_number
from rocecfg.state.sections import text_lines

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.capture import Text
    from rocecfg.state.model import Device

_HERE = Path(__file__)
_SHOWS = load_module(_HERE.with_name("shows.py"))
_CONFIG = load_module(_HERE.with_name("config.py"))

_BLOCK = re.compile(r"^ {0,8}(?:Eth|Po|Mpo)[0-9/]{1,12}:[ \t]{0,40}\r?\n {1,16}Admin state {0,40}:", re.MULTILINE)
_SPEED = re.compile(r"([0-9]{1,3})(?:G|Gbps)?")
_SWITCHED = {"enabled": True, "on": True, "disabled": False, "off": False}


def is_interfaces(text: Text) -> bool:
    """Return whether a text is the output of this command."""
    return "Admin state" in text.content and _BLOCK.search(text.content[:1_000_000]) is not None


def read_interfaces(text: Text) -> Device:
    """Return what the blocks say. Raises ReadError when no port stands in them."""
    table = _SHOWS.Table(text)
    lines = [(at, " ".join(raw.split())) for at, raw in enumerate(text_lines(text.content), 1)]
    records = grammar(_HERE.with_name("parse") / "show_interfaces.ttp").read(line for _, line in lines if line)
    current: Port | None = None
    for at, line in lines:
        record = records.get(line)
        if record is None:
            continue
        if record.kind in ("port", "other"):
            current = _named(table, record.values, Where(text.file, at))
        elif current is not None:
            table.rows += 1
            current = table.ports[current.name] = _with(table.ports[current.name], record.kind, record.values)
    if not table.ports:
        raise ReadError(f"{text.file}: no port in it: expected the blocks of show interfaces ethernet")
    device: Device = table.device()
    return device


def _named(table: object, words: Mapping[str, str], place: Where) -> Port | None:
    names = (f"{kind}{words[kind.lower()]}" for kind in ("Eth", "Po", "Mpo") if kind.lower() in words)
    port: Port | None = table.port(next(names, ""))  # type: ignore[attr-defined]
    return None if port is None else replace(port, place=place, places={"mtu": place, "link_pause": place})


def _with(port: Port, kind: str, words: Mapping[str, str]) -> Port:
    if kind == "mtu":
        mtu = whole_number(words["mtu"], 12_000)
        return replace(port, mtu=mtu, mtu_counts="ip" if mtu is not None else None)
    if kind == "speed":
        rate = _SPEED.fullmatch(words["speed"])
        known = rate is not None and words.get("unit", "Gbps") == "Gbps"
        return replace(port, speed_now=int(rate[1]) * 10**9) if rate is not None and known else port
    if kind == "admin":
        return replace(port, enabled=_SWITCHED.get(words["state"].lower()))
    pause = LinkPause(rx=_SWITCHED.get(words["rx"]), tx=_SWITCHED.get(words["tx"]))
    return replace(port, qos=replace(port.qos, link_pause=pause))
