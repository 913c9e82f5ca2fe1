"""Reading running configurations of NX-OS: each trap once, on small texts of our own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rocecfg.errors import ReadError
from rocecfg.state.capture import Capture, Text
from rocecfg.state.model import (
    UNLIMITED,
    Amount,
    Curve,
    Device,
    Dynamic,
    Ecn,
    Headroom,
    Named,
    PortQos,
    Queue,
    Static,
)
from rocecfg.state.parse import parse, stated

POLICIES = """\
class-map type qos match-any ROCE
  match dscp 26
class-map type qos match-all CNP
  match dscp 48
policy-map type qos QOS-IN
  class ROCE
    set qos-group 3
  class CNP
    set qos-group 6
  class class-default
    set qos-group 0
policy-map type network-qos NQ
  class type network-qos c-8q-nq3
    mtu 9216
    pause pfc-cos 3
  class type network-qos c-8q-nq-default
    mtu 9216
policy-map type queuing Q-OUT
  class type queuing c-out-8q-q7
    priority level 1
  class type queuing c-out-8q-q3
    bandwidth remaining percent 60
    random-detect minimum-threshold 150 kbytes maximum-threshold 3000 kbytes drop-probability 7 weight 0 ecn
  class type queuing c-out-8q-q-default
    bandwidth remaining percent 40
system qos
  service-policy type network-qos NQ
  service-policy type queuing output Q-OUT
"""
PORT = """\
interface Ethernet1/1
  description host port
  no switchport
  mtu 9216
  priority-flow-control mode on
  priority-flow-control watch-dog-interval on
  service-policy type qos input QOS-IN
  ip address 192.0.2.0/31
  no shutdown
