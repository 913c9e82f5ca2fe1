"""Acknowledgements and read responses come back in a lossy class while the data is lossless.

## What it finds

Two hosts whose RoCE packets carry different DSCPs, where the receiver's own mark (it is on its ACKs and on the data it
sends for a read) falls into an unprotected class at the first switch, and the sender's data is protected. The marks
come from the NIC or the application of each host.

## Why it matters

A lost ACK or read response costs a retransmission just as lost data does; with reads the responder sends the data
itself, so half of the traffic is lossy although "the sender is configured".

## What to do

Mark on both hosts, or give the class of the answers a guaranteed queue.

- mlx5: `cma_roce_tos -d mlx5_0 -t 106` and the same traffic class in the application (`NCCL_IB_TC=106`) on every host
- sonic: the answers' DSCP in the lossless class of the DSCP_TO_TC_MAP, where they need one of their own
- nxos: `match dscp` of the answers' DSCP in the class of the lossless qos-group

## When to ignore

Accelerators that split data and ACK by design and document the second class.

## References

- Intel Gaudi, Expected Switch Configuration: data on priority 2, ACKs on priority 3, both no-drop
- openucx/ucx issue 10325: the other direction left with DSCP 0
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.fabric.trace import follow, nic_mark
from rocecfg.lint.api import End, Given, Hit, Path, Severity, Unknown
from rocecfg.lint.networks import TWO_LEAVES

ID, NAME, SEVERITY, PROFILE, SINCE = "QMAP-007", "ack-class-split", Severity.INFO, "safe", "0.2"
GOOD = TWO_LEAVES
BAD = GOOD.replace("default_tos: 106", "default_tos: 2", 1)


def check(path: Path, given: Given) -> Iterator[Hit | Unknown]:
    back = path.back()
    data, answer = nic_mark(path.hops[0]), nic_mark(back.hops[0])
    if data is None or answer is None:
        missing = path.hops[0] if data is None else back.hops[0]
        if missing.state is not None:
            yield Unknown("how the host marks its RoCE packets", End(missing.device, ""))
        return
    if data[0] == answer[0]:
        return
    there, here = (follow(way, dscp)[1] for way, dscp in ((path, data[0]), (back, answer[0])))
    if there.pauses and here.pauses == frozenset():
        yield Hit(
            f"its answers leave with DSCP {answer[0]} ({answer[1]}) into traffic class {here.tc} of {here.hop.device}, "
            f"which is lossy; data to it comes with DSCP {data[0]}, lossless",
            f"mark answers with DSCP {data[0]} as well",
            "nic.default_tos",
            f"DSCP {answer[0]}",
            end=End(back.hops[0].device, back.hops[0].leaves),
        )
