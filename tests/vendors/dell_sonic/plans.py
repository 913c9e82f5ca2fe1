"""Planned Enterprise SONiC switches for the tests: one fixed plan, and generated ones within the system's limits."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import strategies as st

from rocecfg.state.model import Dcbx, Device, Pfc, Port, PortQos, PortWatchdog, intern_ports
from tests.planned import planned_qos, planned_switch

GIGABIT = 1_000_000_000


def small_plan() -> Device:
    """Two host ports on 5 m, an uplink on 100 m that speaks DCBX and marks later, and a port without PFC."""
    near = planned_qos(cable=5)
    far = replace(planned_qos(cable=100, kmin=500_000, kmax=2_000_000), dcbx=Dcbx(state="ieee"))
    plain = replace(planned_qos(cable=5), pfc=Pfc("off", frozenset(), frozenset()), watchdog=None)
    ports = [
        Port("Eth1/1", near, speed=100 * GIGABIT, mtu=9000, mtu_counts="ip"),
        Port("Eth1/2", near, speed=100 * GIGABIT, mtu=9000, mtu_counts="ip"),
        Port("Eth1/30", plain, speed=100 * GIGABIT, mtu=1500, mtu_counts="ip"),
        Port("Eth1/49", far, speed=400 * GIGABIT, mtu=9216, mtu_counts="l2"),
    ]
    return replace(planned_switch("dell_sonic", []), ports=intern_ports(ports))


@st.composite
def port_settings(draw: st.DrawFn, lossless: dict[int, int], cnp: tuple[int, int] | None) -> PortQos:
    kmin = draw(st.integers(1, 13_000_000))
    qos = planned_qos(
        lossless=lossless,
        cnp=cnp,
        kmin=kmin,
        kmax=kmin + draw(st.integers(0, 3_000_000)),
        pmax=draw(st.integers(1, 100)),
        alpha=draw(st.sampled_from([None, Fraction(1, 8)])),
        cable=draw(st.one_of(st.none(), st.integers(1, 300))),
    )
    if draw(st.booleans()):
        times = PortWatchdog(
            True,
            None,
            draw(st.sampled_from([None, 50, 200])),
            draw(st.sampled_from([None, 10, 400, 9000])),
            draw(st.sampled_from([None, -1, 10, 800])),
            draw(st.sampled_from([None, "drop", "alert", "port-down"])),
        )
        qos = replace(qos, watchdog=draw(st.sampled_from([times, None, PortWatchdog(enabled=False)])))
    if draw(st.booleans()):
        qos = replace(qos, dcbx=Dcbx(state=draw(st.sampled_from(["ieee", "cee", "auto", "off"]))))
    if draw(st.booleans()):
        qos = replace(qos, pfc=Pfc("on", tx=frozenset(lossless.values()), rx=frozenset(range(8))))
    if draw(st.booleans()):
        qos = replace(qos, trust=draw(st.sampled_from(["dscp", "both", "none", None])))
    weights = draw(st.lists(st.integers(1, 1000), min_size=8, max_size=8))
    queues = [
        queue and replace(queue, weight=weights[n] if queue.weight is not None else None)
        for n, queue in enumerate(qos.queues or ())
    ]
    return replace(qos, queues=tuple(queues))


@st.composite
def plans(draw: st.DrawFn) -> Device:
    """A switch with ports of several kinds, odd DSCPs and several ways to write a port's name."""
    priorities = draw(st.lists(st.integers(1, 6), min_size=1, max_size=2, unique=True))
    dscps = draw(st.lists(st.integers(1, 63), min_size=3, max_size=3, unique=True))
    lossless = dict(zip(dscps, priorities, strict=False))
    cnp = draw(st.sampled_from([None, (dscps[-1], 7)]))
    kinds = draw(st.lists(port_settings(lossless, cnp), min_size=1, max_size=3))
    ports = []
    for number in range(1, draw(st.integers(1, 5)) + 1):
        name = draw(st.sampled_from(["Eth1/{}", "Eth 1/{}", "ethernet1/{}/1", "Ethernet{}", "PortChannel{}"]))
        mtu = draw(st.sampled_from([None, 1500, 9000, 9216, 9999]))
        counts = draw(st.sampled_from([None, "ip", "l2", "l2+fcs"]))
        qos = draw(st.sampled_from(kinds))
        ports.append(Port(name.format(number), qos, speed=100 * GIGABIT, mtu=mtu, mtu_counts=counts))
    return replace(planned_switch("dell_sonic", []), ports=intern_ports(ports))