"""
CONFIG = f"hostname leaf1\npriority-flow-control watch-dog-interval on\n{POLICIES}\n{PORT}"


def read(content: str, *, complete: bool | None = None) -> Device:
    return parse(Capture("", "nxos", (Text("leaf1.cfg", content, complete=complete),), file="leaf1.cfg"))


def qos_of(content: str, port: str = "Ethernet1/1") -> PortQos:
    return read(content).ports[port].qos


def with_port_lines(*lines: str) -> str:
    return CONFIG + "".join(f"  {line}\n" for line in lines)


def line_of(content: str, text: str) -> int:
    return next(number for number, line in enumerate(content.splitlines(), 1) if text in line)


def named(device: Device, name: str, kind: str = "") -> Named:
    return next(item for item in device.objects if item.name == name and item.kind.startswith(kind))


def test_what_is_in_force_on_a_port() -> None:
    device = read(CONFIG)
    port = device.ports["Ethernet1/1"]
    qos = port.qos
    assert device.name == "leaf1"
    assert not device.lines
    assert device.lines_read == 33
    assert (port.mtu, port.mode, port.enabled) == (9216, "routed", True)
    assert qos.trust == "dscp"
    assert qos.dscp_to_tc is not None
    assert (qos.dscp_to_tc.codes(3), qos.dscp_to_tc.codes(6), len(qos.dscp_to_tc.codes(0))) == ((26,), (48,), 62)
    assert qos.pfc is not None
    assert qos.pfc.sends() == qos.pfc.honours() == frozenset({3})
    assert (qos.pfc.by, qos.pfc.gate, device.pfc_enabled) == ("internal", True, True)
    queue = qos.queue(3)
    assert queue is not None
    assert queue.ecn == Ecn((Curve(Amount(150, "kbyte"), Amount(3000, "kbyte"), 7),), weight=0, non_ect="drop")
    assert (queue.wred, queue.scheduler, queue.weight, queue.weight_kind) == ((), "weighted", 60, "percent-of-rest")
    assert qos.queue(7) == Queue("strict", rank=1, ecn=Ecn(), wred=(), shaper=UNLIMITED)
    assert qos.watchdog is not None
    assert (qos.watchdog.enabled, qos.watchdog.priorities, qos.watchdog.poll, qos.watchdog.detect) == (
        True,
        frozenset({3}),
        100,
        None,
    )
    group = qos.priority_group(3)
    assert group is not None
    assert (group.lossless, group.mtu, group.headroom) == (True, 9216, Headroom(by="box"))
    assert qos.tc_to_queue == qos.tc_to_pg == (*range(8), *([None] * 8))
    assert qos.lossless_tcs() == frozenset({3})


def test_places_point_at_the_lines_that_decide() -> None:
    port = read(CONFIG).ports["Ethernet1/1"]
    expected = {
        "": "interface Ethernet1/1",
        "pfc.admin": "  priority-flow-control mode on",
        "trust": "service-policy type qos input QOS-IN",
        "dscp_to_tc": "match dscp 26",
        "dscp_to_tc.48": "match dscp 48",
        "queues.3.ecn": "random-detect",
        "queues.3.wred": "random-detect",
        "queues.7.rank": "priority level 1",
        "queues.5": "service-policy type queuing output Q-OUT",
        "priority_groups.3.lossless": "pause pfc-cos 3",
        "priority_groups.3.mtu": "    mtu 9216",
        "priority_groups.3.headroom": "class type network-qos c-8q-nq3",
    }
    for leaf, text in expected.items():
        place = port.where(leaf)
        assert place is not None
        assert place.line == line_of(CONFIG, text), leaf
    watchdog = port.where("watchdog")
    assert watchdog is not None
    assert watchdog.line == CONFIG.splitlines().index("  priority-flow-control watch-dog-interval on") + 1


def test_a_missing_watchdog_points_at_the_line_that_makes_pfc_live() -> None:
    content = CONFIG.replace("  priority-flow-control watch-dog-interval on\n", "").replace(
        "  service-policy type qos input QOS-IN\n", ""
    )
    port = read(content).ports["Ethernet1/1"]
    assert port.qos.watchdog is not None
    assert port.qos.watchdog.enabled is False
    assert port.qos.trust == "none"
    for leaf in ("watchdog", "trust", "dscp_to_tc"):
        place = port.where(leaf)
        assert place is not None
        assert place.line == line_of(content, "  priority-flow-control mode on")


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("CRLF", lambda text: text.replace("\n", "\r\n")),
        ("blank lines", lambda text: text.replace("\n", "\n\n")),
        ("comments", lambda text: "!RANCID-CONTENT-TYPE: cisco-nx\n! qos.j2\n" + text.replace("\n  ", "\n!\n  ")),
        ("trailing blanks", lambda text: text.replace("\n", "  \n")),
        ("one blank deep", lambda text: text.replace("\n    ", "\n  ").replace("\n  ", "\n ")),
        ("four blanks deep", lambda text: text.replace("\n  ", "\n      ")),
        ("tabs", lambda text: text.replace("\n    ", "\n\t\t").replace("\n  ", "\n\t")),
        ("all the same depth", lambda text: text.replace("\n    ", "\n  ")),
        ("banner", lambda text: "banner motd #\ninterface Ethernet1/1\n  mtu 1500\nclass-map X\n#\n" + text),
        ("banner with caret", lambda text: "banner motd ^C\nsystem qos\n^C\n" + text),
        ("no last newline", lambda text: text.rstrip("\n")),
        ("blank in the name", lambda text: text.replace("Ethernet1/1", "Ethernet 1/1")),
        ("range of one", lambda text: text.replace("Ethernet1/1", "Ethernet1/1-1")),
        ("no-stats", lambda text: text.replace("input QOS-IN", "input QOS-IN no-stats")),
        (
            "pause before mtu",
            lambda text: text.replace("    mtu 9216\n    pause pfc-cos 3", "    pause pfc-cos 3\n    mtu 9216"),
        ),
        ("policy after the port", lambda text: text.replace(POLICIES, "") + POLICIES),
        ("class type qos", lambda text: text.replace("  class ROCE", "  class type qos ROCE")),
        (
            "no type",
            lambda text: text.replace("class-map type qos", "class-map").replace("policy-map type qos", "policy-map"),
        ),
    ],
)
def test_the_same_configuration_in_other_clothes(name: str, change) -> None:  # type: ignore[no-untyped-def]
    device = read(change(CONFIG))
    assert not device.lines, name
    assert device.ports == read(CONFIG).ports


FOREIGN = """\
vpc domain 1
  peer-keepalive destination 192.0.2.1
