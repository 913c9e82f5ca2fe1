"""Planned H3C switches for the tests: one small fixed plan, and generated ones within the limits of the system."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import strategies as st

from rocecfg.state.model import Amount, Dcbx, Device, Port, PortQos, PortWatchdog, Static, intern_ports
from tests.planned import planned_qos, planned_switch

GIGABIT = 1_000_000_000
PORTS = ["HundredGigE1/0/1", "FourHundredGigE1/0/33", "TwoHundredGigE1/0/5:1", "Bridge-Aggregation1"]


def small_plan() -> Device:
    """Two host ports, one of them without deadlock detection, and an uplink that announces DCBX and marks later."""
    near = planned_qos()
    quiet = planned_qos(watchdog=False)
    far = replace(planned_qos(cable=300, kmin=950_400, kmax=3_000_000, pmax=7), dcbx=Dcbx(state="auto"))
    device = planned_switch("h3c", ["HundredGigE1/0/1"], near)
    ports = [
        *device.ports.values(),
        Port("HundredGigE1/0/2", quiet, speed=100 * GIGABIT, mtu=9216, mtu_counts="l2"),
        Port("FourHundredGigE1/0/33", far, speed=400 * GIGABIT, mtu=9216, mtu_counts="l2"),
    ]
    return replace(device, ports=intern_ports(ports))


@st.composite
def port_settings(draw: st.DrawFn, lossless: dict[int, int], cnp: tuple[int, int] | None) -> PortQos:
    kmin = draw(st.integers(0, 3_000_000))
    qos = planned_qos(
        lossless=lossless,
        cnp=cnp,
        kmin=kmin,
        kmax=kmin + draw(st.integers(0, 11_000_000)),
        pmax=draw(st.integers(1, 100)),
        headroom=draw(st.integers(0, 2_000_000)),
        alpha=draw(
            st.sampled_from([None, Fraction(1, 300), Fraction(1, 64), Fraction(1, 3), Fraction(4), Fraction(90)])
        ),
        watchdog=draw(st.booleans()),
    )
    if draw(st.booleans()) and qos.watchdog is not None:
        action = draw(st.sampled_from(["drop", "alert", "pfc-off", "forward"]))
        qos = replace(qos, watchdog=PortWatchdog(True, None, None, draw(st.sampled_from([None, 100])), None, action))
    if draw(st.booleans()):
        groups = [
            None
            if group is None
            else replace(
                group,
                xoff_at=Static(Amount.of_bytes(draw(st.integers(0, 10_000_000)))),
                xon_below=None,
                xon_at=draw(st.sampled_from([None, Amount.of_bytes(100_000)])),
                reserved=draw(st.sampled_from([None, Amount.of_bytes(20_000)])),
            )
            for group in qos.priority_groups or ()
        ]
        qos = replace(qos, priority_groups=tuple(groups))
    queues = list(qos.queues or ())
    for number, weight in enumerate(draw(st.lists(st.integers(0, 1000), min_size=8, max_size=8))):
        queue = queues[number]
        if queue is not None and queue.scheduler == "weighted":
            queues[number] = replace(queue, weight=Fraction(weight, 7))
    return replace(qos, queues=tuple(queues))


@st.composite
def plans(draw: st.DrawFn) -> Device:
    """Plans whose ports share their maps: one map of DSCPs and one of queues is all that the device has."""
    codes = draw(st.lists(st.integers(1, 63), min_size=3, max_size=3, unique=True))
    numbers = draw(st.lists(st.integers(0, 6), min_size=3, max_size=3, unique=True))
    lossless = {codes[0]: numbers[0] or 5}
    if draw(st.booleans()) and numbers[1]:
        lossless[codes[1]] = numbers[1]
    cnp = (codes[2], 7) if draw(st.booleans()) else None
    ports = []
    for name in draw(st.lists(st.sampled_from(PORTS), min_size=1, max_size=4, unique=True)):
        qos = draw(port_settings(lossless, cnp))
        mtu, counts = draw(st.sampled_from([(None, None), (9216, "l2"), (9000, "ip"), (20_000, "l2"), (100, "l2")]))
        ports.append(Port(name, qos, speed=400 * GIGABIT, mtu=mtu, mtu_counts=counts))
    model = draw(st.sampled_from([None, "S9820-64H", "S9825-64D"]))
    return replace(planned_switch("h3c", PORTS[:1]), ports=intern_ports(ports), model=model)
