"""What `lint` and `drift` share: the options that choose rules, findings about unreadable inputs, the report."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rocecfg.cli.options import rule_folders
from rocecfg.cli.terminal import coloured, note, result_stream
from rocecfg.findings import Finding, NotUnderstood, Severity
from rocecfg.report import forms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rocecfg.cli.reading import Reading
    from rocecfg.errors import Problem
    from rocecfg.intent.fabric import Fabric
    from rocecfg.lint.config import Settings
    from rocecfg.lint.suppress import Suppressions
    from rocecfg.report.outcome import Outcome
    from rocecfg.state.model import Device

_F = TypeVar("_F", bound="Callable[..., Any]")

FORMATS = forms.FORMS
_LONGEST_COMMAND = 60
_NAMES = {
    "RUN-001": ("unreachable", "check the path and its permissions"),
    "RUN-005": ("wrong-device", "capture the device again, or rename the folder after the device it holds"),
    "RUN-007": ("not-understood", "name the system with --nos, or capture the text again"),
    "RUN-008": ("internal-error", "report it with the file that shows it"),
}


def rule_options(function: _F) -> _F:
    """Add the options that choose rules and decide what fails the run."""
    options = (
        click.option("--profile", metavar="PROFILE", help="min (will not work), safe (default) or strict."),
        click.option("--select", multiple=True, metavar="RULES", help="Only these: ids, families, names or ALL."),
        click.option("--ignore", multiple=True, metavar="RULES", help="Not these: ids, families or names."),
        click.option("--fail-on", metavar="SEVERITY",
                     help="Exit 1 from this severity on: error (default), warning, info or never."),
        click.option("--config", type=click.Path(path_type=Path), metavar="FILE",
                     help="Configuration file; default: rocecfg.toml of this folder or the nearest above."),
    )  # fmt: skip
    for option in reversed(options):
        function = option(function)
    return rule_folders(function)


def read_settings(
    profile: str | None, select: tuple[str, ...], ignore: tuple[str, ...], fail_on: str | None, config: Path | None
) -> Settings:
    """Return the settings of the configuration file with the command line's on top. Raises ConfigurationError."""
    from rocecfg.lint.config import find_file, load_settings

    settings = load_settings(config if config is not None else find_file(Path.cwd()))
    return settings.overridden(profile=profile, select=select, ignore=ignore, fail_on=fail_on)


def read_suppressions(fabric: Fabric | None, settings: Settings) -> Suppressions:
    """Return what the intent and the `.rocecfg-ignore` beside the configuration silence. Raises ConfigurationError."""
    from rocecfg.lint.suppress import IGNORE_FILE, Suppressions, of_fabric, read_ignore_file

    found = of_fabric(fabric) if fabric is not None and fabric.intent.suppressions else Suppressions()
    file = (Path(settings.file).parent if settings.file else Path()) / IGNORE_FILE
    if file.is_file():
        found.entries += read_ignore_file(file)
    return found


def unread(rule: str, device: str, message: str, file: str = "", cure: str = "") -> Finding:
    """Return the finding about something that could not be read or is not what it says."""
    name, usual_cure = _NAMES[rule]
    return Finding(rule, name, Severity.ERROR, device, "", message, cure or usual_cure, file=file)


def unread_source(reading: Reading) -> Finding:
    """Return the finding about a capture that could not be read."""
    file, separator, message = reading.error.partition(": ")
    if not separator or not file.startswith(reading.file):
        file, message = reading.file, reading.error
    return unread(reading.rule, reading.name, message, file)


_JUDGED = (
    "ports", "pools", "objects", "sample", "lags", "headroom_table", "apps", "lines", "complete", "traffic",
    "pfc_enabled", "ecn_enabled", "ecn_on_pool", "arp_timeout", "mac_ageing", "dual_tor",
)  # fmt: skip
"""What a text can say that a rule looks at, or that the report shows by itself."""


def nothing_to_judge(reading: Reading, device: Device) -> Finding | None:
    """Return the remark about a text that was read and says nothing any rule looks at, None for any other."""
    if any(getattr(device, leaf) not in (None, (), {}, frozenset()) for leaf in _JUDGED):
        return None
    from rocecfg.vendor import registry

    name, _ = _NAMES["RUN-007"]
    commands = [command.send for command in registry.get(device.nos).manifest.commands[:4]]
    give = ", ".join(command for command in commands if len(command) < _LONGEST_COMMAND)
    message = "no port, policy, buffer or counter stands in it: nothing of it was judged"
    cure = f"add {give}" if give else f"add an output that is read: rocecfg vendors {device.nos}"
    return Finding("RUN-007", name, Severity.INFO, device.name, "", message, cure, file=reading.file)


def broken_intent(problem: Problem) -> Finding:
    """Return the finding about a problem that keeps an intent from loading."""
    name, _ = _NAMES["RUN-007"]
    place = (problem.file, problem.line, problem.column)
    return Finding("RUN-007", name, Severity.ERROR, "", "", problem.message, problem.help, *place)


def lines_not_understood(device: Device) -> Iterable[NotUnderstood]:
    """Return a device's lines that nobody took."""
    return (NotUnderstood(line.place.file, line.place.line, line.text) for line in device.lines)


def emit(outcome: Outcome, form: str, output: Path | None, warnings: Iterable[str] = ()) -> None:
    """Write a report in the chosen form; remarks about stale suppressions go to stderr."""
    with result_stream(output) as stream:
        stream.write(forms.write(outcome, form, colour=coloured(stream)))
    if form == "github":
        _step_summary(outcome)
    for warning in warnings:
        note(f"warning: {warning}")


def _step_summary(outcome: Outcome) -> None:
    """Add the table of all findings to the summary page of a GitHub job."""
    file = os.environ.get("GITHUB_STEP_SUMMARY")
    if not file:
        return
    from rocecfg.report import markdown

    try:
        with Path(file).open("a", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write(markdown.write(outcome))
    except OSError as error:
        note(f"warning: GITHUB_STEP_SUMMARY: {error.strerror or error}")
