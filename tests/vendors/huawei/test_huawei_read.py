"""What configurations of a CloudEngine state: PFC, thresholds, maps, queues, ECN; both hardware families."""

from __future__ import annotations

from rocecfg.state.capture import Capture, Text
from rocecfg.state.model import (
    NEVER,
    UNLIMITED,
    Amount,
    Curve,
    Dcbx,
    Device,
    Dynamic,
    Ecn,
    Headroom,
    LinkPause,
    Port,
    Static,
)
from rocecfg.state.parse import parse

OF_A = """\
!Software Version V300R023C00SPC500
#
sysname leaf1
#
device board 1 board-type CE8855-32CQ4BQ
#
drop-profile default
#
drop-profile gold
 ecn buffer-size low-limit 153600 high-limit 768000 discard-percentage 20
#
dcb pfc
 priority 3 5
 priority 3 deadlock-detect time 12
 priority 3 deadlock-recovery time 0
 priority 5 deadlock-detect time 3
 priority 5 turn-off threshold 40
#
dcb pfc deadlock-detect interval 100
dcb pfc deadlock recovery-behavior discard slot 1
dcb pfc dscp-mapping enable slot 1
#
qos buffer headroom-pool size 6 mbytes slot 1
#
diffserv domain default
#
diffserv domain fabric
 ip-dscp-inbound 26 phb ef
 ip-dscp-inbound 46 phb be yellow
#
interface MEth0/0/0
 ip address 192.0.2.1 255.255.255.0
#
interface 100GE1/0/1
 undo portswitch
 ip address 198.51.100.1 255.255.255.254
 jumboframe enable 9100
 trust dscp
 trust upstream fabric
 dcb pfc enable mode manual
 dcb pfc buffer 3 xoff static 2 mbytes xon offset 20 kbytes
 dcb pfc buffer 3 hdrm 300
 dcb pfc buffer 5 guaranteed 2 kbytes
 qos pq 6 to 7
 qos drr 0 to 2 4 5
 qos lpq 3
 qos queue 5 drr weight 40
 qos queue 3 wred gold
 qos queue 3 ecn
 qos queue 5 wred gold
 qos queue 4 shaping cir 10 mbps pir 2 gbps
 qos buffer queue 5 shared-threshold dynamic 4
#
interface 100GE1/0/2
 eth-trunk 9
 port link-type trunk
#
interface Eth-Trunk9
 port link-type trunk
#
return
"""
OF_B = """\
#
sysname leaf2
#
qos ecn enable
#
drop-profile p
 ecn low-limit 40 high-limit 70 discard-percentage 15
#
dcb pfc store
 priority 4
#
dcb pfc deadlock-recovery timer 700
#
interface 25GE1/0/7
 trust dscp
 dcb pfc enable store mode auto
 dcb pfc buffer 4 xon static 90 kbytes xoff static 1 mbytes
 qos queue 4 wred p
 qos queue 4 ecn
#
return
"""


def read(text: str, **more: object) -> Device:
    return parse(Capture("", "huawei", (Text("x.cfg", text, **more),), file="x.cfg"))  # type: ignore[arg-type]


def port_of(text: str, name: str = "100GE1/0/1") -> Port:
    return read(text).ports[name]


def with_lines(*lines: str, top: str = "") -> Port:
    body = "".join(f" {line}\n" for line in lines)
    device = read(f"#\nsysname x\n#\n{top}#\ninterface 100GE1/0/1\n{body}#\nreturn\n")
    assert not device.lines, device.lines
    return device.ports["100GE1/0/1"]


def test_the_device() -> None:
    device = read(OF_A)
    assert (device.name, device.model, device.os_version) == ("leaf1", "CE8855-32CQ4BQ", "V300R023C00SPC500")
    assert device.complete == {"all"}
    assert not device.lines
    assert device.buffer_model == "stated"
    assert list(device.ports) == ["100GE1/0/1", "100GE1/0/2", "Eth-Trunk9"]
    assert device.lags is not None
    assert [(lag.name, lag.members) for lag in device.lags] == [("Eth-Trunk9", ("100GE1/0/2",))]
    assert device.pools is not None
    assert [(pool.name, pool.headroom) for pool in device.pools] == [("headroom slot 1", Amount(6, "mbyte"))]


def test_pfc_and_deadlocks_of_family_a() -> None:
    qos = port_of(OF_A).qos
    assert qos.pfc is not None
    assert (qos.pfc.admin, qos.pfc.tx, qos.pfc.by, qos.pfc.gate) == ("on", {3, 5}, "internal", True)
    watchdog = qos.watchdog
    assert watchdog is not None
    assert (watchdog.poll, watchdog.detect, watchdog.restore, watchdog.action) == (None, 1200, NEVER, "drop")
    assert watchdog.priorities == {3, 5}
    other = port_of(OF_A, "100GE1/0/2").qos
    assert other.pfc is not None
    assert (other.pfc.admin, other.pfc.tx) == ("off", frozenset())
    assert other.watchdog is None


