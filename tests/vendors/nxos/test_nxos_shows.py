"""Reading show commands of NX-OS, alone and beside a running configuration. All values are invented."""

from __future__ import annotations

import pytest

from rocecfg.errors import ReadError
from rocecfg.state.capture import Capture, Text
from rocecfg.state.model import Device, LinkPause
from rocecfg.state.parse import parse
from rocecfg.vendor import registry

PFC = """\
============================================================
Port               Mode Oper(VL bmap)  RxPPP      TxPPP
============================================================
Ethernet1/1        On   On   (8)       1204       33
Ethernet1/2        Auto On   (18)      0          0
Ethernet1/49       Auto Off            0          0
"""
QUEUING = """\
Egress Queuing for Ethernet1/1 [System]
+-------------------------------------------------------------------+
|                              QOS GROUP 3                          |
+-------------------------------------------------------------------+
|                |  Unicast       | OOBFC Unicast  |  Multicast     |
|        Tx Pkts |            5120|               0|               0|
+-------------------------------------------------------------------+
Port Egress Statistics
--------------------------------------------------------
WRED Drop Pkts                              0
Ingress Queuing for Ethernet1/1
Port Ingress Statistics
--------------------------------------------------------
Ingress MMU Drop Pkts                       0
PFC Statistics
----------------------------------------------------------------------------
TxPPP:                    33, RxPPP:                  1204
----------------------------------------------------------------------------
COS QOS Group        PG   TxPause   TxCount         RxPause         RxCount
   0         -         -  Inactive         0        Inactive               0
   3         4         4  Active          33        Active              1204
----------------------------------------------------------------------------
"""
WATCHDOG = """\
Global watch-dog interval [Enabled]
Ethernet1/1 Interface PFC watchdog: [Enabled]
Disable-action                     : Yes
PFC watch-dog interface-multiplier : 0
+----------------------------------------------------+
| QOS GROUP 3 [Active] PFC [YES] PFC-COS [3]
+----------------------------------------------------+
|                               |  Stats             |
|                       Shutdown|                   1|
+----------------------------------------------------+
| QOS GROUP 1 [Active] PFC [NO] PFC-COS [1]
Ethernet1/2 Interface PFC watchdog: [Disabled]
Disable-action                     : No
"""
INTERFACE = """\
Ethernet1/1 is up
admin state is up, Dedicated Interface
  MTU 9216 bytes, BW 100000000 Kbit, DLY 10 usec
  full-duplex, 100 Gb/s, media type is 100G
  Input flow-control is on, output flow-control is off
  RX
    7 Rx pause
Ethernet1/2 is down (Link not connected)
  MTU 1500 bytes, BW 100000000 Kbit, DLY 10 usec
  Input flow-control is off, output flow-control is off
"""
CONFIG = """\
policy-map type network-qos NQ
  class type network-qos c-8q-nq3
    pause pfc-cos 3
system qos
  service-policy type network-qos NQ
interface Ethernet1/1
  priority-flow-control mode auto
"""


def read(*contents: str) -> Device:
    texts = tuple(Text(f"{number}.txt", content) for number, content in enumerate(contents))
    return parse(Capture("leaf1", "nxos", texts, file="leaf1"))


def test_pfc_in_operation() -> None:
    device = read(PFC)
    found = {name: port.qos.pfc for name, port in device.ports.items()}
    one, two, other = found["Ethernet1/1"], found["Ethernet1/2"], found["Ethernet1/49"]
    assert one is not None
    assert two is not None
    assert other is not None
    assert (one.admin, one.oper) == ("on", frozenset({3}))
    assert (two.admin, two.oper) == ("auto", None), "nobody says whether 18 is hexadecimal"
    assert (other.admin, other.oper, other.sends()) == ("auto", frozenset(), frozenset())
    assert device.complete == frozenset()
    assert not device.lines
    assert device.lines_read == 4


