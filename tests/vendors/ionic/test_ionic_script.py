"""Runs the rendered script on hosts with ionic ports that do not exist: it must change what differs, then nothing."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rocecfg.render.engine import render
from rocecfg.state.capture import Capture, Text
from rocecfg.vendor import registry
from tests.planned import planned_host
from tests.vendors.linux_dcb.dcb_host import Host
from tests.vendors.linux_dcb.test_linux_dcb_script import assert_evidence

if TYPE_CHECKING:
    from rocecfg.state.model import Device

VENDOR = registry.get("ionic")
PORTS = {"enp68s0": "rocep68s0", "enp132s0": "ionic_1"}
UUIDS = ("0490812c-4f90-4242-4242-000011010000", "0490812a-2c28-4242-4242-000011010000")


def fitted(**qos: object) -> Device:
    plan = planned_host("ionic", list(PORTS))
    ports = {name: replace(port, qos=replace(port.qos, **qos)) for name, port in plan.ports.items()}
    device, notes = VENDOR.module.fit(replace(plan, ports=ports))
    assert not [note for note in notes if note.kind == "refused"]
    return device


def script(**qos: object) -> str:
    return render(fitted(**qos))[0].content


def ionic_host(folder: Path) -> Host:
    made = Host(folder, "ionic", PORTS, "ionic", ("nicctl", "ip"), Path(__file__).with_name("ionic_tools.py"),
                trust="pcp", map=[0] * 64, no_drop=[0], schedule=[[0, 0, 0]], pause_type="NONE", rx_pause="disabled",
                tx_pause="disabled", port_mtu="1500", dcqcn="Enabled", cnp_dscp=46)  # fmt: skip
    for uuid, (name, device) in zip(UUIDS, PORTS.items(), strict=True):
        made.change_port(name, uuid=uuid, device=device)
    return made


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return ionic_host(tmp_path)


def captured(host: Host) -> Device:
    commands = ("nicctl show card -j", "nicctl show port -j", "nicctl show qos", "nicctl show dcqcn")
    texts = [Text(f"text{at}", host.tool(*line.split()), line) for at, line in enumerate(commands)]
    links = "".join(
        f"link {device}/1 state ACTIVE physical_state LINK_UP netdev {name}\n" for name, device in PORTS.items()
    )
    files = "".join(f"/sys/class/net/{name}/mtu:{host.file(f'sys/class/net/{name}/mtu')}\n"
                    f"/sys/class/net/{name}/device/uevent:PCI_SLOT_NAME=0000:17:00.{at}\n" for at, name in enumerate(PORTS))  # fmt: skip
    texts += [Text("rdma", links, "rdma link"), Text("sysfs", files)]
    return VENDOR.module.defaults(VENDOR.module.to_state(Capture("gpu01", "ionic", tuple(texts))))


def test_writes_what_differs_then_nothing(host: Host) -> None:
    text, before = script(), host.state.read_text()
    assert host.run(text, "--check").returncode == 1
    done = host.run(text, "--diff")
    assert (done.returncode, host.state.read_text()) == (0, before)
    host.calls()
    done = host.run(text)
    assert (done.returncode, [line for line in done.stderr.splitlines() if line.startswith("error")]) == (0, [])
    calls = host.calls()
    assert_evidence(host, "ionic", done.stdout, calls)
    order = [next(at for at, call in enumerate(calls) if word in call) for word in (
        "--no-drop disable", "--classification-type dscp", "dscp-to-priority", "--no-drop enable", "scheduling")]  # fmt: skip
    assert order == sorted(order)
    port = host.now()["ports"]["enp132s0"]
    assert (port["trust"], port["map"][26], port["map"][48], port["no_drop"]) == ("dscp", 3, 6, [3])
    assert (port["schedule"], port["pause_type"], port["port_mtu"]) == (
        [[0, 40, 0], [3, 60, 0], [6, 0, 10]],
        "PFC",
        "9216",
    )
    assert (port["cnp_dscp"], host.file("sys/class/net/enp132s0/mtu")) == (48, "9000")
    after = host.state.read_text()
    done = host.run(text)
    assert (done.returncode, done.stdout, host.state.read_text()) == (0, "nothing to change\n", after)
    assert not [call for call in host.calls() if re.search(r"nicctl update|ip link", call)]


def test_the_host_reads_back_as_planned(host: Host) -> None:
    assert host.run(script()).returncode == 0
    live, plan = captured(host), fitted()
    assert (list(live.ports), live.lines) == (list(PORTS), ())
    for name, wanted in plan.ports.items():
        port = live.ports[name]
        assert (port.mtu, port.qos.trust, port.qos.dscp_to_tc.to) == (9000, "dscp", wanted.qos.dscp_to_tc.to)
        assert (port.qos.pfc, port.qos.link_pause, port.qos.queues) == (
            wanted.qos.pfc, wanted.qos.link_pause, wanted.qos.queues,
        )  # fmt: skip
        assert (port.qos.tc_to_queue, port.qos.priority_group(3).lossless) == (wanted.qos.tc_to_queue, True)
        assert (port.nic.cnp_dscp, port.nic.congestion_control, port.nic.rdma_device, port.nic.model) == (
            48, wanted.nic.congestion_control, PORTS[name], "POLLARA",
        )  # fmt: skip


def test_repairs_only_the_drifted_value(host: Host) -> None:
    text = script()
    assert host.run(text).returncode == 0
    port = host.now()["ports"]["enp132s0"]
    host.change_port("enp132s0", map=[3 if code == 10 else to for code, to in enumerate(port["map"])])
    host.change_port("enp68s0", cnp_dscp=46)
    done = host.run(text)
    assert done.returncode == 0, done.stderr
    assert [line.strip() for line in done.stdout.splitlines() if "run:" in line] == [
        "run: nicctl update dcqcn -r rocep68s0 -i 1 --cnp-dscp 48",
        f"run: nicctl update qos dscp-to-priority -p {UUIDS[1]} --dscp 10 --priority 0",
    ]


def test_no_flap_leaves_pfc_and_pause_type(host: Host) -> None:
    done = host.run(script(), "--no-flap")
    assert (done.returncode, "left as they are (--no-flap)" in done.stderr) == (1, True), done.stderr
    port = host.now()["ports"]["enp68s0"]
    assert (port["no_drop"], port["pause_type"], port["map"][26]) == ([0], "NONE", 3)


def test_dcqcn_that_is_off_is_told(host: Host) -> None:
    host.change_port("enp68s0", dcqcn="Disabled")
    done = host.run(script())
    assert (done.returncode, "DCQCN of rocep68s0 is disabled, and no word that turns it on" in done.stderr) == (3, True)


@pytest.mark.parametrize(
    ("break_it", "said"),
    [
        (lambda host: (host.bin / "nicctl").unlink(), "nicctl is not installed"),
        (lambda host: host.change(broken="nicctl show qos"), "nicctl cannot read this port"),
        (lambda host: host.change(broken="nicctl show card"), "nicctl cannot read this port"),
        (lambda host: shutil.rmtree(host.root / "sys/devices/pci0000:16/0000:17:00.0/infiniband"), "no RDMA device"),
        (lambda host: (host.root / "sys/devices/pci0000:16/0000:17:00.0/physfn").mkdir(), "a virtual function"),
    ],
)
def test_what_cannot_be_read_is_exit_3(host: Host, break_it, said: str) -> None:
    break_it(host)
    before = host.state.read_text()
    done = host.run(script(), "--check")
    assert (done.returncode, said in done.stderr, host.state.read_text()) == (3, True, before), done.stderr


def test_a_refused_write_is_told(host: Host) -> None:
    host.change(broken=f"nicctl update qos scheduling -p {UUIDS[0]}")
    done = host.run(script())
    assert (done.returncode, "scheduling (priority:share:Gb/s) is still" in done.stderr) == (3, True)
    assert host.now()["ports"]["enp132s0"]["schedule"][-1] == [6, 0, 10]