def test_default_times_are_units_of_the_interval() -> None:
    for lines, detect, restore in (
        ("dcb pfc deadlock-detect interval 500\n", 5000, 5000), ("", 100, 100),
        ("dcb pfc deadlock-detect interval 100\n#\ndcb pfc\n priority 3 deadlock-recovery time 4\n", 1000, 400),
    ):  # fmt: skip
        watchdog = with_lines("dcb pfc enable", top="dcb pfc dscp-mapping enable slot 1\n" + lines).qos.watchdog
        assert watchdog is not None
        assert (watchdog.detect, watchdog.restore) == (detect, restore)


def test_thresholds_of_family_a() -> None:
    qos = port_of(OF_A).qos
    three, five = qos.priority_group(3), qos.priority_group(5)
    assert three is not None
    assert five is not None
    assert three.xoff_at == Static(Amount(2, "mbyte"))
    assert three.xon_below == Amount(20, "kbyte")
    assert three.headroom == Headroom(Amount(300, "kbyte"))
    assert three.headroom.amount is not None
    assert three.headroom.amount.bytes == 307_200
    assert three.reserved == Amount(1600)
    assert (five.xoff_at, five.reserved) == (Dynamic(index=3), Amount(2, "kbyte"))
    assert "priority_groups.5.xoff_at" in qos.defaulted
    assert "priority_groups.3.xoff_at" not in qos.defaulted
    zero = qos.priority_group(0)
    assert zero is not None
    assert zero.lossless is False


def test_maps_of_a_domain() -> None:
    qos = port_of(OF_A).qos
    assert qos.trust == "dscp"
    assert qos.dscp_to_tc is not None
    assert (qos.dscp_to_tc.to[26], qos.dscp_to_tc.to[46], qos.dscp_to_tc.to[48], qos.dscp_to_tc.to[8]) == (5, 0, 6, 1)
    assert qos.dscp_to_tc.stated == 1 << 26 | 1 << 46
    assert qos.dscp_to_colour is not None
    assert (qos.dscp_to_colour[26], qos.dscp_to_colour[46], qos.dscp_to_colour[14]) == ("green", "yellow", "red")
    assert (qos.default_tc, qos.rewrite) == (0, ())


def test_queues() -> None:
    qos = port_of(OF_A).qos
    found = [qos.queue(number) for number in range(8)]
    assert None not in found
    assert [(q.scheduler, q.rank, q.weight) for q in found if q] == [
        ("weighted", None, 1), ("weighted", None, 1), ("weighted", None, 1), ("weighted", None, 0),
        ("weighted", None, 1), ("weighted", None, 40), ("strict", 2, None), ("strict", 1, None),
    ]  # fmt: skip
    assert [q.shaper for q in found if q] == [UNLIMITED] * 4 + [2_000_000_000] + [UNLIMITED] * 3
    assert found[5] is not None
    assert found[5].limit == Dynamic(index=4)


def test_ecn_needs_the_switch_of_the_queue() -> None:
    qos = port_of(OF_A).qos
    three, five, four = qos.queue(3), qos.queue(5), qos.queue(4)
    assert three is not None
    assert three.ecn == Ecn((Curve(Amount(153_600), Amount(768_000), 20),))
    assert five is not None
    assert five.ecn == Ecn((Curve(Amount(153_600), Amount(768_000), 20, active=False),))
    assert four is not None
    assert four.ecn == Ecn()


def test_the_line_that_decides() -> None:
    port = port_of(OF_A)
    lines = OF_A.splitlines()
    for leaf, text in (
        ("pfc.admin", " dcb pfc enable mode manual"), ("pfc.tx", " priority 3 5"), ("trust", " trust upstream fabric"),
        ("dscp_to_tc.26", " ip-dscp-inbound 26 phb ef"), ("priority_groups.3.headroom", " dcb pfc buffer 3 hdrm 300"),
        ("queues.5.weight", " qos queue 5 drr weight 40"), ("mtu", " jumboframe enable 9100"),
        ("watchdog.detect", " priority 3 deadlock-detect time 12"), ("queues.3.scheduler", " qos lpq 3"),
    ):  # fmt: skip
        place = port.where(leaf)
        assert place is not None
        assert lines[place.line - 1] == text, leaf


