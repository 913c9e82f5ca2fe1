"""A planned device as the planner hands it to a vendor's `fit`: the sample that vendor tests start from."""

from __future__ import annotations

from fractions import Fraction

from rocecfg.state.model import (
    Amount,
    CongestionControl,
    Curve,
    Device,
    Dynamic,
    Ecn,
    Headroom,
    LinkPause,
    Nic,
    Pfc,
    Port,
    PortQos,
    PortWatchdog,
    PriorityGroup,
    Queue,
    code_map,
    eight,
    intern_ports,
)

GIGABIT = 1_000_000_000


def sixteen(values: dict[int, int]) -> tuple[int | None, ...]:
    return tuple(values.get(tc) for tc in range(16))


def planned_qos(
    *,
    lossless: dict[int, int] | None = None,
    cnp: tuple[int, int] | None = (48, 6),
    kmin: int = 150_000,
    kmax: int = 1_500_000,
    pmax: int = 10,
    headroom: int = 98_304,
    alpha: Fraction | None = Fraction(1, 8),
    cable: int | None = 30,
    watchdog: bool = True,
) -> PortQos:
    """RoCE DSCPs to priorities ({26: 3}), CNP (DSCP, priority). Codes left None are free, but never lossless."""
    lossless = {26: 3} if lossless is None else lossless
    priorities = frozenset(lossless.values())
    codes = dict(lossless)
    queue_of = {0: 0, **{priority: priority for priority in priorities}}
    group_of = {0: 0, **{priority: priority for priority in priorities}}
    share = 60 // max(len(priorities), 1)
    queues: dict[int, Queue] = {
        0: Queue(scheduler="weighted", weight=100 - share * len(priorities), weight_kind="percent-of-rest")
    }
    groups: dict[int, PriorityGroup] = {}
    for priority in priorities:
        curve = Curve(Amount.of_bytes(kmin), Amount.of_bytes(kmax), pmax)
        queues[priority] = Queue(
            scheduler="weighted",
            weight=share,
            weight_kind="percent-of-rest",
            ecn=Ecn((curve,), weight=0),
            wred=(),
        )
        groups[priority] = PriorityGroup(
            lossless=True,
            headroom=Headroom(Amount.of_bytes(headroom), by="stated"),
            xoff_at=Dynamic(alpha) if alpha is not None else None,
            xon_below=Amount.of_bytes(18_432),
        )
    if cnp is not None:
        codes[cnp[0]] = cnp[1]
        queue_of[cnp[1]] = cnp[1]
        group_of[cnp[1]] = 0
        queues[cnp[1]] = Queue(scheduler="strict", rank=1)
    return PortQos(
        trust="dscp",
        dscp_to_tc=code_map(codes),
        default_tc=0,
        rewrite=(),
        tc_to_queue=sixteen(queue_of),
        tc_to_pg=sixteen(group_of),
        priority_to_queue=eight({priority: frozenset({priority}) for priority in priorities}),
        priority_to_pg=eight({priority: frozenset({priority}) for priority in priorities}),
        pfc=Pfc(admin="on", tx=priorities, rx=priorities, by="internal"),
        link_pause=LinkPause(rx=False, tx=False),
        cable=cable,
        watchdog=PortWatchdog(enabled=True, priorities=priorities, poll=100, detect=200, restore=400, action="drop")
        if watchdog
        else None,
        queues=eight(queues),
        priority_groups=eight(groups),
    )


def planned_switch(nos: str, ports: list[str], qos: PortQos | None = None, **more: object) -> Device:
    """A switch as planned: frames of 9216 bytes, 400G ports."""
    return Device(
        name="leaf1",
        nos=nos,
        ports=intern_ports(
            Port(name, qos=qos or planned_qos(), speed=400 * GIGABIT, mtu=9216, mtu_counts="l2", role="host")
            for name in ports
        ),
        pfc_enabled=True,
        ecn_enabled=True,
        source="intended",
        **more,  # type: ignore[arg-type]
    )


def planned_host(nos: str, ports: list[str], **more: object) -> Device:
    """A host as planned: IP MTU 9000, ToS 106 (DSCP 26, ECT(0)), CNP on DSCP 48 and priority 6."""
    nic = Nic(
        roce_version="v2",
        default_tos=106,
        congestion_control=CongestionControl("dcqcn", receives=frozenset({3}), reacts=frozenset({3})),
        cnp_dscp=48,
        cnp_priority=6,
    )
    return Device(
        name="gpu01",
        nos=nos,
        kind="host",
        ports=intern_ports(
            Port(name, qos=planned_qos(), speed=400 * GIGABIT, mtu=9000, mtu_counts="ip", nic=nic, role="host")
            for name in ports
        ),
        source="intended",
        **more,  # type: ignore[arg-type]
    )
