"""PFC frames name a priority that this port does not protect.

## What it finds

Between two captures, PFC frames received for a priority that the port does not honour, or sent for one that it does
not pause for.

## Why it matters

The peer asks to stop a class that goes on sending here: the peer's headroom overflows and it loses what it believes to
be lossless. Frames that are sent without being configured say that the chip does something else than the configuration.

## What to do

Give both ends the same lossless priorities (PEER-001).

- nxos: the same `pause pfc-cos` class on both ends
- sonic: `config interface pfc priority IF PRIORITY on`
- cumulus: `nv set qos pfc NAME switch-priority PRIORITY`
- junos: the same code points in `input` and `output` of the congestion-notification-profile
- mlx5: `mlnx_qos -i IF --pfc 0,0,0,1,0,0,0,0`

## When to ignore

A peer that pauses more classes than this fabric uses, as long as none of its traffic goes there.

## References

- sonic-buildimage issue 5910: PFC frames on a priority without PFC
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import ANY_PRIORITY, CounterPair, Given, Hit, Severity, Unknown, configured_lossless, numbers_text

ID, NAME, SEVERITY, PROFILE, SINCE = "OPS-013", "pfc-frames-on-lossy-priority", Severity.WARNING, "safe", "0.1"
BAD = """
devices:
  - {name: leaf1, sample: {taken: "2026-01-01T00:00:00Z", ports: {Ethernet0: {rx_pfc: {3: 0, 4: 0}}}}}
  - name: leaf1
    sample: {taken: "2026-01-01T00:01:00Z", ports: {Ethernet0: {rx_pfc: {3: 10, 4: 700}}}}
    ports: {Ethernet0: {qos: {pfc: {admin: "on", tx: [3], rx: [3]}}}}
"""
GOOD = BAD.replace("4: 700", "4: 0")


def check(pair: CounterPair, given: Given) -> Iterator[Hit | Unknown]:
    for side, word, does in (("rx", "received", "honours"), ("tx", "sent", "pauses for")):
        growth = pair.growth(f"{side}_pfc")
        if growth.cleared:
            yield Unknown("PFC frames by priority: cleared between the captures")
        for priority, ports in sorted(growth.by_number().items(), key=str):
            found: dict[str, int] = {}
            protected: frozenset[int] = frozenset()
            for port, count in ports.items():
                qos = pair.qos(port)
                pfc = qos.pfc if qos is not None else None
                here = (pfc.honours() if side == "rx" else pfc.sends()) if pfc is not None else None
                if here is None or qos is None:
                    yield Unknown("the lossless priorities of ports with PFC frames")
                elif priority is not None and priority not in here | configured_lossless(qos):
                    found[port], protected = count, here
            if found and priority != ANY_PRIORITY:
                yield Hit(
                    f"PFC frames {word} for priority {priority}, where the port {does} {numbers_text(protected)}: "
                    f"{pair.tell(found)}",
                    "set the same lossless priorities on both ends of the cable",
                    object=f"priority {priority}",
                    ports=tuple(found),
                    place=pair.where(found, f"{side}_pfc.{priority}"),
                )
