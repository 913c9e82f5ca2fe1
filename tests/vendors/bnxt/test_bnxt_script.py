"""Runs the rendered script on hosts with bnxt ports that do not exist: through dcb, and through niccli."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rocecfg.render.engine import render
from rocecfg.vendor import registry
from tests.planned import planned_host
from tests.vendors.linux_dcb.dcb_host import TOOLS, Host
from tests.vendors.linux_dcb.test_linux_dcb_script import assert_evidence

if TYPE_CHECKING:
    from rocecfg.state.model import Device

VENDOR = registry.get("bnxt")
PORTS = {"benic1p1": "bnxt_re0", "benic2p1": "bnxt_re1"}
CC = {
    "ecn_enable": "0x0", "ecn_marking": "0x0", "cc_mode": "0x0", "cnp_dscp": "0x0", "cnp_prio": "0x7", "roce_dscp": "0x0",
    "roce_prio": "0x0", "disable_prio_vlan_tx": "0x0", "apply": "0x0",
}  # fmt: skip
NICCLI = tuple("niccli" if tool == "dcb" else tool for tool in TOOLS)


def fitted() -> Device:
    plan = planned_host("bnxt", list(PORTS))
    ports = {name: replace(port, nic=replace(port.nic, storm_timeout=100)) for name, port in plan.ports.items()}
    device, notes = VENDOR.module.fit(replace(plan, ports=ports))
    assert not [note for note in notes if note.kind == "refused"]
    return device


def script() -> str:
    return render(fitted())[0].content


def bnxt_host(folder: Path, tools: tuple[str, ...] = TOOLS) -> Host:
    host = Host(
        folder, "bnxt", PORTS, "bnxt", tools, Path(__file__).with_name("bnxt_tools.py"),
        storm=0, cap=2, max_tc=3, app=[["dscp-prio", 26, 3], ["dscp-prio", 24, 3], ["dscp-prio", 48, 7]],
    )  # fmt: skip
    for device in PORTS.values():
        for file, value in CC.items():
            host.write(f"sys/kernel/config/bnxt_re/{device}/ports/1/cc/{file}", value)
    return host


@pytest.fixture(params=["dcb", "niccli"])
def host(request: pytest.FixtureRequest, tmp_path: Path) -> Host:
    return bnxt_host(tmp_path, TOOLS if request.param == "dcb" else NICCLI)


def test_writes_what_differs_then_nothing(host: Host) -> None:
    text, before = script(), host.state.read_text()
    assert host.run(text, "--check").returncode == 1
    done = host.run(text, "--diff")
    assert (done.returncode, host.state.read_text()) == (0, before)
    host.calls()
    done = host.run(text)
    assert (done.returncode, [line for line in done.stderr.splitlines() if line.startswith("error")]) == (0, [])
    assert_evidence(host, "bnxt", done.stdout, host.calls())
    port = host.now()["ports"]["benic2p1"]
    assert sorted(port["app"]) == [["dgram-port-prio", 4791, 3], ["dscp-prio", 26, 3], ["dscp-prio", 48, 6]]
    assert (port["prio_tc"], port["tsa"][:3], port["bandwidth"][:3]) == (
        [0, 0, 0, 1, 0, 0, 2, 0], ["ets", "ets", "strict"], [40, 60, 0],
    )  # fmt: skip
    assert (port["pfc"], port["storm"]) == ([0, 0, 0, 1, 0, 0, 0, 0], 100)
    files = {file: host.file(f"sys/kernel/config/bnxt_re/bnxt_re1/ports/1/cc/{file}") for file in CC}
    assert files == {
        "ecn_enable": "0x1", "ecn_marking": "0x1", "cc_mode": "0x1", "cnp_dscp": "0x30", "cnp_prio": "0x6",
        "roce_dscp": "0x1a", "roce_prio": "0x3", "disable_prio_vlan_tx": "0x1", "apply": "0x1",
    }  # fmt: skip
    after = host.state.read_text()
    done = host.run(text)
    assert (done.returncode, done.stdout, host.state.read_text()) == (0, "nothing to change\n", after)
    assert not [
        call
        for call in host.calls()
        if re.search(r" (?:set|replace|add|del|stop) | -A |--(?:add|del|enable|tsa)", call)
    ]


def test_the_host_reads_back_as_planned(tmp_path: Path) -> None:
    host = bnxt_host(tmp_path)
    assert host.run(script()).returncode == 0
    live, plan = host.captured(), fitted()
    assert not live.lines
    for name, wanted in plan.ports.items():
        port = live.ports[name]
        assert (port.qos.dscp_to_tc.to, port.qos.pfc, port.qos.app_to_tc) == (
            wanted.qos.dscp_to_tc.to, wanted.qos.pfc, wanted.qos.app_to_tc,
        )  # fmt: skip
        assert (port.qos.tc_to_queue, port.qos.queues) == (wanted.qos.tc_to_queue, wanted.qos.queues)
        for field in ("congestion_control", "cnp_dscp", "cnp_priority", "sets_ect", "default_tos", "roce_version"):
            assert getattr(port.nic, field) == getattr(wanted.nic, field), field


def test_a_firmware_agent_is_told_and_its_port_left_alone(tmp_path: Path) -> None:
    host = bnxt_host(tmp_path)
    host.change_port("benic1p1", dcbx=["lld-managed", "ieee"], agent="firmware")
    before = host.now()["ports"]["benic1p1"]
    done = host.run(script())
    assert (done.returncode, "benic1p1: the firmware's LLDP agent owns DCB" in done.stderr) == (3, True)
    assert host.now()["ports"]["benic1p1"] == before
    assert host.now()["ports"]["benic2p1"]["pfc"] == [0, 0, 0, 1, 0, 0, 0, 0]


def test_the_firmwares_cnp_service_keeps_its_files(tmp_path: Path) -> None:
    host = bnxt_host(tmp_path)
    host.write("sys/kernel/debug/bnxt_re/bnxt_re0/info", "fw_service_prof_type_sup : 1")
    done = host.run(script())
    assert done.returncode == 0, done.stderr
    assert "benic1p1: the firmware owns the DSCP and priority of CNPs" in done.stderr
    cc = "sys/kernel/config/bnxt_re/bnxt_re0/ports/1/cc"
    assert [host.file(f"{cc}/{file}") for file in ("cnp_dscp", "roce_prio", "ecn_enable")] == ["0x0", "0x0", "0x1"]


def test_no_flap_leaves_tcs_and_pfc(tmp_path: Path) -> None:
    host = bnxt_host(tmp_path)
    done = host.run(script(), "--no-flap")
    assert (done.returncode, done.stderr.count("left as they are (--no-flap)")) == (1, 4), done.stderr
    port = host.now()["ports"]["benic1p1"]
    assert (port["prio_tc"], port["pfc"], port["rx"]) == ([0] * 8, [0] * 8, "off")
    assert host.file("sys/kernel/config/bnxt_re/bnxt_re0/ports/1/cc/ecn_enable") == "0x1"


def test_a_driver_without_configfs(tmp_path: Path) -> None:
    host = bnxt_host(tmp_path)
    shutil.rmtree(host.root / "sys/kernel/config/bnxt_re")
    done = host.run(script(), "--check")
    assert "neither configfs nor debugfs files of congestion control" in done.stderr
    for number in (0, 1):
        for file in ("enable_cc", "tos_ecn", "cc_mode"):
            host.write(f"sys/kernel/debug/bnxt_re/0000:17:00.{number}/cc_config/{file}", "0x0")
    assert host.run(script()).returncode == 0
    assert host.file("sys/kernel/debug/bnxt_re/0000:17:00.1/cc_config/enable_cc") == "0x1"


def test_repairs_only_the_drifted_value(tmp_path: Path) -> None:
    host = bnxt_host(tmp_path)
    text = script()
    assert host.run(text).returncode == 0
    host.write("sys/kernel/config/bnxt_re/bnxt_re0/ports/1/cc/cnp_dscp", "0x2e")
    host.change_port("benic2p1", app=[*host.now()["ports"]["benic2p1"]["app"], ["dscp-prio", 10, 3]])
    done = host.run(text)
    assert done.returncode == 0, done.stderr
    ran = [line.strip() for line in done.stdout.splitlines() if "run:" in line]
    assert ran[-1] == "run: dcb app del dev benic2p1 dscp-prio 10:3"
    assert [line.rpartition("/")[2] for line in ran[:-1]] == ["cnp_dscp", "apply"]


@pytest.mark.parametrize(
    ("break_it", "said"),
    [
        (lambda host: (host.bin / "dcb").unlink(), "neither dcb (iproute2) nor niccli is installed"),
        (
            lambda host: host.change(broken="dcb app show") or host.change(broken="dcb -N app"),
            "dcb cannot read this port",
        ),
        (lambda host: shutil.rmtree(host.root / "sys/devices/pci0000:16/0000:17:00.0/infiniband"), "no RDMA device"),
    ],
)
def test_what_cannot_be_read_is_exit_3(tmp_path: Path, break_it, said: str) -> None:
    host = bnxt_host(tmp_path)
    break_it(host)
    before = host.state.read_text()
    done = host.run(script(), "--check")
    assert (done.returncode, said in done.stderr, host.state.read_text()) == (3, True, before), done.stderr


def test_a_refused_write_is_told(tmp_path: Path) -> None:
    host = bnxt_host(tmp_path)
    host.change(broken="dcb ets set dev benic1p1")
    done = host.run(script())
    assert done.returncode == 3
    assert "dcb ets set dev benic1p1" in done.stderr
    assert "priority to TC is still" in done.stderr
    assert host.now()["ports"]["benic2p1"]["prio_tc"] == [0, 0, 0, 1, 0, 0, 2, 0]


def test_more_lossless_priorities_than_the_firmware_keeps(tmp_path: Path) -> None:
    host = bnxt_host(tmp_path)
    host.change_port("benic1p1", cap=0)
    done = host.run(script())
    assert (done.returncode, "keeps 0 priorities lossless at most, wanted are 3" in done.stderr) == (3, True)
