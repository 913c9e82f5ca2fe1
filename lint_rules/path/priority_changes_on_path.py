"""A switch pauses another priority than the one that stops the traffic at its neighbour.

## What it finds

Two neighbours on a way between hosts where the receiver pauses a priority for RoCE traffic, and that priority does not
stop the queue in which the sender keeps it: because the sender rewrites the DSCP, or because the two put it into
different classes. A sender whose maps say that the other priority stops this queue too (a declared remap, as dual-ToR
has) is not reported.

## Why it matters

The pause stops a queue that is empty and the full one goes on sending: packets are lost in a lossless class, and the
pauses spread along a way nobody planned.

## What to do

Use one priority for the class on every switch, and leave the DSCP alone.

- nxos: the same `match dscp` and `set qos-group` on every switch, and no `set dscp` in an output policy
- sonic: the same DSCP_TO_TC_MAP everywhere; tunnel remap with MAP_PFC_PRIORITY_TO_QUEUE on both sides
- cumulus: the same `nv set qos mapping default-global dscp 26 switch-priority 3`; no `qos remark`
- junos: the same classifier and `pfc-priority` on every switch, no `rewrite-rules` for the class

## When to ignore

Dual-ToR remaps whose uplink ports carry the second priority on both ends.

## References

- Juniper, Understanding CoS flow control: output queue priorities must match the input PFC priorities
- SONiC doc/qos/tunnel_dscp_remapping.md
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from rocecfg.fabric.trace import walks
from rocecfg.lint.api import End, Given, Hit, Path, Severity, Unknown, numbers_text
from rocecfg.lint.networks import TWO_LEAVES

ID, NAME, SEVERITY, PROFILE, SINCE = "PATH-002", "priority-changes-on-path", Severity.ERROR, "safe", "0.2"
GOOD = TWO_LEAVES
BAD = GOOD.replace(
    "l2, qos: *roce}\n      b:",
    """l2, qos: {<<: *roce, app_to_tc: [[udp, 4791, 4]]}}
      b:""",
)


def check(path: Path, given: Given) -> Iterator[Hit | Unknown]:
    for flow, steps in walks(path, given.expect):
        for here, there in pairwise(steps):
            if not here.hop.arrives or there.hop.inward is None or here.hop.outward is None:
                continue
            if there.pauses is None or here.honours is None:
                if there.pauses != frozenset():
                    whose = there.hop if there.pauses is None else here.hop
                    yield Unknown(f"which priority is paused for DSCP {there.dscp}", End(whose.device, ""))
                continue
            if not there.pauses or not here.honours or there.pauses & here.honours:
                continue
            paused, stops = numbers_text(there.pauses), numbers_text(here.honours)
            changed = f" after rewriting DSCP {here.dscp} to {there.dscp}" if here.rewritten else ""
            yield Hit(
                f"{here.hop.device} keeps {flow.name} in queue {here.queue}, which priority {stops} stops; "
                f"{there.hop.device} pauses priority {paused} for it{changed}, on the way {path.text()}",
                "use one priority for the class on every switch, and leave its DSCP alone",
                "rewrite" if here.rewritten else "dscp_to_tc",
                f"DSCP {there.dscp}",
                end=End(here.hop.device, here.hop.leaves)
                if here.rewritten
                else End(there.hop.device, there.hop.arrives),
            )
