"""One device of a role is set up unlike the others.

## What it finds

Among devices of one role, system and model, at least three and three quarters of them agree in PFC, ECN thresholds,
watchdog or classification of their ports, and one differs. Alpha is judged by BUF-012.

## Why it matters

The odd device pauses, marks or drops where its twins do not, and nothing is wrong on the box alone.

## What to do

Compare the device with a twin (`rocecfg drift`), and bring it in line or give it a role of its own.

## When to ignore

Canary devices during a roll-out.

## References

- Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 6 (one model set up unlike its fleet)
- Public Junos five-stage design: storage-leaf1 against storage-leaf2
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rocecfg.lint.api import Device, Fleet, Given, Hit, Option, PortQos, Severity, Spot

ID, NAME, SEVERITY, PROFILE, SINCE = "REF-005", "twin-devices-treated-differently", Severity.WARNING, "safe", "0.1"
OPTIONS = {
    "least": Option(3, "devices that must agree before one counts as odd"),
    "share": Option(75, "percent of the devices that must agree"),
}
GOOD = """
devices:
  - {name: leaf1, role: leaf, ports: &same {swp1: {qos: {watchdog: {enabled: true, detect: 200}}}}}
  - {name: leaf2, role: leaf, ports: *same}
  - {name: leaf3, role: leaf, ports: *same}
  - {name: leaf4, role: leaf, ports: *same}
"""
BAD = """
devices:
  - {name: leaf1, role: leaf, ports: &same {swp1: {qos: {watchdog: {enabled: true, detect: 200}}}}}
  - {name: leaf2, role: leaf, ports: *same}
  - {name: leaf3, role: leaf, ports: *same}
  - {name: leaf4, role: leaf, ports: {swp1: {qos: {watchdog: {enabled: true, detect: 800}}}}}
"""
_FIELDS = ("trust", "dscp_to_tc", "pcp_to_tc", "pfc", "watchdog", "ecn")
_WORDS = {"dscp_to_tc": "the DSCP map", "pcp_to_tc": "the PCP map", "pfc": "PFC", "ecn": "ECN",
          "trust": "trust", "watchdog": "the watchdog"}  # fmt: skip


def check(fleet: Fleet, given: Given) -> Iterator[Hit]:
    if len(fleet.devices) <= given.options.least:
        return
    seen = [
        (device, list({id(port.qos): port.qos for port in device.ports.values()}.values())) for device in fleet.devices
    ]
    for name in _FIELDS:
        by_value: dict[frozenset[Any], list[Device]] = {}
        for device, every in seen:
            values = frozenset(value for qos in every if (value := _value(qos, name)) is not None)
            if values:
                by_value.setdefault(values, []).append(device)
        if len(by_value) < 2:
            continue
        usual, most = max(by_value.items(), key=lambda item: len(item[1]))
        total = sum(len(devices) for devices in by_value.values())
        if len(most) < given.options.least or len(most) * 100 < total * given.options.share:
            continue
        for values, devices in by_value.items():
            for device in devices if values != usual else ():
                yield Hit(
                    f"{_WORDS[name]} differs from that of the {len(most)} other {fleet.role} devices "
                    f"(for instance {most[0].name})",
                    "set it up like its twins, or give it a role of its own",
                    object=_WORDS[name].removeprefix("the "),
                    device=device,
                    place=_place(device, name, usual),
                )


def _place(device: Device, name: str, usual: frozenset[Any]) -> Spot | None:
    """Return the line of the first port that holds a value none of the twins has."""
    leaf = {"ecn": "queues"}.get(name, name)
    for port in device.ports.values():
        value = _value(port.qos, name)
        if value is not None and value not in usual:
            return port.where(leaf)
    return device.place


def _value(qos: PortQos, name: str) -> Any:
    """Return what is compared; None = not known, which is never a difference."""
    if name == "ecn":
        return tuple(queue.ecn if queue is not None else None for queue in qos.queues) if qos.queues else None
    return getattr(qos, name)
