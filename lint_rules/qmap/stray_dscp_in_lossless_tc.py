"""Marks that are not RoCE share the lossless class.

## What it finds

DSCPs that a port puts into a class that PFC protects, and that no lossless class of the intent has. Without an intent
only one thing is plain: a whole block of eight DSCPs goes to a lossless class and single ones of it were taken out
(information).

## Why it matters

Foreign traffic fills the no-drop class, is paused with it and pauses others: a TCP sender with CS3 can hold the RDMA
queue for as long as it likes, and nothing is dropped to slow it down.

## What to do

Map the RoCE DSCPs alone to the lossless class, and all others to a lossy one.

- nxos: `match dscp 26` in the class of `set qos-group 3`, no range
- sonic: DSCP_TO_TC_MAP: only the RoCE code points to the lossless class
- cumulus: `nv set qos mapping default-global dscp 24 switch-priority 0`, the same for 25 and 27-31 (the default map puts
  24-31 into 3)
- onyx: `qos map dscp 24 to switch-priority 0` on the interface, the same for 25 and 27-31 (the default map puts
  all of 24-31 into priority 3)
- junos: `code-points 011010` alone in the classifier's lossless forwarding class
- mlx5: `mlnx_qos -i IF --dscp2prio set,24,0`, the same for the others

## When to ignore

Fabrics on which nothing else marks its packets; the SONiC default map (3 to 3 and 4 to 4) where hosts use just these.

## References

- Intel Gaudi, Expected Switch Configuration: DSCP 24 and 16, so a stray 24 is a real sender
- NVIDIA Cumulus Linux, Quality of Service: DSCP 24-31 are switch priority 3 by default
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, PortQos, Severity, Unknown, tcs_of_priority
from rocecfg.lint.classes import class_of_kind, codes_text, lossless_tcs, pfc_sets

ID, NAME, SEVERITY, PROFILE, SINCE = "QMAP-002", "stray-dscp-in-lossless-tc", Severity.WARNING, "safe", "0.1"
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet0:
      qos:
        trust: dscp
        dscp_to_tc: {26: 3, rest: 0}
        tc_to_pg: {0: 0, 3: 3}
        priority_to_pg: {3: [3]}
        pfc: {admin: "on", tx: [3], rx: [3]}
expect: {trust: dscp, classes: {roce: {dscp: [26], priority: 3, lossless: true}}}
"""
BAD = GOOD.replace("{26: 3,", "{24: 3, 25: 3, 26: 3,")
_BLOCK = 8
_MOST_TAKEN_OUT = 2


def check(qos: PortQos, given: Given) -> Iterator[Hit | Unknown]:
    if qos.trust not in {"dscp", "both"}:
        return
    if given.expect is None:
        if pfc_sets(qos).sends:
            yield Unknown("the RoCE DSCPs: no intent is given")
        yield from _taken_out(qos)
        return
    cnp = class_of_kind(given.expect, "cnp")
    wanted = given.expect.lossless_dscps | (cnp.dscps if cnp is not None else frozenset())  # CNP there: QMAP-006
    for priority in sorted((pfc_sets(qos).sends or frozenset()) & given.expect.lossless):
        tcs = tcs_of_priority(qos, priority)
        if qos.dscp_to_tc is None or tcs is None:
            yield Unknown("the DSCP map" if qos.dscp_to_tc is None else "the maps from class and priority to group")
            continue
        stray = [code for tc in sorted(tcs) for code in qos.dscp_to_tc.codes(tc) if code not in wanted]
        if stray:
            yield Hit(
                f"DSCP {codes_text(stray)} also goes to the lossless class of priority {priority}; the intent wants "
                f"{codes_text(given.expect.lossless_dscps)} there",
                f"map DSCP {codes_text(stray)} to a lossy class",
                f"dscp_to_tc.{stray[0]}",
                f"DSCP {codes_text(stray)}",
            )


def _taken_out(qos: PortQos) -> Iterator[Hit]:
    """Say where a block of eight DSCPs is lossless but for one or two: the default map was patched."""
    tcs = lossless_tcs(qos)
    if not tcs or qos.dscp_to_tc is None:
        return
    for first in range(0, 64, _BLOCK):
        block = range(first, first + _BLOCK)
        for tc in sorted(tcs):
            others = [code for code in block if qos.dscp_to_tc.to[code] != tc]
            if 0 < len(others) <= _MOST_TAKEN_OUT and all(qos.dscp_to_tc.to[code] is not None for code in others):
                to = qos.dscp_to_tc.to[others[0]]
                yield Hit(
                    f"DSCP {codes_text(others)} goes to class {to} while the other {_BLOCK - len(others)} of {block[0]}-"
                    f"{block[-1]} are lossless (class {tc}): either one of them is a mistake or the rest is",
                    "map the RoCE DSCPs alone to the lossless class",
                    f"dscp_to_tc.{others[0]}",
                    f"DSCP {codes_text(others)}",
                    Severity.INFO,
                )
