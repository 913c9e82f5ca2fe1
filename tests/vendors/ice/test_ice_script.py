"""Runs the rendered script on hosts with ice ports that do not exist: what the driver refuses, the stand-in refuses."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from rocecfg.render.engine import render
from rocecfg.vendor import registry
from tests.planned import planned_host, planned_qos
from tests.vendors.linux_dcb.dcb_host import Host
from tests.vendors.linux_dcb.test_linux_dcb_script import assert_evidence

if TYPE_CHECKING:
    from pathlib import Path

    from rocecfg.state.model import Device

VENDOR = registry.get("ice")
PORTS = {"ens801f0": "rocep175s0f0", "ens801f1": "rocep175s0f1"}
DCQCN = "sys/kernel/config/irdma/rocep175s0f{}/roce_dcqcn_enable"


def fitted(**qos: object) -> Device:
    plan = planned_host("ice", list(PORTS))
    ports = {name: replace(port, qos=replace(port.qos, **qos)) for name, port in plan.ports.items()}
    device, notes = VENDOR.module.fit(replace(plan, ports=ports))
    assert not [note for note in notes if note.kind == "refused"]
    return device


def script(**qos: object) -> str:
    return render(fitted(**qos))[0].content


def ice_host(folder: Path, **port: object) -> Host:
    start = {"dcbx": ["lld-managed", "ieee"], "agent": "firmware", "cap": 8, "max_tc": 8, "tsa": ["ets"] * 8,
             "bandwidth": [100, *[0] * 7], **port}  # fmt: skip
    host = Host(folder, "ice", PORTS, "ice", **start)
    for number in (0, 1):
        host.write(DCQCN.format(number), "0")
        host.write(f"sys/class/infiniband/rocep175s0f{number}/node_type", "1: CA")
    return host


@pytest.fixture(params=[8, 4], ids=["8 TCs", "4 TCs"])
def host(request: pytest.FixtureRequest, tmp_path: Path) -> Host:
    return ice_host(tmp_path, max_tc=request.param)


def test_writes_what_differs_then_nothing(host: Host) -> None:
    text, before = script(), host.state.read_text()
    assert host.run(text, "--check").returncode == 1
    done = host.run(text, "--diff")
    assert (done.returncode, host.state.read_text()) == (0, before)
    host.calls()
    done = host.run(text)
    assert (done.returncode, [line for line in done.stderr.splitlines() if line.startswith("error")]) == (0, [])
    assert_evidence(host, "ice", done.stdout, host.calls())
    port = host.now()["ports"]["ens801f1"]
    assert (port["agent"], port["dcbx"], port["pfc"]) == ("host", ["host", "ieee"], [0, 0, 0, 1, 0, 0, 0, 0])
    assert (port["tsa"][:4], port["bandwidth"][:4]) == (["ets", "ets", "strict", "ets"], [39, 2, 0, 59])
    apps = {number: priority for _, number, priority in port["app"]}
    assert (apps[26], apps[48]) == (3, 2)
    assert [host.file(DCQCN.format(number)) for number in (0, 1)] == ["1", "1"]
    after = host.state.read_text()
    done = host.run(text)
    assert (done.returncode, done.stdout, host.state.read_text()) == (0, "nothing to change\n", after)
    assert not [call for call in host.calls() if re.search(r" (?:set|add|del|stop|flush) | -A |--set", call)]


def test_no_other_dscp_falls_into_the_lossless_tc(host: Host) -> None:
    assert host.run(script()).returncode == 0
    port = host.now()["ports"]["ens801f0"]
    apps = {number: priority for _, number, priority in port["app"]}
    four = {code + half: tc for half in (0, 32) for tc, codes in enumerate((range(4), range(4, 8), range(8, 12), range(12, 20)))
            for code in codes}  # fmt: skip
    default = {code: code >> 3 for code in range(64)} if port["max_tc"] == 8 else four
    landing = {code: apps.get(code, default.get(code, 0)) for code in range(64)}
    assert [code for code, tc in landing.items() if tc == 3] == [26]
    assert [code for code, tc in landing.items() if tc == 2] == [48]


def test_the_host_reads_back_as_planned(tmp_path: Path) -> None:
    host = ice_host(tmp_path)
    assert host.run(script()).returncode == 0
    live = host.captured(*(("ethtool", "--show-priv-flags", name) for name in PORTS))
    assert not live.lines
    for name, wanted in fitted().ports.items():
        port = live.ports[name]
        assert (port.qos.trust, port.qos.pfc, port.qos.dcbx.owners) == ("dscp", wanted.qos.pfc, {"os"})
        assert [port.qos.dscp_to_tc.to[code] for code in (26, 48, 25)] == [3, 2, 0]
        assert (port.qos.tc_to_queue[:4], port.qos.queues[:4]) == ((0, 1, 2, 3), wanted.qos.queues[:4])
        for field in ("congestion_control", "default_tos", "roce_version", "next_boot"):
            assert getattr(port.nic, field) == getattr(wanted.nic, field), field


def test_repairs_only_the_drifted_value(tmp_path: Path) -> None:
    host = ice_host(tmp_path)
    text = script()
    assert host.run(text).returncode == 0
    apps = [entry for entry in host.now()["ports"]["ens801f1"]["app"] if entry[1] != 26]
    host.change_port("ens801f1", app=[*apps, ["dscp-prio", 26, 1]])
    host.write(DCQCN.format(0), "0")
    done = host.run(text)
    assert done.returncode == 0, done.stderr
    ran = [line.strip().replace(str(host.root), "") for line in done.stdout.splitlines() if "run:" in line]
    assert ran == [
        f"run: echo 1 > /{DCQCN.format(0)}",
        "run: dcb app del dev ens801f1 dscp-prio 26:1",
        "run: dcb app add dev ens801f1 dscp-prio 26:3",
    ]


def test_no_flap_leaves_dcb_alone(tmp_path: Path) -> None:
    host = ice_host(tmp_path, agent="host", dcbx=["host", "ieee"])
    done = host.run(script(), "--no-flap")
    assert (done.returncode, done.stderr.count("left as they are (--no-flap)")) == (1, 2), done.stderr
    port = host.now()["ports"]["ens801f0"]
    assert (port["resets"], port["rx"], host.file(DCQCN.format(0))) == (0, "off", "1")


def test_a_member_of_a_bond_is_told_and_left_alone(tmp_path: Path) -> None:
    host = ice_host(tmp_path, agent="host", dcbx=["host", "ieee"])
    host.write("sys/class/net/ens801f0/master/ifindex", "7")
    done = host.run(script())
    assert (done.returncode, "ens801f0: a member of a bond takes no change of DCB" in done.stderr) == (3, True)
    ports = host.now()["ports"]
    assert (ports["ens801f0"]["resets"], ports["ens801f0"]["app"]) == (0, [])
    assert ports["ens801f1"]["pfc"] == [0, 0, 0, 1, 0, 0, 0, 0]


def test_iwarp_is_told(tmp_path: Path) -> None:
    host = ice_host(tmp_path)
    host.write("sys/class/infiniband/rocep175s0f0/node_type", "4: RNIC")
    done = host.run(script())
    assert (done.returncode, "runs iWARP, not RoCEv2" in done.stderr) == (3, True)


def test_trust_pcp_keeps_eight_priorities_in_four_tcs(tmp_path: Path) -> None:
    host = ice_host(tmp_path, agent="host", dcbx=["host", "ieee"])
    pfc = replace(planned_qos().pfc, by="pcp")
    assert host.run(script(trust="pcp", dscp_to_tc=None, pfc=pfc)).returncode == 0
    port = host.now()["ports"]["ens801f0"]
    assert (port["app"], port["prio_tc"], port["tsa"][:3]) == ([], [0, 0, 0, 1, 0, 0, 2, 0], ["ets", "ets", "strict"])


@pytest.mark.parametrize(
    ("break_it", "said"),
    [
        (lambda host: (host.bin / "dcb").unlink(), "dcb is not installed"),
        (lambda host: host.change(broken="dcb pfc show"), "ice cannot read this port"),
        (lambda host: host.change(broken="ethtool --show-priv-flags"), "ethtool --show-priv-flags:"),
        (lambda host: shutil.rmtree(host.root / "sys/devices/pci0000:16/0000:17:00.0/infiniband"), "no RDMA device"),
    ],
)
def test_what_cannot_be_read_is_exit_3(tmp_path: Path, break_it, said: str) -> None:
    host = ice_host(tmp_path)
    break_it(host)
    before = host.state.read_text()
    done = host.run(script(), "--check")
    assert (done.returncode, said in done.stderr, host.state.read_text()) == (3, True, before), done.stderr


def test_a_refused_write_is_told(tmp_path: Path) -> None:
    host = ice_host(tmp_path)
    host.change(broken="dcb pfc set dev ens801f0")
    done = host.run(script())
    assert (done.returncode, "PFC priorities is still none, wanted 3" in done.stderr) == (3, True)
    assert host.now()["ports"]["ens801f1"]["pfc"] == [0, 0, 0, 1, 0, 0, 0, 0]
