"""Display outputs of a CloudEngine: what operates, thresholds in effect, and every counter with its line."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from rocecfg.errors import ReadError
from rocecfg.state.capture import Capture, Text
from rocecfg.state.model import NEVER, Amount, Curve, Device, Dynamic, Ecn, Headroom, Static, eight
from rocecfg.state.parse import parse
from rocecfg.vendor import registry
from tests.vendors.huawei.test_huawei_read import OF_A

if TYPE_CHECKING:
    from rocecfg.state.counters import PortCounters

PFC = """\
<leaf1>display dcb pfc
-----------------------------------------------------------------------------------------
Interface         Queue         Received(Frames)        ReceivedRate(pps)     DeadlockNum
                             Transmitted(Frames)     TransmittedRate(pps)     RecoveryNum
-----------------------------------------------------------------------------------------
100GE1/0/1             3                    1204                       12               2
                                             377                        4               1
                       5                       9                        0               0
                                               8                        0               0
25GE1/0/7:2            4                       7                        0               0
                                               6                        0               0
-----------------------------------------------------------------------------------------
"""
BUFFER_A = """\
Xon:        PFC backpressure stop threshold
Xoff:       PFC backpressure threshold
Hdrm:       Headroom buffer threshold
Guaranteed: PFC guaranteed buffer threshold
B:bytes     K:kilobytes     D:dynamic alpha
The actual PFC backpressure stop threshold is the higher value between the value of
xon-lowest and the difference between the value of xoff and the value of xon-offset.
------------------------------------------------------------------------------------
Interface      Queue    Guaranteed     Xon-Lowest  Xon-Offset       Xoff        Hdrm
------------------------------------------------------------------------------------
100GE1/0/1         3       1600(B)         640(B)        9(K)       4(D)      200(K)
                   5       1600(B)         640(B)        9(K)      77(K)      201(K)
------------------------------------------------------------------------------------
"""
BUFFER_B = """\
K:kilobytes   D:dynamic alpha
--------------------------------------------------
Interface      Queue            Xon           Xoff
--------------------------------------------------
100GE1/0/1         3          30(K)          44(K)
--------------------------------------------------
"""
TRIGGER = """\
------------------------------------------------------
Interface      Queue  TriggerMode Threshold  Status
------------------------------------------------------
100GE1/0/1         3  TurnOff           30  TurnOff
                   4  TurnOff           30  LinkUp
100GE1/0/2         5  ErrorDown         30  LinkDown
------------------------------------------------------
"""
QUEUES = """\
 Queue statistics info: interface 100GE1/0/1
 ----------------------------------------------------------------------------------------------
 Queue   CIR/PIR              Passed     Pass Rate             Dropped     Drop Rate  Drop Time
     (% or kbps)     (Packets/Bytes)     (pps/bps)     (Packets/Bytes)     (pps/bps)
 ----------------------------------------------------------------------------------------------
     0         0                   0             0                   0             0          -
       100000000                   0             0                   0             0
 ----------------------------------------------------------------------------------------------
     3         0               51233           210                  17             0  2026-01-02 03:04:05
       100000000            55331640       1814400                2500             0
 ----------------------------------------------------------------------------------------------
"""
MARKED = """\
Interface          ECN-marked packets
------------------------------------
100GE1/0/1                    4711
100GE1/0/2                    -
------------------------------------
"""
RAMPS = """\
* : indicates AI ECN
[] : indicates the upper ECN threshold
Interface       Queue     Min     Max  Probability  Queue Size
                         (KB)    (KB)          (%)        (KB)
--------------------------------------------------------------
100GE1/0/1          0       0       0            0           0
                    3    3584    5734           30           0
                   *4      20   [600]            5           0
"""
AI_ECN = """\
AI-ECN Model Version : 1.0.1
Mode : NN - Model inference    BBR - Heuristic inference    STATIC - Static threshold
-----------------------------------------------------------------------------------------------------
Interface       Queue   Low-Threshold   High-Threshold   Probability   Mode     Active model   Actived time
                               (Byte)           (Byte)           (%)
