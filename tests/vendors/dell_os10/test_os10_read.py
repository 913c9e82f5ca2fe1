"""What a running configuration of OS10 states, and what is in force where it is silent."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rocecfg.state.model import (
    Amount,
    Curve,
    Dcbx,
    Dynamic,
    Ecn,
    Headroom,
    LinkPause,
    Pfc,
    PriorityGroup,
    Queue,
    Static,
)
from tests.vendors.dell_os10.reading import LEAF, line_of, read, says

FOUR = frozenset({4})
ANNOUNCED = Dcbx("auto", willing=False, advertises=frozenset({"pfc", "ets"}))
"""What a port does by default where `dcbx enable` stands: manual role, all TLVs."""


def test_a_whole_leaf() -> None:
    device = read(LEAF)
    assert (device.name, device.os_version, device.mac_ageing) == ("leaf7", "10.5.4.2", 900)
    assert device.complete == frozenset({"all"})
    assert not device.lines
    assert list(device.ports) == ["ethernet1/1/1", "ethernet1/1/2"]
    port = device.ports["ethernet1/1/1"]
    qos = port.qos
    assert (port.mtu, port.mode, port.enabled) == (9216, "trunk", True)
    assert qos.trust == "both"
    assert qos.dscp_to_tc is not None
    assert (qos.dscp_to_tc.to[24], qos.dscp_to_tc.to[48], qos.dscp_to_tc.to[0]) == (4, 6, 0)
    assert qos.pcp_to_tc is not None
    assert qos.pcp_to_tc.to == (0, 0, 0, 0, 4, 0, 0, 0), "a dot1p that the map does not name is in class 0"
    assert qos.pcp_to_tc.stated == 1 << 4
    assert qos.tc_to_queue == (0, 0, 0, 0, 4, 0, 6, 0, *([None] * 8))
    assert qos.tc_to_pg == (7, 7, 7, 7, 4, 7, 7, 7, *([None] * 8))
    assert qos.pfc == Pfc("on", FOUR, FOUR, "internal")
    assert qos.priority_to_pg is not None
    assert qos.priority_to_queue is not None
    assert (qos.priority_to_pg[4], qos.priority_to_queue[4]) == (FOUR, FOUR)
    assert qos.priority_to_pg[3] == frozenset()
    assert qos.link_pause == LinkPause(rx=False, tx=False)
    assert qos.dcbx == ANNOUNCED
    assert qos.rewrite == (), "a trust map does not change the mark of what leaves"
    assert qos.watchdog is None
    assert qos.queue(0) == Queue("weighted", weight=35, weight_kind="percent-of-rest", ecn=Ecn(), wred=())
    curve = Curve(Amount(200, "kbyte"), Amount(1600, "kbyte"), 25, frozenset({"green"}))
    marked = Queue("weighted", weight=65, weight_kind="percent-of-rest", ecn=Ecn((curve,), weight=3), wred=())
    assert qos.queue(4) == marked
    assert qos.queue(6) == Queue("strict", rank=1, ecn=Ecn(), wred=())
    assert qos.priority_group(4) == PriorityGroup(
        lossless=True,
        headroom=Headroom(Amount(40, "kbyte")),
        xoff_at=Static(Amount(50, "kbyte")),
        xon_at=Amount(20, "kbyte"),
    )


def test_places() -> None:
    port = read(LEAF).ports["ethernet1/1/1"]
    for leaf, text in {
        "pfc": "priority-flow-control mode on",
        "pfc.tx": "service-policy input type network-qos PN",
        "trust": "trust-map dscp TD",
        "dscp_to_tc.24": "qos-group 4 dscp 24",
        "pcp_to_tc.4": "qos-group 4 dot1p 4",
        "tc_to_queue.6": "queue 6 qos-group 6",
        "queues.4.ecn": "random-detect color green",
        "queues.0.weight": "bandwidth percent 35",
        "priority_groups.4.headroom": "pause buffer-size",
        "priority_groups.4.lossless": "pfc-cos 4",
        "priority_to_queue.4": "pfc-cos 4",
        "link_pause": "flowcontrol transmit off",
        "mtu": "mtu 9216",
    }.items():
        where = port.where(leaf)
        assert where is not None, leaf
        assert where.line == line_of(LEAF, text), leaf


def test_what_a_silent_port_of_a_whole_text_does() -> None:
    qos = read(LEAF).ports["ethernet1/1/2"].qos
    assert qos.trust == "pcp", "system qos holds on every port"
    assert qos.pfc == Pfc("off", frozenset(), frozenset(), "internal")
    assert qos.link_pause == LinkPause(rx=True, tx=None), "of the other direction nothing is assumed"
    assert qos.queue(4) == Queue(ecn=Ecn(), wred=())
    assert qos.tc_to_queue is None, "the default map is not documented"
    assert qos.priority_group(4) == PriorityGroup(lossless=False)
    assert {"pfc.admin", "pfc.tx", "queues", "priority_groups"} <= qos.defaulted


def test_without_trust_map_everything_is_in_class_0() -> None:
    qos = read(LEAF.replace(" trust-map dot1p TP\n", "").replace(" trust-map dscp TD\n", "")).ports["ethernet1/1/1"].qos
    assert (qos.trust, qos.default_tc) == ("none", 0)
    assert qos.dscp_to_tc is not None
    assert set(qos.dscp_to_tc.to) == {0}


def test_the_default_dot1p_map_swaps_0_and_1() -> None:
    qos = read(LEAF.replace("trust-map dot1p TP", "trust-map dot1p default")).ports["ethernet1/1/2"].qos
    assert qos.pcp_to_tc is not None
    assert qos.pcp_to_tc.to == (1, 0, 2, 3, 4, 5, 6, 7)


def test_a_dscp_that_the_map_does_not_name_is_not_known() -> None:
    qos = read(LEAF.replace("qos-group 0 dscp 0-23,25-47,49-63", "qos-group 0 dscp 0")).ports["ethernet1/1/1"].qos
    assert qos.dscp_to_tc is not None
    assert (qos.dscp_to_tc.to[0], qos.dscp_to_tc.to[1]) == (0, None)


def test_an_input_policy_of_type_qos_classifies_by_rules_that_are_not_read() -> None:
    text = LEAF.replace(" trust-map dscp TD\n", " trust-map dscp TD\n service-policy input type qos ACL\n")
    device = read(text)
    qos = device.ports["ethernet1/1/1"].qos
    assert not device.lines
    assert qos.trust is None
    assert qos.dscp_to_tc is not None
    assert set(qos.dscp_to_tc.to) == {None}


def test_a_part_of_a_configuration_proves_no_default() -> None:
    qos = says(LEAF).ports["ethernet1/1/2"].qos
    assert (qos.pfc, qos.queues, qos.priority_groups) == (None, None, None)
    cut = read(LEAF, complete=False)
    assert cut.complete == frozenset()
    qos = cut.ports["ethernet1/1/2"].qos
    assert qos.pfc == Pfc(by="internal")
    assert qos.queues is None
    one = "show running-configuration interface ethernet 1/1/1"
    assert read(LEAF, command=one).complete == frozenset()
    assert read(f"leaf7# {one}\n{LEAF}").complete == frozenset()
    for whole in ("show running-configuration", "show running-configuration compressed"):
        assert read(f"leaf7# {whole}\n{LEAF}").complete == frozenset({"all"})


def test_policies_without_interfaces_stand_for_every_port() -> None:
    text = LEAF[: LEAF.index("interface mgmt")].replace("hostname leaf7\n", "")
    device = read(text.replace("system qos\n", "system qos\n service-policy input type network-qos PN\n"))
    assert list(device.ports) == ["system qos"]
    group = device.ports["system qos"].qos.priority_group(4)
    assert group is not None
    assert group.lossless is True


def test_a_profile_that_does_not_mark_drops() -> None:
    queue = read(LEAF.replace(" random-detect ecn\n", "")).ports["ethernet1/1/1"].qos.queue(4)
    assert queue is not None
    assert queue.ecn == Ecn()
    assert queue.wred is not None
    assert [curve.probability for curve in queue.wred] == [25]
    cut = read(LEAF.replace(" random-detect ecn\n", ""), complete=False).ports["ethernet1/1/1"].qos.queue(4)
    assert cut is not None
    assert (cut.ecn, cut.wred) == (None, None), "the line may be the one that is missing"
    off = read(LEAF.replace(" random-detect ecn\n", " no random-detect ecn\n"), complete=False)
    queue = off.ports["ethernet1/1/1"].qos.queue(4)
    assert queue is not None
    assert queue.ecn == Ecn()


def test_three_equal_colours_are_one_ramp() -> None:
    green = " random-detect color green minimum-threshold 200 maximum-threshold 1600 drop-probability 25\n"
    text = LEAF.replace(green, green + green.replace("green", "yellow") + green.replace("green", "red"))
    queue = read(text).ports["ethernet1/1/1"].qos.queue(4)
    assert queue is not None
    assert queue.ecn is not None
    assert queue.ecn.curves == (Curve(Amount(200, "kbyte"), Amount(1600, "kbyte"), 25),)


def test_a_profile_on_the_port_and_on_the_pool() -> None:
    text = LEAF.replace("  random-detect MARK\n", "").replace(
        " trust-map dscp TD\n", " trust-map dscp TD\n random-detect MARK\n"
    )
    device = read(text)
    queue = device.ports["ethernet1/1/1"].qos.queue(4)
    assert queue is not None
    assert queue.ecn is not None
    assert queue.ecn.curves
    assert not device.lines
    pooled = read(LEAF.replace("system qos\n", "system qos\n random-detect pool 0 MARK\n"))
    assert pooled.ecn_on_pool is not None
    assert pooled.ecn_on_pool.curves
    assert pooled.ports["ethernet1/1/2"].qos.queues is None, "the pool may mark: no queue is known to be without"


def test_shares_of_the_pool() -> None:
    text = LEAF.replace("  pause buffer-size 90 pause-threshold 50 resume-threshold 20\n", "  pause\n")
    group = read(text).ports["ethernet1/1/1"].qos.priority_group(4)
    assert group == PriorityGroup(lossless=True, headroom=Headroom(by="box"))
    text = text.replace("  pause\n", "  pause\n  queue-limit thresh-mode dynamic 5\n")
    group = read(text).ports["ethernet1/1/1"].qos.priority_group(4)
    assert group is not None
    assert group.xoff_at == Dynamic(index=5)
    text = text.replace("dynamic 5", "static 800")
    group = read(text).ports["ethernet1/1/1"].qos.priority_group(4)
    assert group is not None
    assert group.xoff_at == Static(Amount(800, "kbyte"))


def test_a_class_with_several_groups_and_priorities() -> None:
    text = LEAF.replace(" match qos-group 4\n", " match qos-group 4,5\n").replace("pfc-cos 4", "pfc-cos 4,5")
    qos = read(text).ports["ethernet1/1/1"].qos
    assert qos.pfc is not None
    assert qos.pfc.tx == frozenset({4, 5})
    assert qos.tc_to_pg is not None
    assert qos.tc_to_pg[:8] == (7, 7, 7, 7, 4, 5, 7, 7)


def test_a_lossless_group_7_leaves_another_number_to_the_lossy_classes() -> None:
    text = LEAF.replace(" match qos-group 4\n", " match qos-group 7\n")
    qos = read(text).ports["ethernet1/1/1"].qos
    assert qos.tc_to_pg is not None
    assert qos.tc_to_pg[:8] == (0, 0, 0, 0, 0, 0, 0, 7)


def test_pause_alone_pauses_for_nothing_and_a_class_without_pause_is_lossy() -> None:
    bare = read(LEAF.replace("  pfc-cos 4\n", "")).ports["ethernet1/1/1"].qos
    assert bare.pfc is not None
    assert bare.pfc.tx == frozenset()
    lossy = read(LEAF.replace("  pause buffer-size 90 pause-threshold 50 resume-threshold 20\n", ""))
    group = lossy.ports["ethernet1/1/1"].qos.priority_group(4)
    assert group is not None
    assert group.lossless is False


@pytest.mark.parametrize(
    ("old", "new", "kind", "name", "near"),
    [
        ("network-qos PN\n service", "network-qos PM\n service", "policy-map type network-qos", "PM", ""),
        ("queuing PQ\n ets", "queuing ROCE\n ets", "policy-map type queuing", "ROCE", ""),
        (" class CN4", " class CN5", "class-map type network-qos", "CN5", "CN4"),
        (" class CQ4", " class XX", "class-map type queuing", "XX", ""),
        ("  random-detect MARK", "  random-detect MARC", "wred", "MARC", "MARK"),
        ("trust-map dscp TD", "trust-map dscp TX", "trust dscp-map", "TX", ""),
        ("qos-map traffic-class TQ\n!", "qos-map traffic-class TZ\n!", "qos-map traffic-class", "TZ", ""),
    ],
)
def test_names_that_are_defined_nowhere(old: str, new: str, kind: str, name: str, near: str) -> None:
    assert old in LEAF
    found = {(item.kind, item.name): item for item in read(LEAF.replace(old, new)).objects}
    item = found[kind, name]
    assert (item.defined, item.used, item.near) == (False, True, near)
    assert item.place is not None
    assert item.place.line > 0


def test_names_that_nobody_uses() -> None:
    text = LEAF.replace(" service-policy output type queuing PQ\n", "").replace(" qos-map traffic-class TQ\n!\n", "!\n")
    unused = {(item.kind, item.name) for item in read(text).objects if not item.used and item.matters}
    assert unused == {("policy-map type queuing", "PQ"), ("qos-map traffic-class", "TQ")}


def test_an_undefined_policy_leaves_the_priorities_open() -> None:
    qos = read(LEAF.replace("network-qos PN\n service", "network-qos PM\n service")).ports["ethernet1/1/1"].qos
    assert qos.pfc == Pfc("on", None, None, "internal")
    assert qos.priority_groups is not None
    assert set(qos.priority_groups) == {None}
    qos = read(LEAF.replace("queuing PQ\n ets", "queuing PX\n ets")).ports["ethernet1/1/1"].qos
    assert qos.queues is not None
    assert set(qos.queues) == {None}


def test_dcbx() -> None:
    text = LEAF.replace(" trust-map dscp TD\n", " trust-map dscp TD\n dcbx version ieee\n")
    assert read(text).ports["ethernet1/1/1"].qos.dcbx == replace(ANNOUNCED, state="ieee")
    for line in ("no dcbx enable", "no lldp tlv-select dcbxp"):
        device = read(text.replace("dcbx version ieee", line))
        assert device.ports["ethernet1/1/1"].qos.dcbx == Dcbx("off"), line
        assert device.ports["ethernet1/1/2"].qos.dcbx == ANNOUNCED, line
    assert read(text.replace("\ndcbx enable", "\nno dcbx enable")).ports["ethernet1/1/2"].qos.dcbx == Dcbx("off")
    silent = LEAF.replace("\ndcbx enable", "")
    assert read(silent).ports["ethernet1/1/2"].qos.dcbx == Dcbx("off"), "off for the device by default"
    assert read(silent, complete=False).ports["ethernet1/1/2"].qos.dcbx is None


def test_port_channels_show_what_their_members_say_alike() -> None:
    member = LEAF[LEAF.index("interface ethernet1/1/1") : LEAF.index("interface ethernet1/1/2")]
    first = member.replace(" mtu 9216\n", " mtu 9216\n channel-group 10 mode active\n")
    text = LEAF.replace(member, first + first.replace("1/1/1", "1/1/7") + "interface port-channel10\n no shutdown\n!\n")
    device = read(text)
    assert device.lags is not None
    assert device.lags[0].members == ("ethernet1/1/1", "ethernet1/1/7")
    assert device.ports["port-channel10"].qos is device.ports["ethernet1/1/1"].qos
    assert device.ports["ethernet1/1/7"].lag == "port-channel10"
    alone = read(LEAF + "interface port-channel 20\n priority-flow-control mode on\n!\n").ports["port-channel20"].qos
    assert alone.pfc == Pfc("on", frozenset(), frozenset(), "internal")


def test_members_need_no_switchport_and_are_what_the_port_channel_is() -> None:
    member = "interface ethernet1/1/8\n no switchport\n channel-group 10 mode active\n!\n"
    trunk = "interface port-channel10\n switchport mode trunk\n!\n"
    assert read(LEAF + member + trunk).ports["ethernet1/1/8"].mode == "trunk"
    assert (
        read(LEAF + member + trunk.replace("switchport mode trunk", "no switchport")).ports["ethernet1/1/8"].mode
        == "routed"
    )
    assert read(LEAF + member).ports["ethernet1/1/8"].mode is None


def test_the_link_between_vlt_peers() -> None:
    text = LEAF + "vlt-domain 1\n discovery-interface ethernet 1/1/2\n discovery-interface ethernet1/1/20-1/1/21\n!\n"
    ports = read(text).ports
    assert (ports["ethernet1/1/2"].role, ports["ethernet1/1/2"].mode) == ("peer-link", None)
    assert ports["ethernet1/1/1"].role is None
    assert set(ports) == {"ethernet1/1/1", "ethernet1/1/2"}
