"""The NIC ignores the DSCP that its applications write.

## What it finds

A host port that classifies by PCP (or not at all) where the intent wants DSCP, or whose own default mark is a DSCP.

## Why it matters

RoCEv2 on a routed port carries no VLAN tag. Without a tag every packet takes priority 0: it leaves in the lossy class,
and pauses for the lossless priority stop nothing.

## What to do

Let the NIC classify by DSCP.

- mlx5: `mlnx_qos -i IF --trust dscp`

## When to ignore

Fabrics that mark in VLAN tags by design: say `trust: pcp` in the intent.

## References

- Mellanox/nic-configuration-operator pull request 38: trust dscp is its default
- Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 3 (DSCP-based PFC)
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Port, Severity, Unknown

ID, NAME, SEVERITY, PROFILE, SINCE = "NIC-002", "nic-trust-not-dscp", Severity.ERROR, "min", "0.1"
DEVICES = "host"
GOOD = """
device: {name: gpu01, kind: host, ports: {rail0: {qos: {trust: dscp}}}}
expect: {trust: dscp}
"""
BAD = """
device: {name: gpu01, kind: host, ports: {rail0: {qos: {trust: pcp}}}}
expect: {trust: dscp}
"""
_WORDS = {"dscp": "DSCP", "pcp": "PCP (802.1p)", "none": "no mark at all", "both": "DSCP and PCP"}


def check(port: Port, given: Given) -> Iterator[Hit | Unknown]:
    have = port.qos.trust
    wanted = given.expect.trust if given.expect is not None else None
    nic = port.nic
    marks = (nic.forced_tos or nic.default_tos or 0) >> 2 if nic is not None else 0
    if given.expect is not None and wanted is None:
        return
    if have is None:
        yield Unknown("what the NIC classifies by")
    elif wanted is None and not marks:
        yield Unknown("what the NIC shall classify by: no intent is given")
    elif have not in {wanted or "dscp", "both"} and (wanted, have) != ("both", "dscp"):
        reason = f"the intent wants {_WORDS[wanted]}" if wanted is not None else f"its packets carry DSCP {marks}"
        yield Hit(
            f"the NIC classifies by {_WORDS[have]}, {reason}",
            f"let it classify by {_WORDS[wanted or 'dscp']}",
            "trust",
        )
