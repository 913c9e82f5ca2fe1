"""Law 4: live configuration + remedy = the plan; + undo = the live configuration; foreign lines stay as they are."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rocecfg.drift.compare import compare
from rocecfg.errors import ReadError
from rocecfg.remedy.forms import FORMS
from rocecfg.remedy.make import Remedy, remedy
from rocecfg.remedy.rules import Rules, rules_of
from rocecfg.remedy.text import earlier
from rocecfg.render.engine import render
from rocecfg.state.capture import Capture, Text
from rocecfg.state.parse import parse
from rocecfg.vendor import registry
from tests.laws.broken import KEEP, broken, broken_tables, without
from tests.laws.intents import auto_intent, intents, planned, rendering

if TYPE_CHECKING:
    from rocecfg.plan.planned import PlannedDevice

RESTORE = "undo: restore the saved configuration; its commands do not replay"
QUICK = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))


def rules(system: str) -> Rules:
    found = rules_of(registry.get(system).folder)
    assert found is not None, f"{system} has no remedy.yaml"
    return found


SWITCHES = [
    name for name in rendering() if registry.get(name).manifest.kind == "switch" and rules_of(registry.get(name).folder)
]


def live_text(system: str, device: PlannedDevice) -> str:
    """A rendered device as its own configuration would say it, in the spelling remedies are made for."""
    from rocecfg.packs import load_module

    text = render(device.fitted)[0].content
    hook = registry.get(system).folder / "remedy.py"
    change = getattr(load_module(hook), "normalised", None) if hook.is_file() else None
    return text if change is None else change(text)


def capture_of(device: PlannedDevice, text: str) -> Capture:
    output = registry.get(device.fitted.nos).manifest.render[0]
    return Capture(device.name, device.fitted.nos, (Text("live", text, output.command, complete=True),), file="live")


def after(system: str, text: str, commands: tuple[str, ...]) -> str:
    """The text after commands, replayed on its tree."""
    form, said = FORMS[rules(system).form], rules(system)
    have = form.settings(text, said)
    return form.changed(text, said, form.replayed(have, list(commands), said))


def kept(system: str, text: str) -> dict[tuple[str, ...], str]:
    """The settings of a text without what stands before another line of the same key."""
    found = FORMS[rules(system).form].settings(text, rules(system))
    twins = earlier(found, rules(system)) if rules(system).form != "patch" else set()
    return {path: line for path, line in found.items() if path not in twins}


def stands_twice(system: str, text: str) -> bool:
    """Whether two lines beside each other have one key and say different things."""
    return kept(system, text) != FORMS[rules(system).form].settings(text, rules(system))


def no_way_back(system: str, device: PlannedDevice, text: str) -> bool:
    """Whether a line stands there that the plan has not, and that no known command takes back."""
    planned_lines = kept(system, live_text(system, device)).values()
    return any(
        line not in planned_lines and rules(system).negated(line) is None for line in kept(system, text).values()
    )


def proved(system: str, device: PlannedDevice, text: str) -> Remedy | None:
    """Check the law on one live text; None where the text cannot be read."""
    capture = capture_of(device, text)
    try:
        live = parse(capture)
    except ReadError:
        return None
    found = remedy(device, live, capture)
    if not compare(device, live).findings:
        assert not found
        return found
    told = "\n".join((*found.commands, *found.by_hand))
    if not found.commands and stands_twice(system, text):
        return None  # of two lines of one key nobody says which the device would keep: all is by hand
    if not found.commands and no_way_back(system, device, text):
        assert found.by_hand
        return found
    assert found.commands, told
    cured = after(system, text, found.commands)
    left = compare(device, parse(replace(capture, texts=(replace(capture.texts[0], content=cured),)))).findings
    if left and no_way_back(system, device, text):
        assert len(found.by_hand) >= len(left), told
        return found
    if left and all(any(item.message in line for line in found.by_hand) for item in left):
        return found  # what no command of the system can do is said, leaf by leaf
    if left and stands_twice(system, text):
        return None  # the line before stands again in the text; a device has one of the two
    assert not left, f"{told}\n{left}"
    staying = [line for line in found.by_hand if line.startswith("undo: no documented command takes")]
    restored = [line for line in found.by_hand if line == RESTORE]
    if restored:
        assert stands_twice(system, text), told
    assert list(found.by_hand) == staying + restored, told
    assert cured.count(KEEP) == text.count(KEEP), told
    assert found.undo or staying or restored, told
    if not staying and not restored:
        assert kept(system, after(system, cured, found.undo)) == kept(system, text), found.undo
    assert not any(KEEP in line for line in (*found.commands, *found.undo)), told
    assert remedy(device, live, capture).files == found.files
    return found


@pytest.mark.parametrize("system", SWITCHES)
@QUICK
@given(data=st.data())
def test_4_live_plus_remedy_is_the_plan(system: str, data: st.DataObject) -> None:
    device = planned(data.draw(intents(system))).devices["one"]
    if any(item.kind == "refused" for item in device.adjustments):
        return
    text = live_text(system, device)
    mutated = broken_tables(text) if rules(system).form == "patch" else broken(text, system)
    proved(system, device, data.draw(mutated))


@pytest.mark.parametrize("system", SWITCHES)
def test_4_a_missing_line_comes_back(system: str) -> None:
    """Every single rendered line, left out once."""
    device = planned(auto_intent(system)).devices["one"]
    text = live_text(system, device)
    if rules(system).form == "patch":
        pytest.skip("no lines")
    lines = text.split("\n")
    made = 0
    for at in range(0, len(lines), max(len(lines) // 40, 1)):
        if lines[at].strip():
            made += bool(proved(system, device, without(lines, at)))
    assert made


@pytest.mark.parametrize("system", SWITCHES)
def test_4_without_drift_there_is_nothing_to_do(system: str) -> None:
    device = planned(auto_intent(system)).devices["one"]
    capture = capture_of(device, live_text(system, device))
    assert remedy(device, parse(capture), capture) == Remedy("one")


_HOSTS = [name for name in rendering() if registry.get(name).manifest.kind == "host"]


@pytest.mark.parametrize("system", _HOSTS)
@QUICK
@given(data=st.data())
def test_4_a_host_gets_its_script_and_the_script_of_what_was_there(system: str, data: st.DataObject) -> None:
    """A host is drifted by another plan: its script must read as the plan, and the undo as what was there."""
    device = planned(data.draw(intents(system))).devices["one"]
    other = planned(data.draw(intents(system))).devices["one"]
    if any(item.kind == "refused" for item in (*device.adjustments, *other.adjustments)):
        return
    capture = capture_of(device, render(other.fitted)[0].content)
    live = parse(capture)
    found = remedy(device, live, capture)
    if not compare(device, live).findings:
        assert not found
        return
    assert not compare(device, parse(capture_of(device, "\n".join((*found.commands, ""))))).findings
    assert not found.by_hand
    back = parse(capture_of(device, "\n".join((*found.undo, ""))))
    assert back == live


@pytest.mark.parametrize("system", _HOSTS)
def test_4_a_host_without_drift_gets_nothing(system: str) -> None:
    device = planned(auto_intent(system)).devices["one"]
    capture = capture_of(device, render(device.fitted)[0].content)
    assert remedy(device, parse(capture), capture) == Remedy("one")


def test_4_a_second_line_that_counts_is_taken_back() -> None:
    """Two codes of one traffic class, one of them of another class by the plan: found by chance, kept."""
    device = planned(auto_intent("dell_os10")).devices["one"]
    text = live_text("dell_os10", device)
    (line,) = [each for each in text.split("\n") if re.fullmatch(r" qos-group 6 dscp \d+", each)]
    found = proved("dell_os10", device, text.replace(line, f" qos-group 6 dscp 26\n{line}"))
    assert found is not None
    assert found.commands == ("trust dscp-map ROCE-DSCP", " no qos-group 6 dscp 26", " exit")
