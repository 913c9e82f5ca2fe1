"""Compares captures with the devices of a plan: what `drift` and `audit` share."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.cli.findings import lines_not_understood, unread, unread_source
from rocecfg.errors import ReadError

if TYPE_CHECKING:
    from rocecfg.cli.reading import Reading
    from rocecfg.findings import Finding
    from rocecfg.lint.config import Settings
    from rocecfg.plan.planned import PlannedDevice
    from rocecfg.remedy.write import Folder
    from rocecfg.report.outcome import Outcome


class Comparison:
    """One drift run: matches captures with planned devices and gathers the outcome."""

    def __init__(
        self,
        planned: dict[str, PlannedDevice],
        known: set[str],
        settings: Settings,
        remedies: Folder | None = None,
        cure: str = "add its capture, or leave it out with --device",
    ) -> None:
        """`cure` = what to do about a device that no capture was given of."""
        from rocecfg.drift.compare import RULE
        from rocecfg.findings import Severity
        from rocecfg.report.outcome import Outcome

        self._planned = planned
        self._known = known
        self._remedies = remedies
        self._cure = cure
        self._severity = settings.severity_of(RULE, Severity.ERROR)
        self._seen: set[str] = set()
        self.outcome: Outcome = Outcome(rules=(RULE,))
        self.strangers = 0

    def take(self, reading: Reading) -> None:
        """Compare one capture with its device."""
        from rocecfg.drift.compare import compare

        self.outcome.files += reading.texts
        live = reading.device
        if live is None:
            self._seen.add(reading.name)
            self._unreadable(unread_source(reading))
            return
        name = reading.name if reading.name in self._known else live.name
        planned = self._planned.get(name)
        if planned is None:
            self.strangers += name not in self._known
            return
        self._seen.add(name)
        wrong = _wrong_device(planned, reading)
        if wrong:
            self._unreadable(unread("RUN-005", name, wrong, reading.file))
            return
        self.outcome.devices += 1
        self.outcome.looked_at[name] = planned.fitted.kind
        self.outcome.not_understood += lines_not_understood(live)
        found = compare(planned, live, self._severity)
        if self._remedies is not None:
            found.findings = self._remedied(self._remedies, planned, reading, found.findings)
        self.outcome.findings += found.findings
        self.outcome.not_evaluated += found.not_evaluated

    def _remedied(
        self, remedies: Folder, planned: PlannedDevice, reading: Reading, findings: list[Finding]
    ) -> list[Finding]:
        """Write the way back of one device; the findings' help points to it."""
        from rocecfg.remedy.make import remedy
        from rocecfg.state.capture import read_capture

        if reading.device is None:
            return findings
        capture = read_capture(Path(reading.file))  # no text outlives its reading
        if isinstance(capture, ReadError):
            cure = f"no commands were made: {capture}"
            return [replace(finding, help=cure) for finding in findings]
        made = remedy(planned, reading.device, capture)
        file = remedies.take(made, planned.fitted.role or "")
        cure = f"{file} sets it back, its undo stands beside it" if file else "by hand: " + "; ".join(made.by_hand[:1])
        return [replace(finding, help=cure) for finding in findings]

    def excuse(self, device: str) -> None:
        """Note that somebody else reports why a device has no capture."""
        self._seen.add(device)

    def finish(self) -> Outcome:
        """Report the devices that no capture was found for, and return the outcome."""
        for name, planned in self._planned.items():
            if name not in self._seen and planned.fitted.ports:  # without a port there is nothing to compare
                message = "no capture of this device was given: it was not compared"
                self._unreadable(unread("RUN-001", name, message, cure=self._cure))
        return self.outcome

    def _unreadable(self, finding: Finding) -> None:
        self.outcome.unreadable += 1
        self.outcome.findings.append(finding)


def _wrong_device(planned: PlannedDevice, reading: Reading) -> str:
    """Return why a capture cannot be of this device; empty when it can."""
    live = reading.device
    if live is None:
        return ""
    if live.nos != planned.fitted.nos:
        return f"the capture is of {live.nos}, the intent says {planned.fitted.nos}"
    short = live.name.partition(".")[0].lower()
    if reading.name and short != reading.name.partition(".")[0].lower():
        return f"the capture folder is of {reading.name}, the text says it is {live.name}"
    return ""
