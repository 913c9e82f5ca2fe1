"""Looks into the history: audits, findings with their life time, trends."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from rocecfg.findings import Severity
from rocecfg.history.database import reading, writing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection


@dataclass(frozen=True, slots=True)
class Audit:
    """One audit in figures."""

    id: int
    fabric: str
    started: datetime
    finished: datetime
    tool: str
    devices: int
    unread: int
    errors: int
    warnings: int
    infos: int
    new: int
    resolved: int


@dataclass(frozen=True, slots=True)
class Known:
    """A finding and its life."""

    rule: str
    name: str
    severity: str
    device: str
    object: str
    message: str
    help: str
    file: str
    line: int
    first_seen: datetime
    last_seen: datetime
    resolved: datetime | None
    times: int
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Account:
    """What `rocecfg history` shows."""

    audits: tuple[Audit, ...]
    """Newest first."""
    findings: tuple[Known, ...]
    """Open ones, and those that came or went since the moment asked for; worst and newest first."""


def account(
    url: str,
    *,
    fabric: str = "",
    since: timedelta | None = None,
    device: str = "*",
    rule: str = "*",
    resolved: bool = True,
    limit: int = 30,
) -> Account:
    """Return the audits and findings of a fabric, all fabrics where none is named."""
    after = datetime.now(UTC).replace(tzinfo=None) - since if since is not None else None
    with reading(url) as connection:
        audits = _audits(connection, fabric, after, limit)
        found = _findings(connection, fabric, after, resolved=resolved)
    kept = [item for item in found if fnmatchcase(item.device, device) and fnmatchcase(item.rule, rule)]
    return Account(tuple(audits), tuple(kept))


def _audits(connection: Connection, fabric: str, after: datetime | None, limit: int) -> list[Audit]:
    from sqlalchemy import select

    from rocecfg.history.tables import audits

    query = select(audits).order_by(audits.c.finished.desc(), audits.c.id.desc()).limit(limit)
    if fabric:
        query = query.where(audits.c.fabric == fabric)
    if after is not None:
        query = query.where(audits.c.finished >= after)
    return [Audit(**row._mapping) for row in connection.execute(query)]  # noqa: SLF001 - SQLAlchemy's documented name


def _findings(connection: Connection, fabric: str, after: datetime | None, *, resolved: bool) -> list[Known]:
    from sqlalchemy import select

    from rocecfg.history.tables import findings

    query = select(findings)
    if fabric:
        query = query.where(findings.c.fabric == fabric)
    if not resolved:
        query = query.where(findings.c.resolved.is_(None))
    if after is not None:
        query = query.where(
            (findings.c.first_seen >= after) | (findings.c.resolved >= after) | findings.c.resolved.is_(None)
        )
    order = (findings.c.resolved.is_not(None), findings.c.severity.desc(), findings.c.first_seen.desc(), findings.c.id)
    return [_known(row._mapping) for row in connection.execute(query.order_by(*order))]  # noqa: SLF001 - as above


def _known(row: Any) -> Known:
    values = {key: row[key] for key in Known.__slots__}
    return Known(**{**values, "severity": Severity(row["severity"]).word})


def forget(url: str, *, older: timedelta) -> int:
    """Remove audits, and findings resolved, longer ago than that; return how many audits went."""
    from rocecfg.history.tables import audits, findings

    before = datetime.now(UTC).replace(tzinfo=None) - older
    with writing(url) as connection:
        connection.execute(findings.delete().where(findings.c.resolved < before))
        return int(connection.execute(audits.delete().where(audits.c.finished < before)).rowcount)


def as_plain(account: Account) -> dict[str, Any]:
    """Return an account as JSON-ready data; times are ISO 8601, UTC."""
    return {
        "schema": 1,
        "audits": [_plain(asdict(audit)) for audit in account.audits],
        "findings": [_plain(asdict(finding)) for finding in account.findings],
    }


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    return {key: f"{value.isoformat()}Z" if isinstance(value, datetime) else value for key, value in values.items()}


def trend(audits: Sequence[Audit]) -> list[dict[str, Any]]:
    """Return the figures of audits oldest first, for a chart."""
    return [_plain(asdict(audit)) for audit in sorted(audits, key=lambda audit: (audit.finished, audit.id))]