def test_family_b() -> None:
    device = read(OF_B)
    assert not device.lines
    assert (device.buffer_model, device.ecn_enabled, device.pools) == ("box", True, ())
    port = device.ports["25GE1/0/7"]
    assert port.speed == 25_000_000_000
    pfc, group, queue = port.qos.pfc, port.qos.priority_group(4), port.qos.queue(4)
    assert pfc is not None
    assert (pfc.admin, pfc.tx, pfc.by) == ("auto", {4}, "internal")
    assert group is not None
    assert (group.xoff_at, group.xon_at) == (Static(Amount(1, "mbyte")), Amount(90, "kbyte"))
    assert group.headroom == Headroom(by="pool-share")
    assert queue is not None
    assert queue.ecn == Ecn((Curve(Amount(40, "percent"), Amount(70, "percent"), 15),), gate=True)
    watchdog = port.qos.watchdog
    assert watchdog is not None
    assert (watchdog.detect, watchdog.restore, watchdog.action) == (100, 700, "drop")


def test_family_b_without_the_device_wide_ecn_switch_marks_nothing() -> None:
    model = "device board 1 board-type CE6866-48S8CQ-P\n#\n"
    queue = read(OF_B.replace("qos ecn enable", model)).ports["25GE1/0/7"].qos.queue(4)
    assert queue is not None
    assert queue.ecn is not None
    assert queue.ecn.gate is False


def test_family_a_without_mapping_and_pool() -> None:
    """PFC follows the tag and has no headroom: what the two missing lines mean."""
    top = "device board 1 board-type CE6885-48YS8CQ\n"
    qos = with_lines("trust dscp", "dcb pfc enable mode manual", top=top).qos
    assert qos.pfc is not None
    assert (qos.pfc.by, qos.pfc.tx) == ("pcp", {3})
    group = qos.priority_group(3)
    assert group is not None
    assert group.headroom == Headroom(by="none")


def test_headroom_of_a_group_is_nothing_without_the_pool_of_its_slot() -> None:
    top = "dcb pfc dscp-mapping enable slot 1\nqos buffer headroom-pool size 4 mbytes slot 2\n"
    group = with_lines("dcb pfc enable", "dcb pfc buffer 3 hdrm 100", top=top).qos.priority_group(3)
    assert group is not None
    assert group.headroom == Headroom(Amount(100, "kbyte"), by="none")
    group = with_lines(
        "dcb pfc enable", "dcb pfc buffer 3 hdrm 100", top=top.replace("slot 2", "slot 1")
    ).qos.priority_group(3)
    assert group is not None
    assert group.headroom == Headroom(Amount(100, "kbyte"), by="stated")


def test_of_an_unknown_family_nothing_is_guessed() -> None:
    qos = with_lines("dcb pfc enable mode manual").qos
    assert qos.pfc is not None
    assert (qos.pfc.tx, qos.pfc.by) == ({3}, None)
    group = qos.priority_group(3)
    assert group is not None
    assert (group.lossless, group.headroom, group.xoff_at) == (True, None, None)
    assert qos.watchdog is not None
    assert (qos.watchdog.enabled, qos.watchdog.detect, qos.watchdog.action) == (True, None, None)


def test_before_v300_defaults_of_queues_and_deadlocks_are_unknown() -> None:
    text = "!Software Version V200R019C10SPC800\n#\nsysname x\n#\ninterface 100GE1/0/1\n dcb pfc enable\n#\nreturn\n"
    qos = port_of(text).qos
    assert qos.watchdog is None
    assert qos.queue(3) is not None
    assert qos.queue(3).scheduler is None  # type: ignore[union-attr]


def test_before_v300_colour_curves_mark() -> None:
    top = "drop-profile e\n color green buffer-size low-limit 1000 high-limit 9000 discard-percentage 100\n"
    old = "!Software Version V200R019C10SPC800\n" + top
    qos = with_lines("qos queue 0 wred e", "qos queue 0 ecn", top=old).qos
    curve = Curve(Amount(1000), Amount(9000), 100, frozenset({"green"}))
    queue = qos.queue(0)
    assert queue is not None
    assert (queue.ecn, queue.wred) == (Ecn((curve,)), ())
    queue = with_lines("qos queue 0 wred e", top=old).qos.queue(0)
    assert queue is not None
    assert (queue.ecn, queue.wred) == (Ecn(), (curve,))
    new = read(
        "!Software Version V300R023C00\n"
        + top
        + "#\ninterface 100GE1/0/1\n qos queue 0 wred e\n qos queue 0 ecn\n#\nreturn\n"
    )
    queue = new.ports["100GE1/0/1"].qos.queue(0)
    assert queue is not None
    assert (queue.ecn, queue.wred) == (Ecn(), (curve,))


def test_trust_by_default_follows_the_kind_of_port() -> None:
    assert with_lines().qos.trust == "pcp"
    assert with_lines("undo portswitch").qos.trust == "dscp"
    none = with_lines("trust dscp", "trust upstream none", "port priority 5").qos
    assert (none.trust, none.default_tc) == ("none", 5)
    assert none.dscp_to_tc is not None
    assert set(none.dscp_to_tc.to) == {5}


