"""ECN is configured on the lossless queue and marks nothing.

## What it finds

A lossless queue with ECN thresholds of which none is armed for the traffic's colour (SONiC `wred_green_enable` is
false unless written), or a device whose global ECN switch is off.

## Why it matters

The profile stands there, is bound, and nothing is marked: the same as no ECN, but no reader sees it.

## What to do

Arm the curve.

- sonic: `"wred_green_enable": "true"` in the WRED_PROFILE (`ecnconfig` sets thresholds only)

## When to ignore

A few shipped SONiC profiles leave the flags false and the chip marks nevertheless (SN5600-C256S1): ignore the rule on
those models.

## References

- sonic-utilities issue 4545, sonic-wred-profile.yang: the enable flags default to false
- Huawei CloudEngine, Configuring Static ECN: the global switch
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import (
    Given,
    Hit,
    PortQos,
    Severity,
    numbers_text,
    queues_of_priority,
    tcs_of_priority,
    wanted_lossless,
)

ID, NAME, SEVERITY, PROFILE, SINCE = "ECN-004", "ecn-profile-inert", Severity.ERROR, "safe", "0.1"
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet0:
      qos:
        pfc: {admin: "on", tx: [3], rx: [3]}
        priority_to_queue: {3: [3]}
        queues: {3: {ecn: {curves: [{low: 250000, high: 1048576, probability: 5, colours: [green], active: true}]}}}
"""
BAD = GOOD.replace("active: true", "active: false")


def check(qos: PortQos, given: Given) -> Iterator[Hit]:
    lossless = (qos.lossless_priorities() or frozenset()) | wanted_lossless(qos, given)
    for priority in sorted(lossless):
        for number in sorted(queues_of_priority(qos, priority) or ()):
            queue = qos.queue(number)
            if queue is None or queue.ecn is None or not queue.ecn.curves:
                continue
            reason = ""
            if queue.ecn.gate is False:
                reason = "the device-wide ECN switch is off"
            elif all(curve.active is False for curve in queue.ecn.curves):
                reason = "no colour is enabled"
            else:
                colours = _colours(qos, priority)
                armed = [curve for curve in queue.ecn.curves if curve.active is not False]
                if colours and not any(not curve.colours or curve.colours & colours for curve in armed):
                    reason = f"colour {', '.join(sorted(colours))} of the class is not enabled"
            if reason:
                yield Hit(
                    f"queue {number} has ECN thresholds and marks nothing: {reason}",
                    "arm the ECN curve",
                    f"queues.{number}.ecn",
                    f"queue {number} (priority {numbers_text(frozenset({priority}))})",
                )


def _colours(qos: PortQos, priority: int) -> frozenset[str]:
    """Return the colours that packets of a lossless priority get, empty when unknown."""
    tcs = tcs_of_priority(qos, priority)
    if qos.dscp_to_colour is None or qos.dscp_to_tc is None or not tcs:
        return frozenset()
    colours = [qos.dscp_to_colour[dscp] for tc in tcs for dscp in qos.dscp_to_tc.codes(tc)]
    return frozenset(colour for colour in colours if colour) if None not in colours else frozenset()
