"""A port pauses for one set of priorities and obeys pauses for another.

## What it finds

PFC that sends and honours for different priorities, where the intent does not ask for asymmetric PFC. A lossless
priority of the intent that lacks a direction is PFC-001's finding; a profile that no port has yet is information.

## Why it matters

A port that only asks for pauses overruns its peer; one that only obeys them drops what arrives. And the watchdog
usually watches the sending set, so a stuck priority that is only honoured is never freed.

## What to do

Use one set for both directions, or declare it.

- sonic: `config interface pfc asymmetric IF off`
- cumulus: `tx enable` and `rx enable` of the same PFC profile
- junos: the same code points in `input` and `output` of the congestion-notification-profile
- mlx5: PFC of the NIC is symmetric: look at the switch

## When to ignore

Asymmetric PFC by design on server ports: say `asymmetric_pfc: true` in the intent, and let the watchdog watch every
priority that is honoured.

## References

- sonic-swss pull request 1360 (asymmetric PFC and the watchdog), sonic-buildimage issue 9453
- IEEE 802.1Qbb
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Device, Given, Hit, PortQos, Severity, Unknown, numbers_text
from rocecfg.lint.classes import pfc_sets

ID, NAME, SEVERITY, PROFILE, SINCE = "PFC-004", "asymmetric-pfc-unintended", Severity.WARNING, "safe", "0.1"
GOOD = """
device:
  name: leaf1
  ports:
    swp1: {qos: {pfc: {admin: "on", tx: [3], rx: [3]}}}
"""
BAD = GOOD.replace("rx: [3]", "rx: []")


def check(qos: PortQos, given: Given) -> Iterator[Hit | Unknown]:
    if given.expect is not None and given.expect.asymmetric_pfc:
        return
    sends, honours = pfc_sets(qos)
    if sends is None or honours is None:
        yield Unknown("PFC of the port in both directions")
        return
    by_itself = "pfc.rx" in qos.defaulted  # what a system honours beyond what was asked for is nobody's mistake
    odd = (sends - honours if by_itself else sends ^ honours) - (
        given.expect.lossless if given.expect is not None else frozenset()
    )
    if not odd:
        return
    yield Hit(
        f"the port pauses its peer for priority {numbers_text(sends)} and honours pauses for priority "
        f"{numbers_text(honours)}",
        "use the same priorities in both directions",
        "pfc.rx" if sends - honours else "pfc.tx",
        f"priority {numbers_text(odd)}",
    )


def check_unused(device: Device, given: Given) -> Iterator[Hit]:
    """Say it of a profile too that no port has yet."""
    for item in device.objects:
        sets = pfc_sets(item.would.qos) if item.would is not None else None
        if item.would is None or sets is None or sets.sends is None or sets.honours is None:
            continue
        if sets.sends != sets.honours:
            yield Hit(
                f'{item.kind} "{item.name}" is attached nowhere; a port that gets it pauses its peer for priority '
                f"{numbers_text(sets.sends)} and honours pauses for priority {numbers_text(sets.honours)}",
                "use the same priorities in both directions before it is attached",
                object=item.name,
                severity=Severity.INFO,
                place=item.would.where("pfc.rx" if sets.sends - sets.honours else "pfc.tx"),
            )
