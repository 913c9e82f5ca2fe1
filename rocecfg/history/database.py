"""Opens the history: SQLite by default, PostgreSQL by URL, brought to the current schema by migrations."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection, Engine

ENVIRONMENT = "ROCECFG_DB"
_MIGRATIONS = Path(__file__).with_name("migrations")
_LOCK = 0x726F6365
"""Number of the advisory lock under which PostgreSQL is migrated and written ("roce")."""
_SECONDS = 60
"""How long one audit waits for another that is being written."""


def default_url() -> str:
    """Return ROCECFG_DB, else a SQLite file in the user's state folder (XDG_STATE_HOME)."""
    stated = os.environ.get(ENVIRONMENT, "")
    if stated:
        return stated
    home = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    return f"sqlite:///{home / 'rocecfg' / 'history.db'}"


@contextmanager
def writing(url: str) -> Iterator[Connection]:
    """Open a transaction that writes alone: all of it lands, or nothing. Raises UsageError, ReadError."""
    with _errors(url):
        engine = _engine(url)
        try:
            _migrate(engine)
            with engine.begin() as connection:
                _alone(connection)
                yield connection
        finally:
            engine.dispose()


@contextmanager
def reading(url: str) -> Iterator[Connection]:
    """Open the history to look at it. Raises UsageError where there is none yet."""
    with _errors(url):
        path = _file(url)
        if path is not None and not path.is_file():
            raise UsageError(f"{path}: no history there yet; `rocecfg audit` makes it (--db, {ENVIRONMENT})")
        engine = _engine(url)
        try:
            _migrate(engine)
            with engine.connect() as connection:
                yield connection
        finally:
            engine.dispose()


def shown(url: str) -> str:
    """Return a database's URL without its password."""
    from sqlalchemy import make_url

    try:
        return make_url(url).render_as_string(hide_password=True)
    except Exception:  # noqa: BLE001 - whatever it is, it must not be shown
        return "the database URL"


def _file(url: str) -> Path | None:
    prefix = "sqlite:///"
    return Path(url.removeprefix(prefix)) if url.startswith(prefix) and len(url) > len(prefix) else None


def _engine(url: str) -> Engine:
    try:
        from sqlalchemy import create_engine, event, make_url
    except ImportError as error:
        raise UsageError("the history needs the package SQLAlchemy: install rocecfg[db]") from error
    if make_url(url).get_backend_name() not in ("sqlite", "postgresql"):
        raise UsageError(f"{shown(url)}: sqlite and postgresql are known")
    path = _file(url)
    if path is None:
        return create_engine(_with_driver(url), connect_args={"connect_timeout": 15} if "postgresql" in url else {})
    path.parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(url, connect_args={"timeout": _SECONDS})

    def prepare(raw: object, _: object) -> None:
        raw.isolation_level = None  # type: ignore[attr-defined]  # SQLAlchemy begins by itself, see _begin
        for pragma in ("journal_mode = WAL", "foreign_keys = ON", "synchronous = NORMAL"):
            raw.execute(f"PRAGMA {pragma}")  # type: ignore[attr-defined]

    def begin(connection: Connection) -> None:
        # IMMEDIATE: a second audit waits at its first line instead of failing at its last.
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    event.listen(engine, "connect", prepare)
    event.listen(engine, "begin", begin)
    return engine


def _with_driver(url: str) -> str:
    """Return a PostgreSQL URL that names the driver we install."""
    scheme, colon, rest = url.partition("://")
    return f"postgresql+psycopg{colon}{rest}" if scheme in ("postgresql", "postgres") else url


def _alone(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")


def _migrate(engine: Engine) -> None:
    """Bring the schema up to date. Raises UsageError for a database that a newer rocecfg has written."""
    from alembic import command
    from alembic.config import Config
    from alembic.migration import MigrationContext
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    scripts = ScriptDirectory.from_config(config)
    with engine.connect() as connection:
        found = MigrationContext.configure(connection).get_current_revision()
    if found == scripts.get_current_head():
        return
    if found is not None and found not in {script.revision for script in scripts.walk_revisions()}:
        raise UsageError(f"the history has schema {found}, which is newer than this rocecfg: update it")
    with engine.begin() as connection:
        _alone(connection)
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


@contextmanager
def _errors(url: str) -> Iterator[None]:
    """Turn a database's errors into one sentence, without password."""
    try:
        yield
    except ImportError as error:
        raise UsageError(f"{shown(url)}: {error}: install rocecfg[db], for PostgreSQL rocecfg[postgresql]") from error
    except OSError as error:
        raise ReadError(f"{shown(url)}: {error.strerror or error}") from error
    except Exception as error:
        if type(error).__module__.startswith(("sqlalchemy", "alembic", "sqlite3", "psycopg")):
            text = " ".join(str(getattr(error, "orig", None) or error).split())[:300]
            raise ReadError(f"{shown(url)}: {text}") from error
        raise
