"""`rocecfg plan`: every number with its reason."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rocecfg.cli.options import command, output_file, output_format
from rocecfg.cli.terminal import error_line, result_stream
from rocecfg.errors import EXIT_CLEAN, EXIT_USAGE, UsageError, did_you_mean

if TYPE_CHECKING:
    from rocecfg.plan.planned import Plan


@command(
    ("rocecfg plan pod1.roce.yaml", "all numbers, equal ports and devices together"),
    ("rocecfg plan pod1.roce.yaml --short", "one line per kind of port"),
    ("rocecfg plan pod1.roce.yaml --why leaf1:Ethernet1/7", "how each number of a port came about"),
    ("rocecfg plan pod1.roce.yaml --format json", "numbers, units and reasons as data"),
    ("rocecfg plan pod1.roce.yaml --format html -o pod1.html", "buffers, ramps and headroom as drawings"),
)
@click.argument("intent", metavar="INTENT", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--why", metavar="DEVICE[:PORT]", help="Show the reason of every number of a device or port.")
@click.option("--short", is_flag=True, help="One line per kind of port.")
@click.option("--device", "globs", multiple=True, metavar="GLOB", help="Only these devices. Repeatable.")
@output_format("text", "json", "html", "svg")
@output_file
def plan(intent: Path, why: str | None, short: bool, globs: tuple[str, ...], form: str, output: Path | None) -> int:
    """Show every number that follows from an intent: maps, PFC, headroom, ECN, scheduling, watchdog, MTU, NIC.

    What a system cannot carry as planned is shown with what becomes of it. Exit 2 when a device would have to
    change what must not be changed silently; `render` writes nothing then.
    """
    from rocecfg.cli.intents import chosen_devices, load_plan
    from rocecfg.report import plan as report

    made = load_plan(intent)
    if form in {"html", "svg"}:
        if why or short:
            raise UsageError(f"--format {form} draws whole devices: leave --why and --short out, choose with --device")
        _draw(made, chosen_devices(made, globs), form, output)
        return _exit_code(made)
    device, port = _asked_for(made, why) if why else ("", None)
    with result_stream(output) as stream:
        if why and form == "json":
            data = report.as_plain(made, [device])
            if port is not None:
                data["devices"][device]["ports"] = {port: data["devices"][device]["ports"][port]}
            stream.write(report.to_json(data))
        elif why:
            stream.writelines(report.why_text(made.devices[device], port))
        elif form == "json":
            stream.write(report.to_json(report.as_plain(made, chosen_devices(made, globs))))
        elif short:
            stream.write(report.as_short_text(made, chosen_devices(made, globs)))
        else:
            stream.writelines(report.as_text(made, chosen_devices(made, globs)))
    return _exit_code(made)


def _draw(made: Plan, names: list[str], form: str, output: Path | None) -> None:
    """Write the drawings: HTML to stdout, a .html file or a folder; SVG, one file a drawing, to a folder."""
    from rocecfg.report import drawing

    folder = output is not None and str(output) != "-" and (output.is_dir() or output.suffix not in {".html", ".htm"})
    if form == "svg" and not folder:
        raise UsageError("--format svg writes one file a drawing: name a folder with -o DIR")
    pages = drawing.as_svg(made, names) if form == "svg" else [(f"{made.name}.html", drawing.as_html(made, names))]
    for name, text in pages:
        with result_stream(in_folder(output, name) if output is not None and folder else output) as stream:
            stream.write(text)


def in_folder(folder: Path, name: str) -> Path:
    """Return a file's path in a folder, which is made where it is missing. Raises UsageError when it cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: {error.strerror or error}") from error
    return folder / name


def _asked_for(made: Plan, why: str) -> tuple[str, str | None]:
    """Return device and port of `DEVICE[:PORT]`. Raises UsageError with the nearest known name."""
    name, _, port = why.partition(":")
    if name not in made.devices:
        raise UsageError(f'no device of {made.name} is called "{name}"{did_you_mean(name, made.devices)}')
    ports = made.devices[name].fitted.ports
    if port and port not in ports:
        raise UsageError(f'{name} has no port "{port}"{did_you_mean(port, ports)}')
    return name, port or None


def _exit_code(made: Plan) -> int:
    refusals = made.refusals()
    for item in refusals:
        error_line(f"{item.device} {item.object}: {item.field}: {item.wanted} is wanted, {item.got}: {item.because}")
    return EXIT_USAGE if refusals else EXIT_CLEAN
