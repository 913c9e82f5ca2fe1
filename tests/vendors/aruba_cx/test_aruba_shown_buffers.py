"""`show interface ... qos`, `... qos buffers` and `... queues` of AOS-CX, port-channels among them."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from rocecfg.state.capture import Capture, Text
from rocecfg.state.model import Amount, Dynamic
from rocecfg.state.parse import parse

if TYPE_CHECKING:
    from rocecfg.state.model import Device

BUFFERS = """\
torA# show interface 1/1/2 qos buffers

Buffer usage for 1/1/2 in kbytes:
Cable Length: 35 meters (hardware detected)
Recent Peak Interval: 50 seconds
Dynamic thresholds limit = 2^<Alpha>*FreeSpace

Ingress:
  Pri  Pool type     Pool Id   In Use   Recent Peak  Max Use     Limit
  ---  ---------     -------   ------   -----------  -------     -----
  0    Lossy               0     1486          2357     4852
  3    Lossless            1      542          1468     5123     Dyn:2
  3    Headroom            1        0             0       41        52
  4    Lossy               0        0             0        0
"""
QOS = """\
Interface 1/1/5 is up
 Admin state is up
 qos trust cos (global)
 qos queue-profile factory-default (global)
 qos schedule-profile factory-default (global)
 qos cos 5
Aggregate-name lag7
 Admin state is up
 qos trust none local-priority 1 color yellow (override)
 qos queue-profile factory-default (global)
"""
QUEUES = """\
Interface 1/1/5 is down
 Admin state is up
                Tx Bytes      Tx Packets        Tx Drops
Q0                     0               0               3
Aggregate-name lag7
Aggregated-interfaces :
1/1/6  1/1/7
Speed 20000 Mb/s
                Tx Bytes      Tx Packets        Tx Drops
Q0                    64               1               9
"""
CONFIG = """\
Current configuration:
!
hostname torA
qos pool 1 lossless size 40 percent headroom 3072 kbytes priorities 3
interface 1/1/2
    no shutdown
    flow-control priority rxtx 3
"""


def shown(content: str) -> Device:
    return parse(Capture("torA", "", (Text("shown.txt", content, "", None),), file="shown.txt"))


def test_a_lossless_priority_has_two_rows() -> None:
    device = shown(BUFFERS)
    assert (device.nos, list(device.ports), device.lines) == ("aruba_cx", ["1/1/2"], ())
    groups = device.ports["1/1/2"].qos.priority_groups
    assert [group.lossless if group else None for group in groups[:5]] == [False, None, None, True, False]
    assert groups[3].xoff_at == Dynamic(Fraction(4))
    assert groups[3].headroom.amount == Amount(52, "kbyte", 52 * 1024)
    assert device.sample.ports["1/1/2"].headroom_peak[3] == 41 * 1024


def test_the_headroom_of_a_configuration_gets_its_size() -> None:
    texts = (Text("run.txt", CONFIG, "show running-config", True), Text("buffers.txt", BUFFERS, "", None))
    group = parse(Capture("torA", "aruba_cx", texts, file="torA")).ports["1/1/2"].qos.priority_groups[3]
    assert (group.headroom.by, group.headroom.amount) == ("box", Amount(52, "kbyte", 52 * 1024))


def test_what_is_in_force_and_where_it_comes_from() -> None:
    device = shown(QOS)
    assert {name: port.qos.trust for name, port in device.ports.items()} == {"1/1/5": "pcp", "lag 7": "none"}
    assert device.lines == ()


def test_queues_of_a_port_channel_are_its_own() -> None:
    counted = shown(QUEUES).sample.ports
    assert {name: port.queue_drops[0] for name, port in counted.items()} == {"1/1/5": 3, "lag 7": 9}