def test_queues_and_groups_of_priorities() -> None:
    device = read(QUEUING)
    qos = device.ports["Ethernet1/1"].qos
    assert not device.lines
    assert qos.priority_to_queue is not None
    assert qos.priority_to_pg is not None
    assert (qos.priority_to_queue[3], qos.priority_to_pg[3], qos.priority_to_queue[0]) == (
        frozenset({4}),
        frozenset({4}),
        None,
    )
    assert qos.pfc is not None
    assert qos.pfc.oper == frozenset({3})


def test_watchdog_in_force() -> None:
    device = read(WATCHDOG)
    one, two = (device.ports[name].qos.watchdog for name in ("Ethernet1/1", "Ethernet1/2"))
    assert not device.lines
    assert one is not None
    assert two is not None
    assert (one.enabled, one.priorities, one.action) == (True, frozenset({3}), "alert")
    assert two.enabled is False
    off = read(WATCHDOG.replace("interval [Enabled]", "interval [Disabled]")).ports["Ethernet1/1"].qos.watchdog
    assert off is not None
    assert off.enabled is False


def test_mtu_speed_and_link_pause() -> None:
    device = read(INTERFACE)
    one, two = device.ports["Ethernet1/1"], device.ports["Ethernet1/2"]
    assert (one.mtu, one.speed_now, one.qos.link_pause) == (9216, 100 * 10**9, LinkPause(rx=True, tx=False))
    assert (two.mtu, two.qos.link_pause) == (1500, LinkPause(rx=False, tx=False))
    assert device.lines_read == 6
    assert not device.lines


def test_show_commands_complete_the_configuration_and_override_nothing() -> None:
    device = read(CONFIG, PFC, INTERFACE)
    port = device.ports["Ethernet1/1"]
    assert port.qos.pfc is not None
    assert (port.qos.pfc.admin, port.qos.pfc.tx, port.qos.pfc.oper) == ("auto", frozenset({3}), frozenset({3}))
    assert port.qos.pfc.sends() == frozenset({3})
    assert port.mtu == 9216
    assert port.qos.link_pause == LinkPause(rx=True, tx=False)


def test_lines_of_an_output_that_nobody_knows_are_reported() -> None:
    assert [line.text for line in read(PFC + "Ethernet1/3 Maybe On (8) 0 0\n").lines] == [
        "Ethernet1/3 Maybe On (8) 0 0"
    ]
    assert [line.text for line in read(QUEUING + "something new\n").lines] == ["something new"]
    assert not read("leaf1# show interface priority-flow-control\n" + PFC).lines


@pytest.mark.parametrize(
    ("content", "command"),
    [
        (PFC, "show-interface-pfc"),
        (QUEUING, "show-queuing"),
        (WATCHDOG, "show-pfc-queue"),
        (INTERFACE, "show-interface"),
    ],
)
def test_each_output_is_told_from_the_others_and_never_ends_in_a_traceback(content: str, command: str) -> None:
    assert registry.command_of("nxos", Text("x", content)) == command
    lines = content.splitlines(keepends=True)
    for end in range(len(lines)):
        text = Text("x.txt", "".join(lines[:end]), command)
        try:
            assert parse(Capture("leaf1", "nxos", (text,), file="x.txt")).ports
        except ReadError as error:
            if "x.txt" not in str(error):
                raise


DETAIL = """\
leaf3# show interface priority-flow-control detail

Ethernet1/7
    Admin Mode: On
    Oper Mode: On
    VL bitmap: (8)
    Total Rx PFC Frames: 51
    Total Tx PFC Frames: 7
Ethernet1/8
    Admin Mode: Auto
    Oper Mode: Off
    VL bitmap:
leaf3#
"""


def test_the_detail_form_of_the_pfc_table() -> None:
    device = read(DETAIL)
    assert {name: (port.qos.pfc.admin, port.qos.pfc.oper) for name, port in device.ports.items() if port.qos.pfc} == {
        "Ethernet1/7": ("on", frozenset({3})),
        "Ethernet1/8": ("auto", frozenset()),
    }
    assert not [line for line in device.lines if line.text != "VL bitmap:"]


