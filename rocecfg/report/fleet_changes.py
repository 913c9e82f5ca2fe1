"""What changed since the last audit, and the trend of the last ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rocecfg.lint.identity import fingerprints
from rocecfg.report.fleet_grouping import listed, natural, short
from rocecfg.report.table import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rocecfg.cli.auditing import Audited
    from rocecfg.history.query import Account, Audit, Known

MOST_AUDITS = 30
WIDTH, HEIGHT = 1160, 190
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 14, 30


@dataclass(slots=True)
class Changes:
    """The audit before this one, which findings are new, which went away."""

    before: Audit | None = None
    marks: list[str] = field(default_factory=list)
    """The fingerprint of each finding, in order."""
    fresh: set[str] = field(default_factory=set)
    back: int = 0
    """Findings that had gone and are here again."""
    gone: list[Known] = field(default_factory=list)
    first_seen: dict[str, datetime] = field(default_factory=dict)

    def is_fresh(self, at: int) -> bool:
        """Return whether the finding at a place of the list is new."""
        return bool(self.marks) and self.marks[at] in self.fresh

    def since(self, at: int) -> str:
        """Return the day a finding was first seen; empty without a history."""
        seen = self.first_seen.get(self.marks[at]) if self.marks else None
        return f"{seen:%Y-%m-%d}" if seen is not None else ""


def changes(audited: Audited, account: Account | None) -> Changes:
    """Compare an audit with the one before; it may stand in the history already or not yet."""
    if account is None:
        return Changes()
    now = utc(audited.finished)
    known = {item.fingerprint: item for item in account.findings}
    marks = fingerprints(audited.outcome.findings)
    first = {mark: known[mark].first_seen for mark in marks if mark in known}
    audits = [item for item in account.audits if item.fabric == audited.fabric]
    recorded = next((item for item in audits if item.finished == now), None)
    before = next((item for item in audits if item.finished < now), None)
    if before is None:
        return Changes(None, marks, set(), 0, [], first)
    seen = set(marks)
    fresh = {mark for mark in seen if mark not in known or known[mark].first_seen > before.finished}
    if recorded is not None:
        gone = [item for item in known.values() if item.resolved is not None and before.finished < item.resolved <= now]
        return Changes(before, marks, fresh, max(recorded.new - len(fresh), 0), gone, first)
    back = {mark for mark in seen if mark in known and known[mark].resolved is not None}
    read = {item.device for item in audited.devices if item.status != "failed"}
    rules = set(audited.outcome.rules)
    gone = [
        item
        for mark, item in known.items()
        if mark not in seen
        and item.resolved is None
        and (not item.device or item.device in read)
        and (item.rule in rules or not rules or item.rule.startswith("RUN-"))
    ]
    return Changes(before, marks, fresh | back, len(back), gone, first)


def utc(moment: datetime) -> datetime:
    """Return a moment as the history keeps it: UTC without a zone."""
    return moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo is not None else moment


def gone_rows(gone: Iterable[Known], most: int = 8) -> tuple[list[dict[str, str]], int]:
    """Return what went away, equal sentences once, and how many rows are left out."""
    rows: dict[tuple[str, str, str], dict[str, None]] = {}
    for item in gone:
        rows.setdefault((item.rule, item.severity, item.message), {})[item.device or item.file] = None
    order = {"error": 0, "warning": 1, "info": 2}
    found = sorted(rows.items(), key=lambda row: (order.get(row[0][1], 3), -len(row[1]), row[0]))
    made = [
        {"rule": short(rule), "severity": severity if severity in order else "info", "message": short(message),
         "devices": listed(sorted(devices, key=natural), 3)}
        for (rule, severity, message), devices in found[:most]
    ]  # fmt: skip
    return made, max(len(found) - most, 0)


@dataclass(frozen=True, slots=True)
class Column:
    """One audit in the trend."""

    x: float
    width: float
    parts: tuple[tuple[str, float, float], ...]
    """Kind, top and height of each part of the column."""
    unread: int
    label: str
    title: str
    centre: float


@dataclass(frozen=True, slots=True)
class Trend:
    """Columns over time: errors below, warnings above; a mark where devices could not be read."""

    columns: tuple[Column, ...]
    ticks: tuple[tuple[float, int], ...]
    text: str
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM


@dataclass(frozen=True, slots=True)
class _Figures:
    finished: datetime
    errors: int
    warnings: int
    unread: int
    new: int | None
    resolved: int | None


def trend(audited: Audited, account: Account | None, errors: int, warnings: int, unread: int) -> Trend | None:
    """Return the last audits as columns; None where there is nothing to compare."""
    if account is None:
        return None
    audits = sorted((item for item in account.audits if item.fabric == audited.fabric), key=lambda item: item.finished)
    now = utc(audited.finished)
    figures = [
        _Figures(item.finished, item.errors, item.warnings, item.unread, item.new, item.resolved)
        for item in audits
        if item.finished <= now
    ]
    if not figures or figures[-1].finished < now:
        figures.append(_Figures(now, errors, warnings, unread, None, None))
    figures = figures[-MOST_AUDITS:]
    return _drawn(figures) if len(figures) > 1 else None


def _drawn(figures: Sequence[_Figures]) -> Trend:
    top = _round(max(4, *(item.errors + item.warnings for item in figures)))
    bottom, span = HEIGHT - BOTTOM, HEIGHT - BOTTOM - TOP
    step = (WIDTH - LEFT - RIGHT) / len(figures)
    width = round(min(step * 0.62, 52), 1)
    every = max(-(-len(figures) // 15), 1)
    one_day = figures[0].finished.date() == figures[-1].finished.date()
    columns = []
    for at, item in enumerate(figures):
        centre = round(LEFT + step * (at + 0.5), 1)
        high, base = [], float(bottom)
        for kind, count in (("error", item.errors), ("warning", item.warnings)):
            height = round(span * count / top, 1)
            base -= height
            if height:
                high.append((kind, round(base, 1), height))
        shown = (len(figures) - 1 - at) % every == 0
        day = f"{item.finished:%H:%M}" if one_day else f"{item.finished:%b} {item.finished.day}"
        label = day if shown else ""
        columns.append(
            Column(round(centre - width / 2, 1), width, tuple(high), item.unread, label, _said(item), centre)
        )
    first, last = figures[0], figures[-1]
    text = (
        f"{len(figures)} audits since {first.finished:%Y-%m-%d}: errors {first.errors} to {last.errors},"
        f" warnings {first.warnings} to {last.warnings}."
    )
    ticks = tuple((round(bottom - span * part / 2, 1), top * part // 2) for part in (0, 1, 2))
    return Trend(tuple(columns), ticks, text)


def _said(item: _Figures) -> str:
    parts = [counted(item.errors, "error"), counted(item.warnings, "warning")]
    if item.new is not None:
        parts += [f"{item.new} new", f"{item.resolved} resolved"]
    if item.unread:
        parts.append(f"{counted(item.unread, 'device')} not read")
    return f"{item.finished:%Y-%m-%d %H:%M} UTC: {', '.join(parts)}"


def _round(value: int) -> int:
    """Return the next even number of the form 1, 2, 4, 6 or 8 times a power of ten."""
    power: int = 10 ** (len(str(value)) - 1)
    return next(step * power for step in (1, 2, 4, 6, 8, 10, 20) if step * power >= value and step * power % 2 == 0)
