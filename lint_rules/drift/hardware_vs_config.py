"""The chip does something else than the configuration says.

## What it finds

A port that is forced to PFC for some priorities, and whose operational state shows other ones. A port that shows none
is judged only when it is known to be up.

## Why it matters

The configuration reads as lossless and the hardware is not: a refused profile, a negotiation that took precedence, or a
change that never reached the chip.

## What to do

Look for the refusal in the log, and apply the setting again.

- nxos: `show interface priority-flow-control` shows both

## When to ignore

Never while the port is up.

## References

- sonic-swss pull request 1055: an emptied pfc_enable leaves PFC on in the chip
- Azure/AzureLocal-Supportability pull request 297: admin on, oper off
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Port, Severity, Unknown, numbers_text

ID, NAME, SEVERITY, PROFILE, SINCE = "DRIFT-006", "hardware-vs-config", Severity.ERROR, "safe", "0.1"
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  ports: {Ethernet1/1: {speed_now: 100000000000, qos: {pfc: {admin: "on", tx: [3], rx: [3], oper: [3]}}}}
"""
BAD = GOOD.replace("oper: [3]", "oper: [4]")


def check(port: Port, given: Given) -> Iterator[Hit | Unknown]:
    pfc = port.qos.pfc
    if pfc is None or pfc.admin != "on" or pfc.tx is None or pfc.oper is None or pfc.gate is False:
        return
    if pfc.oper in {pfc.tx, pfc.rx}:
        return
    if not pfc.oper and (port.speed_now is None or port.enabled is False):
        if port.enabled is not False:
            yield Unknown("whether the port is up: its PFC is operationally off")
        return
    yield Hit(
        f"PFC is set to on for priority {numbers_text(pfc.tx)}, in operation it is on for {numbers_text(pfc.oper)}",
        "look for the refusal in the log and apply the setting again",
        "pfc",
    )
