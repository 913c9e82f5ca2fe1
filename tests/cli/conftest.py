"""A command line that runs inside the test process, with the toy system of `pack/` as the user's own pack."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from rocecfg import packs
from rocecfg.cli.group import rocecfg
from rocecfg.render import engine
from rocecfg.vendor import registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PACK = Path(__file__).with_name("pack")
INTENT = """\
version: 1
fabric: toy
classes:
  roce: {dscp: 26, priority: 3, lossless: true, bandwidth: 60%}
  cnp:  {dscp: 48, priority: 6, strict: true}
devices:
  leaf[1-2]: {nos: toyos, role: leaf}
links:
  - {a: "leaf1:Ethernet1/[1-4]", b: "leaf2:Ethernet1/[1-4]", speed: 400G, cable: 30m fibre}
"""


@dataclass(frozen=True)
class Ran:
    """What a command line printed and how it ended."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> object:
        return json.loads(self.out)


def _forget_packs() -> None:
    packs._extra.clear()
    registry.get.cache_clear()
    engine.environment.cache_clear()


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[..., Ran]]:
    """Run `rocecfg ARGS --pack pack` in an empty folder; the pack is forgotten afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ROCECFG_TRACEBACK", raising=False)
    _forget_packs()

    def run(*arguments: str, stdin: str | bytes | None = None, pack: bool = True) -> Ran:
        words = [*arguments, *(["--pack", str(PACK)] if pack else [])]
        result = CliRunner().invoke(rocecfg, words, input=stdin)
        return Ran(result.exit_code, result.stdout, result.stderr)

    yield run
    _forget_packs()


@pytest.fixture
def fabric(tmp_path: Path, cli: Callable[..., Ran]) -> Path:
    """A folder with `toy.roce.yaml` and its rendered devices in `out/`."""
    (tmp_path / "toy.roce.yaml").write_text(INTENT, encoding="utf-8")
    ran = cli("render", "toy.roce.yaml", "-o", "out")
    assert ran.code == 0, ran.err
    return tmp_path


@pytest.fixture
def edit(fabric: Path) -> Callable[..., None]:
    """Change the live text of a device: `edit("leaf1", old, new)`."""

    def change(device: str, old: str, new: str) -> None:
        path = fabric / "out" / device / "toy.json"
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")

    return change
