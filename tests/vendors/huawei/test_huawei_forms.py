"""Ways in which the same CloudEngine lines come: notes, sessions, lists of commands, port groups, abbreviations, undo."""

from __future__ import annotations

import pytest

from rocecfg.state.model import Amount, Static
from rocecfg.vendor import registry
from tests.vendors.huawei.test_huawei_read import OF_A, OF_B, read, with_lines

SESSION = """\
<leaf9> system-view
[~leaf9] dcb pfc
[*leaf9-dcb-pfc-default] priority 4
[*leaf9-dcb-pfc-default] quit
[*leaf9] interface 100ge 1/0/1
[*leaf9-100GE1/0/1] dcb pfc enable mode manual
[*leaf9-100GE1/0/1] dcb pfc buffer 4 xoff dynamic 6
[*leaf9-100GE1/0/1] quit
[*leaf9] port-group storage
[*leaf9-port-group-storage] group-member 100ge 1/0/2 to 100ge 1/0/4
[*leaf9-port-group-storage] trust dscp
[*leaf9-port-group-storage] quit
[*leaf9] qos ecn enable
[*leaf9] commit
"""
COMMANDS = """\
drop-profile e
ecn buffer-size low-limit 10240 high-limit 20480 discard-percentage 50
quit
dcb pfc disk
priority 4
priority 4 deadlock-detect time 10 deadlock-recovery time 10
priority 4 turn-off threshold 5
commit
quit
interface 25ge 1/0/5
undo flow-control
dcb pfc enable disk mode manual
dcb pfc buffer 4 xoff static 1500 cells
qos queue 4 wred e
qos queue 4 ecn
trust dscp
commit
quit
"""


def test_a_session() -> None:
    device = read(SESSION)
    assert not device.lines
    assert device.complete == frozenset()
    assert list(device.ports) == ["100GE1/0/1", "100GE1/0/2", "100GE1/0/3", "100GE1/0/4"]
    pfc = device.ports["100GE1/0/1"].qos.pfc
    assert pfc is not None
    assert (pfc.admin, pfc.tx) == ("on", {4})
    assert {device.ports[f"100GE1/0/{number}"].qos.trust for number in (2, 3, 4)} == {"dscp"}
    assert device.ecn_enabled is True


def test_a_view_goes_on_behind_a_line_that_is_not_ours() -> None:
    text = "[~x] interface 100ge 1/0/1\n[*x-100GE1/0/1] mice-elephant-flow enable\n[*x-100GE1/0/1] qos pq 5 to 7 drr 0 to 4\n"
    queues = read(text + "[*x-100GE1/0/1] quit\n[*x] qos ecn enable\n").ports["100GE1/0/1"].qos.queues
    assert queues is not None
    assert [queue.scheduler if queue else None for queue in queues] == ["weighted"] * 5 + ["strict"] * 3


def test_a_list_of_commands() -> None:
    device = read(COMMANDS)
    assert not device.lines
    assert device.complete == frozenset()
    qos = device.ports["25GE1/0/5"].qos
    group, queue = qos.priority_group(4), qos.queue(4)
    assert group is not None
    assert group.xoff_at == Static(Amount(1500, "cell"))
    assert queue is not None
    assert queue.ecn is not None
    assert queue.ecn.curves[0].probability == 50
    assert qos.watchdog is not None
    assert (qos.watchdog.detect, qos.watchdog.restore) == (100, 100)


@pytest.mark.parametrize("text", [OF_A, OF_B])
def test_lost_indentation_changes_nothing(text: str) -> None:
    flat = "\n".join(line.strip() for line in text.splitlines())
    assert read(flat) == read(text)
    quoted = "\n".join(f"    {line}" for line in text.splitlines())
    assert {name: port.qos for name, port in read(quoted).ports.items()} == {
        n: p.qos for n, p in read(text).ports.items()
    }


def test_notes_at_line_ends_and_odd_blanks() -> None:
    noted = "\n".join(
        f"{line}      //only on some models" if line.startswith((" dcb", "qos")) else line for line in OF_A.splitlines()
    )
    assert read(noted) == read(OF_A)
    assert read(OF_A.replace("\n", "   \n").replace(" dcb pfc", "  dcb   pfc")) == read(OF_A)
    assert read(OF_A.replace("\n", "\r\n")) == read(OF_A)
    assert read("﻿" + OF_A) == read(OF_A)


