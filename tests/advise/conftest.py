"""`advise` inside the test process, and plans as short texts."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from rocecfg import packs
from rocecfg.advise import knowledge, situation
from rocecfg.advise.judge import Advice, judge
from rocecfg.cli.group import rocecfg

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@dataclass(frozen=True)
class Ran:
    """What a command line printed and how it ended."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        return json.loads(self.out)


@pytest.fixture(scope="session")
def known() -> knowledge.Knowledge:
    return knowledge.load()


@pytest.fixture
def advised(known: knowledge.Knowledge) -> Callable[[str], Advice]:
    """Return the advice for a plan written as YAML."""
    return lambda text: judge(situation.parse(f"version: 1\n{text}"), known)


@pytest.fixture
def advise(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[..., Ran]]:
    """Run `rocecfg advise ARGS` in an empty folder; `plan` goes to stdin as `-`."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ROCECFG_TRACEBACK", raising=False)

    def run(*arguments: str, plan: str | bytes | None = None) -> Ran:
        words = ["advise", *(["-"] if plan is not None else []), *arguments]
        result = CliRunner().invoke(rocecfg, words, input=plan)
        return Ran(result.exit_code, result.stdout, result.stderr)

    yield run
    packs._extra.clear()
