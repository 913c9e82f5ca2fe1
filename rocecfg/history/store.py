"""Writes an audit into the history: one transaction, so a crash in the middle leaves what was there before."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, Any

from rocecfg import __version__
from rocecfg.findings import Severity
from rocecfg.history.database import writing
from rocecfg.lint.identity import fingerprints

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from rocecfg.findings import Finding
    from rocecfg.history.run import AuditRun

_AT_ONCE = 500


def record(url: str, run: AuditRun) -> int:
    """Store an audit; return its number.

    A finding that was there before keeps the day it was first seen; one that is gone is resolved, but only where its
    device was read and its rule ran: what nobody looked at is neither better nor worse.
    """
    with writing(url) as connection:
        return _Writer(connection, run).write()


class _Writer:
    def __init__(self, connection: Connection, run: AuditRun) -> None:
        self._connection = connection
        self._run = run
        self._at = _utc(run.finished)

    def write(self) -> int:
        from rocecfg.history.tables import audits, readings

        run = self._run
        new, resolved = self._findings()
        counts = {severity: sum(item.severity is severity for item in run.findings) for severity in Severity}
        result = self._connection.execute(
            audits.insert().values(
                fabric=run.fabric,
                started=_utc(run.started),
                finished=self._at,
                tool=__version__,
                devices=len(run.readings),
                unread=sum(reading.status == "failed" for reading in run.readings),
                errors=counts[Severity.ERROR],
                warnings=counts[Severity.WARNING],
                infos=counts[Severity.INFO],
                new=new,
                resolved=resolved,
            )
        )
        number = int(result.inserted_primary_key[0]) if result.inserted_primary_key else 0
        rows = [
            {
                "audit": number, "device": reading.device, "nos": reading.nos, "status": reading.status,
                "rule": reading.rule, "reason": _plain(reading.reason), "seconds": reading.seconds,
                "digest": reading.digest,
            }
            for reading in {reading.device: reading for reading in run.readings}.values()
        ]  # fmt: skip
        if rows:
            self._connection.execute(readings.insert(), rows)
        return number

    def _findings(self) -> tuple[int, int]:
        """Bring the table of findings up to date; return how many are new (or back) and how many went away."""
        from sqlalchemy import bindparam, select

        from rocecfg.history.tables import findings

        run, table = self._run, findings
        known = {
            row.fingerprint: row
            for row in self._connection.execute(
                select(
                    table.c.id, table.c.fingerprint, table.c.resolved, table.c.times, table.c.device, table.c.rule
                ).where(table.c.fabric == run.fabric)
            )
        }
        fresh: list[dict[str, Any]] = []
        again: list[dict[str, Any]] = []
        back = 0
        seen = set()
        for mark, finding in zip(fingerprints(run.findings), run.findings, strict=True):
            seen.add(mark)
            row = known.get(mark)
            if row is None:
                fresh.append({**_values(finding), "fabric": run.fabric, "fingerprint": mark, "first_seen": self._at,
                              "last_seen": self._at, "resolved": None, "times": 1})  # fmt: skip
                continue
            back += row.resolved is not None
            values = {f"new_{key}": value for key, value in _values(finding).items()}
            again.append(
                {**values, "which": row.id, "new_seen": self._at, "new_times": row.times + (row.resolved is not None)}
            )
        for at in range(0, len(fresh), _AT_ONCE):
            self._connection.execute(table.insert(), fresh[at : at + _AT_ONCE])
        if again:
            change = table.update().where(table.c.id == bindparam("which")).values(
                **{key: bindparam(f"new_{key}") for key in _COLUMNS},
                last_seen=bindparam("new_seen"), resolved=None, times=bindparam("new_times"),
            )  # fmt: skip
            self._connection.execute(change, again)
        gone = [
            row.id for mark, row in known.items() if mark not in seen and row.resolved is None and self._judged(row)
        ]
        for at in range(0, len(gone), _AT_ONCE):
            chunk = gone[at : at + _AT_ONCE]
            self._connection.execute(table.update().where(table.c.id.in_(chunk)).values(resolved=self._at))
        return len(fresh) + back, len(gone)

    def _judged(self, row: Any) -> bool:
        """Return whether this audit could have seen an earlier finding again."""
        status = {reading.device: reading.status for reading in self._run.readings}
        if row.device and status.get(row.device) not in ("ok", "partial"):
            return False
        if row.rule.startswith("RUN-"):
            return True
        return not self._run.rules or row.rule in self._run.rules


_COLUMNS = ("rule", "name", "severity", "device", "object", "message", "help", "file", "line")


def _values(finding: Finding) -> dict[str, Any]:
    values = {column: getattr(finding, column) for column in _COLUMNS}
    return {key: _plain(value) if isinstance(value, str) else int(value) for key, value in values.items()}


def _plain(text: str) -> str:
    """Return a device's words as every database takes them: no NUL, no lone surrogate."""
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "backslashreplace").decode("utf-8")


def _utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(tzinfo=None)