def test_what_a_pager_left_behind() -> None:
    paged = OF_A.replace(" trust dscp\n", f"  ---- More ----\x1b[42D{' ' * 42}\x1b[42D trust dscp\n")
    assert read(paged) == read(OF_A)
    assert read(paged).complete == {"all"}


def test_prompts_around_a_configuration() -> None:
    pasted = f"<leaf1> display current-configuration\n{OF_A}<leaf1>\n"
    assert read(pasted) == read(OF_A)
    pasted = f"[~leaf1]display current-configuration\n{OF_A}[~leaf1]\n[~leaf1] quit\n"
    assert read(pasted) == read(OF_A)
    assert read(pasted).complete == {"all"}


@pytest.mark.parametrize(
    ("line", "back"),
    [
        ("dcb pfc enable mode manual", "undo dcb pfc enable"), ("trust 8021p outer", "undo trust"),
        ("trust upstream none", "undo trust upstream"), ("port priority 4", "undo port priority"),
        ("dcb pfc buffer 3 hdrm 100", "undo dcb pfc buffer 3 hdrm"), ("dcb pfc buffer 3 xoff dynamic 9", "undo dcb pfc buffer"),
        ("dcb pfc buffer 3 xoff static 9 xon offset 2", "undo dcb pfc buffer 3 xoff"),
        ("qos queue 3 ecn", "undo qos queue 3 ecn"), ("qos drr 0 to 5", "undo qos drr 0 to 5"),
        ("qos queue 2 drr weight 9", "undo qos queue 2 drr weight"), ("flow-control", "undo flow-control"),
        ("qos queue 2 shaping cir 9 mbps", "undo qos queue 2 shaping"), ("jumboframe enable 5000", "undo jumboframe enable"),
        ("qos buffer queue 3 shared-threshold static 9 kbytes", "undo qos buffer queue 3"),
        ("qos phb marking dscp enable", "undo qos phb marking dscp enable"), ("dcb ets enable default", "undo dcb ets enable"),
        ("lldp tlv-enable dcbx", "undo lldp tlv-enable dcbx"), ("undo portswitch", "portswitch"),
    ],
)  # fmt: skip
def test_undo_takes_back(line: str, back: str) -> None:
    plain, done = with_lines(), with_lines(line, back)
    assert done.qos == plain.qos
    assert (done.mtu, done.mode) == (plain.mtu, plain.mode)


def test_later_lines_win_and_equal_sections_are_one() -> None:
    text = OF_A.replace("return\n", "interface 100GE1/0/1\n dcb pfc buffer 3 hdrm 400\n#\nreturn\n")
    group = read(text).ports["100GE1/0/1"].qos.priority_group(3)
    assert group is not None
    assert group.headroom is not None
    assert group.headroom.amount == Amount(400, "kbyte")


@pytest.mark.parametrize(
    "line",
    [
        "dcb pfc enable mode force", "dcb pfc buffer 8 hdrm 100", "dcb pfc buffer 3 hdrm 10 kbytes", "trust pcp", "qos queue 8 ecn",
        "qos queue 3 drr weight 101", "qos drr 0 to 9", "qos drr 5 to 3", "port priority 8", "dcb pfc buffer 3 xoff dynamic 99",
        "dcb pfc buffer 3 hdrm ٣٠٠", "qos queue ３ ecn", "dcb pfc buffer 3 hdrm -5", "flow-control sideways",
        "dcb pfc buffer 3 hdrm 99999999999999999999", "long-distance mode level-3", "qos nonsense", "jumboframe enable 9",
    ],
)  # fmt: skip
def test_a_line_with_a_wrong_word_is_reported(line: str) -> None:
    device = read(f"#\nsysname x\n#\ninterface 100GE1/0/1\n {line}\n#\nreturn\n")
    assert [(item.text, item.place.line) for item in device.lines] == [(line, 5)]
    assert device.lines_read == 1


