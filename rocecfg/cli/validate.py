"""`rocecfg validate`: whether an intent loads."""

from __future__ import annotations

from pathlib import Path

import click

from rocecfg.cli.options import command
from rocecfg.cli.terminal import error_line
from rocecfg.errors import EXIT_CLEAN, EXIT_USAGE, IntentError, PlanError


@command(
    ("rocecfg validate pod1.roce.yaml", "every problem with line, column and help"),
    ("rocecfg validate *.roce.yaml", "several intents, as a commit hook does"),
)
@click.argument(
    "intents", metavar="INTENT...", nargs=-1, required=True, type=click.Path(path_type=Path, allow_dash=True)
)
def validate(intents: tuple[Path, ...]) -> int:
    """Check that intents load and can be planned: YAML, keys, units, ranges, names, and what a system refuses.

    What the numbers mean for the network is judged by `rocecfg lint`.
    """
    from rocecfg.cli.intents import load_fabric
    from rocecfg.plan.resolve import plan

    failed = False
    for path in intents:
        try:
            fabric = load_fabric(path)
            refusals = plan(fabric).refusals()
        except IntentError as error:
            failed = True
            for problem in error.problems:
                error_line(str(problem), mark="")
            continue
        except PlanError as error:
            failed = True
            error_line(f"{path}: {error}", mark="")
            continue
        for item in refusals:
            failed = True
            where = f"{item.device} {item.object}".strip()
            error_line(f"{path}: {where}: {item.field}: {item.wanted} cannot be rendered: {item.because}", mark="")
        if refusals:
            continue
        ports = sum(len(device.ports) for device in fabric.devices.values())
        shown = "<stdin>" if str(path) == "-" else path
        click.echo(f"{shown}: valid: {len(fabric.devices)} devices, {ports} ports, {len(fabric.links)} links")
    return EXIT_USAGE if failed else EXIT_CLEAN
