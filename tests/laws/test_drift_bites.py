"""A device that was set up for another plan drifts from this one: no setting is out of the auditor's sight."""

from __future__ import annotations

import pytest

from rocecfg.drift.compare import compare
from rocecfg.render.engine import as_capture, render
from rocecfg.state.parse import parse
from rocecfg.vendor import registry
from tests.laws.intents import auto_intent, planned, rendering

ROCE, CNP = "roce: {dscp: 26, priority: 3, lossless: true}", "cnp: {dscp: 48, priority: 6}"
OTHER = {
    "no marks": ("devices:\n", "settings: {ecn: {enabled: false}}\ndevices:\n", "switch"),
    "other marks": ("devices:\n", "settings: {ecn: {kmin: 30KB, kmax: 60KB}}\ndevices:\n", "switch"),
    "another share": (ROCE, ROCE.replace("true", "true, bandwidth: 20%"), ""),
    "a weighted CNP queue": (CNP, CNP.replace("6}", "6, strict: false, bandwidth: 5%}"), ""),
    "another DSCP": (ROCE, ROCE.replace("26", "24"), ""),
    "another priority": (ROCE, ROCE.replace("priority: 3", "priority: 2"), ""),
    "RoCE without PFC": (ROCE, ROCE.replace("true", "false"), ""),
    "other frames": ("devices:\n", "settings: {mtu: 4500}\ndevices:\n", ""),
}


@pytest.mark.parametrize("system", rendering())
@pytest.mark.parametrize("what", OTHER)
def test_what_was_made_for_another_plan_drifts(system: str, what: str) -> None:
    before, after, only = OTHER[what]
    if only and registry.get(system).manifest.kind != only:
        pytest.skip("a host has no such setting")
    text = auto_intent(system, "100G")
    wanted, other = planned(text), planned(text.replace(before, after))
    if other.refusals():
        pytest.skip("this system cannot carry the other plan")
    for name, device in wanted.devices.items():
        files = render(other.devices[name].fitted)
        if [file.content for file in files] == [file.content for file in render(device.fitted)]:
            pytest.skip("this system says both alike")
        found = compare(device, parse(as_capture(other.devices[name].fitted, files)))
        assert found.findings, found.not_evaluated