@pytest.mark.parametrize(
    "section",
    [
        "dcb pfc\n priority 8\n", "dcb pfc\n priority 3 deadlock-detect time 16\n", "drop-profile x\n color blue low-limit 1 high-limit 2 discard-percentage 3\n",
        "drop-profile x\n ecn low-limit 10 high-limit 101 discard-percentage 3\n", "diffserv domain d\n ip-dscp-inbound 64 phb be\n",
        "diffserv domain d\n ip-dscp-inbound 6 phb af9 green\n", "dcb ets-profile e\n priority-group 9 queue 3\n",
        "qos buffer headroom-pool size 4 gbytes slot 1\n", "dcb pfc deadlock-detect interval 20\n", "dcb pfc nonsense here\n",
    ],
)  # fmt: skip
def test_a_wrong_line_of_a_section_is_reported(section: str) -> None:
    device = read(f"#\nsysname x\n#\n{section}#\ninterface 100GE1/0/1\n#\nreturn\n")
    assert [item.text for item in device.lines] == [section.splitlines()[-1].strip()]


def test_sections_that_do_not_concern_us_count_for_nothing() -> None:
    foreign = (
        "bgp 65001\n peer 192.0.2.1 as-number 65002\n#\nacl number 3001\n rule 5 permit ip\n#\naaa\n local-user x\n#\n"
    )
    foreign += "interface Vlanif10\n ip address 192.0.2.1 24\n#\ntraffic classifier c\n if-match dscp 26\n#\nqos car c1 cir 100\n#\n"
    assert read(OF_A.replace("return\n", foreign + "return\n")) == read(OF_A)
    assert read(OF_A.replace("return\n", foreign + "return\n")).lines_read == read(OF_A).lines_read


def test_older_forms_of_chassis_and_shares_of_the_port() -> None:
    top = "drop-profile E\n ecn low-limit 80 high-limit 95 discard-percentage 100\n ecn weight 10\n color non-tcp low-limit 9 high-limit 10 discard-percentage 5\n"
    qos = with_lines(
        "qos wfq 0 to 7", "qos queue 4 wfq weight 30", "qos queue 4 ecn E", "qos queue 5 shaping percent cir 10",
        "qos queue 6 shaping percent cir 10 pir 40", "device transceiver 40GBASE-FIBER", top=top,
    ).qos  # fmt: skip
    queues = [qos.queue(number) for number in range(8)]
    assert [(queue.scheduler, queue.weight) for queue in queues if queue][3:5] == [("weighted", 1), ("weighted", 30)]
    assert queues[4] is not None
    assert queues[4].ecn is not None
    assert (queues[4].ecn.weight, queues[4].ecn.curves[0].probability) == (10, 100)
    assert [curve.colours for curve in queues[4].wred or ()] == [{"non-tcp"}]
    assert [queue.shaper for queue in queues if queue][5:7] == [4_000_000_000, 16_000_000_000]


def test_the_speed_of_a_port() -> None:
    for lines, speed in (
        ([], 100), (["device transceiver 40GBASE-FIBER"], 40), (["port mode 10G"], 10), (["speed 1000"], 1), (["port mode stack"], 100),
    ):  # fmt: skip
        assert with_lines(*lines).speed == speed * 1_000_000_000
    assert read("#\nsysname x\n#\ninterface 100GE1/0/1:2\n#\nreturn\n").ports["100GE1/0/1:2"].speed is None


def test_eth_trunks_and_their_members() -> None:
    text = (
        "#\nsysname x\n#\ndiffserv domain d\n ip-dscp-inbound 1 phb ef\n#\ninterface Eth-Trunk1\n trust dscp\n trust upstream d\n"
        "#\ninterface 100GE1/0/1\n eth-trunk 1\n dcb pfc enable\n#\ninterface 100GE1/0/2\n eth-trunk 1\n dcb pfc enable\n#\nreturn\n"
    )
    device = read(text)
    for port in device.ports.values():
        assert port.qos.trust == "dscp"
        assert port.qos.dscp_to_tc is not None
        assert port.qos.dscp_to_tc.to[1] == 5
        assert port.qos.pfc is not None
        assert port.qos.pfc.admin == "on"
    one = read(text.replace(" dcb pfc enable\n#\nreturn", "#\nreturn")).ports
    assert [port.qos.pfc.admin for port in one.values() if port.qos.pfc] == ["off", "on", "off"]


def test_detection() -> None:
    for text in (OF_A, OF_B, SESSION, COMMANDS):
        scores = registry.scores(text)
        assert max(scores, key=lambda name: scores[name][0]) == "huawei", scores


@pytest.mark.parametrize("text", [OF_A, OF_B, SESSION, COMMANDS])
def test_defaults_are_filled_in_once(text: str) -> None:
    assert registry.get("huawei").module.defaults(read(text)) == read(text)
