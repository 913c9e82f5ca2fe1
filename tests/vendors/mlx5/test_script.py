"""Runs the rendered script on hosts that do not exist: it must change what differs, then nothing, and say so."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from rocecfg.render.engine import render
from rocecfg.state.capture import Capture, Text
from rocecfg.state.model import UNLIMITED, Amount, Device, PriorityGroup, eight
from rocecfg.vendor import registry
from tests.planned import planned_host
from tests.vendors.mlx5.fake_host import ALL_TOOLS, FakeHost

if TYPE_CHECKING:
    from pathlib import Path

MLX5 = registry.get("mlx5").module
PORTS = ["ens1f0np0", "ens1f1np1"]
DCB_ONLY = tuple(tool for tool in ALL_TOOLS if tool not in {"mlnx_qos", "cma_roce_mode", "cma_roce_tos"})


def fitted(**nic: object) -> Device:
    plan = planned_host("mlx5", PORTS)
    ports = {
        name: replace(port, nic=replace(port.nic, storm_timeout=100, forced_tos=106, **nic))
        for name, port in plan.ports.items()
    }
    device, notes = MLX5.fit(replace(plan, ports=ports))
    assert not [note for note in notes if note.kind == "refused"]
    return device


def one_port() -> Device:
    device = fitted()
    return replace(device, ports={"ens1f0np0": device.ports["ens1f0np0"]})


def script(device: Device) -> str:
    return render(device)[0].content


@pytest.fixture(params=["mlnx_qos", "dcb"])
def host(request: pytest.FixtureRequest, tmp_path: Path) -> FakeHost:
    return FakeHost(tmp_path) if request.param == "mlnx_qos" else FakeHost(tmp_path, DCB_ONLY, ofed=False)


def captured(host: FakeHost, names: list[str] = PORTS) -> Device:
    """The host as an audit would see it."""
    mlnx = (host.bin / "mlnx_qos").exists()
    texts = []
    for name in names:
        if mlnx:
            commands = [["mlnx_qos", "-i", name]]
        else:
            commands = [
                ["dcb", "-j", kind, "show", "dev", name] for kind in ("pfc", "ets", "app", "dcbx", "maxrate", "buffer")
            ]
        commands += [["ethtool", "-a", name], ["ethtool", "--get-tunable", name, "pfc-prevention-tout"]]
        texts += [Text(f"{name}-{at}", host.tool(*words), " ".join(words)) for at, words in enumerate(commands)]
    for number in (0, 1):
        if mlnx:
            for tool in ("cma_roce_tos", "cma_roce_mode"):
                words = [tool, "-d", f"mlx5_{number}", "-p", "1"]
                texts.append(Text(f"{tool}{number}", host.tool(*words), " ".join(words)))
        words = ["mlxconfig", "-d", f"0000:17:00.{number}", "-e", "q"]
        texts.append(Text(f"firmware{number}", host.tool(*words), " ".join(words)))
    files = [path for path in sorted((host.root / "sys").rglob("*")) if path.is_file() and "devices" not in path.parts]
    dump = "".join(
        f"/{path.relative_to(host.root)}:{path.read_text().strip()}\n" for path in files if path.read_text().strip()
    )
    links = "".join(f"link mlx5_{n}/1 state ACTIVE physical_state LINK_UP netdev {PORTS[n]}\n" for n in (0, 1))
    buses = "".join(f"/sys/class/net/{PORTS[n]}/device/uevent:PCI_SLOT_NAME=0000:17:00.{n}\n" for n in (0, 1))
    texts += [Text("rdma", links, "rdma link"), Text("sysfs", dump + buses)]
    return MLX5.defaults(MLX5.to_state(Capture("gpu01", "mlx5", tuple(texts))))


def assert_as_planned(live: Device, plan: Device, *, ofed: bool) -> None:
    assert not live.lines
    assert list(live.ports) == PORTS
    for name, wanted in plan.ports.items():
        port = live.ports[name]
        qos, want = port.qos, wanted.qos
        assert (port.mtu, port.mtu_counts) == (9000, "ip")
        assert (qos.trust, qos.dscp_to_tc, qos.pfc, qos.cable) == (want.trust, want.dscp_to_tc, want.pfc, want.cable)
        assert (qos.tc_to_queue, qos.link_pause) == (want.tc_to_queue, want.link_pause)
        assert qos.priority_to_queue == want.priority_to_queue
        assert qos.dcbx is not None
        assert qos.dcbx.owners == {"os"}
        for queue, planned in zip(qos.queues or (), want.queues or (), strict=True):
            assert (queue is None) == (planned is None)
            if queue is not None and planned is not None:
                assert replace(queue, shaper=planned.shaper) == planned
        assert port.nic is not None
        assert wanted.nic is not None
        names = ["roce_version", "default_tos", "cnp_dscp", "cnp_priority", "storm_timeout", "next_boot"]
        names += ["forced_tos", "congestion_control"] if ofed else []
        for field in names:
            if field == "next_boot":
                assert replace(port.nic.next_boot, willing=None) == wanted.nic.next_boot
            elif field == "congestion_control":
                live_control, control = port.nic.congestion_control, wanted.nic.congestion_control
                assert (live_control.receives, live_control.reacts) == (control.receives, control.reacts)
                assert set(control.parameters) <= set(live_control.parameters)
            else:
                assert getattr(port.nic, field) == getattr(wanted.nic, field), field


@dataclass
class Applied:
    """A host on which the script ran once, with what that run said and called."""

    host: FakeHost
    plan: Device
    text: str
    done: subprocess.CompletedProcess[str]
    calls: list[str]
    ofed: bool


@pytest.fixture(scope="module", params=["mlnx_qos on MLNX_OFED", "dcb on an inbox driver"])
def applied(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Applied:
    folder, ofed = tmp_path_factory.mktemp("host"), request.param.startswith("mlnx_qos")
    host = FakeHost(folder) if ofed else FakeHost(folder, DCB_ONLY, ofed=False)
    control = replace(fitted().ports["ens1f0np0"].nic.congestion_control, parameters=(("rpg_ai_rate", 80),))
    plan = fitted(congestion_control=control)
    text, before = script(plan), host.state.read_text()
    assert host.run(text, "--check").returncode == 1
    done = host.run(text, "--diff")
    assert (done.returncode, host.state.read_text()) == (0, before)
    assert "would run:" in done.stdout
    host.calls()
    return Applied(host, plan, text, host.run(text), host.calls(), ofed)


def test_writes_what_differs_and_reads_back_as_planned(applied: Applied) -> None:
    done = applied.done
    assert (done.returncode, [line for line in done.stderr.splitlines() if line.startswith("error")]) == (0, [])
    assert "takes the link of ens1f0np0 down and up" in done.stderr
    assert "mlxfwreset -d 0000:17:00.0 reset" in done.stdout
    assert_as_planned(captured(applied.host), applied.plan, ofed=applied.ofed)


def test_second_run_changes_nothing(applied: Applied) -> None:
    host, before = applied.host, applied.host.state.read_text()
    host.calls()
    done = host.run(applied.text)
    assert (done.returncode, host.state.read_text()) == (0, before)
    assert "run:" not in done.stdout
    assert "nothing to change" in done.stdout
    assert "WARNING" not in done.stderr
    assert not [call for call in host.calls() if re.search(r" set[ ,]|--(?:pfc|trust|cable_len)| -[AtTm] ", call)]
    assert host.run(applied.text, "--check").returncode == 0


def test_every_command_it_runs_has_evidence(applied: Applied) -> None:
    shapes = [_shape(entry.shape) for entry in registry.get("mlx5").manifest.evidence]
    root = str(applied.host.root)
    echoes = re.finditer(r"run: echo (.+) > (\S+)", applied.done.stdout)
    written = [f"{found[2].removeprefix(root)} {found[1]}" for found in echoes]
    assert applied.calls
    assert any("rpg_ai_rate 80" in line or "rp_ai_rate 80" in line for line in written)
    for call in applied.calls + written:
        assert any(shape.fullmatch(call) for shape in shapes), call


def _shape(shape: str) -> re.Pattern[str]:
    parts = re.split(r"<[a-z-]+(\.\.\.)?>", shape)
    pattern = "".join(
        re.escape(part) if at % 2 == 0 else (r".+" if part else r"[^\s/]+") for at, part in enumerate(parts)
    )
    return re.compile(pattern)


def test_repairs_only_the_drifted_value(applied: Applied) -> None:
    host = applied.host
    state = json.loads(host.state.read_text())
    state["ports"]["ens1f1np1"]["cable"] = 7
    state["ports"]["ens1f0np0"]["rx"] = "on"
    host.state.write_text(json.dumps(state))
    done = host.run(applied.text)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("    run: ") == 2
    assert "ens1f0np0: 802.3x pause rx is on, wanted off" in done.stdout
    assert "ens1f1np1: cable length (m) is 7, wanted 30" in done.stdout
    assert "WARNING" not in done.stderr  # a cable length does not take the link down
    ports = json.loads(host.state.read_text())["ports"]
    assert (ports["ens1f1np1"]["cable"], ports["ens1f1np1"]["pfc"]) == (30, [0, 0, 0, 1, 0, 0, 0, 0])


def test_no_flap_leaves_pfc_and_says_so(tmp_path: Path) -> None:
    host = FakeHost(tmp_path)
    done = host.run(script(one_port()), "--no-flap")
    assert done.returncode == 1, done.stderr
    assert "left as they are (--no-flap)" in done.stderr
    port = json.loads(host.state.read_text())["ports"]["ens1f0np0"]
    assert (port["pfc"], port["cable"]) == ([0] * 8, 30)
    assert host.run(script(one_port())).returncode == 0


def test_a_dscp_with_two_priorities_is_a_difference(tmp_path: Path) -> None:
    host = FakeHost(tmp_path, DCB_ONLY, ofed=False)
    program = host.program.read_text()
    doubled = program.replace('"dscp-prio " + " "', '"dscp-prio 26:4 " + " "')
    assert doubled != program
    state = json.loads(host.state.read_text())
    state["ports"]["ens1f0np0"]["app"] = dict(enumerate(one_port().ports["ens1f0np0"].qos.dscp_to_tc.to))
    host.state.write_text(json.dumps(state))
    assert "DSCP to priority" not in host.run(script(one_port()), "--check").stdout
    host.program.write_text(doubled)
    assert "DSCP to priority is different for 1 DSCPs" in host.run(script(one_port()), "--check").stdout


@pytest.mark.parametrize(
    ("break_it", "said"),
    [
        (lambda host: (host.bin / "mlnx_qos").unlink() or (host.bin / "dcb").unlink(), "neither mlnx_qos nor dcb"),
        (lambda host: shutil.rmtree(host.root / "sys/class/net/ens1f0np0"), "no such network device"),
        (lambda host: shutil.rmtree(host.root / "sys/devices/pci0000:16/0000:17:00.0/infiniband"), "no RDMA device"),
        (lambda host: host.state.write_text("{}"), "mlnx_qos cannot read this port"),
    ],
)
def test_what_cannot_be_read_is_exit_3(tmp_path: Path, break_it, said: str) -> None:
    host = FakeHost(tmp_path)
    break_it(host)
    done = host.run(script(one_port()), "--check")
    assert (done.returncode, said in done.stderr) == (3, True), done.stderr


def test_a_refused_write_is_exit_3_and_the_other_port_is_done(tmp_path: Path) -> None:
    host = FakeHost(tmp_path)
    program = host.program.read_text()
    refusing = 'if sys.argv[1:4] == ["-i", "ens1f0np0", "--pfc"]:\n    sys.exit("Operation not permitted")\n'
    host.program.write_text(program.replace("log()\n{", f"log()\n{refusing}{{"))
    done = host.run(script(fitted()))
    assert done.returncode == 3
    assert "Operation not permitted" in done.stderr
    assert "PFC priorities is still none, wanted 3" in done.stderr
    assert json.loads(host.state.read_text())["ports"]["ens1f1np1"]["pfc"] == [0, 0, 0, 1, 0, 0, 0, 0]


def test_wrong_option_is_exit_2(tmp_path: Path) -> None:
    host = FakeHost(tmp_path)
    assert host.run(script(fitted()), "--frobnicate").returncode == 2
    assert host.run(script(fitted()), "--help").returncode == 0
    assert not host.calls()


def test_buffers_and_rates_by_hand(host: FakeHost) -> None:
    plan = one_port()
    ports = {}
    for name, port in plan.ports.items():
        groups = eight(
            {number: PriorityGroup(reserved=Amount.of_bytes(size)) for number, size in ((0, 40_000), (1, 200_064))}
        )
        queues = [queue and replace(queue, shaper=10_000_000_000 if number == 6 else UNLIMITED)
                  for number, queue in enumerate(port.qos.queues or ())]  # fmt: skip
        qos = replace(
            port.qos, priority_groups=groups, tc_to_pg=(0, 0, 0, 1, 0, 0, 0, 0, *(None,) * 8), queues=tuple(queues)
        )
        ports[name] = replace(port, qos=qos, nic=replace(port.nic, manual_buffers=True))
    device, notes = MLX5.fit(replace(plan, ports=ports))
    assert any(note.field == "priority_groups.0.reserved" and note.kind == "quantised" for note in notes)
    done = host.run(script(device))
    assert done.returncode == 0, done.stderr
    state = json.loads(host.state.read_text())["ports"]["ens1f0np0"]
    assert state["sizes"] == [40_064, 200_064, 0, 0, 0, 0, 0, 0]
    assert state["buffers"] == [0, 0, 0, 1, 0, 0, 0, 0]
    assert state["rates"] == [0, 0, 0, 0, 0, 0, 10, 0]
    live = captured(host, ["ens1f0np0"]).ports["ens1f0np0"].qos
    assert live.tc_to_pg == device.ports["ens1f0np0"].qos.tc_to_pg
    assert live.queue(6) == device.ports["ens1f0np0"].qos.queue(6)
    group = live.priority_group(1)
    assert group is not None
    assert group.lossless
    assert group.headroom.amount.value == 170_480
    assert group.xoff_at.amount.value == 200_064 - 170_480


def test_shellcheck_has_nothing_to_say(tmp_path: Path) -> None:
    if shutil.which("shellcheck") is None:
        pytest.skip("shellcheck is not installed")
    path = tmp_path / "rocecfg-nic.sh"
    path.write_text(script(fitted()))
    done = subprocess.run(["shellcheck", str(path)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_fraction_cable_rounds_up() -> None:
    plan = planned_host("mlx5", PORTS)
    ports = {name: replace(port, qos=replace(port.qos, cable=Fraction(5, 2))) for name, port in plan.ports.items()}
    device, notes = MLX5.fit(replace(plan, ports=ports))
    assert {port.qos.cable for port in device.ports.values()} == {3}
    assert [(note.wanted, note.got) for note in notes if note.field == "cable"] == [("2.5 m", "3 m")] * 2
