"""`rocecfg drift`: what live devices have otherwise than the intent wants."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rocecfg.cli.accepted import Accepted, accepted_options
from rocecfg.cli.findings import (
    FORMATS,
    lines_not_understood,
    read_settings,
    read_suppressions,
    rule_options,
    unread,
    unread_source,
)
from rocecfg.cli.options import command, output_file, output_format, system, workers
from rocecfg.cli.terminal import Progress, note

if TYPE_CHECKING:
    from rocecfg.cli.reading import Reading
    from rocecfg.findings import Finding
    from rocecfg.lint.config import Settings
    from rocecfg.plan.resolve import PlannedDevice
    from rocecfg.report.outcome import Outcome


@command(
    ("rocecfg drift pod1.roce.yaml captures/", "every device of the intent"),
    ("rocecfg drift pod1.roce.yaml captures/ --device 'leaf*'", "only these"),
    ("rocecfg drift pod1.roce.yaml captures/ --format json", "for a program"),
)
@click.argument("intent", metavar="INTENT", type=click.Path(path_type=Path))
@click.argument("captures", metavar="CAPTURES...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--device", "globs", multiple=True, metavar="GLOB", help="Only these devices. Repeatable.")
@system
@rule_options
@accepted_options
@output_format(*FORMATS)
@output_file
@workers
def drift(
    intent: Path,
    captures: tuple[Path, ...],
    globs: tuple[str, ...],
    nos: str,
    profile: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    fail_on: str | None,
    config: Path | None,
    accepted: Accepted,
    form: str,
    output: Path | None,
    jobs: int | None,
) -> int:
    """Compare captures or saved configurations with what the intent wants of each device.

    Only what the intent decides is compared, after what the system can carry. A device of the intent without a
    capture is a finding and ends with exit 3: it was not looked at.
    """
    from rocecfg.cli.inputs import sources_under
    from rocecfg.cli.intents import chosen_devices, load_plan
    from rocecfg.cli.reading import check_system, read_devices

    check_system(nos)
    settings = read_settings(profile, select, ignore, fail_on, config)
    plan = load_plan(intent)
    run = _Run({name: plan.devices[name] for name in chosen_devices(plan, globs)}, set(plan.devices), settings)
    sources = list(sources_under(captures))
    progress = Progress("compared", len(sources))
    for reading in read_devices(sources, nos, jobs):
        run.take(reading)
        progress.step()
    outcome = run.finish()
    suppressions = read_suppressions(plan.fabric, settings)
    kept, _ = suppressions.apply(sorted(outcome.findings, key=lambda finding: finding.sort_key()))
    outcome.findings, outcome.source = kept, str(intent)
    places = {name: device.place for name, device in plan.fabric.devices.items()}
    outcome.asked_for = {name: (place.file, place.line) for name, place in places.items()}
    code = accepted.finish(outcome, settings, form, output)
    if run.strangers:
        note(f"{run.strangers} captures of devices that the intent does not have were not compared")
    return code


class _Run:
    """One drift run: matches captures with planned devices and gathers the outcome."""

    def __init__(self, planned: dict[str, PlannedDevice], known: set[str], settings: Settings) -> None:
        from rocecfg.drift.compare import RULE
        from rocecfg.findings import Severity
        from rocecfg.report.outcome import Outcome

        self._planned = planned
        self._known = known
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
        self.outcome.findings += found.findings
        self.outcome.not_evaluated += found.not_evaluated

    def finish(self) -> Outcome:
        """Report the devices that no capture was found for, and return the outcome."""
        for name in self._planned:
            if name not in self._seen:
                message = "no capture of this device was given: it was not compared"
                cure = "add its capture, or leave it out with --device"
                self._unreadable(unread("RUN-001", name, message, cure=cure))
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