-----------------------------------------------------------------------------------------------------
100GE1/0/1          4          102400           307200             6    NN    AI_ECN_Hpc   2026-01-10 09:09:23
-----------------------------------------------------------------------------------------------------
"""
DCB = """\
M:Manual;    A:Auto
-------------------------------------------------------------------------------
Interface         PFC Name     PFC Status  ETS Name    ETS Status App-Profile
-------------------------------------------------------------------------------
100GE1/0/1        default      ENABLE(M)   ets1        SUCCEED     -
100GE1/0/2        default      ENABLE(A)   -           -           -
-------------------------------------------------------------------------------
"""
STATUS = """\
DCB Runinfo Verbose:
BW PCT: Bandwidth percent
-------------------------------------------------------------------------------
Interface : 100GE1/0/2
-------------------------------------------------------------------------------
Service           Configuration   Local                 Remote
-------------------------------------------------------------------------------
PFC               Priority        3                     {remote}
-------------------------------------------------------------------------------
ETS        PG-ID  Configuration   Local                 Remote
               0  Queue           0 1 2 4 5             -
                  BW PCT          50                    -
-------------------------------------------------------------------------------
APP-TLV           Application     Local                 Remote
                  FCoE                7                      -
-------------------------------------------------------------------------------
"""
HEADROOM = """\
<leaf1> display qos headroom-usage interface 100GE 1/0/1
Headroom Buffer Usage on lossless queue: (KBytes)
Core: 0
--------------------------------------------------
Queue         Current         Peak         Average
--------------------------------------------------
    0               0            0               0
    3               1           88               2
--------------------------------------------------
"""
HEADROOM_SLOT = """\
Headroom Buffer Usage on lossless slot: (KBytes)
--------------------------------------------------------------------
Slot    Chip    Core       Total     Current        Peak     Average
--------------------------------------------------------------------
   1       0       0        4096           0         900           0
--------------------------------------------------------------------
"""
EGRESS = """\
Egress Buffer Usage (KBytes) on single queue: (Current/Total)
*: Dynamic threshold
------------------------------------------------------------
Interface       Queue   Type        Guaranteed        Shared
------------------------------------------------------------
100GE1/0/1          0   Lossy              0/1          0/5*
                    3   Lossless           0/1      12/10156
------------------------------------------------------------
Lossless Service Pool (cells):  0/0
Lossy    Service Pool (cells):  0/151136
"""
INGRESS = """\
Ingress Buffer Usage (KBytes) on lossless priority: (Current/Total)
*: Dynamic threshold
--------------------------------------------------------------------------
Interface       Priority        Guaranteed        PFC-Xoff        Headroom
--------------------------------------------------------------------------
100GE1/0/1             3               0/2            0/5*         0/20
                       4               0/2             0/9         0/21
"""
DROPS = """\
Interface                   Dropped        Drop Rate   Drop Time
                     (Packets/Bytes)        (pps/bps)
----------------------------------------------------------------
100GE1/0/1                        31                0          -
                                4650                0
----------------------------------------------------------------
"""
INTERFACE = """\
100GE1/0/1 current state : UP (ifindex: 6)
Line protocol current state : UP
    Input:
      Total Error:                  5
      CRC:                          4,   Giants:                          1
      Jabbers:                      0,   Fragments:                       0
"""
ETS = """\
ETS Profile: gold
-------------------------------------------------------------------------------
PG(RN)  Q  SCH    Weight              CIR/PIR(kbps)            CBS/PBS(kbytes)
-------------------------------------------------------------------------------
 0(0)   -  DRR    60(60)                -/-                      -/-
        0  PQ          -                -/-                      -/-
