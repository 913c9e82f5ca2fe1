"""What a running configuration of EOS states, and what is in force on a port because of it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rocecfg.lint.run import lint
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
    LinkPause,
    Pfc,
    PortQos,
    Queue,
)
from rocecfg.state.parse import parse, stated

LEAF = """\
! Command: show running-config
! device: leaf1 (DCS-7060DX5-64S, EOS-4.32.1F)
!
transceiver qsfp default-mode 4x10G
!
platform trident mmu queue profile LOSSLESS
    ingress headroom cells 650
    ingress threshold 1/16
    ingress priority-group 3 threshold 1/4
    ingress resume 1
    egress unicast queue 3 threshold 8
    egress multicast queue 0 reserved cells 0
!
hostname leaf1
!
qos profile GPU
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   priority-flow-control pause watchdog
   priority-flow-control pause watchdog port action notify-only
   !
   uc-tx-queue 1
      no priority
      bandwidth percent 10
   !
   uc-tx-queue 3
      !! the RoCE queue
      bandwidth percent 90
      no priority
      random-detect ecn minimum-threshold 256 kbytes maximum-threshold 512 kbytes max-mark-probability 100 weight 4
      random-detect ecn count
   !
   mc-tx-queue 3
      bandwidth percent 5
      no priority
!
interface Ethernet1/1
   description gpu01
   mtu 9214
   speed 400g-8
   no switchport
   ip address 192.0.2.0/31
   service-profile GPU
   !
   uc-tx-queue 6
      random-detect drop minimum-threshold 3 milliseconds maximum-threshold 9 milliseconds drop-probability 20
!
interface Ethernet2/1
   switchport mode trunk
   qos cos 5
   flowcontrol receive on
   dcbx mode ieee
   shutdown
!
interface Management1
   mtu 1500
!
qos map dscp 26 to traffic-class 3
qos map dscp 46 48 to traffic-class 5 drop-precedence 1
qos map cos 4 to traffic-class 3
qos map traffic-class 5 to tx-queue 6
qos map traffic-class 3 to dscp 26
priority-flow-control pause watchdog default timeout 0.25
priority-flow-control pause watchdog default recovery-time 1.5
priority-flow-control pause watchdog default polling-interval 0.005
!
router bgp 65001
   neighbor 192.0.2.1 remote-as 65002
   qos looking line of another section
