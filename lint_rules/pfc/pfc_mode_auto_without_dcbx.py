"""PFC is left to negotiation, and nobody negotiates.

## What it finds

A port in PFC mode auto where DCBX is off, where the peer at the other end of the cable does not negotiate PFC, or where
negotiation ended with no priority. A default of auto counts only on ports with a lossless class. Where none of this is
known, mode auto is a warning if the intent wants the port lossless, and not evaluated without an intent.

## Why it matters

In mode auto the switch turns PFC on only after DCBX agreed with the peer; a Linux host without a DCBX agent never
agrees, and the port runs without PFC while its configuration looks complete.

## What to do

Force PFC on, or make the peer speak DCBX.

- nxos: `priority-flow-control mode on`; with `send-tlv` the host still sees the TLV
- junos: `set protocols dcbx interface IF priority-flow-control no-auto-negotiation`

## When to ignore

Adapters that do negotiate: capture the operational state (`show interface priority-flow-control`) and the rule is silent.

## References

- Cisco NX-API REST SDK 9.3x, Configuring Priority Flow Control: auto without DCBX leaves PFC off
- Juniper, dcbx statement of QFX switches
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Link, PortQos, Severity, Unknown, numbers_text, wanted_lossless

ID, NAME, SEVERITY, PROFILE, SINCE = "PFC-005", "pfc-mode-auto-without-dcbx", Severity.ERROR, "min", "0.1"
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet1/1: {qos: {pfc: {admin: auto, tx: [3], rx: [3], oper: [3]}, dcbx: {state: auto}}}
"""
BAD = """
device:
  name: leaf1
  ports:
    Ethernet1/1: {qos: {pfc: {admin: auto, tx: [3], rx: [3]}, dcbx: {state: "off"}}}
"""


def check(qos: PortQos, given: Given) -> Iterator[Hit | Unknown]:
    pfc = qos.pfc
    if pfc is None or pfc.admin != "auto" or pfc.gate is False:
        return
    wanted = wanted_lossless(qos, given) or (frozenset() if "pfc.admin" in qos.defaulted else pfc.tx or frozenset())
    if not wanted or pfc.oper:
        return
    state = qos.dcbx.state if qos.dcbx is not None else None
    if state == "off" or pfc.oper is not None:
        reason = "DCBX is off on the port" if state == "off" else "negotiation ended with no priority"
        yield Hit(
            f"PFC mode is auto and {reason}: nothing is paused for priority {numbers_text(wanted)}",
            "force PFC on, or let the peer negotiate",
            "pfc.admin",
            f"priority {numbers_text(wanted)}",
        )
    elif given.expect is not None:
        yield Hit(
            f"PFC mode is auto: whether anything is paused for priority {numbers_text(wanted)} depends on a negotiation "
            "that no text shows",
            "force PFC on",
            "pfc.admin",
            f"priority {numbers_text(wanted)}",
            Severity.WARNING,
        )
    else:
        yield Unknown("whether the peer negotiates PFC (mode is auto)")


def check_link(link: Link, given: Given) -> Iterator[Hit]:
    """Judge a port in mode auto by what its peer is known to do."""
    for near, far in ((link.a, link.b), (link.b, link.a)):
        pfc = near.port.qos.pfc if near.port is not None else None
        peer = far.port.qos.dcbx if far.port is not None else None
        if pfc is None or pfc.admin != "auto" or pfc.oper or pfc.gate is False or peer is None:
            continue
        silent = peer.state == "off" or (peer.advertises is not None and "pfc" not in peer.advertises)
        if silent and near.port is not None and (wanted := wanted_lossless(near.port.qos, given)):
            yield Hit(
                f"PFC mode is auto and {far.device_name} does not negotiate PFC: nothing is paused for priority "
                f"{numbers_text(wanted)}",
                "force PFC on, or let the peer negotiate",
                "pfc.admin",
                f"priority {numbers_text(wanted)}",
                end=near,
            )
