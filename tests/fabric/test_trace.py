"""`rocecfg trace` on the planned example and on what becomes of it when a hop is broken."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
INTENT = """\
version: 1
fabric: pod
classes:
  roce: {dscp: 26, priority: 3, lossless: true}
  cnp: {dscp: 48, priority: 6}
devices:
  leaf[1-2]: {nos: nxos, model: N9K-C9364D-GX2A, role: leaf}
  spine[1-2]: {nos: sonic, model: Mellanox-SN5600, role: spine}
  gpu[1-4]: {nic: mlx5, model: ConnectX-7, role: host}
links:
  - {a: "leaf1:Ethernet1/[1-2]", b: "gpu[1-2]:rail0", speed: 400G, cable: 5m aoc}
  - {a: "leaf2:Ethernet1/[1-2]", b: "gpu[3-4]:rail0", speed: 400G, cable: 5m aoc}
  - {a: "leaf[1-2]:Ethernet1/11", b: "spine1:Ethernet[0,8]", speed: 400G, cable: 30m fibre}
  - {a: "leaf[1-2]:Ethernet1/12", b: "spine2:Ethernet[0,8]", speed: 400G, cable: 30m fibre}
"""


def rocecfg(*arguments: object, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "rocecfg", *map(str, arguments)],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


@pytest.fixture(scope="module")
def pod(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pod")
    (folder / "pod.roce.yaml").write_text(INTENT, encoding="utf-8")
    done = rocecfg("render", "pod.roce.yaml", "-o", "out", folder=folder)
    assert done.returncode == 0, done.stderr
    return folder


def edited(pod: Path, tmp_path: Path, device: str, file: str, old: str, new: str) -> Path:
    """Return a copy of the rendered folder with a text of one device changed."""
    import shutil

    copy = tmp_path / "live"
    shutil.copytree(pod / "out", copy)
    path = copy / device / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    return copy


def test_a_plan_is_whole_and_equal_ways_are_shown_once(pod: Path) -> None:
    done = rocecfg("trace", "pod.roce.yaml", "--from", "gpu1", "--to", "gpu4", folder=pod)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("gpu1 > leaf1 > spine1 > leaf2 > gpu4 (2 ways are treated alike, this is one)\n")
    assert "data: DSCP 26 (default ToS 106 of the NIC): whole" in done.stdout
    assert "CNP back: DSCP 48 (CNP DSCP 48 of gpu4): whole" in done.stdout


def test_rendered_files_trace_like_the_plan(pod: Path) -> None:
    for arguments in (["out", "--intent", "pod.roce.yaml"], ["pod.roce.yaml"]):
        done = rocecfg("trace", *arguments, "--from", "gpu1:rail0", "--to", "gpu4", "--format", "json", folder=pod)
        assert done.returncode == 0, done.stderr
        data = json.loads(done.stdout)
        (way,) = data["ways"]
        assert data["whole"] is True
        assert way["count"] == 2
        hops = way["data"]["hops"]
        assert [hop["device"] for hop in hops] == ["gpu1", "leaf1", "spine1", "leaf2", "gpu4"]
        assert [(hop["tc"], hop["lossless"]) for hop in hops] == [(3, True)] * 5
        assert [hop["ecn"] for hop in hops[1:-1]] == [True] * 3
        assert [hop["device"] for hop in way["cnp"]["hops"]] == ["gpu4", "leaf2", "spine1", "leaf1", "gpu1"]


def test_pfc_off_at_a_spine_breaks_the_chain_there(pod: Path, tmp_path: Path) -> None:
    live = edited(pod, tmp_path, "spine1", "config_db.json", '"pfc_enable": "3"', '"pfc_enable": ""')
    done = rocecfg("trace", live, "--intent", "pod.roce.yaml", "--from", "gpu1", "--to", "gpu4", folder=pod)
    assert done.returncode == 1, done.stdout + done.stderr
    assert (
        "broken at spine1 Ethernet0: DSCP 26 is in traffic class 3, lossy here: PFC is off on the port" in done.stdout
    )
    assert done.stdout.count("data: ") == 2, "the way over spine2 is treated otherwise"
    assert done.stdout.index("spine1") < done.stdout.index("spine2"), "broken ways come first"


def test_a_wrong_mark_of_the_host_is_the_first_break(pod: Path, tmp_path: Path) -> None:
    live = edited(pod, tmp_path, "gpu1", "rocecfg-nic.sh", "106", "26")
    done = rocecfg("trace", live, "--intent", "pod.roce.yaml", "--from", "gpu1", "--to", "gpu2", folder=pod)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "broken at gpu1 rail0: default ToS 26 of the NIC marks DSCP 6; lossless classes have DSCP 26" in done.stdout


def test_a_lossy_dscp_is_followed_where_it_goes(pod: Path) -> None:
    done = rocecfg("trace", "pod.roce.yaml", "--from", "gpu1", "--to", "gpu4", "--dscp", "10", folder=pod)
    assert done.returncode == 1
    assert "--dscp marks DSCP 10; lossless classes have DSCP 26" in done.stdout


def test_what_was_not_captured_is_not_called_whole(pod: Path, tmp_path: Path) -> None:
    import shutil

    copy = tmp_path / "live"
    shutil.copytree(pod / "out", copy)
    shutil.rmtree(copy / "spine1")
    done = rocecfg("trace", copy, "--intent", "pod.roce.yaml", "--from", "gpu1", "--to", "gpu4", folder=pod)
    assert done.returncode == 3, done.stdout + done.stderr
    assert "unknown: spine1: was not read" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--from", "gpu9", "--to", "gpu4"], 'no cable leads to a device "gpu9", did you mean'),
        (["--from", "gpu1:rail7", "--to", "gpu4"], 'no cable leads to port "rail7" of gpu1, did you mean "rail0"?'),
        (["--from", "gpu1", "--to", "gpu1"], "gpu1 is both ends of the trace"),
        (["--from", "gpu1"], "Missing option '--to'"),
        (["--from", "gpu1", "--to", "gpu4", "--dscp", "64"], "64"),
        (["--from", "gpu1", "--to", "gpu4", "--links", "none.yaml"], "none.yaml"),
    ],
)
def test_usage_errors(pod: Path, arguments: list[str], message: str) -> None:
    done = rocecfg("trace", "pod.roce.yaml", *arguments, folder=pod)
    assert done.returncode == 2, done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_without_cables_there_is_nothing_to_follow(pod: Path) -> None:
    done = rocecfg("trace", "out", "--from", "gpu1", "--to", "gpu4", folder=pod)
    assert done.returncode == 2
    assert "no cables are known" in done.stderr


def test_links_file_instead_of_an_intent(pod: Path, tmp_path: Path) -> None:
    links = tmp_path / "links.yaml"
    links.write_text(
        '- {a: "leaf1:Ethernet1/1", b: "gpu1:rail0"}\n- {a: "leaf1:Ethernet1/2", b: "gpu2:rail0"}\n', encoding="utf-8"
    )
    done = rocecfg("trace", "out", "--links", links, "--from", "gpu1", "--to", "gpu2", folder=pod)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "gpu1 > leaf1 > gpu2" in done.stdout


def test_lint_takes_a_paths_file(pod: Path, tmp_path: Path) -> None:
    paths = tmp_path / "paths.yaml"
    paths.write_text(
        "- {via: [gpu1, leaf1, spine1, leaf2, spine2], priority: 3}\n"
        "- {via: [gpu1, leaf1, spine2, leaf2, spine1], priority: 3}\n"
        "- {via: [gpu3, leaf2, spine1, leaf1, spine2, leaf2], priority: 3}\n",
        encoding="utf-8",
    )
    done = rocecfg("lint", "pod.roce.yaml", "--paths", paths, "--select", "DLK", "--format", "json", folder=pod)
    assert done.returncode == 1, done.stderr
    found = json.loads(done.stdout)["findings"]
    assert {item["rule"] for item in found} >= {"DLK-001", "DLK-002"}
    (ring,) = [item for item in found if item["rule"] == "DLK-001"]
    assert ring["severity"] == "error"
    assert "leaf1" in ring["message"]
    assert {(item["line"], item["device"]) for item in found if item["rule"] == "DLK-002"} == {
        (1, "leaf2"), (2, "leaf2"), (3, "leaf1"),
    }  # fmt: skip


def test_a_bad_paths_file_is_a_usage_error_with_its_line(pod: Path, tmp_path: Path) -> None:
    paths = tmp_path / "paths.yaml"
    paths.write_text("- {via: [leaf1, spine1]}\n- {via: leaf1}\n", encoding="utf-8")
    done = rocecfg("lint", "pod.roce.yaml", "--paths", paths, folder=pod)
    assert done.returncode == 2
    assert f"{paths}:2:3: via is a list of at least two device names" in done.stderr