!
platform trident mmu queue profile LOSSLESS apply
!
end
"""


def read(text: str, *, complete: bool | None = None) -> Device:
    return parse(Capture("", "eos", (Text("leaf1.cfg", text, complete=complete),), file="leaf1.cfg"))


def qos(text: str, port: str = "Ethernet1/1") -> PortQos:
    return read(text).ports[port].qos


def port_text(*lines: str, rest: str = "") -> str:
    body = "".join(f"   {line}\n" for line in lines)
    return f"hostname leaf1\n!\ninterface Ethernet1/1\n{body}!\n{rest}"


def test_the_whole_of_a_leaf() -> None:
    device = read(LEAF)
    assert not device.lines
    assert (device.name, device.model, device.os_version) == ("leaf1", "DCS-7060DX5-64S", "4.32.1F")
    assert device.complete == frozenset({"all"})
    assert list(device.ports) == ["Ethernet1/1", "Ethernet2/1"]
    port = device.ports["Ethernet1/1"]
    assert (port.mtu, port.speed, port.mode, port.place and port.place.line) == (9214, 400 * 10**9, "routed", 38)
    assert (port.mtu_counts, device.ports["Ethernet2/1"].mtu_counts) == ("ip", None)
    assert device.ports["Ethernet2/1"].enabled is False


def test_the_qos_profile_is_in_force_on_the_port_that_names_it() -> None:
    got = qos(LEAF)
    assert got.trust == "dscp"
    assert got.pfc == Pfc("on", frozenset({3}), frozenset({3}), "internal", gate=True)
    assert got.queues is not None
    assert got.queues[3] == Queue(
        "weighted",
        weight=90,
        weight_kind="percent-of-rest",
        ecn=Ecn((Curve(Amount(256, "kbyte"), Amount(512, "kbyte"), 100),), weight=4),
        wred=(),
        limit=Dynamic(Fraction(8)),
    )
    other = qos(LEAF, "Ethernet2/1")
    assert other.pfc == Pfc("off", frozenset(), frozenset(), "internal", gate=True)


def test_an_interface_queue_adds_to_the_profile() -> None:
    queues = qos(LEAF).queues
    assert queues is not None
    assert queues[6] is not None
    assert queues[6].wred == (Curve(Amount(3_000_000, "ns"), Amount(9_000_000, "ns"), 20),)


def test_a_line_of_the_interface_wins_over_the_profile() -> None:
    text = port_text(
        "qos trust cos",
        "service-profile P",
        "priority-flow-control priority 4 drop",
        rest="qos profile P\n   qos trust dscp\n   priority-flow-control on\n   priority-flow-control priority 4 no-drop\n"
        "   priority-flow-control priority 3 no-drop\n",
    )
    got = qos(text)
    assert got.trust == "pcp"
    assert got.pfc is not None
    assert got.pfc.tx == frozenset({3})


def test_a_default_line_of_the_interface_leaves_the_profile_in_force() -> None:
    """`show running-config all` prints `no priority-flow-control` under a port that has it from its profile."""
    text = port_text(
        "service-profile P",
        "no priority-flow-control",
        "no priority-flow-control priority 3",
        rest="qos profile P\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n",
    )
    got = qos(text)
    assert got.pfc is not None
    assert (got.pfc.admin, got.pfc.tx) == ("on", frozenset({3}))


def test_an_interface_profile_is_read_as_lines_of_the_interface() -> None:
    text = (
        "hostname leaf1\ninterface profile ROCE\n   command mtu 9214\n   command priority-flow-control on\n"
        "   command priority-flow-control priority 3 no-drop\n!\ninterface Ethernet1/1\n   profile ROCE\n"
    )
    port = read(text).ports["Ethernet1/1"]
    assert port.mtu == 9214
    assert port.qos.pfc is not None
    assert port.qos.pfc.tx == frozenset({3})


def test_the_forward_map_classifies_and_the_reverse_one_does_not() -> None:
    got = qos(LEAF)
    assert got.dscp_to_tc is not None
    assert got.dscp_to_tc.to[26] == 3
    assert got.dscp_to_tc.codes(3) == (*range(24, 32),)
    assert got.dscp_to_tc.to[46] == got.dscp_to_tc.to[48] == 5
    assert got.dscp_to_colour is not None
    assert [got.dscp_to_colour[code] for code in (26, 46, 48, 10)] == ["green", "yellow", "yellow", None]
    assert got.rewrite == (), "a rewrite value without qos rewrite dscp changes nothing"


def test_rewriting_is_what_the_reverse_map_says_once_it_is_turned_on() -> None:
    text = port_text("qos trust dscp", rest="qos map traffic-class 3 4 to dscp 18\nqos rewrite dscp\n")
    assert qos(text).rewrite == (("tc", 3, 18), ("tc", 4, 18))
    assert qos(text.replace("qos rewrite dscp\n", "")).rewrite == ()


def test_the_systems_maps_fill_what_no_line_states() -> None:
    got = qos(port_text("qos trust dscp"))
    assert got.dscp_to_tc is not None
    assert [got.dscp_to_tc.to[code] for code in (0, 7, 8, 15, 16, 26, 48, 63)] == [1, 1, 0, 0, 2, 3, 6, 7]
    assert got.pcp_to_tc is not None
    assert got.pcp_to_tc.to == (1, 0, 2, 3, 4, 5, 6, 7)
    assert got.default_tc == 1
    assert {"dscp_to_tc", "pcp_to_tc", "default_tc", "tc_to_queue"} <= got.defaulted


@pytest.mark.parametrize(
    ("lines", "trust"),
    [
        (("no switchport",), "dscp"),
        (("switchport mode trunk",), "pcp"),
        ((), "pcp"),
        (("no switchport", "default qos trust"), "dscp"),
        (("no switchport", "no qos trust"), "none"),
        (("qos trust dscp",), "dscp"),
    ],
)
def test_trust_follows_the_kind_of_port(lines: tuple[str, ...], trust: str) -> None:
    assert qos(port_text(*lines)).trust == trust


def test_class_seven_stays_in_queue_seven() -> None:
    got = qos(port_text(rest="qos map traffic-class 7 to tx-queue 2\nqos map traffic-class 2 to tx-queue 4\n"))
    assert got.tc_to_queue is not None
    assert got.tc_to_queue[:8] == (0, 1, 4, 3, 4, 5, 6, 7)
    assert got.priority_to_queue is not None
    assert got.priority_to_queue[2] == frozenset({4})


def test_queues_are_strict_by_default_and_the_higher_number_goes_first() -> None:
    queues = qos(LEAF).queues
    assert queues is not None
    assert [queue.scheduler if queue else None for queue in queues] == [
        "strict", "weighted", "strict", "weighted", "strict", "strict", "strict", "strict",
    ]  # fmt: skip
    assert [queue.rank if queue else None for queue in queues] == [6, None, 5, None, 4, 3, 2, 1]


def test_weights_are_percents_only_where_they_sum_to_a_hundred() -> None:
    body = "".join(f"   tx-queue {number}\n      no priority\n      bandwidth percent 60\n" for number in (1, 2, 3))
    queues = qos(f"hostname a\ninterface Ethernet1/1\n{body}").queues
    assert queues is not None
    assert {queue.weight_kind for queue in queues if queue is not None and queue.weight} == {"relative"}
    found = {finding.rule for finding in lint([read(f"hostname a\ninterface Ethernet1/1\n{body}")]).findings}
    assert "SCH-004" not in found


def test_multicast_queues_are_understood_and_left_out() -> None:
    queues = qos(
        port_text(rest="").replace("!\n", "   mc-tx-queue 3\n      no priority\n      bandwidth percent 9\n", 1)
    ).queues
    assert queues is not None
    assert queues[3] is not None
    assert queues[3].scheduler == "strict"


@pytest.mark.parametrize(
    ("unit", "amount"),
    [
        ("segments", Amount(320, "segment")),
        ("bytes", Amount(320, "byte", 320)),
        ("kbytes", Amount(320, "kbyte", 320_000)),
        ("mbytes", Amount(320, "mbyte", 320_000_000)),
        ("milliseconds", Amount(320_000_000, "ns")),
        ("microseconds", Amount(320_000, "ns")),
    ],
)
def test_thresholds_keep_their_unit(unit: str, amount: Amount) -> None:
    body = f"   tx-queue 3\n      random-detect ecn minimum-threshold 320 {unit} maximum-threshold 640 {unit}\n"
    queues = qos(f"hostname a\ninterface Ethernet1/1\n{body}").queues
    assert queues is not None
    assert queues[3] is not None
    assert queues[3].ecn is not None
    low = queues[3].ecn.curves[0].low
    assert low == amount
    assert low is not None
    assert low.bytes == amount.bytes
    assert queues[3].ecn.curves[0].probability is None, "what EOS marks with when the text is silent is not published"
    assert queues[3].ecn.weight == 0


def test_two_units_in_one_line_are_no_line_of_eos() -> None:
    text = "hostname a\ninterface Ethernet1\n   tx-queue 3\n      random-detect ecn minimum-threshold 3 kbytes maximum-threshold 9 bytes\n"
    assert [line.place.line for line in read(text).lines] == [4]


def test_ramps_by_drop_precedence_have_a_colour() -> None:
    body = "   tx-queue 2\n      random-detect drop drop-precedence 2 minimum-threshold 2 kbytes maximum-threshold 200 kbytes drop-probability 50\n"
    queues = qos(f"hostname a\ninterface Ethernet1/1\n{body}").queues
    assert queues is not None
    assert queues[2] is not None
    assert queues[2].wred == (Curve(Amount(2, "kbyte"), Amount(200, "kbyte"), 50, frozenset({"red"})),)


@pytest.mark.parametrize(
    ("line", "guarantee", "shaper"),
    [
        ("bandwidth guaranteed percent 10", 10 * 10**9, None),
        ("bandwidth guaranteed 100", 100_000, None),
        ("no bandwidth guaranteed", UNLIMITED, None),
        ("shape rate 40 percent", None, 40 * 10**9),
        ("shape rate 200000 kbps", None, 200_000_000),
        ("shape rate 700 pps", None, None),
        ("no shape rate", None, UNLIMITED),
    ],
)
def test_rates_of_a_queue(line: str, guarantee: int | None, shaper: int | None) -> None:
    queues = qos(f"hostname a\ninterface Ethernet1/1\n   speed forced 100gfull\n   tx-queue 4\n      {line}\n").queues
    assert queues is not None
    assert queues[4] is not None
    assert (queues[4].guarantee, queues[4].shaper) == (guarantee, shaper)


def test_the_watchdog_of_the_device_holds_on_a_port_and_its_own_action_wins() -> None:
    watchdog = qos(LEAF).watchdog
    assert watchdog is not None
    assert (watchdog.enabled, watchdog.detect, watchdog.restore, watchdog.poll) == (True, 250, 1500, 5)
    assert (watchdog.action, watchdog.priorities) == ("alert", frozenset({3}))


PFC = ("priority-flow-control on", "priority-flow-control priority 3 no-drop")


@pytest.mark.parametrize(
    ("lines", "rest", "enabled", "detect", "action"),
    [
        ((), "", False, None, None),
        (("priority-flow-control pause watchdog",), "", True, NEVER, "port-down"),
        (("no priority-flow-control pause watchdog",), "priority-flow-control pause watchdog default timeout 0.1\n", False, 100, None),
        ((), "priority-flow-control pause watchdog default timeout 0.0\n", False, NEVER, None),
        ((), "priority-flow-control pause watchdog default timeout 60\n", True, 60_000, "port-down"),
        ((), "priority-flow-control pause watchdog default timeout 0.05\npriority-flow-control pause watchdog action drop\n", True, 50, "drop"),
        ((), "priority-flow-control pause watchdog default timeout 0.05\npriority-flow-control pause watchdog action errdisable\n", True, 50, "port-down"),
        (
            ("priority-flow-control pause watchdog port action notify-only",),
            "priority-flow-control pause watchdog default timeout 0.05\npriority-flow-control pause watchdog override action drop\n",
            True, 50, "drop",
        ),
        (
            ("priority-flow-control pause watchdog port timer timeout 0.05 polling-interval auto recovery-time 1.11 forced",),
            "", True, 50, "port-down",
        ),
    ],
)  # fmt: skip
def test_the_watchdog_runs_once_it_has_a_timeout(
    lines: tuple[str, ...], rest: str, enabled: bool, detect: int | None, action: str | None
) -> None:
    watchdog = qos(port_text(*PFC, *lines, rest=rest)).watchdog
    assert watchdog is not None
    assert (watchdog.enabled, watchdog.detect, watchdog.action) == (enabled, detect, action)


def test_the_kill_switch_turns_all_pfc_off() -> None:
    device = read(port_text(*PFC, rest="priority-flow-control all off\n"))
    assert device.pfc_enabled is False
    pfc = device.ports["Ethernet1/1"].qos.pfc
    assert pfc is not None
    assert pfc.sends() == frozenset()
    found = {finding.rule for finding in lint([device]).findings}
    assert "PFC-013" in found


def test_an_applied_profile_sizes_the_lossless_groups_alone() -> None:
    got = qos(LEAF)
    group, lossy = got.priority_group(3), got.priority_group(2)
    assert group is not None
    assert group.lossless is True
    assert group.xoff_at == Dynamic(Fraction(1, 4))
    assert group.headroom is not None
    assert group.headroom.amount == Amount(650, "cell")
    assert lossy is not None
    assert (lossy.lossless, lossy.headroom, lossy.xoff_at) == (False, None, None)


def test_marks_on_the_shared_buffer_leave_no_queue_without_ecn() -> None:
    line = "qos random-detect ecn global-buffer minimum-threshold 2 mbytes maximum-threshold 6 mbytes\n"
    device = read(port_text(*PFC, "qos trust dscp", rest=line))
    assert device.ecn_on_pool == Ecn((Curve(Amount(2, "mbyte"), Amount(6, "mbyte"), None),))
    queue = device.ports["Ethernet1/1"].qos.queue(3)
    assert queue is not None
    assert queue.ecn is None
    assert "ECN-002" not in {finding.rule for finding in lint([device]).findings}
    assert "ECN-002" in {finding.rule for finding in lint([read(port_text(*PFC, "qos trust dscp"))]).findings}


def test_a_profile_that_is_not_applied_sizes_nothing() -> None:
    device = read(LEAF.replace("platform trident mmu queue profile LOSSLESS apply\n", ""))
    group = device.ports["Ethernet1/1"].qos.priority_group(3)
    assert group is not None
    assert group.headroom is None
    assert [item.name for item in device.objects if item.kind.startswith("platform") and not item.used] == ["LOSSLESS"]


def test_a_profile_of_a_port_is_reported_because_nobody_published_the_line() -> None:
    device = read(port_text("mtu 9214", "platform trident mmu queue profile FAST"))
    assert [line.text for line in device.lines] == ["platform trident mmu queue profile FAST"]


def test_pause_dcbx_and_default_marks() -> None:
    got = qos(LEAF, "Ethernet2/1")
    assert got.link_pause == LinkPause(rx=True, tx=None)
    assert got.dcbx == Dcbx(state="ieee")
    assert got.default_tc == 5
    assert qos(LEAF).dcbx == Dcbx(state="off")
    assert qos(LEAF).link_pause == LinkPause(rx=False, tx=False)


POLICY = """\
hostname leaf1
class-map type qos match-any ROCE
   match dscp af31 cs3
