"""What a saved Comware configuration says: maps, PFC, buffers, WRED, scheduling, deadlock detection, aggregates."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rocecfg.findings import Severity
from rocecfg.lint.config import Settings
from rocecfg.lint.run import lint
from rocecfg.state.capture import Capture, Text
from rocecfg.state.model import (
    NEVER,
    UNLIMITED,
    Amount,
    Curve,
    Device,
    Dynamic,
    Ecn,
    Headroom,
    Lag,
    LinkPause,
    Pfc,
    Pool,
    Port,
    PortQos,
    PortWatchdog,
    PriorityGroup,
    Queue,
    Static,
)
from rocecfg.state.parse import parse, stated

SYSTEM = """\
#
 version 7.1.070, Release 6715
#
 sysname LEAF1
#
 lldp global enable
#
 priority-flow-control poolid 0 headroom 28672
 priority-flow-control deadlock cos 3 interval 8
 priority-flow-control deadlock precision high
 priority-flow-control deadlock auto-recover cos 3 delay 12
#
 buffer egress cell queue 3 shared ratio 90
 buffer egress cell queue 6 guaranteed ratio 20
 buffer apply
#
vlan 171
#
qos map-table dot1p-lp
 import 0 export 0
 import 1 2 export 1
#
qos wred queue table LOSSLESS
 queue 3 drop-level 0 low-limit 3000 high-limit 9000 discard-probability 25
 queue 3 drop-level 1 low-limit 3000 high-limit 9000 discard-probability 25
 queue 3 drop-level 2 low-limit 3000 high-limit 9000 discard-probability 25
 queue 3 weighting-constant 0
 queue 3 ecn
 queue 2 drop-level 2 low-limit 50 high-limit 60
#
"""
PORT = """\
interface HundredGigE1/0/1
 port link-mode bridge
 port access vlan 171
 jumboframe enable 9216
 priority-flow-control enable
 priority-flow-control no-drop dot1p 3
 priority-flow-control deadlock enable
 priority-flow-control dot1p 3 headroom 600
 priority-flow-control dot1p 3 reserved-buffer 40
 priority-flow-control dot1p 3 ingress-buffer dynamic 25
 priority-flow-control dot1p 3 ingress-threshold-offset 48
 stp edged-port
 qos trust dscp
 qos wfq byte-count
 qos wfq af3 group 1 byte-count 60
 qos wfq cs6 group sp
 qos wfq cs7 group sp
 qos wred apply LOSSLESS
 qos gts queue 6 cir 200000000 cbs 16000000
