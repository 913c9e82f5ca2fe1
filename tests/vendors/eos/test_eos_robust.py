"""Damaged, foreign and hostile texts give a state or one clear error, in little time."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocecfg.errors import ReadError
from rocecfg.lint.run import lint
from rocecfg.state.capture import Capture, Text, decode
from rocecfg.state.parse import parse
from tests.vendors.eos.test_eos_read import LEAF

if TYPE_CHECKING:
    from rocecfg.state.model import Device


def read(text: str) -> Device:
    return parse(Capture("", "eos", (Text("a.cfg", text),), file="a.cfg"))


@pytest.mark.parametrize(
    "text", ["", "\n\n", "no such thing\n", "{}", '{"interfaceCounters": []}', "[]", "--More--", "\x01\x02\x03" * 50]
)
def test_a_text_of_nothing_is_refused_with_its_name(text: str) -> None:
    with pytest.raises(ReadError, match=r"^a\.cfg"):
        read(text)


@pytest.mark.parametrize("change", [
    lambda text: text.replace("\n", "\r\n"),
    lambda text: text.replace("   ", "\t"),
    lambda text: text + "\n\n\n",
    lambda text: decode(b"\xef\xbb\xbf" + text.encode(), "a.cfg"),
    lambda text: text.replace(" priority", "  priority"),
])  # fmt: skip
def test_white_space_changes_nothing(change) -> None:
    assert read(change(LEAF)).ports == read(LEAF).ports


@pytest.mark.parametrize("at", range(0, 76, 5))
def test_a_foreign_section_changes_nothing(at: int) -> None:
    lines = LEAF.splitlines(keepends=True)
    while at < len(lines) and lines[at].startswith(" "):
        at += 1
    foreign = "router ospf 1\n   qos trust dscp\n   mtu 1\n   tx-queue 3\n      bandwidth percent 1\n!\n"
    assert read("".join([*lines[:at], foreign, *lines[at:]])).ports == read(LEAF).ports


@pytest.mark.parametrize("cut", range(4, 76, 3))
def test_a_text_that_lost_its_end_speaks_of_nothing_it_may_have_lost(cut: int) -> None:
    lines = LEAF.splitlines(keepends=True)[:cut]
    while lines and lines[-1].strip() == "!":
        lines.pop()
    try:
        device = read("".join(lines))
    except ReadError:
        return
    assert not device.complete
    absent = {"WD-001", "ECN-002", "BUF-001", "REF-001", "REF-003"}
    assert not absent & {finding.rule for finding in lint([device]).findings}


@pytest.mark.parametrize("after", ["", "leaf1#\n", "\nleaf1(s1)#show clock\n", "!\n"])
def test_what_stands_behind_the_end_does_no_harm(after: str) -> None:
    assert read(LEAF + after).complete


@pytest.mark.parametrize(
    "line",
    [
        "   mtu 99999999999999999999",
        "   mtu -1",
        "   mtu ٩٠٠٠",
        "   qos cos 8",
        "   qos dscp ٣",
        "   priority-flow-control priority ３ no-drop",
        "   priority-flow-control priority -1 no-drop",
        "   tx-queue 8",
        "   tx-queue ٣",
        "   service-policy type qos input",
        "   qos trust maybe",
        "   flowcontrol sideways on",
        "   shape rate -5 percent",
        "   shape rate 500 percent",
    ],
)
def test_numbers_and_words_that_eos_does_not_take_are_reported(line: str) -> None:
    device = read(f"hostname a\ninterface Ethernet1\n{line}\n   dcbx mode ieee\n")
    assert [item.place.line for item in device.lines] == [3]


@pytest.mark.parametrize(
    "line",
    [
        "qos map dscp 64 to traffic-class 3",
        "qos map dscp 3-1 to traffic-class 3",
        "qos map dscp 26 to traffic-class 8",
        "qos map cos 8 to traffic-class 1",
        "qos map dscp ٣ to traffic-class 3",
        "qos map traffic-class 9 to tx-queue 1",
        "qos map traffic-class 1 to dscp 64",
        "priority-flow-control pause watchdog default timeout -1",
        "priority-flow-control pause watchdog default timeout 1e9",
        "priority-flow-control pause watchdog action explode",
        "platform trident mmu headroom-pool limit packets 3",
        "qos random-detect ecn global-buffer minimum-threshold 1 bytes maximum-threshold 2 kbytes",
    ],
)
def test_global_lines_that_eos_does_not_take_are_reported(line: str) -> None:
    device = read(f"hostname a\n{line}\ninterface Ethernet1\n   mtu 9214\n")
    assert [item.text for item in device.lines] == [line]


@pytest.mark.parametrize("line", ["ingress threshold 3/4", "ingress headroom segments 3", "ingress priority-group 9 threshold 1", "egress unicast queue 8 threshold 1", "ingress what 3"])  # fmt: skip
def test_mmu_lines_that_eos_does_not_take_are_reported(line: str) -> None:
    device = read(f"hostname a\nplatform trident mmu queue profile X\n    {line}\ninterface Ethernet1\n   mtu 9214\n")
    assert [item.text for item in device.lines] == [line]


def test_duplicates_later_lines_win() -> None:
    text = (
        "hostname a\ninterface Ethernet1\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n"
        "interface Ethernet1\n   priority-flow-control priority 3 drop\n   mtu 9000\n   mtu 9214\n"
    )
    device = read(text)
    assert list(device.ports) == ["Ethernet1"]
    assert device.ports["Ethernet1"].mtu == 9214
    pfc = device.ports["Ethernet1"].qos.pfc
    assert pfc is not None
    assert pfc.tx == frozenset()


def test_a_profile_that_names_itself_or_nothing_ends() -> None:
    text = "hostname a\ninterface profile A\n   command profile A\ninterface Ethernet1\n   profile A B C\n   service-profile\n"
    assert [line.text for line in read(text).lines] == ["service-profile"]


def test_unicode_names_are_names() -> None:
    device = read(
        "hostname blätter\nqos profile 无损\n   priority-flow-control on\ninterface Ethernet1\n   service-profile 无损\n"
    )
    assert device.name == "blätter"
    assert [(item.name, item.used) for item in device.objects] == [("无损", True)]


def test_more_ports_than_a_switch_has_are_refused() -> None:
    text = "hostname a\n" + "interface Ethernet1-600\n   mtu 9214\n" * 200
    with pytest.raises(ReadError, match="ports are named"):
        read(text)


@pytest.mark.parametrize(
    "text",
    [
        "interface Ethernet1" + "-2" * 50_000 + "\n",
        "qos map dscp " + "1 " * 200_000 + "to traffic-class 3\n",
        "qos map dscp " + "0-63," * 100_000 + "\n",
        "a(config" * 30_000,
        "interface Ethernet1\n" + "   tx-queue 3\n" * 60_000,
        "interface Ethernet1\n" + " " * 200_000 + "mtu 9214\n",
        "comment\n" * 60_000,
        "(config)#" * 60_000,
        "interface Ethernet1,\n" + ",".join(["Ethernet1"] * 30_000),
    ],
)
def test_hostile_texts_take_little_time(text: str) -> None:
    started = time.process_time()
    try:
        device = read(f"hostname a\n{text}")
    except ReadError:
        pass
    else:
        lint([device])
    assert time.process_time() - started < 5


@settings(max_examples=150, deadline=None)
@given(at=st.integers(0, len(LEAF)), junk=st.text(max_size=30), gone=st.integers(0, 40))
def test_any_damage_gives_a_state_or_one_error(at: int, junk: str, gone: int) -> None:
    try:
        device = read(LEAF[:at] + junk + LEAF[at + gone :])
    except ReadError as error:
        said = f"{error}"
        assert said.startswith("a.cfg")
        return
    assert device.lines_read >= len(device.lines)
    assert "RUN-008" not in {finding.rule for finding in lint([device]).findings}
