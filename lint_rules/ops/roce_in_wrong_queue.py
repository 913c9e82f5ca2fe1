"""A host sends RDMA, and next to nothing of it on a lossless priority.

## What it finds

Between two captures, a NIC that sent more than 10,000 RDMA packets while its lossless priorities together sent less
than one percent of that.

## Why it matters

The traffic leaves in a lossy class: no PFC, usually no ECN of its own, and the first congestion drops it. Everything
looks configured, and nothing uses it.

## What to do

Let the application mark: traffic class (ToS = DSCP x 4) in NCCL_IB_TC, UCX_IB_TRAFFIC_CLASS, or the default ToS of the
NIC; then check the NIC's DSCP map (NIC-002, NIC-018).

- mlx5: `cma_roce_tos -d mlx5_0 -t 104`, `mlnx_qos -i IF --trust dscp`, `ethtool -S IF | grep tx_prio`

## When to ignore

Hosts that run RDMA over a lossy class on purpose.

## References

- openucx/ucx issue 10325: one direction left with DSCP 0
- Linux kernel, mlx5 counters: tx_vport_rdma_unicast_packets, tx_prio packets
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import CounterPair, Given, Hit, Option, Severity, Unknown, lossless_here, numbers_text

ID, NAME, SEVERITY, PROFILE, SINCE = "OPS-006", "roce-in-wrong-queue", Severity.ERROR, "safe", "0.1"
DEVICES = "host"
OPTIONS = {
    "least-packets": Option(10_000, "RDMA packets from which on a host is not idle"),
    "least-percent": Option(1, "percent of them that the lossless priorities must have sent"),
}
BAD = """
devices:
  - name: gpu01
    kind: host
    sample: {ports: {rail0: {tx_rdma_packets: 0, tx_priority_packets: {0: 0, 3: 5}}}}
  - name: gpu01
    kind: host
    sample: {ports: {rail0: {tx_rdma_packets: 5000000, tx_priority_packets: {0: 5000200, 3: 9}}}}
    ports:
      rail0: {qos: {pfc: {admin: "on", tx: [3], rx: [3]}}}
"""
GOOD = BAD.replace("{0: 5000200, 3: 9}", "{0: 200, 3: 5000000}")


def check(pair: CounterPair, given: Given) -> Iterator[Hit | Unknown]:
    rdma, by_priority = pair.growth("tx_rdma_packets"), pair.growth("tx_priority_packets")
    for port in rdma.ports:
        packets = rdma.at(port) or 0
        if packets < given.options.least_packets:
            continue
        lossless = lossless_here(pair.qos(port), given)
        if lossless is None:
            yield Unknown("the lossless priorities of the port")
            continue
        sent = {priority: count for priority in range(8) if (count := by_priority.at(port, priority)) is not None}
        if not lossless:
            continue
        if not lossless <= sent.keys():
            yield Unknown("the packets sent on each priority")
            continue
        inside = sum(sent[priority] for priority in lossless)
        if inside * 100 < packets * given.options.least_percent:
            most = max(sent, key=lambda priority: sent[priority])
            yield Hit(
                f"{packets} RDMA packets sent{pair.span()}, {inside} of them on lossless priority "
                f"{numbers_text(lossless)}; priority {most} sent {sent[most]}",
                "let the application mark its traffic with the lossless class's DSCP",
                object=f"priority {numbers_text(lossless)}",
                ports=(port,),
                place=pair.later.ports[port].where(f"tx_priority_packets.{min(lossless)}"),
            )
