"""A port writes another DSCP into packets of the RoCE class as they leave.

## What it finds

A rewrite of a class that carries a RoCE DSCP of the intent, to a DSCP that is not RoCE. Without an intent: of a class
with PFC or ECN, to a DSCP that the same device would not put into that class; and as a warning, of the usual RoCE mark
(option `roce-dscp`, 26) to another mark of the same class, which holds only while every next hop maps both alike.

## Why it matters

The next hop looks at the new mark and puts the packet into another class: RoCE is lossless as far as this switch and
best effort behind it. The chain breaks where nobody looks, at the exit of a correct device.

## What to do

Take the class out of the rewrite rule, or rewrite it to its own DSCP.

- nxos: take the line that sets a mark out of the class of the policy
- sonic: take `tc_to_dscp_map` out of the port's PORT_QOS_MAP row
- cumulus: no `nv set qos remark` for the class
- junos: `delete class-of-service rewrite-rules dscp NAME forwarding-class CLASS`

## When to ignore

Tunnel remapping whose other end maps the mark back.

## References

- SONiC, DSCP remapping for tunnel traffic: documents both ends
- Juniper, rewrite-rules: the code point is written on egress
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Option, PortQos, Severity, Unknown
from rocecfg.lint.classes import codes_text, lossless_tcs, ramps

ID, NAME, SEVERITY, PROFILE, SINCE = "QMAP-010", "remark-changes-lossless-mark", Severity.ERROR, "safe", "0.1"
DEVICES = "switch"
OPTIONS = {"roce-dscp": Option(26, "DSCP that is taken for RoCE where no intent is given")}
GOOD = """
device:
  name: leaf1
  ports:
    et-0/0/0:
      qos:
        trust: dscp
        dscp_to_tc: {26: 5, rest: 0}
        tc_to_queue: {0: 0, 5: 5}
        rewrite: [[tc, 5, 26]]
        queues: {5: {ecn: {curves: [{low: 150000, high: 1500000, probability: 20}]}}}
"""
BAD = GOOD.replace("[tc, 5, 26]", "[tc, 5, 8]")


def check(qos: PortQos, given: Given) -> Iterator[Hit | Unknown]:
    protected = _protected(qos, given)
    if qos.rewrite is None:
        if protected and given.expect is not None:
            yield Unknown("whether the port rewrites DSCPs")
        return
    for kind, start, to in qos.rewrite:
        codes = _codes(qos, kind, start)
        changed = [code for code in codes & set(protected) if to not in protected[code]]
        usual = given.options.roce_dscp
        kept = not changed and given.expect is None and usual in codes & set(protected) and to != usual
        what = f"traffic class {start}" if kind == "tc" else f"DSCP {start}"
        if kept:
            yield Hit(
                f"the port rewrites {what} to DSCP {to}: packets with DSCP {usual} lose their mark, and stay in their class "
                f"only while the next hop maps DSCP {to} to it too",
                f"leave the mark of {what} alone",
                f"rewrite.{kind}.{start}",
                f"DSCP {usual}",
                Severity.WARNING,
            )
        elif changed:
            yield Hit(
                f"the port rewrites {what} to DSCP {to}: packets with DSCP {codes_text(changed)} lose their mark, and the "
                "next hop puts them into another class",
                f"leave the mark of {what} alone",
                f"rewrite.{kind}.{start}",
                f"DSCP {codes_text(changed)}",
            )


def _protected(qos: PortQos, given: Given) -> dict[int, frozenset[int]]:
    """Return each DSCP whose mark matters, and the marks it may be given."""
    if given.expect is not None:
        wanted = [item.dscps for item in given.expect.classes if item.lossless]
        return {code: dscps for dscps in wanted for code in dscps}
    if qos.dscp_to_tc is None:
        return {}
    queues = {ramp.queue for ramp in ramps(qos)}
    marking = {tc for tc, queue in enumerate(qos.tc_to_queue or ()) if queue in queues}
    unmarked = qos.dscp_to_tc.to[0]
    found: dict[int, frozenset[int]] = {}
    for tc in (lossless_tcs(qos) or frozenset()) | marking - {unmarked}:
        codes = frozenset(qos.dscp_to_tc.codes(tc))
        found |= dict.fromkeys(codes, codes)
    return found


def _codes(qos: PortQos, kind: str, start: int) -> set[int]:
    """Return the DSCPs that a rewrite entry touches."""
    if kind == "dscp":
        return {start}
    return set(qos.dscp_to_tc.codes(start)) if qos.dscp_to_tc is not None else set()
