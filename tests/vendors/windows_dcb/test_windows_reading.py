"""Reading: scripts in the spellings people use, what Get-cmdlets print, JSON, and bytes that are none of these."""

from __future__ import annotations

import pytest
from windows_texts import ADAPTER_QOS, JSON, SCRIPT, TABLES

from rocecfg.errors import ReadError
from rocecfg.state.capture import Capture, Text
from rocecfg.state.model import LinkPause
from rocecfg.state.parse import parse
from rocecfg.vendor import registry


def read(*contents: str, file: str = "a.ps1", complete: bool | None = None):
    texts = tuple(Text(file, content, complete=complete) for content in contents)
    return parse(Capture("host1", "windows_dcb", texts, file=file))


def weights(qos) -> dict[int, int | str]:
    return {
        number: queue.weight if queue.scheduler == "weighted" else "strict"
        for number, queue in enumerate(qos.queues or ())
        if queue
    }


def test_a_script():
    device = read(SCRIPT)
    assert not device.lines
    assert device.lines_read == 13
    assert list(device.ports) == ["RoCE-01", "RoCE-02"]
    port = device.ports["RoCE-01"]
    qos = port.qos
    assert (qos.trust, qos.default_tc) == ("pcp", 0)
    assert qos.app_to_tc == (("cluster", 0, 7), ("netdirect", 445, 3))
    assert (qos.pfc.admin, qos.pfc.tx, qos.pfc.rx, qos.pfc.by) == ("on", {3}, {3}, "pcp")
    assert (qos.dcbx.willing, qos.dcbx.owners) == (False, {"os"})
    assert qos.tc_to_queue[:8] == (0, 0, 0, 3, 0, 0, 0, 7)
    assert weights(qos) == {0: 39, 3: 60, 7: 1}
    assert (port.mtu, port.mtu_counts, qos.link_pause, port.nic.roce_version) == (
        9000,
        "ip",
        LinkPause(rx=False, tx=False),
        "v2",
    )
    assert device.ports["RoCE-02"].mtu is None
    assert port.where("queues.3.weight").line == 9
    assert port.where("pfc").line == 8
    assert port.where("mtu").line == 13


FORMS = [
    ("case and abbreviations", "new-netqospolicy SMB -NetDirect 445 -Priority 3\n", "app_to_tc", (("netdirect", 445, 3),)),
    ("names by parameter", "New-NetQosPolicy -PriorityValue8021Action 4 -NetDirectPortMatchCondition 445 -Name SMB -PolicyStore ActiveStore\n", "app_to_tc", (("netdirect", 445, 4),)),
    ("continued", "New-NetQosPolicy 'SMB' `\n  -NetDirectPortMatchCondition 445 `\n  -PriorityValue8021Action 3\n", "app_to_tc", (("netdirect", 445, 3),)),
    ("piped away", "$null = New-NetQosPolicy 'a|b' -Cluster -PriorityValue8021Action 7 | Out-Null\n", "app_to_tc", (("cluster", 0, 7),)),
    ("in a block", "Invoke-Command -ComputerName $n -ScriptBlock { New-NetQosPolicy C -Cluster -PriorityValue8021Action 5; Get-Date }\n", "app_to_tc", (("cluster", 0, 5),)),
    ("behind a comment", "<# New-NetQosPolicy X -Cluster -PriorityValue8021Action 1\n#>\nNew-NetQosPolicy C -Cluster -PriorityValue8021Action 5 # -Name Y\n", "app_to_tc", (("cluster", 0, 5),)),
    ("a corrected policy", "New-NetQosPolicy S -NetDirectPortMatchCondition 445 -PriorityValue8021Action 4\nSet-NetQosPolicy S -NetDirectPortMatchCondition 445 -PriorityValue8021Action 3\n", "app_to_tc", (("netdirect", 445, 3),)),
    ("TCP traffic", "New-NetQosPolicy iSCSI -iSCSI -PriorityValue8021Action 4\n", "app_to_tc", ()),
]  # fmt: skip


@pytest.mark.parametrize(("text", "leaf", "value"), [form[1:] for form in FORMS], ids=[form[0] for form in FORMS])
def test_forms_of_statements(text, leaf, value):
    device = read(text)
    assert not device.lines
    assert getattr(device.ports["Global"].qos, leaf) == value


