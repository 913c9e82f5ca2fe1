"""One hop between two hosts marks no congestion while others do.

## What it finds

A switch on a way between hosts whose queue for RoCE traffic is known to have ECN off, while the queue of another hop on
the way marks. Without an intent, or with one that relies on ECN (DCQCN).

## Why it matters

Congestion at the silent hop stays invisible to the senders; PFC alone holds it, and the pauses spread.

## What to do

Bind the ECN profile to the RoCE queue on every switch between the hosts.

- nxos: `random-detect ... ecn` in the class of the queue, in the queuing policy of every switch
- sonic: `"wred_profile"` in the QUEUE rows of every switch
- cumulus: `nv set qos congestion-control default-global traffic-class 3 ecn enable`
- junos: `explicit-congestion-notification` and a drop-profile-map in the scheduler of the class

## When to ignore

Fabrics of a single tier, where another port of the same switch is meant to be without.

## References

- Zhu et al., SIGCOMM 2015 (DCQCN): every switch on the way marks
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.fabric.trace import walks
from rocecfg.lint.api import End, Given, Hit, Path, Severity, Unknown
from rocecfg.lint.networks import TWO_LEAVES

ID, NAME, SEVERITY, PROFILE, SINCE = "ECN-016", "ecn-on-every-hop", Severity.ERROR, "safe", "0.2"
GOOD = TWO_LEAVES
BAD = GOOD.replace(
    "l2, qos: *roce}\n      b:",
    """l2, qos: {trust: dscp, dscp_to_tc: {26: 3, rest: 0}, rewrite: [], tc_to_queue: {0: 0, 3: 3},
              queues: {3: {scheduler: weighted, weight: 50, weight_kind: percent-of-link, ecn: {curves: []}}}}}
      b:""",
)


def check(path: Path, given: Given) -> Iterator[Hit | Unknown]:
    if given.expect is not None and given.expect.congestion_control != "dcqcn":
        return
    for flow, steps in walks(path, given.expect):
        switches = [step for step in steps if step.hop.is_switch and step.hop.outward is not None]
        marking = next((step for step in switches if step.ecn), None)
        for step in switches:
            end = End(step.hop.device, step.hop.leaves)
            if step.ecn is None:
                yield Unknown(f"whether the queue of DSCP {step.dscp} marks ECN", end)
            elif not step.ecn and marking is not None:
                yield Hit(
                    f"queue {step.queue} ({flow.name}) marks no ECN here, while queue {marking.queue} of "
                    f"{marking.hop.device} does, on the way {path.text()}",
                    "bind the ECN profile on every hop",
                    f"queues.{step.queue}.ecn",
                    f"queue {step.queue}",
                    end=end,
                )
