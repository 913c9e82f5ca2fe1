"""A switch pauses its neighbours and marks nothing.

## What it finds

Between two captures, a switch that sent more than 100 PFC frames a second over all its ports and marked no packet with
ECN on any queue.

## Why it matters

ECN is there to slow senders down before PFC has to stop them. Pauses without a single mark say that marking is off,
or begins above the fill at which the switch already pauses: every congestion spreads.

## What to do

Check that the lossless queue marks (ECN-002, ECN-004), and that its Kmin lies below the pause threshold (ECN-005).

- nxos: `show queuing interface IF`
- sonic: `counterpoll wredqueue enable`, then `show queue wredcounters`
- cumulus: `nv show interface IF qos congestion-control`
- junos: `show interfaces queue IF`

## When to ignore

A fabric that runs on PFC alone by decision. Systems that do not count marks are not judged.

## References

- Zhu et al., Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015: ECN marks before PFC pauses
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import CounterPair, Given, Hit, Option, Severity, Unknown, worst_port

ID, NAME, SEVERITY, PROFILE, SINCE = "OPS-005", "pause-rate-high-ecn-low", Severity.WARNING, "safe", "0.1"
DEVICES = "switch"
OPTIONS = {"least-frames": Option(100, "PFC frames a second, over all ports, from which on it counts")}
BAD = """
devices:
  - name: leaf1
    sample: {taken: "2026-01-01T00:00:00Z", ports: {Ethernet0: {tx_pfc: {3: 0}, queue_marked: {3: 0}}}}
  - name: leaf1
    sample: {taken: "2026-01-01T00:00:10Z", ports: {Ethernet0: {tx_pfc: {3: 50000}, queue_marked: {3: 0}}}}
"""
GOOD = BAD.replace("{tx_pfc: {3: 50000}, queue_marked: {3: 0}}", "{tx_pfc: {3: 50000}, queue_marked: {3: 900000}}")


def check(pair: CounterPair, given: Given) -> Iterator[Hit | Unknown]:
    sent = pair.pfc("tx")
    by_port = {port: count for port in sent.ports if (count := sent.total(port))}
    if not by_port:
        return
    if not pair.seconds:
        yield Unknown("when the captures were taken")
        return
    rate = sum(by_port.values()) / pair.seconds
    if rate <= given.options.least_frames:
        return
    marks = [pair.growth("queue_marked"), pair.growth("marked_total")]
    if any(growth.cleared for growth in marks):
        yield Unknown("ECN marks: cleared between the captures")
    elif not any(growth.offered for growth in marks):
        yield Unknown("ECN marks of the egress queues")
    elif not any(growth.by_number() for growth in marks):
        worst = worst_port(by_port)
        by_priority = pair.later.ports[worst].tx_pfc is not None
        yield Hit(
            f"{rate:.0f} PFC frames/s sent and 0 packets marked with ECN in {pair.seconds:g} s",
            "let the lossless queues mark, from a fill below the one they pause at",
            ports=tuple(by_port),
            place=pair.where(by_port, _leaf(pair, worst) if by_priority else "tx_pfc_total"),
        )


def _leaf(pair: CounterPair, port: str) -> str:
    """Return the counter of the priority that the port paused most."""
    counts = pair.growth("tx_pfc").ports[port]
    return f"tx_pfc.{max(counts, key=lambda number: counts[number])}"
