"""A port sees another neighbour than the cabling plans.

## What it finds

A port whose LLDP neighbour is another device, or another port of the device, than the intent or links file says.

## Why it matters

Cable length, role and speed of the port were taken from the plan: its headroom is made for another cable, and paths are
not what was checked.

## What to do

Recable, or correct the links of the intent.

## When to ignore

Ports behind a device that passes LLDP through.

## References

- Cabling errors: headroom for 5 m on a 300 m link (sonic-buildimage issue 1602)
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rocecfg.lint.api import End, Given, Hit, Link, Severity, Unknown

ID, NAME, SEVERITY, PROFILE, SINCE = "PEER-010", "neighbour-not-as-intended", Severity.ERROR, "safe", "0.1"
GOOD = """
devices:
  - {name: leaf1, ports: {Ethernet1/5: {neighbour: {device: spine2, port: Ethernet1/1, source: lldp}}}}
  - {name: spine2, ports: {Ethernet1/1: {}}}
links: [{a: "leaf1:Ethernet1/5", b: "spine2:Ethernet1/1"}]
"""
BAD = GOOD.replace("device: spine2", "device: leaf3")


def check(link: Link, given: Given) -> Iterator[Hit | Unknown]:
    for near, far in ((link.a, link.b), (link.b, link.a)):
        seen = near.port.neighbour if near.port is not None else None
        if near.port is None:
            continue
        if seen is None or seen.source != "lldp":
            yield Unknown("the LLDP neighbour of the port", near)
        elif _host_name(seen.device) != _host_name(far.device_name):
            yield Hit(
                f"LLDP sees {seen.device} {seen.port}, the cabling plans {far.device_name} {far.port_name}",
                "recable, or correct the link",
                "neighbour",
                end=near,
            )
        elif _other_port(seen.port, far):
            yield Hit(
                f"LLDP sees port {seen.port} of {seen.device}, the cabling plans {far.port_name}",
                "recable, or correct the link",
                "neighbour",
                end=near,
            )


def _host_name(name: str) -> str:
    """Return a device name without domain, in lower case."""
    return name.partition(".")[0].partition("(")[0].strip().lower()


def _other_port(seen: str, far: End) -> bool:
    """Tell whether LLDP names another port; names of another form (MAC address, alias) say nothing."""
    alias = far.port.alias if far.port is not None else None
    if seen in {far.port_name, alias}:
        return False
    (word, numbers), (planned_word, planned) = _parts(seen), _parts(far.port_name)
    alike = bool(word) and bool(planned_word) and (word.startswith(planned_word) or planned_word.startswith(word))
    return alike and numbers != planned and re.sub("[0-9]", "", numbers) == re.sub("[0-9]", "", planned)


def _parts(port: str) -> tuple[str, str]:
    """Return `ethernet` and `1/5` of Ethernet1/5."""
    match = re.match(r"([A-Za-z]{0,40})[- ]?(.{0,80})", port)
    return (match[1].lower(), match[2]) if match is not None else ("", "")
