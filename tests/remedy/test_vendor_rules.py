"""What the vendors' `remedy.yaml` files say holds together, for every system that renders."""

from __future__ import annotations

import pytest

from rocecfg.remedy.make import config_text
from rocecfg.remedy.rules import RISKS, rules_of
from rocecfg.remedy.text import scan
from rocecfg.render.engine import render
from rocecfg.state.capture import Capture, Text
from rocecfg.vendor import registry
from tests.laws.intents import auto_intent, planned, rendering
from tests.laws.test_remedy import SWITCHES, live_text, proved, rules


@pytest.mark.parametrize("system", rendering())
def test_every_system_says_how_it_goes_back(system: str) -> None:
    said = rules_of(registry.get(system).folder)
    assert said is not None
    assert said.apply
    assert said.check
    assert all(risk.risk in RISKS and len(risk.source) > 10 for risk in said.risks)


@pytest.mark.parametrize("system", SWITCHES)
def test_checks_are_commands_that_pull_may_send(system: str) -> None:
    sent = {command.send for command in registry.get(system).manifest.commands}
    assert set(rules(system).check) <= sent


@pytest.mark.parametrize("system", [name for name in SWITCHES if rules(name).form != "patch"])
def test_no_two_rendered_lines_take_each_others_place(system: str) -> None:
    """Two lines with one identity would lose one of them."""
    found: dict[tuple[str, ...], str] = {}
    for _, _, path, line in scan(live_text(system, planned(auto_intent(system)).devices["one"]), rules(system)):
        assert found.setdefault(path, line) == line
        found[path] = line


@pytest.mark.parametrize("system", SWITCHES)
def test_the_configuration_is_found_among_the_texts_that_pull_stores(system: str) -> None:
    device = planned(auto_intent(system)).devices["one"]
    content = render(device.fitted)[0].content
    texts = tuple(
        Text(f"{at}.txt", content if at == 0 else "Interface  Counters", command.send, complete=True)
        for at, command in enumerate(registry.get(system).manifest.commands)
    )
    assert content in config_text(Capture("one", system, texts), system).content


def test_without_a_configuration_there_are_no_commands() -> None:
    capture = Capture("one", "nxos", (Text("a", "x", "show interface"), Text("b", "x", "show queuing interface")))
    with pytest.raises(ValueError, match="no configuration text"):
        config_text(capture, "nxos")


@pytest.mark.parametrize("system", ["dell_sonic", "aruba_cx"])
def test_one_more_pfc_priority_on_a_port_is_taken_back(system: str) -> None:
    """Names of ports hold a slash, as the path of a line does between its parts."""
    device = planned(auto_intent(system)).devices["one"]
    line = {"dell_sonic": " priority-flow-control priority 3", "aruba_cx": "    flow-control priority rxtx 3"}[system]
    text = live_text(system, device).replace(line, f"{line}\n{line[:-1]}4", 1)
    found = proved(system, device, text)
    assert found is not None
    assert any(each.strip() == f"no {line.strip()[:-1]}4" for each in found.commands)
