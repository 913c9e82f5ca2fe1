"""Streams, colour, signals and broken pipes, in processes of their own where the process matters."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rocecfg.cli import terminal

PACK = str(Path(__file__).with_name("pack"))
ROOT = Path(__file__).resolve().parents[2]


def _process(*arguments: str, **options: object) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)} | options.pop("env", {})  # type: ignore[operator]
    environment.pop("ROCECFG_TRACEBACK", None)
    command = [sys.executable, "-m", "rocecfg", *arguments]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, env=environment, **{**pipes, **options})  # type: ignore[call-overload]


def test_reader_that_leaves_is_no_error() -> None:
    process = _process("schema")
    process.stdout.close()
    err = process.stderr.read()
    assert process.wait(20) == 141
    assert err == b""
    process.stdin.close()
    process.stderr.close()


def test_interrupt_ends_with_130() -> None:
    process = _process("parse", "-", "--pack", PACK)  # waits for stdin
    for _ in range(50):
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.3)
            break
        process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (130, b"")
    assert b"interrupted" in err
    assert b"Traceback" not in err


def test_internal_error_is_one_line_and_asks_for_a_report(cli, monkeypatch: pytest.MonkeyPatch) -> None:
    from rocecfg.vendor import registry

    def broken() -> list[str]:
        raise ZeroDivisionError

    monkeypatch.setattr(registry, "names", broken)
    ran = cli("vendors")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("rocecfg: internal error: ZeroDivisionError (rocecfg ")
    assert ran.err.count("\n") == 1
    monkeypatch.setenv("ROCECFG_TRACEBACK", "1")
    from click.testing import CliRunner

    from rocecfg.cli.group import rocecfg

    assert isinstance(CliRunner().invoke(rocecfg, ["vendors"]).exception, ZeroDivisionError)


class _Terminal:
    def isatty(self) -> bool:
        return True


class _File:
    def isatty(self) -> bool:
        return False


@pytest.mark.parametrize(
    ("environment", "on_terminal", "in_file"),
    [
        ({}, True, False),
        ({"NO_COLOR": "1"}, False, False),
        ({"NO_COLOR": ""}, True, False),
        ({"FORCE_COLOR": "1"}, True, True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False, False),
        ({"TERM": "dumb"}, False, False),
    ],
)
def test_colour_follows_the_environment(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], on_terminal: bool, in_file: bool
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert terminal.coloured(_Terminal()) is on_terminal  # type: ignore[arg-type]
    assert terminal.coloured(_File()) is in_file  # type: ignore[arg-type]


def test_color_option_decides(cli, fabric: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    plain = cli("lint", "out", "--select", "TOY").out
    painted = cli("lint", "out", "--select", "TOY", "--color", "always").out
    assert "\x1b[" not in plain
    assert "\x1b[33;1mwarning\x1b[0m TOY-001" in painted
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert cli("lint", "out", "--select", "TOY", "--color", "never").out == plain


def test_text_that_the_encoding_lacks_is_escaped(tmp_path: Path) -> None:
    text = tmp_path / "a.toy"
    text.write_text('{"toyos": {"name": "a", "nos": "toyos", "unknown": ["\u20ac"]}}', encoding="utf-8")
    process = _process("parse", str(text), "--pack", PACK, env={"PYTHONIOENCODING": "ascii"})
    out, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (0, b"")
    assert b"\\u20ac" in out


def test_a_failed_command_leaves_no_output_file(cli, fabric: Path) -> None:
    assert cli("parse", "gone.toy", "-o", "result.txt").code == 3
    (fabric / "kept.txt").write_text("before", encoding="utf-8")
    assert cli("plan", "gone.roce.yaml", "-o", "kept.txt").code == 2
    assert (fabric / "kept.txt").read_text(encoding="utf-8") == "before"


def test_progress_is_silent_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    progress = terminal.Progress("read", 1000)
    for _ in range(1000):
        progress.step()
    assert capsys.readouterr().err == ""


def test_progress_counts_on_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    progress = terminal.Progress("read", 300)
    for _ in range(300):
        progress.step()
    assert capsys.readouterr().err.endswith("read 300/300\n")
