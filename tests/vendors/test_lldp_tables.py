"""Tables of LLDP neighbours of five systems: who is behind which port, and what no row is."""

from __future__ import annotations

import pytest

from rocecfg.fabric.links import cables_of_neighbours
from rocecfg.state.capture import Capture, Text
from rocecfg.state.model import Neighbour
from rocecfg.state.parse import parse

NXOS = """\
leaf1# show lldp neighbors
Capability codes:
  (R) Router, (B) Bridge, (T) Telephone, (C) DOCSIS Cable Device
  (W) WLAN Access Point, (P) Repeater, (S) Station, (O) Other
Device ID            Local Intf      Hold-time  Capability  Port ID
spine-with-a-long-name.pod1.example
                     Eth1/49         120        BR          Ethernet1/3
gpu07                Eth1/7          120                    0200.5e00.0007
oob1                 mgmt0           120        B           Gi1/0/4
Total entries displayed: 3
"""
NXOS_DETAIL = """\
Chassis id: 0200.5e00.0049
Port id: Ethernet1/3
Local Port id: Eth1/49
Port Description: to leaf1
System Name: spine-with-a-long-name.pod1.example
System Description: Cisco Nexus Operating System (NX-OS) Software
Time remaining: 93 seconds

Chassis id: 0200.5e00.0007
Port id: 0200.5e00.0007
Local Port id: Eth1/7
Port Description: not advertised
System Name: gpu07
Vlan ID: 711
"""
JUNOS = """\
ops@leaf1> show lldp neighbors
Local Interface    Parent Interface    Chassis Id          Port info          System Name
et-0/0/49          ae1                 02:00:5e:00:00:49   et-0/0/3           spine-with-a-long-name
et-0/0/7           -                   02:00:5e:00:00:07   ens1f0np0          gpu07
em0                -                   02:00:5e:00:00:01   ge-0/0/4           oob1
"""
H3C = """\
<leaf1> display lldp neighbor-information list
Chassis ID : * -- -- Nearest nontpmr bridge neighbor
             # -- -- Nearest customer bridge neighbor
             Default -- -- Nearest bridge neighbor
System Name          Local Interface Chassis ID      Port ID
spine-with-a-long-na HGE1/0/49       0200-5e00-0049  HundredGigE1/0/3
me
gpu07                HGE1/0/7        0200-5e00-0007  ens1f0np0
"""
H3C_LATER = """\
Local Interface Chassis ID      Port ID                    System Name
HGE1/0/49       0200-5e00-0049  HundredGigE1/0/3           spine-with-a-long-na
HGE1/0/7        0200-5e00-0007  ens1f0np0                  gpu07
"""
OS10 = """\
leaf1# show lldp neighbors
Loc PortID          Rem Host Name             Rem Port Id               Rem Chassis Id
--------------------------------------------------------------------------------------
ethernet1/1/49      spine-with-a-long-name    ethernet1/1/3             02:00:5e:00:00:49
ethernet1/1/7       gpu07                     02:00:5e:00:00:07         02:00:5e:00:00:07
mgmt1/1/1           oob1                      GigabitEthernet1/0/4      02:00:5e:00:00:01
"""
HUAWEI = """\
<leaf1> display lldp neighbor
100GE1/0/49 has 1 neighbor(s):

Neighbor index                     :1
Chassis ID                         :0200-5e00-0049
Port ID subtype                    :Interface Name
Port ID                            :100GE1/0/3
Port description                   :to leaf1
System name                        :spine-with-a-long-name
System description                 :Huawei Versatile Routing Platform Software

100GE1/0/7 has 1 neighbor(s):

Neighbor index                     :1
Port ID                            :ens1f0np0
System name                        :gpu07
"""
CASES = {
    "nxos": (NXOS, "nxos", "Ethernet1/49", "spine-with-a-long-name", "Ethernet1/3", "Ethernet1/7", "0200.5e00.0007"),
    "nxos detail": (
        NXOS_DETAIL, "nxos", "Ethernet1/49", "spine-with-a-long-name", "Ethernet1/3", "Ethernet1/7", "0200.5e00.0007",
    ),
    "junos": (JUNOS, "junos", "et-0/0/49", "spine-with-a-long-name", "et-0/0/3", "et-0/0/7", "ens1f0np0"),
    "h3c": (H3C, "h3c", "HundredGigE1/0/49", "spine-with-a-long-na", "HundredGigE1/0/3", "HundredGigE1/0/7", "ens1f0np0"),
    "h3c later": (
        H3C_LATER, "h3c", "HundredGigE1/0/49", "spine-with-a-long-na", "HundredGigE1/0/3", "HundredGigE1/0/7", "ens1f0np0",
    ),
    "dell_os10": (
        OS10, "dell_os10", "ethernet1/1/49", "spine-with-a-long-name", "ethernet1/1/3", "ethernet1/1/7", "02:00:5e:00:00:07",
    ),
    "huawei": (HUAWEI, "huawei", "100GE1/0/49", "spine-with-a-long-name", "100GE1/0/3", "100GE1/0/7", "ens1f0np0"),
}  # fmt: skip
CONFIGURATIONS = {
    "nxos": "version 9.3(5)\nhostname leaf1\ninterface Ethernet1/49\n  mtu 9216\n",
    "junos": "set system host-name leaf1\nset interfaces et-0/0/49 mtu 9216\n",
    "h3c": "#\n sysname leaf1\n#\ninterface HundredGigE1/0/49\n jumboframe enable 9216\n#\nreturn\n",
    "dell_os10": "! Version 10.5.4.1\nhostname leaf1\n!\ninterface ethernet1/1/49\n mtu 9216\n!\n",
    "huawei": "!Software Version V300R022C00\n#\nsysname leaf1\n#\ninterface 100GE1/0/49\n jumboframe enable 9216\n#\nreturn\n",
}


@pytest.mark.parametrize("case", CASES)
def test_both_ends_of_each_row(case: str) -> None:
    content, nos, near, spine, far, host, nic = CASES[case]
    device = parse(Capture("leaf1", "", (Text("lldp.txt", content),), file="lldp.txt"))
    assert (device.nos, set(device.ports), device.lines) == (nos, {near, host}, ())
    assert device.ports[near].neighbour == Neighbour(spine, far, "lldp")
    assert device.ports[host].neighbour == Neighbour("gpu07", nic, "lldp")
    assert len(cables_of_neighbours([device])) == 2


@pytest.mark.parametrize("case", [name for name in CASES if " " not in name])
def test_beside_a_configuration_the_port_keeps_its_settings(case: str) -> None:
    content, nos, near, spine, far, _, _ = CASES[case]
    config = Text("run.txt", CONFIGURATIONS[nos])
    for texts in ((config, Text("lldp.txt", content)), (Text("lldp.txt", content), config)):
        port = parse(Capture("leaf1", nos, texts, file="leaf1")).ports[near]
        assert (port.mtu, port.neighbour) == (9216, Neighbour(spine, far, "lldp"))


@pytest.mark.parametrize("case", ["nxos", "junos", "dell_os10"])
def test_a_row_cut_in_two_is_said(case: str) -> None:
    content, nos = CASES[case][:2]
    row = next(line for line in content.splitlines() if "gpu07" in line)
    device = parse(Capture("leaf1", nos, (Text("lldp.txt", content.replace(row, row[:26])),), file="lldp.txt"))
    assert len(device.lines) == 1
