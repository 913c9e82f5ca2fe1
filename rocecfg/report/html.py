"""Findings as one HTML file: no network, reads without JavaScript, prints; a few lines of script filter the table."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from rocecfg import __version__
from rocecfg.findings import Severity
from rocecfg.packs import room_folders
from rocecfg.report import rulepage
from rocecfg.report.table import printable
from rocecfg.report.text import summary

if TYPE_CHECKING:
    from markupsafe import Markup

    from rocecfg.findings import Finding
    from rocecfg.report.outcome import Outcome

MOST_ROWS = 10_000
MOST_DEVICES = 1000
MOST_LINES = 500
_HEADINGS = ("What it finds", "Why it matters", "What to do", "When to ignore", "References")


def write(outcome: Outcome, *, title: str = "RoCE configuration report") -> str:
    """Return an outcome as a self-contained HTML page; nothing a device says is markup in it."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    env = Environment(
        loader=FileSystemLoader([str(room) for room in room_folders("templates")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    env.filters["code"] = as_code
    return env.get_template("report/findings.html.j2").render(view(outcome, title))


def as_code(text: str) -> Markup:
    """Return a text with what stands in backticks as code; everything is escaped."""
    from markupsafe import Markup, escape

    parts = text.split("`")
    if len(parts) % 2 == 0:
        return escape(text)
    tagged = (Markup("<code>{}</code>").format(part) if at % 2 else escape(part) for at, part in enumerate(parts))
    return Markup("").join(tagged)


def view(outcome: Outcome, title: str) -> dict[str, Any]:
    """Return what the template prints."""
    findings = sorted(outcome.findings, key=lambda finding: -finding.severity)
    by_device = _by_device(outcome)
    names = sorted(by_device)
    missing = Counter((item.rule, item.missing) for item in outcome.not_evaluated)
    lines = [f"{at.file}:{at.line}: {at.text}" for at in outcome.not_understood[:MOST_LINES]]
    devices = [name for name, kind in outcome.looked_at.items() if kind != "intent"]
    return {
        "title": title,
        "summary": summary(outcome),
        "version": __version__,
        "counts": [(severity.word, outcome.count(severity)) for severity in sorted(Severity, reverse=True)],
        "devices": outcome.devices,
        "clean": sum(name not in by_device for name in devices) if devices else None,
        "unreadable": outcome.unreadable,
        "findings": [_row(finding) for finding in findings[:MOST_ROWS]],
        "hidden": max(len(findings) - MOST_ROWS, 0),
        "device_names": [printable(name) for name in names[:MOST_DEVICES]],
        "device_rows": [_device_row(name, by_device[name]) for name in _worst_first(by_device)[:MOST_DEVICES]],
        "device_rows_hidden": max(len(names) - MOST_DEVICES, 0),
        "rules": _rules(outcome),
        "not_evaluated": [(rule, printable(what), count) for (rule, what), count in sorted(missing.items())[:500]],
        "not_understood": [printable(line) for line in lines],
        "not_understood_hidden": max(len(outcome.not_understood) - MOST_LINES, 0),
    }


def _row(finding: Finding) -> dict[str, str]:
    place = finding.file + (f":{finding.line}" if finding.file and finding.line else "")
    return {
        "severity": finding.severity.word,
        "rule": finding.rule,
        "name": finding.name,
        "device": printable(finding.device),
        "subject": printable(" ".join(word for word in (finding.device, finding.object) if word)),
        "place": printable(place),
        "message": printable(finding.message),
        "help": printable(finding.help),
    }


def _by_device(outcome: Outcome) -> dict[str, list[Finding]]:
    found: dict[str, list[Finding]] = {}
    for finding in outcome.findings:
        if finding.device:
            found.setdefault(finding.device, []).append(finding)
    return found


def _worst_first(by_device: dict[str, list[Finding]]) -> list[str]:
    def weight(name: str) -> tuple[int, ...]:
        counts = Counter(finding.severity for finding in by_device[name])
        return tuple(-counts[severity] for severity in sorted(Severity, reverse=True))

    return sorted(by_device, key=lambda name: (weight(name), name))


def _device_row(name: str, findings: list[Finding]) -> dict[str, Any]:
    counts = Counter(finding.severity.word for finding in findings)
    rules = ", ".join(sorted({finding.rule for finding in findings}))
    return {
        "name": printable(name),
        **{severity.word: counts[severity.word] for severity in Severity},
        "rules": rules,
    }


def _rules(outcome: Outcome) -> list[dict[str, Any]]:
    counts = Counter(finding.rule for finding in outcome.findings)
    rows = []
    for rule_id in sorted(counts):
        page = rulepage.page_of(rule_id)
        found = next(finding for finding in outcome.findings if finding.rule == rule_id)
        sections = [(heading, page.section(heading)) for heading in _HEADINGS] if page else []
        rows.append(
            {
                "id": rule_id,
                "name": page.name if page else found.name,
                "severity": max(f.severity for f in outcome.findings if f.rule == rule_id).word,
                "title": page.title if page else "",
                "count": counts[rule_id],
                "sections": [(heading, _unwrapped(text)) for heading, text in sections if text],
            }
        )
    return rows


def _unwrapped(text: str) -> str:
    """Return a page's text with one line a paragraph or list item, as a browser wraps it anew."""
    lines: list[str] = []
    for line in text.splitlines():
        starts = not line.strip() or not lines or not lines[-1] or line.lstrip().startswith("- ")
        lines[len(lines) if starts else len(lines) - 1 :] = [line.strip() if starts else f"{lines[-1]} {line.strip()}"]
    return "\n".join(lines)
