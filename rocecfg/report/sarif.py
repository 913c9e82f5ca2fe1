"""Findings as SARIF 2.1.0 (OASIS), within what GitHub code scanning takes.

GitHub refuses files above 10 MB compressed, runs above 25,000 results and results above 1,000 locations, and keeps
the 5,000 worst results (GitHub Docs, "SARIF results exceed one or more limits"). Ports of a device are one result
already. Above 5,000 results, devices that have the same problem become one result with a location each; above that
still, a rule becomes one result.
"""

from __future__ import annotations

import gzip
import json
from itertools import islice
from typing import TYPE_CHECKING, Any

from rocecfg import __version__
from rocecfg.findings import Severity
from rocecfg.lint.identity import about, digest, fingerprints
from rocecfg.report import rulepage
from rocecfg.report.places import Places
from rocecfg.report.table import counted, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from rocecfg.findings import Finding, NotEvaluated
    from rocecfg.report.outcome import Outcome

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
MOST_RESULTS = 5000
MOST_LOCATIONS = 1000
"""Per result."""
MOST_LOCATIONS_IN_ALL = 50_000
MOST_TAGS = 20
MOST_COMPRESSED = 10_000_000
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_PROBLEMS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "recommendation"}
_LONGEST = 2000
_LONGEST_DESCRIPTION = 1024
"""What GitHub shows of a rule's description."""


def write(outcome: Outcome, *, root: Path | None = None) -> str:
    """Return an outcome as SARIF. Paths are relative to `root`, the git repository around this folder by default."""
    text = _dumped(as_plain(outcome, root=root))
    most = MOST_RESULTS
    while len(text) > MOST_COMPRESSED and most > 100 and len(gzip.compress(text.encode(), 6)) > MOST_COMPRESSED:
        most //= 2
        text = _dumped(as_plain(outcome, root=root, most=most))
    return text


def _dumped(plain: dict[str, Any]) -> str:
    return json.dumps(plain, indent=1) + "\n"


def as_plain(outcome: Outcome, *, root: Path | None = None, most: int = MOST_RESULTS) -> dict[str, Any]:
    """Return an outcome as JSON-ready SARIF with at most `most` results, the worst ones."""
    groups = _groups(outcome.findings, most)
    ids = sorted({group.first.rule for group in groups})
    index = {rule_id: at for at, rule_id in enumerate(ids)}
    places = Places(outcome, root)
    left = [MOST_LOCATIONS_IN_ALL]
    run = {
        "tool": {
            "driver": {
                "name": "rocecfg",
                "semanticVersion": __version__,
                "rules": [_rule(rule_id, outcome) for rule_id in ids],
            }
        },
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "the top folder of the repository"}}},
        "invocations": [
            {
                "executionSuccessful": outcome.unreadable == 0,
                "toolExecutionNotifications": list(_blind_spots(outcome.not_evaluated)),
            }
        ],
        "results": [_result(group, index[group.first.rule], places, left) for group in groups],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


class _Group:
    """Findings that are one result."""

    def __init__(self, findings: list[Finding], fingerprint: str, message: str = "") -> None:
        self.findings = findings
        self.fingerprint = fingerprint
        self.message = message

    @property
    def first(self) -> Finding:
        return self.findings[0]


def _groups(findings: list[Finding], most: int) -> list[_Group]:
    """Return the results, worst first when not all fit."""
    if len(findings) <= most:
        marks = fingerprints(findings)
        return [_Group([finding], mark) for finding, mark in zip(findings, marks, strict=True)]
    same = _gathered(findings, lambda f: (f.rule, f.severity.word, about(f), f.leaf, f.message))
    if len(same) > most:
        same = _gathered(findings, lambda f: (f.rule, f.severity.word))
    same.sort(key=lambda group: -group.first.severity)
    return same[:most]


def _gathered(findings: list[Finding], key: Callable[[Finding], tuple[str, ...]]) -> list[_Group]:
    alike: dict[tuple[str, ...], list[Finding]] = {}
    for finding in findings:
        alike.setdefault(key(finding), []).append(finding)
    return [_group(words, found) for words, found in alike.items()]


