"""The two ends of a cable pause for different priorities.

## What it finds

A port that sends pauses for a lossless priority which the far end does not honour, in either direction. With an intent
only its lossless priorities are compared, without one all.

## Why it matters

One end fills up and asks for silence, the other keeps sending: the headroom overflows and packets are lost.

## What to do

Set the same priorities on both ends.

- nxos: the same `pause pfc-cos` class, and `priority-flow-control mode on` on both ends
- sonic: `config interface pfc priority IF PRIORITY on`
- cumulus: the same `nv set qos pfc NAME switch-priority PRIORITY`, `tx enable` and `rx enable`
- junos: the same code points in `input` and `output` of the congestion-notification-profile
- mlx5: `mlnx_qos -i IF --pfc 0,0,0,1,0,0,0,0`

## When to ignore

Asymmetric PFC by design: say `asymmetric_pfc: true` in the intent.

## References

- Juniper, DCBX: a mismatch disables PFC
- IEEE 802.1Qbb
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import End, Given, Hit, Link, Severity, Unknown, numbers_text

ID, NAME, SEVERITY, PROFILE, SINCE = "PEER-001", "pfc-set-mismatch", Severity.ERROR, "min", "0.1"
GOOD = """
devices:
  - {name: leaf1, ports: {Ethernet1/1: {qos: {pfc: {admin: "on", tx: [3], rx: [3]}}}}}
  - {name: gpu01, kind: host, ports: {rail0: {qos: {pfc: {admin: "on", tx: [3], rx: [3]}}}}}
links: [{a: "leaf1:Ethernet1/1", b: "gpu01:rail0"}]
"""
BAD = """
devices:
  - {name: leaf1, ports: {Ethernet1/1: {qos: {pfc: {admin: "on", tx: [3], rx: [3]}}}}}
  - {name: gpu01, kind: host, ports: {rail0: {qos: {pfc: {admin: "on", tx: [3, 4], rx: [3, 4]}}}}}
links: [{a: "leaf1:Ethernet1/1", b: "gpu01:rail0"}]
"""


def check(link: Link, given: Given) -> Iterator[Hit | Unknown]:
    for near, far in ((link.a, link.b), (link.b, link.a)):
        sends, honours = _set(near, "sends"), _set(far, "honours")
        if sends is None or honours is None:
            silent = near if sends is None else far
            yield Unknown("PFC of the port" if silent.port is not None else "the port: it is in no text", silent)
            return
        if given.expect is not None:
            sends, honours = sends & given.expect.lossless, honours & given.expect.lossless
            if given.expect.asymmetric_pfc:
                honours |= sends if honours else frozenset()
        if sends - honours:
            yield Hit(
                f"the port pauses {far.device_name} for priority {numbers_text(sends)}, which honours "
                f"{numbers_text(honours)}",
                "set the same priorities on both ends",
                "pfc",
                f"priority {numbers_text(sends - honours)}",
                end=near,
            )


def _set(end: End, what: str) -> frozenset[int] | None:
    pfc = end.port.qos.pfc if end.port is not None else None
    if pfc is None:
        return None
    return pfc.sends() if what == "sends" else pfc.honours()
