"""`rocecfg init`: the files a new fabric starts with."""

from __future__ import annotations

from pathlib import Path

import click

from rocecfg.cli.options import command
from rocecfg.cli.terminal import note


@command(
    ("rocecfg init", "into this folder"),
    ("rocecfg init pod1", "into a new folder"),
)
@click.argument("folder", metavar="[DIR]", default=".", type=click.Path(path_type=Path, file_okay=False))
def init(folder: Path) -> int:
    """Write a commented intent, its JSON Schema, a commit hook configuration and a CI snippet into DIR.

    Nothing is overwritten: when one of the files exists, nothing is written.
    """
    from rocecfg.intent.starter import write

    written = write(folder)
    for path in written:
        click.echo(str(path))
    intent = next((path for path in written if path.name.endswith(".roce.yaml")), folder)
    note(f"next: edit {intent}, then rocecfg plan {intent}")
    return 0
