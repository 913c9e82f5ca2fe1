"""Hosts of one fabric use different DCQCN parameters.

## What it finds

Hosts of one role, system and model whose DCQCN numbers differ: reaction timer, additive and hyper increase, alpha gain,
time between CNPs.

## Why it matters

Hosts that recover faster take bandwidth from those that recover slower; a mix of settings behaves as a mix of NIC
generations does, which Azure found to misbehave.

## What to do

Give all hosts of the role one profile.

- mlx5: write the same values to `/sys/kernel/debug/mlx5/DEVICE/cc_params/`, and `mlxconfig` for the next boot

## When to ignore

Declared NIC generations: give them a role or model of their own.

## References

- Azure's notes on DCQCN between NIC generations; Zhu et al., CoNEXT 2016 (ECN or Delay)
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Device, Fleet, Given, Hit, Port, Severity

ID, NAME, SEVERITY, PROFILE, SINCE = "NIC-008", "dcqcn-params-inconsistent", Severity.WARNING, "safe", "0.1"
DEVICES = "host"
GOOD = """
devices:
  - {name: gpu01, kind: host, role: host, ports: &same {rail0: {nic: {congestion_control: {parameters: [[rpg_time_reset, 300]]}}}}}
  - {name: gpu02, kind: host, role: host, ports: *same}
"""
BAD = """
devices:
  - {name: gpu01, kind: host, role: host, ports: &same {rail0: {nic: {congestion_control: {parameters: [[rpg_time_reset, 300]]}}}}}
  - {name: gpu02, kind: host, role: host, ports: *same}
  - {name: gpu03, kind: host, role: host, ports: {rail0: {nic: {congestion_control: {parameters: [[rpg_time_reset, 55]]}}}}}
"""


def check(fleet: Fleet, given: Given) -> Iterator[Hit]:
    names = sorted({name for device in fleet.devices for name in _values(device)})
    for name in names:
        by_value: dict[frozenset[int], list[Device]] = {}
        for device in fleet.devices:
            if found := _values(device).get(name):
                by_value.setdefault(frozenset(found), []).append(device)
        if len(by_value) < 2:
            continue
        usual, most = max(by_value.items(), key=lambda item: (len(item[1]), -len(item[0])))
        for found_here, devices in by_value.items():
            for device in devices if found_here != usual else ():
                ports = [port.name for port in device.ports.values() if _value(port, name) not in {None, *usual}]
                yield Hit(
                    f"{name} is {_text(found_here)}, on {len(most)} other {fleet.role} devices {_text(usual)} (for instance "
                    f"{most[0].name})",
                    f"set {name} to {_text(usual)}",
                    "nic.congestion_control",
                    name,
                    ports=tuple(ports),
                    device=device,
                )


def _values(device: Device) -> dict[str, set[int]]:
    """Return the values of each DCQCN parameter on the ports of a host."""
    found: dict[str, set[int]] = {}
    for port in device.ports.values():
        for name, value in _parameters(port):
            found.setdefault(name, set()).add(value)
    return found


def _value(port: Port, name: str) -> int | None:
    return dict(_parameters(port)).get(name)


def _parameters(port: Port) -> tuple[tuple[str, int], ...]:
    control = port.nic.congestion_control if port.nic is not None else None
    return control.parameters if control is not None else ()


def _text(values: frozenset[int]) -> str:
    return " and ".join(map(str, sorted(values)))
