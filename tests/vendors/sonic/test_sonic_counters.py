"""SONiC's counter tables, read by header."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rocecfg.state.capture import Capture, Text
from rocecfg.state.model import eight
from rocecfg.state.parse import parse

if TYPE_CHECKING:
    from rocecfg.state.counters import Sample

PFC = """\
admin@leaf01:~$ show pfc counters
  Port Rx    PFC0    PFC1    PFC2    PFC3    PFC4    PFC5    PFC6    PFC7
---------  ------  ------  ------  ------  ------  ------  ------  ------
Ethernet0       0       0       0   1,204       0       0     N/A       0

  Port Tx    PFC0    PFC1    PFC2    PFC3    PFC4    PFC5    PFC6    PFC7
---------  ------  ------  ------  ------  ------  ------  ------  ------
Ethernet0       0       0       0      17       0       0       0       0
"""
QUEUES = """\
admin@leaf01:~$ show queue counters Ethernet0
     Port    TxQ    Counter/pkts    Counter/bytes    Drop/pkts    Drop/bytes
---------  -----  --------------  ---------------  -----------  ------------
Ethernet0    UC3          81,234       83,183,616            5           320
Ethernet0    MC8             N/A              N/A          N/A           N/A
"""
MARKS = """\
admin@leaf01:~$ show queue wredcounters Ethernet0
     Port    TxQ    WredDrp/pkts    WredDrp/bytes    EcnMarked/pkts    EcnMarked/bytes
---------  -----  --------------  ---------------  ----------------  -----------------
Ethernet0    UC3               0                0               517             529408
Ethernet0    UC4             N/A              N/A               N/A                N/A
"""
GROUPS = """\
admin@leaf01:~$ {command}
{title}
     Port    PG0    PG1    PG2    PG3
---------  -----  -----  -----  -----
Ethernet0      0      0      0   1440
"""
WATCHDOG = """\
      QUEUE       STATUS    STORM DETECTED/RESTORED    TX OK/DROP    RX OK/DROP    TX LAST OK/DROP    RX LAST OK/DROP
-----------  -----------  -------------------------  ------------  ------------  -----------------  -----------------
Ethernet0:3      stormed                        2/1       100/300       100/300              0/200              0/200
Ethernet0:4  operational                        1/1       100/100       100/100                0/0                0/0
"""
HISTORY = """\
     Port    Priority    RX Pause Transitions    Total RX Pause Time {unit}    Recent RX Pause Time {unit}    Recent RX Pause Timestamp
---------  ----------  ----------------------  ------------------------  -------------------------  ---------------------------
Ethernet0        PFC3                      12                    12,000                      1,200         01/10/2008, 21:20:00
Ethernet0        PFC4                     N/A                       N/A                        N/A                          N/A
"""
FEC = """\
admin@leaf01:~$ show interfaces counters fec-stats
      IFACE    STATE    FEC_CORR    FEC_UNCORR    FEC_SYMBOL_ERR
-----------  -------  ----------  ------------  ----------------
  Ethernet0        U      12,354             3                 0
  Ethernet4        D         N/A           N/A               N/A
"""


def sample(*texts: str) -> Sample:
    device = parse(Capture("leaf1", "sonic", tuple(Text(f"{n}.txt", text) for n, text in enumerate(texts))))
    assert device.lines == ()
    assert device.sample is not None
    return device.sample


def test_pfc_frames() -> None:
    port = sample(PFC).ports["Ethernet0"]
    assert port.rx_pfc == (0, 0, 0, 1204, 0, 0, None, 0)
    assert port.tx_pfc == (0, 0, 0, 17, 0, 0, 0, 0)


def test_queues_and_marks_of_two_texts() -> None:
    port = sample(QUEUES, MARKS).ports["Ethernet0"]
    assert (port.queue_packets, port.queue_bytes) == (eight({3: 81234}), eight({3: 83183616}))
    assert (port.queue_drops, port.queue_marked) == (eight({3: 5}), eight({3: 517}))
    where = port.where("queue_marked.3")
    assert where is not None
    assert (where.file, where.line) == ("1.txt", 4)


@pytest.mark.parametrize(
    ("title", "counter"),
    [
        ("Ingress PG dropped packets:", "pg_drops"),
        ("Ingress headroom per PG:", "headroom_peak"),
        ("Ingress shared pool occupancy per PG:", ""),
    ],
)
def test_tables_with_the_same_header_are_told_apart_by_their_title(title: str, counter: str) -> None:
    device = parse(
        Capture("l", "sonic", (Text("0.txt", PFC), Text("1.txt", GROUPS.format(command="show", title=title))))
    )
    assert device.sample is not None
    port = device.sample.ports["Ethernet0"]
    for name in ("pg_drops", "headroom_peak"):
        assert getattr(port, name) == (eight({0: 0, 1: 0, 2: 0, 3: 1440}) if name == counter else None)


def test_the_watchdog() -> None:
    port = sample(WATCHDOG).ports["Ethernet0"]
    assert (port.storms, port.storms_restored) == (eight({3: 2, 4: 1}), eight({3: 1, 4: 1}))
    assert port.stormed == frozenset({3})


@pytest.mark.parametrize("queue", ["8", "64", "\N{ARABIC-INDIC DIGIT THREE}", "-1", ""])
def test_the_watchdog_of_a_queue_that_no_priority_stops(queue: str) -> None:
    device = parse(Capture("leaf1", "sonic", (Text("0.txt", WATCHDOG.replace("Ethernet0:4", f"Ethernet0:{queue}")),)))
    assert [line.text.split()[0] for line in device.lines] == [f"Ethernet0:{queue}"]
    watchdog = device.ports["Ethernet0"].qos.watchdog
    assert watchdog is not None
    assert watchdog.priorities == frozenset({3})


def test_a_queue_that_is_stalled_in_one_of_several_outputs_points_at_the_first() -> None:
    later = WATCHDOG.replace("    stormed  ", "operational  ").replace("2/1", "2/2")
    port = sample(f"admin@leaf01:~$ show pfcwd stats\n{WATCHDOG}admin@leaf01:~$ show pfcwd stats\n{later}").ports[
        "Ethernet0"
    ]
    assert (port.stormed, port.storms_restored) == (frozenset({3}), eight({3: 2, 4: 1}))
    assert port.where("stormed.3").line == 4  # type: ignore[union-attr]


@pytest.mark.parametrize(("unit", "nanoseconds"), [("US", 1_000), ("MS", 1_000_000)])
def test_paused_time_in_the_unit_of_its_header(unit: str, nanoseconds: int) -> None:
    port = sample(HISTORY.replace("{unit}", unit)).ports["Ethernet0"]
    assert port.rx_paused == eight({3: 12_000 * nanoseconds})


def test_fec() -> None:
    found = sample(FEC).ports
    assert {name: port.fec_uncorrectable for name, port in found.items()} == {"Ethernet0": 3}


def test_missing_columns_are_not_taken_for_others() -> None:
    text = PFC.replace(
        "Ethernet0       0       0       0      17       0       0       0       0", "Ethernet0       17"
    )
    port = sample(text).ports["Ethernet0"]
    assert (port.rx_pfc is None, port.tx_pfc) == (False, None)
