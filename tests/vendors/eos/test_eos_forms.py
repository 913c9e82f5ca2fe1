"""The forms a configuration of EOS comes in: printed, with defaults, pasted from a session, typed as a script."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rocecfg.errors import ReadError
from rocecfg.state.capture import Capture, Text
from rocecfg.state.parse import parse
from rocecfg.vendor import registry

if TYPE_CHECKING:
    from rocecfg.state.model import Device


def read(text: str, **more: object) -> Device:
    return parse(Capture("", "eos", (Text("leaf1.cfg", text, **more),), file="leaf1.cfg"))  # type: ignore[arg-type]


PRINTED = """\
hostname leaf1
!
qos profile ROCE
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   !
   tx-queue 3
      no priority
      bandwidth percent 95
      random-detect ecn minimum-threshold 512 kbytes maximum-threshold 768 kbytes max-mark-probability 100
   !
   tx-queue 6
      priority strict
!
interface Ethernet1/1
   no switchport
   mtu 9214
   service-profile ROCE
   !
   tx-queue 3
      random-detect ecn count
!
qos map dscp 26 to traffic-class 3
priority-flow-control pause watchdog default timeout 0.20
!
end
"""
SESSION = """\
leaf1(config)# qos map dscp 26 to traffic-class 3
leaf1(config)# qos profile ROCE
leaf1(config-qos-profile-ROCE)# qos trust dscp
leaf1(config-qos-profile-ROCE)# priority-flow-control on
leaf1(config-qos-profile-ROCE)# priority-flow-control priority 3 no-drop
leaf1(config-qos-profile-ROCE)# tx-queue 3
leaf1(config-qos-profile-ROCE-txq-3)# no priority
leaf1(config-qos-profile-ROCE-txq-3)# bandwidth percent 95
leaf1(config-qos-profile-ROCE-txq-3)# random-detect ecn minimum-threshold 512 kbytes maximum-threshold 768 kbytes max-mark-probability 100
leaf1(config-qos-profile-ROCE-txq-3)# tx-queue 6
leaf1(config-qos-profile-ROCE-txq-6)# priority strict
leaf1(config)# interface Ethernet1/1
leaf1(config-if-Et1/1)# no switchport
leaf1(config-if-Et1/1)# mtu 9214
leaf1(config-if-Et1/1)# service-profile ROCE
leaf1(config-if-Et1/1)# tx-queue 3
leaf1(config-if-Et1/1-txq-3)# random-detect ecn count
leaf1(config-if-Et1/1-txq-3)# exit
leaf1(config-if-Et1/1)# exit
leaf1(config)# priority-flow-control pause watchdog default timeout 0.20
"""


def script(text: str) -> str:
    return "\n".join(line.strip() for line in text.splitlines() if line.strip() not in {"!", "end"})


def test_a_script_of_commands_says_what_the_printed_text_says() -> None:
    printed, typed = read(PRINTED), read(script(PRINTED))
    assert typed.ports == printed.ports
    assert not typed.lines
    assert typed.lines_read == printed.lines_read


def test_a_session_says_the_same_and_proves_no_absence() -> None:
    printed, pasted = read(PRINTED).ports["Ethernet1/1"].qos, read(SESSION)
    got = pasted.ports["Ethernet1/1"].qos
    assert not pasted.lines
    assert not pasted.complete
    assert (got.trust, got.pfc and got.pfc.tx) == ("dscp", frozenset({3}))
    assert got.queues is not None
    assert printed.queues is not None
    assert got.queues[3] is not None
    assert printed.queues[3] is not None
    assert got.queues[3].ecn is not None
    assert got.queues[3].ecn.curves == printed.queues[3].ecn.curves  # type: ignore[union-attr]
    assert got.queues[3].weight == 95
    assert got.queues[0] is None
    assert got.watchdog is not None
    assert got.watchdog.detect == 200
    assert pasted.ports["Ethernet1/1"].mtu == 9214


def test_a_configuration_session_counts_as_one() -> None:
    text = SESSION.replace("(config", "(config-s-roce").replace("leaf1", "leaf1(s1)")
    got = read(text).ports["Ethernet1/1"].qos
    assert got.pfc is not None
    assert got.pfc.tx == frozenset({3})
    assert got.queues is not None
    assert got.queues[3] is not None
    assert got.queues[3].weight == 95


@pytest.mark.parametrize("text", [PRINTED, SESSION, script(PRINTED)])
def test_each_form_is_taken_for_eos(text: str) -> None:
    scores = registry.scores(text)
    assert max(scores, key=lambda name: scores[name][0]) == "eos", scores


@pytest.mark.parametrize(
    ("text", "system"),
    [
        ("interface Ethernet1/1\n   mtu 9214\n", "eos"),
        ("interface Ethernet1/1\n  mtu 9216\n", "nxos"),
        ("interface Ethernet1/1\n   service-profile ROCE\n", "eos"),
        ("interface Ethernet1/1\n  priority-flow-control mode on\n", "nxos"),
    ],
)
def test_a_few_lines_are_told_from_those_of_nxos(text: str, system: str) -> None:
    assert registry.detect((Text("a.cfg", text),), "a.cfg") == system


@pytest.mark.parametrize(
    ("header", "ports"),
    [
        ("interface Ethernet1-3", ["Ethernet1", "Ethernet2", "Ethernet3"]),
        ("interface Ethernet1/1-3", ["Ethernet1/1", "Ethernet1/2", "Ethernet1/3"]),
        ("interface Ethernet1-3/1", ["Ethernet1/1", "Ethernet2/1", "Ethernet3/1"]),
        ("interface Ethernet1/31-32/1", ["Ethernet1/31/1", "Ethernet1/32/1"]),
        ("interface Ethernet1-2/1-2", ["Ethernet1/1", "Ethernet1/2", "Ethernet2/1", "Ethernet2/2"]),
        ("interface ethernet 7,9-10", ["Ethernet7", "Ethernet9", "Ethernet10"]),
        ("interface Et3/1/1-2, po7", ["Ethernet3/1/1", "Ethernet3/1/2", "Port-Channel7"]),
        ("interface Port-Channel1-2", ["Port-Channel1", "Port-Channel2"]),
        ("interface po5", ["Port-Channel5"]),
        ("interface EthernetN/1", ["EthernetN/1"]),
    ],
)
def test_headers_that_name_several_ports(header: str, ports: list[str]) -> None:
    device = read(f"hostname a\n{header}\n   priority-flow-control on\n")
    assert list(device.ports) == ports
    assert not device.lines


@pytest.mark.parametrize(
    "header", ["interface Ethernet3/1/1-3/2/1", "interface Ethernet5-2", "interface swp1", "interface Gi0/1"]
)
def test_a_header_that_names_no_port_is_reported(header: str) -> None:
    device = read(f"hostname a\ninterface Ethernet1\n   mtu 9214\n{header}\n   mtu 9000\n")
    assert [line.text for line in device.lines] == [header]


@pytest.mark.parametrize(
    "name", ["Management1", "Vlan100", "Loopback0", "Vxlan1", "Ethernet1/1.100", "Recirc-Channel1"]
)
def test_other_interfaces_are_passed_over(name: str) -> None:
    device = read(f"hostname a\ninterface Ethernet1\n   mtu 9214\ninterface {name}\n   mtu 9000\n   qos trust what\n")
    assert list(device.ports) == ["Ethernet1"]
    assert not device.lines


ALL = """\
! Command: show running-config all
! device: leaf1 (DCS-7260CX3-64, EOS-4.22.3M)
!
hostname leaf1
!
interface Ethernet1/1
   no shutdown
   no dcbx mode
   no flowcontrol send
   no flowcontrol receive
   no speed
   no l2 mtu
   switchport
   no channel-group
   lldp transmit
   lldp receive
   no lldp med network-policy
   service-policy type pdp input default-pdp-policy
   default qos trust
   qos cos 0
   qos dscp 0
   no shape rate
   no priority-flow-control
   priority-flow-control pause watchdog
   no priority-flow-control priority 0
   no priority-flow-control priority 3
   no priority-flow-control pause watchdog port action
   no priority-flow-control pause watchdog port timer
   !
   tx-queue 0
      priority strict
      no bandwidth percent
      no shape rate
      no bandwidth guaranteed
      no random-detect ecn
      no random-detect ecn minimum-threshold
      no random-detect ecn count
      no random-detect drop
   sflow enable
