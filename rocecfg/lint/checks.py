"""What a run is made of: checks ready to run, their outcomes, the result."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from rocecfg.findings import Finding, Severity
from rocecfg.lint import load
from rocecfg.lint.ranges import compact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import SimpleNamespace

    from rocecfg.findings import NotEvaluated, Spot
    from rocecfg.lint.api import Given, Hit
    from rocecfg.lint.config import Settings
    from rocecfg.lint.load import LoadedRule, Rule

INTERNAL_ERROR = "RUN-008"
_INTERFACE = re.compile(r"\bIF\b")
"""Where a cure of a rule's page wants the name of a port."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a run found, what it could not judge, and which suppressions are stale."""

    findings: tuple[Finding, ...] = ()
    not_evaluated: tuple[NotEvaluated, ...] = ()
    suppressed: tuple[Finding, ...] = ()
    warnings: tuple[str, ...] = ()
    """Suppressions that silence nothing."""

    def worst(self) -> Severity | None:
        """Return the highest severity found, None when nothing was."""
        return max((finding.severity for finding in self.findings), default=None)

    def fails(self, settings: Settings) -> bool:
        """Return whether a finding reaches the `fail-on` severity."""
        worst = self.worst()
        return worst is not None and settings.fail_on is not None and worst >= settings.fail_on


def _addressed(cure: str, ports: tuple[str, ...]) -> str:
    """Return a cure with its IF replaced by the first port of the finding: people type what they read."""
    if not ports or not any(letter.isdecimal() for letter in ports[0]):  # the profile of all ports: `default-global`
        return cure
    return _INTERFACE.sub(lambda _: ports[0], cure)


@dataclass(frozen=True, slots=True)
class Crash:
    """A rule that raised: reported as RUN-008."""

    text: str


class Check(NamedTuple):
    """One function of a rule, ready to run."""

    loaded: LoadedRule
    function: Callable[..., Iterable[Any]]
    options: SimpleNamespace
    severity: Severity | None
    """What the user wants instead of the rule's own."""

    @property
    def rule(self) -> Rule:
        return self.loaded.rule

    def outcomes(self, subject: object, given: Given) -> list[Any]:
        """Return what the rule says about a subject; a failure is an outcome too."""
        try:
            return list(self.function(subject, given))
        except Exception as error:  # noqa: BLE001 - a broken rule must not hide what the others find
            return [Crash(f"{type(error).__name__}: {error}")]

    def finding(self, hit: Hit, device: str, place: Spot | None, ports: tuple[str, ...] = (), nos: str = "") -> Finding:
        """Return a hit as a finding; the help says what to type on that system where the page knows it."""
        cure = _addressed(self.loaded.cures.get(nos, ""), ports)
        return Finding(
            rule=self.rule.id,
            name=self.rule.name,
            severity=self.severity or hit.severity or self.rule.severity,
            device=device,
            object=f"{compact(ports)} {hit.object}".strip(),
            message=hit.message,
            help=f"{hit.help}; {cure}" if hit.help and cure else hit.help or cure,
            file=place.file if place else "",
            line=place.line if place else 0,
            column=place.column if place else 0,
            ports=ports,
            leaf=hit.leaf,
            edits=hit.edits,
        )

    def failure(self, outcome: object, device: str) -> Finding:
        """Return the finding about this rule itself: it raised, or yielded what no rule may yield."""
        text = outcome.text if isinstance(outcome, Crash) else f"it yielded a {type(outcome).__name__}"
        return Finding(
            INTERNAL_ERROR,
            "internal-error",
            Severity.ERROR,
            device,
            self.rule.id,
            f"rule {self.rule.id} failed: {text}"[:500],
            f"report it with the configuration; until then: --ignore {self.rule.id}",
            file=str(self.rule.file),
        )


class Checks:
    """The selected checks by kind of subject, each rule imported when it is first needed."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._selected = settings.selected()
        self._ready: dict[tuple[str, str], tuple[Check, ...]] = {}

    def of(self, subject: str, kind: str = "") -> tuple[Check, ...]:
        """Return the checks that are fed with a subject ("PortQos", "Link") of a kind of device ("switch", "host")."""
        key = (subject, kind)
        known = self._ready.get(key)
        if known is None:
            known = self._ready[key] = tuple(self._made(subject, kind))
        return known

    def _made(self, subject: str, kind: str) -> Iterator[Check]:
        for rule in self._selected:
            if kind and rule.devices and rule.devices != kind:
                continue
            heads = [head for head in rule.checks if head.subject == subject]
            if not heads:
                continue
            loaded, own = load.load(rule), self._settings.rules.get(rule.id)
            for head in heads:
                yield Check(
                    loaded,
                    loaded.functions[head.function],
                    self._settings.options_of(rule),
                    own.severity if own else None,
                )
