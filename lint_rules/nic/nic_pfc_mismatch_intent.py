"""The NIC does not use PFC for the priorities that the intent wants lossless.

## What it finds

A host port whose PFC is off for a priority that the intent wants lossless. PFC on a lossy priority beside it is PFC-002.

## Why it matters

Without PFC the NIC sends on while the switch is full, and loses what it sends.

## What to do

Set the same priorities as on the switch.

- mlx5: `mlnx_qos -i IF --pfc 0,0,0,1,0,0,0,0`

## When to ignore

Ports that the intent leaves out of the lossless classes: set `pfc: {mode: off}` for them.

## References

- Mellanox/nic-configuration-operator pull request 38: trust dscp and PFC on priority 3 are its defaults
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, PortQos, Severity, Unknown, numbers_text

ID, NAME, SEVERITY, PROFILE, SINCE = "NIC-001", "nic-pfc-mismatch-intent", Severity.ERROR, "min", "0.1"
DEVICES = "host"
GOOD = """
device: {name: gpu01, kind: host, ports: {rail0: {qos: {pfc: {admin: "on", tx: [3], rx: [3]}}}}}
expect: {classes: {roce: {dscp: [26], priority: 3, lossless: true}}}
"""
BAD = """
device: {name: gpu01, kind: host, ports: {rail0: {qos: {pfc: {admin: "off", tx: [], rx: []}}}}}
expect: {classes: {roce: {dscp: [26], priority: 3, lossless: true}}}
"""


def check(qos: PortQos, given: Given) -> Iterator[Hit | Unknown]:
    if given.expect is None:
        yield Unknown("the lossless priorities: no intent is given")
        return
    if not given.expect.classes:
        return  # the intent does not have this port
    wanted = given.expect.lossless
    sends, honours = (qos.pfc.sends(), qos.pfc.honours()) if qos.pfc is not None else (None, None)
    if sends is None or honours is None:
        yield Unknown("PFC of the port")
        return
    have = sends | honours if given.expect.asymmetric_pfc else sends & honours
    if lacking := wanted - have:
        yield Hit(
            f"PFC of the NIC is on for priority {numbers_text(have)}, the intent wants {numbers_text(wanted)}",
            f"turn PFC on for priority {numbers_text(wanted)}",
            "pfc",
            f"priority {numbers_text(lacking)}",
        )
