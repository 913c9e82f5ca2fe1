"""The headroom is enough only for a peer that reacts faster than the standard asks.

## What it finds

A lossless priority group that keeps less than the sum of the 802.3 and 802.1Q delays: a frame that has just begun on
each side, the PFC frame itself, the time the peer may take to stop, and the cable there and back. What is below the
cable and one frame alone is left to BUF-002.

## Why it matters

Whether the class is lossless then depends on the peer: the same port may be fine beside one NIC and lose packets
beside the next model.

## What to do

Raise the headroom to the bound, or note which peer was measured and lower `tolerance`; `rocecfg calc headroom` shows
every term.

- nxos: a larger `pause buffer-size`, its `pause-threshold` unchanged
- sonic: a larger `xoff` in the BUFFER_PROFILE, or the dynamic model with the true cable length
- mlx5: `mlnx_qos -i IF --cable_len METRES`

## When to ignore

Tables that a vendor measured for its own chip: shipped NVIDIA tables hold 0.88 to 1.0 of the bound up to 50G (the
tolerance lets them pass), older ones 0.5 to 0.8 at 100G and above.

## References

- IEEE 802.3 Annex 31B (response times), IEEE 802.1Q annex on PFC buffer requirements
- Cisco, Priority Flow Control: Build Reliable Layer 2 Infrastructure
- sonic-buildimage DS3000 table: 100G over 300 m with 55,120 bytes, 0.68 of the bound
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rocecfg.lint.api import End, Given, Hit, Link, Option, Port, Severity, Unknown
from rocecfg.lint.headrooms import Kept, alike, kept_headrooms, lossless_frame, metres_text, rate_text, speed_of
from rocecfg.physics.headroom import standard_bound, wire_floor_bytes

ID, NAME, SEVERITY, PROFILE, SINCE = "BUF-003", "headroom-below-standard-bound", Severity.WARNING, "safe", "0.1"
OPTIONS = {
    "frame": Option(4200, "bytes of the largest lossless frame where the device does not say (RoCE MTU 4096)"),
    "tolerance": Option(15, "percent below the bound that is still accepted (measured tables)"),
}
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet0:
      speed: 100000000000
      mtu: 9100
      qos:
        cable: 300
        pfc: {admin: "on", tx: [3], rx: [3]}
        priority_to_pg: {3: [3]}
        priority_groups: {3: {lossless: true, headroom: {amount: 98304}}}
"""
BAD = GOOD.replace("98304", "55120")


def check(port: Port, given: Given) -> Iterator[Hit | Unknown]:
    told = port.qos.cable
    for kept in alike(kept_headrooms(port.qos)):
        made_for = kept.headroom.made_for
        metres = told if told is not None else made_for[1] if made_for else None
        if metres is None and port.neighbour is not None and port.neighbour.source in {"intent", "links-file"}:
            continue  # check_link knows the cable
        speed = speed_of(port, kept)
        if speed is None or metres is None:
            yield Unknown("the port's speed" if speed is None else "the length of the cable")
            continue
        yield from _judge(kept, port, speed, metres, given)


def check_link(link: Link, given: Given) -> Iterator[Hit | Unknown]:
    """Judge the ends again when the cable is longer than the device was told, or the device has no such input."""
    for end in (link.a, link.b):
        for kept in alike(kept_headrooms(end.port.qos)) if end.port is not None else ():
            port = end.port
            assert port is not None
            made_for = kept.headroom.made_for
            told = port.qos.cable if port.qos.cable is not None else made_for[1] if made_for else None
            if told is not None and (link.cable is None or told >= link.cable):
                continue
            speed = speed_of(port) or link.speed
            if speed is None or link.cable is None:
                yield Unknown("the port's speed" if speed is None else "the length of the cable", end)
            elif told is None or not list(_judge(kept, port, speed, told, given)):
                yield from _judge(kept, port, speed, link.cable, given, end)


def _judge(
    kept: Kept, port: Port, speed: int, metres: Fraction | int, given: Given, end: End | None = None
) -> Iterator[Hit]:
    frame = lossless_frame(kept.group, port, given.options.frame)
    bound = int(standard_bound(speed, metres, max(port.mtu or frame, frame), frame).value)
    least = bound * (100 - given.options.tolerance) // 100
    if wire_floor_bytes(speed, metres, frame) <= kept.bytes < least:
        yield Hit(
            f"{kept.object} keeps {kept.bytes} bytes of headroom, {float(Fraction(kept.bytes, bound)):.2f} of the "
            f"{bound} that the standard's delays ask for at {rate_text(speed)} over {metres_text(metres)} m",
            f"keep {bound} bytes",
            kept.leaf,
            kept.object,
            end=end,
        )
