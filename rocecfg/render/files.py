"""Writes rendered devices to disk: one folder a device, every file whole or not at all, and a check of what is there.

A device's folder also gets a `capture.json`, so that what was rendered can be linted and parsed like a capture.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError, RenderError
from rocecfg.state.capture import capture_index, read_text, write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from rocecfg.render.engine import Rendered

INDEX = "capture.json"
_SAFE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._+@-]{0,199}")
_RESERVED = frozenset({"con", "prn", "aux", "nul"})


@dataclass(frozen=True, slots=True)
class DeviceFiles:
    """What one device gets: its name, its system and its files."""

    device: str
    nos: str
    files: Sequence[Rendered]

    def texts(self) -> dict[str, tuple[str, int]]:
        """Return content and mode of every file of the folder, `capture.json` included."""
        listed: list[dict[str, object]] = [
            {"command": item.command, "file": item.file, "complete": True} for item in self.files
        ]
        index = capture_index(self.device, self.nos, listed, source="intended")
        return {item.file: (item.content, item.mode) for item in self.files} | {INDEX: (index, 0o644)}


@dataclass(frozen=True, slots=True)
class Difference:
    """A file that is not what the intent asks for now."""

    file: Path
    kind: str
    """missing, out of date, or left over."""


def check_names(names: Iterable[str]) -> None:
    """Raise RenderError for a device name that cannot be a folder, or two that are one folder on some systems."""
    seen: dict[str, str] = {}
    for name in names:
        if not _SAFE_NAME.fullmatch(name) or name.lower().partition(".")[0] in _RESERVED or name == INDEX:
            raise RenderError(f"device name {name!r} cannot be a folder: letters, digits and . _ + @ - are accepted")
        other = seen.setdefault(name.lower(), name)
        if other != name:
            raise RenderError(f"devices {other} and {name} would share a folder where letter case does not count")


def write(folder: Path, devices: Iterable[DeviceFiles]) -> list[Path]:
    """Write every device's folder and return the files that changed, in order.

    Files are only replaced when their content differs. What an earlier run left over stays and is found by
    `compare`. Raises RenderError when a folder cannot be written.
    """
    changed = []
    for device in devices:
        for name, (content, mode) in device.texts().items():
            path = folder / device.device / name
            if _content(path) == content and path.stat().st_mode & 0o777 == mode:
                continue
            try:
                write_atomically(path, content, mode)
            except ReadError as error:
                raise RenderError(f"cannot write {error}") from error
            changed.append(path)
    return changed


def compare(folder: Path, devices: Sequence[DeviceFiles], *, whole: bool) -> list[Difference]:
    """Return every file that differs from what would be written.

    With `whole`, device folders of earlier runs that are not in `devices` are left over too: told by their
    `capture.json` with source "intended", so folders of other tools are not meant.
    """
    found = []
    for device in devices:
        wanted = device.texts()
        for name, (content, _) in wanted.items():
            path = folder / device.device / name
            have = _content(path)
            if have != content:
                found.append(Difference(path, "missing" if have is None else "out of date"))
        found += [Difference(path, "left over") for path in _files(folder / device.device) if path.name not in wanted]
    if whole and folder.is_dir():
        known = {device.device for device in devices}
        found += [
            Difference(child, "left over")
            for child in sorted(folder.iterdir())
            if child.name not in known and '"source": "intended"' in (_content(child / INDEX) or "")
        ]
    return found


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_file()) if folder.is_dir() else []


def _content(path: Path) -> str | None:
    if not path.is_file():
        return None
    try:
        return read_text(path)
    except ReadError:
        return None
