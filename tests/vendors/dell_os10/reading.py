"""Small OS10 texts of our own, and how the tests read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocecfg.state.capture import Capture, Text
from rocecfg.state.parse import parse, stated

if TYPE_CHECKING:
    from rocecfg.state.model import Device

LEAF = """\
! Version 10.5.4.2
hostname leaf7
dcbx enable
mac address-table aging-time 900
!
wred MARK
 random-detect color green minimum-threshold 200 maximum-threshold 1600 drop-probability 25
 random-detect weight 3
 random-detect ecn
!
class-map type queuing CQ0
 match queue 0
!
class-map type queuing CQ4
 match queue 4
!
class-map type queuing CQ6
 match queue 6
!
class-map type network-qos CN4
 match qos-group 4
!
trust dscp-map TD
 qos-group 0 dscp 0-23,25-47,49-63
 qos-group 4 dscp 24
 qos-group 6 dscp 48
!
trust dot1p-map TP
 qos-group 4 dot1p 4
!
qos-map traffic-class TQ
 queue 0 qos-group 0-3,5,7
 queue 4 qos-group 4
 queue 6 qos-group 6
!
policy-map type network-qos PN
 !
 class CN4
  pause buffer-size 90 pause-threshold 50 resume-threshold 20
  pfc-cos 4
!
policy-map type queuing PQ
 !
 class CQ0
  bandwidth percent 35
 !
 class CQ4
  bandwidth percent 65
  random-detect MARK
 !
 class CQ6
  priority
!
system qos
 trust-map dot1p TP
 ets mode on
!
interface mgmt1/1/1
 no shutdown
!
interface ethernet1/1/1
 no shutdown
 switchport mode trunk
 mtu 9216
 flowcontrol receive off
 flowcontrol transmit off
 priority-flow-control mode on
 trust-map dscp TD
 service-policy input type network-qos PN
 service-policy output type queuing PQ
 ets mode on
 qos-map traffic-class TQ
!
interface ethernet1/1/2
 shutdown
 no switchport
 flowcontrol receive on
!
"""


def capture(content: str, *, complete: bool | None = None, command: str = "") -> Capture:
    return Capture("", "dell_os10", (Text("x.cfg", content, command, complete=complete),), file="x.cfg")


def read(content: str, *, complete: bool | None = None, command: str = "") -> Device:
    """The state with defaults."""
    return parse(capture(content, complete=complete, command=command))


def says(content: str) -> Device:
    """What the text states, no default filled in."""
    return stated(capture(content))


def line_of(content: str, text: str) -> int:
    """The number of the first line that holds a text."""
    return next(number for number, line in enumerate(content.splitlines(), 1) if text in line)
