"""A sender that feeds many ports at once is paused while none of them marks.

## What it finds

A lossless queue whose Kmin is at or above a B / (M (1 + P a)): one ingress feeds the M egress queues of the intent's
`design_fanout`, each just below Kmin, and its share of the buffer is used up. P is the number of lossless priorities.
Without a fan-out in the intent all ports of the device are taken for M, as information: a guarantee, not traffic. A Kmin
that is late for a single queue already is ECN-005's finding.

## Why it matters

PFC counts by ingress, ECN by egress. An all-to-all sender spreads its packets so thin that no queue reaches its mark,
while the port that receives them all is full, and pauses.

## What to do

Lower Kmin, raise alpha, or use fewer lossless priorities.

- nxos: a smaller `minimum-threshold`
- sonic: `config ecn -profile NAME -gmin N`, or a larger `dynamic_th` of the lossless profile
- cumulus: a smaller `min-threshold`

## When to ignore

The information about all ports, where no sender feeds all of them at once.

## References

- Zhu et al., SIGCOMM 2015, section 4: the bound for 32 ports and 8 priorities
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rocecfg.lint.api import Given, Hit, Port, Severity, Unknown, amount_text
from rocecfg.lint.buffers import (
    alpha_of,
    groups_of,
    least_bytes,
    pause_onset,
    pool_of,
    shared_bytes,
    size_text,
    static_bytes,
)
from rocecfg.lint.classes import Ramp, lossless_ramps, together

ID, NAME, SEVERITY, PROFILE, SINCE = "ECN-017", "ecn-fanout-guarantee", Severity.WARNING, "strict", "0.1"
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  pools: [{name: lossless, direction: ingress, lossless: true, total: 32000000}]
  ports:
    Ethernet0:
      qos:
        trust: dscp
        dscp_to_tc: {26: 3, rest: 0}
        tc_to_pg: {0: 0, 3: 3}
        tc_to_queue: {0: 0, 3: 3}
        priority_to_pg: {3: [3]}
        priority_to_queue: {3: [3]}
        pfc: {admin: "on", tx: [3], rx: [3]}
        priority_groups: {3: {lossless: true, pool: lossless, xoff_at: {alpha: "1"}, headroom: {amount: 300000}}}
        queues: {3: {ecn: {curves: [{low: 400000, high: 1600000, probability: 20}]}}}
expect: {design_fanout: 16, classes: {roce: {dscp: [26], priority: 3, lossless: true}}}
"""
BAD = GOOD.replace('alpha: "1"', 'alpha: "1/8"')


def check(port: Port, given: Given) -> Iterator[Hit | Unknown]:
    fanout = given.expect.design_fanout if given.expect is not None else None
    ports = sum(1 for other in given.device.ports.values() if other.enabled is not False) if given.device else 0
    spread = fanout or ports
    found = []
    for ramp in lossless_ramps(port.qos, given):
        low, kmin = ramp.curve.low, least_bytes(ramp.curve.low)
        limit = _limit(port, given, ramp, spread)
        if kmin is None or limit is None or low is None:
            if fanout is not None:
                yield Unknown("Kmin in bytes and the buffer that the priority group shares")
        elif limit <= kmin < (pause_onset(groups_of(port.qos, ramp.priority)[0], given.device, 1) or kmin + 1):
            found.append(((low, limit), ramp))
    for (low, limit), queues, leaf in together(found):
        yield Hit(
            f"a sender that feeds {spread} ports is paused while each of them holds {size_text(limit)}; the ramp of "
            f"{queues} begins at {amount_text(low)}",
            "lower Kmin, raise alpha, or use fewer lossless priorities",
            leaf,
            queues,
            Severity.INFO if fanout is None else None,
        )


def _limit(port: Port, given: Given, ramp: Ramp, spread: int) -> Fraction | None:
    """Return the largest Kmin with which a fan-out of `spread` is marked before it is paused."""
    groups = groups_of(port.qos, ramp.priority)
    if not groups or not spread:
        return None
    fixed = static_bytes(groups[0].xoff_at)
    if fixed:
        return fixed / spread
    alpha, buffer = alpha_of(groups[0].xoff_at), shared_bytes(given.device, pool_of(given.device, groups[0]))
    priorities = len(port.qos.lossless_priorities() or ()) or 1
    return alpha * buffer / (spread * (1 + priorities * alpha)) if alpha is not None and buffer is not None else None
