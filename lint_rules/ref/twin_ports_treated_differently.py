"""One port is set up unlike its many twins.

## What it finds

Among ports of one role, speed and mode on one device, at least four ports and three quarters of them agree, and the
rest differ in PFC, ECN, watchdog or classification. Where the roles are not known only ports with PFC on are compared,
so that uplinks without RoCE are not taken for forgotten ones.

## Why it matters

It is nearly always a forgotten port, found when the flows that hash onto it stall.

## What to do

Bring the port in line, or say in the intent that it differs.

## When to ignore

Ports that differ on purpose: an override in the intent, or a line in the ignore file.

## References

- Public Junos and Cumulus configurations: a profile on one port of three, a watchdog on host ports only
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rocecfg.lint.api import Device, Given, Hit, Option, Port, PortQos, Severity

ID, NAME, SEVERITY, PROFILE, SINCE = "REF-004", "twin-ports-treated-differently", Severity.WARNING, "safe", "0.1"
OPTIONS = {
    "least": Option(4, "ports that must agree before the rest counts as odd"),
    "share": Option(75, "percent of the twins that must agree"),
}
GOOD = """
device:
  name: leaf1
  ports:
    swp1: &twin {role: host, qos: {trust: dscp}}
    swp2: *twin
    swp3: *twin
    swp4: *twin
    swp5: *twin
"""
BAD = """
device:
  name: leaf1
  ports:
    swp1: &twin {role: host, qos: {trust: dscp}}
    swp2: *twin
    swp3: *twin
    swp4: *twin
    swp5: {role: host, qos: {trust: pcp}}
"""
_FIELDS = ("pfc", "watchdog", "ecn", "trust", "dscp_to_tc", "pcp_to_tc")
_WORDS = {"dscp_to_tc": "the DSCP map", "pcp_to_tc": "the PCP map", "pfc": "PFC", "ecn": "ECN",
          "trust": "trust", "watchdog": "the watchdog"}  # fmt: skip


def check(device: Device, given: Given) -> Iterator[Hit]:
    twins: dict[tuple[Any, ...], dict[int, tuple[PortQos, list[Port]]]] = {}
    for port in device.ports.values():
        if port.enabled is False or (port.role is None and not port.qos.lossless_priorities()):
            continue
        key = (port.role, port.speed, port.mode, port.lag is not None)
        twins.setdefault(key, {}).setdefault(id(port.qos), (port.qos, []))[1].append(port)
    for by_qos in twins.values():
        if len(by_qos) > 1:
            yield from _odd(list(by_qos.values()), given)


def _odd(groups: list[tuple[PortQos, list[Port]]], given: Given) -> Iterator[Hit]:
    total = sum(len(ports) for _, ports in groups)
    odd: dict[tuple[str, ...], list[tuple[str, Port, int]]] = {}
    for name in _FIELDS:
        by_value: dict[Any, list[Port]] = {}
        for qos, ports in groups:
            by_value.setdefault(_value(qos, name, ports[0].speed), []).extend(ports)
        usual, most = max(by_value.items(), key=lambda item: len(item[1]))
        if usual is None or len(most) < given.options.least or len(most) * 100 < total * given.options.share:
            continue
        for value, ports in by_value.items():
            if value is not None and value != usual:
                odd.setdefault(tuple(port.name for port in ports), []).append((name, most[0], len(most)))
    for names, differences in odd.items():
        first, example, count = differences[0]
        words = [_WORDS[name] for name, _, _ in differences]
        what = words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
        yield Hit(
            f"{what} {'differs' if len(words) == 1 else 'differ'} from the {count} other ports of the same kind "
            f"(for instance {example.name})",
            "set them alike, or say in the intent that they differ",
            "queues" if first == "ecn" else first,
            ports=names,
        )


def _value(qos: PortQos, name: str, speed: int | None) -> Any:
    """Return what is compared; None = not known, which is never a difference.

    Thresholds follow the speed: where it is not known, only whether a queue marks is compared.
    """
    if name == "ecn":
        marks = [queue.ecn if queue is not None else None for queue in qos.queues or ()]
        if speed is None:
            return tuple(ecn if ecn is None else bool(ecn.curves) for ecn in marks) or None
        return tuple(marks) or None
    return getattr(qos, name)
