"""Reading niccli, Broadcom's own scripts, configfs and counters; texts that are broken, foreign or of another NIC."""

from __future__ import annotations

import contextlib
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

VENDOR = registry.get("bnxt")
SHOW = """\
# niccli --dev 2 qos --ets --show

IEEE 8021QAZ ETS Configuration TLV:
         PRIO_MAP: 0:0 1:0 2:0 3:0 4:1 5:0 6:2 7:0
         TC Bandwidth: 25% 75% 0%
         TSA_MAP: 0:ets 1:ets 2:strict
IEEE 8021QAZ PFC TLV:
         PFC enabled: 4
IEEE 8021QAZ APP TLV:
         APP#0:
          Priority: 4
          Sel: 5
          DSCP: 34

         APP#1:
          Priority: 6
          Sel: 5
          DSCP: 56

         APP#2:
          Priority: 4
          Sel: 3
          UDP or DCCP: 4791

TC Rate Limit: 100% 100% 100% 0% 0% 0% 0% 0%
"""
LIST = """\
# niccli --list_devices
1 ) Broadcom BCM57608 1x400G QSFP-DD PCIe Ethernet NIC (Adp#1 Port#1)
     Device Interface Name     : benic1p1
     MAC Address               : 02:00:00:00:00:01
     PCI Address               : 0000:06:00.0

2 ) Broadcom BCM57608 1x400G QSFP-DD PCIe Ethernet NIC (Adp#2 Port#1)
     Device Interface Name     : benic2p1
     MAC Address               : 02:00:00:00:00:02
     PCI Address               : 0000:16:00.0
"""
COSQ = """\
# niccli --dev 0000:16:00.0 qos --ingress --cosq --show
  TC   State     Mode
   0   Enabled   Lossy
   1   Enabled   {mode}
   2   Enabled   Lossy
"""
SCRIPT = """\
#!/bin/bash
IF=benic2p1 DEV=bnxt_re1
dcb app flush dev $IF
dcb ets set dev $IF tc-tsa 0:ets 1:ets 2:strict tc-bw 0:25 1:75 prio-tc all:0 4:1 6:2
dcb pfc set dev $IF prio-pfc all:off 4:on
dcb app add dev $IF dgram-port-prio 4791:0x4
dcb app add dev $IF dscp-prio 0x22:0x4
dcb app add dev $IF dscp-prio 0x38:0x6
C=/sys/kernel/config/bnxt_re/$DEV; mkdir $C; cd $C/ports/1/cc
echo -n 0x1 > ecn_marking; echo -n 0x1 > ecn_enable; echo -n 1 > cc_mode
echo -n 0x38 > cnp_dscp; echo -n 6 > cnp_prio; echo -n 0x1 > apply
cd /; rmdir $C
"""


def read(content: str, command: str = "") -> Device:
    module = VENDOR.module
    return module.defaults(module.to_state(Capture("n1", "bnxt", (Text("n1.txt", content, command),), file="n1")))


def test_niccli_show() -> None:
    device = read(LIST + SHOW)
    assert (list(device.ports), device.lines) == (["benic1p1", "benic2p1"], ())
    qos = device.ports["benic2p1"].qos
    assert (qos.trust, qos.pfc.tx, qos.app_to_tc) == ("dscp", {4}, (("udp", 4791, 4),))
    assert (qos.dscp_to_tc.to[34], qos.dscp_to_tc.to[56], qos.dscp_to_tc.to[0]) == (4, 6, 0)
    assert (qos.tc_to_queue[:8], qos.queue(1).weight, qos.queue(2).scheduler) == (
        (0, 0, 0, 0, 1, 0, 2, 0),
        75,
        "strict",
    )
    assert device.model.startswith("Broadcom BCM57608")


