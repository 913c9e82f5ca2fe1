"""A port classifies by the priority in the VLAN tag, and its frames carry no tag.

## What it finds

A lossless port that trusts PCP (802.1p) only and is routed, or an access port. An error on a routed port that the
intent wants lossless, a warning elsewhere: hosts may send priority-tagged frames (VLAN 0).

## Why it matters

There is no PCP to look at: every packet takes the port's default priority. The maps are right, the class stays empty,
and RDMA rides best effort.

## What to do

Trust DSCP, which is in every IP packet.

- nxos: `match dscp 26` in the class-map instead of `match cos 3`
- sonic: `dscp_to_tc_map` in PORT_QOS_MAP instead of `dot1p_to_tc_map`
- cumulus: `nv set qos mapping default-global trust l3`
- onyx: `qos trust L3` on the interface
- junos: a `dscp` classifier on the unit instead of `ieee-802.1`
- mlx5: `mlnx_qos -i IF --trust dscp`

## When to ignore

Access ports whose hosts send priority-tagged frames on purpose.

## References

- Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 3: why PFC had to follow DSCP
- IEEE 802.1Q: priority-tagged frames
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Port, Severity, Unknown, numbers_text, wanted_lossless
from rocecfg.lint.classes import pfc_sets

ID, NAME, SEVERITY, PROFILE, SINCE = "QMAP-004", "untagged-pcp-trust", Severity.ERROR, "min", "0.1"
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet1/1:
      mode: trunk
      qos: {trust: pcp, pcp_to_tc: {3: 3, rest: 0}, pfc: {admin: "on", tx: [3], rx: [3]}}
expect: {trust: pcp, classes: {roce: {dscp: [26], priority: 3, lossless: true}}}
"""
BAD = GOOD.replace("mode: trunk", "mode: routed")


def check(port: Port, given: Given) -> Iterator[Hit | Unknown]:
    if port.qos.trust != "pcp" or port.enabled is False or port.role in {"peer-link", "other"}:
        return
    lossless = (pfc_sets(port.qos).sends or frozenset()) | wanted_lossless(port.qos, given)
    if not lossless:
        return
    wanted = given.expect.trust if given.expect is not None else None
    if wanted == "dscp":
        return  # QMAP-003
    if port.mode is None:
        yield Unknown("whether the port's frames carry a VLAN tag")
    elif port.mode == "routed" or (port.mode == "access" and wanted != "pcp"):
        word = "routed" if port.mode == "routed" else "an access port"
        yield Hit(
            f"the port is {word} and trusts PCP: its frames carry no VLAN tag, so nothing reaches priority "
            f"{numbers_text(lossless)}",
            "let the port classify by DSCP",
            "trust",
            f"priority {numbers_text(lossless)}",
            None if wanted == "pcp" else Severity.WARNING,
        )
