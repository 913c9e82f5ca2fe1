"""What lint, drift and audit hand to a report, whatever its form."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rocecfg.errors import EXIT_CLEAN, EXIT_FINDINGS, EXIT_UNREADABLE
from rocecfg.findings import Severity

if TYPE_CHECKING:
    from rocecfg.findings import Finding, NotEvaluated, NotUnderstood


@dataclass(slots=True)
class Outcome:
    """Findings, what could not be judged, what could not be read, and how much was looked at."""

    findings: list[Finding] = field(default_factory=list)
    not_evaluated: list[NotEvaluated] = field(default_factory=list)
    not_understood: list[NotUnderstood] = field(default_factory=list)
    devices: int = 0
    files: int = 0
    unreadable: int = 0
    """Devices or files that could not be read: the exit code is then 3, whatever was found elsewhere."""
    looked_at: dict[str, str] = field(default_factory=dict)
    """Devices by name with their kind ("switch", "host"), and intent files with the kind "intent"."""
    rules: tuple[str, ...] = ()
    """The rules that ran, by id."""
    asked_for: dict[str, tuple[str, int]] = field(default_factory=dict)
    """File and line of the intent that describes a device, by its name."""
    source: str = ""
    """What was given to look at: where a finding without a file of its own is shown."""

    def count(self, severity: Severity) -> int:
        """Return how many findings have a severity."""
        return sum(finding.severity is severity for finding in self.findings)

    def exit_code(self, fail_on: Severity | None = Severity.ERROR) -> int:
        """Return 3 when something could not be read, 1 for findings at or above `fail_on` (None = never), else 0."""
        if self.unreadable:
            return EXIT_UNREADABLE
        if fail_on is not None and any(finding.severity >= fail_on for finding in self.findings):
            return EXIT_FINDINGS
        return EXIT_CLEAN
