"""A plan of a fabric to a plan of its acceptance: who takes part, in which stages.

made = make(load_plan(intent), Wishes())
made.acceptance.stages[0].steps[0].why
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rocecfg.acceptance import participants
from rocecfg.acceptance.model import STAGES, Acceptance, Stage
from rocecfg.acceptance.steps import Maker, Traffic, Wishes
from rocecfg.errors import PlanError

if TYPE_CHECKING:
    from collections.abc import Container

    from rocecfg.plan.planned import Plan

__all__ = ["Made", "Wishes", "make"]


@dataclass(slots=True)
class Made:
    """The plan, and what a reader has to know about what is not in it."""

    acceptance: Acceptance
    remarks: list[str] = field(default_factory=list)


def make(plan: Plan, wishes: Wishes) -> Made:
    """Return the acceptance plan of a fabric's plan.

    Raises PlanError where there is nothing to test: no RoCE class with a DSCP, fewer than two hosts on leaves, names
    that no script can carry.
    """
    remarks: list[str] = []
    classes = participants.classes(plan)
    traffic = _traffic(plan, classes)
    hosts, cards = participants.hosts(plan, remarks)
    if len(hosts) < 2:
        raise PlanError(
            "an acceptance needs two hosts that the intent cables to switches"
            + "".join(f"; {remark}" for remark in remarks)
        )
    stages: list[Stage] = []
    before: set[str] = set()
    for name, chosen in zip(STAGES, participants.of_stages(cards), strict=True):
        if len(chosen) > len(before):
            own = [card for card in cards if card.host in chosen]
            stages.append(Stage(name=name, steps=Maker(name, traffic, wishes).steps(own)))
        else:
            remarks.append(f"stage {name} has no more hosts than the one before: left out")
        before = chosen
    if plan.tiers > 2:
        remarks.append("more than two tiers of switches: flows of a round may still meet above the spines")
    switches = {name: device.fitted.nos for name, device in plan.devices.items() if device.fitted.kind == "switch"}
    participants.refuse_unsafe(*switches)
    return Made(Acceptance(intent=plan.name, classes=classes, hosts=hosts, stages=stages, switches=switches), remarks)


def _traffic(plan: Plan, marked: Container[str]) -> Traffic:
    """Return which of the classes with a mark the flows travel in. Raises PlanError when none is of kind roce."""
    kinds = {item.of.name: item.of.kind for item in plan.classes if item.of.name in marked}
    roce = next((name for name, kind in kinds.items() if kind == "roce"), None)
    if roce is None:
        raise PlanError("no class of kind roce has a DSCP: there is no mark that a test could send")
    lossy = next((name for name, kind in kinds.items() if kind == "default"), None)
    return Traffic(roce, lossy, tuple(name for name, kind in kinds.items() if kind not in {"cnp", "control"}))
