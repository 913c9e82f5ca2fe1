"""A law for every system of sections: a port's line that nobody understands is no silence, so no default stands for it."""

from __future__ import annotations

import pytest

from rocecfg.lint.config import Settings
from rocecfg.lint.run import lint
from rocecfg.state.capture import Capture, Text
from rocecfg.state.parse import parse

TEXTS = {
    "aruba_cx": "hostname a\ninterface 1/1/1\n    no shutdown\n    {}\ninterface 1/1/2\n    no shutdown\n",
    "h3c": "#\n sysname a\n#\ninterface HundredGigE1/0/1\n port link-mode route\n {}\n#\ninterface HundredGigE1/0/2\n port link-mode route\n#\nreturn\n",
    "huawei": "!Software Version V300R022C00\n#\nsysname a\n#\ninterface 100GE1/0/1\n undo shutdown\n {}\n#\ninterface 100GE1/0/2\n undo shutdown\n#\nreturn\n",
    "nxos": "version 9.3(5)\nhostname a\ninterface Ethernet1/1\n  no shutdown\n  {}\ninterface Ethernet1/2\n  no shutdown\n",
    "eos": "! device: a (DCS, EOS-4.28.1F)\nhostname a\n!\ninterface Ethernet1\n   mtu 9214\n   {}\n!\ninterface Ethernet2\n   mtu 9214\n!\nend\n",
    "dell_os10": "! Version 10.5.4.1\nhostname a\n!\ninterface ethernet1/1/1\n no shutdown\n {}\n!\ninterface ethernet1/1/2\n no shutdown\n!\n",
    "dell_sonic": "!\nhostname a\n!\ninterface Eth1/1\n mtu 9100\n {}\n!\ninterface Eth1/2\n mtu 9100\n!\nend\n",
}  # fmt: skip
PFC = {
    "aruba_cx": "flow-control priority rxtx 3 perhaps",
    "h3c": "priority-flow-control enable perhaps",
    "huawei": "dcb pfc enable mode perhaps",
}


def ports(nos: str, line: str):
    """Return both ports of a text: the one with the line, the silent one; and the device."""
    device = parse(Capture("", nos, (Text("a.cfg", TEXTS[nos].format(line)),), file="a.cfg"))
    doubtful, silent = device.ports.values()
    return doubtful, silent, device


@pytest.mark.parametrize("nos", TEXTS)
def test_pfc_that_nobody_understands_is_not_off(nos: str) -> None:
    doubtful, silent, device = ports(nos, PFC.get(nos, "priority-flow-control mode perhaps"))
    assert len(device.lines) == 1
    assert silent.qos.pfc.admin in {"off", "auto"}
    assert (doubtful.qos.pfc, doubtful.qos.priority_groups) == (None, None)
    assert not any(leaf.startswith(("pfc", "priority_groups")) for leaf in doubtful.qos.defaulted)
    unknown = lint([device], settings=Settings(select=("PFC",))).not_evaluated
    assert any("PFC of the port" in item.missing for item in unknown)


@pytest.mark.parametrize("nos", ["aruba_cx", "h3c", "eos", "dell_os10"])
def test_trust_that_nobody_understands_is_not_the_default(nos: str) -> None:
    doubtful, silent, device = ports(nos, "qos trust perhaps" if nos != "dell_os10" else "trust-map dscp maybe perhaps")
    assert [line.text.strip() for line in device.lines] != []
    assert silent.qos.trust is not None
    assert (doubtful.qos.trust, doubtful.qos.dscp_to_tc, doubtful.qos.pfc) == (None, None, silent.qos.pfc)