@pytest.mark.parametrize(("mode", "lossless"), [("Lossless", True), ("Lossy", False)])
def test_pfc_on_a_queue_that_is_lossy(mode: str, lossless: bool) -> None:
    port = read(LIST + SHOW + COSQ.format(mode=mode)).ports["benic2p1"]
    assert (port.qos.priority_group(1).lossless, port.qos.priority_group(0).lossless) == (lossless, False)
    assert port.qos.priority_to_pg[4] == {1}
    rules = {item.rule for item in lint([read(LIST + SHOW + COSQ.format(mode=mode))], settings=Settings()).findings}
    assert ("NIC-020" in rules) is not lossless


def test_older_words_of_niccli() -> None:
    device = read(
        "$ niccli -dev 1 dump pri2cos\nBase Queue is 0 for port 0\nPriority   TC   Queue ID\n0   0   4\n4   1   0\n"
        "$ niccli -dev 1 get_dscp2prio\ndscp2prio mapping:\n         priority:4  dscp: 34\n"
    )
    (port,) = device.ports.values()
    assert (port.qos.tc_to_queue[0], port.qos.tc_to_queue[4], port.qos.dscp_to_tc.to[34]) == (0, 1, 4)
    assert device.lines == ()


@pytest.mark.parametrize("named", ["-dev 2", "-dev=2", "--dev 2", "-i 2", "--dev 0000:16:00.0"])
def test_ways_to_name_a_port(named: str) -> None:
    assert read(LIST + SHOW.replace("--dev 2", named)).ports["benic2p1"].qos.pfc.tx == {4}


def test_a_script_with_dcb_and_configfs() -> None:
    device = read(SCRIPT)
    assert device.lines == ()
    port = device.ports["benic2p1"]
    assert (port.qos.pfc.tx, port.qos.app_to_tc, port.qos.queue(1).weight) == ({4}, (("udp", 4791, 4),), 75)
    assert (port.qos.dscp_to_tc.to[34], port.qos.dscp_to_tc.to[56]) == (4, 6)
    assert (port.nic.rdma_device, port.nic.cnp_dscp, port.nic.cnp_priority, port.nic.sets_ect) == (
        "bnxt_re1",
        56,
        6,
        True,
    )
    assert port.nic.congestion_control.algorithm == "dcqcn"


def test_setupcc_is_expanded() -> None:
    device = read("./bnxt_setupcc.sh -d bnxt_re1 -i benic2p1 -m 3 -s 34 -p 56 -r 4 -c 6 -b 75 -u 4 -C 1\n")
    port = device.ports["benic2p1"]
    shown = read(LIST + SHOW).ports["benic2p1"]
    for leaf in ("trust", "dscp_to_tc", "app_to_tc", "tc_to_queue", "queues", "pfc"):
        assert getattr(port.qos, leaf) == getattr(shown.qos, leaf), leaf
    assert (port.nic.default_tos, port.nic.roce_version, port.qos.link_pause.rx) == (136, "v2", False)
    plain = read("./bnxt_setupcc.sh -d bnxt_re1 -i benic2p1 -i benic3p1 -m 3 -s 34 -p 56 -r 4 -c 6 -u 3\n")
    assert list(plain.ports) == ["benic2p1", "benic3p1"]
    assert plain.ports["benic3p1"].qos.tc_to_queue[:8] == (0, 0, 0, 0, 1, 0, 0, 0)
    assert (plain.ports["benic3p1"].nic.cnp_dscp, plain.ports["benic3p1"].qos.queue(1).weight) == (56, 50)


def test_niccli_commands_set() -> None:
    device = read(
        "sudo niccli --dev 1 qos --ets --tsa 0:ets,1:ets,2:strict --up2tc 0:0,1:0,2:0,3:0,4:1,5:0,6:2,7:0 --tcbw 25,75\n"
        "niccli --dev 1 qos --pfc --enable 4\nniccli --dev 1 qos --apptlv --add --app 4,5,34\n"
        "niccli --dev 1 qos --apptlv --add --app 6,5,56\nniccli --dev 1 qos --apptlv --add --app 4,3,4791\n"
    )
    (port,) = device.ports.values()
    shown = read(LIST + SHOW).ports["benic2p1"]
    assert device.lines == ()
    for leaf in ("app_to_tc", "tc_to_queue", "queues", "pfc"):
        assert getattr(port.qos, leaf) == getattr(shown.qos, leaf), leaf


