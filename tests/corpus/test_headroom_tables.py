"""Shipped SONiC headroom tables: the rows that hold less than their cable are found, the sound tables are clean."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from rocecfg.lint.config import Settings
from rocecfg.lint.run import lint
from rocecfg.state.capture import captures_under
from rocecfg.state.parse import parse
from tests.conftest import SHARED

if TYPE_CHECKING:
    from pathlib import Path

    from rocecfg.findings import Finding

TABLES = SHARED / "oracles" / "sonic" / "pg_profile_lookup"
FILES = sorted(TABLES.glob("*.ini")) if TABLES.is_dir() else []
pytestmark = pytest.mark.skipif(not FILES, reason="the shipped tables are not beside this checkout")


def found(file: Path) -> tuple[Finding, ...]:
    (capture,) = captures_under(file)
    assert not isinstance(capture, Exception)
    return lint([parse(capture, "sonic")], settings=Settings(select=("BUF-002", "BUF-018"))).findings


def too_small(file: Path) -> dict[int, tuple[int, int]]:
    """Line -> (speed, length) of the rows below two cable lengths at 5 ns a metre and one frame of 9216 bytes."""
    rows = {}
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        match = re.match(r"\s*(\d+)\s+(\d+)m\s+\d+\s+\d+\s+(\d+)", line)
        if match:
            speed, metres, headroom = map(int, match.groups())
            if headroom * 8 < speed * 10**6 * metres * 10 // 10**9 + 9216 * 8:
                rows[number] = (speed, metres)
    return rows


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_rows_below_the_wire_are_found_on_their_lines(file: Path) -> None:
    lines = {finding.line for finding in found(file) if finding.rule == "BUF-002"}
    assert lines == set(too_small(file))


@pytest.mark.parametrize("name", ["ACS-MSN3700", "Mellanox-SN5640-C512S2", "Dell-Z9864f-O64"])
def test_sound_tables_are_clean(name: str) -> None:
    assert found(TABLES / f"{name}.ini") == ()


def test_known_bad_rows() -> None:
    assert set(too_small(TABLES / "Mellanox-SN4700-O32.ini").values()) == {(400_000, 1500), (400_000, 2000)}
    assert {length for _, length in too_small(TABLES / "Mellanox-SN2700.ini").values()} == {2000}
