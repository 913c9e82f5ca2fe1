"""Forms of the same thing: sessions, scripts, ranges, names as they are typed, quoted blocks."""

from __future__ import annotations

import pytest

from rocecfg.errors import RocecfgError
from rocecfg.state.capture import Capture, Text
from rocecfg.state.model import Device, Ecn, Pfc
from rocecfg.state.parse import parse
from rocecfg.vendor import registry
from tests.vendors.h3c.test_h3c_read import END, PORT, SYSTEM, WHOLE

LINES = [line.strip() for line in PORT.split("\n") if line.startswith(" ")]


def read(text: str) -> Device:
    return parse(Capture("", "h3c", (Text("leaf1.cfg", text),)))


def settings(device: Device, name: str = "HundredGigE1/0/1") -> tuple[object, ...]:
    one = device.ports[name].qos
    return one.trust, one.pfc, one.queue(3), one.priority_group(3)


def as_session(text: str, host: str = "LEAF-1") -> str:
    """The text as it looks when it is typed at prompts."""
    views = {"interface": "", "qos map-table": "maptbl-", "qos wred queue table": "wred-table-"}
    view, lines = "", [f"<{host}> system-view", "System View: return to User View with Ctrl+Z."]
    for line in text.split("\n"):
        stripped = line.strip()
        if stripped in ("#", "", "return") or stripped.startswith(("version", "sysname")):
            view = "" if stripped == "#" else view
        elif line.startswith(" ") and view:
            lines.append(f"[{host}-{view}] {stripped}")
        else:
            lines.append(f"[{host}]{stripped}")
            kind = next((word for word in views if stripped.startswith(word)), "")
            view = views[kind] + stripped.rsplit(" ", 1)[1] if kind else ""
    return "\n".join(lines) + "\n"


def test_a_pasted_session_reads_like_the_configuration() -> None:
    device = read(as_session(WHOLE))
    assert device.complete == frozenset(), "what a session does not type may stand on the switch"
    assert device.lines == ()
    one, whole = device.ports["HundredGigE1/0/1"].qos, read(WHOLE).ports["HundredGigE1/0/1"].qos
    assert one.trust == whole.trust
    assert one.pfc == whole.pfc
    assert one.priority_group(3) == whole.priority_group(3)
    assert one.tc_to_queue == (0, 1, 1, *[None] * 13), "the other places of the map are not typed"
    queue = one.queue(3)
    assert queue is not None
    assert isinstance(queue.ecn, Ecn)


@pytest.mark.parametrize("host", ["H3C", "Sysname", "BJ01-R01-AIDC-Leaf-01", "leaf.1"])
def test_prompts_of_any_host_name(host: str) -> None:
    assert settings(read(as_session(WHOLE, host))) == settings(read(as_session(WHOLE)))


def test_a_script_without_indentation() -> None:
    script = "\n".join(
        ["system-view", "interface HundredGigE 1/0/1", *LINES, "quit", "interface HundredGigE 1/0/2", "mtu 9000", ""]
    )
    device = read(script)
    assert device.lines == ()
    assert list(device.ports) == ["HundredGigE1/0/1", "HundredGigE1/0/2"]
    assert device.ports["HundredGigE1/0/1"].qos.pfc == Pfc("on", tx=frozenset({3}), rx=frozenset({3}), by="internal")
    assert (device.ports["HundredGigE1/0/2"].mtu, device.ports["HundredGigE1/0/2"].mtu_counts) == (9000, "ip")


def test_a_comment_in_a_script_ends_no_view() -> None:
    device = read(
        "interface HundredGigE1/0/1\npriority-flow-control enable\n\n# thresholds\npriority-flow-control dot1p 3 headroom 9\n"
    )
    group = device.ports["HundredGigE1/0/1"].qos.priority_group(3)
    assert group is not None
    assert group.headroom is not None
    assert device.lines == ()


def test_a_command_of_the_system_view_behind_a_port_is_no_line_of_it() -> None:
    script = "interface HundredGigE1/0/1\npriority-flow-control deadlock enable\npriority-flow-control deadlock cos 3 interval 10\n"
    assert read(script).lines == ()


