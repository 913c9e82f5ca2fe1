"""`rocecfg pull` as a person or program calls it, a jump host, a Linux host behind OpenSSH, a Dask cluster."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("asyncssh")

from rocecfg.collect.credentials import Credentials
from rocecfg.collect.order import Times
from rocecfg.collect.pull import PullOptions, pull
from rocecfg.collect.target import Secret, Target
from rocecfg.state.capture import captures_under
from tests.collect.fake_devices import PASSWORD, USER, Fleet, wait_until
from tests.collect.texts import answers_of
from tests.conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SSHD = shutil.which("sshd") or ("/usr/sbin/sshd" if os.path.exists("/usr/sbin/sshd") else None)  # noqa: PTH110


@pytest.fixture
def fleet() -> Iterator[Fleet]:
    with Fleet() as made:
        yield made


def inventory(fleet: Fleet, folder: Path, nos: str = "nxos") -> None:
    rows = "".join(f"{device.name},{nos},127.0.0.1,{device.port}\n" for device in fleet.devices.values())
    (folder / "hosts.csv").write_text("name,nos,address,port\n" + rows)
    (folder / "known_hosts").write_text(fleet.known_hosts())
    (folder / "ssh_config").write_text("")


def rocecfg(folder: Path, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "rocecfg", "pull", "-i", "hosts.csv", "-o", "captures", "--known-hosts", "known_hosts",
         "--ssh-config", "ssh_config", "--silence-timeout", "2", *words],
        cwd=folder, capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, "ROCECFG_USERNAME": USER, "ROCECFG_PASSWORD": PASSWORD, "PYTHONPATH": str(ROOT), **env},
    )  # fmt: skip


def test_text_and_json(fleet: Fleet, tmp_path: Path) -> None:
    fleet.add("leaf1", "cisco_nxos", answers_of("nxos", "leaf1"))
    fleet.add("leaf2", "cisco_nxos", answers_of("nxos", "leaf2"), "hung-command")
    inventory(fleet, tmp_path)
    ran = rocecfg(tmp_path)
    assert ran.returncode == 3
    assert ran.stdout.endswith("1 of 2 devices read, 1 not read whole\n")
    assert "leaf2: partial: RUN-004 no prompt after `show running-config`" in ran.stdout
    assert sorted(line.split()[0] for line in ran.stderr.splitlines()) == ["1/2", "2/2"]
    ran = rocecfg(tmp_path, "--format", "json", "--limit", "leaf1")
    report = json.loads(ran.stdout)
    assert ran.returncode == 0
    (device,) = report["devices"]
    assert (device["device"], device["nos"], device["status"], device["reason"]) == ("leaf1", "nxos", "ok", "")
    assert report["findings"] == []
    assert report["schema"] == 1
    assert PASSWORD not in ran.stdout + ran.stderr


def test_no_ssh_configuration_at_all(fleet: Fleet, tmp_path: Path) -> None:
    fleet.add("leaf1", "cisco_nxos", answers_of("nxos", "leaf1"))
    inventory(fleet, tmp_path)
    ran = rocecfg(tmp_path, "--ssh-config", "/dev/null")
    assert ran.returncode == 0, ran


def test_what_is_read_is_a_capture(fleet: Fleet, tmp_path: Path) -> None:
    fleet.add("leaf1", "cisco_nxos", answers_of("nxos", "leaf1"))
    inventory(fleet, tmp_path)
    assert rocecfg(tmp_path).returncode == 0
    (capture,) = captures_under(tmp_path / "captures")
    assert (capture.device, capture.nos) == ("leaf1", "nxos")
    assert [text.complete for text in capture.texts] == [True] * 5


@pytest.mark.parametrize(("words", "message"), [
    (["--known-hosts", "missing"], "missing: no such file; --accept-new"),
    (["--executor", "ray://x"], "dask://HOST:PORT"),
    (["--limit", "nothing-there"], "nothing-there"),
    (["--ssh-config", "missing"], "missing: no such file"),
    (["--jump", "-oProxyCommand=x"], "is no jump host"),
])  # fmt: skip
def test_usage(fleet: Fleet, tmp_path: Path, words: list[str], message: str) -> None:
    fleet.add("leaf1", "cisco_nxos", answers_of("nxos", "leaf1"))
    inventory(fleet, tmp_path)
    ran = rocecfg(tmp_path, *words)
    assert ran.returncode in {2, 3}, ran
    assert message in ran.stderr + ran.stdout
    assert "Traceback" not in ran.stderr


def test_a_pack_cannot_widen_what_is_sent(fleet: Fleet, tmp_path: Path) -> None:
    """A manifest with a command that changes something stops the run before any device is asked."""
    source = (ROOT / "vendors" / "nxos" / "vendor.yaml").read_text()
    pack = tmp_path / "pack" / "vendors" / "nxos"
    shutil.copytree(ROOT / "vendors" / "nxos", pack)
    device = fleet.add("leaf1", "cisco_nxos", answers_of("nxos", "leaf1"))
    inventory(fleet, tmp_path)
    for bad in ("reload", "configure terminal", "show version ; rm x"):
        (pack / "vendor.yaml").write_text(source.replace("send: show running-config", f"send: {bad}", 1))
        ran = rocecfg(tmp_path, "--pack", "pack")
        assert ran.returncode == 2, ran
        assert f'"{bad}" is not sent to any device' in ran.stderr
    assert device.received == []
    assert device.logins == 0


def test_a_flood_does_not_fill_the_memory(fleet: Fleet, tmp_path: Path) -> None:
    import resource

    fleet.add("leaf1", "cisco_nxos", answers_of("nxos", "leaf1"), "flood")
    inventory(fleet, tmp_path)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    device = fleet.devices["leaf1"]
    target = Target("leaf1", "nxos", "127.0.0.1", device.port)
    how = PullOptions(credentials=Credentials(USER, Secret(PASSWORD)), known_hosts=tmp_path / "known_hosts",
                      ssh_config=tmp_path / "ssh_config")  # fmt: skip
    (result,) = pull([target], tmp_path / "captures", how)
    assert "printed more than 16777216 bytes" in result.reason
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 120 * 1024, f"{grown} KiB"
    assert sum(file.stat().st_size for file in (tmp_path / "captures").rglob("*") if file.is_file()) < 200_000


# -- OpenSSH -----------------------------------------------------------------------------------------------------


@pytest.fixture
def sshd(tmp_path: Path) -> Iterator[tuple[int, Path]]:
    """An OpenSSH server on loopback that takes one key; yields its port and the key file."""
    if SSHD is None or shutil.which("ssh-keygen") is None:
        pytest.skip("no OpenSSH server here")
    for name in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(tmp_path / name)], check=True)
    shutil.copy(tmp_path / "user.pub", tmp_path / "authorized")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    (tmp_path / "sshd_config").write_text(
        f"Port {port}\nListenAddress 127.0.0.1\nHostKey {tmp_path}/host\nPidFile none\nUsePAM no\nStrictModes no\n"
        f"AuthorizedKeysFile {tmp_path}/authorized\nPasswordAuthentication no\nAllowTcpForwarding yes\nPrintMotd no\n"
    )
    os.makedirs("/run/sshd", exist_ok=True)  # noqa: PTH103
    server = subprocess.Popen([SSHD, "-D", "-f", str(tmp_path / "sshd_config"), "-E", str(tmp_path / "sshd.log")])

    def listens() -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    try:
        wait_until(listens)
        yield port, tmp_path / "user"
    finally:
        server.terminate()
        server.wait(10)


def own_user() -> str:
    import pwd

    return pwd.getpwuid(os.getuid()).pw_name


def host_line(folder: Path, port: int) -> str:
    kind, key = (folder / "host.pub").read_text().split()[:2]
    return f"[127.0.0.1]:{port} {kind} {key}\n"


@pytest.mark.parametrize("way", ["ProxyJump", "ProxyCommand"])
def test_over_a_jump_host(fleet: Fleet, tmp_path: Path, sshd: tuple[int, Path], way: str) -> None:
    port, key = sshd
    devices = [fleet.add(f"leaf{n}", "cisco_nxos", answers_of("nxos", f"leaf{n}")) for n in range(3)]
    known = tmp_path / "known_hosts"
    known.write_text(fleet.known_hosts() + host_line(tmp_path, port))
    jump = f"Host bastion\n  HostName 127.0.0.1\n  Port {port}\n  User {own_user()}\n  IdentityFile {key}\n"
    command = f"ssh -F {tmp_path}/ssh_config -o UserKnownHostsFile={known} -W %h:%p bastion"
    via = "ProxyJump bastion" if way == "ProxyJump" else f"ProxyCommand {command}"
    (tmp_path / "ssh_config").write_text(f"{jump}Host leaf*\n  HostName 127.0.0.1\n  HostKeyAlias 127.0.0.1\n  {via}\n")
    targets = [Target(device.name, "nxos", "", device.port) for device in devices]
    how = PullOptions(credentials=Credentials(USER, Secret(PASSWORD)), known_hosts=known,
                      ssh_config=tmp_path / "ssh_config", times=Times(5, 10, 5, 20))  # fmt: skip
    results = pull(targets, tmp_path / "captures", how)
    assert [result.status for result in results] == ["ok"] * 3, results
    if way == "ProxyJump":
        known.write_text(fleet.known_hosts())
        results = pull(targets, tmp_path / "captures", how)
        assert {result.rule for result in results} == {"RUN-003"}, "the jump host's key must be known too"
        assert "the jump host 127.0.0.1 cannot be used" in results[0].reason


def test_a_linux_host_behind_openssh(tmp_path: Path, sshd: tuple[int, Path]) -> None:
    port, key = sshd
    (tmp_path / "known_hosts").write_text(host_line(tmp_path, port))
    (tmp_path / "ssh_config").write_text("")
    how = PullOptions(credentials=Credentials(own_user()), known_hosts=tmp_path / "known_hosts", key_file=str(key),
                      ssh_config=tmp_path / "ssh_config", times=Times(5, 10, 10, 60), any_name=True)  # fmt: skip
    target = Target("gpu01", "linux_dcb", "127.0.0.1", port)
    (result,) = pull([target], tmp_path / "captures", how)
    assert result.rule in {"", "RUN-006"}, result  # a machine without a NIC has little to say
    (tmp_path / "known_hosts").write_text(host_line(tmp_path, port).replace("AAAAC3", "AAAAC4"))
    (result,) = pull([target], tmp_path / "captures", how)
    assert result.rule == "RUN-003"


# -- a cluster ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_dask_cluster_whose_worker_is_killed(fleet: Fleet, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    devices = [fleet.add(f"sw{n}", "cisco_nxos", answers_of("nxos", f"sw{n}"), delay=0.1) for n in range(12)]
    inventory(fleet, tmp_path)
    targets = [Target(device.name, "nxos", "127.0.0.1", device.port) for device in devices]
    how = PullOptions(credentials=Credentials(USER, Secret(PASSWORD)), known_hosts=tmp_path / "known_hosts",
                      ssh_config=tmp_path / "ssh_config")  # fmt: skip
    killed: list[int] = []
    with distributed.LocalCluster(n_workers=2, threads_per_worker=2, processes=True, dashboard_address=None) as cluster, \
            distributed.Client(cluster) as client:  # fmt: skip

        def kill_one(result: object) -> None:
            if not killed:
                killed.append(next(iter(client.run(os.getpid).values())))
                os.kill(killed[0], 9)

        results = pull(targets, tmp_path / "captures", how, client.get_executor(retries=3, pure=False), kill_one)
    assert killed
    assert [result.status for result in results] == ["ok"] * 12, results
    assert len(list((tmp_path / "captures").glob("*/capture.json"))) == 12
    by_threads = pull(targets, tmp_path / "threads", how)
    assert [result.status for result in by_threads] == ["ok"] * 12

    def texts(folder: str) -> dict[str, str]:
        return {str(path.relative_to(tmp_path / folder)): path.read_text(encoding="utf-8")
                for path in (tmp_path / folder).rglob("*.txt")}  # fmt: skip

    assert texts("captures") == texts("threads")
    assert len(texts("threads")) >= 12