def _group(words: tuple[str, ...], found: list[Finding]) -> _Group:
    if len(found) == 1:
        return _Group(found, fingerprints(found)[0])
    devices = list(dict.fromkeys(finding.device for finding in found if finding.device))
    shown = ", ".join(devices[:5]) + (f" and {len(devices) - 5} more" if len(devices) > 5 else "")
    alike = len({finding.message for finding in found}) == 1
    sentence = found[0].message if alike else f"{len(found)} findings, such as {found[0].message}"
    return _Group(found, digest(words), f"{shown}: {sentence}" if shown else sentence)


def _result(group: _Group, index: int, places: Places, left: list[int]) -> dict[str, Any]:
    first = group.first
    room = min(MOST_LOCATIONS, max(left[0], 1))
    shown = [_location(finding, places) for finding in islice(group.findings, room)]
    left[0] -= len(shown)
    message = group.message or _sentence(first)
    if len(shown) < len(group.findings):
        message += f" (the first {counted(len(shown), 'place')} of {len(group.findings)} are listed)"
    help_line = f"\n{first.help}" if first.help else ""
    return {
        "ruleId": first.rule,
        "ruleIndex": index,
        "level": _LEVELS[first.severity],
        "message": {"text": _text(message + help_line)},
        "locations": shown,
        "partialFingerprints": {"rocecfg/v1": group.fingerprint},
        "properties": {
            "devices": list(dict.fromkeys(finding.device for finding in group.findings if finding.device))[:100],
            "ports": list(first.ports[:100]) if len(group.findings) == 1 else [],
        },
    }


def _sentence(finding: Finding) -> str:
    subject = " ".join(word for word in (finding.device, finding.object) if word)
    return f"{subject}: {finding.message}" if subject else finding.message


def _location(finding: Finding, places: Places) -> dict[str, Any]:
    spot = places.spot(finding)
    artifact = {"uri": spot.uri}
    if not artifact["uri"].startswith("file:"):
        artifact["uriBaseId"] = "%SRCROOT%"
    physical: dict[str, Any] = {"artifactLocation": artifact}
    if spot.line:
        physical["region"] = {"startLine": spot.line} | ({"startColumn": spot.column} if spot.column else {})
    location: dict[str, Any] = {"physicalLocation": physical}
    name = "/".join(word for word in (finding.device, finding.object) if word)
    if name:
        location["logicalLocations"] = [{"fullyQualifiedName": _text(name), "kind": "resource"}]
    return location


def _rule(rule_id: str, outcome: Outcome) -> dict[str, Any]:
    page = rulepage.page_of(rule_id)
    if page is None:
        name = next(finding.name for finding in outcome.findings if finding.rule == rule_id)
        return {"id": rule_id, "name": name, "shortDescription": {"text": name.replace("-", " ")}}
    return {
        "id": rule_id,
        "name": page.name,
        "shortDescription": {"text": page.title[:_LONGEST_DESCRIPTION]},
        "fullDescription": {"text": (page.section("What it finds") or page.title)[:_LONGEST_DESCRIPTION]},
        "help": {"text": page.text, "markdown": page.markdown},
        "defaultConfiguration": {"level": _LEVELS[page.severity]},
        "properties": {
            "tags": ["roce", page.family.lower(), f"profile-{page.profile}", page.name][:MOST_TAGS],
            "precision": "high",
            "problem.severity": _PROBLEMS[page.severity],
        },
    }


def _blind_spots(missing: list[NotEvaluated]) -> Iterator[dict[str, Any]]:
    """Yield a note per rule and missing input: a viewer must not take "not looked at" for "clean"."""
    devices: dict[tuple[str, str], set[str]] = {}
    for item in missing:
        devices.setdefault((item.rule, item.missing), set()).add(item.device)
    for (rule, what), names in islice(sorted(devices.items()), 1000):
        named = sorted(name for name in names if name)
        where = f" on {', '.join(named[:3])}{f' and {len(named) - 3} more' if len(named) > 3 else ''}" if named else ""
        yield {
            "level": "note",
            "message": {"text": _text(f"{rule} was not evaluated{where} for want of {what}")},
            "associatedRule": {"id": rule},
        }


def _text(text: str) -> str:
    """Return a device's text as it may stand in a viewer: no control characters, of bounded length."""
    lines = "\n".join(printable(line) for line in text.split("\n"))
    return lines if len(lines) <= _LONGEST else lines[:_LONGEST] + " ..."
