"""Makes a draft say what runs: plans it, compares with the live devices, and states what differs, until nothing helps.

What the planner works out by itself is left out of the file; only where the live devices have it otherwise is a number
stated. So the file stays short, and what it still does not reproduce is known and counted.
"""

from __future__ import annotations

import re
from collections import Counter
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from rocecfg.discover.classes import SHARES
from rocecfg.discover.draft import place
from rocecfg.discover.knobs import KNOBS, TRUST, Both, Knob
from rocecfg.discover.names import patterns_of
from rocecfg.discover.text import write
from rocecfg.errors import RocecfgError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.discover.classes import Classes
    from rocecfg.discover.draft import Draft
    from rocecfg.findings import Finding, NotEvaluated
    from rocecfg.plan.planned import Plan
    from rocecfg.state.model import Curve, Device, Queue

_NUMBERS = re.compile(r"dscp_to_tc|pcp_to_tc|default_tc|tc_to|priority_to|pfc\.|queues\.\d+$|priority_groups\.\d+$")
_OF_SHARES = re.compile(r"queues\.\d+\.(weight|scheduler|guarantee)")
_MOST_LINES = 40
_ROUNDS = 3
_STEPS = 4


class Trial(NamedTuple):
    """What became of a draft: its drift against the live devices, or why it does not plan."""

    findings: list[Finding]
    not_evaluated: list[NotEvaluated]
    problem: str = ""
    plan: Plan | None = None
    weights: Mapping[str, int] = MappingProxyType({})
    """How many devices a device stands for, where that is more than itself."""

    @property
    def cost(self) -> int:
        """Leaves of ports that are not reproduced."""
        return sum(max(len(item.ports), 1) * self.weights.get(item.device, 1) for item in self.findings)


def compared(draft: Draft, live: Mapping[str, Device], weights: Mapping[str, int] | None = None) -> Trial:
    """Plan a draft and compare live devices with it: all, or those of `weights`, which stand for their likes."""
    from rocecfg.drift.compare import compare
    from rocecfg.intent.expand import expand
    from rocecfg.intent.load import parse_intent
    from rocecfg.plan.resolve import plan

    try:
        made = plan(expand(parse_intent(write(draft), "the new file")), only=weights)
    except RocecfgError as error:
        return Trial([], [], str(error), weights=weights or {})
    findings: list[Finding] = []
    missing: list[NotEvaluated] = []
    for name, device in live.items():
        if name in made.devices and (weights is None or name in weights):
            found = compare(made.devices[name], device)
            findings += found.findings
            missing += found.not_evaluated
    return Trial(findings, missing, plan=made, weights=weights or {})


def settle(draft: Draft, classes: Classes, live: Mapping[str, Device]) -> Trial:
    """State in a draft what the planner would do otherwise than the live devices; return what is left."""
    likes = alike(draft, live)
    _state(draft, TRUST, live, likes)
    if set(draft.settings.values()) == {"dscp"} and not draft.roles and not draft.kin:
        draft.settings.clear()
    draft.classes = classes.lines()
    best = compared(draft, live, likes)
    numbers = False
    if best.problem or any(_NUMBERS.search(item.leaf) for item in best.findings):
        best, numbers = _with_classes(draft, classes, live, best, numbers=True)
    for way in SHARES:
        if best.problem or any(_OF_SHARES.search(item.leaf) for item in best.findings):
            best, _ = _with_classes(draft, classes, live, best, numbers=numbers, bandwidth=way)
    for _ in range(_ROUNDS):
        before = best.cost
        best = _turn(draft, live, best)
        if best.problem or not best.findings or best.cost >= before:
            break
    best = _with_own(draft, classes, live, best)
    return compared(draft, live) if len(likes) < len(live) else best


