"""`rocecfg init`: the files a new fabric starts with, or the intent of one that runs."""

from __future__ import annotations

from pathlib import Path

import click

from rocecfg.cli.options import command, workers
from rocecfg.cli.terminal import note
from rocecfg.errors import UsageError


@command(
    ("rocecfg init", "into this folder"),
    ("rocecfg init pod1", "into a new folder"),
    ("rocecfg init pod1 --from-captures captures/", "the intent of what runs today"),
    ("rocecfg init pod1 --from-netbox --preset nvidia-roce", "devices and cables of NETBOX_URL"),
)
@click.argument("folder", metavar="[DIR]", default=".", type=click.Path(path_type=Path, file_okay=False))
@click.option("--from-captures", "captures", multiple=True, metavar="DIR", type=click.Path(path_type=Path),
              help="Capture folders or saved configurations of the devices that run. Repeatable.")  # fmt: skip
@click.option("--from-netbox", "netbox", is_flag=False, flag_value="netbox", default=None, metavar="[URL]",
              help="A NetBox; default: NETBOX_URL of the environment, with NETBOX_TOKEN.")  # fmt: skip
@click.option("--preset", default="", metavar="PRESET", help="With --from-netbox: where the classes come from.")
@click.option("--fabric", default="", metavar="NAME", help="Name of the fabric; default: that of the folder.")
@click.option("--force", is_flag=True, help="With --from-...: replace an intent that is there.")
@workers
def init(
    folder: Path,
    captures: tuple[Path, ...],
    netbox: str | None,
    preset: str,
    fabric: str,
    force: bool,
    jobs: int | None,
) -> int:
    """Write a commented intent, its JSON Schema, a commit hook configuration and a CI snippet into DIR.

    Nothing is overwritten: when one of the files exists, nothing is written.

    With --from-captures or --from-netbox only the intent and its schema are written: devices, cables, classes and
    settings as they are today. Every guess is marked; what single devices have otherwise is counted at the top of the
    file. Exit 3 when some captures could not be read: the file holds the others.
    """
    if captures and netbox is not None:
        raise UsageError("--from-captures and --from-netbox: give one of them")
    if not captures and netbox is None:
        asked = [name for name, given in (("--force", force), ("--fabric", fabric), ("--preset", preset)) if given]
        if asked:
            raise UsageError(f"{', '.join(asked)}: only with --from-captures or --from-netbox")
        return _starter(folder)
    if netbox not in (None, "netbox") and not str(netbox).startswith(("http://", "https://")):
        raise UsageError(f'--from-netbox: "{netbox}" is no address: https://...; a folder stands before the option')
    if captures and preset:
        raise UsageError("--preset: only with --from-netbox; captures tell their classes")
    from rocecfg.cli.discovering import from_captures, from_netbox

    name = _fabric_name(fabric, folder)
    if netbox is not None:
        return from_netbox(folder, netbox, name, preset, force=force)
    return from_captures(folder, captures, name, force=force, jobs=jobs)


def _fabric_name(stated: str, folder: Path) -> str:
    """Return the fabric's name: stated, else the folder's with other letters dropped."""
    if stated:
        from rocecfg.intent.fields import FieldError, read_name

        try:
            return read_name(stated)
        except FieldError as error:
            raise UsageError(f"--fabric: {error}") from error
    name = "".join(
        letter for letter in folder.resolve().name if letter.isascii() and (letter.isalnum() or letter in "_-")
    )
    return name.lstrip("_-")[:60] or "fabric1"


def _starter(folder: Path) -> int:
    from rocecfg.intent.starter import write

    written = write(folder)
    for path in written:
        click.echo(str(path))
    intent = next((path for path in written if path.name.endswith(".roce.yaml")), folder)
    note(f"next: edit {intent}, then rocecfg plan {intent}")
    return 0
