"""The history of audits: findings keep their birthday, what was not looked at stays open, nothing is ever half written."""

from __future__ import annotations

import json
import multiprocessing
import sqlite3
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from rocecfg.cli.group import rocecfg
from rocecfg.errors import ReadError, UsageError
from rocecfg.findings import Finding, Severity
from rocecfg.history import AuditRun, Reading, database, query, record

if TYPE_CHECKING:
    from pathlib import Path

START = datetime(2026, 1, 1, 2, tzinfo=UTC)


def finding(device: str = "leaf1", rule: str = "PFC-001", message: str = "no PFC", line: int = 3) -> Finding:
    return Finding(rule, "lossless", Severity.ERROR, device, "priority 3", message, "type this", f"{device}.cfg", line)


def run(day: int, *findings: Finding, failed: tuple[str, ...] = (), rules: frozenset[str] = frozenset()) -> AuditRun:
    at = START + timedelta(days=day)
    readings = [
        Reading(name, "nxos", "failed" if name in failed else "ok", "RUN-001" if name in failed else "", "", 1.5, "abc")
        for name in ("leaf1", "leaf2")
    ]
    return AuditRun("pod1", at - timedelta(minutes=5), at, readings, findings, rules)


def life(url: str) -> dict[tuple[str, str], tuple[int, int, int | None, int]]:
    """Device and rule -> days of first and last sight and of resolution, and how often it came."""

    def day(moment: datetime | None) -> int | None:
        return None if moment is None else (moment - START.replace(tzinfo=None)).days

    return {
        (item.device, item.rule): (day(item.first_seen), day(item.last_seen), day(item.resolved), item.times)
        for item in query.account(url).findings
    }  # type: ignore[return-value]


def test_a_finding_is_born_seen_again_resolved_and_comes_back(url: str) -> None:
    assert record(url, run(0, finding())) == 1
    assert record(url, run(1, finding(line=99, message="no PFC at all"))) == 2
    assert life(url) == {("leaf1", "PFC-001"): (0, 1, None, 1)}
    (item,) = query.account(url).findings
    assert (item.line, item.message) == (99, "no PFC at all"), "it says what was seen last"
    record(url, run(2))
    assert life(url) == {("leaf1", "PFC-001"): (0, 1, 2, 1)}
    record(url, run(3, finding()))
    assert life(url) == {("leaf1", "PFC-001"): (0, 3, None, 2)}
    audits = query.account(url).audits
    assert [(audit.new, audit.resolved, audit.errors) for audit in reversed(audits)] == [
        (1, 0, 1),
        (0, 0, 1),
        (0, 1, 0),
        (1, 0, 1),
    ]


def test_what_was_not_looked_at_is_not_resolved(url: str) -> None:
    record(url, run(0, finding(), finding("leaf2"), finding(rule="ECN-002")))
    record(url, run(1, failed=("leaf2",), rules=frozenset({"PFC-001"})))
    assert life(url) == {
        ("leaf1", "PFC-001"): (0, 0, 1, 1),
        ("leaf2", "PFC-001"): (0, 0, None, 1),
        ("leaf1", "ECN-002"): (0, 0, None, 1),
    }


def test_fabrics_do_not_touch_each_other(url: str) -> None:
    record(url, run(0, finding()))
    other = run(1)
    record(url, AuditRun("pod2", other.started, other.finished, other.readings, (), frozenset()))
    assert life(url) == {("leaf1", "PFC-001"): (0, 0, None, 1)}
    assert [audit.fabric for audit in query.account(url, fabric="pod2").audits] == ["pod2"]


def test_hostile_words_are_stored_as_words(url: str) -> None:
    nasty = "x'); DROP TABLE findings; -- \0 \udc80 <script> \N{SNOWMAN} {{7*7}}"
    record(url, run(0, finding(message=nasty)))
    (item,) = query.account(url).findings
    assert "DROP TABLE findings; -- \N{REPLACEMENT CHARACTER} \\udc80 <script> \N{SNOWMAN} {{7*7}}" in item.message


def test_many_findings_and_a_second_look(url: str) -> None:
    many = [finding(f"leaf{n}", message=f"m{n}") for n in range(2500)]
    record(url, run(0, *many))
    record(url, run(1, *many[:2400], finding("leaf1", "ECN-002")))
    account = query.account(url, limit=1)
    assert account.audits[0].new == 1
    assert len(account.findings) == 2501


