"""`rocecfg advise`: which interconnect fits, with every reason, its source, and what would change the verdict."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rocecfg.cli.options import command, output_file, output_format
from rocecfg.cli.terminal import note, result_stream
from rocecfg.errors import EXIT_CLEAN, EXIT_FINDINGS, UsageError

if TYPE_CHECKING:
    from rocecfg.advise.knowledge import Knowledge
    from rocecfg.advise.situation import Facts


@command(
    ("rocecfg advise --example", "a commented file to fill in"),
    ("rocecfg advise plan.yaml", "the verdict and its reasons"),
    ("rocecfg advise plan.yaml --language zh -f markdown -o advice.md", "a page in Chinese"),
    ("rocecfg advise plan.yaml --intent pod1.roce.yaml", "and a starter intent for a RoCE verdict"),
    ("rocecfg advise", "ask the questions on this terminal"),
)
@click.argument("file", metavar="[FILE]", required=False, type=click.Path(path_type=Path, allow_dash=True))
@click.option("--language", type=click.Choice(["en", "zh"]), default="en", show_default=True, help="Language.")
@click.option(
    "--intent", type=click.Path(path_type=Path), metavar="FILE", help="Write a starter intent, not over a file."
)
@click.option("--save", type=click.Path(path_type=Path), metavar="FILE", help="Keep the answers given on the terminal.")
@click.option("--example", is_flag=True, help="Print a commented file to fill in.")
@output_format("text", "markdown", "json")
@output_file
def advise(
    file: Path | None,
    language: str,
    intent: Path | None,
    save: Path | None,
    example: bool,
    form: str,
    output: Path | None,
) -> int:
    """Weigh plain Ethernet, lossy and lossless RoCE, Spectrum-X-class RoCE and InfiniBand for what is planned.

    Everything in FILE may be left out. The rules are rules of thumb, each with its source.
    Exit code 1: the verdict is a compromise, or too little is given for one.
    """
    if example:
        from rocecfg.packs import room_folders

        with result_stream(output) as stream:
            stream.write((room_folders("vendors")[0] / "advice" / "example.yaml").read_text(encoding="utf-8"))
        return EXIT_CLEAN
    from rocecfg.advise.changes import changes
    from rocecfg.advise.judge import judge
    from rocecfg.advise.knowledge import load
    from rocecfg.advise.report import Page

    known = load()
    given = _given(file, known, language, save)
    advice = judge(given, known)
    page = Page(advice, changes(given, known), known, language)
    with result_stream(output) as stream:
        stream.write(page.text() if form == "text" else page.markdown() if form == "markdown" else page.json())
    if intent is not None:
        from rocecfg.advise.starter import starter_intent

        _write_new(intent, starter_intent(advice, known))
    return EXIT_CLEAN if advice.verdict.choices and not advice.verdict.compromise else EXIT_FINDINGS


def _given(file: Path | None, known: Knowledge, language: str, save: Path | None) -> Facts:
    """Return the facts of a file, of stdin, or of the answers given on a terminal."""
    from rocecfg.advise import situation

    if file is not None and save is not None:
        raise UsageError("--save keeps answers given on a terminal; FILE holds its own")
    if file is not None and str(file) == "-":
        from rocecfg.cli.inputs import stdin_bytes
        from rocecfg.cli.terminal import or_usage_error

        return situation.parse(or_usage_error(stdin_bytes))
    if file is not None:
        return situation.read(file)
    if sys.stdin is None or not sys.stdin.isatty():
        raise UsageError("name a file, `-` for stdin, or run on a terminal; `rocecfg advise --example` writes a file")
    from rocecfg.advise.questions import as_yaml, ask

    text = as_yaml(ask(known, language))
    facts = situation.parse(text, "<answers>")
    if save is not None:
        _write_new(save, text)
    return facts


def _write_new(path: Path, text: str) -> None:
    """Write a file that must not exist yet."""
    try:
        with path.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
    except FileExistsError as error:
        raise UsageError(f"{path}: already there, nothing was written; remove it or name another file") from error
    except OSError as error:
        raise UsageError(f"{path}: cannot write: {error.strerror or error}") from error
    note(f"written: {path}")
