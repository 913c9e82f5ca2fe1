"""A port pauses its peer for a priority that carries no lossless traffic.

## What it finds

A priority in the PFC set of a port that is no lossless class of the intent. Without an intent: PFC on the priority of
all unmarked traffic (usually priority 0). One code point of a classification block that was taken out is QMAP-002's.

## Why it matters

Such a priority has no headroom of its own, or takes it from the lossless class; and any best-effort sender can now
stop a whole link, because everything that nobody marked is paused with it.

## What to do

Leave PFC on for the lossless priorities only.

- nxos: `pause pfc-cos 3` in the one no-drop class of the network-qos policy
- sonic: `config interface pfc priority IF PRIORITY off`
- cumulus: `nv set qos pfc NAME switch-priority PRIORITY`
- onyx: a lossless traffic pool for it: `traffic pool NAME map switch-priority PRIORITY`
- junos: take the code point out of `input` of the congestion-notification-profile
- mlx5: `mlnx_qos -i IF --pfc 0,0,0,1,0,0,0,0`

## When to ignore

A priority kept for later use, or a published design with more lossless priorities (SONiC dual-ToR uses 2 and 6 for
bounced traffic): list them as lossless classes in the intent.

## References

- SONiC PFC watchdog design: PFC belongs on lossless queues only
- Intel Gaudi, Expected Switch Configuration: PFC on 0-3, traffic on 2 and 3
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, PortQos, Severity, Unknown, numbers_text, tcs_of_priority
from rocecfg.lint.classes import pfc_sets, tcs_of_unmarked

ID, NAME, SEVERITY, PROFILE, SINCE = "PFC-002", "pfc-on-lossy-priority", Severity.WARNING, "safe", "0.1"
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet8: {qos: {pfc: {admin: "on", tx: [3], rx: [3]}}}
expect: {classes: {roce: {dscp: [26], priority: 3, lossless: true}}}
"""
BAD = GOOD.replace("tx: [3], rx: [3]", "tx: [3, 5], rx: [3, 5]")


def check(qos: PortQos, given: Given) -> Iterator[Hit | Unknown]:
    expect = given.expect
    if expect is not None and not expect.classes:
        return  # a port the intent does not have
    sends = pfc_sets(qos).sends
    if sends is None:
        yield Unknown("PFC of the port")
    elif expect is not None:
        if surplus := sends - expect.lossless:
            text = numbers_text(surplus)
            yield Hit(
                f"the port pauses its peer for priority {text}, lossless in the intent is {numbers_text(expect.lossless)}",
                f"turn PFC off for priority {text}",
                f"pfc.tx.{min(surplus)}",
                f"priority {text}",
            )
    else:
        yield from _unmarked(qos, sends)


def _unmarked(qos: PortQos, sends: frozenset[int]) -> Iterator[Hit]:
    """Say where PFC pauses for everything that nobody marked."""
    unmarked = tcs_of_unmarked(qos)
    for priority in sorted(sends):
        tcs = tcs_of_priority(qos, priority)
        if (tcs & unmarked) if tcs is not None and unmarked else priority == 0:
            yield Hit(
                f"PFC is on for priority {priority}, the priority of all unmarked traffic",
                f"turn PFC off for priority {priority}, and give the lossless class a priority of its own",
                f"pfc.tx.{priority}",
                f"priority {priority}",
            )
