"""A history in each database that is supported: a SQLite file, and PostgreSQL where its server is installed."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("sqlalchemy")

if TYPE_CHECKING:
    from collections.abc import Iterator


def _programs() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return found[-1].parent if found else None


def _as_owner(*command: str) -> list[str]:
    """PostgreSQL refuses to run as root: then as the user that its package makes."""
    return ["runuser", "-u", "postgres", "--", *command] if os.geteuid() == 0 else list(command)


def _quietly(command: list[str], folder: Path) -> None:
    # no pipe: the server that pg_ctl starts would hold its other end
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    programs = _programs()
    if programs is None or (os.geteuid() == 0 and shutil.which("runuser") is None):
        pytest.skip("no PostgreSQL server is installed here")
    pytest.importorskip("psycopg")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = Path(tempfile.mkdtemp(prefix="rocecfg-pg-"))
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
        data = folder / "data"
        _quietly(
            _as_owner(str(programs / "initdb"), "-D", str(data), "-A", "trust", "-U", "audit", "-E", "UTF8"), folder
        )
        options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c fsync=off"
        control = str(programs / "pg_ctl")
        _quietly(_as_owner(control, "-D", str(data), "-l", str(folder / "log"), "-w", "-o", options, "start"), folder)
        try:
            yield f"postgresql://audit:hunter2@127.0.0.1:{port}"
        finally:
            _quietly(_as_owner(control, "-D", str(data), "-m", "immediate", "stop"), folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'state' / 'history.db'}"
        return
    base = request.getfixturevalue("server")
    import psycopg

    name = f"t{abs(hash(str(tmp_path)))}"
    with psycopg.connect(f"{base}/postgres", autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    yield f"{base}/{name}"
