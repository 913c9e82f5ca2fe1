"""Reading what dcb, lldptool and ethtool print or set on a NIC of any driver, and texts that are broken or foreign."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rocecfg.errors import ReadError
from rocecfg.lint.config import Settings
from rocecfg.lint.run import lint
from rocecfg.render.engine import render
from rocecfg.state.capture import Capture, Text
from rocecfg.vendor import registry
from tests.planned import planned_host

if TYPE_CHECKING:
    from rocecfg.state.model import Device

VENDOR = registry.get("linux_dcb")
DCB = """\
root@n1:~# dcb pfc show dev eth4
pfc-cap 4 macsec-bypass off delay 128
prio-pfc 0:off 1:off 2:off 3:off 4:on 5:off 6:off 7:off
root@n1:~# dcb ets show dev eth4
willing off ets-cap 8 cbs off
tc-bw 0:35 1:65 2:0 3:0 4:0 5:0 6:0 7:0
pg-bw 0:0 1:0 2:0 3:0 4:0 5:0 6:0 7:0
tc-tsa 0:ets 1:ets 2:strict 3:strict 4:strict 5:strict 6:strict 7:strict
prio-tc 0:0 1:0 2:0 3:0 4:1 5:0 6:2 7:0
root@n1:~# dcb app show dev eth4
dscp-prio AF41:4 CS7:6
dgram-port-prio 4791:4
root@n1:~# dcb dcbx show dev eth4
host ieee
root@n1:~# ethtool -a eth4
Pause parameters for eth4:
Autonegotiate:\ton
RX:\t\toff
TX:\t\toff
"""
LLDPTOOL = """\
Chassis ID TLV
\tMAC: 02:00:00:00:00:10
Port ID TLV
\tMAC: 02:00:00:00:00:10
Time to Live TLV
\t120
IEEE 8021QAZ ETS Configuration TLV
\t Willing: no
\t CBS: not supported
\t MAX_TCS: 8
\t PRIO_MAP: 0:0 1:0 2:0 3:0 4:1 5:0 6:0 7:0
\t TC Bandwidth: 0% 100% 0% 0% 0% 0% 0% 0%
\t TSA_MAP: 0:ets 1:ets 2:strict 3:strict 4:strict 5:strict 6:strict 7:strict
IEEE 8021QAZ ETS Recommendation TLV
\t PRIO_MAP: 0:0 1:7 2:7 3:7 4:7 5:7 6:7 7:7
\t TC Bandwidth: 1% 2% 3% 4% 5% 6% 7% 72%
IEEE 8021QAZ PFC TLV
\t Willing: no
\t MACsec Bypass Capable: no
\t PFC capable traffic classes: 8
\t PFC enabled: 4
IEEE 8021QAZ APP TLV
\tApp#   0\t Prio 4\t Sel 3\t P-ID\t UDP or DCCP Port: 4791
\tPrio:4\t dscp:\t 34,
End of LLDPDU TLV
"""
SCRIPT = """\
#!/bin/sh
IF=eth4
systemctl start lldpad
lldptool -L -i $IF adminStatus=rxtx
lldptool -Ti $IF -V PFC willing=no enableTx=yes enabled=4
lldptool -T -i $IF -V ETS-CFG willing=no tsa=0:ets,1:ets,2:strict up2tc=0:0,1:0,2:0,3:0,4:1,5:0,6:2,7:0 tcbw=35,65,0,0,0,0,0,0
lldptool -T -i $IF -V APP app=4,5,34
lldptool -T -i $IF -V APP app=4,3,4791
lldptool -T -i $IF -V APP -d app=0,5,10
ethtool -A $IF rx off tx off
ip link set $IF mtu 9000
"""


def read(content: str, command: str = "") -> Device:
    module = VENDOR.module
    return module.defaults(module.to_state(Capture("n1", "linux_dcb", (Text("n1.txt", content, command),), file="n1")))


def test_dcb_text() -> None:
    device = read(DCB)
    (port,) = device.ports.values()
    qos = port.qos
    assert (port.name, device.kind, device.lines) == ("eth4", "host", ())
    assert (qos.trust, qos.pfc.tx, qos.pfc.by, qos.dcbx.owners, qos.cable) == ("dscp", {4}, "internal", {"os"}, None)
    assert (qos.dscp_to_tc.to[34], qos.dscp_to_tc.to[56], qos.dscp_to_tc.to[0]) == (4, 6, 0)
    assert qos.app_to_tc == (("udp", 4791, 4),)
    assert (qos.queue(0).weight, qos.queue(1).weight, qos.queue(2).scheduler) == (35, 65, "strict")
    assert (qos.link_pause.rx, qos.link_pause.tx) == (False, False)
    assert (port.where("pfc").line, port.where("app_to_tc").line) == (3, 12)


def test_json_says_the_same() -> None:
    parts = {
        "dcb -j pfc show dev eth4": '{"pfc_cap":4,"macsec_bypass":false,"delay":128,'
        '"prio_pfc":[false,false,false,false,true,false,false,false]}',
        "dcb -j ets show dev eth4": '{"willing":false,"ets_cap":8,"cbs":false,"tc_bw":[35,65,0,0,0,0,0,0],'
        '"tc_tsa":["ets","ets","strict","strict","strict","strict","strict","strict"],"prio_tc":[0,0,0,0,1,0,2,0]}',
        "dcb -j app show dev eth4": '{"dscp_prio":[[34,4," "],[56,6," "]],"dgram_port_prio":[[4791,4," "]]}',
        "dcb -j dcbx show dev eth4": '{"host":true,"ieee":true}',
    }
    data = read("".join(f"# {command}\n{body}\n" for command, body in parts.items()))
    text = read(DCB[: DCB.index("root@n1:~# ethtool")])
    assert (data.ports, data.lines) == (text.ports, ())


def test_lldptool_output_states_this_port_and_its_zero_share_is_found() -> None:
    device = read(LLDPTOOL, "lldptool -t -i eth4")
    port = device.ports["eth4"]
    assert device.lines == ()
    assert (port.qos.pfc.tx, port.qos.dcbx.willing, port.qos.tc_to_queue[:8]) == ({4}, False, (0, 0, 0, 0, 1, 0, 0, 0))
    assert (port.qos.queue(1).weight, port.qos.queue(7)) == (100, None)  # the recommendation is for the peer
    assert (port.qos.dscp_to_tc.to[34], port.qos.app_to_tc) == (4, (("udp", 4791, 4),))
    without_marks = read(LLDPTOOL[: LLDPTOOL.index("IEEE 8021QAZ APP")])
    assert "SCH-004" in {finding.rule for finding in lint([without_marks], settings=Settings()).findings}


def test_what_the_peer_advertises_is_not_this_port() -> None:
    device = read(f"# lldptool -t -n -i eth4\n{LLDPTOOL}# dcb pfc show dev eth4\npfc-cap 8 macsec-bypass off delay 0\n"
                  "prio-pfc 0:off 1:off 2:off 3:off 4:off 5:off 6:off 7:off\n")  # fmt: skip
    assert (device.ports["eth4"].qos.pfc.tx, device.ports["eth4"].qos.tc_to_queue) == (frozenset(), None)


def test_a_script_of_lldptool_commands() -> None:
    device = read(SCRIPT)
    port = device.ports["eth4"]
    assert device.lines == ()
    assert (port.mtu, port.qos.pfc.tx, port.qos.trust, port.qos.dcbx.owners) == (9000, {4}, "dscp", {"lldpad"})
    assert (port.qos.dscp_to_tc.to[34], port.qos.app_to_tc) == (4, (("udp", 4791, 4),))
    assert (port.qos.tc_to_queue[:8], port.qos.queue(1).weight) == ((0, 0, 0, 0, 1, 0, 2, 0), 65)


def test_virtual_functions_and_bonds_are_named() -> None:
    device = read(
        "/sys/class/net/eth4v0/device/physfn/net/eth4\n/sys/class/net/eth4v0/mtu:1500\n/sys/class/net/eth4/mtu:9000\n"
        "/sys/class/net/eth4/upper_bond0\n"
    )
    assert (device.ports["eth4v0"].vf_of, device.ports["eth4"].vf_of, device.ports["eth4"].lag) == (
        "eth4", None, "bond0",
    )  # fmt: skip


@pytest.mark.parametrize("nos", ["linux_dcb", "bnxt", "ice", "ionic", "mlx5"])
def test_a_virtual_function_is_refused(nos: str) -> None:
    plan = planned_host(nos, ["eth4v0"])
    port = replace(plan.ports["eth4v0"], vf_of="eth4")
    _, notes = registry.get(nos).module.fit(replace(plan, ports={"eth4v0": port}))
    assert [(note.field, note.got) for note in notes if note.kind == "refused"] == [("vf_of", "eth4")]


@pytest.mark.parametrize(
    ("content", "system"),
    [
        (DCB, "linux_dcb"),
        (LLDPTOOL, "linux_dcb"),
        (SCRIPT, "linux_dcb"),
        (DCB + "link mlx5_0/1 state ACTIVE physical_state LINK_UP netdev eth4\n", "mlx5"),
    ],
)
def test_dcb_alone_is_nobodys_and_a_driver_named_beside_it_wins(content: str, system: str) -> None:
    assert registry.detect((Text("n1.txt", content),), "n1.txt") == system


@pytest.mark.parametrize(
    "line",
    [
        "prio-pfc 0:on 1:maybe", "tc-bw 0:-1 1:101", "prio-tc 0:9", "dscp-prio 64:3", "dscp-prio 26:٣", "dscp-prio 26:8",
        "PFC enabled: 8", "PFC enabled: three", "tc-tsa 9:ets", "PRIO_MAP: 0", "TC Bandwidth: 10% -5%",
    ],
)  # fmt: skip
def test_impossible_values_are_reported_and_change_nothing(line: str) -> None:
    text = (
        LLDPTOOL.replace("\t PFC enabled: 4\n", f"\t {line}\n")
        if "PFC" in line
        else f"{LLDPTOOL}IEEE 8021QAZ ETS Configuration TLV\n{line}\n"
    )
    device = read(text, "lldptool -t -i eth4")
    assert [item.text for item in device.lines] == [line]


@pytest.mark.parametrize("content", ["", "\n \n", "\x00\xff", "feature bgp\n", "{", "[1, 2", '{"prio_pfc": 1e999', "٣"])
def test_nothing_of_a_nic_is_one_clear_error(content: str) -> None:
    with contextlib.suppress(ReadError):
        assert not read(content).ports


@pytest.mark.parametrize("change", [
    lambda text: text.replace("\n", "\r\n"),
    lambda text: "\ufeff" + text,
    lambda text: text.replace("\n", "\n\n"),
    lambda text: text.replace("root@n1:~# ", "[root@n1 ~]# sudo "),
])  # fmt: skip
def test_layout_changes_nothing(change) -> None:
    assert read(change(DCB)).ports == read(DCB).ports


def test_golden_script_and_unit() -> None:
    plan, _ = VENDOR.module.fit(planned_host("linux_dcb", ["eth4", "eth5"]))
    script, unit = (file.content for file in render(plan))
    here = Path(__file__)
    golden = here.with_name("small_plan.sh").read_text(encoding="utf-8")
    assert script[: script.index("\n\n\nreadonly ROOT=")] == golden.rstrip("\n")
    assert unit == here.with_name("small_plan.service").read_text(encoding="utf-8")
