"""Planned AOS-CX switches for the tests: one fixed plan, and generated ones within the limits of the system."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import strategies as st

from rocecfg.state.model import Amount, Dcbx, Device, Pfc, Pool, Port, PortQos, intern_ports
from tests.planned import planned_qos, planned_switch

GIGABIT = 1_000_000_000


def small_plan() -> Device:
    """Two host ports on 5 m, an uplink on 100 m that speaks DCBX and marks later, and a port without PFC."""
    near = planned_qos(cable=5)
    far = replace(planned_qos(cable=100, kmin=500_000, kmax=2_000_000), dcbx=Dcbx(state="ieee"))
    plain = replace(planned_qos(cable=5), pfc=Pfc("off", frozenset(), frozenset()))
    ports = [
        Port("1/1/1", near, speed=100 * GIGABIT, mtu=9216, mtu_counts="l2"),
        Port("1/1/2", near, speed=100 * GIGABIT, mtu=9216, mtu_counts="l2"),
        Port("1/1/30", plain, speed=100 * GIGABIT, mtu=1500, mtu_counts="ip"),
        Port("1/1/49", far, speed=400 * GIGABIT, mtu=9216, mtu_counts="l2"),
    ]
    return replace(planned_switch("aruba_cx", []), ports=intern_ports(ports))


@st.composite
def port_settings(draw: st.DrawFn, lossless: dict[int, int], cnp: tuple[int, int] | None) -> PortQos:
    kmin = draw(st.integers(1, 7_000_000))
    qos = planned_qos(
        lossless=lossless,
        cnp=cnp,
        kmin=kmin,
        kmax=kmin + draw(st.integers(0, 3_000_000)),
        pmax=draw(st.integers(1, 100)),
        headroom=draw(st.integers(20_000, 8_000_000)),
        alpha=draw(st.sampled_from([None, Fraction(1, 8), Fraction(4)])),
        cable=draw(st.one_of(st.none(), st.integers(1, 2000))),
    )
    if draw(st.booleans()):
        qos = replace(qos, trust=draw(st.sampled_from(["dscp", "both", "none"])))
    if draw(st.booleans()):
        qos = replace(qos, dcbx=Dcbx(state=draw(st.sampled_from(["ieee", "cee", "auto", "off"]))))
    if draw(st.booleans()):
        only = frozenset(list(lossless.values())[:1])
        qos = replace(qos, pfc=Pfc("on", tx=draw(st.sampled_from([only, frozenset()])), rx=only))
    weights = draw(st.lists(st.integers(1, 1000), min_size=8, max_size=8))
    shapers = draw(st.lists(st.sampled_from([None, 1_234_567, 10_000_000_000]), min_size=8, max_size=8))
    queues = [
        queue and replace(queue, weight=weights[n] if queue.weight is not None else None, shaper=shapers[n])
        for n, queue in enumerate(qos.queues or ())
    ]
    return replace(qos, queues=tuple(queues))


@st.composite
def plans(draw: st.DrawFn) -> Device:
    """A switch with one classification, ports of several kinds, odd DSCPs and stated pools."""
    priorities = draw(st.lists(st.integers(0, 6), min_size=1, max_size=3, unique=True))
    dscps = draw(st.lists(st.integers(1, 63), min_size=4, max_size=4, unique=True))
    lossless = dict(zip(dscps, priorities, strict=False))
    cnp = draw(st.sampled_from([None, (dscps[-1], 7)]))
    kinds = draw(st.lists(port_settings(lossless, cnp), min_size=1, max_size=3))
    ports = []
    for number in range(1, draw(st.integers(1, 5)) + 1):
        name = draw(st.sampled_from(["1/1/{}", "1/1/{}:1", "lag {}", "lag{}"])).format(number)
        mtu = draw(st.sampled_from([None, 1500, 9000, 9216, 9999]))
        counts = draw(st.sampled_from([None, "ip", "l2", "l2+fcs"]))
        ports.append(Port(name, draw(st.sampled_from(kinds)), speed=100 * GIGABIT, mtu=mtu, mtu_counts=counts))
    share = draw(st.sampled_from([None, 5, 33, 95]))
    pools = None if share is None else (Pool("lossless", "ingress", True, total=Amount(share, "percent")),)
    model = draw(st.sampled_from([None, "8325-32C", "9300-32D"]))
    return replace(planned_switch("aruba_cx", []), ports=intern_ports(ports), pools=pools, model=model)
