"""A hop between two hosts does not protect the RoCE class that the other hops protect.

## What it finds

A switch port on a way between two hosts at which RoCE traffic arrives and falls into a class that this port pauses for
no priority. Which DSCP is RoCE comes from the intent, else from the NIC or the application, else from what the first
switch protects. Ways are the up-down ways of the cables; every differently set hop is looked at once.

## Why it matters

PFC works hop by hop: when the unprotected port fills up it drops, however well all others are set, and RDMA goes back
to the lost packet.

## What to do

Protect the class on every port between the hosts: PFC, and the maps that put its DSCP into the paused class.

- nxos: `priority-flow-control mode on` on the interface, and `pause pfc-cos 3` in the network-qos class
- sonic: the priority in `pfc_enable` of the port's PORT_QOS_MAP row, the DSCP in its DSCP_TO_TC_MAP
- cumulus: `nv set qos pfc PROFILE switch-priority PRIORITY`, `tx enable`, `rx enable`, and the port in the profile
- junos: `set class-of-service interfaces IF congestion-notification-profile NAME` on both directions' ports

## When to ignore

Fabrics that run RoCE lossy by design: no lossless class in the intent.

## References

- Juniper, Understanding CoS flow control: PFC must be enabled end to end along the entire data path
- NVIDIA/nccl issue 378: one switch without flow control in the path, bus bandwidth collapses
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.fabric.trace import Step, walks
from rocecfg.lint.api import End, Given, Hit, Path, Severity, Unknown, numbers_text
from rocecfg.lint.networks import TWO_LEAVES

ID, NAME, SEVERITY, PROFILE, SINCE = "PATH-001", "lossless-gap-on-path", Severity.ERROR, "min", "0.2"
GOOD = TWO_LEAVES
BAD = GOOD.replace(
    "u: &up {speed: 400000000000, mtu: 9216, mtu_counts: l2, qos: *roce}",
    """u: &up
        speed: 400000000000
        mtu: 9216
        mtu_counts: l2
        qos: &lossy
          trust: dscp
          dscp_to_tc: {26: 3, rest: 0}
          rewrite: []
          tc_to_queue: {0: 0, 3: 3}
          tc_to_pg: {0: 0, 3: 3}
          priority_to_queue: {3: [3]}
          priority_to_pg: {3: [3]}
          pfc: {admin: "off", tx: [], rx: []}
          link_pause: {rx: false, tx: false}
          queues: {3: *queue}
          priority_groups: {3: {lossless: false}}""",
).replace("l2, qos: *roce}\n      b:", "l2, qos: *lossy}\n      b:")


def check(path: Path, given: Given) -> Iterator[Hit | Unknown]:
    for flow, steps in walks(path, given.expect):
        protected = given.expect is not None or any(step.hop.is_switch and step.pauses for step in steps)
        for step in steps:
            if not step.hop.is_switch or step.hop.inward is None:
                continue
            end = End(step.hop.device, step.hop.arrives)
            if step.pauses is None:
                yield Unknown(f"whether DSCP {step.dscp} is protected: its class, its group or PFC", end)
            elif not step.pauses and protected:
                sends = _sends(step)
                yield Hit(
                    f"DSCP {step.dscp} falls into traffic class {step.tc}, for which the port pauses nobody "
                    f"(PFC sends priority {numbers_text(sends)}), on the way {path.text()}",
                    f"protect {flow.name} on every port between the hosts",
                    "dscp_to_tc" if sends else "pfc",
                    f"DSCP {step.dscp}",
                    end=end,
                )


def _sends(step: Step) -> frozenset[int]:
    pfc = step.hop.inward.qos.pfc if step.hop.inward is not None else None
    return pfc.sends() or frozenset() if pfc is not None else frozenset()