def test_the_domain_default_can_be_changed() -> None:
    qos = with_lines("trust dscp", top="diffserv domain default\n ip-dscp-inbound 3 phb cs7 green\n").qos
    assert qos.dscp_to_tc is not None
    assert (qos.dscp_to_tc.to[3], qos.dscp_to_tc.to[4]) == (7, 0)


def test_priorities_of_a_profile() -> None:
    for lines, wanted in (
        ([], {3}), (["priority 4"], {4}), (["priority 4", "priority 3"], {3, 4}), (["priority 4 5", "undo priority 5"], {4}),
        (["priority 4", "undo priority"], {3}),
    ):  # fmt: skip
        top = "dcb pfc\n" + "".join(f" {line}\n" for line in lines)
        pfc = with_lines("dcb pfc enable", top=top).qos.pfc
        assert pfc is not None
        assert pfc.tx == wanted, lines


def test_pfc_turned_off_on_the_device() -> None:
    qos = with_lines("dcb pfc enable", top="dcb pfc global disable\n").qos
    assert qos.pfc is not None
    assert (qos.pfc.gate, qos.pfc.sends()) == (False, frozenset())


def test_link_pause_and_dcbx() -> None:
    assert with_lines().qos.link_pause == LinkPause(rx=False, tx=False)
    assert with_lines("flow-control").qos.link_pause == LinkPause(rx=True, tx=True)
    assert with_lines("flow-control input").qos.link_pause == LinkPause(rx=True, tx=False)
    assert with_lines().qos.dcbx == Dcbx(state="off")
    on = with_lines("lldp tlv-enable dcbx", "dcb pfc enable mode auto", top="lldp enable\n").qos.dcbx
    assert on == Dcbx(state="ieee", advertises=frozenset({"pfc"}))
    old = with_lines("lldp tlv-enable dcbx", "dcb compliance intel-oui", top="lldp enable\n").qos.dcbx
    assert old == Dcbx(state="cee", advertises=frozenset())
    assert with_lines("lldp tlv-enable dcbx", top="undo lldp enable\n").qos.dcbx == Dcbx(state="off")


def test_ets_profiles_schedule_instead_of_the_port() -> None:
    top = "dcb ets-profile e\n priority-group 0 drr weight 70\n priority-group 1 drr weight 30\n priority-group 2 queue 4\n"
    qos = with_lines("dcb ets enable e", top=top).qos
    found = [(q.scheduler, q.weight) for q in qos.queues or () if q is not None]
    assert found == [
        ("weighted", None), ("weighted", None), ("weighted", None), ("weighted", 30), ("weighted", None),
        ("weighted", None), ("strict", None), ("strict", None),
    ]  # fmt: skip


def test_ai_ecn_marks_with_limits_of_the_box() -> None:
    top = "ai-service\n #\n ai-ecn\n  ai-ecn enable\n  assign queue 4 model ai_ecn_hpc\n #\n npcc\n  assign queue 2\n"
    qos = with_lines("dcb pfc enable", top=top).qos
    four, two = qos.queue(4), qos.queue(2)
    assert four is not None
    assert four.ecn == Ecn((Curve(None, None, None),))
    assert two is not None
    assert two.ecn == Ecn()


def test_marking_of_dscp_on_the_way_out() -> None:
    top = "diffserv domain d\n ip-dscp-outbound af3 green map 27\n"
    rewrite = with_lines("trust upstream d", "qos phb marking dscp enable", top=top).qos.rewrite
    assert rewrite is not None
    assert ("tc", 3, 27) in rewrite
    assert ("tc", 4, 34) in rewrite


def test_names_defined_and_used() -> None:
    text = OF_A.replace("upstream fabric", "upstream fabrik").replace("queue 5 wred gold", "queue 5 wred silver")
    found = {(item.kind, item.name): item for item in read(text).objects}
    missing = found["diffserv domain", "fabrik"]
    assert (missing.defined, missing.used, missing.near) == (False, True, "fabric")
    assert found["drop-profile", "silver"].defined is False
    idle = found["diffserv domain", "fabric"]
    assert (idle.defined, idle.used, idle.matters) == (True, False, True)
    assert found["drop-profile", "default"].system
    assert not [item for item in read(OF_A).objects if not item.used or not item.defined]


def test_an_incomplete_text_states_no_default() -> None:
    text = OF_A.replace("return\n", "")
    for device in (read(text), read(OF_A, complete=False), read(text + "  ---- More ----\n")):
        assert device.complete == frozenset()
        port = device.ports["100GE1/0/2"]
        assert (port.qos.trust, port.qos.pfc, port.qos.queues, port.mtu) == (None, None, None, None)
