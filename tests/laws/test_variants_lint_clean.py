"""Law 2 for more than the plainest intent: other classes, other goals, every rule of the strictest profile."""

from __future__ import annotations

import pytest

from rocecfg.findings import Severity
from rocecfg.lint.config import Settings
from rocecfg.lint.run import lint
from rocecfg.render.engine import as_capture, render
from rocecfg.state.parse import parse
from rocecfg.vendor import registry
from tests.laws.intents import auto_intent, planned, port_names, rendering

FAMILIES = ("PFC", "QMAP", "ECN", "SCH", "WD")
VARIANTS = {
    "a control class": ("  control: {dscp: 56, priority: 7, strict: true}", ""),
    "a control class beside the default": ("  control: {dscp: 56, priority: 0, strict: true}", ""),
    "asymmetric PFC": ("", "settings: {asymmetric_pfc: true}"),
    "two lossless classes": ("  storage: {dscp: 34, priority: 4, lossless: true}", ""),
    "a class of bulk traffic": ("  bulk: {dscp: 10, priority: 1, bandwidth: 20%}", ""),
    "an incast and a fan-out": ("", "settings: {design_incast: 16, design_fanout: 8}"),
    "short queues": ("", "settings: {ecn: {profile: latency}}"),
    "a slow watchdog": ("", "settings: {watchdog: {detect: 400ms}}"),
}


@pytest.mark.parametrize("system", rendering())
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("speed", ["25G", "400G"])
def test_what_we_render_lints_clean(system: str, variant: str, speed: str) -> None:
    classes, settings = VARIANTS[variant]
    text = auto_intent(system, speed).replace("devices:\n", f"{classes}\n{settings}\ndevices:\n")
    plan = planned(text)
    if plan.refusals():
        pytest.skip("this system cannot carry the variant")
    devices = [parse(as_capture(device.fitted, render(device.fitted))) for device in plan.devices.values()]
    found = lint(devices, intent=plan.fabric, settings=Settings(select=FAMILIES)).findings
    # A watchdog may watch fewer priorities than an asymmetric port obeys; which, is said and true.
    told = {"WD-001"} if variant == "asymmetric PFC" else set()
    worse = [item for item in found if item.severity >= Severity.WARNING and item.rule not in told]
    assert not worse, "\n".join(f"{item.rule} {item.object}: {item.message}" for item in worse)


HOSTED = {
    "hosts that mark by priority": ("windows_dcb", ""),
    "trust: pcp": ("mlx5", "trust: pcp"),
    "fixed thresholds": ("mlx5", "pfc: {xoff_at: 600KB, xon_at: 500KB}"),
    "PFC off": ("mlx5", "pfc: {mode: off}"),
    "short queues that resume late": ("mlx5", "pfc: {xon_below: 20KB}, ecn: {profile: latency}"),
}


@pytest.mark.parametrize("system", [name for name in rendering() if registry.get(name).manifest.kind == "switch"])
@pytest.mark.parametrize("variant", HOSTED)
def test_a_switch_with_its_hosts_lints_clean(system: str, variant: str) -> None:
    """By every rule, those over whole ways among them; where the system cannot carry the variant it says so."""
    nic, settings = HOSTED[variant]
    first, second = port_names(system)[:2]
    plan = planned(
        f"""\
version: 1
fabric: law
classes:
  roce: {{dscp: 26, priority: 3, lossless: true}}
  cnp: {{dscp: 48, priority: 6, strict: true}}
settings: {{{settings}}}
devices:
  leaf1: {{nos: {system}, role: leaf}}
  gpu[1-2]: {{nic: {nic}, role: host}}
links:
  - {{a: "leaf1:{first}", b: "gpu1:rail0", speed: 100G, cable: 3m dac}}
  - {{a: "leaf1:{second}", b: "gpu2:rail0", speed: 100G, cable: 3m dac}}
"""
    )
    if plan.refusals():
        pytest.skip("this system cannot carry the variant")
    devices = [parse(as_capture(device.fitted, render(device.fitted))) for device in plan.devices.values()]
    found = lint(devices, intent=plan.fabric).findings
    worse = [item for item in found if item.severity >= Severity.WARNING]
    # Without PFC a class that is called lossless is not: the intent is wrong, what was made of it is not.
    told = {"INT-011"} if variant == "PFC off" else set()
    assert {item.rule for item in worse} == told, "\n".join(
        f"{item.rule} {item.object}: {item.message}" for item in worse
    )