#
"""
END = "return\n"
WHOLE = SYSTEM + PORT + END


def capture(text: str, **more: object) -> Capture:
    return Capture("", "h3c", (Text("leaf1.cfg", text, **more),))  # type: ignore[arg-type]


def read(text: str, **more: object) -> Device:
    return parse(capture(text, **more))


def port(text: str, name: str = "HundredGigE1/0/1") -> Port:
    return read(text).ports[name]


def qos(text: str, name: str = "HundredGigE1/0/1") -> PortQos:
    return port(text, name).qos


def with_lines(*lines: str) -> str:
    body = "".join(f" {line}\n" for line in lines)
    return f"{SYSTEM}interface HundredGigE1/0/1\n{body}#\n{END}"


def found(text: str, **more: object) -> dict[str, list[int]]:
    result: dict[str, list[int]] = {}
    for item in lint([read(text, **more)], settings=Settings()).findings:
        result.setdefault(item.rule, []).append(item.line)
    return result


def test_a_whole_configuration_is_understood_line_by_line() -> None:
    device = read(WHOLE)
    assert (device.name, device.os_version, device.complete) == ("LEAF1", "7.1.070, Release 6715", frozenset({"all"}))
    assert device.lines == ()
    assert device.lines_read == 33
    assert list(device.ports) == ["HundredGigE1/0/1"]
    assert device.pools == (Pool("headroom pool 0", "ingress", lossless=True, headroom=Amount(28_672, "cell")),)
    one = device.ports["HundredGigE1/0/1"]
    assert (one.speed, one.mtu, one.mode, one.lag) == (100_000_000_000, 9216, "access", None)


def test_two_maps_lead_from_dscp_to_queue() -> None:
    one = qos(WHOLE)
    assert one.trust == "dscp"
    assert one.dscp_to_tc is not None
    assert [one.dscp_to_tc.to[code] for code in (0, 26, 48)] == [0, 3, 6]
    assert one.tc_to_queue == (0, 1, 1, 3, 4, 5, 6, 7, *[None] * 8)
    assert one.priority_to_queue == tuple(frozenset({queue}) for queue in (0, 1, 1, 3, 4, 5, 6, 7))
    assert one.priority_to_pg == tuple(frozenset({number}) for number in range(8))


def test_the_default_map_swaps_the_three_lowest_priorities() -> None:
    one = qos(WHOLE.replace(" import 0 export 0\n import 1 2 export 1\n", ""))
    assert one.tc_to_queue == (2, 0, 1, 3, 4, 5, 6, 7, *[None] * 8)
    assert "tc_to_queue" in one.defaulted


def test_a_dscp_map_changes_what_it_states() -> None:
    text = WHOLE.replace(
        "qos map-table dot1p-lp", "qos map-table dscp-dot1p\n import 26 export 5\n#\nqos map-table dot1p-lp"
    )
    one = qos(text)
    assert one.dscp_to_tc is not None
    assert (one.dscp_to_tc.to[26], one.dscp_to_tc.to[27], one.dscp_to_tc.stated) == (5, 3, 1 << 26)


@pytest.mark.parametrize(
    ("lines", "trust", "default", "pcp"),
    [
        ((), "none", 0, 0),
        (("qos priority 4",), "none", 4, 4),
        (("qos trust dot1p", "qos priority 4"), "pcp", 4, 7),
        (("qos trust auto",), "both", 0, 7),
        (("qos trust dscp override",), "dscp", 0, None),
        (("qos trust dscp", "undo qos trust"), "none", 0, 0),
    ],
)
def test_trust_and_port_priority(lines: tuple[str, ...], trust: str, default: int, pcp: int | None) -> None:
    one = qos(with_lines(*lines))
    assert (one.trust, one.default_tc) == (trust, default)
    assert (None if one.pcp_to_tc is None else one.pcp_to_tc.to[7]) == pcp


def test_an_inbound_policy_that_remarks_leaves_no_code_known() -> None:
    policy = "traffic behavior B\n remark dot1p 5\n#\nqos policy P\n classifier C behavior B\n#\n"
    text = WHOLE.replace(" stp edged-port\n", " qos apply policy P inbound\n").replace("vlan 171\n#\n", policy)
    one = qos(text)
    assert one.dscp_to_tc is not None
    assert set(one.dscp_to_tc.to) == {None}
    harmless = qos(text.replace("remark dot1p 5", "accounting packet"))
    assert harmless.dscp_to_tc is not None
    assert harmless.dscp_to_tc.to[26] == 3


def test_pfc_and_its_buffers_in_cells() -> None:
    one = qos(WHOLE)
    assert one.pfc == Pfc("on", tx=frozenset({3}), rx=frozenset({3}), by="internal")
    assert one.priority_group(3) == PriorityGroup(
        lossless=True,
        headroom=Headroom(Amount(600, "cell"), by="stated"),
        xoff_at=Dynamic(Fraction(1, 2)),
        xon_below=Amount(48, "cell"),
        reserved=Amount(40, "cell"),
    )
    group = one.priority_group(3)
    assert group is not None
    assert group.headroom is not None
    assert group.headroom.amount is not None
    assert group.headroom.amount.bytes is None, "no text tells what a cell holds"
    assert one.priority_group(4) == PriorityGroup(lossless=False)


@pytest.mark.parametrize(
    ("percent", "alpha"), [(0, Fraction(1, 128)), (1, Fraction(1, 64)), (6, Fraction(1, 8)), (33, Fraction(1, 2)),
                           (34, Fraction(1)), (100, Fraction(8))]
)  # fmt: skip
def test_a_percentage_stands_for_an_alpha(percent: int, alpha: Fraction) -> None:
    group = qos(WHOLE.replace("dynamic 25", f"dynamic {percent}")).priority_group(3)
    assert group is not None
    assert group.xoff_at == Dynamic(alpha)


def test_the_later_trigger_wins_and_undo_takes_back() -> None:
    lines = ["dot1p 3 ingress-buffer dynamic 20", "dot1p 3 ingress-buffer static 5000"]
    text = with_lines(*(f"priority-flow-control {line}" for line in lines))
    group = qos(text).priority_group(3)
    assert group is not None
    assert group.xoff_at == Static(Amount(5000, "cell"))
    undone = with_lines(
        *(f"priority-flow-control {line}" for line in lines), "undo priority-flow-control dot1p 3 ingress-buffer"
    )
    group = qos(undone).priority_group(3)
    assert group is not None
    assert group.xoff_at is None


@pytest.mark.parametrize(
    "line", ["priority-flow-control no-drop dot1p 0,2-3", "priority-flow-control no-drop dot1p 0 2 to 3"]
)
def test_lists_of_priorities(line: str) -> None:
    pfc = qos(with_lines("priority-flow-control auto", line)).pfc
    assert pfc is not None
    assert (pfc.admin, pfc.tx) == ("auto", frozenset({0, 2, 3}))


def test_system_view_holds_on_ports_that_say_nothing() -> None:
    text = WHOLE.replace(
        " lldp global enable\n", " priority-flow-control enable\n priority-flow-control no-drop dot1p 5\n"
    )
    bare = text.replace(" priority-flow-control enable\n priority-flow-control no-drop dot1p 3\n", "")
    pfc, own = qos(bare).pfc, qos(text).pfc
    assert pfc is not None
    assert own is not None
    assert (pfc.admin, pfc.tx) == ("on", frozenset({5}))
    assert own.tx == frozenset({3}), "the port's own line is believed"


def test_link_pause_is_ignored_where_pfc_is_on() -> None:
    assert qos(with_lines("flow-control")).link_pause == LinkPause(rx=True, tx=True)
    assert qos(with_lines("flow-control receive enable")).link_pause == LinkPause(rx=True, tx=False)
    on = qos(with_lines("flow-control", "priority-flow-control enable", "priority-flow-control no-drop dot1p 3"))
    assert on.link_pause == LinkPause(rx=False, tx=False)


def test_deadlock_detection_has_no_milliseconds() -> None:
    one = qos(WHOLE)
    assert one.watchdog == PortWatchdog(enabled=True, priorities=frozenset({3}), action="pfc-off")
    discard = qos(WHOLE.replace("precision high\n", "auto-recover action discard\n")).watchdog
    assert discard is not None
    assert discard.action == "drop"


def test_cos_of_deadlock_detection_is_the_local_precedence() -> None:
    text = WHOLE.replace("deadlock cos 3", "deadlock cos 1").replace("cos 3 delay", "cos 1 delay")
    watchdog = qos(text).watchdog
    assert watchdog is not None
    assert watchdog.priorities == frozenset({1, 2}), "802.1p 1 and 2 share local precedence 1 in this map"


def test_an_interval_that_is_not_set_never_fires() -> None:
    text = WHOLE.replace(" priority-flow-control deadlock cos 3 interval 8\n", "")
    watchdog = qos(text).watchdog
    assert watchdog is not None
    assert (watchdog.detect, watchdog.priorities) == (NEVER, frozenset({3}))
    assert "WD-013" in found(text)
    assert "WD-013" not in found(WHOLE)


def test_a_delay_that_is_not_set_and_manual_recovery_never_restore() -> None:
    without = qos(WHOLE.replace(" priority-flow-control deadlock auto-recover cos 3 delay 12\n", "")).watchdog
    manual = qos(
        WHOLE.replace("deadlock enable\n", "deadlock enable\n priority-flow-control deadlock recover-mode manual\n")
    )
    assert without is not None
    assert without.restore == NEVER
    assert manual.watchdog is not None
    assert manual.watchdog.restore == NEVER


def test_a_port_without_deadlock_detection_is_found() -> None:
    text = WHOLE.replace(" priority-flow-control deadlock enable\n", "")
    assert found(text)["WD-001"] == [text.split("\n").index(" priority-flow-control enable") + 1]


def test_wred_marks_on_the_ecn_queue_and_drops_on_the_others() -> None:
    one = qos(WHOLE)
    marks = Curve(Amount(3000, "cell"), Amount(9000, "cell"), 25)
    default = Curve(Amount(100, "cell"), Amount(1000, "cell"), 10)
    assert one.queue(3) == Queue(
        "weighted", weight=60, weight_kind="relative", ecn=Ecn((marks,), weight=0, non_ect="drop"), wred=(),
        shaper=UNLIMITED, limit=Dynamic(index=90),
    )  # fmt: skip
    queue = one.queue(0)
    assert queue is not None
    assert (queue.ecn, queue.wred) == (Ecn(), (default,))
    two = one.queue(2)
    assert two is not None
    red = Curve(Amount(50, "cell"), Amount(60, "cell"), 10, frozenset({"red"}))
    assert two.wred == (Curve(default.low, default.high, 10, frozenset({"green", "yellow"})), red)


def test_wred_lines_of_the_port_itself() -> None:
    lines = [
        f"qos wred queue 5 drop-level {level} low-limit 6000 high-limit 12000 discard-probability 40"
        for level in range(3)
    ]
    one = qos(with_lines(*lines, "qos wred queue 5 ecn"))
    queue, other = one.queue(5), one.queue(4)
    assert queue is not None
    assert queue.ecn == Ecn((Curve(Amount(6000, "cell"), Amount(12_000, "cell"), 40),), weight=9, non_ect="drop")
    assert other is not None
    assert (other.ecn, other.wred) == (Ecn(), ())


def test_without_a_drop_level_all_three_are_meant() -> None:
    queue = qos(with_lines("qos wred queue 5 low-limit 1 high-limit 2", "qos wred queue 5 ecn")).queue(5)
    assert queue is not None
    assert queue.ecn is not None
    assert queue.ecn.curves == (Curve(Amount(1, "cell"), Amount(2, "cell"), 10),)


def test_no_table_means_tail_drop_and_no_ecn() -> None:
    text = WHOLE.replace(" qos wred apply LOSSLESS\n", "")
    queue = qos(text).queue(3)
    assert queue is not None
    assert (queue.ecn, queue.wred) == (Ecn(), ())
    rules = found(text)
    assert "ECN-002" in rules
    assert "REF-002" in rules, "the table is defined and applied nowhere"


def test_a_table_that_nobody_defined() -> None:
    rules = found(WHOLE.replace("apply LOSSLESS", "apply LOSSLES"))
    assert rules["REF-001"] == [WHOLE.split("\n").index(" qos wred apply LOSSLESS") + 1]


def test_a_queue_under_ai_ecn_has_no_fixed_thresholds() -> None:
    text = WHOLE.replace(
        "#\nvlan 171\n", "#\n" + "ai-service\n ai ai-ecn enable mode distributed\n ai-ecn\n  queue 3 enable\n"
    )
    queue = qos(text).queue(3)
    assert queue is not None
    assert queue.ecn is not None
    assert [(curve.low, curve.high) for curve in queue.ecn.curves] == [(None, None)]
    assert read(text).lines == ()


def test_scheduling_by_wfq_and_sp_group() -> None:
    one = qos(WHOLE)
    served = [(queue.scheduler, queue.rank, queue.weight) for queue in one.queues or () if queue is not None]
    weighted = ("weighted", None, None)
    assert served == [
        weighted,
        weighted,
        weighted,
        ("weighted", None, 60),
        weighted,
        weighted,
        ("strict", 2, None),
        ("strict", 1, None),
    ]
    assert [queue.shaper for queue in one.queues or () if queue][5:7] == [UNLIMITED, 200_000_000_000]


def test_strict_priority_and_groups() -> None:
    served = [queue.rank for queue in qos(with_lines("qos sp")).queues or () if queue]
    assert served == [8, 7, 6, 5, 4, 3, 2, 1]
    queue = qos(with_lines("qos wrr weight", "qos wrr 3 group 2 weight 20", "qos wrr 4 group 1 weight 5")).queue(4)
    assert queue is not None
    assert queue.weight is None, "two groups are served one after the other: a weight is no share of the port"


def test_a_scheduling_profile() -> None:
    profile = "qos qmprofile P\n queue 7 sp\n queue af3 wfq group 1 byte-count 40\n bandwidth queue 3 min 1000\n#\n"
    text = with_lines("qos apply qmprofile P").replace("vlan 171\n#\n", profile)
    one = qos(text)
    assert one.queue(3) == Queue("weighted", weight=40, weight_kind="relative", guarantee=1_000_000, ecn=Ecn(), wred=(),
                                 shaper=UNLIMITED, limit=Dynamic(index=90))  # fmt: skip
    seven, zero = one.queue(7), one.queue(0)
    assert seven is not None
    assert (seven.scheduler, seven.rank) == ("strict", 1)
    assert zero is not None
    assert zero.scheduler is None
    assert "REF-001" not in found(text)


def test_buffer_lines_wait_for_buffer_apply() -> None:
    text = WHOLE.replace(" buffer apply\n", "")
    queue = qos(text).queue(3)
    assert queue is not None
    assert queue.limit is None
    assert found(text)["REF-001"] == [text.split("\n").index(" buffer egress cell queue 3 shared ratio 90") + 1]
    applied = qos(WHOLE).queue(6)
    assert applied is not None
    assert applied.reserved == Amount(20, "percent")


def test_members_stand_for_their_aggregate() -> None:
    member = PORT.replace(" stp edged-port\n", " port link-aggregation group 7\n")
    text = (
        SYSTEM
        + member
        + member.replace("1/0/1", "1/0/2")
        + "interface Bridge-Aggregation7\n port link-type trunk\n#\n"
        + END
    )
    device = read(text)
    assert device.lags == (Lag("Bridge-Aggregation7", ("HundredGigE1/0/1", "HundredGigE1/0/2")),)
    assert device.ports["HundredGigE1/0/2"].lag == "Bridge-Aggregation7"
    aggregate = device.ports["Bridge-Aggregation7"]
    assert aggregate.qos.pfc == device.ports["HundredGigE1/0/1"].qos.pfc
    assert aggregate.qos.queues == device.ports["HundredGigE1/0/1"].qos.queues
    assert aggregate.mode == "trunk"


def test_what_an_aggregate_says_holds_on_members_that_do_not() -> None:
    text = with_lines("port link-mode route", "port link-aggregation group 3")
    text = text.replace("return\n", "interface Route-Aggregation3\n qos trust dscp\n#\nreturn\n")
    device = read(text)
    assert device.ports["HundredGigE1/0/1"].lag == "Route-Aggregation3"
    assert device.ports["HundredGigE1/0/1"].qos.trust == "dscp"


def test_equal_ports_share_one_object() -> None:
    text = SYSTEM + "".join(PORT.replace("1/0/1", f"1/0/{number}") for number in range(1, 33)) + END
    assert len({id(one.qos) for one in read(text).ports.values()}) == 1


def test_places_name_the_line_that_decides() -> None:
    lines, one = WHOLE.split("\n"), port(WHOLE)
    for leaf, line in {
        "pfc.tx": " priority-flow-control no-drop dot1p 3",
        "pfc.admin": " priority-flow-control enable",
        "watchdog": " priority-flow-control deadlock enable",
        "trust": " qos trust dscp",
        "priority_groups.3.headroom": " priority-flow-control dot1p 3 headroom 600",
        "priority_groups.3.xoff_at": " priority-flow-control dot1p 3 ingress-buffer dynamic 25",
        "queues.3.weight": " qos wfq af3 group 1 byte-count 60",
        "queues.3.ecn.curves": " queue 3 drop-level 0 low-limit 3000 high-limit 9000 discard-probability 25",
        "queues.5.ecn": " qos wred apply LOSSLESS",
        "tc_to_queue.2": " import 1 2 export 1",
        "mtu": " jumboframe enable 9216",
    }.items():
        where = one.where(leaf)
        assert where is not None, leaf
        assert where.line == lines.index(line) + 1, leaf


def test_nothing_is_filled_in_before_the_defaults() -> None:
    device = stated(capture(WHOLE.replace(" qos trust dscp\n", "")))
    one = device.ports["HundredGigE1/0/1"].qos
    assert (one.trust, one.dscp_to_tc, one.link_pause) == (None, None, None)
    assert one.defaulted == frozenset()


@pytest.mark.parametrize(
    "lost",
    [" priority-flow-control deadlock enable\n", " qos wred apply LOSSLESS\n", " queue 3 ecn\n", " priority-flow-control dot1p 3 headroom 600\n",
     " priority-flow-control deadlock cos 3 interval 8\n", " qos trust dscp\n"],
)  # fmt: skip
def test_what_an_incomplete_text_lacks_is_no_error(lost: str) -> None:
    result = lint([read(WHOLE.replace(lost, ""), complete=False)], settings=Settings())
    assert not [item for item in result.findings if item.severity is Severity.ERROR]
    assert result.not_evaluated


def test_a_printed_configuration_without_its_last_line_is_cut_off() -> None:
    assert read(WHOLE.removesuffix(END)).complete == frozenset()
    assert read(WHOLE.removesuffix(END).replace(" version 7.1.070, Release 6715\n", "")).complete == frozenset({"all"})


POLICY = """\
traffic classifier ROCE operator and
 if-match dscp 26