@pytest.mark.parametrize(
    ("header", "ports"),
    [
        (
            "interface range HundredGigE 1/0/1 to HundredGigE 1/0/3",
            ["HundredGigE1/0/1", "HundredGigE1/0/2", "HundredGigE1/0/3"],
        ),
        (
            "interface range HGE1/0/1 to HGE1/0/2 wge1/0/9",
            ["HundredGigE1/0/1", "HundredGigE1/0/2", "Twenty-FiveGigE1/0/9"],
        ),
        (
            "interface range TwoHundredGigE1/0/1:1 to TwoHundredGigE1/0/1:2",
            ["TwoHundredGigE1/0/1:1", "TwoHundredGigE1/0/1:2"],
        ),
        (
            "interface range name GPU interface HundredGigE1/0/1 to HundredGigE1/0/2",
            ["HundredGigE1/0/1", "HundredGigE1/0/2"],
        ),
        ("interface hundredgige 1/0/4", ["HundredGigE1/0/4"]),
        ("interface XGE1/0/4", ["Ten-GigabitEthernet1/0/4"]),
        ("interface eighthundredgige1/2/0/4", ["EightHundredGigE1/2/0/4"]),
        ("interface bridge-aggregation 12", ["Bridge-Aggregation12"]),
    ],
)
def test_headers_as_they_are_typed(header: str, ports: list[str]) -> None:
    device = read(f"{header}\n qos trust dscp\n")
    assert list(device.ports) == ports
    assert {port.qos.trust for port in device.ports.values()} == {"dscp"}


def test_a_named_range_is_used_again() -> None:
    device = read(
        "interface range name GPU interface HGE1/0/1 to HGE1/0/2\n#\ninterface range name GPU\n qos trust dscp\n#\n"
    )
    assert {port.qos.trust for port in device.ports.values()} == {"dscp"}
    assert device.lines == ()


@pytest.mark.parametrize(
    "header",
    ["interface range HGE1/0/1 to", "interface range name", "interface range HGE1/0/9 to HGE1/0/1", "interface range to HGE1/0/1",
     "interface range name NOBODY", "interface range HGE1/0/1 to HGE1/1/3", "interface Ethernet-9/9/9/9/9", "interface 100GE1/0/1"],
)  # fmt: skip
def test_a_header_that_makes_no_sense_is_reported(header: str) -> None:
    device = read(f"interface HundredGigE1/0/7\n qos trust dscp\n#\n{header}\n qos trust dscp\n")
    assert [line.text for line in device.lines] == [header]


@pytest.mark.parametrize(
    "header",
    ["interface M-GigabitEthernet0/0/0", "interface Vlan-interface171", "interface LoopBack0", "interface NULL0",
     "interface HundredGigE1/0/1.100", "interface Tunnel1 mode vxlan", "interface Vsi-interface10"],
)  # fmt: skip
def test_other_interfaces_do_not_count(header: str) -> None:
    other = f"{header}\n ip address 10.0.0.1 24\n mtu 1500\n#\nreturn\n"
    device = read(WHOLE.removesuffix(END) + other)
    assert list(device.ports) == ["HundredGigE1/0/1"]
    assert device.lines_read == read(WHOLE).lines_read


def test_a_block_quoted_with_indentation() -> None:
    quoted = "".join(f"    {line}\n" if line.strip() else "\n" for line in WHOLE.split("\n"))
    assert settings(read(quoted)) == settings(read(WHOLE))


@pytest.mark.parametrize(
    "change", [str.upper, lambda text: text.replace("\n", "\r\n"), lambda text: text.replace("\n ", "\n\t")]
)
def test_line_ends_and_tabs(change) -> None:  # type: ignore[no-untyped-def]
    if change is str.upper:
        assert read(PORT.replace("HundredGigE", "HUNDREDGIGE")).ports["HundredGigE1/0/1"].qos.trust == "dscp"
    else:
        assert settings(read(change(WHOLE))) == settings(read(WHOLE))