def test_a_crash_in_the_middle_leaves_what_was_there(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    record(url, run(0, finding()))
    from rocecfg.history import store

    def broken(*_: object) -> bool:
        raise RuntimeError("power cut")

    monkeypatch.setattr(store._Writer, "_judged", broken)
    with pytest.raises(RuntimeError, match="power cut"):
        record(url, run(1, finding("leaf2")))
    monkeypatch.undo()
    assert life(url) == {("leaf1", "PFC-001"): (0, 0, None, 1)}
    assert len(query.account(url).audits) == 1


def test_audits_at_the_same_time_all_land(url: str) -> None:
    problems: list[BaseException] = []

    def one(number: int) -> None:
        try:
            record(url, run(number, finding(f"leaf{number}")))
        except BaseException as error:  # noqa: BLE001 - told below
            problems.append(error)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not problems
    account = query.account(url)
    assert (len(account.audits), len(account.findings)) == (8, 8)


_CHILD = """
import sys
from tests.history.test_history import finding, record, run
print("ready", flush=True)
for day in range(1, 10_000):
    record(sys.argv[1], run(day, *[finding(f"leaf{n}", message=str(day)) for n in range(300)]))
    print(day, flush=True)
"""


def test_a_killed_audit_leaves_a_whole_database(tmp_path: Path) -> None:
    path = tmp_path / "history.db"
    url = f"sqlite:///{path}"
    for words in (1, 2, 4):
        child = subprocess.Popen([sys.executable, "-c", _CHILD, url], stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        for _ in range(words):
            child.stdout.readline()
        child.kill()
        child.wait()
        with sqlite3.connect(path) as raw:
            assert raw.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        account = query.account(url, limit=10_000) if _has_tables(path) else None
        for audit in account.audits if account is not None else ():
            assert audit.errors == 300
    assert multiprocessing.active_children() == []


def _has_tables(path: Path) -> bool:
    with sqlite3.connect(path) as raw:
        return bool(raw.execute("SELECT 1 FROM sqlite_master WHERE name = 'audits'").fetchone())


def test_the_migrations_make_exactly_the_tables_of_the_code(url: str) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    from rocecfg.history.tables import metadata

    record(url, run(0))
    with database.reading(url) as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_a_newer_schema_is_refused(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'x.db'}"
    record(url, run(0))
    with sqlite3.connect(tmp_path / "x.db") as raw:
        raw.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(UsageError, match="newer than this rocecfg"):
        query.account(url)


def test_errors_are_one_sentence_and_hide_the_password(tmp_path: Path) -> None:
    url = "postgresql://audit:hunter2@127.0.0.1:1/none"
    with pytest.raises(ReadError) as caught:
        record(url, run(0))
    assert "hunter2" not in str(caught.value)
    assert "127.0.0.1" in str(caught.value)
    with pytest.raises(UsageError, match="no history there yet"):
        query.account(f"sqlite:///{tmp_path / 'missing.db'}")
    with pytest.raises((UsageError, ReadError), match=r"sqlite and postgresql are known|mysql"):
        record("mysql://audit:hunter2@h/x", run(0))
    (tmp_path / "bad.db").write_text("no database " * 100)
    with pytest.raises(ReadError, match="not a database"):
        query.account(f"sqlite:///{tmp_path / 'bad.db'}")
    with pytest.raises((UsageError, ReadError)):
        record("nonsense", run(0))


def test_the_command(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'x.db'}"
    now = datetime.now(UTC)
    readings = [Reading("leaf1", "nxos", "ok")]
    record(url, AuditRun("pod1", now - timedelta(days=40), now - timedelta(days=40), readings, (finding(),)))
    record(url, AuditRun("pod1", now, now, readings, (finding(rule="ECN-002"),)))

    def told(*words: str) -> str:
        ran = CliRunner().invoke(rocecfg, ["history", "--db", url, *words])
        assert ran.exit_code == 0, ran.output
        return ran.stdout

    assert told().startswith("1 open finding\n  error ECN-002 leaf1 priority 3: no PFC (since ")
    assert "1 finding resolved\n  error PFC-001" in told("--since", "7d")
    data = json.loads(told("--since", "7d", "--rule", "PFC-*", "--format", "json"))
    assert [item["rule"] for item in data["findings"]] == ["PFC-001"]
    assert data["audits"][0]["started"].endswith("Z")
    ran = CliRunner().invoke(rocecfg, ["history", "--db", url, "--forget", "30d"])
    assert "1 audits removed" in ran.output
    for word in ("7", "d", "-1d", "7y", "٣d", "99999999d"):
        ran = CliRunner().invoke(rocecfg, ["history", "--db", url, "--since", word])
        assert ran.exit_code == 2
        assert "no time back" in ran.output
