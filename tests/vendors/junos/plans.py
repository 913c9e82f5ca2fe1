"""Generated plans: what a planner may ask of a QFX, the odd cases included."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from rocecfg.state.model import (
    NEVER,
    UNLIMITED,
    Amount,
    Curve,
    Device,
    Dynamic,
    Ecn,
    Headroom,
    LinkPause,
    Pfc,
    Pool,
    Port,
    PortQos,
    PortWatchdog,
    PriorityGroup,
    Queue,
    code_map,
    eight,
    intern_ports,
)

MODELS = [None, "QFX5120-48YM", "QFX5220-32CD", "QFX5240-64OD", "qfx5210-64c", "unknown-box"]


@st.composite
def amounts(draw):
    if draw(st.booleans()):
        return Amount.of_bytes(draw(st.integers(1_000, 40_000_000)))
    return Amount(draw(st.one_of(st.integers(0, 100), st.fractions(0, 100, max_denominator=10))), "percent")


@st.composite
def curves(draw):
    low = draw(amounts())
    high = Amount(low.value * 2, low.unit, low.bytes * 2 if low.bytes else None)
    if high.unit == "percent":
        high = Amount(min(high.value, 100), "percent")
    colours = draw(st.sampled_from([frozenset(), frozenset({"green"}), frozenset({"green", "yellow"})]))
    return Curve(low, high, draw(st.one_of(st.none(), st.integers(0, 100))), colours)


def watchdogs(priorities):
    times = st.one_of(st.none(), st.integers(0, 100_000))
    return st.one_of(
        st.none(),
        st.builds(
            PortWatchdog,
            enabled=st.sampled_from([True, True, False]),
            priorities=st.sampled_from([priorities, frozenset({0}), None]),
            poll=st.one_of(st.none(), st.integers(1, 70_000)),
            detect=times,
            restore=st.one_of(times, st.just(NEVER)),
            action=st.sampled_from([None, "drop", "forward", "alert", "port-down", "ignore-pause"]),
        ),
    )


@st.composite
def port_qos(draw, lossless, cnp):
    """`lossless` maps priorities to (queue, DSCPs): the same for each port of a device."""
    trust = draw(st.sampled_from(["dscp", "dscp", "dscp", "pcp", "both", None]))
    codes = {code: tc for tc, (_, _, dscps) in lossless.items() for code in dscps}
    queue_of = {tc: queue for tc, (queue, _, _) in lossless.items()}
    best_effort = next(tc for tc in range(8) if tc not in queue_of and tc not in queue_of.values())
    queue_of[best_effort] = best_effort
    queues = {
        best_effort: Queue(
            "weighted",
            weight=draw(st.one_of(st.none(), st.integers(1, 100), st.fractions(0, 60, max_denominator=7))),
            weight_kind=draw(st.sampled_from(["percent-of-rest", "relative", "percent-of-link"])),
            wred=draw(st.sampled_from([None, ()])),
        )
    }
    groups = {}
    for queue, priority, _ in lossless.values():
        marked = draw(st.lists(curves(), max_size=2))
        queues[queue] = Queue(
            draw(st.sampled_from(["weighted", "strict", None])),
            rank=draw(st.sampled_from([None, 1, 2])),
            weight=draw(st.one_of(st.none(), st.integers(0, 60))),
            weight_kind="percent-of-rest",
            shaper=draw(st.sampled_from([None, UNLIMITED, 16_000_000_000, 1_234_567, 1_500_000])),
            guarantee=draw(st.sampled_from([None, None, UNLIMITED, 5_000_000_000])),
            ecn=draw(
                st.sampled_from([None, Ecn(()), Ecn(tuple(marked), weight=0), Ecn(tuple(marked), non_ect="pass")])
            ),
            wred=draw(st.sampled_from([None, (), tuple(marked)])),
            limit=draw(st.sampled_from([None, Dynamic(Fraction(1, 8)), Dynamic(index=7)])),
        )
        groups[priority] = PriorityGroup(
            lossless=True,
            headroom=draw(st.sampled_from([None, Headroom(Amount.of_bytes(98_304)), Headroom(None, by="length")])),
            xoff_at=draw(st.sampled_from([None, Dynamic(Fraction(1, 8)), Dynamic(index=9)])),
            xon_below=draw(st.sampled_from([None, Amount.of_bytes(18_432), Amount(72, "cell")])),
            mtu=draw(st.sampled_from([None, 9216])),
        )
    group_of = {tc: priority for tc, (_, priority, _) in lossless.items()}
    lossy_group = next(number for number in range(8) if number not in group_of.values())
    group_of[best_effort] = lossy_group
    if cnp is not None and cnp not in queue_of and cnp not in queue_of.values():
        codes.setdefault(draw(st.integers(0, 63)), cnp)
        queue_of[cnp], group_of[cnp] = cnp, lossy_group
        queues[cnp] = Queue(
            "strict", rank=draw(st.sampled_from([1, 2, None])), limit=draw(st.sampled_from([None, Dynamic(index=3)]))
        )
    priorities = frozenset(priority for _, priority, _ in lossless.values())
    tx = draw(st.sampled_from([priorities, priorities, frozenset(), None]))
    rx = draw(st.sampled_from([priorities, priorities, frozenset()]))
    return PortQos(
        trust=trust,
        dscp_to_tc=code_map(codes),
        pcp_to_tc=code_map({p: tc for tc, (_, p, _) in lossless.items()}, 8)
        if trust == "pcp" or draw(st.booleans())
        else None,
        default_tc=draw(st.sampled_from([None, best_effort])),
        rewrite=draw(st.sampled_from([None, (), (("tc", best_effort, 0),), (("dscp", 3, 4), ("tc", best_effort, 8))])),
        tc_to_queue=tuple(queue_of.get(tc) for tc in range(16)),
        tc_to_pg=tuple(group_of.get(tc) for tc in range(16)),
        priority_to_queue=eight({p: frozenset({q}) for q, p, _ in lossless.values()}),
        priority_to_pg=eight({p: frozenset({p}) for p in priorities}),
        pfc=draw(st.sampled_from([None, Pfc("off"), *[Pfc("on", tx, rx, by) for by in ("internal", "pcp", None)]])),
        link_pause=draw(
            st.sampled_from([None, LinkPause(False, False), LinkPause(True, False), LinkPause(None, True)])
        ),
        cable=draw(st.sampled_from([None, 5, 30, 100, Fraction(5, 2)])),
        watchdog=draw(watchdogs(priorities)),
        queues=eight(queues),
        priority_groups=eight(groups),
    )


@st.composite
def lossless_classes(draw):
    """TC -> (queue, priority, DSCPs); queue and priority may differ, as in Juniper's own design."""
    count = draw(st.integers(0, 2))
    queues = draw(st.lists(st.integers(0, 7), min_size=count, max_size=count, unique=True))
    priorities = draw(st.lists(st.integers(0, 7), min_size=count, max_size=count, unique=True))
    found, used = {}, set()
    for queue, priority in zip(queues, priorities, strict=True):
        dscps = draw(
            st.lists(st.sampled_from([code for code in range(64) if code not in used]), max_size=3, unique=True)
        )
        used |= set(dscps)
        tc = draw(st.sampled_from([queue, queue, 9 + len(found)]))
        found[tc] = (queue, priority, tuple(dscps))
    return found


