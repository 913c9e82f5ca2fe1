"""`rocecfg init`: all files or none, nothing overwritten, and what it writes is right."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from rocecfg import yamlfile
from rocecfg.errors import UsageError
from rocecfg.intent import starter
from rocecfg.intent.expand import expand
from rocecfg.intent.load import load_intent

if TYPE_CHECKING:
    from pathlib import Path


def test_writes_a_working_project(tmp_path: Path):
    folder = tmp_path / "new" / "pod"
    written = starter.write(folder)
    assert sorted(str(path.relative_to(folder)) for path in written) == [
        ".github/workflows/rocecfg.yaml",
        ".pre-commit-config.yaml",
        "fabric.roce.yaml",
        "rocecfg-intent-1.schema.json",
    ]
    assert len(expand(load_intent(folder / "fabric.roce.yaml")).links) == 32
    hooks = yamlfile.load_path(folder / ".pre-commit-config.yaml").data
    assert hooks["repos"][0]["hooks"][0]["entry"] == "rocecfg lint"
    assert "lint" in yamlfile.load_path(folder / ".github/workflows/rocecfg.yaml").data["jobs"]
    assert json.loads((folder / "rocecfg-intent-1.schema.json").read_text())["title"] == "rocecfg intent, version 1"
    first = (folder / "fabric.roce.yaml").read_text().splitlines()[0]
    assert first == "# yaml-language-server: $schema=./rocecfg-intent-1.schema.json"
    leftovers = [path for path in folder.rglob("*") if path.is_file() and path not in written]
    assert leftovers == []


def test_overwrites_nothing(tmp_path: Path):
    mine = tmp_path / ".pre-commit-config.yaml"
    mine.write_text("mine")
    with pytest.raises(UsageError, match=r"pre-commit-config.yaml: already there, nothing was written"):
        starter.write(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [".pre-commit-config.yaml"]
    assert mine.read_text() == "mine"


def test_a_folder_that_cannot_be_made(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot write"):
        starter.write(tmp_path / "file" / "pod")
