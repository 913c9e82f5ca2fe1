"""Law 2 for stated values: what is rendered of them lints without a fault of a rule, and clean where it is carried."""

from __future__ import annotations

import pytest

from rocecfg.findings import Severity
from rocecfg.lint.run import lint
from rocecfg.render.engine import as_capture, render
from rocecfg.state.parse import parse
from tests.laws.intents import auto_intent, planned, rendering
from tests.laws.test_nothing_is_silent import HOSTS, STATED

RIGHTLY = {"a watchdog": {"WD-008"}, "negotiated PFC": {"PFC-005"}, "no watchdog": {"WD-001"}, "no marks": {"ECN-002"}}
"""What rules rightly find although it is stated and carried."""


@pytest.mark.parametrize("system", rendering())
@pytest.mark.parametrize("what", STATED)
def test_what_is_stated_is_judged_by_every_rule(system: str, what: str) -> None:
    text = auto_intent(system).replace("devices:\n", f"settings: {{{STATED[what]}}}\ndevices:\n")
    plan = planned(text)
    if plan.refusals():
        pytest.skip("this system cannot carry it and says so")
    devices = [parse(as_capture(device.fitted, render(device.fitted))) for device in plan.devices.values()]
    findings = lint(devices, intent=plan.fabric).findings
    assert not [item for item in findings if item.rule.startswith("RUN-")]
    if not any(device.overruled() for device in plan.devices.values()):
        rightly = RIGHTLY.get(what, set())
        worse = [item for item in findings if item.severity >= Severity.WARNING and item.rule not in rightly]
        assert not worse, "\n".join(f"{item.rule} {item.object}: {item.message}" for item in worse)


@pytest.mark.parametrize("system", rendering())
@pytest.mark.parametrize("lossless", ["true", "false, kind: roce"])
def test_a_class_that_shall_not_mark_is_not_dropped_from(system: str, lossless: str) -> None:
    """A table that marks one queue must not drop in its lossless neighbour, whose marks the intent turned off."""
    quiet = f"  store: {{dscp: 18, priority: 2, lossless: {lossless}, ecn: false}}\n"
    plan = planned(auto_intent(system).replace("devices:\n", f"{quiet}devices:\n"))
    if plan.refusals():
        pytest.skip("this system cannot carry it and says so")
    devices = [parse(as_capture(device.fitted, render(device.fitted))) for device in plan.devices.values()]
    found = {item.rule for item in lint(devices, intent=plan.fabric).findings if item.severity >= Severity.WARNING}
    assert found <= {"ECN-002"}


@pytest.mark.parametrize("system", rendering())
@pytest.mark.parametrize("mtu", [1500, 4200, 8100, 9000, 9100])
def test_a_stated_mtu_is_given_as_it_is(system: str, mtu: int) -> None:
    """A user who writes 9000 finds 9000 in the configuration, whatever the system counts; only its range is kept."""
    text = auto_intent(system).replace("devices:\n", f"settings: {{mtu: {mtu}}}\ndevices:\n")
    for device in planned(text).devices.values():
        for port in device.fitted.ports.values():
            least = {"h3c": 1536, "huawei": 1518}.get(system, 0)
            assert port.mtu in {max(mtu, least), None if system in HOSTS else mtu}


def test_300000_bytes_are_300_kb() -> None:
    """What a system writes in another unit is carried, though the line that says so is about all ports."""
    text = auto_intent("dell_os10").replace("devices:\n", "settings: {pfc: {headroom: 300KB}}\ndevices:\n")
    text = text.replace('two:ethernet1/1/2", speed: 100G, cable: 5m', 'two:ethernet1/1/2", speed: 100G, cable: 400m')
    for device in planned(text).devices.values():
        assert not [item for item in device.overruled() if item.field.endswith("headroom")]


@pytest.mark.parametrize(
    ("system", "stated", "leaf", "told"),
    [
        ("srlinux", "watchdog: {detect: 1000ms, restore: 3s}", "watchdog.restore", True),
        ("srlinux", "watchdog: {detect: 1000ms, restore: 1500ms}", "watchdog.restore", False),
        ("dell_os10", "pfc: {alpha: 1/4}", "priority_groups.3.xoff_at", True),
        ("nxos", "ecn: {kmin: 210100B, kmax: 830KB}", "queues.3.ecn.kmin", False),
    ],
)
def test_a_value_far_from_the_stated_one_is_told_and_rounding_is_not(
    system: str, stated: str, leaf: str, *, told: bool
) -> None:
    text = auto_intent(system).replace("devices:\n", f"settings: {{{stated}}}\ndevices:\n")
    for device in planned(text).devices.values():
        assert any(item.field == leaf for item in device.overruled()) is told


def test_a_word_of_the_platform_is_no_stated_value() -> None:
    """What the plan leaves open and the system chooses overrules nobody."""
    text = auto_intent("eos").replace("eos, role", "eos, model: DCS-7050CX3-32S, role")
    text = text.replace("devices:\n", "settings: {ecn: {kmin: 210KB, kmax: 830KB}}\ndevices:\n")
    for device in planned(text).devices.values():
        assert any(item.kind == "chosen" for item in device.adjustments)
        assert not [item for item in device.overruled() if item.kind == "chosen"]


@pytest.mark.parametrize(("model", "refused"), [("CE6866-48S8CQ-P", True), ("CE6885-48YS8CQ", False)])
def test_a_huawei_that_keeps_half_a_megabyte_refuses_a_lossless_queue_without_marks(
    model: str, *, refused: bool
) -> None:
    """`qos ecn enable` of family B holds for the device: an unmarked queue drops ECN-capable packets above 0.5 MB."""
    quiet = "  store: {dscp: 18, priority: 2, lossless: true, ecn: false}\n"
    text = auto_intent("huawei").replace("devices:\n", f"{quiet}devices:\n")
    plan = planned(text.replace("huawei, role", f"huawei, model: {model}, role"))
    assert any(item.field == "queues.2.ecn" for item in plan.refusals()) is refused
