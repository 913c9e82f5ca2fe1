"""Traffic steps down to a port at least four times slower, whose ECN threshold is one for the fast speed.

## What it finds

A switch that takes RoCE traffic in on a port at least `step` times as fast as the one it leaves by, where the slow
port's ECN threshold, counted in time at its speed, is more than `later` times that of the other hops. Thresholds in
percent or of unknown size are not evaluated.

## Why it matters

The slow port is the bottleneck of every such flow. A threshold that is right at 800G lets eight times as long a queue
stand at 100G: senders hear of it late, and PFC pauses the fast side for all.

## What to do

Give the slow ports thresholds of their own, in proportion to their speed.

- nxos: a queuing policy of its own on the slow ports, with a smaller `random-detect minimum-threshold`
- sonic: a WRED_PROFILE of its own in the QUEUE rows of the slow ports
- cumulus: `nv set qos congestion-control NAME traffic-class 3 min-threshold ...` and the slow ports in that profile
- junos: a drop-profile and scheduler-map of their own for the slow ports

## When to ignore

Switches whose thresholds are times (virtual output queues).

## References

- Li et al., HPCC (SIGCOMM 2019), public simulation: thresholds in proportion to the speed
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.fabric.trace import Step, about_bytes, walks
from rocecfg.lint.api import End, Given, Hit, Option, Path, Severity, Unknown
from rocecfg.lint.networks import TWO_LEAVES

ID, NAME, SEVERITY, PROFILE, SINCE = "PATH-004", "speed-step-without-buffer", Severity.WARNING, "safe", "0.2"
OPTIONS = {
    "step": Option(4, "how many times slower the leaving port is"),
    "later": Option(2, "how many times the other hops' threshold, in time, is accepted"),
}
GOOD = TWO_LEAVES
BAD = GOOD.replace("h: &port\n        speed: 400000000000", "h: &port\n        speed: 100000000000").replace(
    "u: &up {speed: 400000000000, mtu: 9216, mtu_counts: l2, qos: *roce}",
    """u: &up {speed: 400000000000, mtu: 9216, mtu_counts: l2, qos: {<<: *roce, queues: {
        3: &scaled {<<: *queue, ecn: {curves: [{low: 1600000, high: 6400000, probability: 10}]}}, 4: *scaled}}}""",
)


def check(path: Path, given: Given) -> Iterator[Hit | Unknown]:
    options = given.options
    for _, steps in walks(path, given.expect):
        times = {at: nanoseconds for at, step in enumerate(steps) if (nanoseconds := _onset(step)) is not None}
        for at, step in enumerate(steps):
            inward, outward = step.hop.inward, step.hop.outward
            if not step.hop.is_switch or inward is None or outward is None:
                continue
            fast, slow = inward.line_rate, outward.line_rate
            if fast is None or slow is None or fast < options.step * slow or step.ecn is False:
                continue
            end = End(step.hop.device, step.hop.leaves)
            others = [nanoseconds for where, nanoseconds in times.items() if where != at]
            if at not in times or not others:
                yield Unknown("the ECN thresholds in bytes at a step of speed", end)
            elif times[at] > options.later * min(others):
                yield Hit(
                    f"{fast // 10**9}G steps down to {slow // 10**9}G here, and ECN starts at {times[at] / 1000:g} us of "
                    f"queue, {times[at] / min(others):.1f} times the {min(others) / 1000:g} us of the other hops",
                    "give the slow port thresholds in proportion to its speed",
                    f"queues.{step.queue}.ecn",
                    f"queue {step.queue}",
                    end=end,
                )


def _onset(step: Step) -> int | None:
    """Return the queue at which marking starts as time at the port's speed, in nanoseconds."""
    port = step.hop.outward
    speed = port.line_rate if port is not None else None
    if not step.hop.is_switch or not speed or step.settings is None or step.settings.ecn is None:
        return None
    lows = [about_bytes(curve.low) for curve in step.settings.ecn.curves]
    known = [low for low in lows if low is not None]
    return min(known) * 8 * 10**9 // speed if known else None
