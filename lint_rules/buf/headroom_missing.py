"""A priority is paused for, and no headroom is kept for what still arrives.

## What it finds

A port that pauses its peer for a priority whose priority group has no headroom: none bound, or zero bytes.

## Why it matters

After PAUSE goes out, packets keep coming for the time of two cable lengths and the peer's reaction. Without room for
them the first pause already loses packets.

## What to do

Give the priority group a headroom made for the port's speed and cable.

- nxos: `pause buffer-size N pause-threshold N resume-threshold N` in the `c-in-qN` class of an input queuing policy
- sonic: `config interface buffer priority-group lossless add IF PRIORITY`
- cumulus: `nv set qos pfc NAME cable-length 40`
- onyx: `traffic pool NAME type lossless` and `traffic pool NAME map switch-priority 3`
- junos: `set class-of-service shared-buffer ingress buffer-partition lossless-headroom percent N`

## When to ignore

Chips that count arriving packets on the chip itself and show a size of zero beside a real headroom value are read
correctly; no other reason is known.

## References

- SONiC issue 480: a lossless group without profile
- IEEE 802.1Q, annex on PFC buffer requirements
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, PortQos, Severity, Unknown, lossless_groups

ID, NAME, SEVERITY, PROFILE, SINCE = "BUF-001", "headroom-missing", Severity.ERROR, "min", "0.1"
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet0:
      qos:
        pfc: {admin: "on", tx: [3], rx: [3]}
        priority_to_pg: {3: [3]}
        priority_groups: {3: {lossless: true, headroom: {amount: 98304}}}
"""
BAD = GOOD.replace("{amount: 98304}", "{by: none}")


def check(qos: PortQos, given: Given) -> Iterator[Hit | Unknown]:
    sends = qos.pfc.sends() if qos.pfc is not None else None
    for priority in sorted(sends or ()):
        groups = lossless_groups(qos, priority)
        if groups is None:
            yield Unknown(f"the priority group of priority {priority}")
            continue
        for number in sorted(groups):
            group = qos.priority_group(number)
            headroom = group.headroom if group is not None else None
            if headroom is None:
                yield Unknown(f"the headroom of priority group {number}")
            elif headroom.by == "none" or (headroom.amount is not None and headroom.amount.value == 0):
                amount = "no" if headroom.by == "none" else "0 bytes of"
                yield Hit(
                    f"the port pauses its peer for priority {priority}, and priority group {number} has {amount} headroom",
                    "keep headroom for the port's speed and cable",
                    f"priority_groups.{number}.headroom",
                    f"priority group {number}",
                )
