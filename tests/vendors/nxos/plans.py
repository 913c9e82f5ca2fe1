"""Planned Nexus devices for the tests: one small fixed plan, and generated ones within the limits of the system."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import strategies as st

from rocecfg.state.model import Dcbx, Device, Pfc, Port, PortQos, PortWatchdog, intern_ports
from tests.planned import planned_qos, planned_switch

GIGABIT = 1_000_000_000


def small_plan() -> Device:
    """Two host ports on 30 m, one of them without a watchdog, and a 300 m uplink that announces PFC."""
    near = planned_qos()
    quiet = planned_qos(watchdog=False)
    far = replace(
        planned_qos(cable=300, kmin=950_400, kmax=3_000_000, pmax=7), dcbx=Dcbx(advertises=frozenset({"pfc", "ets"}))
    )
    device = planned_switch("nxos", ["Ethernet1/1"], near)
    ports = [
        *device.ports.values(),
        Port("Ethernet1/2", quiet, speed=400 * GIGABIT, mtu=9216, mtu_counts="l2"),
        Port("Ethernet1/49", far, speed=400 * GIGABIT, mtu=9216, mtu_counts="l2"),
    ]
    return replace(device, ports=intern_ports(ports))


@st.composite
def port_settings(draw: st.DrawFn, lossless: dict[int, int], cnp: tuple[int, int] | None) -> PortQos:
    kmin = draw(st.integers(20_000, 900_000))
    qos = planned_qos(
        lossless=lossless,
        cnp=cnp,
        kmin=kmin,
        kmax=kmin + draw(st.integers(0, 11_000_000)),
        pmax=draw(st.integers(1, 100)),
        headroom=draw(st.integers(20_000, 2_000_000)),
        alpha=draw(st.sampled_from([None, Fraction(1, 64), Fraction(1, 8), Fraction(4)])),
        cable=draw(st.one_of(st.none(), st.integers(1, 2000))),
        watchdog=draw(st.booleans()),
    )
    if draw(st.booleans()) and qos.watchdog is not None:
        watchdog = PortWatchdog(
            True, None, draw(st.sampled_from([100, 200])), 400, 800, draw(st.sampled_from(["drop", "alert"]))
        )
        qos = replace(qos, watchdog=watchdog)
    if draw(st.integers(0, 4)) == 0:
        qos = replace(qos, dcbx=Dcbx(advertises=frozenset(draw(st.sets(st.sampled_from(["pfc", "ets", "app"]))))))
    queues = list(qos.queues or ())
    weights = draw(st.lists(st.integers(1, 1000), min_size=8, max_size=8))
    queues = [
        queue and (replace(queue, weight=weights[n]) if queue.weight is not None else queue)
        for n, queue in enumerate(queues)
    ]
    return replace(qos, queues=tuple(queues))


@st.composite
def plans(draw: st.DrawFn) -> Device:
    """A device with one PFC set, ports of several kinds, odd DSCPs and several ways to write a port's name."""
    priorities = draw(st.lists(st.integers(1, 6), min_size=1, max_size=2, unique=True))
    dscps = draw(st.lists(st.integers(1, 63), min_size=len(priorities) + 1, max_size=len(priorities) + 1, unique=True))
    lossless = dict(zip(dscps, priorities, strict=False))
    cnp = draw(st.sampled_from([None, (dscps[-1], 7)]))
    kinds = draw(st.lists(port_settings(lossless, cnp), min_size=1, max_size=3))
    forms = ["Ethernet1/{}", "eth1/{}", "Ethernet 1/{}", "Ethernet1/{}/1", "port-channel{}", "Po{}"]
    ports = []
    for number in range(1, draw(st.integers(1, 5)) + 1):
        qos = draw(st.sampled_from(kinds))
        if draw(st.integers(0, 5)) == 0:
            qos = replace(qos, pfc=Pfc(admin="off", tx=frozenset(), rx=frozenset()), watchdog=None)
        mtu = draw(st.sampled_from([None, 1500, 9000, 9216, 9999]))
        name = draw(st.sampled_from(forms)).format(number)
        ports.append(
            Port(name, qos, speed=100 * GIGABIT, mtu=mtu, mtu_counts=draw(st.sampled_from([None, "l2", "ip"])))
        )
    return replace(planned_switch("nxos", []), ports=intern_ports(ports))
