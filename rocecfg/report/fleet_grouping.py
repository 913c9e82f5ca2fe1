"""Findings of a fleet, grouped for reading: by rule, equal sentences once, the devices beside them as ranges."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rocecfg.lint.ranges import ranges
from rocecfg.report import rulepage
from rocecfg.report.fleet_excerpt import Excerpts
from rocecfg.report.table import counted, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rocecfg.findings import Finding, Severity

MOST_PROBLEMS = 2000
"""Distinct sentences that are written out; the rest is counted."""
MOST_PLACES = 60
"""Lines of devices and ports below one sentence."""
MOST_SPOTS = 40_000
"""Places that the filter by device can show."""
LONGEST = 2000
"""Characters of one sentence, object or name; hostile devices have longer ones."""
_LIVE = {"Counters", "CounterPair", "CounterFabric"}
_NUMBER = re.compile(r"(\d+)")


@dataclass(slots=True)
class Problem:
    """One sentence about one or many devices."""

    number: int
    rule: str
    severity: Severity
    message: str
    help: str
    findings: list[Finding] = field(default_factory=list)
    fresh: int = 0
    fresh_devices: dict[str, None] = field(default_factory=dict)
    since: str = ""
    devices: tuple[str, ...] = ()
    places: list[tuple[str, str]] = field(default_factory=list)
    """Devices and object, as people write them."""
    hidden: int = 0
    excerpt: Any = None
    same: str = ""
    """How many places a sentence was seen at."""
    cures: list[int] = field(default_factory=list)
    """The number of the remedy that its devices share."""


@dataclass(slots=True)
class RuleGroup:
    """What one rule found in the whole fleet, and its page."""

    id: str
    name: str
    severity: Severity
    title: str
    sections: list[tuple[str, str]]
    live: bool
    """The rule reads counters: it says what happens now."""
    problems: list[Problem] = field(default_factory=list)
    count: int = 0
    devices: int = 0
    fresh: int = 0
    hidden: int = 0


def natural(name: str) -> list[Any]:
    """Return a sort key that puts leaf2 before leaf10."""
    return [int(part) if at % 2 else part for at, part in enumerate(_NUMBER.split(name[:200]))]


def short(text: str) -> str:
    """Return a device's text as one harmless line of bounded length."""
    shown = printable(text)
    return shown if len(shown) <= LONGEST else f"{shown[:LONGEST]} ... ({len(shown)} characters)"


def listed(names: Iterable[str], most: int = 6, noun: str = "device") -> str:
    """Return names as ranges: `leaf1-8, spine2`, at most a few of them and then their number."""
    known = list(names)
    runs = ranges(known)
    text = ", ".join(runs[:most])
    return short(text if len(runs) <= most else f"{text} ... ({counted(len(known), noun)})")


def grouped(
    findings: Sequence[Finding], is_fresh: Callable[[int], bool], since: Callable[[int], str]
) -> list[RuleGroup]:
    """Return what the rules found, the worst and most frequent first."""
    problems: dict[tuple[Any, ...], Problem] = {}
    rules: dict[str, RuleGroup] = {}
    for at, finding in enumerate(findings):
        key = (finding.rule, finding.severity, finding.message, finding.help)
        problem = problems.get(key)
        if problem is None:
            problem = problems[key] = Problem(
                0, finding.rule, finding.severity, short(finding.message), short(finding.help), since=since(at)
            )
            rule = rules.get(finding.rule)
            if rule is None:
                rule = rules[finding.rule] = _rule(finding)
            rule.problems.append(problem)
        problem.findings.append(finding)
        fresh = is_fresh(at)
        problem.fresh += fresh
        if fresh:
            problem.fresh_devices[finding.device or finding.file] = None
        problem.since = min(filter(None, (problem.since, since(at))), default="")
        rule = rules[finding.rule]
        rule.count += 1
        rule.fresh += fresh
        rule.severity = max(rule.severity, finding.severity)
    for rule in rules.values():
        rule.devices = len({finding.device for problem in rule.problems for finding in problem.findings})
    ordered = sorted(rules.values(), key=lambda rule: (-rule.severity, not rule.live, -rule.devices, rule.id))
    _fill(ordered)
    return ordered


