"""Captures become a draft: devices, cables by LLDP, speeds, cable lengths, classes and settings."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from rocecfg.discover import classes as class_reader
from rocecfg.discover.draft import Draft, Link, Loose, Member, most
from rocecfg.discover.names import natural, patterns_of
from rocecfg.discover.roles import guess
from rocecfg.discover.settle import differences, settle, untold
from rocecfg.intent.fields import DEVICE_NAME, PORT_NAME
from rocecfg.units import print_rate

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

    from rocecfg.state.model import Device, Interner, Port

_G = 10**9
_SPEED_WORDS = (
    (re.compile(r"(?i)^(?:eighthundredgig|800g)"), 800),
    (re.compile(r"(?i)^(?:fourhundredgig|400g)"), 400),
    (re.compile(r"(?i)^(?:twohundredgig|200g)"), 200),
    (re.compile(r"(?i)^(?:hundredgig|100g)"), 100),
    (re.compile(r"(?i)^(?:fiftygig|50g)"), 50),
    (re.compile(r"(?i)^(?:fortygig|40g)"), 40),
    (re.compile(r"(?i)^(?:twentyfivegig|twenty-fivegig|25g)"), 25),
    (re.compile(r"(?i)^(?:tengig|ten-gig|10g|xe-)"), 10),
)
_USUAL = 100 * _G
_SHOWN = 8
_BY_HEADROOM = "cable, by what the headroom was made for"


@dataclass(slots=True)
class Found:
    """Live devices by name, and what could not be used."""

    devices: dict[str, Device] = field(default_factory=dict)
    unreadable: list[str] = field(default_factory=list)

    def add(self, device: Device, name: str, share: Interner, file: str = "") -> None:
        """Take a device under its capture's name, else its own; a second capture of a name is not taken."""
        chosen = name or device.name
        if not DEVICE_NAME.fullmatch(chosen):
            self.unreadable.append(f"{chosen}: no name that an intent can hold; rename its capture folder")
            return
        if chosen in self.devices:
            self.unreadable.append(
                f"{file or chosen}: a second capture of {chosen}, the first one is used; leave one out, or rename the"
                " folder of one when they are two devices"
            )
            return
        ports = {port.name: replace(port, qos=share(port.qos), places={}) for port in device.ports.values()}
        self.devices[chosen] = replace(device, name=chosen, ports=ports, lines=(), objects=(), sample=None)


def draft_of(found: Found, fabric: str, heading: Iterable[str]) -> Draft:
    """Return the intent of live devices, compared with them and with what is left said at the top."""
    draft = Draft(fabric)
    devices = found.devices
    for name in sorted(devices, key=natural):
        device = devices[name]
        draft.members[name] = Member(
            name, device.kind, device.nos, device.model or "", device.os_version or "", device.asic or ""
        )
    usual = _usual_speed(port for device in devices.values() for port in device.ports.values())
    strangers = _links(draft, devices, usual)
    _roles(draft, strangers)
    _loose_ports(draft, devices, usual)
    _remarks(draft, strangers)
    classes = class_reader.read(devices.values())
    if classes.qos is None:
        from rocecfg.discover.starter import starter_classes

        draft.classes = starter_classes()
        draft.heading += [*heading, "No device has a lossless class: the classes are those of `rocecfg init`."]
        return draft
    left = settle(draft, classes, devices)
    draft.heading += [*heading, *_majority(classes), *_left(draft, left)]
    return draft


def _majority(classes: class_reader.Classes) -> list[str]:
    if classes.count == classes.total:
        return []
    return [f"Lossless classes are those of {classes.count} of {classes.total} ports; the others have other ones."]


def _left(draft: Draft, left: object) -> list[str]:
    from rocecfg.discover.settle import Trial

    if not isinstance(left, Trial):
        return []
    lines: list[str] = []
    if left.problem:
        lines += ["This file does not plan yet, because what runs contradicts itself:", f" {left.problem}"]
    if left.findings:
        lines += ["", "What runs otherwise than this file says (rocecfg drift shows where):"]
        lines += [f" {line}" for line in differences(draft, left)]
    if left.not_evaluated:
        lines += ["", "What no text tells, so that the plan decides:"]
        lines += [f" {line}" for line in untold(draft, left)]
    return lines


