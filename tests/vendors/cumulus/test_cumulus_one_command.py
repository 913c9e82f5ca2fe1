"""`nv set qos roce mode ...` is offered where it makes just what was planned."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from cumulus_plans import read

from rocecfg.intent.expand import expand
from rocecfg.intent.load import parse_intent
from rocecfg.plan.resolve import plan

if TYPE_CHECKING:
    from rocecfg.plan.planned import PlannedDevice

LOSSLESS = """\
version: 1
fabric: pod1
classes:
  roce: {dscp: [24, 25, 26, 27, 28, 29, 30, 31], priority: 3, lossless: true, bandwidth: 50%}
  cnp: {dscp: [48, 49, 50, 51, 52, 53, 54, 55], priority: 6, strict: true}
  default: {priority: 0, ecn: {kmin: 150KB, kmax: 1500KB, pmax: 100%}}
settings:
  trust: both
  ecn: {kmin: 150KB, kmax: 1500KB, pmax: 100%}
  watchdog: {enabled: false}
devices:
  leaf[1-2]: {nos: cumulus, role: leaf}
links:
  - {a: "leaf1:swp1", b: "leaf2:swp1", speed: 100G, cable: 100m fibre}
"""
LOSSY = LOSSLESS.replace(
    "lossless: true,", "lossless: false, kind: roce, ecn: {kmin: 150KB, kmax: 1500KB, pmax: 100%},"
)


def leaf(text: str) -> PlannedDevice:
    return plan(expand(parse_intent(text, "pod1.roce.yaml"))).devices["leaf1"]


@pytest.mark.parametrize(("text", "mode"), [(LOSSLESS, "lossless"), (LOSSY, "lossy")])
def test_a_plan_that_is_a_mode_says_so(text: str, mode: str) -> None:
    planned = leaf(text)
    assert not [item for item in planned.adjustments if item.kind == "refused"]
    assert planned.one_command == f"nv set qos roce mode {mode}"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("trust: both", "trust: dscp"),
        ("settings:\n", "settings:\n  buffer: {lossless_share: 40%}\n"),
        ("  ecn: {kmin: 150KB", "  ecn: {kmin: 151KB"),
        ("enabled: false", "enabled: true"),
        ("bandwidth: 50%", "bandwidth: 51%"),
        ("[24, 25, 26, 27, 28, 29, 30, 31]", "26"),
        ("100m fibre", "5m dac"),
        ("strict: true", "strict: false"),
    ],
)
def test_a_plan_that_differs_does_not(old: str, new: str) -> None:
    assert old in LOSSLESS
    assert leaf(LOSSLESS.replace(old, new)).one_command == ""


def test_what_the_command_makes_is_what_was_planned() -> None:
    planned = leaf(LOSSLESS)
    made = read(f"{planned.one_command}\nnv set interface swp1 link mtu 9202\n").ports["swp1"].qos
    wanted = planned.fitted.ports["swp1"].qos
    assert replace(made, default_tc=wanted.default_tc, dcbx=wanted.dcbx) == wanted
