"""Display commands of Comware: PFC in operation in both layouts, wrapped or not, its counters, the version."""

from __future__ import annotations

import pytest

from rocecfg.errors import ReadError
from rocecfg.state.capture import Capture, Text
from rocecfg.state.model import Device, Pfc
from rocecfg.state.parse import parse
from rocecfg.vendor import registry
from tests.vendors.h3c.test_h3c_read import WHOLE

WIDE = """\
<leaf1> display priority-flow-control interface
Interface                        AdminMode  OperMode  Dot1pList   Prio  Recv       Send       Inpps      Outpps
---------------------------------------------------------------------------------------------------------------
HGE1/0/1                         Enabled    Enabled   3,5         3     120        87         2          1
                                                                  5     7          0          0          0
WGE1/0/9                         Auto       Disabled              0     0          0          0          0
FGE1/0/33                        Disabled   Disabled
"""
WRAPPED = """\
Interface                        AdminMode  OperMode  Dot1pList   Prio  Recv
   Send       Inpps      Outpps
--------------------------------------------------------------------------------
-------------------
HGE1/0/1                         Enabled    Enabled   3,5         3     120
   87         2          1
                                                                  5     7
   0          0          0
WGE1/0/9                         Auto       Disabled              0     0
   0          0          0
FGE1/0/33                        Disabled   Disabled
"""
OLDER = """\
Conf -- Configured mode   Ne -- Negotiated mode   P -- Priority
Interface     Conf Ne  Dot1pList     P Recv       Send       Inpps  Outpps
---------------------------------------------------------------------------
HGE1/0/1      On   On  3,5           3 120        87         2      1
                                     5 7          0          0      0
WGE1/0/9      Auto Off               0 0          0          0      0
FGE1/0/33     Off  Off
"""
VERSION = """\
H3C Comware Software, Version 7.1.070, Release 6715
Copyright (c) 2004-2024 New H3C Technologies Co., Ltd. All rights reserved.
H3C S9850-32H uptime is 3 weeks, 2 days, 1 hour, 5 minutes
"""


def read(*texts: str, commands: tuple[str, ...] = ()) -> Device:
    listed = tuple(
        Text(f"{number}.txt", text, commands[number] if commands else "") for number, text in enumerate(texts)
    )
    return parse(Capture("leaf1", "h3c", listed, file="leaf1"))


@pytest.mark.parametrize("text", [WIDE, WRAPPED, OLDER], ids=["wide", "wrapped", "older"])
def test_pfc_in_operation(text: str) -> None:
    device = read(text)
    assert device.lines == ()
    assert list(device.ports) == ["HundredGigE1/0/1", "Twenty-FiveGigE1/0/9", "FGE1/0/33"]
    both = frozenset({3, 5})
    assert device.ports["HundredGigE1/0/1"].qos.pfc == Pfc("on", tx=both, rx=both, by="internal")
    oper = {name: port.qos.pfc.oper for name, port in device.ports.items() if port.qos.pfc is not None}
    assert oper == {"HundredGigE1/0/1": both, "Twenty-FiveGigE1/0/9": frozenset(), "FGE1/0/33": frozenset()}
    assert device.sample is not None
    counted = device.sample.ports["HundredGigE1/0/1"]
    assert counted.rx_pfc == (None, None, None, 120, None, 7, None, None)
    assert counted.tx_pfc == (None, None, None, 87, None, 0, None, None)


def test_the_command_tells_the_text() -> None:
    assert (
        registry.command_of("h3c", Text("x", "anything", "display priority-flow-control interface"))
        == "display-priority-flow-control"
    )
    assert registry.command_of("h3c", Text("x", WRAPPED)) == "display-priority-flow-control"
    assert registry.command_of("h3c", Text("x", OLDER)) == "display-priority-flow-control"
    assert registry.command_of("h3c", Text("x", VERSION)) == "display-version"
    assert registry.command_of("h3c", Text("x", WHOLE)) == "current-configuration"


def test_state_goes_to_the_port_of_the_same_number() -> None:
    text = WHOLE.replace("HundredGigE1/0/1", "FourHundredGigE1/0/33")
    device = read(text, WIDE)
    assert list(device.ports) == ["FourHundredGigE1/0/33", "HundredGigE1/0/1", "Twenty-FiveGigE1/0/9"]
    pfc = device.ports["FourHundredGigE1/0/33"].qos.pfc
    assert pfc is not None
    assert (pfc.admin, pfc.tx, pfc.oper) == ("on", frozenset({3}), frozenset()), "a line of the configuration stands"
    joined = read(WHOLE, WIDE)
    assert joined.sample is not None
    assert "HundredGigE1/0/1" in joined.sample.ports


def test_model_and_release() -> None:
    device = read(WHOLE, VERSION)
    assert device.model == "S9850-32H"
    assert device.os_version == "7.1.070, Release 6715"


@pytest.mark.parametrize(
    "row",
    [
        "HGE1/0/1 Enabled Sometimes 3",
        "HGE1/0/1 Enabled Enabled 9 3 1",
        "HGE1/0/1 Enabled Enabled 3,x 3 1",
        "1 2 3 4 5 6 7",
        "9 1",
    ],
)
def test_a_row_that_makes_no_sense_is_reported(row: str) -> None:
    device = read(WIDE + row + "\n")
    assert [line.text for line in device.lines] == [row]


@pytest.mark.parametrize(
    "row",
    [
        "HGE1/0/2 Enabled Enabled 3 3 " + "9" * 400,
        "HGE1/0/2 Enabled Enabled 3 3 -1",
        "HGE1/0/2 Enabled Enabled 3 3 N/A",
    ],
)
def test_a_counter_that_is_no_number_is_unknown(row: str) -> None:
    device = read(WIDE + row + "\n")
    assert device.sample is not None
    counted = device.sample.ports.get("HundredGigE1/0/2")
    assert counted is None or counted.rx_pfc is None


def test_a_table_without_ports_is_an_error() -> None:
    with pytest.raises(ReadError, match="no port in it"):
        read("Interface                        AdminMode  OperMode  Dot1pList\n")
    with pytest.raises(ReadError, match="no version in it"):
        read("nothing\n", commands=("display version",))