nve pool
  mtu 1500
  priority-flow-control mode off
router bgp 65000
  neighbor 192.0.2.1
    service-policy type qos input NOT-OURS
class-map type control-plane match-any copp-s-bfd
  match access-group name acl
policy-map type control-plane copp
  class copp-s-bfd
    police pps 350
control-plane
  service-policy input copp
interface Vlan7
  mtu 1500
  service-policy type qos input NOT-OURS
interface mgmt0
  mtu 1500
interface Ethernet1/1.100
  mtu 1500
"""


def test_foreign_sections_change_nothing_wherever_they_stand() -> None:
    whole = read(CONFIG)
    lines = CONFIG.splitlines(keepends=True)
    tops = [number for number, line in enumerate(lines) if not line.startswith(" ")]
    for number in [*tops, len(lines)]:
        device = read("".join(lines[:number]) + FOREIGN + "".join(lines[number:]))
        assert device.ports == whole.ports
        assert not device.lines
        assert [(o.kind, o.name, o.used) for o in device.objects] == [(o.kind, o.name, o.used) for o in whole.objects]


def test_lines_nobody_understands_are_reported_with_their_place() -> None:
    bad = (
        "priority-flow-control watch-dog-interval 200",  # the command takes on or off
        "priority-flow-control mode maybe",
        "mtu 9216 bytes",
        "mtu 99999",
        "service-policy type queueing output Q-OUT",
        "flowcontrol receive perhaps",
        "lldp something new",
    )
    content = with_port_lines(*bad)
    device = read(content)
    assert [line.text for line in device.lines] == list(bad)
    assert [line.place.line for line in device.lines] == [line_of(content, line) for line in bad]
    found, plain = device.ports["Ethernet1/1"].qos, read(CONFIG).ports["Ethernet1/1"].qos
    assert found.link_pause is None, "what one of these lines may have set"
    known = replace(found, link_pause=plain.link_pause, watchdog=plain.watchdog, defaulted=plain.defaulted)
    assert known == plain
    assert {**device.ports, "Ethernet1/1": None} == {**read(CONFIG).ports, "Ethernet1/1": None}


@pytest.mark.parametrize(
    "line",
    [
        "random-detect ecn minimum-threshold 100 maximum-threshold 200",
        "random-detect minimum-threshold 100 cells maximum-threshold 200 cells drop-probability 7 weight 0 ecn",
        "random-detect minimum-threshold 1 kbytes maximum-threshold 2 kbytes drop-probability 101 weight 0 ecn",
        "priority level 9",
        "bandwidth remaining percent 101",
        "pause buffer-size 20000",
        "queue-limit dynamic 11",
        "shape min 1 pps max 2 pps",
    ],
)
def test_a_queue_setting_that_is_none_is_reported(line: str) -> None:
    content = CONFIG.replace(
        "    bandwidth remaining percent 40\n", f"    bandwidth remaining percent 40\n    {line}\n"
    )
    device = read(content)
    assert [item.text for item in device.lines] == [line]
    plain = read(CONFIG).ports
    if line.startswith("random-detect"):  # what it may have set is not known: no default stands for it
        assert all(port.qos.queues[2].ecn is None for port in device.ports.values())
        assert {name: replace(port, qos=replace(port.qos, queues=None)) for name, port in device.ports.items()} == {
            name: replace(port, qos=replace(port.qos, queues=None)) for name, port in plain.items()
        }
    else:
        assert device.ports == plain


def test_settings_at_the_margin_belong_to_the_section_above_that_knows_them() -> None:
    content = CONFIG.replace("    set qos-group 3", "set qos-group 3")
    device = read(content)
    assert not device.lines
    assert device.ports == read(CONFIG).ports


def test_settings_at_the_margin_below_a_foreign_line_are_reported() -> None:
    content = CONFIG.replace("system qos\n", "ntp server 192.0.2.1\nset qos-group 3\nsystem qos\n")
    device = read(content)
    assert [line.text for line in device.lines] == ["set qos-group 3"]
    assert device.lines[0].place.line == line_of(content, "ntp server") + 1
    assert device.ports == read(CONFIG).ports


def classified(class_maps: str, policy: str) -> PortQos:
    content = CONFIG.replace(
        POLICIES[: POLICIES.index("policy-map type network-qos")], f"{class_maps}policy-map type qos QOS-IN\n{policy}"
    )
    return qos_of(content)


def test_class_maps_by_name_range_list_and_precedence() -> None:
    maps = (
        "class-map type qos match-any A\n  match dscp af31,ef 1-3\n  match dscp 63\n"
        "class-map type qos match-any B\n  match precedence 4\n"
        "class-map type qos match-any C\n  match access-group name acl\n  match dscp cs6\n"
    )
    qos = classified(
        maps, "  class A\n    set qos-group 3\n  class B\n    set qos-group 4\n  class C\n    set qos-group 6\n"
    )
    assert qos.dscp_to_tc is not None
    assert qos.dscp_to_tc.codes(3) == (1, 2, 3, 26, 46, 63)
    assert qos.dscp_to_tc.codes(4) == tuple(range(32, 40))
    assert qos.dscp_to_tc.codes(6) == (48,)
    assert qos.trust == "dscp"
    assert qos.pcp_to_tc is None


def test_the_first_class_that_matches_wins_and_match_all_is_an_intersection() -> None:
    maps = (
        "class-map type qos match-all A\n  match dscp 24-31\n  match dscp 26\n"
        "class-map type qos match-any B\n  match dscp 24-31\n"
        "class-map type qos match-all C\n  match dscp 40\n  match cos 3\n"
    )
    policy = "  class A\n    set qos-group 3\n  class B\n    set qos-group 2\n  class C\n    set qos-group 5\n  class class-default\n    set qos-group 1\n"
    qos = classified(maps, policy)
    assert qos.dscp_to_tc is not None
    assert qos.dscp_to_tc.codes(3) == (26,)
    assert qos.dscp_to_tc.codes(2) == (24, 25, 27, 28, 29, 30, 31)
    assert qos.dscp_to_tc.to[40] is None, "DSCP 40 goes to group 5 only with CoS 3: the code alone does not tell"
    assert qos.dscp_to_tc.to[0] == qos.default_tc == 1
    assert qos.trust == "both"


def test_cos_classes_trust_the_tag_only() -> None:
    qos = classified("class-map type qos match-all A\n  match cos 3,5-6\n", "  class A\n    set qos-group 3\n")
    assert (qos.trust, qos.dscp_to_tc) == ("pcp", None)
    assert qos.pcp_to_tc is not None
    assert qos.pcp_to_tc.to == (0, 0, 0, 3, 0, 3, 3, 0)


def test_remarking_is_a_rewrite() -> None:
    qos = classified(
        "class-map type qos match-any A\n  match dscp 26\n", "  class A\n    set qos-group 3\n    set dscp 0\n"
    )
    assert qos.rewrite == (("dscp", 26, 0),)
    assert qos_of(CONFIG).rewrite == ()


OLD = """\
class-map type queuing RDMA
  match qos-group 3
