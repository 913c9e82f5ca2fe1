"""The marking probability is used up before the intended number of senders has settled.

## What it finds

A lossless queue whose Pmax is below the marking probability at which DCQCN would settle for the `design_incast` of the
intent: p = cube root of (R_AI N^2 / (t C^2) x (1/B + N/(T C))^2), in packets and seconds. R_AI, T, t and B are the
published parameters of DCQCN (options); a NIC with a steeper increase needs more.

## Why it matters

The queue runs up to Kmax, where the probability jumps to 100 percent: all flows are cut at once, the link runs empty,
and the queue fills again.

## What to do

Raise Pmax to 10 to 30 percent.

- nxos: `drop-probability 20` in the random-detect line
- sonic: `config ecn -profile NAME -gdrop 20`
- cumulus: `nv set qos congestion-control default-global traffic-class 3 probability 20`
- junos: `drop-probability` of the drop profile

## When to ignore

Congestion control other than DCQCN.

## References

- Zhu et al., ECN or Delay: Lessons Learnt from Analysis of DCQCN and TIMELY, CoNEXT 2016: the fixed point
- alibaba-edu/High-Precision-Congestion-Control: Pmax 20 percent
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Option, Port, Severity, Unknown
from rocecfg.lint.classes import lossless_ramps, together

ID, NAME, SEVERITY, PROFILE, SINCE = "ECN-007", "pmax-too-small", Severity.WARNING, "safe", "0.1"
DEVICES = "switch"
OPTIONS = {
    "increase": Option(40, "Mbit/s of DCQCN's additive increase (R_AI; SIGCOMM 2015)"),
    "timer": Option(55, "microseconds of DCQCN's rate timer and feedback loop (SIGCOMM 2015)"),
    "byte-counter": Option(10_000_000, "bytes of DCQCN's byte counter (SIGCOMM 2015)"),
    "packet": Option(1000, "bytes of a packet in the model"),
}
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet0:
      speed: 40000000000
      qos:
        pfc: {admin: "on", tx: [3], rx: [3]}
        priority_to_queue: {3: [3]}
        queues: {3: {ecn: {curves: [{low: 40000, high: 160000, probability: 20}]}}}
expect:
  congestion_control: dcqcn
  design_incast: 16
  classes: {roce: {dscp: [26], priority: 3, lossless: true}}
"""
BAD = GOOD.replace("probability: 20", "probability: 1")

_SLOWEST = 10_000_000_000
"""bit/s: slower ports are management."""


def check(port: Port, given: Given) -> Iterator[Hit | Unknown]:
    expect = given.expect
    senders = expect.design_incast if expect is not None else None
    if expect is None or expect.congestion_control != "dcqcn" or senders is None:
        return
    speed = port.line_rate
    if speed is not None and speed < _SLOWEST:
        return
    for curve, queues, leaf in together((ramp.curve, ramp) for ramp in lossless_ramps(port.qos, given)):
        if curve.low is None or curve.low == curve.high:
            continue  # a step: ECN-001
        if speed is None or curve.probability is None:
            yield Unknown("the port's speed" if speed is None else f"the marking probability of {queues}")
            continue
        needed = _settles_at(speed, senders, given)
        if needed * 100 > curve.probability:
            yield Hit(
                f"the ramp of {queues} ends at {curve.probability} %, {senders} senders of DCQCN settle at "
                f"{needed * 100:.3g} %",
                "raise Pmax to 10 to 30 %",
                leaf,
                queues,
            )


def _settles_at(speed: int, senders: int, given: Given) -> float:
    """Return the marking probability at which DCQCN settles: the fixed point of its fluid model for small p."""
    options = given.options
    packet_bits = options.packet * 8
    rate, increase = speed / packet_bits, options.increase * 1_000_000 / packet_bits
    timer, counter = options.timer / 1_000_000, options.byte_counter / options.packet
    steepness = increase * senders**2 / (timer * rate**2)
    pace = 1 / counter + senders / (timer * rate)
    settled: float = (steepness * pace**2) ** (1 / 3)
    return min(settled, 1.0)
