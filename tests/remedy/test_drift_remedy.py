"""`rocecfg drift --remedy`: which files it writes, which it does not, and what the page beside them says."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from rocecfg.cli.group import rocecfg
from tests.conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

INTENT = ROOT / "examples" / "minimal" / "minimal.roce.yaml"


def run(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(rocecfg, [str(each) for each in arguments])
    return result.exit_code, result.output


@pytest.fixture
def captures(tmp_path: Path) -> Path:
    """Captures of devices that run what the intent wants, but for one line of leaf1."""
    folder = tmp_path / "captures"
    assert run("render", INTENT, "-o", folder)[0] == 0
    switch = folder / "leaf1" / "switch.cfg"
    text = switch.read_text()
    assert "pause pfc-cos 3" in text
    switch.write_text(text.replace("pause pfc-cos 3", "pause pfc-cos 3-4"))
    for index in folder.glob("*/capture.json"):
        data = json.loads(index.read_text())
        data["source"] = "running"
        index.write_text(json.dumps(data))
    return folder


def test_only_drifted_devices_get_files(captures: Path, tmp_path: Path) -> None:
    code, output = run("drift", INTENT, captures, "--remedy", tmp_path / "back")
    assert code == 1
    written = sorted(str(path.relative_to(tmp_path / "back")) for path in (tmp_path / "back").rglob("*.*"))
    assert written == ["README.md", "leaf1/remedy.cfg", "leaf1/undo.cfg"]
    commands = (tmp_path / "back" / "leaf1" / "remedy.cfg").read_text()
    assert [line.strip() for line in commands.splitlines() if not line.startswith("!")][-1] == "pause pfc-cos 3"
    assert "pause pfc-cos 3-4" in (tmp_path / "back" / "leaf1" / "undo.cfg").read_text()
    assert f"{tmp_path / 'back' / 'leaf1' / 'remedy.cfg'} sets it back" in output


def test_the_page_says_risk_order_and_check(captures: Path, tmp_path: Path) -> None:
    run("drift", INTENT, captures, "--remedy", tmp_path / "back")
    page = (tmp_path / "back" / "README.md").read_text()
    assert "| 1 | leaf1 | nxos | buffer re-carve on all ports | `leaf1/remedy.cfg`, `leaf1/undo.cfg` |" in page
    assert "checkpoint pre-rocecfg" in page
    assert "- `show queuing interface`" in page


def test_captures_are_not_touched(captures: Path, tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in captures.rglob("*") if path.is_file()}
    run("drift", INTENT, captures, "--remedy", tmp_path / "back")
    assert {path: path.read_bytes() for path in captures.rglob("*") if path.is_file()} == before


def test_same_input_same_bytes(captures: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        run("drift", INTENT, captures, "--remedy", tmp_path / name)
    files = {path.relative_to(tmp_path / "one"): path.read_bytes() for path in (tmp_path / "one").rglob("*.*")}
    assert files == {path.relative_to(tmp_path / "two"): path.read_bytes() for path in (tmp_path / "two").rglob("*.*")}


def test_a_remedy_that_nobody_needs_any_more_is_removed(captures: Path, tmp_path: Path) -> None:
    run("drift", INTENT, captures, "--remedy", tmp_path / "back")
    switch = captures / "leaf1" / "switch.cfg"
    switch.write_text(switch.read_text().replace("pause pfc-cos 3-4", "pause pfc-cos 3"))
    code, _ = run("drift", INTENT, captures, "--remedy", tmp_path / "back")
    assert code == 0
    assert [path.name for path in (tmp_path / "back").iterdir()] == ["README.md"]
    assert "No device drifted" in (tmp_path / "back" / "README.md").read_text()


def test_a_redacted_line_is_never_written(captures: Path, tmp_path: Path) -> None:
    switch = captures / "leaf1" / "switch.cfg"
    text = switch.read_text()
    switch.write_text(f"snmp-server community REDACTED\n{text}\nradius-server key 7 REDACTED\n")
    run("drift", INTENT, captures, "--remedy", tmp_path / "back")
    for path in (tmp_path / "back" / "leaf1").iterdir():
        assert "REDACTED" not in path.read_text()
        assert "pause pfc-cos" in path.read_text()
