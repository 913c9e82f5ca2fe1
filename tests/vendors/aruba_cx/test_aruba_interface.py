"""`show interface` of AOS-CX, in its list form and in its table form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocecfg.state.capture import Capture, Text
from rocecfg.state.model import LinkPause
from rocecfg.state.parse import parse

if TYPE_CHECKING:
    from rocecfg.state.model import Device

LIST = """\
torA# show interface
Interface 1/1/7 is up
 Admin state is up
 Link transitions: 3
 Description: node07 smb2
 Hardware: Ethernet, MAC Address: 02:00:5e:00:00:07
 MTU 9198
 Type 100GbSR4
 Full-duplex
 qos trust cos
 Speed 100000 Mb/s
 Auto-negotiation is off
 Flow-control: off
 Error-control: off
 Rx
      8417650 total packets            957274611 total bytes
            0 errors                           3 dropped
        1,204 CRC/FCS
 Tx
    116722501 total packets           8432615310 total bytes
            0 errors                          14 dropped
            0 collision

Interface vlan711 is up
 Admin state is up
 Hardware: Ethernet, MAC Address: 02:00:5e:00:00:01
 MTU 1500

Interface 1/1/8 is down
 Admin state is down
 Hardware: Ethernet, MAC Address: 02:00:5e:00:00:08
 MTU 1500
 qos trust dscp
 Speed 0 Mb/s
 Flow-control: {flow}
"""
TABLE = """\
Interface 1/1/9 is up
 Admin state is up
 Link state: up for 4 days (since Mon Aug 03 08:00:00 UTC 2026)
 Hardware: Ethernet, MAC Address: 02:00:5e:00:00:09
 MTU 9100
 qos trust none
 Speed 25000 Mb/s
 Flow-control: off
 Statistic                          RX                   TX                Total
 ---------------- -------------------- -------------------- --------------------
 Pause Frames                        0                    0                    0
 CRC/FCS                            17                  n/a                   17
"""  # fmt: skip


def shown(content: str, nos: str = "") -> Device:
    return parse(Capture("torA", nos, (Text("shown.txt", content, "", None),), file="shown.txt"))


def test_ports_of_the_list_form() -> None:
    device = shown(LIST.format(flow="off"))
    assert (device.nos, list(device.ports), device.lines) == ("aruba_cx", ["1/1/7", "1/1/8"], ())
    seven, eight = device.ports.values()
    assert (seven.qos.trust, seven.mtu, seven.speed_now, seven.enabled) == ("pcp", 9198, 100_000_000_000, True)
    assert seven.qos.link_pause == LinkPause(rx=False, tx=False)
    assert (eight.qos.trust, eight.mtu, eight.speed_now, eight.enabled) == ("dscp", 1500, None, False)
    assert device.sample is not None
    assert device.sample.ports["1/1/7"].fcs_errors == 1204
    assert seven.where("qos.trust") is not None


def test_a_state_of_flow_control_that_nobody_documents_is_said() -> None:
    device = shown(LIST.format(flow="rxtx priority 3"))
    assert [line.text for line in device.lines] == ["Flow-control: rxtx priority 3"]
    assert device.ports["1/1/8"].qos.link_pause is None


def test_the_table_form() -> None:
    device = shown(TABLE)
    assert (list(device.ports), device.ports["1/1/9"].mtu) == (["1/1/9"], 9100)
    assert device.sample is not None
    assert device.sample.ports["1/1/9"].fcs_errors == 17


def test_the_configuration_speaks_first() -> None:
    config = "Current configuration:\n!\nhostname torA\ninterface 1/1/7\n    no shutdown\n    qos trust dscp\n"
    texts = (Text("run.txt", config, "show running-config", True), Text("if.txt", LIST.format(flow="off"), "", None))
    device = parse(Capture("torA", "aruba_cx", texts, file="torA"))
    port = device.ports["1/1/7"]
    assert (port.qos.trust, port.speed_now) == ("dscp", 100_000_000_000)
    assert port.mtu == 9198