def test_forms_of_flow_control_and_classes():
    device = read(
        "Enable-NetQosFlowControl 3..4\nDisable-NetQosFlowControl -Priority 0,1, 2\nSet-NetQosFlowControl -Priority 4 -Enabled $false\n"
        "New-NetQosTrafficClass -Name SMB -Algorithm Strict -Priority 3,4\nNew-NetQosTrafficClass X -Priority 6 -BandwidthPercentage 20 -Algorithm ETS\n"
        "Set-NetQosTrafficClass X -BandwidthPercentage 25\nRemove-NetQosTrafficClass -Name Y\n"
    )
    assert not device.lines
    qos = device.ports["Global"].qos
    assert qos.pfc.tx == {3}
    assert qos.tc_to_queue[:8] == (0, 0, 0, 3, 3, 0, 6, 0)
    assert weights(qos) == {0: 75, 3: "strict", 6: 25}
    assert (
        read(SCRIPT + "Get-NetQosTrafficClass | Remove-NetQosTrafficClass -Confirm:$false\n")
        .ports["RoCE-01"]
        .qos.queues
        is None
    )


def test_adapters_by_expression_pipe_and_wildcard_name_none():
    device = read(
        "Enable-NetAdapterQos -InterfaceDescription (Get-VMSwitch -Name $vs).NetAdapterInterfaceDescriptions\n"
        "Get-NetAdapter | Enable-NetAdapterQos\nEnable-NetAdapterQos -Name *\nEnable-NetAdapterRdma 'vEthernet (SMB1)', \"SLOT 2\"\n"
    )
    assert list(device.ports) == ["vEthernet (SMB1)", "SLOT 2"]


def test_what_stands_only_on_one_adapter():
    device = read(
        SCRIPT + "Disable-NetAdapterQos -Name RoCE-02\nSet-NetQosDcbxSetting -InterfaceAlias RoCE-01 -Willing $true\n"
    )
    assert device.ports["RoCE-02"].qos.pfc.admin == "off"
    assert device.ports["RoCE-02"].qos.queues is None
    assert device.ports["RoCE-01"].qos.dcbx.willing is False, "the host's False stands above the adapter"


def test_a_willing_host_takes_the_switchs_word():
    device = read(SCRIPT.replace("$false", "$true"))
    pfc = device.ports["RoCE-01"].qos.pfc
    assert (pfc.admin, pfc.sends()) == ("auto", None)
    both = read(SCRIPT.replace("$false", "$true").replace("'RoCE-01'", "'SLOT 2'"), ADAPTER_QOS)
    assert both.ports["SLOT 2"].qos.pfc.sends() == {3}


def test_get_net_adapter_qos():
    device = read(ADAPTER_QOS, file="out.txt")
    assert not device.lines
    port = device.ports["SLOT 2"]
    assert port.qos.pfc.tx == port.qos.pfc.oper == {3}
    assert weights(port.qos) == {0: 39, 3: 60, 7: "strict"}
    assert port.qos.tc_to_queue[:8] == (0, 0, 0, 3, 0, 0, 0, 7)
    assert port.where("queues.3").line == 14
    off = read(
        ADAPTER_QOS.replace("Enabled                    : True", "Enabled                    : False").replace(
            "Priority 3 Enabled", "All Priorities Disabled"
        )
    )
    assert off.ports["SLOT 2"].qos.pfc.admin == "off"
    every = read(ADAPTER_QOS.replace("Priority 3 Enabled", "All Priorities Enabled"))
    assert every.ports["SLOT 2"].qos.pfc.oper == set(range(8))
    assert not every.lines


def test_the_layout_without_its_indentation():
    flat = "\n".join(line.strip() for line in ADAPTER_QOS.split("\n"))
    device = read(flat, file="out.txt")
    assert not device.lines
    assert weights(device.ports["SLOT 2"].qos) == {0: 39, 3: 60, 7: "strict"}


def test_tables_and_lists():
    device = read(TABLES, file="out.txt")
    assert not device.lines
    port = device.ports["Storage 1"]
    assert port.qos.pfc.tx == {3}
    assert port.qos.dcbx.willing is False
    assert port.qos.app_to_tc == (("cluster", 0, 7), ("netdirect", 445, 3))
    assert weights(port.qos) == {0: 49, 3: 50, 7: 1}
    assert [item.mtu for item in device.ports.values()] == [9000, 1500]
    assert [item.nic is not None for item in device.ports.values()] == [True, True]


def test_numbers_to_the_right_of_their_column():
    device = read(
        "Priority Enabled PolicySet\n-------- ------- ---------\n       3    True    Global\n       4   False    Global\n",
        file="out.txt",
    )
    assert not device.lines
    assert device.ports["Global"].qos.pfc.tx == {3}


