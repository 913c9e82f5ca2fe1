"""What the driver makes of the stated settings: headroom by its formula, lossless buffers, the identity of PCP."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from rocecfg.packs import load_module
from rocecfg.state.model import (
    Amount,
    Device,
    Headroom,
    Port,
    PortQos,
    PriorityGroup,
    Static,
    eight,
    intern_ports,
)

_linux = load_module(Path(__file__).parents[1] / "linux" / "effective.py")
_SLOWEST = 40_000
"""Mb/s below which the driver's formula does not go."""


def headroom_bytes(speed: int, cable: int, mtu: int) -> int:
    """Return the bytes the driver keeps above XOFF: speed in bit/s, cable in metres, netdev MTU in bytes.

    (301 + 2.16 x metres) x max(Gb/s, 40) + 2.72 x MTU in integer arithmetic: Linux
    drivers/net/ethernet/mellanox/mlx5/core/en/port_buffer.c, calculate_xoff().
    """
    megabits = max(speed // 1_000_000, _SLOWEST)
    return (301 + 216 * cable // 100) * megabits // 1000 + 272 * mtu // 100


def defaults(device: Device) -> Device:
    """Fill in what follows from the stated settings and from the driver's own behaviour."""
    known: dict[tuple[object, ...], PortQos] = {}
    ports = []
    for port in device.ports.values():
        manual = port.nic is not None and port.nic.manual_buffers is True
        key = (id(port.qos), port.line_rate, port.mtu, port.mtu_counts, manual)  # ports share their state
        if key not in known:
            known[key] = _with_defaults(port, manual=manual)
        ports.append(replace(port, qos=known[key]))
    return replace(device, ports=intern_ports(ports))


def _with_defaults(port: Port, *, manual: bool) -> PortQos:
    qos, marks = port.qos, set(port.qos.defaulted)
    qos = _linux.priorities(qos, marks)
    qos = _buffer_layout(qos, marks, manual=manual)
    qos = _linux.maps_of_priorities(qos, marks)
    qos = _lossless_buffers(qos, marks, port)
    return replace(qos, defaulted=frozenset(marks))


def _buffer_layout(qos: PortQos, marks: set[str], *, manual: bool) -> PortQos:
    """Say where the firmware puts the one PFC priority: receive buffer 1, all others in buffer 0 (seen in captures).

    With several PFC priorities no capture shows the automatic layout, so it stays unknown.
    """
    pfc = _linux.paused(qos.pfc)
    if qos.tc_to_pg is not None or manual or pfc is None or len(pfc) != 1:
        return qos
    marks.add("tc_to_pg")
    return replace(qos, tc_to_pg=(*(int(priority in pfc) for priority in range(8)), *(None,) * 8))


def _lossless_buffers(qos: PortQos, marks: set[str], port: Port) -> PortQos:
    pfc = _linux.paused(qos.pfc)
    if qos.tc_to_pg is None or pfc is None:
        return qos
    pause = qos.link_pause
    whole_link = pause is not None and (pause.rx is True or pause.tx is True)
    used = {number for number in qos.tc_to_pg[:8] if number is not None}
    paused = {number for priority in pfc if (number := qos.tc_to_pg[priority]) is not None}
    groups: dict[int, PriorityGroup] = {}
    for number in range(8):
        group = qos.priority_group(number)
        if group is None and number not in used:
            continue
        group = group or PriorityGroup()
        if group.lossless is None:
            # With 802.3x pause on, the driver treats every active buffer as lossless.
            group = replace(group, lossless=number in paused or (whole_link and number in used))
            marks.add(f"priority_groups.{number}.lossless")
        if group.lossless:
            group = _with_headroom(group, qos, port, marks, number)
        groups[number] = group
    return replace(qos, priority_groups=eight(groups))


def _with_headroom(group: PriorityGroup, qos: PortQos, port: Port, marks: set[str], number: int) -> PriorityGroup:
    speed, cable = port.line_rate, qos.cable
    if group.headroom is None:
        group = replace(group, headroom=Headroom(by="length"))
        marks.add(f"priority_groups.{number}.headroom")
    headroom = group.headroom
    known = speed is not None and port.mtu is not None and port.mtu_counts == "ip" and isinstance(cable, int)
    if headroom is not None and headroom.by == "length" and headroom.amount is None and known:
        assert speed is not None and port.mtu is not None and isinstance(cable, int)  # noqa: PT018
        amount = Amount.of_bytes(headroom_bytes(speed, cable, port.mtu))
        headroom = replace(headroom, amount=amount, made_for=(speed, cable))
        group = replace(group, headroom=headroom)
        marks.add(f"priority_groups.{number}.headroom")
    if group.xoff_at is None and group.reserved is not None and headroom is not None and headroom.amount is not None:
        xoff_at = group.reserved.value - headroom.amount.value
        if xoff_at > 0:
            group = replace(group, xoff_at=Static(Amount(xoff_at, "byte", int(xoff_at))))
            marks.add(f"priority_groups.{number}.xoff_at")
    return group
