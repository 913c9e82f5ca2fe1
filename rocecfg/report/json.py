"""Findings as JSON, for programs: every key is always there. Changes within a schema number only add keys."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from rocecfg.findings import Severity

if TYPE_CHECKING:
    from rocecfg.findings import Finding
    from rocecfg.report.outcome import Outcome

SCHEMA = 1


def write(outcome: Outcome) -> str:
    """Return an outcome as JSON."""
    return json.dumps(as_plain(outcome), indent=2) + "\n"


def as_plain(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as JSON-ready data."""
    return {
        "schema": SCHEMA,
        "findings": [_finding(finding) for finding in outcome.findings],
        "not_evaluated": [
            {"rule": item.rule, "device": item.device, "missing": item.missing} for item in outcome.not_evaluated
        ],
        "not_understood": [
            {"file": item.file, "line": item.line, "text": item.text} for item in outcome.not_understood
        ],
        "summary": {
            "errors": outcome.count(Severity.ERROR),
            "warnings": outcome.count(Severity.WARNING),
            "infos": outcome.count(Severity.INFO),
            "devices": outcome.devices,
            "files": outcome.files,
        },
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "name": finding.name,
        "severity": finding.severity.word,
        "device": finding.device,
        "object": finding.object,
        "message": finding.message,
        "help": finding.help,
        "file": finding.file,
        "line": finding.line,
        "column": finding.column,
        "ports": list(finding.ports),
    }
