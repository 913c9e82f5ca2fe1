"""Renders a fitted device with its vendor's templates."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from rocecfg.errors import RenderError
from rocecfg.packs import room_folders
from rocecfg.state.capture import Capture, Text
from rocecfg.vendor import applications, registry

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jinja2 import Environment

    from rocecfg.state.model import Device


@dataclass(frozen=True, slots=True)
class Rendered:
    """One file that goes to a device."""

    file: str
    content: str
    mode: int
    command: str


@lru_cache(maxsize=1)
def environment() -> Environment:
    """Return the one environment for device texts: no escaping, an undefined variable is an error."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    folders = [folder for room in room_folders("templates") for folder in (room, room / "nic")]
    env = Environment(
        loader=FileSystemLoader([str(folder) for folder in folders]),
        autoescape=False,  # noqa: S701 - configurations are no HTML; reports have an environment of their own
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    env.filters["json"] = _json
    env.filters["ranges"] = number_ranges
    return env


def _json(value: object, indent: int = 2) -> str:
    return json.dumps(value, indent=indent)


def number_ranges(numbers: object) -> str:
    """Return numbers as a device writes them: `0-2,4,6-7`."""
    parts: list[str] = []
    run: list[int] = []
    for number in [*sorted(numbers), None]:  # type: ignore[call-overload]
        if run and number != run[-1] + 1:
            parts.append(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}")
            run = []
        run.append(number)
    return ",".join(parts)


def render(device: Device) -> list[Rendered]:
    """Return the files of a fitted device, in the order of its manifest.

    Raises RenderError when a template meets a value the vendor did not provide (a defect of the vendor's folder).
    """
    from jinja2 import TemplateError

    vendor = registry.get(device.nos)
    views = vendor.module.from_state(device)
    files = []
    for output in vendor.manifest.render:
        if output.only_with == "kubernetes" and device.kubernetes_vfs is None:
            continue
        view: Mapping[str, object] = views[output.template].values
        try:
            content = environment().get_template(f"{vendor.name}/{output.template}").render(view)
        except TemplateError as error:
            raise RenderError(f"{device.name}: template {vendor.name}/{output.template}: {error}") from error
        files.append(Rendered(output.file, content, output.mode, output.command))
    return files + _of_applications(device)


def _of_applications(device: Device) -> list[Rendered]:
    """Return the files of a host's applications that are told anything."""
    files = []
    for app in device.apps or ():
        application = applications.get(app.name)
        output = application.output if application is not None else None
        if output is None or (app.tos is None and app.sl is None and app.gid_index is None):
            continue
        template = environment().get_template(f"applications/{output.template}")
        files.append(Rendered(output.file, template.render(device=device.name, app=app), output.mode, output.command))
    return files


def as_capture(device: Device, files: list[Rendered]) -> Capture:
    """Return rendered files as the capture they will be read back as."""
    texts = tuple(Text(f"{device.name}/{item.file}", item.content, item.command, complete=True) for item in files)
    return Capture(device.name, device.nos, texts, source="intended", file=device.name)
