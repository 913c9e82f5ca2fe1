"""A device-wide command turns PFC off while its ports are configured for it.

## What it finds

A port with PFC on, on a device whose global switch overrides every port to off.

## Why it matters

Every interface looks right and none of them pauses: the whole device drops in its lossless class.

## What to do

Remove the global command.

- nxos: take the global line `priority-flow-control override-interface mode off` out

## When to ignore

During a maintenance window in which PFC is off on purpose.

## References

- Cisco NX-OS device model: pfc override (values disabled, off)
- Arista EOS: priority-flow-control all off
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, PortQos, Severity, numbers_text, wanted_lossless

ID, NAME, SEVERITY, PROFILE, SINCE = "PFC-013", "global-pfc-kill-switch", Severity.ERROR, "min", "0.1"
GOOD = """
device:
  name: leaf1
  pfc_enabled: true
  ports:
    Ethernet1/1: {qos: {pfc: {admin: "on", tx: [3], rx: [3], gate: true}}}
"""
BAD = """
device:
  name: leaf1
  pfc_enabled: false
  ports:
    Ethernet1/1: {qos: {pfc: {admin: "on", tx: [3], rx: [3], gate: false}}}
"""


def check(qos: PortQos, given: Given) -> Iterator[Hit]:
    pfc = qos.pfc
    if pfc is None or pfc.gate is not False or pfc.admin == "off":
        return
    wanted = (pfc.tx or frozenset()) | (pfc.rx or frozenset()) | wanted_lossless(qos, given)
    if wanted:
        yield Hit(
            f"PFC is configured for priority {numbers_text(wanted)}, but a global command turns all PFC off",
            "remove the global override",
            "pfc.gate",
        )
