"""Traffic classes as a device sees them: class, queue, priority group, scheduling; the same on every device."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from rocecfg.errors import PlanError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from rocecfg.intent.fabric import FabricClass

_STRICT_KINDS = frozenset({"cnp", "control"})
LOSSLESS_SHARE = 50
"""Percent of the weighted bandwidth for lossless traffic where nobody says (NVIDIA's RoCE default: 50, rest 50)."""


@dataclass(frozen=True, slots=True)
class PlannedClass:
    """One class with its numbers. `why` = leaf ("queue", "weight", ...) -> sentence."""

    of: FabricClass
    tc: int
    queue: int
    group: int
    strict: bool
    rank: int | None
    weight: Fraction | None
    why: Mapping[str, str]

    @property
    def stated_at(self) -> str:
        """File and line of the class."""
        return self.of.stated_at


def plan_classes(classes: Iterable[FabricClass]) -> tuple[PlannedClass, ...]:
    """Return the classes with their numbers, in priority order.

    Raises PlanError where two classes contradict each other: one priority, queue or group lossless and lossy, or
    bandwidths that do not add up.
    """
    ordered = sorted(classes, key=lambda item: (item.priority, item.name))
    strict = {item.name: item.kind in _STRICT_KINDS if item.strict is None else item.strict for item in ordered}
    ranks = {
        item.name: rank
        for rank, item in enumerate(sorted((c for c in ordered if strict[c.name]), key=lambda c: -c.priority), 1)
    }
    weights = _weights([item for item in ordered if not strict[item.name]])
    lossy_group = _lossy_group(ordered)
    planned = tuple(_number(item, strict, ranks, weights, lossy_group) for item in ordered)
    _refuse_mixtures(planned)
    return planned


def _number(
    item: FabricClass,
    strict: Mapping[str, bool],
    ranks: Mapping[str, int],
    weights: Mapping[str, tuple[Fraction, str]],
    lossy_group: int,
) -> PlannedClass:
    tc = item.priority if item.traffic_class is None else item.traffic_class
    queue = min(tc, 7) if item.queue is None else item.queue
    group = (item.priority if item.lossless else lossy_group) if item.priority_group is None else item.priority_group
    weight, why_weight = weights.get(item.name, (None, ""))
    same = "the number of its priority, so that all maps agree"
    why = {
        "tc": _stated(item, "traffic_class") if item.traffic_class is not None else same,
        "queue": _stated(item, "queue") if item.queue is not None else same,
        "group": _stated(item, "priority_group")
        if item.priority_group is not None
        else "one priority group for each lossless priority"
        if item.lossless
        else "all lossy classes share one group",
        "scheduler": _stated(item, "strict")
        if item.strict is not None
        else "feedback and control must not wait behind data"
        if strict[item.name]
        else "a strict data queue would starve the others",
        "weight": why_weight,
    }
    return PlannedClass(item, tc, queue, group, strict[item.name], ranks.get(item.name), weight, why)


def _stated(item: FabricClass, key: str) -> str:
    """Return who states a key of a class: the preset, or the intent itself."""
    return item.origins.get(key) or f"class {item.name} of the intent"


def _lossy_group(classes: Iterable[FabricClass]) -> int:
    """Return the group of lossy traffic: 0, or the highest number that no lossless class uses."""
    taken = {c.priority if c.priority_group is None else c.priority_group for c in classes if c.lossless}
    return next(group for group in (0, 7, 6, 5, 4, 3, 2, 1, 0) if group not in taken or len(taken) > 7)


def _weights(classes: list[FabricClass]) -> dict[str, tuple[Fraction, str]]:
    """Return percent and reason of each weighted class; the sum is 100."""
    stated = {item.name: Fraction(item.bandwidth) for item in classes if item.bandwidth is not None}
    total = sum(stated.values(), Fraction(0))
    free = [item for item in classes if item.bandwidth is None]
    left = 100 - total
    if left < 0 or (left == 0 and free) or (left > 0 and not free and classes):
        shown = " + ".join(f"{name} {float(share):g}%" for name, share in stated.items())
        need = "leave something for " + ", ".join(item.name for item in free) if free else "add up to 100%"
        raise PlanError(f"the bandwidths of the weighted classes must {need}: {shown} = {float(total):g}%")
    weights = {item.name: (stated[item.name], _stated(item, "bandwidth")) for item in classes if item.name in stated}
    lossless, lossy = [c for c in free if c.lossless], [c for c in free if not c.lossless]
    part = left * LOSSLESS_SHARE / 100 if lossless and lossy else left
    for group, share in ((lossless, part), (lossy, left - part if lossless else left)):
        for item in group:
            word = "lossless" if item.lossless else "lossy"
            why = f"{float(share):g}% for the {word} classes without a stated bandwidth"
            weights[item.name] = (share / len(group), why)
    return weights


def _refuse_mixtures(classes: Iterable[PlannedClass]) -> None:
    for leaf, number in (("priority", "priority"), ("queue", "queue"), ("priority group", "group")):
        seen: dict[int, PlannedClass] = {}
        for item in classes:
            value = item.of.priority if number == "priority" else getattr(item, number)
            other = seen.setdefault(value, item)
            if other.of.lossless != item.of.lossless:
                raise PlanError(
                    f"{leaf} {value} is used by {other.of.name} ({_word(other)}, {other.stated_at}) and"
                    f" {item.of.name} ({_word(item)}, {item.stated_at}): a pause would stop both; renumber one"
                )


def class_of_codes(
    classes: Iterable[PlannedClass], codes: Callable[[PlannedClass], Iterable[int]], word: str
) -> dict[int, int]:
    """Return the traffic class of each code point (`word`: DSCP, PCP). Raises PlanError for one that leads to two."""
    found: dict[int, PlannedClass] = {}
    for item in classes:
        for code in codes(item):
            other = found.setdefault(code, item)
            if other.tc != item.tc:
                raise PlanError(
                    f"{word} {code} leads to {other.of.name} ({other.stated_at}) and to {item.of.name}"
                    f" ({item.stated_at}): a packet has one class; leave it to one of them"
                )
    return {code: item.tc for code, item in found.items()}


def _word(item: PlannedClass) -> str:
    return "lossless" if item.of.lossless else "lossy"