!
end
"""


def test_the_header_of_an_engineering_build() -> None:
    device = read(
        "! device: leaf1 (cEOSLab, EOS-4.30.5M-35156751.4305M (engineering build))\ninterface Ethernet1\n   mtu 9214\n"
    )
    assert (device.name, device.model, device.os_version) == ("leaf1", "cEOSLab", "4.30.5M-35156751.4305M")


def test_defaults_written_out_say_what_silence_says() -> None:
    written = read(ALL).ports["Ethernet1/1"]
    silent = read("hostname leaf1\ninterface Ethernet1/1\n   no shutdown\n   switchport\n").ports["Ethernet1/1"]
    assert written.qos.pfc == silent.qos.pfc
    for leaf in ("trust", "dscp_to_tc", "default_tc", "link_pause", "dcbx"):
        assert getattr(written.qos, leaf) == getattr(silent.qos, leaf), leaf
    assert not read(ALL).lines
    assert read(ALL).model == "DCS-7260CX3-64"


BANNER = """\
hostname a
banner login
interface Ethernet9
   priority-flow-control priority 9 no-drop
EOF
interface Ethernet1
   comment
   priority-flow-control priority 4 no-drop
   EOF
   priority-flow-control on
   priority-flow-control priority 3 no-drop
end
"""


def test_defaults_of_all_interfaces_hold_where_a_port_is_silent() -> None:
    text = (
        "hostname a\ninterface defaults\n   mtu 9000\n   ethernet\n      shutdown\n!\n"
        "interface Ethernet1\n   no switchport\ninterface Ethernet2\n   no shutdown\n   no switchport\n   mtu 9214\n"
        "interface Ethernet3\n   switchport mode trunk\n"
    )
    ports = read(text).ports
    assert [port.mtu for port in ports.values()] == [9000, 9214, None]
    assert [port.enabled for port in ports.values()] == [False, True, False]
    place = ports["Ethernet1"].where("mtu")
    assert place is not None
    assert place.line == 3


def test_banners_and_comments_are_no_configuration() -> None:
    device = read(BANNER)
    assert list(device.ports) == ["Ethernet1"]
    assert not device.lines
    pfc = device.ports["Ethernet1"].qos.pfc
    assert pfc is not None
    assert pfc.tx == frozenset({3})
    place = device.ports["Ethernet1"].where("pfc.tx")
    assert place is not None
    assert place.line == 11


def test_a_text_that_ends_inside_a_comment_is_cut_off() -> None:
    assert not read(BANNER[: BANNER.index("   EOF")]).complete
    assert read(BANNER).complete


@pytest.mark.parametrize(
    ("command", "complete"),
    [
        ("show running-config", True),
        ("show running-config all", True),
        ("show running-config interfaces Ethernet1/1", False),
        ("show running-config section qos", False),
        ("show running-config | section interface", False),
    ],
)
def test_a_part_of_a_configuration_proves_no_absence(command: str, complete: bool) -> None:
    assert bool(read(f"! Command: {command}\n{PRINTED}").complete) == complete
    assert bool(read(PRINTED, command=command).complete) == complete


def test_an_excerpt_without_its_profile_says_nothing_of_the_port() -> None:
    device = read("interface Ethernet1\n   service-profile ELSEWHERE\n")
    assert not device.complete
    assert device.ports["Ethernet1"].qos.pfc is not None
    assert device.ports["Ethernet1"].qos.pfc.admin is None


def test_old_and_wrong_words_of_pfc() -> None:
    device = read(
        "hostname a\ninterface Ethernet1\n   priority-flow-control mode on\n   priority-flow-control priority 3 no-drop\n"
    )
    pfc = device.ports["Ethernet1"].qos.pfc
    assert pfc is not None
    assert pfc.admin == "on"
    wrong = read(
        "hostname a\ninterface Ethernet1\n   priority-flow-control priority 9 no-drop\n"
        "   priority-flow-control priority 3 lossless\n   priority-flow-control sometimes\n"
        "priority-flow-control pause watchdog default timeout 200ms\n"
        "priority-flow-control pause watchdog default action drop timer 200 milliseconds\n"
    )
    assert [line.place.line for line in wrong.lines] == [3, 4, 5, 6, 7]


def test_a_name_without_quotes_is_kept_as_it_stands() -> None:
    text = "hostname a\nqos profile ROCE V2\n   priority-flow-control on\ninterface Ethernet1\n   mtu 9214\n"
    assert [item.name for item in read(text).objects] == ["ROCE V2"]


def test_a_switch_that_is_set_up_for_management_alone_has_no_port() -> None:
    device = read("hostname leaf1\n!\ninterface Management1\n   mtu 1500\n!\nend\n")
    assert (device.name, dict(device.ports), device.lines) == ("leaf1", {}, ())


def test_a_text_of_nothing_we_read_is_refused() -> None:
    with pytest.raises(ReadError, match="nothing of EOS in it"):
        read("router bgp 65001\n   neighbor 192.0.2.1 remote-as 65002\n")
