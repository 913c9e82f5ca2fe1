"""Writes remedies to disk as they are made: a folder a drifted device, and one README.md that says in which order.

Files are replaced whole or not at all. What an earlier run wrote for a device that has no drift any more is removed:
a remedy that nobody needs must not be applied by mistake.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError, RenderError
from rocecfg.remedy.rules import RISKS
from rocecfg.render.files import check_names
from rocecfg.state.capture import write_atomically

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from rocecfg.remedy.make import Remedy

README = "README.md"
_OURS = ("remedy.", "undo.")
_ROLES = {"spine": 0, "superspine": 0, "core": 0, "leaf": 1, "tor": 1, "edge": 1}


class Folder:
    """Where the remedies of one run go."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._kept: dict[str, Remedy] = {}
        self._roles: dict[str, str] = {}

    def take(self, remedy: Remedy, role: str = "") -> str:
        """Write the files of one device; return the path of its remedy, empty when it has none.

        Raises RenderError when the folder cannot be written.
        """
        check_names([remedy.device])
        folder = self._path / remedy.device
        try:
            for name, content in remedy.files.items():
                write_atomically(folder / name, content, 0o755 if name.endswith(".sh") else 0o644)
            if folder.is_dir():
                for path in sorted(folder.iterdir()):
                    if path.name.startswith(_OURS) and path.name not in remedy.files:
                        path.unlink()
                if not remedy.files and not any(folder.iterdir()):
                    folder.rmdir()
        except (OSError, ReadError) as error:
            raise RenderError(f"cannot write {folder}: {error}") from error
        if remedy:
            self._kept[remedy.device] = replace(remedy, files=dict.fromkeys(remedy.files, ""), commands=(), undo=())
            self._roles[remedy.device] = role
        first = next((name for name in remedy.files if name.startswith("remedy.")), "")
        return str(folder / first) if first else ""

    def finish(self) -> list[str]:
        """Write README.md and return the devices in the order to go."""
        order = sorted(self._kept, key=self._place)
        try:
            write_atomically(self._path / README, readme([self._kept[name] for name in order]))
        except ReadError as error:
            raise RenderError(f"cannot write {error}") from error
        return order

    def _place(self, name: str) -> tuple[int, int, str]:
        remedy = self._kept[name]
        role = self._roles[name].lower()
        return (remedy.kind == "host", _ROLES.get(role, 2), name)


def readme(remedies: list[Remedy]) -> str:
    """Return the page that stands beside the remedies."""
    if not remedies:
        return "# Back to the intent\n\nNo device drifted: there is nothing to do.\n"
    lines = [
        "# Back to the intent",
        "",
        "Nothing here was applied. Each file was replayed on the captured configuration and read back without drift;",
        "it fits the device as it was captured: capture again when it changed since.",
        "",
        "## Order",
        "",
        "One device at a time: apply, check, then the next. Switches before hosts, so that no host sends lossless",
        "traffic into a switch that does not yet keep room for it; no vendor document prescribes an order.",
        "",
        "| | device | system | risk | files |",
        "|---|---|---|---|---|",
    ]
    for at, remedy in enumerate(remedies, 1):
        files = ", ".join(f"`{remedy.device}/{name}`" for name in remedy.files) or "by hand"
        lines.append(f"| {at} | {_cell(remedy.device)} | {remedy.nos} | {remedy.risk or '-'} | {files} |")
    lines += ["", f"Risks, from the mildest to the worst: {', '.join(RISKS)}."]
    lines += ['"Not documented" = no document we know says what the change does to traffic: use a maintenance window.']
    for remedy in remedies:
        lines += _about(remedy)
    lines += _how(remedies)
    return "\n".join(lines) + "\n"


def _about(remedy: Remedy) -> list[str]:
    lines = ["", f"## {_cell(remedy.device)}", ""]
    for effect in remedy.effects:
        what = "line" if effect.lines == 1 else "lines"
        said = f" ({effect.source})" if effect.source else ""
        lines.append(f"- {effect.risk}: {effect.lines} {what}, such as `{_code(effect.example)}`{said}")
    if remedy.by_hand:
        lines += ["", "By hand:", "", *(f"- {_cell(text)}" for text in remedy.by_hand)]
    return lines


def _how(remedies: list[Remedy]) -> list[str]:
    lines: list[str] = []
    seen: dict[tuple[str, tuple[str, ...], tuple[str, ...]], Mapping[str, str]] = {}
    for remedy in remedies:
        if remedy.files:
            seen.setdefault((remedy.nos, remedy.steps, remedy.check), remedy.files)
    for (nos, steps, check), files in seen.items():
        name = next(iter(files))
        lines += ["", f"## How: {nos}", ""]
        lines += [f"{at}. {step.replace('<file>', name)}" for at, step in enumerate(steps, 1)]
        lines += ["", "Check afterwards:", "", *(f"- `{command}`" for command in check)]
        lines += ["- `rocecfg drift` with a new capture"]
    return lines


_LONGEST = 160


def _code(text: str) -> str:
    clean = "".join(letter if letter.isprintable() and letter != "`" else "?" for letter in text)
    return clean if len(clean) <= _LONGEST else clean[:_LONGEST] + " ..."


def _cell(text: str) -> str:
    clean = "".join(letter if letter.isprintable() else " " for letter in text)
    return clean.replace("|", "\\|").replace("<", "&lt;")
