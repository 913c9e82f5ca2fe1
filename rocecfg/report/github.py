"""Findings as GitHub workflow commands, which show as annotations at the lines of a pull request.

GitHub shows the first ten errors and ten warnings of a step, so the worst come first; the table of all of them goes
to the step summary (`rocecfg.report.markdown`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocecfg.findings import Severity
from rocecfg.report.places import Places
from rocecfg.report.table import printable
from rocecfg.report.text import summary

if TYPE_CHECKING:
    from pathlib import Path

    from rocecfg.findings import Finding
    from rocecfg.report.outcome import Outcome

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def write(outcome: Outcome, *, root: Path | None = None) -> str:
    """Return one workflow command a finding, and the summary as the last line."""
    places = Places(outcome, root)
    lines = [_command(finding, places) for finding in sorted(outcome.findings, key=lambda one: -one.severity)]
    return "\n".join([*lines, summary(outcome)]) + "\n"


def _command(finding: Finding, places: Places) -> str:
    spot = places.spot(finding)
    properties = {"title": f"{finding.rule} {finding.name}", "file": spot.path}
    if spot.line:
        properties["line"] = str(spot.line)
    if spot.column:
        properties["col"] = str(spot.column)
    subject = " ".join(word for word in (finding.device, finding.object) if word)
    message = f"{subject}: {finding.message}" if subject else finding.message
    if finding.help:
        message += f"\n{finding.help}"
    words = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    shown = "\n".join(printable(line) for line in message.split("\n"))
    return f"::{_COMMANDS[finding.severity]} {words}::{_data(shown)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(printable(text)).replace(":", "%3A").replace(",", "%2C")
