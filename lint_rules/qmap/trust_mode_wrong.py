"""A port does not look at the marks the senders write.

## What it finds

A host or fabric port that trusts PCP or nothing where the intent wants DSCP, or the reverse. A port that looks at both
is right. Where the intent wants both marks, a port that looks at one of them leaves the other to the default class.
Needs an intent.

## Why it matters

Marks are ignored and everything goes to the default class: RoCE rides best effort, however right the maps are.

## What to do

Trust what the senders mark; on routed fabrics that is DSCP.

- nxos: a `type qos` policy with `match dscp` as `service-policy type qos input NAME` (there is no trust keyword)
- sonic: `dscp_to_tc_map` in the port's PORT_QOS_MAP row
- cumulus: `nv set qos mapping default-global trust l3` (the default is l2)
- onyx: `qos trust L3` on the interface (the default is L2)
- junos: `set class-of-service interfaces IF unit 0 classifiers dscp NAME`
- mlx5: `mlnx_qos -i IF --trust dscp`

## When to ignore

Layer-2 access ports whose hosts tag their frames by design: say `trust: pcp` in the intent.

## References

- NVIDIA Cumulus Linux, Quality of Service: trust is l2 by default
- Guo et al., SIGCOMM 2016, section 3: why DSCP-based PFC
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Port, Severity, Unknown

ID, NAME, SEVERITY, PROFILE, SINCE = "QMAP-003", "trust-mode-wrong", Severity.ERROR, "min", "0.1"
DEVICES = "switch"
GOOD = """
device: {name: leaf1, ports: {swp1: {role: host, qos: {trust: dscp}}}}
expect: {trust: dscp}
"""
BAD = """
device: {name: leaf1, ports: {swp1: {role: host, qos: {trust: pcp}}}}
expect: {trust: dscp}
"""
_WORDS = {"dscp": "DSCP", "pcp": "PCP (802.1p)", "both": "DSCP and PCP (802.1p)", "none": "no mark at all"}


def check(port: Port, given: Given) -> Iterator[Hit | Unknown]:
    if given.expect is None:
        yield Unknown("what the port shall trust: no intent is given")
        return
    wanted, have = given.expect.trust, port.qos.trust
    if wanted is None or port.role in {"peer-link", "other"} or port.enabled is False:
        return
    if have is None:
        yield Unknown("what the port trusts")
    elif have not in {wanted, "both"}:
        yield Hit(
            f"the port trusts {_WORDS[have]}, the intent wants {_WORDS[wanted]}",
            f"let the port classify by {_WORDS[wanted]}",
            "trust",
        )
