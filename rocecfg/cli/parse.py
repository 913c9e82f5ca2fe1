"""`rocecfg parse`: what a device text says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from rocecfg.cli.options import command, output_file, output_format, system, workers
from rocecfg.cli.terminal import error_line, result_stream
from rocecfg.errors import EXIT_CLEAN, EXIT_UNREADABLE, ReadError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocecfg.state.model import Device


@command(
    ("rocecfg parse leaf1.cfg", "a saved configuration; the system is detected"),
    ("rocecfg parse captures/leaf1 --format json", "all texts of a capture folder as data"),
    ("ssh leaf1 show running-config | rocecfg parse - --nos nxos", "a live device"),
)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path))
@system
@output_format("text", "json")
@output_file
@workers
def parse(paths: tuple[Path, ...], nos: str, form: str, output: Path | None, jobs: int | None) -> int:
    """Show what device texts say in neutral words, and every line that was not understood.

    PATH is a saved configuration, the output of a show command, a capture folder, a folder of any of these, or
    `-` for stdin. JSON is one object for one capture, a list for a folder or several paths. Exit 3 when
    something cannot be read.
    """
    from rocecfg.cli.inputs import sources_under
    from rocecfg.cli.reading import check_system, read_devices

    check_system(nos)
    several = len(paths) > 1 or (paths[0].is_dir() and not (paths[0] / "capture.json").is_file())
    failed = 0
    seen = 0

    def devices() -> Iterator[Device]:
        nonlocal failed, seen
        for reading in read_devices(sources_under(paths), nos, jobs):
            seen += 1
            if reading.device is None:
                failed += 1
                error_line(reading.error)
            else:
                yield reading.device

    with result_stream(output) as stream:
        (_write_json if form == "json" else _write_text)(stream, devices(), several)
    if not seen:
        raise ReadError(f"no file to read under {', '.join(map(str, paths))}")
    return EXIT_UNREADABLE if failed else EXIT_CLEAN


def _write_text(stream: IO[str], devices: Iterator[Device], several: bool) -> None:
    from rocecfg.report import state

    del several
    for at, device in enumerate(devices):
        stream.write(("\n" if at else "") + state.as_text(device))


def _write_json(stream: IO[str], devices: Iterator[Device], several: bool) -> None:
    from rocecfg.report import state

    texts = (json.dumps(state.as_plain(device), indent=2) for device in devices)
    if not several:
        stream.writelines(f"{text}\n" for text in texts)
        return
    stream.write("[")
    for at, text in enumerate(texts):
        stream.write((",\n" if at else "\n") + text)
    stream.write("\n]\n")
