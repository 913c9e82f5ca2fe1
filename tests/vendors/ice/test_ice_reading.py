"""Reading and fitting ice ports: what users' scripts set, the limits of the NIC, texts that are broken or foreign."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rocecfg.errors import ReadError
from rocecfg.render.engine import render
from rocecfg.state.capture import Capture, Text
from rocecfg.vendor import registry
from tests.planned import planned_host, planned_qos

if TYPE_CHECKING:
    from rocecfg.state.model import Device

VENDOR = registry.get("ice")
SCRIPT = """\
#!/bin/bash
IF=ens801f0; DEV=rocep175s0f0
ethtool --set-priv-flags $IF fw-lldp-agent off
systemctl start lldpad
lldptool -Ti $IF -V PFC willing=no enabled=2
lldptool -Ti $IF -V ETS-CFG willing=no up2tc=0:0,1:1,2:2,3:3 tsa=0:ets,1:ets,2:ets,3:strict tcbw=30,10,60,0,0,0,0,0
lldptool -T -i $IF -V APP app=2,5,18
ethtool -A $IF rx off tx off
mkdir -p /sys/kernel/config/irdma/$DEV
echo 1 > /sys/kernel/config/irdma/$DEV/roce_dcqcn_enable
rmdir /sys/kernel/config/irdma/$DEV
"""


def read(content: str, command: str = "") -> Device:
    module = VENDOR.module
    return module.defaults(module.to_state(Capture("n1", "ice", (Text("n1.txt", content, command),), file="n1")))


def refusals(**plan: object) -> list[str]:
    host = planned_host("ice", ["ens801f0"])
    qos = replace(planned_qos(lossless=plan.pop("lossless", {26: 3})), **plan)
    _, notes = VENDOR.module.fit(replace(host, ports={"ens801f0": replace(host.ports["ens801f0"], qos=qos)}))
    return [f"{note.got}: {note.because}" for note in notes if note.kind == "refused"]


def test_a_script_of_lldptool_commands() -> None:
    device = read(SCRIPT)
    port = device.ports["ens801f0"]
    assert device.lines == ()
    assert (port.qos.pfc.tx, port.qos.trust, port.qos.dcbx.owners) == ({2}, "dscp", {"lldpad"})
    assert (port.qos.dscp_to_tc.to[18], port.qos.dscp_to_tc.to[0]) == (2, None)  # the driver's own map is not published
    assert (port.qos.tc_to_queue[:4], port.qos.queue(2).weight) == ((0, 1, 2, 3), 60)
    assert (port.nic.next_boot.lldp_agent, port.nic.congestion_control.algorithm) == (False, "dcqcn")


def test_the_firmware_agent_owns_dcb_while_it_is_on() -> None:
    flags = "# ethtool --show-priv-flags ens801f0\nPrivate flags for ens801f0:\nlink-down-on-close     : off\nfw-lldp-agent          : {}\n"
    on, off = (read(flags.format(word)).ports["ens801f0"] for word in ("on", "off"))
    assert (on.nic.next_boot.lldp_agent, on.qos.dcbx.owners) == (True, {"firmware"})
    assert (off.nic.next_boot.lldp_agent, off.qos.dcbx) == (False, None)


def test_options_of_the_module() -> None:
    device = read(
        "options irdma roce_ena=1 dcqcn_enable=1 dcqcn_F=5\n# ethtool -a ens801f0\nPause parameters for ens801f0:\nRX: off\nTX: off\n"
    )
    (port,) = device.ports.values()
    assert (port.nic.roce_version, port.nic.congestion_control.algorithm) == ("v2", "dcqcn")


def test_in_dscp_mode_priority_n_is_tc_n() -> None:
    port = read("# dcb app show dev ens801f0\ndscp-prio AF31:3\n").ports["ens801f0"]
    assert (port.qos.tc_to_queue[:5], "tc_to_queue" in port.qos.defaulted) == ((0, 1, 2, 3, None), True)


def test_two_lossless_classes_are_refused_with_the_alternatives() -> None:
    (said,) = refusals(lossless={26: 2, 10: 3})
    assert said.startswith("one priority: E810 and E830 keep one traffic class lossless: put RoCE in one class")


def test_a_lossless_priority_above_3_is_refused_with_the_alternatives() -> None:
    (said,) = refusals(lossless={26: 4})
    assert "priority 1, 2 or 3 on the whole fabric, or trust pcp" in said
    assert not refusals(
        lossless={26: 4}, trust="pcp", dscp_to_tc=None, pfc=replace(planned_qos(lossless={26: 4}).pfc, by="pcp")
    )


def test_lossy_classes_share_the_tcs_that_are_left() -> None:
    host = planned_host("ice", ["ens801f0"])
    qos = planned_qos(cnp=(48, 7))
    codes = list(qos.dscp_to_tc.to)
    codes[10], codes[12], codes[14] = 4, 5, 6
    qos = replace(qos, dscp_to_tc=replace(qos.dscp_to_tc, to=tuple(codes)))
    fitted, notes = VENDOR.module.fit(replace(host, ports={"ens801f0": replace(host.ports["ens801f0"], qos=qos)}))
    to = fitted.ports["ens801f0"].qos.dscp_to_tc.to
    assert (to[26], to[48]) == (3, 2)
    assert {to[10], to[12], to[14]} == {0, 1}
    again, more = VENDOR.module.fit(fitted)
    assert (again, [note for note in more if note.kind != "refused"]) == (fitted, [])
    assert any(note.kind == "quantised" and note.field == "dscp_to_tc" for note in notes)


def test_counters() -> None:
    device = read(
        "# ethtool -S ens801f0\nNIC statistics:\n     rx_priority_3_xoff.nic: 7\n     tx_priority_3_xoff.nic: 9\n"
        "     rx_dropped.nic: 2\n     link_xoff_rx.nic: 4\n     tx_queue_0_packets: 5\n"
        '# rdma -j statistic show link\n[{"ifname":"rocep175s0f0","port":1,"cnpSent":5,"RxECNMrkd":6}]\n'
        "# rdma link\nlink rocep175s0f0/1 state ACTIVE physical_state LINK_UP netdev ens801f0\n"
    )
    port, rdma = device.sample.ports["ens801f0"], device.sample.rdma["rocep175s0f0"]
    assert (port.rx_pfc[3], port.tx_pfc[3], port.rx_buffer_drops, port.rx_link_pause) == (7, 9, 2, 4)
    assert (rdma.cnp_sent, rdma.ecn_marked) == (5, 6)


@pytest.mark.parametrize("content", [
    SCRIPT, "driver: ice\nversion: 6.8.0\n", "options irdma roce_ena=1\n",
    "# dcb app show dev ens801f0\ndscp-prio 26:3\n# ethtool -i ens801f0\ndriver: ice\n",
    "NIC statistics:\n     rx_priority_3_xoff.nic: 7\n",
])  # fmt: skip
def test_detected(content: str) -> None:
    assert registry.detect((Text("n1.txt", content),), "n1.txt") == "ice"


@pytest.mark.parametrize(
    "content", ["", "\x00", "fw-lldp-agent : maybe\n", "hostname leaf1\n", "{", "options irdma x\n"]
)
def test_nothing_of_a_nic_is_one_clear_error(content: str) -> None:
    with contextlib.suppress(ReadError):
        read(content)


def test_golden_script_and_unit() -> None:
    plan, _ = VENDOR.module.fit(planned_host("ice", ["ens801f0", "ens801f1"]))
    script, unit = (file.content for file in render(plan))
    here = Path(__file__)
    golden = here.with_name("small_plan.sh").read_text(encoding="utf-8")
    assert script[: script.index("\n\n\nreadonly ROOT=")] == golden.rstrip("\n")
    assert unit == here.with_name("small_plan.service").read_text(encoding="utf-8")
