"""The log of a session with several commands says what the commands say one by one, with the lines of the log."""

from __future__ import annotations

import pytest

from rocecfg.errors import ReadError
from rocecfg.state import transcript
from rocecfg.state.capture import Capture, Text
from rocecfg.state.model import eight
from rocecfg.state.parse import parse

NXOS_CONFIG = "version 9.3(5)\nhostname leaf1\ninterface Ethernet1/1\n  priority-flow-control mode auto\n"
NXOS_PFC = """\
Port               Mode Oper(VL bmap)  RxPPP      TxPPP
============================================================
Ethernet1/1        Auto On  (8)        12         34
"""
EOS_CONFIG = (
    "hostname leaf1\ninterface Ethernet1\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n"
)
EOS_COUNTERS = """\
Port             RxPfc            TxPfc
Et1              11               22
"""
HUAWEI_BUFFER = """\
Xoff:       PFC backpressure threshold
--------------------------------------------------
Interface      Queue            Xon           Xoff
--------------------------------------------------
100GE1/0/1         3           3(K)          90(K)
--------------------------------------------------
"""
HUAWEI_CONFIG = (
    "#\nsysname leaf1\n#\ndcb pfc\n priority 3\n#\ninterface 100GE1/0/1\n dcb pfc enable mode manual\n#\nreturn\n"
)
NXOS, NXOS_DO = "show interface priority-flow-control", "do show interface priority-flow-control"
LOGS = [
    ("nxos", "leaf1# ", {"show running-config": NXOS_CONFIG, NXOS: NXOS_PFC}),
    ("nxos", "leaf1(config)# ", {"show running-config": NXOS_CONFIG, NXOS_DO: NXOS_PFC}),
    (
        "eos",
        "leaf1#",
        {"show running-config": EOS_CONFIG, "show interfaces priority-flow-control counters": EOS_COUNTERS},
    ),
    ("huawei", "<leaf1> ", {"display current-configuration": HUAWEI_CONFIG, "display dcb pfc buffer": HUAWEI_BUFFER}),
    ("huawei", "[~leaf1] ", {"display current-configuration": HUAWEI_CONFIG, "display dcb pfc buffer": HUAWEI_BUFFER}),
]


def logged(prompt: str, outputs: dict[str, str]) -> str:
    return "".join(f"{prompt}{command}\n{output}" for command, output in outputs.items()) + f"{prompt}\n"


def read(nos: str, *texts: Text):
    return parse(Capture("", nos, texts, file="log.txt"))


@pytest.mark.parametrize(("nos", "prompt", "outputs"), LOGS)
@pytest.mark.parametrize("turned", [False, True])
def test_a_log_says_what_its_commands_say(nos: str, prompt: str, outputs: dict[str, str], turned: bool) -> None:
    order = dict(reversed(outputs.items())) if turned else outputs
    log = read(nos, Text("log.txt", logged(prompt, order)))
    (config, shown), (_, command) = outputs.values(), outputs
    alone = read(nos, Text("log.txt", f"{prompt}show running-config\n{config}"))
    both = read(nos, Text("a", f"{prompt}show running-config\n{config}"), Text("b", shown, command.removeprefix("do ")))
    assert alone.ports != both.ports or both.sample is not None, "the second command adds something"
    assert (log.ports, log.sample, log.lines) == (both.ports, both.sample, ())
    assert log.name == "leaf1"


def test_a_name_with_a_dash_is_one_host_in_every_view() -> None:
    first = logged("<leaf-1> ", {"display current-configuration": HUAWEI_CONFIG})
    log = read("huawei", Text("log.txt", first + logged("[~leaf-1] ", {"display dcb pfc buffer": HUAWEI_BUFFER})))
    config, buffer = Text("a", f"<leaf-1> display current-configuration\n{HUAWEI_CONFIG}"), HUAWEI_BUFFER
    both = read("huawei", config, Text("b", buffer, "display dcb pfc buffer"))
    assert (log.ports, log.lines) == (both.ports, ())


NXOS_QUEUING = """\
Egress Queuing for Ethernet1/1 [System]
------------------------------------------------------------------------------
QoS-Group# Bandwidth% PrioLevel                Shape                   QLimit
                                   Min          Max        Units
------------------------------------------------------------------------------
      3            60         -           -            -     -            9(D)
+-------------------------------------------------------------------+
|                              QOS GROUP 3                          |
+-------------------------------------------------------------------+
|        Tx Pkts |            5000|   Dropped Pkts |               7|
+-------------------------------------------------------------------+
"""


