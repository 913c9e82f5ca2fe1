"""`rocecfg drift`: what live devices have otherwise than the intent wants."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rocecfg.cli.accepted import Accepted, accepted_options
from rocecfg.cli.findings import (
    FORMATS,
    read_settings,
    read_suppressions,
    rule_options,
)
from rocecfg.cli.options import command, output_file, output_format, system, workers
from rocecfg.cli.terminal import Progress, note

if TYPE_CHECKING:
    from rocecfg.remedy.write import Folder


@command(
    ("rocecfg drift pod1.roce.yaml captures/", "every device of the intent"),
    ("rocecfg drift pod1.roce.yaml captures/ --device 'leaf*'", "only these"),
    ("rocecfg drift pod1.roce.yaml captures/ --remedy back/", "and the commands back, one folder a device"),
    ("rocecfg drift pod1.roce.yaml captures/ --format json", "for a program"),
)
@click.argument("intent", metavar="INTENT", type=click.Path(path_type=Path))
@click.argument("captures", metavar="CAPTURES...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--device", "globs", multiple=True, metavar="GLOB", help="Only these devices. Repeatable.")
@click.option(
    "--remedy",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write the commands back to the intent, their undo and a README.md with order and risk. Nothing is applied.",
)
@system
@rule_options
@accepted_options
@output_format(*FORMATS)
@output_file
@workers
def drift(
    intent: Path,
    captures: tuple[Path, ...],
    globs: tuple[str, ...],
    remedy: Path | None,
    nos: str,
    profile: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    fail_on: str | None,
    config: Path | None,
    accepted: Accepted,
    form: str,
    output: Path | None,
    jobs: int | None,
) -> int:
    """Compare captures or saved configurations with what the intent wants of each device.

    Only what the intent decides is compared, after what the system can carry. A device of the intent without a
    capture is a finding and ends with exit 3: it was not looked at.
    """
    from rocecfg.cli.comparing import Comparison
    from rocecfg.cli.inputs import sources_under
    from rocecfg.cli.intents import chosen_devices, load_plan
    from rocecfg.cli.reading import check_system, read_devices

    check_system(nos)
    settings = read_settings(profile, select, ignore, fail_on, config)
    plan = load_plan(intent)
    folder = _remedies(remedy)
    chosen = {name: plan.devices[name] for name in chosen_devices(plan, globs)}
    run = Comparison(chosen, set(plan.devices), settings, folder)
    sources = list(sources_under(captures))
    progress = Progress("compared", len(sources))
    for reading in read_devices(sources, nos, jobs):
        run.take(reading)
        progress.step()
    outcome = run.finish()
    suppressions = read_suppressions(plan.fabric, settings)
    kept, _ = suppressions.apply(sorted(outcome.findings, key=lambda finding: finding.sort_key()))
    outcome.findings, outcome.source = kept, str(intent)
    places = {name: device.place for name, device in plan.fabric.devices.items()}
    outcome.asked_for = {name: (place.file, place.line) for name, place in places.items()}
    if folder is not None:
        order = folder.finish()
        note(f"{remedy}: the way back of {len(order)} devices; {remedy}/README.md says in which order")
    code = accepted.finish(outcome, settings, form, output)
    if run.strangers:
        note(f"{run.strangers} captures of devices that the intent does not have were not compared")
    return code


def _remedies(path: Path | None) -> Folder | None:
    """Return where remedies go. They are written as devices are compared, so that no fleet stands in memory."""
    if path is None:
        return None
    from rocecfg.remedy.write import Folder

    return Folder(path)
