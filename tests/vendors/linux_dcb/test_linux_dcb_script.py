"""Runs the rendered script on hosts that do not exist: it must change what differs, then nothing, and say so."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from rocecfg.render.engine import render
from rocecfg.vendor import registry
from tests.planned import planned_host
from tests.vendors.linux_dcb.dcb_host import TOOLS, Host

if TYPE_CHECKING:
    from pathlib import Path

    from rocecfg.state.model import Device

VENDOR = registry.get("linux_dcb")
PORTS = {"enp1s0f0": "rocep1s0f0", "enp1s0f1": "rocep1s0f1"}
UDP = (("udp", 4791, 3),)


def fitted(**qos: object) -> Device:
    plan = planned_host("linux_dcb", list(PORTS))
    ports = {
        name: replace(port, qos=replace(port.qos, app_to_tc=UDP, **qos), nic=replace(port.nic, storm_timeout=100))
        for name, port in plan.ports.items()
    }
    device, notes = VENDOR.module.fit(replace(plan, ports=ports))
    assert not [note for note in notes if note.kind == "refused"]
    return device


def script(**qos: object) -> str:
    return render(fitted(**qos))[0].content


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path, "linux_dcb", PORTS, storm=0)


def shape(text: str) -> re.Pattern[str]:
    parts = re.split(r"<[a-z-]+(\.\.\.)?>", text)
    return re.compile(
        "".join(re.escape(part) if at % 2 == 0 else (r".+" if part else r"[^\s/]+") for at, part in enumerate(parts))
    )


def assert_evidence(host: Host, nos: str, printed: str, calls: list[str]) -> None:
    """Every command that was run and every file that was written has a shape in the manifest."""
    shapes = [shape(entry.shape) for entry in registry.get(nos).manifest.evidence]
    echoes = re.finditer(r"run: echo (.+) > (\S+)", printed)
    written = [f"{found[2].removeprefix(str(host.root))} {found[1]}" for found in echoes]
    assert calls
    for call in calls + written:
        assert any(known.fullmatch(call) for known in shapes), call


def test_writes_what_differs_then_nothing(host: Host) -> None:
    text, before = script(), host.state.read_text()
    assert host.run(text, "--check").returncode == 1
    done = host.run(text, "--diff")
    assert (done.returncode, host.state.read_text()) == (0, before)
    assert "would run: dcb pfc set dev enp1s0f0 prio-pfc all:off 3:on" in done.stdout
    host.calls()
    done = host.run(text)
    assert (done.returncode, [line for line in done.stderr.splitlines() if line.startswith("error")]) == (0, [])
    assert_evidence(host, "linux_dcb", done.stdout, host.calls())
    assert host.now()["running"] == []
    after = host.state.read_text()
    done = host.run(text)
    assert (done.returncode, done.stdout, host.state.read_text()) == (0, "nothing to change\n", after)
    assert not [call for call in host.calls() if re.search(r" (?:set|replace|flush|stop) | -A ", call)]
    assert host.run(text, "--check").returncode == 0


def test_the_host_reads_back_as_planned(host: Host) -> None:
    assert host.run(script()).returncode == 0
    live, plan = host.captured(), fitted()
    assert not live.lines
    for name, wanted in plan.ports.items():
        port = live.ports[name]
        assert (port.mtu, port.qos.trust, port.qos.pfc, port.qos.link_pause) == (
            9000, "dscp", wanted.qos.pfc, wanted.qos.link_pause,
        )  # fmt: skip
        assert port.qos.dscp_to_tc.to == wanted.qos.dscp_to_tc.to
        assert (port.qos.tc_to_queue, port.qos.queues) == (wanted.qos.tc_to_queue, wanted.qos.queues)
        assert (port.qos.app_to_tc, port.qos.dcbx.owners) == (UDP, {"os"})
        assert (port.nic.default_tos, port.nic.roce_version, port.nic.rdma_device) == (106, "v2", PORTS[name])


def test_repairs_only_the_drifted_value(host: Host) -> None:
    text = script()
    assert host.run(text).returncode == 0
    apps = [entry for entry in host.now()["ports"]["enp1s0f1"]["app"] if entry[1] != 26]
    host.change_port("enp1s0f1", app=[*apps, ["dscp-prio", 26, 3], ["dscp-prio", 26, 5]])
    host.change_port("enp1s0f0", tx="on")
    done = host.run(text)
    assert done.returncode == 0, done.stderr
    assert [line.strip() for line in done.stdout.splitlines() if "run:" in line] == [
        "run: ethtool -A enp1s0f0 autoneg off tx off",
        "run: dcb app replace dev enp1s0f1 dscp-prio 26:3",
    ]


def test_a_driver_with_too_few_lossless_classes_is_told_before_anything_is_written(host: Host) -> None:
    host.change_port("enp1s0f0", cap=1)
    plan = fitted()
    qos = plan.ports["enp1s0f0"].qos
    both = frozenset({3, 4})
    port = replace(plan.ports["enp1s0f0"], qos=replace(qos, pfc=replace(qos.pfc, tx=both, rx=both)))
    done = host.run(render(replace(plan, ports={"enp1s0f0": port}))[0].content)
    assert done.returncode == 3
    assert "keeps 1 priorities lossless at most, wanted are 3,4" in done.stderr
    assert host.now()["ports"]["enp1s0f0"]["pfc"] == [0] * 8


@pytest.mark.parametrize(
    ("break_it", "said"),
    [
        (lambda host: (host.bin / "dcb").unlink(), "dcb is not installed"),
        (lambda host: shutil.rmtree(host.root / "sys/class/net/enp1s0f0"), "no such network device"),
        (lambda host: shutil.rmtree(host.root / "sys/devices/pci0000:16/0000:17:00.0/infiniband"), "no RDMA device"),
        (lambda host: host.change(broken="dcb ets show"), "dcb cannot read this port"),
        (
            lambda host: (host.root / "sys/devices/pci0000:16/0000:17:00.0/physfn").mkdir(),
            "a virtual function: DCB settings belong to its physical function",
        ),
    ],
)
def test_what_cannot_be_read_is_exit_3(host: Host, break_it, said: str) -> None:
    break_it(host)
    before = host.state.read_text()
    done = host.run(script(), "--check")
    assert (done.returncode, said in done.stderr) == (3, True), done.stderr
    assert host.state.read_text() == before


def test_without_dcb_nothing_is_touched(host: Host) -> None:
    (host.bin / "dcb").unlink()
    before = host.state.read_text()
    assert host.run(script()).returncode == 3
    assert (host.state.read_text(), host.calls()) == (before, [])


def test_a_refused_write_is_exit_3_and_the_rest_is_done(host: Host) -> None:
    host.change(broken="dcb pfc set dev enp1s0f0")
    done = host.run(script())
    assert done.returncode == 3
    assert "Operation not permitted" in done.stderr
    assert "PFC priorities is still none, wanted 3" in done.stderr
    assert host.now()["ports"]["enp1s0f1"]["pfc"] == [0, 0, 0, 1, 0, 0, 0, 0]


def test_no_flap_leaves_pfc_and_says_so(host: Host) -> None:
    done = host.run(script(), "--no-flap")
    assert (done.returncode, "left as they are (--no-flap)" in done.stderr) == (1, True)
    assert host.now()["ports"]["enp1s0f0"]["pfc"] == [0] * 8
    assert host.now()["ports"]["enp1s0f0"]["rx"] == "off"


def test_networkmanager_is_named_where_it_fights(tmp_path: Path) -> None:
    host = Host(tmp_path, "linux_dcb", PORTS, tools=(*TOOLS, "nmcli"))
    done = host.run(script(), "--check")
    assert_evidence(host, "linux_dcb", done.stdout, host.calls())
    assert 'NetworkManager sets MTU 1500 with every activation of "fabric"' in done.stderr
    assert "NetworkManager sets DCB (CEE, through lldpad)" in done.stderr


def test_trust_pcp_empties_the_table(host: Host) -> None:
    host.change_port("enp1s0f0", app=[["dscp-prio", 26, 3]])
    text = script(trust="pcp", dscp_to_tc=None, pfc=replace(planned_host("x", ["a"]).ports["a"].qos.pfc, by="pcp"))
    assert host.run(text).returncode == 0
    assert host.now()["ports"]["enp1s0f0"]["app"] == [["dgram-port-prio", 4791, 3]]


def test_wrong_option_is_exit_2(host: Host) -> None:
    assert host.run(script(), "--frobnicate").returncode == 2
    assert host.run(script(), "--help").returncode == 0
    assert not host.calls()
