"""ARP and MAC timers of NX-OS: stated, default, and of a single VLAN."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rocecfg.findings import Severity
from rocecfg.lint.config import Settings
from rocecfg.lint.run import lint
from rocecfg.state.capture import Capture, Text
from rocecfg.state.parse import parse

if TYPE_CHECKING:
    from rocecfg.state.model import Device

BODY = """\
hostname leaf1
class-map type network-qos c-8q-nq3
  match qos-group 3
policy-map type network-qos NQ
  class type network-qos c-8q-nq3
    mtu 9216
    pause pfc-cos 3
system qos
  service-policy type network-qos NQ
interface Ethernet1/1
  switchport
  switchport mode trunk
  priority-flow-control mode on
"""
ARP = "interface Vlan711\n  ip arp timeout {}\n"


def read(text: str) -> Device:
    return parse(Capture("leaf1", "nxos", (Text("leaf1.cfg", text),)))


@pytest.mark.parametrize(
    ("more", "arp", "mac", "severity"),
    [
        ("", None, None, None),
        ("mac address-table aging-time 300\n", None, 300, None),
        (ARP.format(1200), 1200, None, None),
        (ARP.format(1500) + "mac address-table aging-time 1510\n", 1500, 1510, None),
        (ARP.format(1500) + "mac address-table aging-time 300\n", 1500, 300, Severity.ERROR),
        (ARP.format(1200) + ARP.replace("711", "712").format(14400), 14400, None, None),
        ("mac address-table aging-time 300 vlan 7\n", None, None, None),
    ],
)
def test_timers(more: str, arp: int | None, mac: int | None, severity: Severity | None) -> None:
    device = read(BODY + more)
    assert (device.arp_timeout, device.mac_ageing) == (arp, mac)
    assert device.lines == ()
    found = lint([device], settings=Settings(select=("DLK-004",))).findings
    assert [item.severity for item in found] == ([severity] if severity else [])


def test_a_part_of_a_text_proves_no_default() -> None:
    device = read("class-map type qos match-all A\n  match dscp 26\n")
    assert (device.arp_timeout, device.mac_ageing) == (None, None)