def _links(draft: Draft, devices: dict[str, Device], usual: int | None) -> dict[str, set[str]]:
    """Add the cables between devices that were read; return the neighbours of each device that were not."""
    short = {name.partition(".")[0].lower(): name for name in devices}
    strangers: dict[str, set[str]] = {}
    ends: dict[tuple[str, str], tuple[str, str]] = {}
    for name, device in devices.items():
        for port in device.ports.values():
            if port.neighbour is None or port.neighbour.source == "intent" or not PORT_NAME.fullmatch(port.name):
                continue
            other = short.get(port.neighbour.device.partition(".")[0].lower())
            if other is None:
                strangers.setdefault(name, set()).add(port.neighbour.device)
                continue
            port_there = _port_of(devices[other], port.neighbour.port, name, port.name)
            if port_there is not None:
                ends[name, port.name] = other, port_there
    seen: set[tuple[str, str]] = set()
    for near, far in ends.items():
        if near in seen or far in seen or ends.get(far, near) != near:
            continue
        seen |= {near, far}
        draft.links.append(_link(devices, near, far, usual))
    return strangers


def _port_of(device: Device, said: str, back: str, back_port: str) -> str | None:
    """Return the port that a neighbour means: by name, by alias, else the one that sees us."""
    if said in device.ports and PORT_NAME.fullmatch(said):
        return said
    lowered = said.lower()
    for port in device.ports.values():
        if lowered in {port.name.lower(), (port.alias or "").lower()}:
            return port.name
    for port in device.ports.values():
        seen = port.neighbour
        if seen is not None and seen.device.partition(".")[0].lower() == back.partition(".")[0].lower() and (
            seen.port == back_port
        ):  # fmt: skip
            return port.name
    return None


def _link(devices: dict[str, Device], near: tuple[str, str], far: tuple[str, str], usual: int | None) -> Link:
    if (devices[near[0]].kind == "host" and devices[far[0]].kind != "host") or (
        devices[near[0]].kind == devices[far[0]].kind and (natural(far[0]) < natural(near[0]))
    ):
        near, far = far, near
    ports = [(devices[device], devices[device].ports[port]) for device, port in (near, far)]
    speed = next((told for _, port in ports if (told := port.line_rate) is not None), None)
    guessed = ""
    if speed is None:
        speed, guessed = _guessed_speed(*ports[0], usual)
    lengths = {length for _, port in ports if (length := _cable(port)) is not None}
    because = [guessed] if guessed else []
    if guessed and any(_cable_told(port) is None and _cable(port) is not None for _, port in ports):
        because.append(_BY_HEADROOM)
    if len(lengths) > 1:
        because.append("the two ends were told different lengths, this is the longer")
    return Link(near, far, speed, max(lengths) if lengths else None, "; ".join(because))


def _usual_speed(ports: Iterable[Port]) -> int | None:
    """Return the speed of most ports whose text tells one."""
    found = most(speed for port in ports if (speed := port.line_rate) is not None)
    return found if isinstance(found, int) else None


def _cable_told(port: Port) -> int | Fraction | None:
    """Return the length that a device was told."""
    qos = port.qos
    return qos.cable if qos.cable is not None and qos.cable > 0 and "cable" not in qos.defaulted else None


def _cable(port: Port) -> int | Fraction | None:
    """Return the length that a device was told, or that its headroom was made for."""
    told = _cable_told(port)
    if told is not None:
        return told
    for group in port.qos.priority_groups or ():
        if group is not None and group.headroom is not None and group.headroom.made_for is not None:
            return group.headroom.made_for[1] or None
    return None


