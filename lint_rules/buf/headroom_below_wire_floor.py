"""The headroom is smaller than what the cable itself holds.

## What it finds

A lossless priority group, or a row of a headroom table, with fewer bytes than are under way on the cable when PAUSE
goes out (there and back, 10 ns a metre at the port's rate) plus one frame. Length and speed come from the device, else
from the cabling. No chip, however fast it reacts, can be lossless below that.

## Why it matters

Each pause loses the difference, every time, and each loss costs an RDMA go-back.

## What to do

Raise the headroom, or correct the cable length it was made for; `rocecfg plan INTENT --why DEVICE:PORT` works it out.

- nxos: a larger `pause buffer-size`, its `pause-threshold` unchanged
- sonic: `config interface cable-length IF LENGTH` (dynamic model), or a row in pg_profile_lookup.ini
- cumulus: `nv set qos pfc NAME cable-length 300`
- onyx: a larger `reserved` beside the same `xoff` in the line of the lossless `ingress-buffer`
- junos: `set class-of-service congestion-notification-profile NAME input cable-length 300`
- mlx5: `mlnx_qos -i IF --cable_len 300`

## When to ignore

Never while the length is right. Where it is not known the rule is not evaluated.

## References

- IEEE 802.3 Annex 31B and IEEE 802.1Q annex on PFC buffer requirements
- sonic-buildimage pg_profile_lookup.ini: 27 shipped rows hold less (100G over 2000 m with 234,496 bytes)
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rocecfg.lint.api import Device, End, Given, Hit, Link, Option, Port, Severity, Unknown, lossless_groups
from rocecfg.physics.headroom import wire_floor_bytes

ID, NAME, SEVERITY, PROFILE, SINCE = "BUF-002", "headroom-below-wire-floor", Severity.ERROR, "min", "0.1"
OPTIONS = {
    "frame": Option(4200, "bytes of the largest lossless frame where the device does not say (RoCE MTU 4096)"),
    "table-frame": Option(9216, "bytes of the frame that a row of a headroom table must hold"),
}
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet0:
      speed: 100000000000
      qos:
        cable: 300
        pfc: {admin: "on", tx: [3], rx: [3]}
        priority_to_pg: {3: [3]}
        priority_groups: {3: {lossless: true, headroom: {amount: 98304}}}
"""
BAD = GOOD.replace("cable: 300", "cable: 2000")


def check(port: Port, given: Given) -> Iterator[Hit | Unknown]:
    told = port.qos.cable
    for number, headroom, made_for, mtu in _groups(port, given):
        speed = port.line_rate or (made_for[0] if made_for else None)
        metres = told if told is not None else made_for[1] if made_for else None
        if metres is None and port.neighbour is not None and port.neighbour.source in {"intent", "links-file"}:
            continue  # check_link knows the cable
        if speed is None or metres is None:
            yield Unknown("the port's speed" if speed is None else "the length of the cable")
            continue
        floor = wire_floor_bytes(speed, metres, mtu)
        if headroom < floor:
            yield _hit(number, headroom, floor, speed, metres, mtu)


def check_link(link: Link, given: Given) -> Iterator[Hit | Unknown]:
    """Judge the ends again when the cable is longer than the device was told, or the device has no such input."""
    for end in (link.a, link.b):
        port = end.port
        if port is None:
            continue
        for number, headroom, made_for, mtu in _groups(port, given):
            speed = port.line_rate or link.speed
            told = port.qos.cable if port.qos.cable is not None else made_for[1] if made_for else None
            if told is not None and (link.cable is None or told >= link.cable):
                continue
            if speed is None or link.cable is None:
                yield Unknown("the port's speed" if speed is None else "the length of the cable", end)
                continue
            floor = wire_floor_bytes(speed, link.cable, mtu)
            if headroom < floor and (told is None or headroom >= wire_floor_bytes(speed, told, mtu)):
                yield _hit(number, headroom, floor, speed, link.cable, mtu, end)


def check_table(device: Device, given: Given) -> Iterator[Hit]:
    frame: int = given.options.table_frame
    for row in device.headroom_table or ():
        floor = wire_floor_bytes(row.speed, row.cable, frame)
        if row.headroom < floor:
            yield Hit(
                f"the table keeps {row.headroom} bytes for {row.speed // 10**9}G over {_metres(row.cable)} m, "
                f"the cable and one frame of {frame} bytes alone hold {floor}",
                f"keep at least {floor} bytes in that row",
                object=f"row {row.speed // 10**6} {_metres(row.cable)}m",
                place=row.place,
            )


def _groups(port: Port, given: Given) -> Iterator[tuple[int, int, tuple[int, Fraction | int] | None, int]]:
    """Yield the lossless groups whose headroom is known in bytes: number, bytes, made for, frame."""
    qos = port.qos
    sends = qos.pfc.sends() if qos.pfc is not None else None
    numbers = {number for priority in sends or () for number in lossless_groups(qos, priority) or ()}
    for number in sorted(numbers):
        group = qos.priority_group(number)
        headroom = group.headroom if group is not None else None
        if group is None or headroom is None or headroom.amount is None or not headroom.amount.bytes:
            continue
        mtu = group.mtu or min(port.mtu or given.options.frame, given.options.frame)
        yield number, headroom.amount.bytes, headroom.made_for, mtu


def _metres(length: Fraction | int) -> str:
    return str(int(length)) if length == int(length) else str(float(length))


def _hit(
    number: int, headroom: int, floor: int, speed: int, metres: Fraction | int, mtu: int, end: End | None = None
) -> Hit:
    return Hit(
        f"priority group {number} keeps {headroom} bytes of headroom; {_metres(metres)} m of cable at "
        f"{speed // 10**9}G and one frame of {mtu} bytes hold {floor}",
        f"keep at least {floor} bytes, or correct the cable length",
        f"priority_groups.{number}.headroom",
        f"priority group {number}",
        end=end,
    )
