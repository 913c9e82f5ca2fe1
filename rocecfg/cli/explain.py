"""`rocecfg explain`: the page of a rule."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rocecfg.cli.options import command, rule_folders
from rocecfg.cli.terminal import note
from rocecfg.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from rocecfg.lint.load import LoadedRule


@command(
    ("rocecfg explain PFC-001", "by id"),
    ("rocecfg explain global-pause-with-pfc", "by name"),
    ("rocecfg explain --all --output docs/rules", "every page and an index as Markdown files"),
)
@rule_folders
@click.option("--all", "everything", is_flag=True, help="Every rule; with --output one Markdown file each.")
@click.option("--output", "-o", type=click.Path(path_type=Path, file_okay=False), metavar="DIR",
              help="With --all: the folder that gets the pages.")  # fmt: skip
@click.argument("rule", required=False)
def explain(rule: str | None, everything: bool, output: Path | None) -> int:
    """Show the page of a rule: what it finds, why it matters, what to do, when to ignore, and examples."""
    from rocecfg.lint import load
    from rocecfg.lint.config import find_file, load_settings

    if everything == (rule is not None):
        raise UsageError("name a rule, or give --all; `rocecfg rules` lists them")
    if output is not None and not everything:
        raise UsageError("--output goes with --all")
    if output is None or rule is not None:
        load_settings(find_file(Path.cwd()))
    loaded = [load.load(each) for each in load.rules().values()] if rule is None else [_found(rule)]
    if output is not None:
        _write(output, loaded)
        return 0
    for at, each in enumerate(loaded):
        click.echo(("\n" if at else "") + _shown(each), nl=False)
    return 0


def _found(word: str) -> LoadedRule:
    """Return the rule with an id or name. Raises UsageError with the nearest known one."""
    from rocecfg.lint import load

    found = load.find(word)
    if found is None:
        known = [name for each in load.rules().values() for name in (each.id, each.name)]
        near = did_you_mean(word.upper(), known) or did_you_mean(word.lower(), known)
        raise UsageError(f'no rule is called "{word}"{near} `rocecfg rules` lists them')
    return load.load(found)


def _shown(each: LoadedRule) -> str:
    rule = each.rule
    made_by = f", found by {rule.produced_by}" if rule.produced_by else ""
    lines = [f"{rule.id} {rule.name}: {rule.severity.word}, profile {rule.profile}, since {rule.since}{made_by}", ""]
    lines.append(each.page.strip())
    if each.options:
        lines.append("\n## Options")
        lines += [f"- {name} = {option.default}: {option.help}" for name, option in each.options.items()]
    for title, example in (("Good", each.good), ("Bad", each.bad)):
        if example.strip():
            lines.append(f"\n## {title}\n\n{_indented(example)}")
    return "\n".join(lines) + "\n"


def _write(folder: Path, loaded: list[LoadedRule]) -> None:
    """Write the pages and the index; pages of rules that are no more go away. Raises UsageError."""
    from rocecfg.report import rulepage

    files = {f"{each.rule.id}.md": rulepage.page(each) for each in loaded}
    files["README.md"] = rulepage.index(loaded)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
        for old in folder.glob("*-[0-9][0-9][0-9].md"):
            if old.name not in files:
                old.unlink()
    except OSError as error:
        raise UsageError(f"{error.filename or folder}: {error.strerror or error}") from error
    note(f"{len(loaded)} pages and an index in {folder}")


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.strip("\n").splitlines())
