"""A wide marking ramp ends at 100 percent.

## What it finds

A lossless queue whose Kmax is more than twice its Kmin and whose Pmax is 100 percent.

## Why it matters

Near Kmax every packet of every flow is marked: all senders cut their rate together, the queue drains, and all start
again. A ramp is there to mark some flows, not all.

## What to do

Let the ramp end at 10 to 30 percent.

- nxos: `drop-probability 20` in the random-detect line
- sonic: `config ecn -profile NAME -gdrop 20`
- cumulus: `nv set qos congestion-control default-global traffic-class 3 probability 20`
- junos: `drop-probability` of the drop profile

## When to ignore

Vendor designs that use 100 percent on purpose (NVIDIA's RoCE mode, Juniper's validated designs, Huawei CE16800).

## References

- alibaba-edu/High-Precision-Congestion-Control: 20 percent; SONiC qos_config.j2: 5 percent; Cisco AI blueprint: 7 percent
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, PortQos, Severity, Unknown, amount_text
from rocecfg.lint.classes import lossless_ramps, together

ID, NAME, SEVERITY, PROFILE, SINCE = "ECN-008", "pmax-100-with-wide-range", Severity.INFO, "strict", "0.1"
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet0:
      qos:
        pfc: {admin: "on", tx: [3], rx: [3]}
        priority_to_queue: {3: [3]}
        queues: {3: {ecn: {curves: [{low: 400000, high: 1600000, probability: 20}]}}}
"""
BAD = GOOD.replace("probability: 20", "probability: 100")
_ALL = 100


def check(qos: PortQos, given: Given) -> Iterator[Hit | Unknown]:
    if given.expect is not None and given.expect.congestion_control != "dcqcn":
        return
    for curve, queues, leaf in together((ramp.curve, ramp) for ramp in lossless_ramps(qos, given)):
        low, high = curve.low, curve.high
        if low is None or high is None or low.unit != high.unit:
            continue
        if curve.probability is None:
            yield Unknown(f"the marking probability of {queues}")
        elif curve.probability == _ALL and high.value > 2 * low.value:
            yield Hit(
                f"the ramp of {queues} runs from {amount_text(low)} to {amount_text(high)} and reaches "
                f"{curve.probability} %: every flow is cut near its end",
                "let the ramp end at 10 to 30 %",
                leaf,
                queues,
            )
