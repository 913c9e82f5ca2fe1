"""`rocecfg lint`: what will lose traffic, storm or lock up, and where it stands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rocecfg.cli.accepted import Accepted, accepted_options
from rocecfg.cli.findings import (
    FORMATS,
    broken_intent,
    lines_not_understood,
    read_settings,
    read_suppressions,
    rule_options,
    unread_source,
)
from rocecfg.cli.options import command, output_file, output_format, system, workers
from rocecfg.cli.terminal import Progress, note
from rocecfg.errors import (
    EXIT_CLEAN,
    EXIT_FINDINGS,
    EXIT_USAGE,
    IntentError,
    PlanError,
    Problem,
    ReadError,
    RocecfgError,
)
from rocecfg.findings import Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rocecfg.cli.inputs import Source
    from rocecfg.fabric.graph import DeclaredPath
    from rocecfg.fabric.links import Cable
    from rocecfg.findings import Finding
    from rocecfg.intent.fabric import Fabric
    from rocecfg.lint.checks import Result
    from rocecfg.lint.config import Settings
    from rocecfg.lint.run import Linter
    from rocecfg.report.outcome import Outcome
    from rocecfg.state.model import Device


@command(
    ("rocecfg lint pod1.roce.yaml", "an intent"),
    ("rocecfg lint out --intent pod1.roce.yaml", "rendered files against their intent"),
    ("rocecfg lint saved-configs/ --links cables.yaml", "saved configurations, both ends of each cable"),
    ("rocecfg lint captures/ --select PFC,WD --format json", "two families only, for a program"),
    ("rocecfg lint before/ after/ --select OPS", "counters: two captures of each device, some time apart"),
    ("rocecfg lint pod1.roce.yaml --fix --diff", "what could be mended by itself"),
    ("rocecfg lint configs/ --diff-base main", "only what this branch makes worse"),
    ("ssh leaf1 show running-config | rocecfg lint -", "a live device"),
)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--intent", type=click.Path(path_type=Path), metavar="INTENT",
              help="What the devices should be: classes, roles, cables.")  # fmt: skip
@click.option("--links", type=click.Path(path_type=Path), metavar="FILE",
              help='YAML list of {a: "device:port", b: "device:port", speed, cable}.')  # fmt: skip
@click.option("--paths", "ways", type=click.Path(path_type=Path), metavar="FILE",
              help="YAML list of {via: [device, ...], priority: 3}: ways that packets take.")  # fmt: skip
@system
@rule_options
@click.option("--diff-base", metavar="REV", help="Only what is new since a git revision of the same files.")
@click.option("--fix", is_flag=True, help="Write certain cures into the intents; comments and layout stay.")
@click.option("--diff", is_flag=True, help="Show what --fix would write, and write nothing; exit 1 if any.")
@accepted_options
@output_format(*FORMATS)
@output_file
@workers
def lint(
    paths: tuple[Path, ...],
    intent: Path | None,
    links: Path | None,
    ways: Path | None,
    nos: str,
    profile: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    fail_on: str | None,
    config: Path | None,
    diff_base: str | None,
    fix: bool,
    diff: bool,
    accepted: Accepted,
    form: str,
    output: Path | None,
    jobs: int | None,
) -> int:
    """Check intents, rendered files, saved configurations and capture folders.

    PATH is a file, a folder of them, a capture folder, or `-` for stdin. The system of each text is detected.
    What a rule cannot judge is "not evaluated", never "ok"; what cannot be read ends with exit 3.
    """
    from rocecfg.cli.reading import check_system

    check_system(nos)
    settings = read_settings(profile, select, ignore, fail_on, config)
    if fix or diff:
        from rocecfg.cli.fixing import fix_intents

        changes = fix_intents([*paths, *([intent] if intent is not None else [])], settings, output, only_show=diff)
        if diff:
            return EXIT_FINDINGS if changes else EXIT_CLEAN
    run = _judged(settings, paths, intent, links, nos, jobs, ways)
    outcome = run.outcome
    outcome.source = str(intent or paths[0])
    if diff_base is not None:
        outcome.findings = _new_since(diff_base, run, paths, intent, links, nos, jobs, ways)
    code = accepted.finish(outcome, settings, form, output, run.warnings)
    return EXIT_USAGE if run.broken_intents else code


def _judged(
    settings: Settings,
    paths: Sequence[Path],
    intent: Path | None,
    links: Path | None,
    nos: str,
    jobs: int | None,
    ways: Path | None,
) -> _Run:
    """Return the run over everything under the paths, its findings in report order."""
    from rocecfg.cli.inputs import sources_under
    from rocecfg.cli.intents import load_fabric

    run = _Run(settings, ways)
    sources = list(sources_under(paths))
    if not sources:
        raise ReadError(f"nothing to check under {', '.join(map(str, paths))}")
    fabric = load_fabric(intent) if intent is not None else None
    captures: list[Source | ReadError] = []
    for source in sources:
        if isinstance(source, ReadError) or not source.is_intent:
            captures.append(source)
        elif intent is None or source.path.resolve() != intent.resolve():
            run.intent(source)
    if captures or fabric is not None:
        run.captures(captures, fabric, links, nos, jobs)
    run.outcome.findings.sort(key=lambda finding: finding.sort_key())
    return run


def _new_since(
    revision: str,
    run: _Run,
    paths: Sequence[Path],
    intent: Path | None,
    links: Path | None,
    nos: str,
    jobs: int | None,
    ways: Path | None,
) -> list[Finding]:
    """Return the findings that the same files did not have at a git revision."""
    from tempfile import TemporaryDirectory

    from rocecfg.lint.baseline import Baseline
    from rocecfg.lint.revision import write_revision

    extra = [path for path in (intent, links, ways) if path is not None]
    with TemporaryDirectory(prefix="rocecfg-") as folder:
        then = write_revision(revision, [*paths, *extra], Path(folder).resolve())
        named = dict(zip(extra, then.copies[len(paths) :], strict=True))
        there = [copy for copy in then.copies[: len(paths)] if copy is not None]
        if not there:
            return run.outcome.findings
        try:
            before = _judged(
                run.settings,
                there,
                named[intent] if intent is not None else None,
                named[links] if links is not None else None,
                nos,
                jobs,
                named[ways] if ways is not None else None,
            )
        except RocecfgError as error:
            note(f"warning: --diff-base {revision}: the files of then cannot be judged, all is new: {error}")
            return run.outcome.findings
        return Baseline.of(then.named_as_now(before.outcome.findings)).new(run.outcome.findings)


class _Run:
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
        from rocecfg.fabric.links import cables_of_file
        from rocecfg.lint.run import Linter

        cables = cables_of_file(links) if links is not None else None
        if fabric is not None:
            self.outcome.files += 1
            self.outcome.asked_for = {one.name: (one.place.file, one.place.line) for one in fabric.devices.values()}
        suppressions = read_suppressions(fabric, self._settings)

        def linter(found: list[Cable] | None = cables) -> Linter:
            return Linter(self._settings, intent=fabric, links=found, suppressions=suppressions, paths=self._paths)

        stream = _Stream(linter, wait=fabric is None and cables is None)
        progress = Progress("read", len(sources))
        for reading in read_devices(sources, nos, jobs):
            progress.step()
            self.outcome.files += reading.texts
            if reading.device is None:
                self.outcome.unreadable += 1
                self.outcome.findings.append(unread_source(reading))
                continue
            self.outcome.devices += 1
            self.outcome.looked_at[reading.device.name] = reading.device.kind
            self.outcome.not_understood += lines_not_understood(reading.device)
            stream.add(reading.device)
        self._take(stream.result())

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
