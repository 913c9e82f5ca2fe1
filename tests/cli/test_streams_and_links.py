"""Closed streams, rings of links and pipes: said in one sentence, never an internal error, a hang or "clean"."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

CONFIG = "hostname leaf1\ninterface Ethernet1/1\n  priority-flow-control mode on\n"
INTENT = """\
version: 1
fabric: f
classes:
  roce: {dscp: 26, priority: 3, lossless: true}
devices:
  leaf1: {nos: nxos, model: N9K-C9364D-GX2A, role: leaf}
  gpu1: {nic: mlx5, model: ConnectX-7, role: host}
links:
  - {a: "leaf1:Ethernet1/1", b: "gpu1:rail0", speed: 400G, cable: 3m dac}
"""


def run(folder: Path, shell: str) -> subprocess.CompletedProcess[str]:
    command = shell.replace("rocecfg", f"'{sys.executable}' -c 'from rocecfg.cli import main; main()'")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        command, shell=True, cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize(
    ("shell", "code", "words"),
    [
        ("rocecfg lint - <&-", 3, "<stdin>: closed"),
        ("rocecfg parse - <&-", 3, "<stdin>: closed"),
        ("rocecfg plan - <&-", 2, "<stdin>: closed"),
        ("rocecfg plan f.roce.yaml >&-", 2, "standard output is closed"),
        ("rocecfg rules >&-", 2, "standard output is closed"),
    ],
)
def test_closed_streams(tmp_path: Path, shell: str, code: int, words: str) -> None:
    (tmp_path / "f.roce.yaml").write_text(INTENT, encoding="utf-8")
    result = run(tmp_path, shell)
    assert result.returncode == code, result.stderr
    assert words in result.stdout.replace("error RUN-007: ", "") + result.stderr
    assert "internal error" not in result.stdout + result.stderr


def test_closed_stderr_does_not_matter(tmp_path: Path) -> None:
    (tmp_path / "f.roce.yaml").write_text(INTENT, encoding="utf-8")
    assert run(tmp_path, "rocecfg plan f.roce.yaml --short 2>&-").returncode == 0


@pytest.mark.parametrize("link", ["ring", "nowhere", "folder"])
def test_links_that_are_not_followed_are_said(tmp_path: Path, link: str) -> None:
    captures = tmp_path / "captures"
    captures.mkdir()
    (captures / "leaf1.cfg").write_text(CONFIG, encoding="utf-8")
    (tmp_path / "elsewhere").mkdir()
    target = {"ring": captures / "link", "nowhere": tmp_path / "gone", "folder": tmp_path / "elsewhere"}[link]
    (captures / "link").symlink_to(target)
    result = run(tmp_path, "rocecfg lint captures --select PFC-001")
    assert result.returncode == 3, result.stderr
    assert "captures/link: error RUN-00" in result.stdout


def test_a_pipe_in_a_folder_is_left_alone_and_as_a_text_of_a_capture_refused(tmp_path: Path) -> None:
    captures = tmp_path / "captures"
    captures.mkdir()
    (captures / "leaf1.cfg").write_text(CONFIG, encoding="utf-8")
    os.mkfifo(captures / "pipe.cfg")
    assert run(tmp_path, "rocecfg lint captures --select PFC-001").returncode == 0
    index = '{"device": "leaf1", "nos": "nxos", "texts": [{"command": "show running-config", "file": "pipe.cfg"}]}'
    (captures / "capture.json").write_text(index, encoding="utf-8")
    result = run(tmp_path, "rocecfg lint captures")
    assert result.returncode == 3
    assert '"pipe.cfg" is not a regular file' in result.stdout


def test_render_counts_the_files_it_names_and_refuses_a_device_called_like_the_index(tmp_path: Path) -> None:
    (tmp_path / "f.roce.yaml").write_text(INTENT, encoding="utf-8")
    assert (
        "2 devices, 3 files in out (3 written, the rest unchanged)"
        in run(tmp_path, "rocecfg render f.roce.yaml -o out").stderr
    )
    (tmp_path / "g.roce.yaml").write_text(INTENT.replace("leaf1", "capture.json"), encoding="utf-8")
    assert run(tmp_path, "rocecfg render g.roce.yaml -o out").returncode == 2


def test_changes_of_other_ports_and_python_words_stay_out_of_why(tmp_path: Path) -> None:
    second = '  - {a: "leaf1:Ethernet1/2", b: "gpu1:rail1", speed: 400G, cable: 90m fibre}\n'
    (tmp_path / "f.roce.yaml").write_text(INTENT + second, encoding="utf-8")
    why = run(tmp_path, "rocecfg plan f.roce.yaml --why leaf1:Ethernet1/1").stdout
    assert "for 3 m" in why
    assert "for 90 m" not in why
    plan = run(tmp_path, "rocecfg plan f.roce.yaml").stdout
    assert "Dynamic(" not in plan
    assert "alpha 1 -> buffer less headroom" in plan
    assert " on Ethernet1/1-2: " in plan


@pytest.mark.parametrize(
    ("nos", "port"),
    [
        ("junos", "et-0/0/0 disable"),
        ("junos", "swp1"),
        ("sonic", "Ethernet0 x"),
        ("sonic", "et-0/0/0"),
        ("nxos", "swp1"),
    ],
)
def test_a_port_name_of_another_system_is_refused(tmp_path: Path, nos: str, port: str) -> None:
    """A blank in it begins another statement of the configuration, or another word of a root's script."""
    text = INTENT.replace("nxos, model: N9K-C9364D-GX2A", nos).replace("Ethernet1/1", port)
    (tmp_path / "f.roce.yaml").write_text(text, encoding="utf-8")
    result = run(tmp_path, "rocecfg render f.roce.yaml -o out")
    assert result.returncode == 2, result.stderr
    assert f"name: {port} is wanted" in result.stderr
    assert not (tmp_path / "out").exists()


def test_a_stated_ramp_upside_down_is_refused_not_mended(tmp_path: Path) -> None:
    upside_down = INTENT.replace("lossless: true", "lossless: true, ecn: {kmin: 2MB, kmax: 1MB, pmax: 5%}")
    (tmp_path / "f.roce.yaml").write_text(upside_down, encoding="utf-8")
    result = run(tmp_path, "rocecfg plan f.roce.yaml")
    assert result.returncode == 2
    assert "Kmin 2000000 B lies above Kmax 1000000 B" in result.stderr
    assert "f.roce.yaml:4" in result.stderr
