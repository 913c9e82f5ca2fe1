"""Rendered folders: whole files, nothing unsafe, and a check that finds every difference."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from rocecfg.errors import RenderError
from rocecfg.render import files
from rocecfg.render.engine import Rendered
from rocecfg.render.files import DeviceFiles
from rocecfg.state.capture import read_capture_folder

LEAF = DeviceFiles(
    "leaf1", "nxos", [Rendered("a.cfg", "one\n", 0o644, "show run"), Rendered("a.sh", "#!/bin/sh\n", 0o755, "")]
)


def test_a_rendered_folder_is_a_capture(tmp_path: Path) -> None:
    files.write(tmp_path, [LEAF])
    capture = read_capture_folder(tmp_path / "leaf1")
    assert (capture.device, capture.nos, capture.source) == ("leaf1", "nxos", "intended")
    assert [(text.command, text.content, text.complete) for text in capture.texts] == [
        ("show run", "one\n", True),
        ("", "#!/bin/sh\n", True),
    ]
    assert (tmp_path / "leaf1" / "a.sh").stat().st_mode & 0o777 == 0o755


def test_only_what_changed_is_written(tmp_path: Path) -> None:
    assert len(files.write(tmp_path, [LEAF])) == 3
    assert files.write(tmp_path, [LEAF]) == []
    (tmp_path / "leaf1" / "a.cfg").write_text("two\n", encoding="utf-8")
    (tmp_path / "leaf1" / "a.sh").chmod(0o644)
    assert files.write(tmp_path, [LEAF]) == [tmp_path / "leaf1" / "a.cfg", tmp_path / "leaf1" / "a.sh"]
    assert (tmp_path / "leaf1" / "a.cfg").read_text(encoding="utf-8") == "one\n"


def test_check_finds_stale_missing_and_left_over_files(tmp_path: Path) -> None:
    assert {item.kind for item in files.compare(tmp_path, [LEAF], whole=True)} == {"missing"}
    old = DeviceFiles("gone1", "nxos", [Rendered("a.cfg", "x\n", 0o644, "")])
    files.write(tmp_path, [LEAF, old])
    (tmp_path / "notes").mkdir()
    (tmp_path / "leaf1" / "a.cfg").write_text("two\n", encoding="utf-8")
    (tmp_path / "leaf1" / "b.cfg").write_text("", encoding="utf-8")
    found = {(item.file.name, item.kind) for item in files.compare(tmp_path, [LEAF], whole=True)}
    assert found == {("a.cfg", "out of date"), ("b.cfg", "left over"), ("gone1", "left over")}
    found = {(item.file.name, item.kind) for item in files.compare(tmp_path, [LEAF], whole=False)}
    assert found == {("a.cfg", "out of date"), ("b.cfg", "left over")}


def test_check_writes_nothing(tmp_path: Path) -> None:
    files.compare(tmp_path, [LEAF], whole=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "name", ["..", ".", "", "a/b", "/etc", "-rf", ".hidden", "a\nb", "a b", "CON", "nul.x", "x" * 300, "ä"]
)
def test_unsafe_names_are_refused(name: str) -> None:
    with pytest.raises(RenderError, match="cannot be a folder"):
        files.check_names([name])


def test_names_that_only_case_tells_apart_are_refused() -> None:
    files.check_names(["leaf1", "leaf1.pod1", "gpu-01", "R1_a@b+c"])
    with pytest.raises(RenderError, match="Leaf1 and leaf1"):
        files.check_names(["Leaf1", "leaf1"])


def test_a_failure_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files.write(tmp_path, [LEAF])
    newer = DeviceFiles("leaf1", "nxos", [Rendered("a.cfg", "new\n", 0o644, "")])

    def fails(self: Path, target: Path) -> Path:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(Path, "replace", fails)
    with pytest.raises(RenderError, match="No space left"):
        files.write(tmp_path, [newer])
    monkeypatch.undo()
    assert (tmp_path / "leaf1" / "a.cfg").read_text(encoding="utf-8") == "one\n"
    assert sorted(path.name for path in (tmp_path / "leaf1").iterdir()) == ["a.cfg", "a.sh", "capture.json"]


def test_a_file_in_the_way_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "leaf1").write_text("", encoding="utf-8")
    with pytest.raises(RenderError, match="leaf1"):
        files.write(tmp_path, [LEAF])


def test_capture_index_is_deterministic() -> None:
    assert LEAF.texts() == LEAF.texts()
    assert json.loads(LEAF.texts()["capture.json"][0])["source"] == "intended"
