"""Planned CloudEngine devices for the tests: a small fixed plan of each family, and generated ones."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import strategies as st

from rocecfg.state.model import (
    NEVER,
    Amount,
    Curve,
    Dcbx,
    Device,
    Dynamic,
    Pfc,
    Port,
    PortQos,
    PortWatchdog,
    PriorityGroup,
    Queue,
    Static,
    intern_ports,
)
from tests.planned import planned_qos, planned_switch

GIGABIT = 1_000_000_000
OF_A, OF_B = "CE8855-32CQ4BQ", "CE8851-32CQ8DQ-P"


def small_plan(model: str | None = OF_A) -> Device:
    """Two host ports on 30 m and an uplink of 300 m that negotiates."""
    near = planned_qos()
    far = replace(
        planned_qos(cable=300, kmin=950_400, kmax=3_000_000, pmax=7, headroom=400_000),
        dcbx=Dcbx(state="ieee", advertises=frozenset({"pfc"})),
    )
    device = planned_switch("huawei", ["100GE1/0/1", "100GE1/0/2"], near)
    uplink = Port("400GE1/0/31", far, speed=400 * GIGABIT, mtu=9216, mtu_counts="l2")
    ports = [*(replace(port, speed=100 * GIGABIT) for port in device.ports.values()), uplink]
    return replace(device, model=model, ports=intern_ports(ports))


@st.composite
def port_settings(draw: st.DrawFn, lossless: dict[int, int], cnp: tuple[int, int] | None) -> PortQos:
    kmin = draw(st.integers(20_000, 900_000))
    qos = planned_qos(
        lossless=lossless,
        cnp=cnp,
        kmin=kmin,
        kmax=kmin + draw(st.integers(0, 40_000_000)),
        pmax=draw(st.integers(0, 100)),
        headroom=draw(st.integers(2_000, 40_000_000)),
        alpha=draw(st.sampled_from([None, Fraction(1, 64), Fraction(4)])),
        cable=draw(st.one_of(st.none(), st.integers(1, 2000))),
        watchdog=draw(st.booleans()),
    )
    if qos.watchdog is not None:
        times = draw(st.tuples(st.integers(1, 20_000), st.sampled_from([NEVER, 1, 333, 40_000])))
        action = draw(st.sampled_from(["drop", "forward", "alert", None]))
        qos = replace(qos, watchdog=PortWatchdog(draw(st.booleans()), None, 100, *times, action))
    if draw(st.integers(0, 2)) == 0:
        state = draw(st.sampled_from([None, "off", "auto", "ieee", "cee"]))
        shown = frozenset(draw(st.sets(st.sampled_from(["pfc", "ets", "app"]))))
        qos = replace(qos, dcbx=Dcbx(state=state, advertises=shown))
    qos = replace(qos, queues=tuple(draw(_queue(queue)) for queue in qos.queues or ()))
    return replace(qos, priority_groups=tuple(draw(_group(group)) for group in qos.priority_groups or ()))


@st.composite
def _queue(draw: st.DrawFn, queue: Queue | None) -> Queue | None:
    if queue is None:
        return None
    if queue.weight is not None:
        queue = replace(queue, weight=draw(st.integers(1, 1000)))
    if draw(st.integers(0, 3)) == 0:
        size = Amount.of_bytes(draw(st.integers(0, 50_000_000)))
        queue = replace(queue, limit=draw(st.sampled_from([Static(size), Dynamic(index=5), Dynamic(Fraction(1, 8))])))
    if queue.ecn is None and draw(st.booleans()):
        low = Amount(draw(st.integers(0, 100)), "percent")
        colours = draw(st.sampled_from([frozenset[str](), frozenset({"green"}), frozenset({"red", "yellow"})]))
        queue = replace(queue, wred=(Curve(low, Amount(100, "percent"), 5, colours),))
    return queue


@st.composite
def _group(draw: st.DrawFn, group: PriorityGroup | None) -> PriorityGroup | None:
    if group is None or not group.lossless:
        return group
    size = Amount.of_bytes(draw(st.integers(1, 40_000_000)))
    return draw(
        st.sampled_from(
            [
                group,
                replace(group, xoff_at=Static(size)),
                replace(group, xoff_at=Dynamic(index=7), xon_below=None, reserved=Amount.of_bytes(9_000)),
                replace(group, xoff_at=Static(size), xon_below=None, xon_at=Amount.of_bytes(7_000)),
                replace(group, headroom=None, xon_below=None),
            ]
        )
    )


@st.composite
def plans(draw: st.DrawFn) -> Device:
    """A device of a known or an unknown model, ports of several kinds, odd DSCPs, several ways to write a port."""
    priorities = draw(st.lists(st.integers(1, 5), min_size=1, max_size=2, unique=True))
    dscps = draw(st.lists(st.integers(1, 63), min_size=len(priorities) + 1, max_size=len(priorities) + 1, unique=True))
    lossless = dict(zip(dscps, priorities, strict=False))
    kinds = draw(
        st.lists(port_settings(lossless, draw(st.sampled_from([None, (dscps[-1], 7)]))), min_size=1, max_size=3)
    )
    forms = ["100GE1/0/{}", "100ge 1/0/{}", "25GE2/0/{}", "100GE1/0/9:{}", "400GE1/0/{}"]
    ports = []
    for number in range(1, draw(st.integers(1, 4)) + 1):
        qos = draw(st.sampled_from(kinds))
        choice = draw(st.integers(0, 6))
        if choice == 0:
            qos = replace(qos, pfc=Pfc(admin="off", tx=frozenset(), rx=frozenset()), watchdog=None)
        elif choice == 1 and qos.pfc is not None:
            qos = replace(qos, pfc=replace(qos.pfc, admin="auto"))
        elif choice == 2:
            qos = replace(qos, trust="none")
        mtu = draw(st.sampled_from([None, 1500, 9000, 9216, 9999]))
        name = draw(st.sampled_from(forms)).format(number)
        counts = draw(st.sampled_from([None, "l2", "ip"]))
        ports.append(Port(name, qos, speed=25 * GIGABIT, mtu=mtu, mtu_counts=counts))
    return Device(
        "leaf1",
        "huawei",
        intern_ports(ports),
        pfc_enabled=draw(st.sampled_from([True, True, None, False])),
        ecn_enabled=True,
        model=draw(st.sampled_from([None, OF_A, OF_B])),
        source="intended",
    )
