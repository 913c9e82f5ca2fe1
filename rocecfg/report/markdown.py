"""Findings as Markdown: for a job's summary page, a merge request comment, a ticket."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from rocecfg.findings import Severity
from rocecfg.report.places import Places
from rocecfg.report.table import counted, printable
from rocecfg.report.text import summary

if TYPE_CHECKING:
    from pathlib import Path

    from rocecfg.findings import Finding
    from rocecfg.report.outcome import Outcome

MOST_ROWS = 500
"""A step summary may hold 1 MiB; the longest row is below 2 KB."""
_LONGEST = 600
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$@!])")


def write(outcome: Outcome, *, root: Path | None = None) -> str:
    """Return an outcome as Markdown: the sum, a table per severity, and what was not looked at."""
    places = Places(outcome, root)
    lines = ["## rocecfg", "", f"**{_plain(summary(outcome))}**", ""]
    room = MOST_ROWS
    for severity, title in ((Severity.ERROR, "Errors"), (Severity.WARNING, "Warnings"), (Severity.INFO, "Remarks")):
        found = [finding for finding in outcome.findings if finding.severity is severity]
        if found:
            rows = found[:room]
            lines += [f"### {title} ({len(found)})", "", "| rule | where | what | help |", "|---|---|---|---|"]
            lines += [_row(finding, places) for finding in rows]
            if len(rows) < len(found):
                lines += ["", f"{len(found) - len(rows)} more are not listed here."]
            lines.append("")
            room -= len(rows)
    lines += _blind_spots(outcome)
    return "\n".join(lines).rstrip() + "\n"


def _row(finding: Finding, places: Places) -> str:
    spot = places.spot(finding)
    place = f"{spot.path}:{spot.line}" if spot.line else spot.path
    subject = " ".join(word for word in (finding.device, finding.object) if word)
    where = f"{_plain(subject)}<br>{_plain(place)}" if subject else _plain(place)
    return f"| {finding.rule}<br>{_plain(finding.name)} | {where} | {_cell(finding.message)} | {_cell(finding.help)} |"


def _blind_spots(outcome: Outcome) -> list[str]:
    lines = []
    if outcome.not_evaluated:
        missing: Counter[tuple[str, str]] = Counter((item.rule, item.missing) for item in outcome.not_evaluated)
        lines += ["<details><summary>Not evaluated: an input was missing</summary>", ""]
        lines += [
            f"- {rule}: {_cell(what)} ({counted(count, 'time')})"
            for (rule, what), count in sorted(missing.items())[:100]
        ]
        lines += ["", "</details>", ""]
    if outcome.not_understood:
        lines += [f"<details><summary>Not understood: {counted(len(outcome.not_understood), 'line')}</summary>", ""]
        lines += [f"- {_plain(f'{at.file}:{at.line}: {at.text}')}" for at in outcome.not_understood[:100]]
        lines += ["", "</details>", ""]
    return lines


def _cell(text: str) -> str:
    """Return a sentence of ours as one harmless table cell: what stands in backticks is code, the rest no markup."""
    parts = _short(text).split("`")
    if len(parts) % 2 == 0:  # a backtick without its other half
        return _plain(text)
    coded = (
        (f"`{part}`" if part else "").replace("|", "\\|") if at % 2 else _SPECIAL.sub(r"\\\1", part)
        for at, part in enumerate(parts)
    )
    return "".join(coded)


def _plain(text: str) -> str:
    """Return a name or path as one table cell in which nothing is markup."""
    return _SPECIAL.sub(r"\\\1", _short(text))


def _short(text: str) -> str:
    words = " ".join(printable(text).split())
    return words if len(words) <= _LONGEST else words[:_LONGEST] + " ..."
