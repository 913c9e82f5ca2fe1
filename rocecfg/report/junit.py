"""Findings as JUnit XML: one test case per device and rule, so that passed checks count.

A finding is a failure; a remark (info) passes and is told in the case's output; a rule that lacked an input is
skipped with what was missing, never passed; what could not be read is an error.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from rocecfg.findings import Severity
from rocecfg.report.table import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocecfg.findings import Finding
    from rocecfg.lint.load import Rule
    from rocecfg.report.outcome import Outcome

MOST_PASSED = 100_000
"""Passed cases written one by one; in larger runs a device's passed rules are one case."""
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_SUBJECTS = {
    "intent": {"Intent"},
    "fabric": {"Link", "Path", "Fabric", "Fleet"},
    "switch": {"Device", "Port", "PortQos"},
    "host": {"Device", "Port", "PortQos"},
}
"""What the rules must read to count as passed for a kind of suite. Rules on counters never do: they run only where a
capture has counters, and that is not told here."""


class _Case(NamedTuple):
    """One rule on one device: what it found, or what it lacked."""

    rule: str
    findings: list[Finding]
    missing: list[str]


def write(outcome: Outcome) -> str:
    """Return an outcome as JUnit XML: a suite per device, file or intent."""
    suites = _suites(outcome)
    parts = []
    totals = [0, 0, 0, 0]
    for name, cases in suites:
        body, counts = _suite(name, cases)
        parts.append(body)
        totals = [have + more for have, more in zip(totals, counts, strict=True)]
    head = f'<testsuites name="rocecfg" {_counts(totals)}>\n'
    return '<?xml version="1.0" encoding="utf-8"?>\n' + head + "".join(parts) + "</testsuites>\n"


def _suites(outcome: Outcome) -> list[tuple[str, list[_Case]]]:
    found: dict[str, dict[str, _Case]] = {}

    def case(subject: str, rule: str) -> _Case:
        return found.setdefault(subject, {}).setdefault(rule, _Case(rule, [], []))

    for finding in outcome.findings:
        case(finding.device or finding.file or "fabric", finding.rule).findings.append(finding)
    for item in outcome.not_evaluated:
        case(item.device or "fabric", item.rule).missing.append(item.missing)
    ran = _ran(outcome)
    told = {finding.rule for finding in outcome.findings} | {item.rule for item in outcome.not_evaluated}
    looked_at = dict(outcome.looked_at)
    if outcome.devices > 1 and ran("fabric"):
        looked_at["fabric"] = "fabric"
    passed = sum(len(ran(kind)) for kind in looked_at.values())
    for subject, kind in looked_at.items():
        known = found.setdefault(subject, {})
        rules = [rule for rule in ran(kind) if rule not in known and not (kind == "fabric" and rule in told)]
        if passed <= MOST_PASSED:
            for rule in rules:
                known[rule] = _Case(rule, [], [])
        elif rules:
            known["passed"] = _Case(f"{len(rules)} other rules", [], [])
    return [(subject, [cases[rule] for rule in sorted(cases)]) for subject, cases in sorted(found.items())]


def _ran(outcome: Outcome) -> _Ran:
    from rocecfg.lint import load

    known = load.rules()
    return _Ran([known[rule] for rule in outcome.rules if rule in known])


class _Ran:
    """The rules that judge a kind of subject, worked out once a kind."""

    def __init__(self, rules: list[Rule]) -> None:
        self._rules = rules
        self._known: dict[str, list[str]] = {}

    def __call__(self, kind: str) -> list[str]:
        if kind not in self._known:
            self._known[kind] = [rule.id for rule in self._rules if _judges(rule, kind)]
        return self._known[kind]


def _judges(rule: Rule, kind: str) -> bool:
    subjects = {check.subject for check in rule.checks}
    if kind == "fabric" and subjects & _SUBJECTS["switch"]:
        return False  # counted with the devices
    if rule.family == "DRIFT":
        return kind in {"switch", "host"}
    return bool(subjects & _SUBJECTS[kind]) and (rule.devices in {"", kind} or kind == "fabric")


def _suite(name: str, cases: list[_Case]) -> tuple[str, list[int]]:
    bodies = [(case, list(_outcome(case))) for case in cases]
    counts = [
        len(cases),
        sum(any(line.startswith("<failure") for line in body) for _, body in bodies),
        sum(any(line.startswith("<error") for line in body) for _, body in bodies),
        sum(any(line.startswith("<skipped") for line in body) for _, body in bodies),
    ]
    lines = [f"  <testsuite name={_attribute(name)} {_counts(counts)}>\n"]
    for case, body in bodies:
        head = f"    <testcase classname={_attribute(name)} name={_attribute(case.rule)}"
        if not body:
            lines.append(f"{head}/>\n")
            continue
        lines.append(f"{head}>\n" + "".join(f"      {line}\n" for line in body) + "    </testcase>\n")
    return "".join(lines) + "  </testsuite>\n", counts


def _outcome(case: _Case) -> Iterator[str]:
    """Yield what a case holds: one failure or error for all its findings, else why it was skipped, else nothing."""
    bad = [finding for finding in case.findings if finding.severity > Severity.INFO]
    if bad:
        word = "error" if case.rule.startswith("RUN-") else "failure"
        worst = max(bad, key=lambda finding: finding.severity)
        text = "\n".join(_lines(bad))
        kind = _attribute(worst.severity.word)
        yield f"<{word} type={kind} message={_attribute(_sentence(worst))}>{_content(text)}</{word}>"
    elif case.missing:
        yield f"<skipped message={_attribute('not evaluated for want of ' + '; '.join(case.missing[:5]))}/>"
    remarks = [finding for finding in case.findings if finding.severity is Severity.INFO]
    if remarks:
        text = "\n".join(_lines(remarks))
        yield f"<system-out>{_content(text)}</system-out>"


def _sentence(finding: Finding) -> str:
    return f"{finding.object}: {finding.message}" if finding.object else finding.message


def _lines(findings: list[Finding]) -> Iterator[str]:
    for finding in findings:
        place = f"{finding.file}:{finding.line}: " if finding.file and finding.line else ""
        yield printable(f"{place}{finding.severity.word} {finding.rule} {_sentence(finding)}")
        if finding.help:
            yield printable(f"    help: {finding.help}")


def _counts(counts: list[int]) -> str:
    return 'tests="{}" failures="{}" errors="{}" skipped="{}"'.format(*counts)


def _attribute(text: str) -> str:
    return quoteattr(_NOT_XML.sub("?", printable(text)))


def _content(text: str) -> str:
    return escape(_NOT_XML.sub("?", text))
