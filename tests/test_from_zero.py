"""docs/from-zero-to-accepted.md, tried as a new user would: every command that needs no device."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from rocecfg.cli.group import rocecfg

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "from-zero-to-accepted.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def test_the_page_works_from_the_first_command_to_the_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numpy")
    monkeypatch.chdir(tmp_path)
    answers, intent = blocks("yaml")
    Path("lab.yaml").write_text(answers, encoding="utf-8")
    commands = [shlex.split(line, comments=True) for block in blocks("sh") for line in block.splitlines()]
    assert [words[1] for words in commands] == [
        "advise",
        "validate",
        "plan",
        "simulate",
        "render",
        "lint",
        "trace",
        "accept",
    ]
    for _, command, *words in commands:
        if command == "validate":
            Path("lab.roce.yaml").write_text(intent, encoding="utf-8")
        ran = CliRunner().invoke(rocecfg, [command, *words])
        assert ran.exit_code == 0, (command, ran.output)
        if command == "advise":
            assert "lossless RoCE (PFC and ECN)" in ran.stdout
            assert Path("lab.roce.yaml").is_file()
        if command == "simulate":
            assert "not evaluated:" not in ran.stdout
    for script in re.findall(r"acceptance/run/\S+\.sh", PAGE):
        assert Path(script).is_file()


def test_nothing_is_accepted_before_anything_ran(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("lab.roce.yaml").write_text(blocks("yaml")[1], encoding="utf-8")
    assert CliRunner().invoke(rocecfg, ["accept", "plan", "lab.roce.yaml", "-o", "acceptance"]).exit_code == 0
    ran = CliRunner().invoke(rocecfg, ["accept", "judge", "acceptance"])
    assert (ran.exit_code, "cannot judge" in ran.stdout) == (3, True)
