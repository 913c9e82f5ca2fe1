"""Both ends of a cable negotiate, and not in the same way.

## What it finds

A cable whose ends are both willing to take the other's settings, or that speak different versions of DCBX (CEE and
IEEE).

## Why it matters

With two willing ends the one with the lower MAC address gives up its settings; with two versions nothing is agreed and
PFC stays off where it depends on the negotiation.

## What to do

Let the switch be the one that is not willing, or turn DCBX off on both ends and set PFC by hand.

- mlx5: `mlnx_qos -i IF -d os`
- junos: `set protocols dcbx interface IF priority-flow-control no-auto-negotiation`

## When to ignore

Never where PFC is negotiated.

## References

- Broadcom NetXtreme-E guide: NIC willing, switch not willing
- IEEE 802.1Q, DCBX
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Link, Severity

ID, NAME, SEVERITY, PROFILE, SINCE = "PEER-006", "dcbx-conflict", Severity.WARNING, "safe", "0.1"
GOOD = """
devices:
  - {name: leaf1, ports: {Ethernet0: {qos: {dcbx: {state: ieee, willing: false}}}}}
  - {name: gpu01, kind: host, ports: {rail0: {qos: {dcbx: {state: ieee, willing: true}}}}}
links: [{a: "leaf1:Ethernet0", b: "gpu01:rail0"}]
"""
BAD = GOOD.replace("willing: false", "willing: true")


def check(link: Link, given: Given) -> Iterator[Hit]:
    near, far = (end.port.qos.dcbx if end.port is not None else None for end in (link.a, link.b))
    if near is None or far is None:
        return
    if {near.state, far.state} == {"ieee", "cee"}:
        yield Hit(
            f"the port speaks {(near.state or '').upper()} DCBX, {link.b.device_name} {(far.state or '').upper()}",
            "use one version of DCBX on both ends, or none",
            "dcbx",
            end=link.a,
        )
    elif near.willing and far.willing and "off" not in {near.state, far.state}:
        yield Hit(
            f"the port and {link.b.device_name} are both willing to take the other's DCB settings",
            "let the switch be the one that is not willing",
            "dcbx",
            end=link.a,
        )
