"""Findings as GitLab code quality (the Code Climate issue format): shown in merge requests.

GitLab shows one finding per fingerprint and counts a changed fingerprint as one fixed and one new.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from rocecfg.findings import Severity
from rocecfg.lint.identity import digest, fingerprints
from rocecfg.report.places import Places
from rocecfg.report.table import printable

if TYPE_CHECKING:
    from pathlib import Path

    from rocecfg.report.outcome import Outcome

_SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "minor", Severity.INFO: "info"}


def write(outcome: Outcome, *, root: Path | None = None) -> str:
    """Return an outcome as a JSON array of issues, one a finding; a rule that was not evaluated is none."""
    places = Places(outcome, root)
    issues = []
    for finding, mark in zip(outcome.findings, fingerprints(outcome.findings), strict=True):
        spot = places.spot(finding)
        subject = " ".join(word for word in (finding.device, finding.object) if word)
        issues.append(
            {
                "description": printable(f"{subject}: {finding.message}" if subject else finding.message),
                "check_name": f"{finding.rule} {finding.name}",
                "fingerprint": digest((mark, spot.path)),
                "severity": _SEVERITIES[finding.severity],
                "location": {"path": spot.path, "lines": {"begin": max(spot.line, 1)}},
            }
        )
    return json.dumps(issues, indent=2) + "\n"