@st.composite
def devices(draw):
    lossless = draw(lossless_classes())
    cnp = draw(st.sampled_from([None, 6, 7]))
    names = draw(st.lists(st.sampled_from(
        ["et-0/0/0", "et-0/0/1:0", "et-0/0/1:1", "xe-0/0/3", "ae1", "et-1/0/30"]), min_size=1, max_size=3, unique=True))  # fmt: skip
    shared = draw(port_qos(lossless, cnp))
    ports = [
        Port(
            name,
            qos=draw(st.sampled_from([shared, shared, PortQos()])) if index else shared,
            mtu=draw(st.sampled_from([9216, 9216, None])),
            mtu_counts="l2",
            lag="ae9" if draw(st.integers(0, 9)) == 0 and not name.startswith("ae") else None,
        )
        for index, name in enumerate(names)
    ]
    pools = draw(st.sampled_from([
        None, None,
        (Pool("ingress lossless", total=Amount(50, "percent"), headroom=Amount(Fraction(61, 2), "percent"), alpha=Dynamic(index=9)),
         Pool("egress lossless", total=Amount(60, "percent"))),
        (Pool("p", total=Amount.of_bytes(1_000_000)),),
        (Pool("ingress lossless", total=Amount(90, "percent"), headroom=Amount(40, "percent")),
         Pool("ingress lossy", total=Amount(30, "percent"))),
    ]))  # fmt: skip
    return Device("leaf1", "junos", intern_ports(ports), pools=pools, model=draw(st.sampled_from(MODELS)),
                  pfc_enabled=draw(st.sampled_from([None, True, False])), source="intended")  # fmt: skip
