"""`rocecfg render`: every device's configuration."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rocecfg.cli.options import command
from rocecfg.cli.terminal import Progress, note
from rocecfg.errors import EXIT_CLEAN, EXIT_FINDINGS, RenderError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocecfg.plan.planned import Plan
    from rocecfg.render.files import DeviceFiles

SHOWN = 20
"""Doubtful lines listed one by one before the list is cut."""


@command(
    ("rocecfg render pod1.roce.yaml -o out", "every device into out/<device>/"),
    ("rocecfg render pod1.roce.yaml -o out --check", "exit 1 when the files are out of date"),
    ("rocecfg render pod1.roce.yaml -o out --device 'leaf*'", "only these devices"),
    ("rocecfg render pod1.roce.yaml -o out --strict", "only what is documented"),
)
@click.argument("intent", metavar="INTENT", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--output", "-o", type=click.Path(path_type=Path, file_okay=False), required=True, metavar="DIR",
              help="Folder that gets one folder per device.")  # fmt: skip
@click.option("--device", "globs", multiple=True, metavar="GLOB", help="Only these devices. Repeatable.")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 and list the files that are out of date.")
@click.option("--strict", is_flag=True, help="Refuse constructs that nobody documented (exit 2).")
def render(intent: Path, output: Path, globs: tuple[str, ...], check: bool, strict: bool) -> int:
    """Write the configuration files of every device of an intent.

    Nothing is written when one device cannot carry what the intent asks for; the message says which and why.
    Lines whose syntax is inferred rather than documented are listed on stderr, or refused with --strict.
    """
    from rocecfg.cli.intents import chosen_devices, load_plan
    from rocecfg.render import files

    plan = load_plan(intent)
    names = _with_ports(plan, chosen_devices(plan, globs))
    files.check_names(names)
    _refuse(plan, names)
    _report_overruled(plan, names, strict)
    devices = _rendered(plan, names)
    _report_doubtful(devices, strict)
    if check:
        return _check(output, devices, whole=not globs)
    _offer_one_command(plan, names)
    changed = files.write(output, devices)
    count = sum(len(device.files) for device in devices)
    written = sum(path.name != files.INDEX for path in changed)
    note(f"{len(devices)} devices, {count} files in {output} ({written} written, the rest unchanged)")
    return EXIT_CLEAN


def _with_ports(plan: Plan, names: list[str]) -> list[str]:
    """Return the devices that have a port to set up; say which have none. Raises RenderError when all have none."""
    from rocecfg.lint.ranges import compact

    bare = [name for name in names if not plan.devices[name].fitted.ports]
    if not bare:
        return names
    text = f"no port of {compact(bare)} is in the intent: nothing to set up there, add their `links:`"
    if len(bare) == len(names):
        raise RenderError(text)
    note(text)
    return [name for name in names if plan.devices[name].fitted.ports]


def _refuse(plan: Plan, names: Iterable[str]) -> None:
    """Raise RenderError when a chosen device cannot carry its plan."""
    from rocecfg.lint.ranges import compact

    chosen = set(names)
    refusals = [item for item in plan.refusals() if item.device in chosen]
    if refusals:
        lines = [
            f"{item.device} {compact(item.object.split(', '))}: {item.field}: {item.wanted} is wanted, {item.got}: "
            f"{item.because}"
            for item in refusals
        ]
        raise RenderError("nothing is rendered, the plan must change:\n" + "\n".join(lines))


def _report_overruled(plan: Plan, names: Iterable[str], strict: bool) -> None:
    """List stated values that a system does not carry, equal ones once. Raises RenderError with --strict when any."""
    from rocecfg.lint.ranges import compact

    devices: dict[str, list[str]] = {}
    for name in names:
        for item in plan.devices[name].overruled():
            what = f"{item.field}: {item.wanted} is stated, the device gets {item.got}: {item.because}"
            devices.setdefault(what, []).append(name)
    lines = [f"{compact(list(dict.fromkeys(of)))}: {what}" for what, of in devices.items()]
    if lines and strict:
        raise RenderError("--strict: these stated values are not carried:\n" + "\n".join(lines))
    if lines:
        note("stated values that a system does not carry (--strict refuses them):")
    for line in lines[:SHOWN]:
        note(f"    {line}")
    if len(lines) > SHOWN:
        note(f"    and {len(lines) - SHOWN} more: `rocecfg plan INTENT --why DEVICE` tells all of a device")


def _offer_one_command(plan: Plan, names: Iterable[str]) -> None:
    """Say which devices could be set up by one command of their own system instead."""
    from rocecfg.lint.ranges import compact

    devices: dict[str, list[str]] = {}
    for name in names:
        if whole := plan.devices[name].one_command:
            devices.setdefault(whole, []).append(name)
    for whole, of in devices.items():
        note(f"{compact(of)}: the device says the same in one command: {whole}")


def _rendered(plan: Plan, names: list[str]) -> list[DeviceFiles]:
    from rocecfg.render.engine import render as render_device
    from rocecfg.render.files import DeviceFiles

    progress = Progress("rendered", len(names))
    made = []
    for name in names:
        fitted = plan.devices[name].fitted
        made.append(DeviceFiles(name, fitted.nos, render_device(fitted)))
        progress.step()
    return made


def _report_doubtful(devices: Iterable[DeviceFiles], strict: bool) -> None:
    """List lines that nobody documented, equal ones once. Raises RenderError with --strict when there are any."""
    from rocecfg.render import evidence
    from rocecfg.vendor import applications, registry

    shapes: dict[str, evidence.Shapes] = {}
    places: dict[str, list[str]] = {}
    for device in devices:
        if device.nos not in shapes:
            shapes[device.nos] = evidence.Shapes(
                (*registry.get(device.nos).manifest.evidence, *applications.evidence())
            )
        for what, where in evidence.doubtful(shapes[device.nos], device.device, device.files):
            places.setdefault(what, []).append(where)
    if not places:
        return
    lines = [
        f"{where[0]}: {what}" + (f" (and at {len(where) - 1} more places)" if len(where) > 1 else "")
        for what, where in places.items()
    ]
    if strict:
        raise RenderError("--strict: nobody documented the syntax of these lines:\n" + "\n".join(lines))
    note("lines whose syntax nobody documented (--strict refuses them):")
    for line in lines[:SHOWN]:
        note(f"    {line}")
    if len(lines) > SHOWN:
        note(f"    and {len(lines) - SHOWN} more: `rocecfg plan INTENT --why DEVICE` tells all of a device")


def _check(output: Path, devices: list[DeviceFiles], whole: bool) -> int:
    from rocecfg.render import files

    differences = files.compare(output, devices, whole=whole)
    for difference in differences:
        click.echo(f"{difference.file}: {difference.kind}")
    if not differences:
        note(f"{len(devices)} devices up to date in {output}")
    return EXIT_FINDINGS if differences else EXIT_CLEAN
