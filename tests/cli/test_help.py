"""Every help is whole: a summary, options, and examples that are valid command lines."""

from __future__ import annotations

import shlex

import click
import pytest

from rocecfg.cli.group import COMMANDS, rocecfg


def _command(name: str) -> click.Command:
    with click.Context(rocecfg) as ctx:
        command = rocecfg.get_command(ctx, name)
    assert command is not None
    return command


def _is_valid(line: str) -> None:
    program, name, *arguments = shlex.split(line.rpartition("|")[2])
    assert program == "rocecfg"
    _command(name).make_context(name, arguments).close()


@pytest.mark.parametrize("name", COMMANDS)
def test_command_help(cli, name: str) -> None:
    ran = cli(name, "--help", pack=False)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"Usage: rocecfg {name}")
    assert "Examples:" in ran.out
    assert max(map(len, ran.out.splitlines())) <= 120


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_are_valid_command_lines(cli, name: str) -> None:
    examples = _command(name).examples  # type: ignore[attr-defined]
    assert examples
    for line, purpose in examples:
        assert purpose
        _is_valid(line)


def test_help_of_the_group_lists_every_command(cli) -> None:
    ran = cli("--help", pack=False)
    assert ran.code == 0
    for name, entry in COMMANDS.items():
        assert f"  {name}" in ran.out
        assert entry.summary.split()[0] in ran.out
    for line, _ in rocecfg.examples:
        assert line in ran.out
        _is_valid(line)


def test_summaries_are_the_first_lines_of_the_help(cli) -> None:
    for name, entry in COMMANDS.items():
        assert entry.summary.endswith(".")
        assert len(entry.summary) < 70, name
        assert _command(name).help


def test_version(cli) -> None:
    from rocecfg import __version__

    assert cli("--version", pack=False).out == f"rocecfg {__version__}\n"
