"""An adapter's own settings beside the host's, tables of several hosts, and scripts pasted out of documents."""

from __future__ import annotations

import pytest

from rocecfg.state.capture import Capture, Text
from rocecfg.state.parse import parse
from rocecfg.vendor import registry

OWN = """\
PS C:\\> Get-NetQosFlowControl

Priority   Enabled    PolicySet        IfIndex IfAlias
--------   -------    ---------        ------- -------
0          False      Global
3          False      Global
5          True       Global

PS C:\\> Get-NetQosFlowControl -InterfaceAlias Slot2

Priority   Enabled    PolicySet        IfIndex IfAlias
--------   -------    ---------        ------- -------
3          True       AdapterSpecific  7       Slot2
5          False      AdapterSpecific  7       Slot2

PS C:\\> Get-NetQosTrafficClass

Name        Algorithm Bandwidth(%) Priority         PolicySet        IfIndex IfAlias
----        --------- ------------ --------         ---------        ------- -------
[Default]   ETS       60           0-2,4-7          AdapterSpecific  7       Slot2
Storage     ETS       40           3                AdapterSpecific  7       Slot2
"""
NODES = """\
PSComputerName Priority Enabled
-------------- -------- -------
node1                 3    True
node1                 4   False
node2                 3   False
node2                 4    True
"""
GROUPS = """\
   PSComputerName: node1

Priority Enabled
-------- -------
       3    True
       4   False

   PSComputerName: node2

Priority Enabled
-------- -------
       3   False
       4    True
"""
OFF = """\
Name         : Slot2
Enabled      : False
Capabilities :                       Hardware     Current
                                     --------     -------
               MacSecBypass        : NotSupported NotSupported
               DcbxSupport         : None         None
               NumTCs(Max/ETS/PFC) : 8/8/8        0/0/0
"""


def read(content: str):
    return parse(Capture("host1", "windows_dcb", (Text("a.txt", content),), file="a.txt"))


def paused(content: str) -> dict[str, set[int]]:
    """Return the priorities that each adapter pauses."""
    return {name: set(port.qos.pfc.tx) for name, port in read(content).ports.items()}


def test_an_adapters_own_rows_go_before_the_hosts() -> None:
    device = read(OWN)
    qos = device.ports["Slot2"].qos
    assert not device.lines
    assert (qos.trust, qos.pfc.admin, qos.pfc.tx) == ("pcp", "on", {3})
    assert qos.tc_to_queue[:8] == (0, 0, 0, 3, 0, 0, 0, 0)
    assert {n: queue.weight for n, queue in enumerate(qos.queues) if queue} == {0: 60, 3: 40}
    assert device.ports["Slot2"].where("pfc").line == 14


@pytest.mark.parametrize("content", [NODES, GROUPS])
def test_hosts_in_one_table_stay_apart(content: str) -> None:
    assert paused(content) == {"node1:Global": {3}, "node2:Global": {4}}


@pytest.mark.parametrize("content", [OWN, NODES, GROUPS, OFF])
def test_it_is_known_without_a_name(content: str) -> None:
    assert registry.detect((Text("a", content),), "a") == "windows_dcb"


def test_an_adapter_without_dcb() -> None:
    assert read(OFF).ports["Slot2"].qos.pfc.admin == "off"


@pytest.mark.parametrize("dash", "\u2013\u2014\u2015")
def test_dashes_and_quotes_of_a_word_processor(dash: str) -> None:
    """Guides print them, PowerShell takes them."""
    plain = (
        "New-NetQosPolicy 'SMB' -NetDirectPortMatchCondition 445 -PriorityValue8021Action 3\n"
        "Enable-NetQosFlowControl -Priority 3\n"
        "New-NetQosTrafficClass 'SMB' -Priority 3 -BandwidthPercentage 50 -Algorithm ETS\n"
        "Enable-NetAdapterQos -Name 'Slot 2'\n"
    )
    typeset = (
        plain.replace(" -", f" {dash}").replace("'SMB'", "\u201cSMB\u201d").replace("'Slot 2'", "\u2018Slot 2\u2019")
    )
    assert read(typeset) == read(plain)
    assert registry.detect((Text("a", typeset),), "a") == "windows_dcb"


@pytest.mark.parametrize(
    "line",
    [
        "Disable-NetQosFlowControl",
        "Get-NetQosFlowControl | Disable-NetQosFlowControl",
        "Invoke-Command { Disable-NetQosFlowControl }",
        "Disable-NetQosFlowControl -Confirm:$false  # all",
    ],
)
def test_flow_control_ended_for_all(line: str) -> None:
    device = read(f"Enable-NetQosFlowControl -Priority 3\n{line}\n")
    assert not device.lines
    assert device.ports["Global"].qos.pfc.admin == "off"


@pytest.mark.parametrize(
    "line",
    ["Get-NetQosFlowControl -Priority 4 | Disable-NetQosFlowControl", "Disable-NetQosFlowControl -Priority $all"],
)
def test_flow_control_ended_for_nobody_knows_which(line: str) -> None:
    device = read(f"Enable-NetQosFlowControl -Priority 3\n{line}\n")
    assert [found.place.line for found in device.lines] == [2]


def test_statements_for_one_adapter_leave_the_others() -> None:
    device = read(
        "Enable-NetAdapterQos -Name A,B\n"
        "Enable-NetQosFlowControl -Priority 3\n"
        "Enable-NetQosFlowControl -Priority 5 -InterfaceAlias B\n"
        "New-NetQosTrafficClass T -Priority 5 -BandwidthPercentage 30 -Algorithm ETS -InterfaceAlias B\n"
        "Enable-NetQosFlowControl -Priority 6 -InterfaceIndex 4\n"
    )
    assert {name: set(port.qos.pfc.tx) for name, port in device.ports.items()} == {"A": {3}, "B": {5}}
    assert device.ports["A"].qos.queues is None
    assert device.ports["B"].qos.queues[5].weight == 30
    assert [found.place.line for found in device.lines] == [5]