def _with_own(draft: Draft, classes: Classes, live: Mapping[str, Device], best: Trial) -> Trial:
    """State marks and thresholds of single classes where the settings of all leave them different."""
    before, leaves = draft.classes, {item.leaf for item in best.findings}
    units = _units(best.plan) if leaves and best.plan is not None else {}
    for number, line in enumerate(before):
        if own := classes.own(line, leaves, units):
            kept = draft.classes
            draft.classes = [*kept]
            draft.classes[number] = replace(line, keys={**line.keys, **own})
            trial = compared(draft, live, best.weights)
            if _better(trial, best):
                best = trial
            else:
                draft.classes = kept
    return _without_needless(draft, live, best) if draft.classes is not before else best


def _without_needless(draft: Draft, live: Mapping[str, Device], best: Trial) -> Trial:
    """Take settings of all classes back that single classes now say better: the planner derives the rest from them."""
    for path in [path for path in draft.settings if path[0] in {"ecn", "pfc"}]:
        text = draft.settings.pop(path)
        trial = compared(draft, live, best.weights)
        if trial.problem or trial.cost > best.cost:
            draft.settings[path] = text
        else:
            best = trial
    return best


def _units(plan: Plan) -> dict[str, Fraction]:
    """Return the bytes of the units that a plan's ramps became: of the largest, because systems round."""
    largest: dict[str, tuple[int, Fraction]] = {}
    for device in plan.devices.values():
        for name, port in device.fitted.ports.items():
            asked = device.wanted.ports[name].qos.queues or ()
            for want, have in zip(asked, port.qos.queues or (), strict=False):
                for curve, made in zip(_curves(want), _curves(have), strict=False):
                    size, became = curve.high, made.high
                    if size is not None and size.bytes and became is not None and became.value:
                        bytes_each = Fraction(size.bytes) / Fraction(became.value)
                        largest[became.unit] = max(largest.get(became.unit, (0, bytes_each)), (size.bytes, bytes_each))
    return {unit: bytes_each for unit, (_, bytes_each) in largest.items()}


def _curves(queue: Queue | None) -> tuple[Curve, ...]:
    return queue.ecn.curves if queue is not None and queue.ecn is not None else ()


def alike(draft: Draft, live: Mapping[str, Device]) -> dict[str, int]:
    """Return one device of each kind of equal ones, and how many it stands for: 64 equal leaves are planned once."""
    cables: dict[str, list[tuple[str, int, object]]] = {}
    for link in draft.links:
        for device, port in (link.a, link.b):
            cables.setdefault(device, []).append((port, link.speed, link.cable))
    first: dict[tuple[object, ...], str] = {}
    weights: dict[str, int] = {}
    for name, state in live.items():
        member = draft.members[name]
        ports = tuple((port.name, id(port.qos), port.mtu, port.mtu_counts, port.nic) for port in state.ports.values())
        loose = tuple((port, item.speed, item.cable) for port, item in member.loose.items())
        whole = (state.pfc_enabled, state.ecn_enabled, state.pools, state.buffer_model, state.traffic)
        key = (member.kin, ports, loose, tuple(sorted(cables.get(name, ()), key=str)), whole, state.complete)
        chosen = first.setdefault(key, name)
        weights[chosen] = weights.get(chosen, 0) + 1
    return weights


def _with_classes(
    draft: Draft, classes: Classes, live: Mapping[str, Device], best: Trial, *, numbers: bool, bandwidth: str = ""
) -> tuple[Trial, bool]:
    """Write the classes with more numbers where that makes the file better. Returns the best trial, and whether."""
    before = draft.classes
    draft.classes = classes.lines(numbers=numbers, bandwidth=bandwidth)
    trial = compared(draft, live, best.weights)
    if _better(trial, best):
        return trial, True
    draft.classes = before
    return best, False


def _better(trial: Trial, best: Trial) -> bool:
    if bool(trial.problem) != bool(best.problem):
        return not trial.problem
    return trial.cost < best.cost


def _turn(draft: Draft, live: Mapping[str, Device], best: Trial) -> Trial:
    """State the settings whose leaves differ: all at once where that is enough, else family by family."""
    asked = [knob for knob in KNOBS if best.problem or _decides(knob, best)]
    trial = _tried(draft, live, best, asked)
    if trial is not best and not trial.findings:
        return trial
    families: dict[str, list[Knob]] = {}
    for knob in asked:
        families.setdefault(knob.family, []).append(knob)
    for family in families.values():
        best = _tried(draft, live, best, family)
        for knob in family if len(family) > 1 and best.findings else ():
            best = _tried(draft, live, best, [knob])
    return best


