"""The verdict of an acceptance run as text, JSON, JUnit, Markdown or HTML."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape, quoteattr

from rocecfg.acceptance.verdict import Status
from rocecfg.report.table import printable

if TYPE_CHECKING:
    from rocecfg.acceptance.verdict import Outcome, Verdict

MOST = 500
"""Judgements told one by one in text, Markdown and HTML; JSON and JUnit have all."""
MOST_HOSTS = 128
"""Rows of the heat map drawn host by host; above that, hosts stand together in blocks, each with its worst pair."""
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$@!])")
_COLOURS = {Status.PASS: "#2e7d32", Status.FAIL: "#c62828", Status.UNKNOWN: "#8d6e63"}


def write(outcome: Outcome, form: str) -> str:
    """Return the outcome in a form: text, json, junit, markdown or html."""
    return {"text": text, "json": as_json, "junit": junit, "markdown": markdown, "html": html}[form](outcome)


def _head(outcome: Outcome) -> str:
    counts = outcome.counts
    told = ", ".join(f"{counts[status]} {status.value}" for status in Status if counts[status])
    return f"acceptance of {printable(outcome.intent)}: {outcome.status.value} ({told or 'nothing to judge'})"


def _bad(outcome: Outcome) -> list[Verdict]:
    """Return what did not pass, failures first; steps and stages are told apart."""
    bad = [v for v in outcome.verdicts if v.status is not Status.PASS and v.about not in {"step", "stage"}]
    return sorted(bad, key=lambda verdict: verdict.status is not Status.FAIL)


def _lines(verdict: Verdict) -> list[str]:
    what = verdict.measured + (f" (limit {verdict.limit})" if verdict.limit else "")
    said = "; ".join(part for part in (what, verdict.reason) if part)
    place = "/".join(part for part in (verdict.stage, verdict.step) if part)
    lines = [f"{verdict.status.value}  {place}  {verdict.subject}: {verdict.check}: {said}"]
    if verdict.likely:
        lines.append(f"likely: {verdict.likely}")
    if verdict.rules:
        lines.append(f"rules: {', '.join(verdict.rules)} (rocecfg explain {verdict.rules[0]})")
    return [printable(line) for line in lines]


def text(outcome: Outcome) -> str:
    """Return the outcome for a terminal: the sum, the steps, then what did not pass."""
    parts = [_head(outcome), ""]
    for verdict in outcome.verdicts:
        if verdict.about == "stage":
            parts.append(printable(f"stage {verdict.subject}: {verdict.status.value} ({verdict.reason})"))
        elif verdict.about == "step":
            name = f"{verdict.stage}/{verdict.step} ({verdict.subject})"
            parts.append(printable(f"  {name}: {verdict.status.value} ({verdict.reason or 'nothing measured'})"))
    bad = _bad(outcome)
    parts += [""] if bad else []
    for verdict in bad[:MOST]:
        first, *rest = _lines(verdict)
        parts += [first, *(f"    {line}" for line in rest)]
    parts += [f"{len(bad) - MOST} more are in the JSON"] if len(bad) > MOST else []
    return "\n".join(parts) + "\n"


def _as_data(verdict: Verdict) -> dict[str, Any]:
    data: dict[str, Any] = {
        "stage": verdict.stage,
        "step": verdict.step,
        "about": verdict.about,
        "subject": verdict.subject,
        "check": verdict.check,
        "status": verdict.status.value,
        "measured": verdict.measured,
        "limit": verdict.limit,
        "reason": verdict.reason,
    }
    if verdict.share is not None:
        data["share"] = round(verdict.share, 4)
    if verdict.likely:
        data |= {"likely": verdict.likely, "rules": list(verdict.rules)}
    return data


def as_json(outcome: Outcome) -> str:
    """Return every judgement as JSON."""
    counts = outcome.counts
    data = {
        "schema": 1,
        "intent": outcome.intent,
        "status": outcome.status.value,
        "summary": {status.value: counts[status] for status in Status},
        "verdicts": [_as_data(verdict) for verdict in outcome.verdicts],
    }
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def junit(outcome: Outcome) -> str:
    """Return JUnit XML: a suite per step; a failure is a failure, "cannot judge" an error, never passed."""
    suites: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in outcome.verdicts:
        if verdict.about not in {"step", "stage"}:
            suites[f"{verdict.stage}/{verdict.step}"].append(verdict)
    for verdict in outcome.verdicts:  # a step with nothing in it is none that passed
        if verdict.about == "step" and f"{verdict.stage}/{verdict.step}" not in suites:
            suites[f"{verdict.stage}/{verdict.step}"].append(verdict)
    told = [verdict for suite in suites.values() for verdict in suite]
    parts = ['<?xml version="1.0" encoding="utf-8"?>\n', f'<testsuites name="rocecfg accept" {_tally(told)}>\n']
    for name, verdicts in suites.items():
        parts.append(f"  <testsuite name={_attribute(name)} {_tally(verdicts)}>\n")
        for verdict in verdicts:
            case = (
                f"    <testcase classname={_attribute(name)} name={_attribute(f'{verdict.subject}: {verdict.check}')}"
            )
            if verdict.status is Status.PASS:
                parts.append(case + "/>\n")
                continue
            word = "failure" if verdict.status is Status.FAIL else "error"
            first, *rest = _lines(verdict)
            body = escape(_NOT_XML.sub("?", "\n".join(rest)))
            parts.append(f"{case}>\n      <{word} message={_attribute(first)}>{body}</{word}>\n    </testcase>\n")
        parts.append("  </testsuite>\n")
    return "".join([*parts, "</testsuites>\n"])


def _tally(verdicts: list[Verdict]) -> str:
    failures = sum(verdict.status is Status.FAIL for verdict in verdicts)
    errors = sum(verdict.status is Status.UNKNOWN for verdict in verdicts)
    return f'tests="{len(verdicts)}" failures="{failures}" errors="{errors}" skipped="0"'


def _attribute(words: str) -> str:
    return quoteattr(_NOT_XML.sub("?", printable(words)))


def _plain(words: str) -> str:
    return _SPECIAL.sub(r"\\\1", " ".join(printable(words).split())[:600])


def markdown(outcome: Outcome) -> str:
    """Return the outcome as Markdown: the steps, then what did not pass."""
    lines = ["## " + _plain(_head(outcome)), "", "| stage | step | verdict | judgements |", "|---|---|---|---|"]
    for verdict in outcome.verdicts:
        if verdict.about in {"step", "stage"}:
            cells = (verdict.stage, verdict.step or "all", verdict.status.value, verdict.reason)
            lines.append("| " + " | ".join(map(_plain, cells)) + " |")
    bad = _bad(outcome)
    if bad:
        lines += ["", "| verdict | where | what | measured | likely, rules |", "|---|---|---|---|---|"]
    for verdict in bad[:MOST]:
        what = verdict.measured + (f" (limit {verdict.limit})" if verdict.limit else "")
        said = "; ".join(part for part in (what, verdict.reason) if part)
        why = verdict.likely + (f": {', '.join(verdict.rules)}" if verdict.rules else "")
        place = f"{verdict.stage}/{verdict.step} {verdict.subject}"
        lines.append("| " + " | ".join(map(_plain, (verdict.status.value, place, verdict.check, said, why))) + " |")
    lines += ["", f"{len(bad) - MOST} more are in the JSON."] if len(bad) > MOST else []
    return "\n".join(lines) + "\n"


def html(outcome: Outcome) -> str:
    """Return one self-contained page: a heat map of the pairs, the steps, and what did not pass."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    from rocecfg.packs import room_folders

    env = Environment(
        loader=FileSystemLoader([str(room) for room in room_folders("templates")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    bad = _bad(outcome)
    return env.get_template("report/acceptance.html.j2").render(
        head=_head(outcome),
        heat=_heat(outcome),
        steps=[verdict for verdict in outcome.verdicts if verdict.about in {"step", "stage"}],
        bad=bad[:MOST],
        hidden=max(len(bad) - MOST, 0),
        say=printable,
    )


def _heat(outcome: Outcome) -> dict[str, Any]:
    """Return the cells of the heat map: client down, server across, colour the verdict, strength the share."""
    hosts = sorted({host for pair in outcome.pairs for host in pair})
    block = -(-len(hosts) // MOST_HOSTS) or 1
    at = {host: index // block for index, host in enumerate(hosts)}
    cells: dict[tuple[int, int], tuple[Status, float | None, str]] = {}
    for (client, server), (status, share) in sorted(outcome.pairs.items()):
        key = (at[client], at[server])
        said = f"{client} -> {server}: {status.value}" + (f", {share:.1%} of the line" if share is not None else "")
        mine = (_rank(status), 1.0 if share is None else share)
        old = cells.get(key)
        if old is None or mine < (_rank(old[0]), 1.0 if old[1] is None else old[1]):
            cells[key] = (status, share, said)
    names = [printable(hosts[index * block]) for index in range(-(-len(hosts) // block))]
    size = 12
    return {
        "size": size,
        "left": 8 * max((len(name) for name in names), default=0) + 8,
        "names": names,
        "block": block,
        "cells": [
            {
                "x": column * size,
                "y": row * size,
                "colour": _COLOURS[status],
                "strength": f"{0.35 + 0.65 * min(max(share if share is not None else 1.0, 0.0), 1.0):.2f}",
                "said": printable(said),
            }
            for (row, column), (status, share, said) in sorted(cells.items())
        ],
    }


def _rank(status: Status) -> int:
    return (Status.FAIL, Status.UNKNOWN, Status.PASS).index(status)