class-map type network-qos RDMA
  match qos-group 3
policy-map type network-qos NQ
  class type network-qos RDMA
    mtu 2240
    pause no-drop
  class type network-qos class-default
    mtu 9216
policy-map type queuing Q-IN
  class type queuing RDMA
    pause buffer-size 101920 pause-threshold 46800 resume-threshold 34320
  class type queuing class-default
policy-map type queuing Q-OUT
  class type queuing RDMA
    bandwidth percent 50
  class type queuing class-default
    bandwidth percent 50
system qos
  service-policy type network-qos NQ
  service-policy type queuing output Q-OUT
interface Ethernet1/3/1
  priority-flow-control mode on
  service-policy type queuing input Q-IN
"""


def test_the_older_no_drop_form_under_user_classes() -> None:
    device = read("hostname old\n" + OLD)
    port = device.ports["Ethernet1/3/1"]
    group = port.qos.priority_group(3)
    assert group is not None
    assert (group.lossless, group.mtu) == (True, 2240)
    assert group.headroom == Headroom(Amount(101_920 - 46_800), by="stated")
    assert group.xoff_at == Static(Amount(46_800))
    assert group.xon_at == Amount(34_320)
    assert port.qos.pfc is not None
    assert port.qos.pfc.sends() == frozenset({3})
    queue = port.qos.queue(3)
    assert queue is not None
    assert (queue.weight, queue.weight_kind, queue.ecn) == (50, "percent-of-link", Ecn())
    place = port.where("queues.3.ecn")
    assert place is not None
    assert place.line == line_of("hostname old\n" + OLD, "pause no-drop"), "no-drop without ECN is decided there"


def test_a_network_qos_class_that_nobody_defines_binds_to_nothing() -> None:
    content = CONFIG.replace("c-8q-nq3", "NQ-RDMA").replace("c-8q-nq-default", "class-default")
    device = read(content)
    assert device.ports["Ethernet1/1"].qos.lossless_priorities() == frozenset()
    item = named(device, "NQ-RDMA")
    assert (item.used, item.defined, item.system, item.kind) == (True, False, False, "class-map type network-qos")
    assert item.place is not None
    assert item.place.line == line_of(content, "NQ-RDMA")


def test_policies_unattached_undefined_and_of_the_system() -> None:
    content = (
        CONFIG.replace("input QOS-IN", "input QOS-INN") + "  service-policy type queuing output default-8q-out-policy\n"
    )
    content += "policy-map type queuing SPARE\n  class type queuing c-out-8q-q3\n    bandwidth remaining percent 1\n"
    device = read(content)
    assert (named(device, "SPARE").used, named(device, "SPARE").matters) == (False, True)
    missing = named(device, "QOS-INN")
    assert (missing.defined, missing.used, missing.near) == (False, True, "QOS-IN")
    assert named(device, "default-8q-out-policy").system
    qos = device.ports["Ethernet1/1"].qos
    assert qos.trust is None
    assert set(qos.dscp_to_tc.to) == {None}  # type: ignore[union-attr]
    queue = qos.queue(0)
    assert queue is not None
    assert queue.weight == 100


def test_part_of_a_configuration_has_no_broken_references() -> None:
    only_ports = read(PORT)
    assert only_ports.complete == frozenset({"interfaces"})
    assert not only_ports.objects
    assert only_ports.ports["Ethernet1/1"].qos.trust is None
    only_policies = read(POLICIES)
    assert "all" not in only_policies.complete
    assert not [item for item in only_policies.objects if item.matters and not item.used]
    system = only_policies.ports["system qos"].qos.queue(3)
    assert system is not None
    assert system.ecn is not None
    assert system.ecn.curves, "policies without ports are judged by what system qos puts on every port"


@pytest.mark.parametrize(
    ("command", "complete"),
    [
        ("show running-config", frozenset({"all"})),
        ("show running-config all", frozenset({"all"})),
        ("show startup-config", frozenset({"all"})),
        ("show running-config ipqos", frozenset({"qos", "maps", "buffers"})),
        ("show running-config interface Ethernet1/1", frozenset()),
    ],
)
def test_a_command_that_prints_a_part_proves_no_more(command: str, complete: frozenset[str]) -> None:
    text = Text("leaf1.cfg", CONFIG, command)
    assert stated(Capture("", "nxos", (text,), file="leaf1.cfg")).complete == complete
    assert read(f"\n!Command: {command}\n!Time: Mon Nov 30 10:00:00 2026\n\n{CONFIG}").complete == complete


def test_ranges_overlap_and_the_last_line_wins() -> None:
    content = (
        CONFIG
        + "interface Ethernet 1/1-1/4, Ethernet1/9\n  mtu 9000\ninterface Ethernet1/2\n  mtu 1600\n  no service-policy type qos input QOS-IN\n"
    )
    device = read(content)
    assert list(device.ports) == [f"Ethernet1/{number}" for number in (1, 2, 3, 4, 9)]
    assert [port.mtu for port in device.ports.values()] == [9000, 1600, 9000, 9000, 9000]


def test_port_channel_and_members_share_settings_both_ways() -> None:
    channel = "interface port-channel50\n  priority-flow-control mode on\n  mtu 9216\ninterface port-channel60\n  no shutdown\n"
    members = "".join(f"interface Ethernet1/4{n}\n  channel-group 50 mode active\n" for n in (1, 2))
    members += "".join(
        f"interface Ethernet1/5{n}\n  channel-group 60\n  priority-flow-control mode on send-tlv\n" for n in (1, 2)
    )
    content = CONFIG + channel + members
    device = read(content)
    member, owner = device.ports["Ethernet1/42"], device.ports["port-channel60"]
    assert member.lag == "port-channel50"
    assert member.mtu == 9216
    assert member.qos.pfc is not None
    assert member.qos.pfc.admin == "on"
    place = member.where("pfc")
    assert place is not None
    assert place.line == line_of(content, "interface port-channel50") + 1
    assert owner.qos.pfc is not None
    assert owner.qos.pfc.admin == "on"
    assert owner.qos.dcbx is not None
    assert owner.qos.dcbx.advertises == frozenset({"pfc"})
    assert {lag.name: lag.members for lag in device.lags or ()} == {
        "port-channel50": ("Ethernet1/41", "Ethernet1/42"),
        "port-channel60": ("Ethernet1/51", "Ethernet1/52"),
    }


def test_interface_types_of_other_systems_are_shown() -> None:
    content = (
        CONFIG
        + "interface TenGigEthernet 1/3\n  mtu 9000\ninterface TenGigEthernet 1/4\n  priority-flow-control mode on\ninterface loopbackloopback0\n"
    )
    device = read(content)
    assert list(device.ports) == ["Ethernet1/1"]
    item = named(device, "TenGigEthernet")
    assert item.inert
    assert item.place is not None
    assert item.place.line == line_of(content, "TenGigEthernet 1/3")
    assert named(device, "loopbackloopback").inert
    assert [line.text for line in device.lines] == ["priority-flow-control mode on"]


def test_defaults_of_a_whole_text() -> None:
    device = read("version 9.3(8)\nhostname bare\ninterface Ethernet1/7\n  no shutdown\n")
    port = device.ports["Ethernet1/7"]
    qos = port.qos
    assert (port.mtu, qos.trust, qos.default_tc) == (1500, "none", 0)
    assert qos.pfc is not None
    assert (qos.pfc.admin, qos.pfc.tx, qos.pfc.sends()) == ("auto", frozenset(), None)
    assert qos.link_pause is not None
    assert (qos.link_pause.rx, qos.link_pause.tx) == (False, False)
    assert qos.watchdog is not None
    assert qos.watchdog.enabled is False
    top, rest = qos.queue(7), qos.queue(0)
    assert top is not None
    assert rest is not None
    assert (top.scheduler, top.rank, rest.weight) == ("strict", 1, 100)
    assert {"pfc.admin", "trust", "queues", "link_pause.rx", "watchdog.enabled"} <= qos.defaulted


def test_spelling_out_the_defaults_changes_nothing() -> None:
    spelt = with_port_lines(
        "flowcontrol receive off", "flowcontrol send off", "lldp transmit", "lldp receive", "no lldp tlv-set vlan"
    )
    spelt = spelt.replace("interface Ethernet1/1\n", "interface Ethernet1/1\n  priority-flow-control mode auto\n")
    assert not read(spelt).lines
    assert read(spelt).ports == read(CONFIG).ports


def test_nothing_is_assumed_where_the_text_was_cut() -> None:
    for content in (CONFIG, CONFIG + "--More--\n", CONFIG + "banner motd #\nnever ends\n"):
        device = read(content, complete=False if content == CONFIG else None)
        qos = device.ports["Ethernet1/1"].qos
        assert device.complete == frozenset()
        assert device.pfc_enabled is None
        assert qos.link_pause is None
        assert qos.queue(5) == Queue(shaper=UNLIMITED)


def test_the_kill_switch_turns_all_pfc_off() -> None:
    device = read("priority-flow-control override-interface mode off\n" + CONFIG)
    qos = device.ports["Ethernet1/1"].qos
    assert device.pfc_enabled is False
    assert qos.pfc is not None
    assert qos.pfc.gate is False
    assert qos.pfc.sends() == frozenset()
    assert device.place is not None
    assert device.place.line == 1


def test_watchdog_needs_both_lines_and_takes_its_times_from_the_device() -> None:
    off = qos_of(CONFIG.replace("leaf1\npriority-flow-control watch-dog-interval on\n", "leaf1\n")).watchdog
    assert off is not None
    assert off.enabled is False
    times = (
        "priority-flow-control watch-dog interval 200\npriority-flow-control watch-dog shutdown-multiplier 3\n"
        "priority-flow-control auto-restore multiplier 10\npriority-flow-control fixed-restore multiplier 5\n"
    )
    timed = qos_of(times + CONFIG).watchdog
    assert timed is not None
    assert (timed.poll, timed.detect, timed.restore, timed.action) == (200, 600, 3000, "drop")
    alone = qos_of(
        times + with_port_lines("priority-flow-control watch-dog-interval on disable-action interface-multiplier 2")
    ).watchdog
    assert alone is not None
    assert (alone.detect, alone.action) == (400, "alert")
    none = qos_of(with_port_lines("no priority-flow-control watch-dog-interval")).watchdog
    assert none is not None
    assert none.enabled is False


def test_wred_without_the_word_ecn_drops() -> None:
    queue = qos_of(CONFIG.replace(" weight 0 ecn", " weight 0")).queue(3)
    assert queue is not None
    assert queue.ecn == Ecn()
    assert queue.wred == (Curve(Amount(150, "kbyte"), Amount(3000, "kbyte"), 7),)
    preset = qos_of(
        CONFIG.replace(
            "random-detect minimum-threshold 150 kbytes maximum-threshold 3000 kbytes drop-probability 7 weight 0 ecn",
            "random-detect threshold burst-optimized ecn",
        )
    ).queue(3)
    assert preset is not None
    assert preset.ecn == Ecn((Curve(None, None, None),), non_ect="drop")
    in_bytes = qos_of(CONFIG.replace("150 kbytes", "150000 bytes").replace(" weight 0 ecn", " ecn")).queue(3)
    assert in_bytes is not None
    assert in_bytes.ecn is not None
    assert in_bytes.ecn.curves[0].low == Amount.of_bytes(150_000)
    assert in_bytes.ecn.weight is None


def test_limits_and_shapers_of_a_queue() -> None:
    queue = qos_of(
        CONFIG.replace("percent 60\n", "percent 60\n    queue-limit dynamic 5\n    shape min 1 gbps max 10 gbps\n")
    ).queue(3)
    assert queue is not None
    assert (queue.limit, queue.guarantee, queue.shaper) == (Dynamic(index=5), 10**9, 10**10)


@pytest.mark.parametrize(
    "content",
    ["", "  \n", "\x00\x01binary", '{"a": 1}', "hostname x\n", "no such text\n", "% Invalid command at '^' marker.\n"],
)
def test_what_is_no_configuration_is_an_error_that_names_the_file(content: str) -> None:
    with pytest.raises(ReadError, match=r"leaf1\.cfg"):
        stated(Capture("", "nxos", (Text("leaf1.cfg", content),), file="leaf1.cfg"))
