"""How many findings of each rule: where to begin, and what a profile would cost."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from rocecfg.report.table import columns
from rocecfg.report.text import summary

if TYPE_CHECKING:
    from rocecfg.report.outcome import Outcome


def write(outcome: Outcome, form: str) -> str:
    """Return the counts as text or JSON, the most frequent rule first."""
    rows = as_plain(outcome)
    if form == "json":
        return json.dumps({"schema": 1, "statistics": rows}, indent=2) + "\n"
    table = columns((str(row["findings"]), row["rule"], row["severity"], _reach(row), row["name"]) for row in rows)
    return f"{table}{summary(outcome)}\n"


def as_plain(outcome: Outcome) -> list[dict[str, Any]]:
    """Return one entry a rule: findings, devices, ports."""
    found: dict[str, dict[str, Any]] = {}
    devices: dict[str, set[str]] = {}
    for finding in outcome.findings:
        row = found.setdefault(
            finding.rule,
            {"rule": finding.rule, "name": finding.name, "severity": finding.severity.word, "findings": 0, "ports": 0},
        )
        row["findings"] += 1
        row["ports"] += len(finding.ports)
        devices.setdefault(finding.rule, set()).add(finding.device)
    for rule, row in found.items():
        row["devices"] = len(devices[rule] - {""})
    return sorted(found.values(), key=lambda row: (-row["findings"], row["rule"]))


def _reach(row: dict[str, Any]) -> str:
    words = [f"{row[key]} {key}" for key in ("devices", "ports") if row[key]]
    return ", ".join(words) or "-"