15(15)  -  PQ          -                -/-                      -/-
-------------------------------------------------------------------------------
"""
PROFILES = """\
PFC-Profile Maximum: 2
Total: 2
-------------------------------------------------------------------------------
PFC-profile Name                      Priority
-------------------------------------------------------------------------------
default                               3
-------------------------------------------------------------------------------
disk                                  4 5
-------------------------------------------------------------------------------
"""
TEXTS = {
    "show-pfc": PFC, "show-pfc-buffer": BUFFER_A, "show-pfc-trigger": TRIGGER, "show-queues": QUEUES, "show-marked": MARKED,
    "show-ramps": RAMPS, "show-ai-ecn": AI_ECN, "show-dcb": DCB, "show-dcb-status": STATUS.format(remote="3"),
    "show-headroom": HEADROOM, "show-egress": EGRESS, "show-ingress": INGRESS, "show-ingress-drops": DROPS,
    "show-interface": INTERFACE, "show-ets": ETS, "show-profiles": PROFILES,
}  # fmt: skip


def read(*texts: str) -> Device:
    parts = tuple(Text(f"{number}.txt", text) for number, text in enumerate(texts))
    return parse(Capture("leaf1", "huawei", parts, file="leaf1"))


def counters(text: str, port: str = "100GE1/0/1") -> PortCounters:
    sample = read(text).sample
    assert sample is not None
    return sample.ports[port]


def line(text: str, found: PortCounters, counter: str) -> str:
    place = found.where(counter)
    assert place is not None
    return text.splitlines()[place.line - 1]


@pytest.mark.parametrize("command", TEXTS)
def test_every_output_is_known_and_understood(command: str) -> None:
    text = TEXTS[command]
    scores = registry.scores(text)
    assert max(scores, key=lambda name: scores[name][0]) == "huawei"
    assert registry.command_of("huawei", Text("x", text)) == command
    device = read(text)
    assert [item.text for item in device.lines] == (["100GE1/0/2 -"] if command == "show-marked" else [])
    assert device.lines_read > 0
    assert read(text.replace("\n", "\r\n")).ports == device.ports


def test_pfc_frames_and_deadlocks() -> None:
    found = counters(PFC)
    assert found.rx_pfc == eight({3: 1204, 5: 9})
    assert found.tx_pfc == eight({3: 377, 5: 8})
    assert found.storms == eight({3: 2, 5: 0})
    assert found.storms_restored == eight({3: 1, 5: 0})
    assert line(PFC, found, "rx_pfc.3").split()[:3] == ["100GE1/0/1", "3", "1204"]
    assert line(PFC, found, "tx_pfc.5").split()[0] == "8"
    assert counters(PFC, "25GE1/0/7:2").rx_pfc == eight({4: 7})


def test_thresholds_in_effect() -> None:
    groups = read(BUFFER_A).ports["100GE1/0/1"].qos.priority_groups
    assert groups is not None
    three, five = groups[3], groups[5]
    assert three is not None
    assert five is not None
    assert (three.xoff_at, three.xon_below, three.reserved) == (Dynamic(index=4), Amount(9, "kbyte"), Amount(1600))
    assert three.headroom == Headroom(Amount(200, "kbyte"))
    assert five.xoff_at == Static(Amount(77, "kbyte"))
    other = read(BUFFER_B).ports["100GE1/0/1"].qos.priority_group(3)
    assert other is not None
    assert (other.xoff_at, other.xon_at, other.headroom) == (Static(Amount(44, "kbyte")), Amount(30, "kbyte"), None)


def test_queues_whose_pfc_was_turned_off() -> None:
    assert counters(TRIGGER).stormed == {3}
    assert counters(TRIGGER, "100GE1/0/2").stormed == frozenset()
    assert line(TRIGGER, counters(TRIGGER), "stormed.3").split()[0] == "100GE1/0/1"


def test_queue_counters() -> None:
    found = counters(QUEUES)
    assert (found.queue_packets, found.queue_bytes) == (eight({0: 0, 3: 51233}), eight({0: 0, 3: 55331640}))
    assert (found.queue_drops, found.queue_drop_bytes) == (eight({0: 0, 3: 17}), eight({0: 0, 3: 2500}))
    assert line(QUEUES, found, "queue_drops.3").split()[0] == "3"
    alone = QUEUES.replace(" Queue statistics info: interface 100GE1/0/1\n", "")
    assert read("[~leaf1] display qos queue statistics interface 100ge 1/0/1\n" + alone).sample == read(QUEUES).sample


def test_marks_headroom_usage_and_drops() -> None:
    assert counters(MARKED).marked_total == 4711
    assert counters(HEADROOM).headroom_peak == eight({0: 0, 3: 88 * 1024})
    assert read(HEADROOM_SLOT).sample is None
    assert counters(EGRESS).queue_depth == eight({0: 0, 3: 12 * 1024})
    assert counters(DROPS).rx_buffer_drops == 31
    assert counters(INTERFACE).fcs_errors == 4


def test_limits_and_ingress_thresholds() -> None:
    queues = read(EGRESS).ports["100GE1/0/1"].qos.queues
    assert queues is not None
    assert queues[0] is not None
    assert queues[3] is not None
    assert (queues[0].limit, queues[3].limit) == (Dynamic(index=5), Static(Amount(10156, "kbyte")))
    groups = read(INGRESS).ports["100GE1/0/1"].qos.priority_groups
    assert groups is not None
    assert groups[3] is not None
    assert groups[4] is not None
    assert (groups[3].xoff_at, groups[3].headroom) == (Dynamic(index=5), Headroom(Amount(20, "kbyte")))
    assert groups[4].xoff_at == Static(Amount(9, "kbyte"))


def test_ramps_in_effect() -> None:
    queues = read(RAMPS).ports["100GE1/0/1"].qos.queues
    assert queues is not None
    assert [queue.ecn if queue else None for queue in queues[:5]] == [
        Ecn(),
        None,
        None,
        Ecn((Curve(Amount(3584, "kbyte"), Amount(5734, "kbyte"), 30),)),
        Ecn((Curve(Amount(20, "kbyte"), Amount(600, "kbyte"), 5),)),
    ]


def test_negotiation() -> None:
    for remote, wanted in (("3", {3}), ("-", set()), ("4", set())):
        pfc = read(STATUS.format(remote=remote)).ports["100GE1/0/2"].qos.pfc
        assert pfc is not None
        assert pfc.oper == wanted
    both = read(DCB, STATUS.format(remote="3")).ports["100GE1/0/2"].qos.pfc
    assert both is not None
    assert (both.admin, both.oper) == ("auto", {3})


def test_outputs_add_to_a_configuration_and_override_no_line() -> None:
    top = "ai-service\n #\n ai-ecn\n  ai-ecn enable\n  assign queue 5\n#\nreturn\n"
    device = read(
        OF_A.replace("return\n", top), BUFFER_A, AI_ECN.replace("100GE1/0/1          4", "100GE1/0/1          5"), PFC
    )
    qos = device.ports["100GE1/0/1"].qos
    three, queue = qos.priority_group(3), qos.queue(5)
    assert three is not None
    assert three.headroom is not None
    assert three.headroom.amount == Amount(300, "kbyte")
    assert queue is not None
    assert queue.ecn == Ecn((Curve(Amount(102_400), Amount(307_200), 6),))
    assert qos.watchdog is not None
    assert qos.watchdog.restore == NEVER
    assert device.sample is not None
    assert "25GE1/0/7:2" in device.ports


def test_outputs_without_a_table_are_refused() -> None:
    for command, send in (("show-pfc", "display dcb pfc"), ("show-queues", "display qos queue statistics slot 1")):
        text = Text("x.txt", "Error: Unrecognized command found at '^' position.\n", send)
        with pytest.raises(ReadError, match=r"x\.txt: nothing of"):
            parse(Capture("", "huawei", (text,), file="x.txt"))
        assert command in TEXTS


@pytest.mark.parametrize("command", TEXTS)
def test_damage_gives_counters_or_one_error(command: str) -> None:
    strange = ("9" * 400, "N/A", "-1", "1e9", "٣", "{}", "(K)", "*", "\x0b", "%s", "1,2,3", "18446744073709551616")
    for seed in range(40):
        dice = random.Random(seed)
        lines = TEXTS[command].split("\n")
        for _ in range(dice.randint(1, 4)):
            at = dice.randrange(len(lines))
            words = lines[at].split(" ")
            words[dice.randrange(len(words))] = dice.choice(strange)
            lines[at] = dice.choice(
                [" ".join(words), "", lines[at] * 2, lines[at][: dice.randrange(len(lines[at]) + 1)]]
            )
        with suppress(ReadError):
            send = next(item.send for item in registry.get("huawei").manifest.commands if item.id == command)
            device = parse(Capture("", "huawei", (Text("x", "\n".join(lines), send),), file="x"))
            for port in device.sample.ports.values() if device.sample else ():
                for count in (*(port.rx_pfc or ()), *(port.queue_packets or ()), port.marked_total, port.fcs_errors):
                    assert count is None or 0 <= count < 10**20
