"""The NIC's firmware is older than it should be.

## What it finds

A host whose NIC firmware is older than the option `floor`, or, without one, older than the firmware that most of its
twins (hosts of one role, NIC family and model) run.

## Why it matters

Firmware has carried bugs that lose the fabric: pauses that never end, CNPs counted wrongly, go-back-0 after a single
loss. A host that an upgrade forgot keeps them.

## What to do

Bring the host to the firmware of its twins.

- mlx5: `flint -d DEVICE query` shows both the running and the stored firmware

## When to ignore

Canary hosts during a roll-out.

## References

- Meta, RDMA over Ethernet for Distributed Training at Meta Scale, SIGCOMM 2024: firmware that miscounted CNPs
- Guo et al., SIGCOMM 2016, section 4.1: go-back-0
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rocecfg.lint.api import Device, Fleet, Given, Hit, Option, Port, Severity

ID, NAME, SEVERITY, PROFILE, SINCE = "NIC-013", "nic-firmware-below-floor", Severity.WARNING, "safe", "0.1"
DEVICES = "host"
OPTIONS = {
    "floor": Option("", "the oldest accepted firmware, such as 28.39.1002; empty = what most twins run"),
    "share": Option(75, "percent of the twins that must run the newer firmware"),
    "least": Option(3, "twins that must run the newer firmware"),
}
GOOD = """
devices:
  - {name: gpu01, kind: host, role: host, ports: &same {rail0: {nic: {model: ConnectX-7, firmware: 28.39.1002}}}}
  - {name: gpu02, kind: host, role: host, ports: *same}
  - {name: gpu03, kind: host, role: host, ports: *same}
  - {name: gpu04, kind: host, role: host, ports: *same}
"""
BAD = """
devices:
  - {name: gpu01, kind: host, role: host, ports: &same {rail0: {nic: {model: ConnectX-7, firmware: 28.39.1002}}}}
  - {name: gpu02, kind: host, role: host, ports: *same}
  - {name: gpu03, kind: host, role: host, ports: *same}
  - {name: gpu04, kind: host, role: host, ports: {rail0: {nic: {model: ConnectX-7, firmware: 28.33.0834}}}}
"""
Version = tuple[int, ...]


def check_port(port: Port, given: Given) -> Iterator[Hit]:
    """Judge against the stated floor."""
    floor: str = given.options.floor
    have = port.nic.firmware if port.nic is not None else None
    if floor and have is not None and _version(have) < _version(floor):
        yield Hit(f"the NIC runs firmware {have}, the oldest accepted is {floor}", "upgrade it", "nic.firmware")


def check(fleet: Fleet, given: Given) -> Iterator[Hit]:
    if given.options.floor:
        return
    by_model: dict[str, list[tuple[Version, str, Device, str]]] = {}
    for device in fleet.devices:
        for port in device.ports.values():
            if port.nic is not None and port.nic.firmware is not None and _version(port.nic.firmware):
                entry = (_version(port.nic.firmware), port.nic.firmware, device, port.name)
                by_model.setdefault(port.nic.model or "", []).append(entry)
    for entries in by_model.values():
        versions = [version for version, *_ in entries]
        usual = max(set(versions), key=lambda version: (versions.count(version), version))
        count = len({id(device) for version, _, device, _ in entries if version == usual})
        if count < given.options.least or versions.count(usual) * 100 < len(versions) * given.options.share:
            continue
        word = next(text for version, text, *_ in entries if version == usual)
        for version, text, device, port_name in entries:
            if version < usual:
                yield Hit(
                    f"the NIC runs firmware {text}, {count} other {fleet.role} devices run {word}",
                    f"upgrade it to {word}",
                    "nic.firmware",
                    ports=(port_name,),
                    device=device,
                )


def _version(text: str) -> Version:
    return tuple(int(part) for part in re.findall(r"[0-9]{1,9}", text.partition("(")[0]))