class-map type qos match-any VOICE
   match ip access-group VOICE
policy-map type quality-of-service IN
   class ROCE
      set traffic-class 3
   !
   class class-default
      set traffic-class 1
!
interface Ethernet1/1
   service-policy type qos input IN
"""


def test_an_input_policy_classifies() -> None:
    got = qos(POLICY)
    assert got.trust == "both"
    assert got.dscp_to_tc is not None
    assert got.dscp_to_tc.codes(3) == (24, 26)
    assert got.dscp_to_tc.to[0] == got.default_tc == 1


def test_what_an_access_list_decides_stays_unknown() -> None:
    text = POLICY.replace("   class ROCE\n", "   class VOICE\n      set traffic-class 5\n   class ROCE\n")
    got = qos(text)
    assert got.dscp_to_tc is not None
    assert set(got.dscp_to_tc.to) == {None}
    assert got.default_tc is None


def test_a_class_of_marked_packets_alone_decides_no_dscp() -> None:
    got = qos(POLICY.replace("match dscp af31 cs3", "match dscp af31 ecn ce"))
    assert not read(POLICY.replace("match dscp af31 cs3", "match dscp af31 ecn ce")).lines
    assert got.dscp_to_tc is not None
    assert got.dscp_to_tc.to[26] is None


def test_ports_of_a_channel_share_what_either_says() -> None:
    text = (
        "hostname a\ninterface Port-Channel3\n   qos trust dscp\n   service-profile P\n"
        "interface Ethernet3\n   channel-group 3 mode active\ninterface Ethernet4\n   channel-group 3 mode active\n"
        "qos profile P\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n"
    )
    device = read(text)
    assert device.lags is not None
    assert device.lags[0].members == ("Ethernet3", "Ethernet4")
    assert device.ports["Ethernet3"].lag == "Port-Channel3"
    assert device.ports["Ethernet4"].qos == device.ports["Port-Channel3"].qos
    assert device.ports["Ethernet4"].qos.trust == "dscp"


def test_names_that_are_not_defined_are_reported_with_the_nearest() -> None:
    device = read(LEAF.replace("service-profile GPU", "service-profile GPUS"))
    (missing,) = [item for item in device.objects if not item.defined]
    assert (missing.kind, missing.name, missing.near) == ("qos profile", "GPUS", "GPU")
    assert missing.place is not None
    assert missing.place.line == 44
    assert {"REF-001", "REF-002"} <= {finding.rule for finding in lint([device]).findings}


def test_places_point_at_the_line_that_decides() -> None:
    port = read(LEAF).ports["Ethernet1/1"]
    lines = LEAF.splitlines()

    def words(leaf: str) -> str:
        place = port.where(leaf)
        assert place is not None
        return lines[place.line - 1].strip()

    assert words("pfc") == "priority-flow-control on"
    assert words("pfc.tx") == "priority-flow-control priority 3 no-drop"
    assert words("queues.3.ecn").startswith("random-detect ecn minimum-threshold")
    assert words("queues.3.weight") == "bandwidth percent 90"
    assert words("watchdog.detect") == "priority-flow-control pause watchdog default timeout 0.25"
    assert words("mtu") == "mtu 9214"
    assert words("priority_groups.3.headroom") == "ingress headroom cells 650"
    assert words("priority_groups.3.xoff_at") in {"ingress threshold 1/16", "ingress priority-group 3 threshold 1/4"}
    assert words("dscp_to_tc") == "qos map dscp 26 to traffic-class 3"
    assert words("tc_to_queue") == "qos map traffic-class 5 to tx-queue 6"


def test_nothing_is_filled_in_where_the_text_is_not_whole() -> None:
    whole = read(LEAF)
    device = read(LEAF, complete=False)
    assert not device.complete
    other = device.ports["Ethernet2/1"].qos
    assert (other.trust, other.watchdog and other.watchdog.enabled) == (None, True)
    assert other.queues is not None
    assert other.queues[0] is None
    assert whole.ports["Ethernet2/1"].qos.trust == "pcp"


def test_what_a_text_states_is_apart_from_the_defaults() -> None:
    capture = Capture("", "eos", (Text("a.cfg", port_text("mtu 9214")),), file="a.cfg")
    assert stated(capture).ports["Ethernet1/1"].qos == PortQos()
