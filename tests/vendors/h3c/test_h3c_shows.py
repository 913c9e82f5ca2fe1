"""Display commands of Comware: PFC in operation in both layouts, wrapped or not, its counters, the version."""

from __future__ import annotations

import pytest

from rocecfg.errors import ReadError
from rocecfg.state.capture import Capture, Text
from rocecfg.state.model import Amount, Curve, Device, Ecn, Pfc
from rocecfg.state.parse import parse
from rocecfg.vendor import registry
from tests.vendors.h3c.test_h3c_read import PORT, WHOLE

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


def maps_shown(name: str, table: dict[int, int], direction: str = "") -> str:
    rows = "".join(f"{code:4}    :    {to}\n" for code, to in table.items())
    return f"MAP-TABLE NAME: {name}   TYPE: pre-define{direction}\nIMPORT  :  EXPORT\n{rows}\n"


def test_maps_shown_fill_what_a_part_of_a_configuration_leaves_open() -> None:
    dscp = {code: code // 8 for code in range(64)} | {26: 5}
    queues = {0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 7}
    shown = "<leaf1>display qos map-table\n" + maps_shown("dscp-dot1p", dscp) + maps_shown("dot1p-lp", queues)
    device = read(PORT, shown + maps_shown("dot1p-exp", {0: 0}))
    assert device.lines == ()
    one = device.ports["HundredGigE1/0/1"]
    assert one.qos.dscp_to_tc is not None
    assert one.qos.dscp_to_tc.to == tuple(dscp.values())
    assert one.qos.tc_to_queue == (*range(8), *[None] * 8)
    assert "tc_to_queue.3" not in one.places, "no line of the configuration decides it"
    alone = read(PORT).ports["HundredGigE1/0/1"].qos
    assert (alone.dscp_to_tc, alone.tc_to_queue) == (None, None)
    assert registry.command_of("h3c", Text("x", shown)) == "display-qos-map-table"


def test_a_line_of_the_configuration_stands_before_a_map_shown() -> None:
    device = read(WHOLE, maps_shown("dot1p-lp", {0: 7, 3: 3}))
    assert device.ports["HundredGigE1/0/1"].qos.tc_to_queue == (0, 1, 1, 3, 4, 5, 6, 7, *[None] * 8)
    assert "tc_to_queue.0" in device.ports["HundredGigE1/0/1"].places
    outbound = read(PORT, maps_shown("dot1p-lp", dict.fromkeys(range(8), 0), "   DIRECTION: outbound"))
    assert outbound.ports["HundredGigE1/0/1"].qos.tc_to_queue is None


@pytest.mark.parametrize("row", ["9 : 1", "3 : 8", "3 4", "three : 3", "٣ : 3"])
def test_a_row_of_a_map_that_makes_no_sense_is_reported(row: str) -> None:
    device = read(maps_shown("dot1p-lp", {0: 0}) + row + "\n")
    assert [line.text for line in device.lines] == [row]


def test_a_display_without_a_map_is_an_error() -> None:
    with pytest.raises(ReadError, match="no map in it"):
        read("nothing\n", commands=("display qos map-table",))


def test_the_model_tells_what_a_cell_holds() -> None:
    known = read(WHOLE, VERSION.replace("S9850-32H", "S9820-64H"))
    group = known.ports["HundredGigE1/0/1"].qos.priority_group(3)
    queue = known.ports["HundredGigE1/0/1"].qos.queue(3)
    assert group is not None
    assert queue is not None
    assert group.headroom is not None
    assert group.headroom.amount is not None
    assert (group.headroom.amount.unit, group.headroom.amount.bytes) == ("cell", 600 * 208)
    assert [curve.low and curve.low.bytes for curve in queue.ecn.curves if queue.ecn] == [3000 * 208]  # type: ignore[union-attr]
    assert known.pools is not None
    assert known.pools[0].headroom is not None
    assert known.pools[0].headroom.bytes == 28_672 * 208
    unknown = read(WHOLE, VERSION).ports["HundredGigE1/0/1"].qos.priority_group(3)
    assert unknown is not None
    assert unknown.headroom is not None
    assert unknown.headroom.amount is not None
    assert unknown.headroom.amount.bytes is None


WITHOUT_RATES = """\
[leaf1-Ten-GigabitEthernet1/0/10]dis priority-flow-control interface
Interface                        AdminMode  OperMode  Dot1pList   Prio  Recv       Send
--------------------------------------------------------------------------------
XGE1/0/10                        Enabled    Enabled   3
XGE1/0/11                        Enabled    Enabled   3           3     9          4
XGE1/0/12                        Enabled    Disabled              3     7          2
"""


def test_an_older_release_shows_no_rates() -> None:
    device = read(WITHOUT_RATES)
    assert device.lines == ()
    listed = {name: port.qos.pfc.tx for name, port in device.ports.items() if port.qos.pfc is not None}
    assert listed == {
        "Ten-GigabitEthernet1/0/10": frozenset({3}),
        "Ten-GigabitEthernet1/0/11": frozenset({3}),
        "Ten-GigabitEthernet1/0/12": frozenset(),
    }
    assert device.sample is not None
    counted = {
        name: (port.rx_pfc and port.rx_pfc[3], port.tx_pfc and port.tx_pfc[3])
        for name, port in device.sample.ports.items()
    }
    assert counted == {"Ten-GigabitEthernet1/0/11": (9, 4), "Ten-GigabitEthernet1/0/12": (7, 2)}


def tables_shown(name: str, rows: dict[int, str]) -> str:
    lines = "".join(f"{queue}     {row}\n" for queue, row in rows.items())
    return (
        f"Table name: {name}\nTable type: Queue based WRED\n"
        f"QID   gmin  gmax  gprob  ymin  ymax  yprob  rmin  rmax  rprob  exponent  ECN\n{'-' * 77}\n{lines}\n"
    )


PLAIN = "100   1000  10     100   1000  10     100   1000  10     9         N"


def test_a_wred_table_shown_stands_in_for_one_that_is_not_in_the_text() -> None:
    marked = "2000  8000  15     2000  8000  15     2000  8000  15     0         Y"
    shown = "<leaf1>display qos wred table\n" + tables_shown("LOSSLESS", dict.fromkeys(range(8), PLAIN) | {3: marked})
    assert registry.command_of("h3c", Text("x", shown)) == "display-qos-wred-table"
    device = read(PORT, shown)
    assert device.lines == ()
    assert {item.name for item in device.objects} == set()
    one = device.ports["HundredGigE1/0/1"]
    queue, other = one.qos.queue(3), one.qos.queue(0)
    assert queue is not None
    assert other is not None
    assert queue.ecn == Ecn(
        (Curve(Amount(2000, "cell"), Amount(8000, "cell"), 15),), weight=0, non_ect=queue.ecn.non_ect
    )  # type: ignore[union-attr]
    assert other.wred == (Curve(Amount(100, "cell"), Amount(1000, "cell"), 10),)
    own = read(WHOLE, shown).ports["HundredGigE1/0/1"].qos.queue(3)
    assert own is not None
    assert own.ecn is not None
    assert own.ecn.curves[0].low == Amount(3000, "cell"), "the lines of the configuration stand"


@pytest.mark.parametrize(
    "row",
    ["8     " + PLAIN, "3     " + PLAIN.replace("N", "X"), "3     100   1000  10", "3 " + PLAIN.replace("9", "٩")],
)
def test_a_row_of_a_wred_table_that_makes_no_sense_is_reported(row: str) -> None:
    device = read(tables_shown("T", {0: PLAIN}) + row + "\n")
    assert [line.text for line in device.lines] == [" ".join(row.split())]


def test_a_display_without_a_wred_table_is_an_error() -> None:
    with pytest.raises(ReadError, match="no table in it"):
        read("nothing\n", commands=("display qos wred table",))


def test_short_forms_that_nobody_published_go_by_the_number() -> None:
    rows = "FHGE1/0/33  Enabled  Enabled  3  3 1 2 0 0\n2HGE1/0/1:1  Enabled  Disabled  3  3 0 0 0 0\nMGE0/0/0 Disabled Disabled\n"
    shown = "Interface  AdminMode  OperMode  Dot1pList  Prio  Recv  Send  Inpps  Outpps\n" + rows
    text = WHOLE.replace("HundredGigE1/0/1", "FourHundredGigE1/0/33").replace(
        "return\n", "interface TwoHundredGigE1/0/1:1\n priority-flow-control enable\n#\nreturn\n"
    )
    device = read(text, shown)
    assert list(device.ports) == ["FourHundredGigE1/0/33", "TwoHundredGigE1/0/1:1"]
    oper = [port.qos.pfc.oper for port in device.ports.values() if port.qos.pfc is not None]
    assert oper == [frozenset({3}), frozenset()]