def test_counters() -> None:
    device = read(
        "# ethtool -S benic2p1\nNIC statistics:\n     rx_pfc_ena_frames_pri4: 7\n     tx_pfc_ena_frames_pri4: 9\n"
        "     pfc_pri4_rx_duration_us: 12\n     rx_fcs_err_frames: 3\n     [0]: rx_ucast_packets: 4\n"
        "# rdma statistic show link\nlink bnxt_re1/1 seq_err_naks_rcvd 5 to_retransmits 6 oos_drop_count 8\n"
        "link bnxt_re1/1 state ACTIVE physical_state LINK_UP netdev benic2p1\n"
    )
    port, rdma = device.sample.ports["benic2p1"], device.sample.rdma["bnxt_re1"]
    assert (port.rx_pfc[4], port.tx_pfc[4], port.rx_paused[4], port.fcs_errors) == (7, 9, 12_000, 3)
    assert (rdma.sequence_errors, rdma.ack_timeouts, rdma.out_of_sequence) == (5, 6, 8)


@pytest.mark.parametrize(
    "content", [LIST, SHOW, SCRIPT, COSQ.format(mode="Lossy"), "./bnxt_setupcc.sh -d x -i y -r 3\n"]
)
def test_detected(content: str) -> None:
    assert registry.detect((Text("n1.txt", content),), "n1.txt") == "bnxt"


def test_a_port_of_another_driver_is_left_out() -> None:
    device = read(LIST + "# ethtool -i ens9\ndriver: ice\nversion: 6.8\n# ethtool -a ens9\nPause parameters for ens9:\n"
                  "RX: on\nTX: on\nlink mlx5_0/1 state ACTIVE physical_state LINK_UP netdev ens8\n")  # fmt: skip
    assert list(device.ports) == ["benic1p1", "benic2p1"]


@pytest.mark.parametrize(
    ("line", "bad"),
    [
        ("PFC enabled: 4", "PFC enabled: 0x10"), ("DSCP: 34", "DSCP: 64"), ("DSCP: 34", "DSCP: ٣"),
        ("Sel: 3", "Sel: 9"), ("Priority: 6", "Priority: 8"), ("TC Bandwidth: 25% 75% 0%", "TC Bandwidth: 25% -75%"),
    ],
)  # fmt: skip
def test_impossible_values_are_reported(line: str, bad: str) -> None:
    device = read(LIST + SHOW.replace(line, bad, 1))
    assert bad in {item.text for item in device.lines}


@pytest.mark.parametrize("content", ["", "\x00", "APP#0:\n Priority: 3\n", "hostname leaf1\n", "{", "Sel: 5\n"])
def test_nothing_of_a_nic_is_one_clear_error(content: str) -> None:
    with contextlib.suppress(ReadError):
        assert not read(content).ports


@pytest.mark.parametrize("change", [
    lambda text: text.replace("\n", "\r\n"),
    lambda text: "\ufeff" + text,
    lambda text: text.replace("# niccli", "root@host:/# niccli"),
    lambda text: text.replace("         ", "\t"),
])  # fmt: skip
def test_layout_changes_nothing(change) -> None:
    assert read(change(LIST + SHOW)).ports == read(LIST + SHOW).ports


def test_golden_script_and_unit() -> None:
    plan, _ = VENDOR.module.fit(planned_host("bnxt", ["benic1p1", "benic2p1"]))
    script, unit = (file.content for file in render(plan))
    here = Path(__file__)
    golden = here.with_name("small_plan.sh").read_text(encoding="utf-8")
    assert script[: script.index("\n\n\nreadonly ROOT=")] == golden.rstrip("\n")
    assert unit == here.with_name("small_plan.service").read_text(encoding="utf-8")