def test_json():
    device = read(JSON, file="out.json")
    assert not device.lines
    qos = device.ports["Global"].qos
    assert qos.app_to_tc == (("netdirect", 445, 3),)
    assert (qos.default_tc, qos.pfc.admin, qos.pfc.tx, qos.dcbx.willing) == (0, "auto", {3}, True)
    assert weights(qos) == {0: 50, 3: 50}


def test_tables_of_several_hosts():
    device = read(
        "Node NIC    OperationalFlowControl\n---- ---    ----------------------\nn1   eth 1  Priority 3 Enabled\nn2   eth 1  All Priorities Disabled\n\n"
        "Node Check                Role    Item    State\n---- -----                ----    ----    -----\nn1   Mellanox FW LLDP TX          card P1 OFF(0)\n"
        "n2   Mellanox FW LLDP TX          card P1 ALL(2)\nn1   Windows LLDP agent   Storage eth 1   Enabled\n",
        file="out.txt",
    )
    assert not device.lines
    assert device.ports["n1:eth 1"].qos.pfc.tx == {3}
    assert device.ports["n2:eth 1"].qos.pfc.admin == "off"
    assert device.ports["n2:card P1"].qos.dcbx.owners == {"firmware"}
    assert device.ports["n1:card P1"].qos.dcbx is None


@pytest.mark.parametrize(
    ("text", "strange"),
    [
        ("Enable-NetQosFlowControl -Priority 8\n", 1), ("Enable-NetQosFlowControl -Priority -1\n", 1), ("Enable-NetQosFlowControl -Priority ٣\n", 1),
        ("Enable-NetQosFlowControl -Priority 99999999999999999999\n", 1), ("Enable-NetQosFlowControl\n", 1), ("Enable-NetQosFlowControl -Prio 3 -Wat 4\n", 1),
        ("New-NetQosTrafficClass S -Priority 3 -BandwidthPercentage 101 -Algorithm ETS\n", 1), ("New-NetQosTrafficClass S -Priority 3 -Algorithm WRR\n", 1),
        ("New-NetQosPolicy S -NetDirectPortMatchCondition 70000 -PriorityValue8021Action 3\n", 1), ("Set-NetQosDcbxSetting -Willing maybe\n", 1),
        ("New-NetQosPolicy S -P 3 -Cluster\n", 1),
    ],
)  # fmt: skip
def test_a_wrong_statement_is_reported_and_changes_nothing(text, strange):
    device = read(SCRIPT + text)
    assert [line.place.line for line in device.lines] == [16] * strange
    assert device.ports == read(SCRIPT).ports


@pytest.mark.parametrize("old", ["True       Global", "ETS       50", "False   Global", "PriorityValue  : 3"])
def test_a_strange_cell_is_reported(old):
    assert old in TABLES
    assert read(
        TABLES.replace(old, old[:-1].replace(old.split()[0], "Wat", 1)), file="out.txt"
    ).lines or old.startswith("Priority")


BAD = [
    "",
    "\n\n",
    "\x00\x01",
    "GIF89a\xff\xfe",
    "hello",
    "interface Ethernet1/1\n  mtu 9216\n",
    "{",
    "[1, 2",
    "[]",
    "null",
    "Get-Process | Stop-Process\n",
    "-" * 70,
    "a" * 100_000,
    "-- " * 30_000,
    "'" * 5_000 + "\n" + '"' * 5_000,
]


@pytest.mark.parametrize("text", BAD, ids=range(len(BAD)))
def test_none_of_ours(text):
    with pytest.raises(ReadError):
        read(text)


@pytest.mark.parametrize(
    "change",
    [
        lambda t: t.replace("\n", "\r\n"),
        lambda t: "\ufeff" + t,
        lambda t: t + "\n\n",
        lambda t: t.replace("'RoCE", " 'RoCE"),
    ],
)
def test_line_ends_and_marks(change):
    changed = read(change(SCRIPT).removeprefix("\ufeff"))
    assert changed.ports == read(SCRIPT).ports


def test_unicode_and_duplicate_names():
    device = read("Enable-NetAdapterQos -Name 'Netzwerk Süd','netzwerk süd'\nEnable-NetQosFlowControl 3\n")
    assert list(device.ports) == ["Netzwerk Süd"], "Windows compares names without case"


@pytest.mark.parametrize("text", [SCRIPT, ADAPTER_QOS, TABLES, JSON])
def test_detected(text):
    assert registry.detect((Text("x", text),), "x") == "windows_dcb"


def test_cut_anywhere():
    for text in (SCRIPT, ADAPTER_QOS, TABLES):
        for end in range(0, len(text), 37):
            try:
                read(text[:end])
            except ReadError:
                continue