def _tried(draft: Draft, live: Mapping[str, Device], best: Trial, knobs: list[Knob]) -> Trial:
    """State settings where that makes the file better, else leave it as it is.

    Sizes are met by approaching them; what differs only now that others are right is stated with them.
    """
    before, trial = _kept(draft), best
    for _ in range(_STEPS):
        if not sum(_state(draft, knob, live, best.weights, trial.plan) for knob in knobs):
            break
        trial = compared(draft, live, best.weights)
        if trial.problem or not trial.findings:
            break
        knobs = [knob for knob in KNOBS if knob in knobs or _decides(knob, trial)]
    if _better(trial, best):
        return trial
    _restore(draft, before)
    return best


def _decides(knob: Knob, trial: Trial) -> bool:
    return any(knob.leaves.search(item.leaf) for item in trial.findings)


def _kept(draft: Draft) -> tuple[object, ...]:
    return deepcopy((draft.settings, draft.roles, draft.kin, draft.ports))


def _restore(draft: Draft, kept: tuple[object, ...]) -> None:
    draft.settings, draft.roles, draft.kin, draft.ports = kept  # type: ignore[assignment]


def _state(
    draft: Draft, knob: Knob, live: Mapping[str, Device], weights: Mapping[str, int], plan: Plan | None = None
) -> bool:
    """State a setting as the planned ports of the live devices have it. Returns whether any of them tells it."""
    values = {}
    for name, ports in _planned_ports(draft).items():
        device = live.get(name) if name in weights else None
        planned = plan.devices.get(name) if plan is not None else None
        for port in ports if device is not None else ():
            if device is None or port not in device.ports:
                continue
            both = None
            if planned is not None and port in planned.fitted.ports:
                both = Both(planned.wanted.ports[port], planned.fitted.ports[port])
            text = knob.read(device.ports[port], both)
            if text is not None:
                values[name, port] = text
    place(draft, knob.path, values, weights)
    return bool(values)


def _planned_ports(draft: Draft) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {name: list(member.loose) for name, member in draft.members.items()}
    for link in draft.links:
        for device, port in (link.a, link.b):
            found[device].append(port)
    return found


def differences(draft: Draft, trial: Trial) -> list[str]:
    """Return what single devices have otherwise than the file, each with its count, the most frequent first."""
    of: dict[tuple[str, str], set[str]] = {}
    for item in trial.findings:
        role = draft.members[item.device].role or draft.members[item.device].system
        of.setdefault((role, _plain(item.message)), set()).add(item.device)
    sizes = Counter(member.role or member.system for member in draft.members.values())
    lines = [
        f"{len(names)} of {sizes[role]} {role}: {message}: {', '.join(patterns_of(names)[:6])}"
        + (", ..." if len(patterns_of(names)) > 6 else "")
        for (role, message), names in sorted(of.items(), key=lambda item: (-len(item[1]), item[0]))
    ]
    return _cut(lines)


def _plain(message: str) -> str:
    """Return what is there and what the file wants, without the plan's reason."""
    have, comma, want = message.partition(", the plan wants ")
    return f"{have}{comma and ', this file wants '}{want.partition(' (')[0]}"


def untold(draft: Draft, trial: Trial) -> list[str]:
    """Return what the texts of each system do not tell, so that it was neither read nor compared."""
    of: dict[tuple[str, str], int] = Counter()
    for item in trial.not_evaluated:
        of[draft.members[item.device].system, item.missing.removesuffix(": the capture does not say")] += 1
    by_system: dict[str, list[str]] = {}
    for system, what in sorted(of):
        by_system.setdefault(system, []).append(what)
    return _cut([f"{system}: {'; '.join(found)}" for system, found in by_system.items()])


def _cut(lines: list[str]) -> list[str]:
    return lines if len(lines) <= _MOST_LINES else [*lines[:_MOST_LINES], f"and {len(lines) - _MOST_LINES} more"]
