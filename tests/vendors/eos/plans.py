"""Planned Arista switches for the tests: one small fixed plan, and generated ones within the limits of the system."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import strategies as st

from rocecfg.state.model import Curve, Dcbx, Device, Pfc, Port, PortQos, PortWatchdog, intern_ports
from tests.planned import planned_qos, planned_switch

GIGABIT = 1_000_000_000
MODELS = (
    None, "DCS-7060DX5-64S", "DCS-7060X6-64PE", "DCS-7060DX4-32", "DCS-7260CX3-64", "DCS-7050CX3-32S",
    "DCS-7050PX4-32S", "DCS-7280CR3-32P4", "7388X5",
)  # fmt: skip


def small_plan(model: str | None = "DCS-7060DX5-64S") -> Device:
    """Two host ports on 30 m, one of them with times of its own, an uplink on 300 m with DCBX, a port without PFC."""
    near = planned_qos()
    slow = replace(
        near,
        watchdog=PortWatchdog(
            enabled=True, priorities=frozenset({3}), poll=50, detect=150, restore=1110, action="alert"
        ),
    )
    far = replace(planned_qos(cable=300, kmin=950_400, kmax=3_000_000, headroom=400_000), dcbx=Dcbx(state="ieee"))
    plain = replace(
        planned_qos(lossless={}, watchdog=False),
        pfc=Pfc(admin="off", tx=frozenset(), rx=frozenset()),
        watchdog=None,
        dscp_to_tc=near.dscp_to_tc,
        tc_to_queue=near.tc_to_queue,
    )
    device = replace(planned_switch("eos", ["Ethernet1/1"], near), model=model)
    ports = [
        *device.ports.values(),
        Port("Ethernet2/1", slow, speed=400 * GIGABIT, mtu=9216, mtu_counts="l2"),
        Port("Ethernet49/1", far, speed=400 * GIGABIT, mtu=9000, mtu_counts="l2"),
        Port("Ethernet50/1", plain, speed=400 * GIGABIT),
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
        headroom=draw(st.integers(40_000, 900_000)),
        alpha=draw(
            st.sampled_from([Fraction(1, 256), Fraction(1, 8), Fraction(3, 5), Fraction(1), Fraction(16), None])
        ),
        cable=draw(st.sampled_from([3, 30, 300, None])),
    )
    watchdog = draw(
        st.one_of(
            st.none(),
            st.just(PortWatchdog(enabled=False)),
            st.builds(
                PortWatchdog,
                enabled=st.just(value=True),
                priorities=st.just(frozenset(lossless.values())),
                poll=st.one_of(st.none(), st.integers(1, 400)),
                detect=st.one_of(st.none(), st.integers(1, 90_000)),
                restore=st.one_of(st.none(), st.just(-1), st.integers(1, 90_000)),
                action=st.sampled_from([None, "drop", "alert", "port-down", "forward"]),
            ),
        )
    )
    return replace(qos, watchdog=watchdog, dcbx=draw(st.sampled_from([None, Dcbx(state="ieee"), Dcbx(state="off")])))


@st.composite
def switches(draw: st.DrawFn) -> Device:
    """Planned switches of every family: one or two lossless classes, ports with and without PFC."""
    priorities = draw(st.lists(st.integers(1, 6), min_size=2, max_size=2, unique=True))
    codes = draw(st.lists(st.integers(1, 63), min_size=3, max_size=3, unique=True))
    lossless = dict(zip(codes[:2], priorities, strict=True))
    if draw(st.booleans()):
        lossless.pop(codes[1])
    free = [number for number in (7, 6, 5, 4) if number not in lossless.values()]
    cnp = draw(st.sampled_from([None, (codes[2], free[0])]))
    settings = draw(st.lists(port_settings(lossless, cnp), min_size=1, max_size=3))
    ports = [
        Port(f"Ethernet{at}/1", qos, speed=400 * GIGABIT, mtu=draw(st.sampled_from([None, 1500, 9000, 9216, 70_000])))
        for at, qos in enumerate(settings, 1)
    ]
    if draw(st.booleans()):
        off = replace(settings[0], pfc=Pfc(admin="off", tx=frozenset(), rx=frozenset()), watchdog=None)
        ports.append(Port("Ethernet40/1", off))
    if draw(st.booleans()):
        queues = list(settings[0].queues or ())
        if queues and queues[0] is not None:
            first = settings[0].queues[min(lossless.values())].ecn.curves[0]  # type: ignore[index,union-attr]
            queues[0] = replace(queues[0], wred=(Curve(first.low, first.high, None),))
            ports.append(Port("Ethernet41/1", replace(settings[0], queues=tuple(queues))))
    device = planned_switch("eos", [], model=draw(st.sampled_from(MODELS)))
    return replace(device, ports=intern_ports(ports), pfc_enabled=draw(st.sampled_from([True, True, False])))
