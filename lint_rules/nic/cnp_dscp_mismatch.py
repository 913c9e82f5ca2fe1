"""The NIC sends its congestion notifications under another mark than the fabric expects.

## What it finds

A host port whose CNPs carry a DSCP that the intent does not give to the notification class; and, with the cabling
known, one whose switch port puts that DSCP into a lossless class.

## Why it matters

The message that relieves congestion then waits in a queue with data, or is paused together with it.

## What to do

Give NIC and switches one DSCP for CNPs, in a strict queue without PFC (48 and priority 6 are NVIDIA's defaults).

- mlx5: `echo 48 > /sys/class/net/IF/ecn/roce_np/cnp_dscp`

## When to ignore

Never.

## References

- Cumulus and Onyx RoCE defaults: CNP in priority 6, strict
- NVIDIA NIC guide: CNP DSCP 48
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Link, Port, Severity, Unknown, numbers_text

ID, NAME, SEVERITY, PROFILE, SINCE = "NIC-007", "cnp-dscp-mismatch", Severity.ERROR, "safe", "0.1"
GOOD = """
device: {name: gpu01, kind: host, ports: {rail0: {nic: {cnp_dscp: 48}}}}
expect: {classes: {roce: {dscp: [26], priority: 3, lossless: true}, cnp: {dscp: [48], priority: 6, kind: cnp}}}
"""
BAD = GOOD.replace("cnp_dscp: 48", "cnp_dscp: 10")


def check(port: Port, given: Given) -> Iterator[Hit | Unknown]:
    expect, nic, device = given.expect, port.nic, given.device
    if expect is None or (nic is None and (device is None or device.kind != "host")):
        return
    wanted = frozenset(dscp for item in expect.classes if item.kind == "cnp" for dscp in item.dscps)
    if not wanted or expect.congestion_control not in {None, "dcqcn"}:
        return
    if nic is None or nic.cnp_dscp is None:
        yield Unknown("the DSCP of the NIC's CNPs")
    elif nic.cnp_dscp not in wanted:
        yield Hit(
            f"the NIC sends CNPs with DSCP {nic.cnp_dscp}, the intent expects {numbers_text(wanted)}",
            f"set the DSCP of CNPs to {min(wanted)}",
            "nic.cnp_dscp",
            "CNP",
        )


def check_link(link: Link, given: Given) -> Iterator[Hit | Unknown]:
    """Look where the switch at the other end puts the NIC's CNPs; what the intent says is judged above."""
    for end, far in ((link.a, link.b), (link.b, link.a)):
        nic = end.port.nic if end.port is not None else None
        if nic is None or nic.cnp_dscp is None or far.port is None:
            continue
        expect = given.expect
        if expect is not None and any(item.kind == "cnp" for item in expect.classes):
            continue
        qos = far.port.qos
        lossless = qos.lossless_tcs()
        if qos.trust not in {"dscp", "both"} or qos.dscp_to_tc is None or lossless is None:
            yield Unknown("where the switch port puts the DSCP of CNPs", far)
            continue
        tc = qos.dscp_to_tc.to[nic.cnp_dscp]
        if tc is not None and tc in lossless:
            yield Hit(
                f"the NIC sends CNPs with DSCP {nic.cnp_dscp}, which {far.device_name} puts into lossless class {tc}",
                "send CNPs with a DSCP of a lossy strict queue",
                "nic.cnp_dscp",
                "CNP",
                end=end,
            )