ELSEWHERE = {
    "nxos": (
        "version 9.3(5)\nhostname a\npolicy-map type queuing OUT\n  class type queuing c-out-8q-q3\n"
        "    bandwidth remaining percent 50\n    random-detect perhaps ecn\nsystem qos\n"
        "  service-policy type queuing output OUT\ninterface Ethernet1/1\n  no shutdown\n"
    ),
    "eos": (
        "! device: a (DCS, EOS-4.28.1F)\nhostname a\n!\nqos profile R\n   priority-flow-control on\n   !\n   tx-queue 3\n"
        "      random-detect ecn perhaps\n!\ninterface Ethernet1\n   service-profile R\n!\nend\n"
    ),
    "h3c": (
        "#\n sysname a\n#\nqos wred queue table T\n queue 3 ecn perhaps\n#\ninterface HundredGigE1/0/1\n"
        " port link-mode route\n qos wred apply T\n#\nreturn\n"
    ),
    "dell_os10": (
        "! Version 10.5.4.1\nhostname a\n!\nwred W\n random-detect ecn perhaps\n!\npolicy-map type queuing P\n !\n class q3\n"
        "  random-detect W\n!\ninterface ethernet1/1/1\n no shutdown\n service-policy output type queuing P\n!\n"
    ),
    "aruba_cx": (
        "hostname a\nqos threshold-profile t\n    queue 3 action ecn perhaps\napply qos threshold-profile t\n"
        "interface 1/1/1\n    no shutdown\n"
    ),
    "huawei": (
        "!Software Version V300R022C00\n#\nsysname a\n#\ndrop-profile d\n color green ecn perhaps\n#\n"
        "interface 100GE1/0/1\n qos queue 3 wred d\n#\nreturn\n"
    ),
}  # fmt: skip


@pytest.mark.parametrize("nos", ELSEWHERE)
def test_marks_that_a_profile_may_set_are_not_off(nos: str) -> None:
    device = parse(Capture("", nos, (Text("a.cfg", ELSEWHERE[nos]),), file="a.cfg"))
    assert len(device.lines) == 1
    for port in device.ports.values():
        assert all(queue is None or queue.ecn is None or queue.ecn.curves for queue in port.qos.queues or ())
    assert lint([device], settings=Settings(select=("ECN-002",))).findings == ()


def test_a_global_line_reaches_every_port() -> None:
    text = TEXTS["eos"].format("no shutdown").replace("hostname a\n", "hostname a\npriority-flow-control maybe\n")
    device = parse(Capture("", "eos", (Text("a.cfg", text),), file="a.cfg"))
    assert {(port.qos.pfc, port.qos.watchdog is None) for port in device.ports.values()} == {(None, False)}
    assert len({id(port.qos) for port in device.ports.values()}) == 1


def test_an_interface_goes_on_behind_its_own_marks() -> None:
    text = TEXTS["eos"].format("tx-queue 3\n      priority strict\n   !\n   priority-flow-control perhaps")
    first, second = parse(Capture("", "eos", (Text("a.cfg", text),), file="a.cfg")).ports.values()
    assert first.qos.pfc is None
    assert second.qos.pfc is not None


def test_a_line_of_an_object_that_nothing_uses_touches_no_port() -> None:
    text = TEXTS["h3c"].format("description x").replace(
        "return\n", "qos wred queue table T\n queue 3 ecn perhaps\n#\nreturn\n"
    )  # fmt: skip
    device = parse(Capture("", "h3c", (Text("a.cfg", text),), file="a.cfg"))
    assert len(device.lines) == 1
    assert all(port.qos.queues[3].ecn is not None for port in device.ports.values())


def test_each_text_of_a_capture_has_its_own_lines() -> None:
    first = Text("a.cfg", TEXTS["aruba_cx"].format("flow-control priority rxtx 3 perhaps"))
    other = Text("b.txt", "Interface 1/1/2 is up\n     Tx Bytes  Tx Packets  Tx Drops\nQ3   10   2   x\n")
    device = parse(Capture("", "aruba_cx", (first, other), file="a"))
    assert {name: port.qos.pfc is None for name, port in device.ports.items()} == {"1/1/1": True, "1/1/2": False}


def test_a_line_behind_the_end_of_its_text_stands_below_nothing() -> None:
    """The last command of a log, whose output is missing, is numbered as the line after it."""
    text = Text(
        "a.txt",
        "*a\n------\n"
        "HGE1/0/1                         Enabled    Enabled   3,5         3     120        87         2          1\n"
        "Interface                        AdminMode  OperMode  Dot1pList   Prio  Recv       Send       Inpps      Outpps\n"
        "\nFGE1/0/33                        Disabled   Disabled\n<leaf1> display priority-flow-control interface",
    )
    device = parse(Capture("", "h3c", (text,), file="a.txt"))
    assert [line.text for line in device.lines][-1] == "display priority-flow-control interface"
