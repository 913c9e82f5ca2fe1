"""Planned OS10 switches for the tests: one small fixed plan, and generated ones within the limits of the system."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import strategies as st

from rocecfg.state.model import Amount, Curve, Dcbx, Device, Ecn, LinkPause, Pfc, Port, PortQos, intern_ports
from tests.planned import planned_qos, planned_switch

GIGABIT = 1_000_000_000


def small_plan() -> Device:
    """Two host ports on 30 m, one without PFC, a breakout port that speaks DCBX, and an uplink of 300 m."""
    near = planned_qos()
    bare = replace(planned_qos(), pfc=Pfc(admin="off"), priority_groups=None)
    spoken = replace(planned_qos(), dcbx=Dcbx(state="auto"))
    far = planned_qos(cable=300, kmin=950_400, kmax=3_000_000, pmax=7, headroom=512_000)
    device = planned_switch("dell_os10", ["ethernet1/1/1"], near)
    ports = [
        *device.ports.values(),
        Port("ethernet1/1/2", bare, speed=400 * GIGABIT, mtu=9216, mtu_counts="l2"),
        Port("ethernet1/1/3:1", spoken, speed=100 * GIGABIT, mtu=9216, mtu_counts="l2"),
        Port("ethernet1/1/49", far, speed=400 * GIGABIT, mtu=9216, mtu_counts="l2"),
    ]
    return replace(device, ports=intern_ports(ports))


@st.composite
def port_settings(draw: st.DrawFn, lossless: dict[int, int], cnp: tuple[int, int] | None) -> PortQos:
    kmin = draw(st.integers(100, 900_000))
    qos = planned_qos(
        lossless=lossless,
        cnp=cnp,
        kmin=kmin,
        kmax=kmin + draw(st.integers(0, 15_000_000)),
        pmax=draw(st.integers(1, 100)),
        headroom=draw(st.integers(20_000, 2_000_000)),
        alpha=draw(st.sampled_from([None, Fraction(1, 64), Fraction(4)])),
        cable=draw(st.one_of(st.none(), st.integers(1, 2000))),
        watchdog=draw(st.booleans()),
    )
    if draw(st.integers(0, 3)) == 0:
        qos = replace(qos, dcbx=Dcbx(state=draw(st.sampled_from(["off", "auto", "ieee", "cee"]))))
    if draw(st.integers(0, 3)) == 0:
        qos = replace(qos, link_pause=draw(st.sampled_from([None, LinkPause(rx=True, tx=False)])))
    weights = draw(st.lists(st.integers(1, 1000), min_size=8, max_size=8))
    colours = draw(st.sampled_from([(), ("green",), ("green", "yellow"), ("green", "yellow", "red")]))
    queues = []
    for number, queue in enumerate(qos.queues or ()):
        changed = queue
        if changed is not None and changed.weight is not None:
            changed = replace(changed, weight=weights[number])
        if changed is not None and changed.ecn is not None and colours:
            steps = enumerate(colours)
            curves = tuple(
                Curve(Amount.of_bytes(kmin + step * 1000), Amount.of_bytes(kmin + 90_000), 9, frozenset({colour}))
                for step, colour in steps
            )
            changed = replace(changed, ecn=Ecn(curves, weight=draw(st.sampled_from([None, 0, 4]))))
        queues.append(changed)
    return replace(qos, queues=tuple(queues))


@st.composite
def plans(draw: st.DrawFn) -> Device:
    """A device with one PFC set, ports of several kinds, odd DSCPs and several ways to write a port's name."""
    priorities = draw(st.lists(st.integers(1, 7), min_size=1, max_size=2, unique=True))
    dscps = draw(st.lists(st.integers(1, 63), min_size=len(priorities) + 1, max_size=len(priorities) + 1, unique=True))
    lossless = dict(zip(dscps, priorities, strict=False))
    free = next(number for number in (6, 5, 4) if number not in priorities)
    cnp = draw(st.sampled_from([None, (dscps[-1], free)]))
    kinds = draw(st.lists(port_settings(lossless, cnp), min_size=1, max_size=3))
    forms = ["ethernet1/1/{}", "Eth1/1/{}", "Ethernet 1/1/{}", "ethernet1/1/{}:1"]
    ports = []
    for number in range(1, draw(st.integers(1, 5)) + 1):
        qos = draw(st.sampled_from(kinds))
        if draw(st.integers(0, 4)) == 0:
            qos = replace(qos, pfc=Pfc(admin="off", tx=frozenset(), rx=frozenset()), watchdog=None)
        mtu = draw(st.sampled_from([None, 1500, 9000, 9216, 9999]))
        name = draw(st.sampled_from(forms)).format(number)
        ports.append(
            Port(name, qos, speed=100 * GIGABIT, mtu=mtu, mtu_counts=draw(st.sampled_from([None, "l2", "ip"])))
        )
    return replace(planned_switch("dell_os10", []), ports=intern_ports(ports))