#
traffic behavior MARK
 remark dot1p 3
#
traffic behavior COUNT
 accounting packet
#
qos policy MARK
 classifier ROCE behavior MARK
#
qos policy COUNT
 classifier ROCE behavior COUNT
#
"""


@pytest.mark.parametrize(
    ("line", "known"),
    [
        ("qos apply policy MARK global inbound", False),
        ("qos vlan-policy MARK vlan 10 inbound", False),
        ("qos apply policy ELSEWHERE global inbound", False),
        ("qos apply policy COUNT global inbound", True),
        ("qos apply policy MARK global outbound", True),
    ],
)
def test_a_policy_for_all_ports_that_marks_hides_the_maps(line: str, known: bool) -> None:
    text = WHOLE.replace("#\nvlan 171\n", "#\n" + POLICY + line + "\n")
    dscp = qos(text).dscp_to_tc
    assert dscp is not None
    assert (dscp.to[26] == 3) == known
    assert read(text).lines == ()


def test_a_policy_taken_back_hides_nothing() -> None:
    marked = WHOLE.replace("#\nvlan 171\n", "#\n" + POLICY).replace(
        " stp edged-port\n", " qos apply policy MARK inbound\n undo qos apply policy MARK inbound\n"
    )
    dscp = qos(marked).dscp_to_tc
    assert dscp is not None
    assert dscp.to[26] == 3


def test_a_list_of_priorities_without_pfc_has_no_effect() -> None:
    text = WHOLE.replace(" priority-flow-control enable\n", "")
    line = text.split("\n").index(" priority-flow-control no-drop dot1p 3") + 1
    assert found(text)["REF-001"] == [line]
    assert "REF-001" not in found(text.replace(" sysname LEAF1\n", " sysname LEAF1\n priority-flow-control enable\n"))
    assert "REF-001" not in found(text.replace(" stp edged-port\n", " shutdown\n"))
    assert "REF-001" not in found(PORT.replace(" priority-flow-control enable\n", ""))


def test_a_bridge_port_is_an_access_port_only_where_its_view_is_whole() -> None:
    lines = " port link-mode bridge\n qos trust dscp\n"
    assert port(f"interface HundredGigE1/0/1\n{lines}").mode == "access", "a view as it is printed"
    cut_off = SYSTEM + f"interface HundredGigE1/0/1\n{lines}"
    assert port(cut_off).mode is None


def test_other_lines_of_ai_services_are_no_concern() -> None:
    text = WHOLE.replace(
        "#\nvlan 171\n", "#\n" + "ai-service\n netanalysis-server ip 10.0.0.1\n ai-ecn\n  mode distributed\n"
    )
    assert read(text).lines == ()


@pytest.mark.parametrize("member", ["", " slot 1", " chassis 2 slot 1"])
def test_buffers_of_a_slot(member: str) -> None:
    text = WHOLE.replace("buffer egress cell", f"buffer egress{member} cell")
    queue = qos(text).queue(3)
    assert queue is not None
    assert queue.limit == Dynamic(index=90)
    undone = text.replace(" buffer apply\n", f" undo buffer egress{member} cell queue 3 shared\n buffer apply\n")
    after = qos(undone).queue(3)
    assert after is not None
    assert after.limit is None
    assert read(undone).lines == ()
