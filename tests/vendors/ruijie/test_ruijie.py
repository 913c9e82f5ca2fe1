"""Ruijie RGOS is recognised and refused: by no command a silent "clean", by no plan an invented line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from rocecfg.cli.group import rocecfg
from rocecfg.state.capture import Text
from rocecfg.vendor import registry
from tests.laws.intents import auto_intent, planned

if TYPE_CHECKING:
    from pathlib import Path

RUNNING = """\
Building configuration...
Current configuration : 1890 bytes
!
version S6980_RGOS 12.5(2)B0605
hostname spine9
!
interface HundredGigabitEthernet 0/1
 switchport mode trunk
 priority-flow-control mode on
!
end
"""
SESSION = "Ruijie#configure terminal\nRuijie(config)#interface HundredGigabitEthernet 0/1\n"


@pytest.mark.parametrize("content", [RUNNING, RUNNING.replace("\n", "\r\n"), SESSION])
def test_the_system_is_recognised(content: str) -> None:
    assert registry.detect((Text("a", content),), "a") == "ruijie"


@pytest.mark.parametrize("command", ["lint", "parse"])
def test_its_text_is_never_clean(command: str, tmp_path: Path) -> None:
    path = tmp_path / "spine9.cfg"
    path.write_text(RUNNING)
    ran = CliRunner().invoke(rocecfg, [command, str(path)])
    assert ran.exit_code == 3
    assert "a text of Ruijie RGOS, which is not read" in ran.output


def test_its_plan_is_refused_with_the_reason() -> None:
    result = planned(auto_intent("ruijie"))
    assert {item.device for item in result.refusals()} == {"one", "two"}
    assert all("not public" in item.because for item in result.refusals())


def test_nothing_is_written(tmp_path: Path) -> None:
    intent = tmp_path / "x.roce.yaml"
    intent.write_text(auto_intent("ruijie"))
    ran = CliRunner().invoke(rocecfg, ["render", str(intent), "-o", str(tmp_path / "out")])
    assert ran.exit_code == 2
    assert "nothing is rendered" in ran.output
    assert not (tmp_path / "out").exists()
