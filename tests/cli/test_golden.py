"""What each command prints, to the letter. UPDATE_GOLDEN=1 rewrites the files; the diff is the review."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

GOLDEN = Path(__file__).with_name("golden")
CASES = [
    ("plan", ["plan", "toy.roce.yaml"], 0),
    ("plan-short", ["plan", "toy.roce.yaml", "--short"], 0),
    ("plan-why", ["plan", "toy.roce.yaml", "--why", "leaf1:Ethernet1/2"], 0),
    ("plan-why-json", ["plan", "toy.roce.yaml", "--why", "leaf1:Ethernet1/2", "--format", "json"], 0),
    ("validate", ["validate", "toy.roce.yaml"], 0),
    ("render-check-stale", ["render", "toy.roce.yaml", "-o", "stale", "--check"], 1),
    ("lint-clean", ["lint", "out/leaf2", "--select", "TOY", "--config", "strict.toml"], 0),
    ("lint-warning", ["lint", "out", "--select", "TOY", "--fail-on", "error"], 0),
    ("lint-fails", ["lint", "out", "--select", "TOY", "--fail-on", "warning"], 1),
    ("lint-json", ["lint", "out/leaf1", "gone.cfg", "--select", "TOY", "--format", "json"], 3),
    ("parse", ["parse", "out/leaf1"], 0),
    ("parse-json", ["parse", "small.toy", "--format", "json"], 0),
    ("parse-folder-json", ["parse", "saved", "--format", "json"], 0),
    ("drift-none", ["drift", "toy.roce.yaml", "out"], 0),
    ("drift", ["drift", "toy.roce.yaml", "live"], 1),
    ("drift-json", ["drift", "toy.roce.yaml", "live", "--format", "json"], 1),
    ("drift-not-captured", ["drift", "toy.roce.yaml", "out/leaf1"], 3),
    ("explain", ["explain", "TOY-001"], 0),
    ("explain-by-name", ["explain", "steep-ramp"], 0),
]
SMALL = '{"toyos": {"name": "small", "nos": "toyos", "ports": {"p1": {"mtu": 9216}}, "unknown": ["what is this"]}}\n'


@pytest.fixture
def folder(fabric: Path, cli) -> Path:
    (fabric / "strict.toml").write_text('[rules."TOY-001"]\nmaximum = 30\n', encoding="utf-8")
    (fabric / "small.toy").write_text(SMALL, encoding="utf-8")
    (fabric / "saved").mkdir()
    (fabric / "saved" / "a.toy").write_text(SMALL, encoding="utf-8")
    cli("render", "toy.roce.yaml", "-o", "live")
    live = fabric / "live" / "leaf1" / "toy.json"
    text = live.read_text(encoding="utf-8")
    text = text.replace('"probability": 20', '"probability": 90').replace('{"26": 3, "48": 6}', '{"26": 0, "48": 6}')
    live.write_text(text.replace('"watchdog": {"enabled": true', '"watchdog": {"enabled": false'), encoding="utf-8")
    cli("render", "toy.roce.yaml", "-o", "stale")
    (fabric / "stale" / "leaf1" / "toy.json").write_text("old\n", encoding="utf-8")
    (fabric / "stale" / "leaf2" / "apply.sh").unlink()
    (fabric / "stale" / "leaf2" / "gone.cfg").write_text("left\n", encoding="utf-8")
    return fabric


@pytest.mark.parametrize(("name", "arguments", "code"), CASES, ids=[case[0] for case in CASES])
def test_output(folder: Path, cli, name: str, arguments: list[str], code: int) -> None:
    ran = cli(*arguments)
    assert ran.code == code, ran.err
    expected = GOLDEN / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        expected.write_text(ran.out, encoding="utf-8")
    assert ran.out == expected.read_text(encoding="utf-8")


def test_output_is_the_same_twice(folder: Path, cli) -> None:
    once = cli("lint", "out", "live", "--format", "json")
    assert cli("lint", "out", "live", "--format", "json") == once
    assert cli("lint", "out", "live", "--format", "json", "--jobs", "2") == once


def test_stdin_is_read(folder: Path, cli) -> None:
    assert cli("parse", "-", stdin=SMALL).out.startswith("small  toyos")
    assert cli("validate", "-", stdin=(folder / "toy.roce.yaml").read_bytes()).out.startswith(
        "<stdin>: valid: 2 devices"
    )
    text = (folder / "out" / "leaf1" / "toy.json").read_bytes()
    assert "TOY-001 leaf1" in cli("lint", "-", "--select", "TOY", stdin=text).out


def test_output_file_holds_what_stdout_would(folder: Path, cli) -> None:
    shown = cli("parse", "out/leaf1").out
    ran = cli("parse", "out/leaf1", "-o", "result.txt")
    assert (ran.code, ran.out) == (0, "")
    assert (folder / "result.txt").read_text(encoding="utf-8") == shown
    assert [path.name for path in folder.glob(".*.part")] == []
