"""`show interfaces queue` and `show interfaces extensive` of a QFX."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocecfg.state.capture import Capture, Text
from rocecfg.state.model import eight
from rocecfg.state.parse import parse

if TYPE_CHECKING:
    from rocecfg.state.model import Device

QUEUE = """\
Physical interface: et-0/0/0, Enabled, Physical link is Up
  Interface index: 1017, SNMP ifIndex: 511
Forwarding classes: 12 supported, 4 in use
Egress queues: 12 supported, 4 in use
Queue: 3, Forwarding classes: NO-LOSS
  Queued:
    Packets              :               9120447                  2000 pps
    Bytes                :           38102233001            8000000000 bps
  Transmitted:
    Packets              :               9120440                  2000 pps
    Bytes                :           38102233000            8000000000 bps
    Tail-dropped packets :                     4                     0 pps
    RED-dropped packets  :                     3                     0 pps
    ECN-CE packets       :                 48211                   120 pps
Queue: 4, Forwarding classes: CNP
  Queued:
    Packets              :                     7                     0 pps
  Transmitted:
    Packets              :                     7                     0 pps
    Tail-dropped packets :         Not Available
"""
EXTENSIVE = """\
Physical interface: et-0/0/0, Enabled, Physical link is Up
  Interface index: 1017, SNMP ifIndex: 511
  Link-level type: Ethernet, MTU: 9216, Speed: 400Gbps
  Active alarms  : None
  MAC statistics:                      Receive         Transmit
    Total octets                     917594392   32313742686802
    CRC/Align errors                         2                0
    FIFO errors                              0                0
    MAC pause frames                        11                6
  MAC Priority Flow Control Statistics:
    Priority :  0                             0                0
    Priority :  3                        104201              318
  Ethernet FEC statistics              Errors
    FEC Corrected Errors                  2000
    FEC Uncorrected Errors                   1
"""


def device(*texts: tuple[str, str]) -> Device:
    found = parse(Capture("leaf1", "junos", tuple(Text(f"{n}.txt", text, how) for n, (text, how) in enumerate(texts))))
    assert found.lines == ()
    return found


def test_queues() -> None:
    found = device((QUEUE, "show interfaces queue")).sample
    assert found is not None
    port = found.ports["et-0/0/0"]
    assert port.queue_packets == eight({3: 9120440, 4: 7})
    assert port.queue_bytes == eight({3: 38102233000})
    assert port.queue_drops == eight({3: 7})
    assert port.queue_marked == eight({3: 48211})
    assert port.where("queue_marked.3").line == 14  # type: ignore[union-attr]


def test_extensive_by_its_look_alone() -> None:
    read = device((EXTENSIVE, ""))
    assert read.sample is not None
    port = read.sample.ports["et-0/0/0"]
    assert (port.rx_pfc, port.tx_pfc) == (eight({0: 0, 3: 104201}), eight({0: 0, 3: 318}))
    assert (port.rx_link_pause, port.tx_link_pause) == (11, 6)
    assert (port.fcs_errors, port.fec_uncorrectable, port.tx_bytes) == (2, 1, 32313742686802)


def test_both_texts_add_up() -> None:
    found = device((QUEUE, ""), (EXTENSIVE, "")).sample
    assert found is not None
    port = found.ports["et-0/0/0"]
    assert (port.queue_drops, port.fcs_errors) == (eight({3: 7}), 2)