@pytest.mark.parametrize("prompt", ["leaf1# ", "leaf1(config)# "])
def test_the_head_of_a_table_is_no_prompt(prompt: str) -> None:
    alone = read("nxos", Text("log.txt", NXOS_QUEUING))
    log = read("nxos", Text("log.txt", f"{prompt}show queuing interface ethernet 1/1\n{NXOS_QUEUING}{prompt}\n"))
    assert log.sample is not None
    assert log.sample.ports["Ethernet1/1"].queue_drops == eight({3: 7})
    assert (log.ports["Ethernet1/1"].qos, log.sample) == (alone.ports["Ethernet1/1"].qos, alone.sample)
    assert log.lines_read == alone.lines_read


def test_line_numbers_are_those_of_the_log() -> None:
    content = logged("<leaf1> ", {"display version": "Huawei\n", "display dcb pfc buffer": HUAWEI_BUFFER})
    line = content.split("\n").index("100GE1/0/1         3           3(K)          90(K)") + 1
    assert read("huawei", Text("log.txt", content)).ports["100GE1/0/1"].where("priority_groups.3").line == line


def test_a_command_of_another_subject_is_left_out() -> None:
    content = logged(
        "leaf1# ", {"show clock": "10:11:12 UTC\n", "show running-config": NXOS_CONFIG, "show vlan": "1 default\n"}
    )
    device = read("nxos", Text("log.txt", content))
    assert (device.lines, list(device.ports)) == ((), ["Ethernet1/1"])


def test_an_output_of_ours_that_nobody_can_read_is_reported() -> None:
    cut = "Conf -- Configured mode   Ne -- Negotiated mode   P -- Priority\n"
    content = logged(
        "<leaf1> ",
        {
            "display current-configuration": "#\n sysname leaf1\n#\ninterface HundredGigE1/0/1\n qos trust dscp\n#\nreturn\n",
            "display priority-flow-control interface": cut,
        },
    )
    device = read("h3c", Text("log.txt", content))
    assert list(device.ports) == ["HundredGigE1/0/1"]
    assert [(line.text, line.place.line) for line in device.lines] == [("display priority-flow-control interface", 9)]


def test_two_hosts_in_one_log_are_not_mixed() -> None:
    content = f"leaf1# show running-config\n{NXOS_CONFIG}leaf2# show interface priority-flow-control\n{NXOS_PFC}"
    assert transcript.pieces(Text("log.txt", content)) == [Text("log.txt", content)]


@pytest.mark.parametrize(
    "content",
    [
        NXOS_CONFIG,
        f"leaf1# show interface priority-flow-control\n{NXOS_PFC}leaf1#\n",
        f"leaf1# show running-config\n{NXOS_CONFIG}leaf1#\n",
        "<leaf1> system-view\n[~leaf1] dcb pfc\n[*leaf1-dcb-pfc-default] priority 3\n",
        "# show me\n> show\n<> display x\n",
        "",
    ],
)
def test_one_command_alone_is_not_cut(content: str) -> None:
    assert transcript.pieces(Text("log.txt", content)) == [Text("log.txt", content)]


def test_a_long_log_takes_no_long_time() -> None:
    content = "leaf1# show clock\nx\n" * 20_000
    assert transcript.pieces(Text("log.txt", content)) == [Text("log.txt", content)]


def test_a_text_whose_command_is_known_is_not_cut() -> None:
    text = Text("log.txt", logged("leaf1# ", {"show clock": "x\n", "show vlan": "y\n"}), "show tech-support")
    assert transcript.pieces(text) == [text]


def test_a_folder_of_others_may_hold_outputs_of_other_subjects() -> None:
    """Another tool's capture: the configuration is read, `show version` is left out, an output of ours is named."""
    config = Text(
        "run.txt", "version 9.3(5)\nhostname a\ninterface Ethernet1/1\n  mtu 9216\n", "show running-config", True
    )
    version = Text("version.txt", "Cisco Nexus Operating System\nuptime is 3 days\n", "show version", True)
    flow = Text("flow.txt", "Port  Send FlowControl\nEth1/1  off  off\n", "show interface flowcontrol", True)
    device = parse(Capture("a", "nxos", (config, version, flow), file="a"))
    assert list(device.ports) == ["Ethernet1/1"]
    assert [(line.text, line.place.file) for line in device.lines] == [("show interface flowcontrol", "flow.txt")]
    with pytest.raises(ReadError, match="nothing of NX-OS in it"):
        parse(Capture("a", "nxos", (version,), file="a"))
