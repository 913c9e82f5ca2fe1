"""The ways OS10 texts are written: ranges, blanks, lost indentation, scripts, pasted sessions."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from rocecfg.packs import load_module
from rocecfg.vendor.registry import get
from tests.vendors.dell_os10.reading import LEAF, read

if TYPE_CHECKING:
    from rocecfg.state.model import Device

CONFIG = load_module(get("dell_os10").folder / "config.py")


def same(text: str) -> Device:
    """Read a text and assert that it says what LEAF says, line numbers and completeness aside."""
    device, plain = read(text), read(LEAF)
    assert not device.lines, device.lines
    assert {name: port.qos for name, port in device.ports.items()} == {n: p.qos for n, p in plain.ports.items()}
    assert {name: port.mtu for name, port in device.ports.items()} == {n: p.mtu for n, p in plain.ports.items()}
    return device


def test_two_blanks_of_indentation_and_blank_lines_between() -> None:
    same(re.sub(r"^ +", lambda found: 2 * found[0], LEAF, flags=re.MULTILINE))
    same(LEAF.replace("!\n", "\n"))
    same(LEAF.replace("\n", "\n\n"))
    same(re.sub(r"^ +", lambda found: "\t" * len(found[0]), LEAF, flags=re.MULTILINE))


def test_bodies_at_the_indent_of_their_class() -> None:
    same(re.sub(r"^  (?=pause|pfc-cos|bandwidth|random-detect|priority$)", " ", LEAF, flags=re.MULTILINE))


def test_sections_whose_lines_stand_at_the_margin() -> None:
    body = r"^ +(?=qos-group|queue \d|match|class|pause|pfc-cos|bandwidth|priority$|random-detect)"
    same(re.sub(body, "", LEAF, flags=re.MULTILINE))


def test_a_text_without_any_indentation() -> None:
    same(re.sub(r"^ +", "", LEAF, flags=re.MULTILINE))


def test_headers_with_a_blank_before_them() -> None:
    same(LEAF.replace("\ninterface ethernet", "\n interface ethernet"))
    same(LEAF.replace("\npolicy-map", "\n policy-map").replace("\nclass-map", "\n  class-map"))


def test_a_quoted_text_indented_as_a_whole() -> None:
    device = read("".join(f"    {line}\n" for line in LEAF.splitlines()))
    assert not device.lines
    assert device.ports["ethernet1/1/1"].qos == read(LEAF).ports["ethernet1/1/1"].qos


def test_a_script_leaves_modes_with_exit() -> None:
    same(LEAF.replace("!\n", "exit\n") + "end\nwrite memory\n")


def test_a_pasted_session() -> None:
    lines, mode = [], "config"
    for line in LEAF.splitlines():
        if line.startswith("!"):
            continue
        mode = "config" if line[:1] != " " else "conf-if-eth1/1/1"
        lines.append(f"leaf7({mode})# {line.strip()}")
    device = read("\n".join(lines))
    assert not device.lines
    assert device.complete == frozenset()
    stated = read(LEAF, complete=False)
    assert device.ports["ethernet1/1/1"].qos == stated.ports["ethernet1/1/1"].qos


def test_a_session_on_a_range_and_a_flat_vlt_domain() -> None:
    text = (
        LEAF.replace(" shutdown\n no switchport\n", "shutdown\n") + "vlt-domain 1\ndiscovery-interface ethernet 1/1/2\n"
    )
    device = read(re.sub(r"^ +", "", text, flags=re.MULTILINE))
    assert device.ports["ethernet1/1/2"].role == "peer-link"
    lines = ["interface range ethernet 1/1/1-1/1/4,1/1/9", "mtu 9216", "priority-flow-control mode on"]
    ports = read("\n".join(f"leaf7(conf-range-eth1/1/1-1/1/4,1/1/9)# {line}" for line in lines)).ports
    assert [port.mtu for port in ports.values()] == [9216] * 5


def test_crlf_and_trailing_blanks() -> None:
    same(LEAF.replace("\n", "\r\n"))
    same(LEAF.replace("\n", "  \n"))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ethernet1/1/1", "ethernet1/1/1"),
        ("Ethernet 1/1/1", "ethernet1/1/1"),
        ("eth 1/1/44:1", "ethernet1/1/44:1"),
        ("port-channel 10", "port-channel10"),
        ("Port-channel10", "port-channel10"),
        ("po10", "port-channel10"),
        ("ethernet1/1", None),
        ("Ethernet1", None),
        ("ethernet10", None),
        ("port-channel1/1/1", None),
        ("vlan10", None),
        ("loopbackloopback0", None),
        ("ethernet1/1/١", None),
    ],
)
def test_names_of_ports(text: str, name: str | None) -> None:
    assert CONFIG.port_name(text) == name


@pytest.mark.parametrize(
    ("text", "count", "last"),
    [
        ("ethernet1/1/1-1/1/12", 12, "ethernet1/1/12"),
        ("Ethernet 1/1/1-1/1/18", 18, "ethernet1/1/18"),
        ("ethernet 1/1/1 - 1/1/4 , 1/1/9", 5, "ethernet1/1/9"),
        ("eth1/1/1-1/1/2,eth1/1/5-1/1/6", 4, "ethernet1/1/6"),
        ("ethernet1/1/1-4", 4, "ethernet1/1/4"),
        ("ethernet1/1/1:1-1/1/1:4", 4, "ethernet1/1/1:4"),
        ("ethernet1/1/1:1-4", 4, "ethernet1/1/1:4"),
        ("ethernet1/1/1:1-1/1/2:4", 8, "ethernet1/1/2:4"),
        ("port-channel1-3", 3, "port-channel3"),
        ("ethernet1/1/1-ethernet1/1/3", 3, "ethernet1/1/3"),
    ],
)
def test_ranges(text: str, count: int, last: str) -> None:
    names = CONFIG.port_names(text)
    assert names is not None
    assert (len(names), names[-1]) == (count, last)


@pytest.mark.parametrize(
    "text",
    ["ethernet1/1/9-1/1/1", "ethernet1/1/1-1/2/4", "1/1/1", "ethernet", "ethernet1/1/1-port-channel3",
     "ethernet1/1/1:1-1/1/4", "ethernet1/1/1-1/1/9999999", "ethernet1/1/1-1/1/9000", "", ",", "vlan1-4"],
)  # fmt: skip
def test_ranges_that_make_no_sense(text: str) -> None:
    assert CONFIG.port_names(text) is None


def test_a_range_in_a_header_sets_every_port_and_later_lines_win() -> None:
    block = LEAF[LEAF.index("interface ethernet1/1/1") : LEAF.index("interface ethernet1/1/2")]
    text = LEAF.replace(block, block.replace("ethernet1/1/1", "range Ethernet 1/1/1-1/1/8, 1/1/10"))
    text += "interface ethernet1/1/8\n no priority-flow-control\n no trust-map dscp\n mtu 1532\n!\n"
    device = read(text)
    assert not device.lines
    assert len(device.ports) == 9
    assert device.ports["ethernet1/1/7"].qos is device.ports["ethernet1/1/1"].qos
    assert device.ports["ethernet1/1/2"].qos.link_pause is not None
    assert device.ports["ethernet1/1/2"].qos.link_pause.rx is True, "the block below the range comes later"
    last = device.ports["ethernet1/1/8"]
    assert last.qos.pfc is not None
    assert (last.qos.pfc.admin, last.qos.trust, last.mtu) == ("off", "pcp", 1532)
    assert device.ports["ethernet1/1/10"].place is not None


def test_the_order_of_sections_does_not_matter() -> None:
    blocks = re.split(r"^!\n", LEAF, flags=re.MULTILINE)
    head, rest = blocks[:1], [block for block in blocks[1:] if block.strip()]
    turned = read("!\n".join([*head, *reversed(rest)]))
    plain = read(LEAF)
    assert {n: p.qos for n, p in turned.ports.items()} == {n: p.qos for n, p in plain.ports.items()}


def test_a_foreign_section_changes_nothing() -> None:
    foreign = "router bgp 65001\n neighbor 10.0.0.1\n  priority-flow-control mode off\n  mtu 1500\n!\n"
    blocks = re.split(r"^!\n", LEAF, flags=re.MULTILINE)
    for at in range(1, len(blocks)):
        device = read("!\n".join(blocks[:at]) + "!\n" + foreign + "!\n".join(blocks[at:]))
        assert not device.lines
        assert {n: p.qos for n, p in device.ports.items()} == {n: p.qos for n, p in read(LEAF).ports.items()}, at


def test_lines_of_nx_os_are_reported_as_such() -> None:
    text = LEAF.replace(" trust-map dscp TD\n", " trust-map dscp TD\n service-policy type qos input ROCE\n")
    (line,) = read(text).lines
    assert line.text.strip() == "service-policy type qos input ROCE"
    assert "nxos" in line.known_to


def test_an_interface_type_that_os10_does_not_have() -> None:
    device = read(LEAF + "interface loopbackloopback0\n mtu 9216\n priority-flow-control mode on\n!\n")
    (odd,) = [item for item in device.objects if item.inert]
    assert (odd.kind, odd.name) == ("interface", "loopbackloopback")
    assert [line.text.strip() for line in device.lines] == ["priority-flow-control mode on"]


def test_interfaces_that_are_no_ports_are_left_alone() -> None:
    more = "interface vlan 10\n mtu 9216\n!\ninterface breakout 1/1/25 map 100g-1x\n!\ninterface loopback0\n!\n"
    more += "interface virtual-network 5\n mtu 9216\n!\ninterface range vlan 2-9\n mtu 9000\n!\ninterface Vlan 700\n!\n"
    device = read(LEAF + more)
    assert not device.lines
    assert not [item for item in device.objects if item.inert]
    assert device.ports == replace(read(LEAF), ports=device.ports).ports
    assert set(device.ports) == {"ethernet1/1/1", "ethernet1/1/2"}


@pytest.mark.parametrize(
    "line",
    [
        " priority-flow-control mode maybe",
        " flowcontrol send on",
        " flowcontrol receive desired",
        " mtu 99999",
        " mtu ٩٢١٦",
        " ets mode perhaps",
        " service-policy output type network-qos PN",
        " service-policy input type queuing PQ",
        " trust-map exp TD",
        " dcbx version cin",
        " qos-map dscp-tc X",
    ],
)
def test_words_that_os10_does_not_have_are_reported(line: str) -> None:
    device = read(LEAF.replace(" trust-map dscp TD\n", f" trust-map dscp TD\n{line}\n"))
    assert [found.text.strip() for found in device.lines] == [line.strip()]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("qos-group 4 dscp 24", "qos-group 8 dscp 24"),
        ("qos-group 4 dscp 24", "qos-group 4 dscp 64"),
        ("qos-group 4 dscp 24", "qos-group 4 dot1p 4"),
        ("qos-group 4 dot1p 4", "qos-group 4 dot1p 9"),
        ("queue 6 qos-group 6", "queue 6 qos-group 6-2"),
        ("match queue 6", "match qos-group 6"),
        ("match qos-group 4", "match qos-group four"),
        ("pfc-cos 4", "pfc-cos 8"),
        ("bandwidth percent 35", "bandwidth percent 350"),
        ("drop-probability 25", "drop-probability 101"),
        ("minimum-threshold 200", "minimum-threshold 0"),
        ("maximum-threshold 1600", "maximum-threshold 12481"),
        ("random-detect color green", "random-detect color blue"),
        ("pause-threshold 50", "pause-threshold -50"),
        ("pause buffer-size 90", "pause buffer-size 99999999999999999999"),
    ],
)
def test_numbers_that_os10_does_not_take_are_reported(old: str, new: str) -> None:
    assert old in LEAF
    device = read(LEAF.replace(old, new))
    assert len(device.lines) == 1, device.lines
    assert new.rpartition(" ")[2] in device.lines[0].text


def test_the_class_of_multicast_is_not_modelled() -> None:
    plain = " queue 4 qos-group 4\n"
    typed = " queue 4 qos-group 4 type ucast\n queue 5 qos-group 4 type mcast\n"
    same(LEAF.replace(plain, typed))
    same(LEAF.replace("queue 0 qos-group 0-3,5,7", "queue 0 qos-group 0-3, 5, 7"))


@pytest.mark.parametrize(
    ("line", "guarantee", "shaper"),
    [
        ("shape min kbps 1000 max kbps 5000", 1_000_000, 5_000_000),
        ("shape min mbps 10 max mbps 50", 10_000_000, 50_000_000),
        ("shape min pps 10 max pps 50", None, None),
    ],
)
def test_rates_of_a_queue(line: str, guarantee: int | None, shaper: int | None) -> None:
    content = (
        "class-map type queuing Q3\n match queue 3\npolicy-map type queuing OUT\n class Q3\n  bandwidth percent 60\n"
        f"  {line}\n"
        "interface ethernet1/1/1\n service-policy output type queuing OUT\n"
    )
    device = read(content)
    assert not device.lines
    queue = device.ports["ethernet1/1/1"].qos.queue(3)
    assert queue is not None
    assert (queue.guarantee, queue.shaper, queue.weight) == (guarantee, shaper, 60)
    assert read(content.replace("max ", "max furlongs ")).lines
