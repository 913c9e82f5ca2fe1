"""A port pauses before it marks the first packet.

## What it finds

A lossless queue whose marking begins above the fill at which a single ingress port sends PAUSE. With alpha the fill is
alpha / (1 + alpha) of the shared buffer, plus what the group has reserved; with a fixed threshold it is the threshold.

## Why it matters

ECN never speaks: congestion is answered by pauses alone, which stop innocent traffic and spread from port to port. It
looks fine in the configuration, and the mark counters stay at zero.

## What to do

Lower Kmin below the pause threshold, or let the group take more of the buffer (a larger alpha).

- nxos: a smaller `minimum-threshold`, or a larger `pause-threshold`
- sonic: `config ecn -profile NAME -gmin N`, or a larger `dynamic_th` of the lossless BUFFER_PROFILE
- cumulus: a smaller `min-threshold` of the traffic class

## When to ignore

Never while the pool is the one the chip uses: a chip with off-chip buffer does not pause on this pool.

## References

- Zhu et al., Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015, section 4: ECN before PFC
- Choudhury and Hahne, Dynamic queue length thresholds, IEEE/ACM ToN 6(2), 1998
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Port, Severity, Unknown, amount_text
from rocecfg.lint.buffers import groups_of, least_bytes, pause_onset, size_text
from rocecfg.lint.classes import lossless_ramps, pfc_sets, together

ID, NAME, SEVERITY, PROFILE, SINCE = "ECN-005", "ecn-after-pfc", Severity.ERROR, "safe", "0.1"
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  pools: [{name: lossless, direction: ingress, lossless: true, total: 10900000}]
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
        priority_groups: {3: {lossless: true, pool: lossless, xoff_at: {alpha: "1/8"}, headroom: {amount: 300000}}}
        queues: {3: {ecn: {curves: [{low: 200000, high: 800000, probability: 20}]}}}
expect: {design_incast: 64, classes: {roce: {dscp: [26], priority: 3, lossless: true}}}
"""
BAD = GOOD.replace("1/8", "1/128")


def check(port: Port, given: Given) -> Iterator[Hit | Unknown]:
    found = []
    for ramp in lossless_ramps(port.qos, given):
        low, kmin = ramp.curve.low, least_bytes(ramp.curve.low)
        if ramp.priority not in (pfc_sets(port.qos).sends or ()) or low is None:
            continue
        onsets = [pause_onset(group, given.device, 1) for group in groups_of(port.qos, ramp.priority)]
        known = [onset for onset in onsets if onset is not None]
        if kmin is None or not known:
            what = "the marking threshold" if kmin is None else "the fill at which the port pauses"
            yield Unknown(f"{what}, in bytes, for the lossless class")
        elif kmin >= min(known):
            found.append(((low, min(known)), ramp))
    for (low, onset), queues, leaf in together(found):
        yield Hit(
            f"the ramp of {queues} begins at {amount_text(low)}, but the port pauses from {size_text(onset)} on: PFC acts "
            "before ECN",
            f"lower Kmin below {size_text(onset)}, or raise alpha",
            leaf,
            queues,
        )