def _guessed_speed(device: Device, port: Port, usual: int | None) -> tuple[int, str]:
    """Return the speed of a port whose text tells none, and why: its headroom, its name, its like, its chip."""
    for group in port.qos.priority_groups or ():
        if group is not None and group.headroom is not None and group.headroom.made_for is not None:
            return group.headroom.made_for[0], "speed, by what its headroom was made for"
    for words, gigabits in _SPEED_WORDS:
        if words.match(port.name):
            return gigabits * _G, "speed, by the port's name"
    others = _usual_speed(device.ports.values())
    if others is not None:
        return others, "speed, that of most other ports of the device"
    if usual is not None:
        return usual, "speed, that of most ports whose text tells it"
    fastest = _fastest(device.model, device.asic)
    if fastest is not None:
        return fastest
    return _USUAL, f"speed: no text tells it, {print_rate(_USUAL)} is assumed"


@lru_cache(maxsize=1024)
def _fastest(model: str | None, asic: str | None) -> tuple[int, str] | None:
    """Return the fastest speed of a device's chip, and why; None where chip or speeds are not known."""
    from rocecfg.vendor.asics import catalogue

    chip = catalogue().of_device(model, asic)
    if chip is None or not chip.speeds():
        return None
    return max(chip.speeds()) * _G, f"speed, the fastest of {chip.shown}"


def _roles(draft: Draft, strangers: dict[str, set[str]]) -> None:
    kinds = {name: member.kind for name, member in draft.members.items()}
    for name, role in guess(kinds, ((link.a[0], link.b[0]) for link in draft.links), strangers).items():
        draft.members[name].role, draft.members[name].role_because = role
    rank = {"host": 0, "leaf": 1, "spine": 2, "core": 3}
    draft.links = [
        replace(link, a=link.b, b=link.a)
        if (member := draft.members[link.b[0]]).kind == "switch"
        and rank.get(member.role, 9) < rank.get(draft.members[link.a[0]].role, 9)
        and draft.members[link.a[0]].kind == "switch"
        else link
        for link in draft.links
    ]


def _loose_ports(draft: Draft, devices: dict[str, Device], usual: int | None) -> None:
    """Add the ports that carry lossless traffic or are watched, and that no cable is known of."""
    cabled = {end for link in draft.links for end in (link.a, link.b)}
    for name, device in devices.items():
        lags = {lag.name for lag in device.lags or ()}
        for port in device.ports.values():
            pfc = port.qos.pfc
            lossless = pfc is not None and pfc.admin in {"on", "auto"} and pfc.tx
            plain = port.vf_of is None and port.name not in lags and PORT_NAME.fullmatch(port.name)
            if (name, port.name) in cabled or not lossless or not plain:
                continue
            speed, guessed = port.line_rate, ""
            if speed is None:
                speed, guessed = _guessed_speed(device, port, usual)
            cable = _cable(port)
            if guessed and cable is not None and _cable_told(port) is None:
                guessed = f"{guessed}; {_BY_HEADROOM}"
            draft.members[name].loose[port.name] = Loose(speed, cable, guessed)


def _remarks(draft: Draft, strangers: dict[str, set[str]]) -> None:
    loose = sum(len(member.loose) for member in draft.members.values())
    if not draft.links:
        draft.links_remarks.append(
            "No text names a neighbour (LLDP) that a capture was given of: fill in the cables, one line each,"
        )
        draft.links_remarks.append(
            'such as - {a: "leaf[1-2]:Ethernet1/49", b: "spine1:Ethernet1/[1-2]", speed: 400G, cable: 30m fibre}'
        )
        if loose:
            draft.links_remarks.append("and take their ports out of `ports` above, where only their speed stands.")
    elif loose:
        draft.links_remarks.append(
            f"{loose} lossless ports have no cable that is known: they stand under `ports` of their devices."
        )
    unknown = [link for link in draft.links if link.cable is None]
    if unknown:
        draft.links_remarks.append(
            f"{len(unknown)} of {len(draft.links)} cables have no length that a device was told: write"
            " `cable: 30m fibre` to a line, or `cable` to `settings` or `roles`; until then 100m is assumed."
        )
    outside = Counter(len(names) for names in strangers.values())
    if outside:
        names = {other for of in strangers.values() for other in of if DEVICE_NAME.fullmatch(other)}
        shown = patterns_of(names)
        draft.links_remarks.append(
            f"{len(names)} neighbours have no capture and are left out: {', '.join(shown[:_SHOWN])}"
            + (", ..." if len(shown) > _SHOWN else "")
        )
