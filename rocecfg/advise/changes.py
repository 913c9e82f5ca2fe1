"""Which single other answer would change the verdict.

Tried are the values at which rules change their mind, so a new rule of thumb is tried by itself. One answer is changed
at a time; the rest stays as given.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocecfg.advise.judge import Verdict, verdict_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocecfg.advise.knowledge import Knowledge
    from rocecfg.advise.situation import Facts

# A rule asks for what follows from an answer: these answers are tried for it.
_BEHIND = {"gpus": "gpus.later", "across": "gpus.later", "several": "sites.count"}
# The next number that people would write; 1 for all others.
_STEPS = {"link.speed": 10**9}


@dataclass(frozen=True, slots=True)
class Change:
    """Another answer to one question, and the verdict it would give. `reach` is exact, least or most."""

    fact: str
    value: Any
    reach: str
    verdict: Verdict


def changes(given: Facts, known: Knowledge) -> tuple[Change, ...]:
    """Return what would change the verdict, in the order of the questions."""
    now = verdict_of(given, known)
    if now.missing:
        return ()
    tried = _tried(known)
    server = given.get("gpus.per_server", known.assumed_values["gpus.per_server"])
    tried["gpus.later"] |= {server, server + 1}
    found: list[Change] = []
    for fact in (name for name in known.questions if name in tried):
        values = sorted(tried[fact])
        verdicts = [(value, verdict_of({**given, fact: value}, known)) for value in values]
        if any(isinstance(value, (str, bool)) for value in values):
            found += [Change(fact, value, "exact", other) for value, other in verdicts if other != now]
        else:
            found += _of_numbers(fact, given.get(fact), now, verdicts)
    return tuple(found)


def _of_numbers(fact: str, at: Any, now: Verdict, verdicts: list[tuple[Any, Verdict]]) -> Iterable[Change]:
    """Return the nearest numbers on both sides that change the verdict; for an unknown one each step."""
    if at is None:
        before = now
        for value, other in verdicts:
            if other != before:
                yield Change(fact, value, "most" if value == verdicts[0][0] else "least", other)
            before = other
        return
    lower = next(((value, other) for value, other in reversed(verdicts) if value < at and other != now), None)
    higher = next(((value, other) for value, other in verdicts if value > at and other != now), None)
    if lower:
        yield Change(fact, lower[0], "most", lower[1])
    if higher:
        yield Change(fact, higher[0], "least", higher[1])


def _tried(known: Knowledge) -> dict[str, set[Any]]:
    """Return the values of each answer at which a rule begins or ceases to hold."""
    tried: dict[str, set[Any]] = {}
    for rule in known.rules:
        if not (rule.needs or rule.rules_out or rule.prefers):
            continue
        for condition in rule.when:
            fact = _BEHIND.get(condition.fact, condition.fact)
            values = tried.setdefault(fact, set())
            if condition.fact == "across":
                continue
            values |= set(condition.values)
            if set(condition.values) & {True, False} and all(isinstance(item, bool) for item in condition.values):
                values |= {True, False}
            step = _STEPS.get(fact, 1)
            values |= {condition.low, condition.low - step} if condition.low is not None else set()
            values |= {condition.high, condition.high + step} if condition.high is not None else set()
    words = {name: set(question.words) for name, question in known.questions.items() if question.words}
    return {
        fact: {value for value in values | words.get(fact, set()) if isinstance(value, str) or value >= 0}
        for fact, values in tried.items()
    }
