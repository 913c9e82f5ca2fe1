"""What the NIC does now is lost with the next reset.

## What it finds

A host port whose running CNP mark or priority, DCQCN priorities or ownership of DCB differs from what its firmware will
use from the next boot on.

## Why it matters

Settings of sysfs, `mlnx_qos` and debugfs live until the next reboot. The host then comes back with the firmware's
values, and nobody notices until traffic suffers.

## What to do

Write the same values to the firmware, or run the script at every boot.

- mlx5: `mlxconfig -d DEVICE set CNP_DSCP_P1=48 CNP_802P_PRIO_P1=6`, or enable rocecfg-nic.service

## When to ignore

Hosts where a boot-time unit (such as the rendered one) sets the values again.

## References

- Mellanox/nic-configuration-operator README: mlnx_qos settings are lost at reboot
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rocecfg.lint.api import Given, Hit, Port, Severity, numbers_text

ID, NAME, SEVERITY, PROFILE, SINCE = "DRIFT-003", "running-not-saved", Severity.WARNING, "safe", "0.1"
DEVICES = "host"
GOOD = """
device: {name: gpu01, kind: host, ports: {rail0: {nic: {cnp_dscp: 48, next_boot: {cnp_dscp: 48}}}}}
"""
BAD = GOOD.replace("next_boot: {cnp_dscp: 48}", "next_boot: {cnp_dscp: 46}")


def check(port: Port, given: Given) -> Iterator[Hit]:
    nic = port.nic
    boot = nic.next_boot if nic is not None else None
    if nic is None or boot is None:
        return
    control = nic.congestion_control
    reacts = control.reacts if control is not None else None
    for leaf, what, now, later in (
        ("nic.next_boot.cnp_dscp", "the DSCP of CNPs", nic.cnp_dscp, boot.cnp_dscp),
        ("nic.next_boot.cnp_priority", "the priority of CNPs", nic.cnp_priority, boot.cnp_priority),
        ("nic.next_boot.congestion_control", "DCQCN for priority", reacts, boot.congestion_control),
    ):
        if now is not None and later is not None and now != later:
            yield Hit(
                f"{what} is {_text(now)} now and {_text(later)} from the next boot on",
                "write the running value to the firmware too",
                leaf,
                what.removeprefix("the "),
            )


def _text(value: Any) -> str:
    return numbers_text(value) if isinstance(value, frozenset) else str(value)
