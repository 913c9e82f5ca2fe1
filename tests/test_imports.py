"""What each command may import: start-up is paid by every commit hook."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

from rocecfg.cli.group import rocecfg

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
MINIMAL = ROOT / "examples" / "minimal" / "minimal.roce.yaml"
HEAVY = {
    "pydantic",
    "pydantic_core",
    "ttp",
    "netmiko",
    "paramiko",
    "rich",
    "jinja2",
    "networkx",
    "ruamel",
    "sqlalchemy",
    "alembic",
    "hier_config",
    "jsonpatch",
    "pynetbox",
    "distributed",
    "keyring",
    "numpy",
}
_RUN = """
import json, sys
from rocecfg.cli.group import rocecfg
try:
    rocecfg.main(sys.argv[1:], prog_name="rocecfg")
except SystemExit as end:
    code = end.code
tops = sorted({name.partition(".")[0] for name in sys.modules})
sys.stderr.write("\\n" + json.dumps([code, tops]))
"""


def _modules(*arguments: str) -> tuple[int, set[str]]:
    ran = subprocess.run(
        [sys.executable, "-c", _RUN, *arguments], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    code, names = json.loads(ran.stderr.rpartition("\n")[2])
    return code or 0, set(names)


def _commands(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the words of every command and group."""
    yield path
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from _commands(inner, (*path, name))


@pytest.mark.parametrize("arguments", [*([*path, "--help"] for path in _commands(rocecfg)), ["--version"], ["explain"]])
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    code, modules = _modules(*arguments)
    assert code == (2 if arguments == ["explain"] else 0)
    assert "click" in modules
    assert not modules & HEAVY


def test_rules_and_explain_import_no_parser() -> None:
    code, modules = _modules("explain", "PFC-001")
    assert code == 0
    assert not modules & (HEAVY - {"ruamel"})


def test_linting_an_intent_imports_no_device_parser() -> None:
    code, modules = _modules("lint", str(MINIMAL))
    assert code == 0
    assert "pydantic_core" in modules, "pydantic's engine reads the intent"
    assert not modules & {"pydantic", "ttp", "netmiko", "paramiko", "rich", "jinja2", "networkx"}


def _cpu_seconds(command: list[str]) -> float:
    """The processor time of a child: what others do on the machine does not count."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, capture_output=True, check=True, cwd=ROOT, env=env)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.slow
def test_help_starts_nearly_as_fast_as_yamllint() -> None:
    """The bar is 1.5 times `yamllint --help`; fastest of several paired runs, so that a busy machine does not judge."""
    yamllint = pytest.importorskip("yamllint").__name__
    ours, theirs = [], []
    for _ in range(7):
        ours.append(_cpu_seconds([sys.executable, "-m", "rocecfg", "--help"]))
        theirs.append(_cpu_seconds([sys.executable, "-m", yamllint, "--help"]))
    assert min(ours) <= 1.5 * min(theirs), (min(ours), min(theirs))


@pytest.mark.slow
def test_linting_an_intent_takes_little_more_than_yamllint() -> None:
    """The bar is 2.5 times `yamllint` on the same file."""
    yamllint = pytest.importorskip("yamllint").__name__
    ours, theirs = [], []
    for _ in range(7):
        ours.append(_cpu_seconds([sys.executable, "-m", "rocecfg", "lint", str(MINIMAL)]))
        theirs.append(_cpu_seconds([sys.executable, "-m", yamllint, "-d", "relaxed", str(MINIMAL)]))
    assert min(ours) <= 2.5 * min(theirs), (min(ours), min(theirs))
