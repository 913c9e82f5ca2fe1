"""Pause frames that stop the whole link flow on a RoCE port.

## What it finds

Between two captures, IEEE 802.3x pause frames received or sent on a port with a lossless priority.

## Why it matters

A link pause stops every class, CNPs and routing included, and it works against PFC on the same port (PFC-006): what the
switch believes it protects by priority is stopped as a whole.

## What to do

Turn link pause off at both ends.

- nxos: `flowcontrol receive off` and `flowcontrol send off`
- cumulus: unbind what `nv set interface IF qos link-pause profile NAME` bound
- junos: `set interfaces IF ether-options no-flow-control`
- mlx5: `ethtool -A IF rx off tx off`

## When to ignore

FPGA peers and other devices that know link pause only. Systems that count PFC frames as pauses too are not judged.

## References

- NVIDIA/daqiri issue 250
- IEEE 802.1Q: PFC and link pause exclude each other
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import CounterPair, Given, Hit, Severity, Unknown, lossless_here

ID, NAME, SEVERITY, PROFILE, SINCE = "OPS-012", "global-pause-counters", Severity.WARNING, "safe", "0.1"
BAD = """
devices:
  - {name: leaf1, sample: {taken: "2026-01-01T00:00:00Z", ports: {Ethernet0: {rx_link_pause: 0}}}}
  - name: leaf1
    sample: {taken: "2026-01-01T00:01:00Z", ports: {Ethernet0: {rx_link_pause: 9000}}}
    ports: {Ethernet0: {qos: {pfc: {admin: "on", tx: [3], rx: [3]}}}}
"""
GOOD = BAD.replace("rx_link_pause: 9000", "rx_link_pause: 0")


def check(pair: CounterPair, given: Given) -> Iterator[Hit | Unknown]:
    for side, word in (("rx", "received"), ("tx", "sent")):
        pauses, pfc = pair.growth(f"{side}_link_pause"), pair.pfc(side)
        if pauses.cleared:
            yield Unknown("link pauses: cleared between the captures")
        found: dict[str, int] = {}
        for port, count in pauses.by_number().get(None, {}).items():
            lossless = lossless_here(pair.qos(port), given)
            if lossless is None:
                yield Unknown("the lossless priorities of ports with link pauses")
            elif lossless and count <= (pfc.total(port) or 0):
                yield Unknown("whether the pause frames are PFC frames: as many of these were counted")
            elif lossless:
                found[port] = count
        if found:
            yield Hit(
                f"link pause frames {word} on a port with a lossless priority: {pair.tell(found)}",
                "turn link pause off at both ends of the cable",
                ports=tuple(found),
                place=pair.where(found, f"{side}_link_pause"),
            )
