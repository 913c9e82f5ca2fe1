"""CNPs that receivers sent did not reach the senders.

## What it finds

Between two captures of every host, more CNPs sent than arrived (handled or ignored), by more than 10 percent of those
sent.

## Why it matters

A CNP is the brake. One that is lost lets its sender go on at full speed into a queue that is already marked, until PFC
has to stop it.

## What to do

Give CNPs a queue that is served first and never dropped (QMAP-005, QMAP-006), and check their DSCP on every hop.

- mlx5: `rdma -j statistic show link`; CNP DSCP in /sys/class/net/IF/ecn/roce_np/cnp_dscp

## When to ignore

Captures of different hosts that were taken minutes apart count different traffic.

## References

- Linux kernel, mlx5 counters: np_cnp_sent, rp_cnp_handled, rp_cnp_ignored
- the share of 10 percent is this project's own judgement
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import CounterFabric, Given, Hit, Option, Severity, Unknown

ID, NAME, SEVERITY, PROFILE, SINCE = "OPS-007", "cnp-asymmetry", Severity.INFO, "safe", "0.1"
OPTIONS = {
    "most-percent": Option(10, "percent of the CNPs sent that may be missing"),
    "least-cnps": Option(10_000, "CNPs sent from which on the share says anything"),
}
BAD = """
devices:
  - {name: gpu01, kind: host, sample: {rdma: {mlx5_0: {cnp_sent: 0, cnp_handled: 0, cnp_ignored: 0}}}}
  - {name: gpu01, kind: host, sample: {rdma: {mlx5_0: {cnp_sent: 1000000, cnp_handled: 0, cnp_ignored: 0}}}}
  - {name: gpu02, kind: host, sample: {rdma: {mlx5_0: {cnp_sent: 0, cnp_handled: 0, cnp_ignored: 0}}}}
  - {name: gpu02, kind: host, sample: {rdma: {mlx5_0: {cnp_sent: 0, cnp_handled: 600000, cnp_ignored: 0}}}}
"""
GOOD = BAD.replace("600000", "960000")


def check(fabric: CounterFabric, given: Given) -> Iterator[Hit | Unknown]:
    if not fabric.cnps:
        return
    if fabric.absent:
        yield Unknown(f"two captures of every host ({len(fabric.absent)} lack them)")
        return
    sent, arrived = 0, 0
    for cnps in fabric.cnps.values():
        if cnps.sent is None or cnps.arrived is None:
            yield Unknown("the CNPs of every host, or they were cleared between the captures")
            return
        sent, arrived = sent + cnps.sent, arrived + cnps.arrived
    lost = sent - arrived
    if len(fabric.cnps) < 2 or sent < given.options.least_cnps or lost * 100 <= sent * given.options.most_percent:
        return
    host = max(fabric.cnps, key=lambda name: fabric.cnps[name].sent or 0)
    yield Hit(
        f"the {len(fabric.cnps)} hosts that were read sent {sent} CNPs and got {arrived} of them",
        "give CNPs a strict queue on every hop, and keep their DSCP",
        object="CNPs",
        place=fabric.cnps[host].place,
        device=fabric.devices[host],
    )
