"""Tables of show commands that follow each other without a blank line, and rows that name no port."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocecfg.state.capture import Capture, Text
from rocecfg.state.parse import parse

if TYPE_CHECKING:
    from rocecfg.state.model import Device

RECEIVED = """\
     Port Rx    PFC0    PFC1    PFC2    PFC3    PFC4    PFC5    PFC6    PFC7
------------  ------  ------  ------  ------  ------  ------  ------  ------
   Ethernet8       0       0       0   {count}       0       0       0     N/A
"""
BY_ASIC = (
    "For namespace asic0:\n"
    + RECEIVED.format(count="1,005")
    + "For namespace asic1:\n"
    + RECEIVED.format(count="   17").replace("  Ethernet8", "Ethernet-BP4")
)
QUEUES = """\
root@gold4:~# show queue counters --nonzero
Ethernet24 Last cached time was 2026-03-01 10:11:12.131415
      Port    TxQ    Counter/pkts    Counter/bytes    Drop/pkts    Drop/bytes
----------  -----  --------------  ---------------  -----------  ------------
Ethernet24    UC3          90,210       91,000,200           12        12,288
Ethernet28 Last cached time was 2026-03-01 10:11:12.131415
      Port    TxQ    Counter/pkts    Counter/bytes    Drop/pkts    Drop/bytes
----------  -----  --------------  ---------------  -----------  ------------
Ethernet28    UC4               5              500            0             0
"""


def shown(content: str) -> Device:
    return parse(Capture("gold4", "sonic", (Text("shown.txt", content, "", None),), file="shown.txt"))


def test_a_title_or_a_header_ends_a_table() -> None:
    for text in (BY_ASIC, BY_ASIC.replace("For namespace asic1:\n", "")):
        device = shown(text)
        assert list(device.ports) == ["Ethernet8", "Ethernet-BP4"]
        assert device.lines == ()
        assert device.sample is not None
        assert device.sample.ports["Ethernet8"].rx_pfc[3] == 1005
        assert device.sample.ports["Ethernet-BP4"].rx_pfc[3] == 17


def test_each_port_says_when_it_was_counted() -> None:
    device = shown(QUEUES)
    assert (list(device.ports), device.lines) == (["Ethernet24", "Ethernet28"], ())
    assert device.sample is not None
    assert device.sample.ports["Ethernet24"].queue_drops[3] == 12


def test_a_row_without_a_port_makes_no_port() -> None:
    text = """\
  TxQ    WredDrp/pkts    EcnMarked/pkts
-----  --------------  ----------------
  UC3              41                70
"""
    device = shown(RECEIVED.format(count="    1") + "\n" + text)
    assert list(device.ports) == ["Ethernet8"]
    assert [line.text.split()[0] for line in device.lines] == ["UC3"]


def test_a_root_prompt_without_a_host() -> None:
    assert shown("# pfcstat\n" + RECEIVED.format(count="    1")).lines == ()
