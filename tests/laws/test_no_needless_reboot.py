"""What reboots a switch is rendered for those alone who need it: who has nothing lossless never does."""

from __future__ import annotations

import pytest

from rocecfg.remedy.rules import rules_of
from rocecfg.render.engine import render
from rocecfg.vendor import registry
from tests.laws.intents import auto_intent, planned, rendering

SWITCHES = [name for name in rendering() if registry.get(name).manifest.kind == "switch"]


def reboots(system: str, *, lossless: bool) -> list[str]:
    text = auto_intent(system).replace("lossless: true", f"lossless: {str(lossless).lower()}, kind: roce")
    device = planned(text).devices["one"]
    rules = rules_of(registry.get(system).folder)
    assert rules is not None
    lines = [line.strip() for file in render(device.fitted) for line in file.content.splitlines()]
    risks = [(line, rules.risk(line)) for line in lines if not line.startswith(("!", "#"))]
    return [line for line, risk in risks if risk is not None and risk.risk == "reboot"]


@pytest.mark.parametrize("system", SWITCHES)
def test_nothing_lossless_needs_no_reboot(system: str) -> None:
    assert not reboots(system, lossless=False)


def test_some_system_reboots_for_lossless_buffers() -> None:
    assert reboots("dell_sonic", lossless=True) == ["buffer init lossless"]