def test_prompts_around_a_table_are_no_lines_of_it() -> None:
    device = read(f"leaf3# show interface priority-flow-control\n\n{PFC}leaf3# \nleaf3(config)# exit\n")
    assert not device.lines
    assert len(device.ports) == 3


QUEUES = """\
slot  1
=======
Egress Queuing for Ethernet1/7 [System]
------------------------------------------------------------------------------
QoS-Group# Bandwidth% PrioLevel                Shape                   QLimit
                                   Min          Max        Units
------------------------------------------------------------------------------
      7             -         1           -            -     -            9(D)
      3            60         -           -            -     -            9(D)
      0            40         -           -            -     -            9(D)
Ingress Queuing for Ethernet1/7
-----------------------------------------------------
QoS-Group#                 Pause
           Buff Size       Pause Th      Resume Th
-----------------------------------------------------
      7              -            -            -
      3         90064         31200         20800
"""


def test_scheduling_and_pause_buffers_of_show_queuing() -> None:
    device = read(QUEUES)
    assert not device.lines
    qos = device.ports["Ethernet1/7"].qos
    strict, weighted, group = qos.queue(7), qos.queue(3), qos.priority_group(3)
    assert strict is not None
    assert (strict.scheduler, strict.rank) == ("strict", 1)
    assert weighted is not None
    assert weighted.scheduler == "weighted"
    assert group is not None
    assert group.headroom is not None
    assert group.headroom.amount is not None
    assert group.headroom.amount.bytes == 90_064 - 31_200
    assert qos.priority_group(7) is None


def test_global_times_of_the_watchdog_output() -> None:
    times = (
        "Global watch-dog interval [Enabled]\nGlobal PFC watchdog configuration details\n"
        "PFC watchdog poll interval : 200 ms\nPFC watchdog shutdown multiplier : 3\n"
        "PFC watchdog auto-restore multiplier : 10\nPFC watchdog fixed-restore multiplier : 2\n"
    )
    device = read(times + WATCHDOG.partition("\n")[2])
    assert not device.lines
    watchdog = device.ports["Ethernet1/1"].qos.watchdog
    assert watchdog is not None
    assert (watchdog.poll, watchdog.detect, watchdog.restore) == (200, 600, 2400)


@pytest.mark.parametrize(
    "text",
    [
        "Ethernet1/7 is up\nadmin state is up, Dedicated Interface\n  MTU 9216 bytes, BW 100000000 Kbit , DLY 10 usec\n",
        (
            "        Ethernet1/7 is down (Link not connected)\n        admin state is up, Dedicated Interface\n"
            "          MTU 9216 bytes, BW 100000000 Kbit, DLY 10 usec\n"
        ),
    ],
)
def test_a_short_show_interface_is_detected(text: str) -> None:
    assert registry.detect((Text("a", text),), "a") == "nxos"
    assert read(text).ports["Ethernet1/7"].mtu == 9216


def test_network_qos_in_force_of_show_policy_map_system() -> None:
    device = read(
        "leaf3# show policy-map system type network-qos\n\n\n  Type network-qos policy-maps\n"
        "  ============================\n  policy-map type network-qos NQ-SHOWN\n"
        "    class type network-qos c-8q-nq4\n      match qos-group 4\n      pause pfc-cos 3\n      mtu 9216\n"
        "    class type network-qos c-8q-nq-default\n      match qos-group 0\n      mtu 9216\n"
    )
    assert not device.lines
    (port,) = device.ports.values()
    assert port.qos.pfc is not None
    assert port.qos.pfc.tx == frozenset({3})
    group = port.qos.priority_group(4)
    assert group is not None
    assert (group.lossless, group.mtu) == (True, 9216)


@pytest.mark.parametrize("name", ["ii1/1/1", "Vethernet7001", "Br-Ethernet1/9/1"])
def test_links_inside_a_switch_or_chassis_are_no_ports(name: str) -> None:
    device = read(f"{PFC}{name}            Auto On   (8)       12         9\n")
    assert not device.lines
    assert len(device.ports) == 3
