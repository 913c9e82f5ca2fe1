"""Reads and judges intents and captures: what `lint` and `audit` share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocecfg.cli.findings import (
    broken_intent,
    lines_not_understood,
    nothing_to_judge,
    read_suppressions,
    unread_source,
)
from rocecfg.cli.terminal import Progress
from rocecfg.errors import IntentError, PlanError, Problem
from rocecfg.findings import Severity

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rocecfg.cli.inputs import Source
    from rocecfg.cli.reading import Reading
    from rocecfg.errors import ReadError
    from rocecfg.fabric.graph import DeclaredPath
    from rocecfg.fabric.links import Cable
    from rocecfg.intent.fabric import Fabric
    from rocecfg.lint.checks import Result
    from rocecfg.lint.config import Settings
    from rocecfg.lint.run import Linter
    from rocecfg.report.outcome import Outcome
    from rocecfg.state.model import Device


class Judging:
    """One lint run: reads, judges, and gathers the outcome."""

    @property
    def settings(self) -> Settings:
        """The settings of the run."""
        return self._settings

    def __init__(self, settings: Settings, ways: Path | None = None) -> None:
        from rocecfg.report.outcome import Outcome

        self._settings = settings
        self._paths: list[DeclaredPath] = []
        if ways is not None:
            from rocecfg.fabric.pathsfile import paths_of_file

            self._paths = paths_of_file(ways)
        self.outcome: Outcome = Outcome(rules=tuple(rule.id for rule in settings.selected()))
        self.warnings: list[str] = []
        self.broken_intents = 0
        self._stream: _Stream | None = None

    def intent(self, source: Source) -> None:
        """Judge an intent of its own. Each problem of one that does not load is a finding."""
        from rocecfg.cli.intents import load_fabric
        from rocecfg.lint.run import Linter

        self.outcome.files += 1
        try:
            fabric = load_fabric(source.path, source.text)
        except IntentError as error:
            self.broken_intents += 1
            self.outcome.findings += [broken_intent(problem) for problem in error.problems]
            return
        suppressions = read_suppressions(fabric, self._settings)
        self.outcome.looked_at[str(source.path)] = "intent"
        self._take(Linter(self._settings, intent=fabric, suppressions=suppressions, paths=self._paths).result())
        self._plannable(source, fabric)

    def _plannable(self, source: Source, fabric: Fabric) -> None:
        """Report an intent whose classes contradict each other where no rule has: it loads and has no plan."""
        from rocecfg.plan.classes import plan_classes

        try:
            plan_classes(fabric.classes.values())
        except PlanError as error:
            if not any(finding.severity == Severity.ERROR for finding in self.outcome.findings):
                self.broken_intents += 1
                self.outcome.findings.append(broken_intent(Problem(str(source.path), 1, 1, str(error))))

    def captures(
        self, sources: list[Source | ReadError], fabric: Fabric | None, links: Path | None, nos: str, jobs: int | None
    ) -> None:
        """Read and judge captures one by one."""
        from rocecfg.cli.reading import read_devices

        self.start(fabric, links)
        progress = Progress("read", len(sources))
        for reading in read_devices(sources, nos, jobs):
            progress.step()
            self.take(reading)
        self.finish()

    def start(self, fabric: Fabric | None, links: Path | None = None) -> None:
        """Get ready for devices, with what they should be and how they are cabled."""
        from rocecfg.fabric.links import cables_of_file
        from rocecfg.lint.run import Linter

        cables = cables_of_file(links) if links is not None else None
        if fabric is not None:
            self.outcome.files += 1
            self.outcome.asked_for = {one.name: (one.place.file, one.place.line) for one in fabric.devices.values()}
        suppressions = read_suppressions(fabric, self._settings)

        def linter(found: list[Cable] | None = cables) -> Linter:
            return Linter(self._settings, intent=fabric, links=found, suppressions=suppressions, paths=self._paths)

        self._stream = _Stream(linter, wait=fabric is None and cables is None)

    def take(self, reading: Reading) -> None:
        """Judge one capture; what could not be read is a finding."""
        self.outcome.files += reading.texts
        if reading.device is None:
            self.outcome.unreadable += 1
            self.outcome.findings.append(unread_source(reading))
            return
        self.outcome.devices += 1
        self.outcome.looked_at[reading.device.name] = reading.device.kind
        self.outcome.not_understood += lines_not_understood(reading.device)
        empty = nothing_to_judge(reading, reading.device)
        if empty is not None:
            self.outcome.findings.append(empty)
        if self._stream is not None:
            self._stream.add(reading.device)

    def finish(self) -> None:
        """Judge what needed all devices: cables, paths, the whole fabric."""
        if self._stream is not None:
            self._take(self._stream.result())
            self._stream = None

    def _take(self, result: Result) -> None:
        self.outcome.findings += result.findings
        self.outcome.not_evaluated += result.not_evaluated
        self.warnings += result.warnings


class _Stream:
    """Hands devices to a linter as they come. Where nobody gives the cables, LLDP must, so devices wait for it.

    When `HELD` devices have shown no LLDP neighbour, the wait is over and memory stays flat.
    """

    HELD = 1000

    def __init__(self, linter: Callable[..., Linter], *, wait: bool) -> None:
        self._make = linter
        self._linter = None if wait else linter()
        self._held: list[Device] = []
        self._lldp = False

    def add(self, device: Device) -> None:
        """Judge a device now, or when the cables are known."""
        if self._linter is not None:
            self._linter.add(device)
            return
        self._held.append(device)
        self._lldp = self._lldp or any(
            port.neighbour is not None and port.neighbour.source == "lldp" for port in device.ports.values()
        )
        if len(self._held) >= self.HELD and not self._lldp:
            self._linter = self._released(None)

    def _released(self, cables: list[Cable] | None) -> Linter:
        linter = self._make(cables)
        for device in self._held:
            linter.add(device)
        self._held = []
        return linter

    def result(self) -> Result:
        """Return what was found in all devices."""
        from rocecfg.fabric.links import cables_of_neighbours

        if self._linter is None:
            self._linter = self._released(cables_of_neighbours(self._held) or None)
        return self._linter.result()
