"""Reads the class-of-service show outputs: what they show is added to the device, and nothing else is concluded."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.counters import joined
from rocecfg.state.grammar import grammar
from rocecfg.state.model import (
    Amount,
    Device,
    Dynamic,
    Line,
    LinkPause,
    Named,
    Pfc,
    Pool,
    Port,
    PortQos,
    Where,
    intern_ports,
)
from rocecfg.state.sections import text_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocecfg.state.capture import Text
    from rocecfg.state.grammar import Record

_HERE = Path(__file__).parent
_KB = 1024
"""Bytes of a KB in `show class-of-service shared-buffer`: a 32 MB buffer is printed as 32768.00 KB."""
_AMOUNT = re.compile(r"[0-9]{1,12}(?:[.][0-9]{1,6})?")
_EXTENSIVE = "show-interfaces-extensive"
"""Of its hundred lines a port only some counters are our business."""
_PROMPT = re.compile(r"(?:\{[a-z0-9:]+\}|[\w.-]+@[\w.-]+[>#%].*)$")


def add(device: Device, command: str, text: Text) -> Device:
    """Return the device with what one show output says.

    Raises ReadError when the text has none of the lines that such an output has.
    """
    records, unknown, count = [], [], 0
    raw = [(number, " ".join(line.split())) for number, line in enumerate(text_lines(text.content), 1)]
    raw = [(number, line) for number, line in raw if line and not _PROMPT.match(line)]
    read = grammar(_HERE / "parse" / "show.ttp").read(line for _, line in raw)
    for number, line in raw:
        record, where = read[line], Where(text.file, number)
        if record is None and command == _EXTENSIVE:
            continue
        count += 1
        if record is None:
            unknown.append(Line(line, where))
        else:
            records.append((record, where))
    if not any(record.kind != "known" for record, _ in records):
        raise ReadError(f"{text.file}: no line of {command.replace('-', ' ')} in it")
    device = replace(device, lines=device.lines + tuple(unknown), lines_read=device.lines_read + count)
    if command == "show-class-of-service-shared-buffer":
        return device if device.pools else replace(device, pools=tuple(_pools(records)))
    if command == "show-class-of-service-forwarding-class":
        return device if device.objects else replace(device, objects=tuple(_classes(records)))
    if command == "show-class-of-service-congestion-notification":
        return device if device.objects else replace(device, objects=tuple(_profiles(records)))
    sample = load_module(_HERE / "counters.py").sample(records)
    return _ports(replace(device, sample=joined(device.sample, sample)), records)


def _classes(records: list[tuple[Record, Where]]) -> Iterator[Named]:
    predefined = load_module(_HERE / "classes.py").PREDEFINED
    for record, where in records:
        if record.kind == "class":
            values = record.values
            yield Named(
                "forwarding-class", values["name"], defined=True, used=True, place=where,
                matters=values.get("no_loss", "").lower() == "enabled", system=values["name"] in predefined,
            )  # fmt: skip


def _profiles(records: list[tuple[Record, Where]]) -> Iterator[Named]:
    for record, where in records:
        if record.kind == "cn_profile":
            yield Named("congestion-notification-profile", record.values["name"], defined=True, used=True, place=where)


def _pools(records: list[tuple[Record, Where]]) -> Iterator[Pool]:
    """Return the partitions in the order of the output, the headroom beside the lossless one."""
    direction = "ingress"
    found: dict[str, Pool] = {}
    for record, where in records:
        values = record.values
        if record.kind in {"ingress", "egress"}:
            direction = record.kind
        elif record.kind == "threshold":
            name = f"{direction} {values['partition'].lower()}"
            if name in found:
                found[name] = replace(found[name], alpha=Dynamic(index=int(values["index"][:4])))
        elif record.kind == "known":
            continue
        elif _AMOUNT.fullmatch(values.get("amount", "")):
            amount = Amount.of_bytes(round(float(values["amount"]) * _KB))
            kind = "lossless" if record.kind == "headroom" else record.kind
            name = f"{direction} {kind}"
            pool = found.setdefault(name, Pool(name, direction, kind == "lossless", place=where))  # type: ignore[arg-type]
            leaf = "headroom" if record.kind == "headroom" else "total"
            found[name] = replace(pool, **{leaf: amount})  # type: ignore[arg-type]
    yield from found.values()


def _ports(device: Device, records: list[tuple[Record, Where]]) -> Device:
    """Add the ports that an output shows; what the configuration said of a port stays."""
    ports = dict(device.ports)
    name = ""
    for record, where in records:
        if record.kind == "port":
            name = record.values["name"]
            ports.setdefault(name, Port(name, place=where))
        elif record.kind == "link" and name:
            ports[name] = _with_link(ports[name], record, where)
        elif (
            record.kind == "cn"
            and name
            and ports[name].qos in (PortQos(), PortQos(link_pause=ports[name].qos.link_pause))
        ):
            state = "on" if record.values["state"] == "Enabled" else "off"
            none = frozenset[int]()
            pfc = Pfc("on") if state == "on" else Pfc("off", none, none)
            pause = ports[name].qos.link_pause
            places = {**ports[name].places, "pfc": where}
            ports[name] = replace(ports[name], qos=PortQos(pfc=pfc, link_pause=pause), places=places)
    return replace(device, ports=intern_ports(ports.values()))


_SPEED = re.compile(r"Speed: (\d{1,4})Gbps")


def _with_link(port: Port, record: Record, where: Where) -> Port:
    """Return a port with the MTU, speed and link pause of its `Link-level type` line; a stated value stays."""
    more = record.values["more"]
    speed = _SPEED.search(more)
    places = dict(port.places)
    if port.mtu is None:
        places.setdefault("mtu", where)
        port = replace(port, mtu=int(record.values["mtu"][:6]), mtu_counts="l2")
    if speed is not None:
        port = replace(port, speed_now=int(speed[1]) * 1_000_000_000)
    if port.qos.link_pause is None and "Flow control: " in more:
        on = "Flow control: Enabled" in more
        places.setdefault("link_pause", where)
        port = replace(port, qos=replace(port.qos, link_pause=LinkPause(rx=on, tx=on)))
    return replace(port, places=places)
