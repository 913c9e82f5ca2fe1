"""The numbers of a Nexus's show commands reach the sample, each with its line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rocecfg.state.capture import Capture, Text
from rocecfg.state.model import eight
from rocecfg.state.parse import parse

if TYPE_CHECKING:
    from rocecfg.state.counters import PortCounters

PFC = """\
============================================================
Port               Mode Oper(VL bmap)  RxPPP      TxPPP
============================================================
Ethernet1/1        On   On   (8)       1204       33
Ethernet1/49       Auto Off            0          0
"""
QUEUING = """\
Egress Queuing for Ethernet1/1 [System]
+-------------------------------------------------------------------+
|                              QOS GROUP 3                          |
+-------------------------------------------------------------------+
|                           |  Unicast       |Multicast             |
+-------------------------------------------------------------------+
|                   Tx Pkts |           51200|               7       |
|                   Tx Byts |         5242880|               7       |
| WRED/AFD & Tail Drop Pkts |              12|               0       |
|              Q Depth Byts |             416|               0       |
+-------------------------------------------------------------------+
|                      CONTROL QOS GROUP                            |
+-------------------------------------------------------------------+
|                   Tx Pkts |             999|               0       |
Ingress Queuing for Ethernet1/1
Port Ingress Statistics
--------------------------------------------------------
Ingress MMU Drop Pkts                      88
PFC Statistics
----------------------------------------------------------------------------
TxPPP:                    33, RxPPP:                  1204
----------------------------------------------------------------------------
COS QOS Group        PG   TxPause   TxCount         RxPause         RxCount
   0         -         -  Inactive         0        Inactive               0
   3         3         3  Active          33        Active              1204
"""
WATCHDOG = """\
Ethernet1/1 Interface PFC watchdog: [Enabled]
Disable-action                     : No
PFC watch-dog interface-multiplier : 0
+----------------------------------------------------+
| QOS GROUP 3 [{state}] PFC [YES] PFC-COS [3]
+----------------------------------------------------+
|                               |  Stats             |
+----------------------------------------------------+
|                       Shutdown|                   2|
|                       Restored|                   1|
|             Total pkts drained|                   0|
+----------------------------------------------------+
"""
INTERFACE = """\
Ethernet1/1 is up
  MTU 9216 bytes,  BW 100000000 Kbit, DLY 10 usec
  full-duplex, 100 Gb/s
  Input flow-control is off, output flow-control is off
  RX
    100 unicast packets  0 multicast packets  0 broadcast packets
    100 input packets  6400 bytes
    0 runts  0 giants  10 CRC  0 no buffer
    0 input with dribble  3 input discard
    9000 Rx pause
  TX
    5 output packets  777 bytes
    0 lost carrier  0 no carrier  0 babble 4 output discard
    11 Tx pause
"""


def counters(*texts: str) -> PortCounters:
    device = parse(Capture("leaf1", "nxos", tuple(Text(f"{n}.txt", text) for n, text in enumerate(texts))))
    assert device.lines == ()
    assert device.sample is not None
    return device.sample.ports["Ethernet1/1"]


def test_pfc_frames_of_all_priorities() -> None:
    found = counters(PFC)
    assert (found.rx_pfc_total, found.tx_pfc_total, found.rx_pfc) == (1204, 33, None)


def test_queues_and_pauses() -> None:
    found = counters(QUEUING)
    assert found.queue_packets == eight({3: 51200})
    assert (found.queue_bytes, found.queue_drops, found.queue_depth) == (
        eight({3: 5242880}), eight({3: 12}), eight({3: 416}),
    )  # fmt: skip
    assert (found.rx_pfc, found.tx_pfc) == (eight({0: 0, 3: 1204}), eight({0: 0, 3: 33}))
    assert found.rx_buffer_drops == 88
    assert [found.where(leaf).line for leaf in ("queue_drops.3", "rx_pfc.3")] == [9, 25]  # type: ignore[union-attr]


def test_the_older_name_of_the_drops_and_the_column_of_unicast() -> None:
    older = QUEUING.replace(
        "WRED/AFD & Tail Drop Pkts |              12|", "             Dropped Pkts |              15|"
    )
    assert counters(older).queue_drops == eight({3: 15})
    swapped = QUEUING.replace("|  Unicast       |Multicast             |", "|Multicast       |  Unicast             |")
    assert counters(swapped).queue_drops == eight({3: 0})


@pytest.mark.parametrize(("state", "stormed"), [("Active", frozenset()), ("Shutdown", frozenset({3}))])
def test_the_watchdog(state: str, stormed: frozenset[int]) -> None:
    found = counters(WATCHDOG.replace("{state}", state))
    assert (found.storms, found.storms_restored, found.stormed) == (eight({3: 2}), eight({3: 1}), stormed)


def test_show_interface() -> None:
    found = counters(INTERFACE)
    assert (found.fcs_errors, found.rx_link_pause, found.tx_link_pause, found.tx_bytes) == (10, 9000, 11, 777)
    assert found.rx_buffer_drops is None


def test_texts_of_one_capture_add_up() -> None:
    found = counters(PFC, QUEUING, WATCHDOG.replace("{state}", "Active"), INTERFACE)
    assert (found.rx_pfc_total, found.queue_drops, found.storms, found.fcs_errors) == (
        1204, eight({3: 12}), eight({3: 2}), 10,
    )  # fmt: skip


@pytest.mark.parametrize("word", ["N/A", "-", "9" * 30, "1e3", ""])
def test_what_is_no_number_is_not_known(word: str) -> None:
    text = QUEUING.replace("|              12|", f"|  {word} |")
    assert counters(text).queue_drops is None


BEHIND_BEGIN = """\
leaf1# show queuing interface ethernet 1/7 | begin "QOS GROUP 3"
|                              QOS GROUP 3         |
+---------------------------------------------------------+
|                       |  Unicast       |Multicast       |
+---------------------------------------------------------+
|               Tx Pkts |          763095|               0|
| WRED & Tail Drop Pkts |              41|               0|
|          Q Depth Byts |            2048|               0|
+--------------------------------------------------------++
"""


def test_a_block_whose_title_is_cut_off_belongs_to_the_port_of_the_command() -> None:
    device = parse(Capture("leaf1", "", (Text("q.txt", BEHIND_BEGIN),), file="q.txt"))
    assert (device.nos, list(device.ports), device.lines) == ("nxos", ["Ethernet1/7"], ())
    counted = device.sample.ports["Ethernet1/7"]
    assert (counted.queue_packets[3], counted.queue_drops[3], counted.queue_depth[3]) == (763095, 41, 2048)
