"""What an intent states is carried, said on stderr, or refused: never lost in silence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from rocecfg.cli.group import rocecfg

if TYPE_CHECKING:
    from pathlib import Path

INTENT = """\
version: 1
fabric: stated
classes:
  roce: {dscp: 26, priority: 3, lossless: true, bandwidth: 60%}
  cnp: {dscp: 48, priority: 6}
settings: {SETTINGS}
devices:
  leaf1: {nos: junos, role: leaf}
  leaf2: {nos: junos, role: leaf}
links:
  - {a: "leaf1:et-0/0/1", b: "leaf2:et-0/0/1", speed: 100G, cable: 5m dac}
"""


def run(tmp_path: Path, text: str, *words: str) -> tuple[int, str, str]:
    file = tmp_path / "stated.roce.yaml"
    file.write_text(text)
    done = CliRunner().invoke(rocecfg, [words[0], str(file), *words[1:]])
    return done.exit_code, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("settings", "leaf"),
    [
        ("ecn: {kmin: 150KB, kmax: 300KB, pmax: 5%}", "queues.3.ecn"),
        ("pfc: {headroom: 99KB}", "priority_groups.3.headroom"),
        ("pfc: {alpha: 1/8}", "priority_groups.3.xoff_at"),
    ],
)
def test_a_stated_value_that_is_not_carried_is_said(tmp_path: Path, settings: str, leaf: str) -> None:
    text = INTENT.replace("SETTINGS", settings)
    code, _, said = run(tmp_path, text, "render", "-o", str(tmp_path / "out"))
    assert code == 0
    assert f"leaf1-2: {leaf}: " in said
    code, _, said = run(tmp_path, text, "render", "-o", str(tmp_path / "strict"), "--strict")
    assert code == 2
    assert leaf in said
    assert not (tmp_path / "strict").exists()


def test_what_is_left_on_auto_is_not_said(tmp_path: Path) -> None:
    code, _, said = run(tmp_path, INTENT.replace("SETTINGS", ""), "render", "-o", str(tmp_path / "out"), "--strict")
    assert code == 0
    assert "stated" not in said


@pytest.mark.parametrize("command", ["validate", "lint"])
def test_an_intent_without_a_plan_is_not_clean(tmp_path: Path, command: str) -> None:
    text = INTENT.replace("SETTINGS", "").replace("60%}", "80%}\n  bulk: {dscp: 10, priority: 1, bandwidth: 50%}")
    code, out, said = run(tmp_path, text, command)
    assert code == 2
    assert "= 130%" in out + said


def test_validate_says_what_a_system_refuses(tmp_path: Path) -> None:
    text = INTENT.replace("SETTINGS", "").replace("et-0/0/1", "swp1")
    code, _, said = run(tmp_path, text, "validate")
    assert code == 2
    assert "swp1" in said


def test_a_class_has_a_name(tmp_path: Path) -> None:
    code, _, said = run(tmp_path, INTENT.replace("SETTINGS", "").replace("  cnp:", '  "r$(x)\\nreboot":'), "validate")
    assert code == 2
    assert "is no class name" in said


def test_a_device_without_a_port_gets_no_empty_file(tmp_path: Path) -> None:
    text = INTENT.replace("SETTINGS", "").replace("links:", "  spare: {nos: eos}\n  gpu1: {nic: mlx5}\nlinks:")
    out = tmp_path / "out"
    code, _, said = run(tmp_path, text, "render", "-o", str(out))
    assert code == 0
    assert "no port of spare, gpu1 is in the intent" in said
    assert sorted(path.name for path in out.iterdir()) == ["leaf1", "leaf2"]
    assert run(tmp_path, text, "drift", str(out))[0] == 0
    assert run(tmp_path, text, "render", "-o", str(out), "--check")[0] == 0
    code, _, said = run(tmp_path, text, "render", "-o", str(tmp_path / "none"), "--device", "spare")
    assert code == 2
    assert "add their `links:`" in said