def _fill(rules: list[RuleGroup]) -> None:
    """Give the problems numbers in order of reading, and work out what is printed of each, within bounds."""
    excerpts, number = Excerpts(), 0
    left = MOST_PROBLEMS
    for at, rule in enumerate(rules):
        rule.problems.sort(key=lambda item: (-item.severity, -item.fresh, -len(item.findings), item.message))
        share = max(left // (len(rules) - at), 1)
        kept = rule.problems[:share]
        rule.hidden = sum(len(item.findings) for item in rule.problems[share:])
        rule.problems = kept
        left -= len(kept)
        for problem in kept:
            problem.number, number = number, number + 1
            problem.devices = tuple(sorted({item.device for item in problem.findings if item.device}, key=natural))
            _places(problem)
            problem.excerpt = next(filter(None, (excerpts.of(item) for item in problem.findings[:3])), None)


def _places(problem: Problem) -> None:
    by_object: dict[str, dict[str, None]] = {}
    for finding in problem.findings:
        by_object.setdefault(finding.object, {})[finding.device or finding.file] = None
    lines = [
        (listed(sorted(devices, key=natural), 12), short(about))
        for about, devices in sorted(by_object.items(), key=lambda item: (-len(item[1]), natural(item[0])))
    ]
    problem.places, problem.hidden = lines[:MOST_PLACES], max(len(lines) - MOST_PLACES, 0)
    devices = len(problem.devices)
    problem.same = counted(devices, "device") if devices else counted(len(problem.findings), "place")


def _rule(finding: Finding) -> RuleGroup:
    page = rulepage.page_of(finding.rule)
    if page is None:
        return RuleGroup(short(finding.rule), short(finding.name), finding.severity, "", [], live=False)
    headings = ("What it finds", "Why it matters", "What to do", "When to ignore", "References")
    sections = [(heading, _paragraphs(text)) for heading in headings if (text := page.section(heading))]
    live = any(check.subject in _LIVE for check in page.rule.rule.checks)
    return RuleGroup(finding.rule, page.name, finding.severity, page.title, sections, live)


def _paragraphs(text: str) -> str:
    """Return a page's text with one line a paragraph or list item, as a browser wraps it anew."""
    lines: list[str] = []
    for line in text.splitlines():
        starts = not line.strip() or not lines or not lines[-1] or line.lstrip().startswith("- ")
        lines[len(lines) if starts else len(lines) - 1 :] = [line.strip() if starts else f"{lines[-1]} {line.strip()}"]
    return "\n".join(lines)


def as_data(rules: Sequence[RuleGroup], numbers: dict[str, int]) -> dict[str, Any]:
    """Return what the filters need: for each problem its devices and places, equal ones as ranges of numbers."""
    words: dict[str, int] = {}
    problems, left = [], MOST_SPOTS
    for rule in rules:
        for problem in rule.problems:
            spots: dict[tuple[int, int, int], list[int]] = {}
            for finding in problem.findings:
                if finding.device not in numbers:
                    continue
                file = short(finding.file).replace(short(finding.device), "*") if finding.device else finding.file
                where = words.setdefault(short(finding.object), len(words)), words.setdefault(file, len(words))
                spots.setdefault((*where, finding.line), []).append(numbers[finding.device])
            left -= len(spots)
            every = run_text({number for at in spots.values() for number in at})
            kept = [["" if len(spots) == 1 else run_text(at), *key] for key, at in spots.items()] if left > 0 else []
            problems.append([every, kept])
    return {"words": list(words), "problems": problems}


def run_text(numbers: Iterable[int]) -> str:
    """Return whole numbers as `0-99,120`."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join(str(low) if low == high else f"{low}-{high}" for low, high in runs)
