"""`show interfaces status` and `show lldp table`: what a port is, and who is behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocecfg.state.capture import Capture, Text
from rocecfg.state.model import Neighbour
from rocecfg.state.parse import parse

if TYPE_CHECKING:
    from rocecfg.state.model import Device

STATUS = """\
admin@tor7:~$ show interfaces status
  Interface            Lanes    Speed    MTU    FEC    Alias    Vlan    Oper    Admin                   Type    Asym PFC
-----------  ---------------  -------  -----  -----  -------  ------  ------  -------  ---------------------  ----------
  Ethernet0          0,1,2,3     400G   9100     rs     etp1  routed      up       up  OSFP 8X Pluggable Mod         off
  Ethernet8        8,9,10,11      50G   1500    N/A    etp2a   trunk    down     down                    N/A          on
PortChannel101           N/A     100G   9100    N/A      N/A  routed      up       up                    N/A         N/A
"""  # fmt: skip
OLD = """\
Interface            Lanes    Speed    MTU            Alias    Oper    Admin    Type    Asym PFC
-----------  ---------------  -------  -----  ---------------  ------  -------  ------  ----------
Ethernet12      53,54,55,56     100G   9100   hundredGigE1/4    down       up     N/A         off
"""
LLDP = """\
admin@tor7:~$ show lldp table
Capability codes: (R) Router, (B) Bridge, (O) Other
LocalPort    RemoteDevice    RemotePortID         Capability    RemotePortDescr
-----------  --------------  -------------------  ------------  -----------------
Ethernet0    spine3          Ethernet1/9          BR            to tor7
Ethernet8                    02:00:5e:00:00:21
eth0         oob-2           GigabitEthernet 0/2  OBR
--------------------------------------------------
Total entries displayed:  3
"""


def shown(content: str, nos: str = "") -> Device:
    return parse(Capture("tor7", nos, (Text("shown.txt", content, "", None),), file="shown.txt"))


def test_status_gives_speed_mtu_fec_and_state() -> None:
    device = shown(STATUS)
    assert (device.nos, list(device.ports), device.lines) == ("sonic", ["Ethernet0", "Ethernet8"], ())
    first, second = device.ports.values()
    assert (first.speed, first.mtu, first.fec, first.alias, first.enabled) == (400 * 10**9, 9100, "rs", "etp1", True)
    assert (second.speed, second.mtu, second.fec, second.enabled) == (50 * 10**9, 1500, None, False)
    assert second.qos.pfc is not None  # asymmetric: honours all eight
    assert second.qos.pfc.rx == frozenset(range(8))


def test_columns_of_an_older_release() -> None:
    device = shown(OLD)
    port = device.ports["Ethernet12"]
    assert (port.speed, port.mtu, port.alias, device.lines) == (100 * 10**9, 9100, "hundredGigE1/4", ())


def test_a_row_that_is_no_row_is_said() -> None:
    device = shown(STATUS + "  Ethernet16        1,2     fast   9100     rs  etp3  routed  up  up  N/A  off\n")
    assert [line.text.split()[0] for line in device.lines] == ["Ethernet16"]


def test_lldp_names_the_far_end() -> None:
    device = shown(LLDP)
    assert (list(device.ports), device.lines) == (["Ethernet0", "Ethernet8"], ())
    assert device.ports["Ethernet0"].neighbour == Neighbour("spine3", "Ethernet1/9", "lldp")
    assert device.ports["Ethernet8"].neighbour is None


def test_a_dump_and_both_tables_are_one_device() -> None:
    dump = '{"PORT": {"Ethernet0": {"mtu": "4096", "speed": "400000"}}, "DEVICE_NEIGHBOR": {}}'
    texts = tuple(Text(f"{at}.txt", content, "", None) for at, content in enumerate((dump, STATUS, LLDP)))
    port = parse(Capture("tor7", "sonic", texts, file="tor7")).ports["Ethernet0"]
    assert (port.mtu, port.fec, port.neighbour) == (4096, "rs", Neighbour("spine3", "Ethernet1/9", "lldp"))
