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

ID, NAME, SEVERITY, PROFILE, SINCE = "QMAP-007", "ack-class-split", Severity.INFO, "safe", "0.2"
GOOD = """
devices:
  - name: leaf1
    ports:
      h: &port
        speed: 400000000000
        mtu: 9216
        mtu_counts: l2
        qos: &roce
          trust: dscp
          dscp_to_tc: {26: 3, 34: 4, rest: 0}
          rewrite: []
          tc_to_queue: {0: 0, 3: 3, 4: 4}
          tc_to_pg: {0: 0, 3: 3, 4: 4}
          priority_to_queue: {3: [3], 4: [4]}
          priority_to_pg: {3: [3], 4: [4]}
          pfc: {admin: "on", tx: [3, 4], rx: [3, 4]}
          link_pause: {rx: false, tx: false}
          watchdog: {enabled: true, priorities: [3, 4], poll: 100, detect: 200, restore: 400, action: drop}
          queues:
            3: &queue {scheduler: weighted, weight: 50, weight_kind: percent-of-link,
                       ecn: {curves: [{low: 400000, high: 1600000, probability: 10}]}}
            4: *queue
          priority_groups: {3: {lossless: true, headroom: {by: box}}, 4: {lossless: true, headroom: {by: box}}}
      u: &up {speed: 400000000000, mtu: 9216, mtu_counts: l2, qos: *roce}
  - {name: leaf2, ports: {h: *port, u: *up}}
  - name: spine1
    ports:
      a: &spine {speed: 400000000000, mtu: 9216, mtu_counts: l2, qos: *roce}
      b: *spine
  - {name: gpu1, kind: host, ports: {r: {mtu: 9000, mtu_counts: ip, nic: {default_tos: 106}}}}
  - {name: gpu2, kind: host, ports: {r: {mtu: 9000, mtu_counts: ip, nic: {default_tos: 106}}}}
links:
  - {a: "leaf1:h", b: "gpu1:r"}
  - {a: "leaf2:h", b: "gpu2:r"}
  - {a: "leaf1:u", b: "spine1:a"}
  - {a: "leaf2:u", b: "spine1:b"}
"""
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
