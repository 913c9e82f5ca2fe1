"""From facts to an advice: what is needed, what is ruled out, and what is left.

The least answer that carries what the workloads need, and that nothing rules out, is the verdict. Between answers that
carry the same a `prefers` decides; where none does, both stand. Where all that would do are ruled out, the verdict is
the strongest answer left, and says that it is a compromise. No points are counted: a verdict follows from named rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rocecfg.advise.situation import derived

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.advise.knowledge import Choice, Knowledge, Rule
    from rocecfg.advise.situation import Facts


@dataclass(frozen=True, slots=True)
class Reasons:
    """What speaks for, against, and decisively against one answer."""

    speak_for: tuple[Rule, ...] = ()
    speak_against: tuple[Rule, ...] = ()
    rule_out: tuple[Rule, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answers that stand; `compromise` when what is needed is ruled out; none when too little is given."""

    choices: tuple[str, ...] = ()
    compromise: bool = False
    missing: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Advice:
    """A verdict with everything that led to it."""

    verdict: Verdict
    given: Facts
    facts: Facts
    reasons: Mapping[str, Reasons]
    rules: tuple[Rule, ...]

    def about(self, subject: str) -> tuple[Rule, ...]:
        """Return the rules that speak of a subject instead of an answer: mind, contradiction, between."""
        return tuple(rule for rule in self.rules if rule.about == subject)


def judge(given: Facts, known: Knowledge) -> Advice:
    """Return the advice for what is given."""
    facts = derived(given, known.assumed_values)
    rules = tuple(rule for rule in known.rules if rule.holds(facts))
    reasons = {name: _reasons(name, rules, known) for name in known.choices}
    return Advice(_verdict(given, rules, known), given, facts, reasons, rules)


def verdict_of(given: Facts, known: Knowledge) -> Verdict:
    """Return the verdict alone."""
    facts = derived(given, known.assumed_values)
    return _verdict(given, tuple(rule for rule in known.rules if rule.holds(facts)), known)


def _verdict(given: Facts, rules: tuple[Rule, ...], known: Knowledge) -> Verdict:
    missing = tuple(names for names in known.required if not any(given.get(name) is not None for name in names))
    if missing:
        return Verdict(missing=missing)
    ruled_out = {name for rule in rules for name in rule.rules_out}
    left = [choice for choice in known.choices.values() if choice.name not in ruled_out]
    needed = max((known.choices[rule.needs].carries for rule in rules if rule.needs), default=0)
    enough = [choice for choice in left if choice.carries >= needed]
    level = min((choice.carries for choice in enough), default=max((choice.carries for choice in left), default=0))
    return Verdict(_preferred([choice for choice in left if choice.carries == level], rules), compromise=not enough)


def _preferred(equals: list[Choice], rules: tuple[Rule, ...]) -> tuple[str, ...]:
    names = [choice.name for choice in equals]
    preferred = {name for rule in rules for name in rule.prefers}
    return tuple(name for name in names if name in preferred) or tuple(names)


def _reasons(name: str, rules: tuple[Rule, ...], known: Knowledge) -> Reasons:
    """Return the reasons of an answer; a rule that needs more than the answer carries speaks against it."""
    carries = known.choices[name].carries
    needs = {rule.name: known.choices[rule.needs].carries for rule in rules if rule.needs}
    return Reasons(
        tuple(
            rule
            for rule in rules
            if name in rule.speaks_for or name in rule.prefers or needs.get(rule.name, carries + 1) <= carries
        ),
        tuple(rule for rule in rules if name in rule.speaks_against or needs.get(rule.name, 0) > carries),
        tuple(rule for rule in rules if name in rule.rules_out),
    )
