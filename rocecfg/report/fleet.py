"""An audit of a fleet as one HTML file: what changed, which switch hurts first, what to type; then everything else.

No network, no markup from a device: a Content-Security-Policy allows the file's own script and style by their digest
and nothing besides. It prints whole, and reads on a phone.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections import Counter
from dataclasses import dataclass
from datetime import UTC
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from rocecfg import __version__
from rocecfg.findings import Severity
from rocecfg.packs import room_folders
from rocecfg.report import fleet_changes, fleet_physics, fleet_ranking
from rocecfg.report.fleet_grouping import as_data, grouped, listed, natural, short
from rocecfg.report.fleet_remedy import cures, remedies_of
from rocecfg.report.fleet_topology import topology
from rocecfg.report.html import as_code
from rocecfg.report.table import counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from jinja2 import Environment

    from rocecfg.cli.auditing import Audited
    from rocecfg.findings import Finding
    from rocecfg.history.query import Account
    from rocecfg.plan.planned import Plan
    from rocecfg.remedy.make import Remedy
    from rocecfg.report.fleet_changes import Changes
    from rocecfg.report.fleet_grouping import RuleGroup
    from rocecfg.report.fleet_remedy import Cure, Cures

__all__ = ["remedies_of", "write"]

MOST_MISSING = 300
MOST_LINES = 300
MOST_UNREAD = 1000
_CHANGES = 6
_SCREEN = 12
"""Lines of commands that the first screen has room for."""


def write(
    audited: Audited, plan: Plan, account: Account | None = None, remedies: Mapping[str, Remedy] | None = None
) -> str:
    """Return an audit as a self-contained HTML page.

    `account` = the history of this fabric, with or without this audit. `remedies` = remedy by device, such as
    `remedies_of` makes of the devices that drifted most.
    """
    env = _environment()
    style, script = (env.get_template(f"report/fleet.{kind}.j2").render() for kind in ("css", "js"))
    values = view(audited, plan, account, remedies)
    return env.get_template("report/fleet.html.j2").render(
        **values, style=style, script=script, style_hash=_digest(style), script_hash=_digest(script)
    )


@lru_cache(maxsize=1)
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    rooms = [str(room) for room in room_folders("templates")]
    env = Environment(
        loader=FileSystemLoader([*rooms, *(f"{room}/report" for room in rooms)]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    env.filters["code"] = as_code
    env.filters["counted"] = counted
    env.filters["grouped"] = _thousands
    return env


def _digest(text: str) -> str:
    """Return the digest that a Content-Security-Policy knows a script or style by."""
    return b64encode(sha256(text.encode()).digest()).decode()


def _thousands(number: int) -> str:
    return f"{number:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")


@dataclass(frozen=True, slots=True)
class _Tile:
    """A figure of the first screen."""

    kind: str
    value: str
    name: str
    note: str
    better: bool | None


def view(
    audited: Audited, plan: Plan, account: Account | None, remedies: Mapping[str, Remedy] | None
) -> dict[str, Any]:
    """Return what the template prints."""
    outcome = audited.outcome
    findings = outcome.findings
    changed = fleet_changes.changes(audited, account)
    rules = grouped(findings, changed.is_fresh, changed.since)
    status = {item.device: item.status for item in audited.devices}
    states = fleet_ranking.states(findings, status)
    names = sorted({*plan.fabric.devices, *status, *(f.device for f in findings if f.device)}, key=natural)
    numbers = {name: at for at, name in enumerate(names)}
    ranked = fleet_ranking.ranked(findings, rules, changed.is_fresh)
    fixes = cures(remedies, [item.name for item in ranked])
    for problem in (problem for rule in rules for problem in rule.problems):
        problem.cures = fixes.numbers_of(problem.devices)
    counts = Counter(finding.severity for finding in findings)
    unread = [item for item in audited.devices if item.status != "ok"]
    failed = sum(item.status == "failed" for item in audited.devices)
    devices = [name for name in names if name in status or name in plan.fabric.devices]
    return {
        "fabric": short(audited.fabric),
        "version": __version__,
        "started": _moment(audited.started),
        "finished": _moment(audited.finished),
        "took": _took((audited.finished - audited.started).total_seconds()),
        "verdict": _verdict(counts, failed, audited),
        "verdict_kind": "error" if counts[Severity.ERROR] else "unread" if failed else
        "warning" if counts[Severity.WARNING] else "ok",
        "tiles": _tiles(audited, changed, counts, failed, states, devices),
        "history": account is not None,
        "before": _moment(changed.before.finished) if changed.before is not None else "",
        "fresh": _fresh(rules),
        "fresh_count": sum(rule.fresh for rule in rules),
        "back": changed.back,
        "gone": fleet_changes.gone_rows(changed.gone, _CHANGES),
        "gone_count": len(changed.gone),
        "ranked": ranked[:5],
        "ranked_all": ranked[:300],
        "ranked_hidden": max(len(ranked) - 300, 0),
        "numbers": numbers,
        "fixes": fixes,
        "first_fixes": _first_fixes([item.name for item in ranked], fixes),
        "trend": fleet_changes.trend(
            audited, account, counts[Severity.ERROR], counts[Severity.WARNING], failed
        ),
        "topology": topology(plan.fabric, states, fleet_ranking.bad_ports(findings), numbers),
        "rules": rules,
        "severities": [(severity.word, counts[severity]) for severity in sorted(Severity, reverse=True)],
        "total": len(findings),
        "problems": sum(len(rule.problems) for rule in rules),
        "unread": _unread(unread),
        "unread_hidden": max(len(unread) - MOST_UNREAD, 0),
        "physics": fleet_physics.groups_of(plan),
        "not_evaluated": _missing(audited),
        "not_understood": _not_understood(audited),
        "strangers": audited.strangers,
        "rules_run": len(outcome.rules),
        "data": _json({"devices": [short(name) for name in names], **as_data(rules, numbers)}),
    }  # fmt: skip


def _json(data: Any) -> Any:
    """Return data for the script: no character of it can end the element it stands in."""
    from markupsafe import Markup

    text = json.dumps(data, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))  # noqa: S704 - escaped


def _moment(moment: datetime) -> str:
    known = moment.astimezone(UTC) if moment.tzinfo is not None else moment
    return f"{known:%Y-%m-%d %H:%M} UTC"


def _took(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _verdict(counts: Counter[Severity], failed: int, audited: Audited) -> str:
    parts = []
    broken = {f.device for f in audited.outcome.findings if f.severity is Severity.ERROR and _is_own(f)}
    if broken:
        parts.append(f"{counted(len(broken), 'device')} with errors")
    if failed:
        parts.append(f"{failed} could not be read")
    if not parts and counts[Severity.WARNING]:
        return f"No errors, {counted(counts[Severity.WARNING], 'warning')}"
    if not parts:
        return "Nothing wrong was found" if not counts[Severity.ERROR] else counted(counts[Severity.ERROR], "error")
    return ", ".join(parts)


def _is_own(finding: Finding) -> bool:
    return bool(finding.device) and not finding.rule.startswith("RUN-")


def _tiles(
    audited: Audited,
    changed: Changes,
    counts: Counter[Severity],
    failed: int,
    states: Mapping[str, str],
    devices: Sequence[str],
) -> list[_Tile]:
    before = changed.before
    read = len(audited.devices) - failed
    drifted = len({f.device for f in audited.outcome.findings if f.rule == "DRIFT-001"})
    clean = sum(states.get(name) == "ok" for name in devices)
    return [
        _Tile("error", _thousands(counts[Severity.ERROR]), _plural(counts[Severity.ERROR], "error"),
              *_delta(counts[Severity.ERROR], before.errors if before else None)),
        _Tile("warning", _thousands(counts[Severity.WARNING]), _plural(counts[Severity.WARNING], "warning"),
              *_delta(counts[Severity.WARNING], before.warnings if before else None)),
        _Tile("drift", _thousands(drifted), "drifted", f"of {counted(read, 'device')} read", None),
        _Tile("unread" if failed else "ok", f"{_thousands(read)}/{_thousands(len(audited.devices))}", "read",
              f"{failed} failed" if failed else "all answered", not failed if failed else None),
        _Tile("ok", _thousands(clean), "clean", f"no errors, no warnings, of {len(devices)}", None),
    ]  # fmt: skip


def _plural(count: int, word: str) -> str:
    return word if count == 1 else f"{word}s"


def _delta(now: int, before: int | None) -> tuple[str, bool | None]:
    if before is None:
        return "", None
    change = now - before
    if not change:
        return "as last time", None
    sign = "+" if change > 0 else "\N{MINUS SIGN}"
    return f"{sign}{_thousands(abs(change))} since last audit", change < 0


def _first_fixes(names: Sequence[str], fixes: Cures) -> list[Cure]:
    """Return the remedies of the devices that hurt first: three, or as many as one screen holds."""
    found = list({fix.number: fix for name in names if (fix := fixes.first(name)) is not None}.values())
    shown, lines = found[:1], found[0].count if found else 0
    for fix in found[1:3]:
        lines += fix.count
        if lines > _SCREEN:
            break
        shown.append(fix)
    return shown


def _fresh(rules: Sequence[RuleGroup]) -> tuple[list[dict[str, Any]], int]:
    """Return what is new, the worst first, and how many sentences are left out."""
    found = [problem for rule in rules for problem in rule.problems if problem.fresh]
    found.sort(key=lambda item: (-item.severity, -item.fresh, item.number))
    rows = [
        {"rule": item.rule, "severity": item.severity.word, "message": item.message, "number": item.number,
         "devices": listed(sorted(item.fresh_devices, key=natural), 3)}
        for item in found[:_CHANGES]
    ]  # fmt: skip
    return rows, max(len(found) - _CHANGES, 0)


def _unread(unread: Sequence[Any]) -> list[dict[str, Any]]:
    """Return devices that were not read or not whole, by reason; equal reasons once."""
    groups: dict[tuple[str, str, str], list[str]] = {}
    for item in unread[:MOST_UNREAD]:
        groups.setdefault((item.status, item.rule, item.reason), []).append(item.device)
    order = sorted(groups.items(), key=lambda row: (row[0][0] != "failed", row[0][1], natural(row[1][0])))
    return [
        {"status": status, "rule": short(rule), "reason": short(reason) or "no reason was given",
         "devices": listed(sorted(names, key=natural)), "count": len(names)}
        for (status, rule, reason), names in order
    ]  # fmt: skip


def _missing(audited: Audited) -> tuple[list[dict[str, Any]], int]:
    """Return what could not be judged: rule, what was missing, on which devices."""
    groups: dict[tuple[str, str], dict[str, None]] = {}
    for item in audited.outcome.not_evaluated:
        groups.setdefault((item.missing, item.rule), {})[item.device] = None
    merged: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for (missing, rule), devices in groups.items():
        merged.setdefault((missing, tuple(devices)), []).append(rule)
    rows: list[dict[str, Any]] = [
        {"rules": ", ".join(sorted(rules)), "missing": short(missing), "count": sum(map(bool, devices)),
         "devices": listed(sorted(filter(None, devices), key=natural), 4)}
        for (missing, devices), rules in merged.items()
    ]  # fmt: skip
    rows.sort(key=lambda row: (-row["count"], row["rules"]))
    return rows[:MOST_MISSING], max(len(rows) - MOST_MISSING, 0)


def _not_understood(audited: Audited) -> tuple[list[dict[str, Any]], int]:
    """Return lines that nobody took, equal ones once with where the first stands."""
    groups: dict[str, list[Any]] = {}
    for item in audited.outcome.not_understood:
        groups.setdefault(item.text.strip(), []).append(item)
    rows = [
        {"text": short(text)[:300], "count": len(items), "place": short(f"{items[0].file}:{items[0].line}")}
        for text, items in sorted(groups.items(), key=lambda row: -len(row[1]))
    ]
    return rows[:MOST_LINES], max(len(rows) - MOST_LINES, 0)
