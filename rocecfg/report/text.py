"""Findings as text, for people: place, severity, rule, object and a sentence; the cure on the next line.

pod1.roce.yaml:14:9: error PFC-003 leaf1 Ethernet1/7: 4 lossless priorities, 2 are the most that ...
    help: merge classes   explain: rocecfg explain PFC-003
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from rocecfg.findings import Severity
from rocecfg.report.table import counted, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rocecfg.findings import Finding
    from rocecfg.report.outcome import Outcome

_COLOURS = {Severity.ERROR: "31;1", Severity.WARNING: "33;1", Severity.INFO: "36"}
_SHOWN_LINES = _SHOWN_REMARKS = 3


def write(outcome: Outcome, *, colour: bool = False) -> str:
    """Return an outcome as text; the last line sums it up."""
    parts = list(_findings(outcome, colour))
    if parts:
        parts.append("")
    parts += _blind_spots(outcome)
    parts.append(_painted(summary(outcome), "1", colour))
    return "\n".join(parts) + "\n"


def _findings(outcome: Outcome, colour: bool) -> Iterator[str]:
    """Yield every error and warning, and the first remarks of each rule: hygiene must not bury what loses traffic."""
    remarks: Counter[str] = Counter()
    for finding in outcome.findings:
        if finding.severity is Severity.INFO:
            remarks[finding.rule] += 1
            if remarks[finding.rule] > _SHOWN_REMARKS:
                continue
        yield _finding(finding, colour)
    for rule, count in sorted(remarks.items()):
        if count > _SHOWN_REMARKS:
            info = _painted(Severity.INFO.word, _COLOURS[Severity.INFO], colour)
            yield f"{count - _SHOWN_REMARKS} more {info} findings of {rule} (--format json lists all)"


def _finding(finding: Finding, colour: bool) -> str:
    place = _painted(f"{_place(finding)}:", "1", colour)
    severity = _painted(finding.severity.word, _COLOURS[finding.severity], colour)
    subject = printable(" ".join(word for word in (finding.device, finding.object) if word))
    head = f"{place} {severity} {finding.rule}{' ' if subject else ''}{subject}: {printable(finding.message)}"
    cure = f"help: {printable(finding.help)}   " if finding.help else ""
    return f"{head}\n    {cure}explain: rocecfg explain {finding.rule}"


def _place(finding: Finding) -> str:
    place = printable(finding.file) or "-"
    if finding.line:
        place += f":{finding.line}"
        if finding.column:
            place += f":{finding.column}"
    return place


def _blind_spots(outcome: Outcome) -> list[str]:
    """Say what was not looked at or not understood: silence would read as "clean"."""
    lines = []
    if outcome.not_evaluated:
        rules = Counter(item.rule for item in outcome.not_evaluated)
        missing = Counter(item.missing for item in outcome.not_evaluated)
        common = ", ".join(printable(text) for text, _ in missing.most_common(3))
        more = f" and {len(missing) - 3} other inputs" if len(missing) > 3 else ""
        lines.append(f"not evaluated: {_list(rules)} for want of {common}{more} (--format json lists all)")
    if outcome.not_understood:
        files = len({item.file for item in outcome.not_understood})
        lines.append(
            f"not understood: {counted(len(outcome.not_understood), 'line')} in {counted(files, 'file')}, such as"
        )
        lines += [
            f"    {printable(item.file)}:{item.line}: {printable(item.text)}"
            for item in outcome.not_understood[:_SHOWN_LINES]
        ]
    return lines


def summary(outcome: Outcome) -> str:
    """Return the last line: what was found, and in how much."""
    counts = [(Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.INFO, "info")]
    found = [counted(outcome.count(severity), word) for severity, word in counts if outcome.count(severity)]
    looked_at = [counted(outcome.devices, "device")] if outcome.devices else []
    looked_at.append(counted(outcome.files, "file"))
    text = f"{', '.join(found) or 'no findings'} in {', '.join(looked_at)}"
    return f"{text}; {outcome.unreadable} could not be read" if outcome.unreadable else text


def _list(rules: Iterable[str]) -> str:
    names = sorted(rules)
    return ", ".join(names[:6]) + (f" and {len(names) - 6} more rules" if len(names) > 6 else "")


def _painted(text: str, code: str, colour: bool) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if colour else text
