"""`rocecfg init --from-captures` and `--from-netbox`: a network that runs becomes an intent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rocecfg.cli.terminal import Progress, error_line, note
from rocecfg.errors import EXIT_CLEAN, EXIT_UNREADABLE, ReadError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from rocecfg.discover.draft import Draft

_SHOWN = 20


def from_captures(folder: Path, captures: tuple[Path, ...], fabric: str, *, force: bool, jobs: int | None) -> int:
    """Write the intent of capture folders. Exit 3 when some could not be read: the others are in the file."""
    from rocecfg.cli.inputs import Source, sources_under
    from rocecfg.cli.reading import read_devices
    from rocecfg.discover.captures import Found, draft_of
    from rocecfg.discover.files import refuse_existing
    from rocecfg.state.model import Interner

    refuse_existing(folder, force=force)
    missing = [str(path) for path in captures if str(path) != "-" and not path.exists()]
    if missing:
        raise UsageError(f"{', '.join(missing)}: does not exist, nothing was written")
    sources = [item for item in sources_under(captures) if not (isinstance(item, Source) and item.is_intent)]
    if not sources:
        raise UsageError(f"{', '.join(map(str, captures))}: no capture in it, nothing was written")
    found, share = Found(), Interner()
    progress = Progress("read", len(sources))
    for reading in read_devices(sources, jobs=jobs):
        if reading.device is None:
            found.unreadable.append(reading.error)
        else:
            found.add(reading.device, reading.name, share, reading.file)
        progress.step()
    for error in found.unreadable[:_SHOWN]:
        error_line(error)
    if not found.devices:
        raise ReadError(f"none of {len(sources)} captures could be read: nothing was written")
    made_from = _count(len(found.devices), "device")
    heading = [f"Made by `rocecfg init --from-captures` from {made_from}. What had to be guessed says so."]
    if found.unreadable:
        heading.append(f"{_count(len(found.unreadable), 'capture')} could not be read:")
        heading += [f" {error}" for error in found.unreadable[:_SHOWN]]
    _finish(draft_of(found, fabric, heading), folder, force=force)
    if found.unreadable:
        note(
            f"{_count(len(found.unreadable), 'capture')} of {len(sources)} could not be read: they are not in the file"
        )
        return EXIT_UNREADABLE
    return EXIT_CLEAN


def from_netbox(folder: Path, source: str, fabric: str, preset: str, *, force: bool) -> int:
    """Write the intent of a NetBox. Exit 0: devices of no known system are named in the file and on stderr."""
    from rocecfg.discover.files import refuse_existing
    from rocecfg.discover.netbox import draft_of

    refuse_existing(folder, force=force)
    _check_preset(preset)
    heading = ["Made by `rocecfg init --from-netbox`. What had to be guessed says so; NetBox knows no traffic classes."]
    draft, left_out = draft_of(source, fabric, preset, heading)
    _finish(draft, folder, force=force)
    if left_out:
        note(f"{_count(len(left_out), 'device')} left out, because nothing says what they run: see the file")
    return EXIT_CLEAN


def _check_preset(preset: str) -> None:
    """Raise UsageError for a preset that does not exist."""
    if preset:
        from rocecfg.errors import did_you_mean
        from rocecfg.intent import presets

        known = presets.names()
        if preset not in known:
            raise UsageError(f'unknown preset "{preset}"{did_you_mean(preset, known)} Known: {", ".join(known)}')


def _finish(draft: Draft, folder: Path, *, force: bool) -> None:
    from rocecfg.discover.files import write
    from rocecfg.discover.text import write as text_of

    text = text_of(draft)
    written = write(folder, text, force=force)
    for path in written:
        click.echo(str(path))
    guessed = text.count("# guessed: ")
    note(
        f"{_count(len(draft.members), 'device')}, {_count(len(draft.links), 'cable')}, {_count(guessed, 'guess', 'es')}"
        f" marked; next: read {written[0]}, then rocecfg plan {written[0]}"
    )


def _count(number: int, word: str, plural: str = "s") -> str:
    return f"{number} {word}{'' if number == 1 else plural}"