def test_lines_in_another_order_and_blocks_moved_say_the_same() -> None:
    moved = SYSTEM + "interface HundredGigE1/0/1\n" + "".join(f" {line}\n" for line in reversed(LINES)) + "#\nreturn\n"
    assert settings(read(moved)) == settings(read(WHOLE))
    other = PORT + SYSTEM.split("#\n", 3)[3] + "return\n"
    assert settings(read(f" sysname X\n#\n{other}")) == settings(read(WHOLE))


def test_undo_takes_back() -> None:
    text = WHOLE.replace(
        " stp edged-port\n", " undo priority-flow-control no-drop dot1p\n undo qos wred apply\n undo qos wfq af3\n"
    )
    text = text.replace(" qos wred apply LOSSLESS\n", "")
    one = read(text).ports["HundredGigE1/0/1"].qos
    assert one.pfc is not None
    assert one.pfc.tx == frozenset()
    queue = one.queue(3)
    assert queue is not None
    assert queue.ecn == Ecn()


@pytest.mark.parametrize(
    "line",
    ["priority-flow-control priority 3 enable", "priority-flow-control deadlock auto-recovery threshold 5", "qos wred queue 9 ecn",
     "priority-flow-control no-drop dot1p 8", "priority-flow-control dot1p 3 headroom many", "qos wfq af9 group 1 byte-count 5",
     "qos trust cos", "priority-flow-control dot1p 3 ingress-buffer dynamic 101", "qos queue 3 ecn", "qos priority 9",
     "qos wred queue 3 low-limit 1 high-limit 2 discard-probability 101", "priority-flow-control no-drop dot1p ٣"],
)  # fmt: skip
def test_invented_or_wrong_lines_are_reported(line: str) -> None:
    device = read(WHOLE.replace(" stp edged-port\n", f" {line}\n"))
    assert [found.text for found in device.lines] == [line]
    assert settings(device)[0] == "dscp"


@pytest.mark.parametrize(
    ("line", "after"),
    [("priority-flow-control deadlock cos 9 interval 1", "sysname"), ("priority-flow-control poolid 0 headroom lots", "sysname"),
     ("qos wred table X", "sysname"), ("import 3 export 9", "dot1p-lp"), ("import export 3", "dot1p-lp"),
     ("queue 3 colour green", "LOSSLESS"), ("buffer egress cell queue 9 shared ratio 5", "sysname"),
     ("buffer egress cell queue 3 shared ratio 500", "sysname")],
)  # fmt: skip
def test_wrong_lines_of_other_views_are_reported(line: str, after: str) -> None:
    lines = WHOLE.split("\n")
    at = next(
        number for number, text in enumerate(lines) if text.strip().endswith(after) or text.strip().startswith(after)
    )
    lines.insert(at + 1, f" {line}")
    assert [found.text for found in read("\n".join(lines)).lines] == [line]


@pytest.mark.parametrize(
    "text", [WHOLE, as_session(WHOLE), PORT, "\n".join(["interface FourHundredGigE1/0/5", *LINES])]
)
def test_the_system_is_told_by_the_text(text: str) -> None:
    assert registry.detect((Text("leaf1.cfg", text),), "leaf1.cfg") == "h3c"


def test_another_systems_ports_of_the_same_names_are_not_taken_for_comware() -> None:
    text = "interface HundredGigE1/0/1\n switchport mode trunk\n service-policy output ROCE\n!\n"
    with pytest.raises(RocecfgError):
        registry.detect((Text("leaf1.cfg", text),), "leaf1.cfg")


@pytest.mark.parametrize(
    "wiped", ["\n", "\x1b[42D                                          \x1b[42D", "\x08" * 16 + " " * 16 + "\x08" * 16]
)
def test_a_text_read_page_by_page(wiped: str) -> None:
    lines = WHOLE.split("\n")
    for at in (len(lines) - 8, 30, 20):
        lines[at] = f"  ---- More ----{wiped}{lines[at]}"
    device = read("\n".join(lines))
    assert device.lines == ()
    assert settings(device) == settings(read(WHOLE))
    assert device.complete == frozenset({"all"}), "it ends with return"
    assert read("\n".join(lines[:-6])).complete == frozenset()
