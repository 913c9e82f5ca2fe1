"""Captures on disk: whole or not there, one run at a time, and a killed run goes on where it stopped."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("asyncssh")

from rocecfg.collect.order import Reading, Text
from rocecfg.collect.store import JOURNAL, LOCK, Store, folder_name
from rocecfg.collect.target import DeviceResult
from rocecfg.errors import UsageError
from rocecfg.state.capture import captures_under
from tests.collect.fake_devices import PASSWORD, USER, Fleet, wait_until
from tests.collect.texts import answers_of
from tests.conftest import ROOT


def reading(device: str, content: str = "x\n", status: str = "ok") -> Reading:
    texts = (Text("show a", "a", content, complete=True, proved=("prompt",)),)
    return Reading(DeviceResult(device, "nxos", status), texts, (), "127.0.0.1", "2026-11-30T00:00:00Z")


def test_a_capture_is_replaced_as_a_whole(tmp_path: Path) -> None:
    with Store(tmp_path, ["leaf1"]) as store:
        store.put(reading("leaf1", "old\n"))
        result = store.put(reading("leaf1", "new\n"))
    assert (Path(result.folder) / "a.txt").read_text() == "new\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == [JOURNAL, LOCK, "leaf1"]


@pytest.mark.parametrize("name", ["../../etc", "..", ".", "a/b", ".hidden", "a\nb", "leaf-1.pod", "ü"])
def test_a_folder_stays_inside(tmp_path: Path, name: str) -> None:
    with Store(tmp_path, [name]) as store:
        result = store.put(reading(name))
    place = Path(result.folder)
    assert place.parent == tmp_path
    assert not place.name.startswith(".")
    assert json.loads((place / "capture.json").read_text())["device"] == name
    assert folder_name("leaf-1.pod") == "leaf-1.pod"


def test_one_run_at_a_time(tmp_path: Path) -> None:
    with Store(tmp_path, ["a"]), pytest.raises(UsageError, match=f"another pull writes .*process {os.getpid()}"):
        Store(tmp_path, ["a"])
    Store(tmp_path, ["a"]).close()


def test_a_broken_off_run_goes_on_and_a_finished_one_begins_anew(tmp_path: Path) -> None:
    with Store(tmp_path, ["a", "b", "c"]) as store:
        store.put(reading("a"))
        store.put(reading("b", status="partial"))
    with (tmp_path / JOURNAL).open("a") as journal:
        journal.write('{"device": "c", "nos"')  # the kill came here
    (tmp_path / ".c.part").mkdir()
    (tmp_path / ".d.old").mkdir()
    (tmp_path / ".a.old").mkdir()
    with Store(tmp_path, ["c", "b", "a"]) as store:
        assert set(store.done) == {"a"}, "what was not whole is read again"
        assert not (tmp_path / ".c.part").exists()
        assert (tmp_path / "d").is_dir(), "a capture that was moved aside comes back"
        assert not (tmp_path / ".a.old").exists()
        store.put(reading("c"))
    with Store(tmp_path, ["a", "b", "c"]) as store:
        assert set(store.done) == {"a", "c"}
    with Store(tmp_path, ["a", "b"]) as store:
        assert store.done == {}, "another set of devices is another run"
        store.put(reading("a"))
        store.finish()
    with Store(tmp_path, ["a", "b"]) as store:
        assert store.done == {}
        store.put(reading("a"))
    with Store(tmp_path, ["a", "b"], fresh=True) as store:
        assert store.done == {}


def test_a_run_of_yesterday_is_not_gone_on_with(tmp_path: Path) -> None:
    with Store(tmp_path, ["a"]) as store:
        store.put(reading("a"))
    lines = (tmp_path / JOURNAL).read_text().splitlines()
    head = json.loads(lines[0])
    lines[0] = json.dumps({**head, "started": head["started"] - 86400})
    (tmp_path / JOURNAL).write_text("\n".join(lines) + "\n")
    with Store(tmp_path, ["a"]) as store:
        assert store.done == {}


def logins(fleet: Fleet) -> int:
    return sum(device.logins for device in fleet.devices.values())


@pytest.mark.slow
def test_killed_ten_times_at_random_and_then_complete(tmp_path: Path) -> None:
    """Whatever stands in the folder after a kill is whole, and the rerun reads the rest."""
    chance = random.Random(1)
    captures = tmp_path / "captures"
    with Fleet() as fleet:
        lines = ["name,nos,address,port"]
        for number in range(30):
            device = fleet.add(f"sw{number}", "cisco_nxos", answers_of("nxos", f"sw{number}"), delay=0.02)
            lines.append(f"{device.name},nxos,127.0.0.1,{device.port}")
        (tmp_path / "hosts.csv").write_text("\n".join(lines) + "\n")
        (tmp_path / "known_hosts").write_text(fleet.known_hosts())
        (tmp_path / "ssh_config").write_text("")
        command = [
            sys.executable, "-m", "rocecfg", "pull", "-i", str(tmp_path / "hosts.csv"), "-o", str(captures), "--threads", "2",
            "--known-hosts", str(tmp_path / "known_hosts"), "--ssh-config", str(tmp_path / "ssh_config"),
        ]  # fmt: skip
        env = {**os.environ, "ROCECFG_USERNAME": USER, "ROCECFG_PASSWORD": PASSWORD, "PYTHONPATH": str(ROOT)}
        read = 0
        for _ in range(10):
            process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            begun = logins(fleet) + 1
            wait_until(lambda process=process, begun=begun: process.poll() is not None or logins(fleet) > begun)
            time.sleep(chance.random() * 0.3)  # the random moment
            process.send_signal(signal.SIGKILL)
            process.wait()
            for capture in captures_under(captures):
                assert not isinstance(capture, Exception), capture
                assert all(text.complete and text.content for text in capture.texts)
                assert len(capture.texts) == len(answers_of("nxos", "x"))
            now = len([path for path in captures.iterdir() if not path.name.startswith(".")])
            assert now >= read
            read = now
        before = {name: device.logins for name, device in fleet.devices.items()}
        finished = {path.name for path in captures.iterdir() if not path.name.startswith(".")}
        ended = subprocess.run(
            [*command, "--format", "json"], env=env, capture_output=True, text=True, timeout=60, check=False
        )
        assert ended.returncode == 0, ended.stderr
        assert {device["status"] for device in json.loads(ended.stdout)["devices"]} == {"ok"}
        again = {name for name, device in fleet.devices.items() if device.logins > before[name]}
        assert len(again & finished) <= 2, "only what stood between its folder and the journal is read again"
        assert sorted(path.name for path in captures.iterdir() if path.name.startswith(".")) == [LOCK]


def test_interrupted_keeps_what_was_read(tmp_path: Path) -> None:
    with Fleet() as fleet:
        fine = fleet.add("fine", "cisco_nxos", answers_of("nxos", "fine"))
        hung = [fleet.add(f"hung{n}", "cisco_nxos", answers_of("nxos", f"hung{n}"), "hung-command") for n in range(3)]
        rows = "".join(f"{device.name},nxos,127.0.0.1,{device.port}\n" for device in [fine, *hung])
        (tmp_path / "hosts.csv").write_text("name,nos,address,port\n" + rows)
        (tmp_path / "known_hosts").write_text(fleet.known_hosts())
        (tmp_path / "ssh_config").write_text("")
        process = subprocess.Popen(
            [sys.executable, "-m", "rocecfg", "pull", "-i", str(tmp_path / "hosts.csv"), "-o", str(tmp_path / "captures"),
             "--known-hosts", str(tmp_path / "known_hosts"), "--ssh-config", str(tmp_path / "ssh_config")],
            env={**os.environ, "ROCECFG_USERNAME": USER, "ROCECFG_PASSWORD": PASSWORD, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        wait_until(lambda: (tmp_path / "captures" / "fine").exists() and all(device.logins for device in hung), 20)
        process.send_signal(signal.SIGINT)
        start = time.monotonic()
        _, errors = process.communicate(timeout=20)
        assert process.returncode == 130
        assert time.monotonic() - start < 5
        assert "Traceback" not in errors
        assert PASSWORD not in errors
        assert (tmp_path / "captures" / "fine" / "capture.json").is_file()
