"""One device out of many has a setting that no other has.

## What it finds

Among ten or more devices of one role, system and model, at least nine tenths agree and one differs in release, buffer
pools, MTU, scheduling, rewriting, link pause or the map from class to queue. PFC, ECN, watchdog and classification are
compared by REF-005, alpha by BUF-012.

## Why it matters

Nothing is wrong on the box alone, so nobody finds it by looking at the box. It is usually a change that was tried on one
device and never taken back.

## What to do

Compare the device with a twin (`rocecfg drift`), and bring it in line or give it a role of its own.

## When to ignore

Canary devices during a roll-out.

## References

- Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 6
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rocecfg.lint.api import Device, Fleet, Given, Hit, Option, PortQos, Severity

ID, NAME, SEVERITY, PROFILE, SINCE = "DRIFT-007", "one-of-n-outlier", Severity.WARNING, "safe", "0.1"
OPTIONS = {
    "least": Option(10, "devices of the role from which an outlier counts"),
    "share": Option(90, "percent of the devices that must agree"),
}
GOOD = """
devices:
""" + "".join(
    f"""
  - {{name: leaf{number}, role: leaf, ports: {{swp1: {{mtu: 9216}}}}}}"""
    for number in range(1, 11)
)
BAD = GOOD.replace("leaf4, role: leaf, ports: {swp1: {mtu: 9216", "leaf4, role: leaf, ports: {swp1: {mtu: 9100")
_WORDS = {
    "os_version": "the release", "pools": "the buffer pools", "buffer_model": "the buffer model",
    "traffic": "the traffic that headroom is sized for", "mtu": "the MTU", "rewrite": "rewriting",
    "link_pause": "link pause", "tc_to_queue": "the map from class to queue", "scheduling": "scheduling",
}  # fmt: skip
_OF_DEVICE = {"os_version", "pools", "buffer_model", "traffic"}


def check(fleet: Fleet, given: Given) -> Iterator[Hit]:
    if len(fleet.devices) < given.options.least:
        return
    for name, words in _WORDS.items():
        by_value: dict[Any, list[Device]] = {}
        for device in fleet.devices:
            value = _value(device, name)
            if value is not None:
                by_value.setdefault(value, []).append(device)
        total = sum(len(devices) for devices in by_value.values())
        if len(by_value) < 2 or total < given.options.least:
            continue
        usual, most = max(by_value.items(), key=lambda item: len(item[1]))
        if len(most) * 100 < total * given.options.share:
            continue
        for value, devices in by_value.items():
            for device in devices if value != usual else ():
                yield Hit(
                    f"{words} differs from that of {len(most)} of {total} {fleet.role} devices (for instance {most[0].name})"
                    + _detail(value, usual),
                    "set it up like its twins, or give it a role of its own",
                    "" if name in _OF_DEVICE else {"scheduling": "queues"}.get(name, name),
                    words.removeprefix("the "),
                    device=device,
                )


def _detail(value: Any, usual: Any) -> str:
    """Return both values where they are short enough to read."""
    if isinstance(value, frozenset) and isinstance(usual, frozenset) and len(value) == len(usual) == 1:
        (value,), (usual,) = value, usual
    short = isinstance(value, int | str) and isinstance(usual, int | str)
    return f": {value} against {usual}" if short else ""


def _value(device: Device, name: str) -> Any:
    """Return what is compared; None = not known, which is never a difference."""
    if name in _OF_DEVICE:
        return getattr(device, name)
    values = {port.mtu if name == "mtu" else _of_qos(port.qos, name) for port in device.ports.values()}
    values.discard(None)
    return frozenset(values) or None


def _of_qos(qos: PortQos, name: str) -> Any:
    if name != "scheduling":
        return getattr(qos, name)
    queues = qos.queues or ()
    found = tuple((queue.scheduler, queue.rank, queue.weight) if queue is not None else None for queue in queues)
    return found if any(item is not None and item[0] is not None for item in found) else None
