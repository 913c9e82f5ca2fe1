"""What an intent states is in the plan of every system, or the plan says what became of it and why."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from rocecfg.plan.numbers import numbers_of
from rocecfg.state.model import Ecn
from rocecfg.vendor import registry
from tests.laws.intents import auto_intent, planned, rendering

if TYPE_CHECKING:
    from rocecfg.plan.planned import PlannedDevice

SWITCHES = [name for name in rendering() if registry.get(name).manifest.kind == "switch"]
HOSTS = [name for name in rendering() if registry.get(name).manifest.kind == "host"]
STATED = {
    "a ramp": "ecn: {kmin: 210KB, kmax: 830KB, pmax: 17%}",
    "a watchdog": "watchdog: {poll: 100ms, detect: 300ms, restore: 600ms, action: forward}",
    "no watchdog": "watchdog: {enabled: false}",
    "DCBX": "dcbx: ieee",
    "negotiated PFC": "pfc: {mode: dcbx}",
    "alpha": "pfc: {alpha: 1/4}",
    "sizes": "pfc: {headroom: 200KB, xoff_at: 300KB, xon_at: 250KB}",
    "both marks": "trust: both",
    "frames": "mtu: 8100",
    "no marks": "ecn: {enabled: false}",
}
LOSSY = "roce: {dscp: 26, priority: 3, lossless: false}"


def silent(device: PlannedDevice) -> list[str]:
    """The stated leaves that the fitted device has otherwise, and that no change of the plan is about."""
    lost = []
    for port, leaves in device.stated.items():
        wanted, got = numbers_of(device.wanted.ports[port]), numbers_of(device.fitted.ports[port])
        for leaf, (value, _) in wanted.items():
            stated = any(leaf == one or leaf.startswith(f"{one}.") for one in leaves)
            here = device.carried_leaf(port, leaf)
            if not stated or got.get(here, (None, ""))[0] == value:
                continue
            about = [item for item in device.adjustments if not item.object or port in item.object.split(", ")]
            if not any(f"{here}.".startswith(f"{item.field}.") or item.field.startswith(f"{here}.") for item in about):
                lost.append(f"{port} {leaf}: {value} -> {got.get(here)}")
    return lost


@pytest.mark.parametrize("system", SWITCHES)
@pytest.mark.parametrize("what", STATED)
def test_a_stated_value_is_carried_or_the_plan_says_why_not(system: str, what: str) -> None:
    text = auto_intent(system, "100G").replace("devices:\n", f"settings: {{{STATED[what]}}}\ndevices:\n")
    for device in planned(text).devices.values():
        assert not silent(device)


@pytest.mark.parametrize("system", SWITCHES)
def test_what_a_system_does_not_carry_is_told_when_rendering(system: str) -> None:
    """`overruled` is what `render` lists and `--strict` refuses: no stated value may be missing in it."""
    text = auto_intent(system, "100G").replace("devices:\n", f"settings: {{{STATED['a ramp']}}}\ndevices:\n")
    for device in planned(text).devices.values():
        marking = device.fitted.ports[next(iter(device.fitted.ports))].qos
        queue = next(q for q in marking.queues or () if q is not None and q.ecn is not None and q.ecn.curves)
        if queue.ecn.curves[0].probability != 17:  # type: ignore[union-attr]
            assert any(".pmax" in item.field or item.field.endswith(".ecn") for item in device.overruled())


@pytest.mark.parametrize("system", SWITCHES)
def test_roce_without_pfc_is_marked(system: str) -> None:
    """RoCE without PFC lives on its marks alone: a queue that does not mark loses everything to collapse."""
    text = auto_intent(system).replace("roce: {dscp: 26, priority: 3, lossless: true}", LOSSY)
    plan = planned(text)
    assert not plan.refusals()
    for device in plan.devices.values():
        for name, port in device.fitted.ports.items():
            leaf = device.carried_leaf(name, "queues.3.ecn")
            queue = port.qos.queues[int(leaf.split(".")[1])]  # type: ignore[index]
            assert queue is not None
            assert queue.ecn is not None
            assert queue.ecn != Ecn(())
            assert port.qos.pfc is None or not port.qos.pfc.sends()


@pytest.mark.parametrize("system", HOSTS)
def test_the_senders_of_roce_without_pfc_react(system: str) -> None:
    text = auto_intent(system).replace("roce: {dscp: 26, priority: 3, lossless: true}", LOSSY)
    for device in planned(text).devices.values():
        for port in device.wanted.ports.values():
            control = port.nic.congestion_control  # type: ignore[union-attr]
            assert control is not None
            assert control.reacts == control.receives == frozenset({3})


@pytest.mark.parametrize("system", HOSTS)
def test_a_watchdog_that_nobody_wants_is_not_missed(system: str) -> None:
    """A NIC has no PFC watchdog: that is a loss where one is stated, and none where it is to be off."""
    for stated, told in (("watchdog: {enabled: false}", False), ("watchdog: {enabled: true}", True)):
        text = auto_intent(system).replace("devices:\n", f"settings: {{{stated}}}\ndevices:\n")
        for device in planned(text).devices.values():
            assert any(item.field == "watchdog" for item in device.overruled()) is told


def test_the_law_bites() -> None:
    """A plan whose change of the ramp is taken away is caught."""
    text = auto_intent("onyx", "100G").replace("devices:\n", f"settings: {{{STATED['a ramp']}}}\ndevices:\n")
    device = planned(text).devices["one"]
    assert not silent(device)
    kept = tuple(item for item in device.adjustments if ".pmax" not in item.field)
    assert any(".pmax" in line for line in silent(replace(device, adjustments=kept)))
