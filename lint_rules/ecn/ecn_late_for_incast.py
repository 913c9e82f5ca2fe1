"""At the intended incast, pauses come before the first mark can act.

## What it finds

A lossless queue for which Kmin plus what the senders deliver before a mark reaches them exceeds the fill at which the
ports pause: Kmin + (N - 1) x rate x loop >= N a B / (1 + N a), for the `design_incast` N of the intent. The loop is the
round trip plus the time of the NIC (option `reaction`).

## Why it matters

Senders that start at line rate know nothing for one round trip. If that alone fills the buffer, every such burst ends
in pauses, however early the first mark is set.

## What to do

Lower Kmin, raise alpha, or admit fewer senders at once.

- nxos: a smaller `minimum-threshold`
- sonic: `config ecn -profile NAME -gmin N`, or a larger `dynamic_th`
- cumulus: a smaller `min-threshold`

## When to ignore

Traffic of few long flows, or transports that start with a window.

## References

- Zhu et al., SIGCOMM 2015: ECN before PFC
- Choudhury and Hahne, Dynamic queue length thresholds, IEEE/ACM ToN 6(2), 1998
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Option, Port, Severity, Unknown, amount_text
from rocecfg.lint.buffers import groups_of, least_bytes, pause_onset, size_text
from rocecfg.lint.classes import lossless_ramps, together
from rocecfg.physics.ecn import TWO_TIER_RTT_NS
from rocecfg.physics.headroom import bytes_in

ID, NAME, SEVERITY, PROFILE, SINCE = "ECN-006", "ecn-late-for-incast", Severity.WARNING, "safe", "0.1"
DEVICES = "switch"
OPTIONS = {"reaction": Option(4, "microseconds a NIC takes from a mark to a slower sender, beside the round trip")}
GOOD = """
device:
  name: leaf1
  pools: [{name: lossless, direction: ingress, lossless: true, total: 32000000}]
  ports:
    Ethernet0:
      speed: 100000000000
      qos:
        trust: dscp
        dscp_to_tc: {26: 3, rest: 0}
        tc_to_pg: {0: 0, 3: 3}
        tc_to_queue: {0: 0, 3: 3}
        priority_to_pg: {3: [3]}
        priority_to_queue: {3: [3]}
        pfc: {admin: "on", tx: [3], rx: [3]}
        priority_groups: {3: {lossless: true, pool: lossless, xoff_at: {alpha: "1/8"}, headroom: {amount: 300000}}}
        queues: {3: {ecn: {curves: [{low: 400000, high: 1600000, probability: 20}]}}}
expect:
  congestion_control: dcqcn
  design_incast: 16
  classes: {roce: {dscp: [26], priority: 3, lossless: true}}
"""
BAD = GOOD.replace("design_incast: 16", "design_incast: 256")


def check(port: Port, given: Given) -> Iterator[Hit | Unknown]:
    expect = given.expect
    senders = expect.design_incast if expect is not None else None
    if expect is None or expect.congestion_control != "dcqcn" or senders is None or senders < 2:
        return  # INT-006 asks for the number of senders
    speed = port.line_rate
    found = []
    for ramp in lossless_ramps(port.qos, given):
        low, kmin, groups = ramp.curve.low, least_bytes(ramp.curve.low), groups_of(port.qos, ramp.priority)
        onsets = [onset for group in groups if (onset := pause_onset(group, given.device, senders)) is not None]
        single = pause_onset(groups[0], given.device, 1) if groups else None
        if speed is None or kmin is None or low is None or not onsets:
            yield Unknown("the port's speed, Kmin in bytes and the fill at which the port pauses")
            continue
        loop = (expect.rtt or TWO_TIER_RTT_NS) + given.options.reaction * 1000
        burst = (senders - 1) * bytes_in(speed, loop)
        if kmin + burst >= min(onsets) and (single is None or kmin < single):
            found.append(((low, burst, min(onsets)), ramp))
    for (low, burst, onset), queues, leaf in together(found):
        yield Hit(
            f"{senders} senders at once deliver {size_text(burst)} before a mark reaches them: with Kmin {amount_text(low)} "
            f"that is above {size_text(onset)}, where pauses begin",
            "lower Kmin, raise alpha, or admit fewer senders at once",
            leaf,
            queues,
        )
