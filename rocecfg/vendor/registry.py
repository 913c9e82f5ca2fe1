"""Which systems we know: one folder each, found by listing, never by a list in the code."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from rocecfg.errors import ReadError, UsageError, did_you_mean
from rocecfg.packs import load_module, room_folders

if TYPE_CHECKING:
    from pathlib import Path

    from rocecfg.state.capture import Text
    from rocecfg.state.model import Device
    from rocecfg.vendor.api import VendorModule
    from rocecfg.vendor.manifest import Manifest

_LOOKED_AT = 1_000_000
"""Characters of a text that detection looks at."""
_PAGED = re.compile(r"(?:[ \t]{0,9}-{2,4} ?[Mm]ore ?-{2,4}[ \t]{0,80})?(?:\x1b\[[0-9;?]{0,12}[A-Za-z][ \t]{0,80})")
"""A pager's prompt and the cursor movements that wipe it off the screen."""
_TYPED = re.compile(r"^[\w.:-]{1,63}\(conf[^)\n]{0,80}\)#[ \t]?(\S[^\n]{0,300})$", re.MULTILINE)
"""What was typed at the prompt of a configuration mode."""


_ASKED = re.compile(
    r"^[\w.@:~\[\]<>() -]{1,80}[#$>%\]][ \t]{0,4}(?:do |run )?((?:show|display|nv show) \S[^\n|]{0,80})", re.MULTILINE
)
"""A command typed at a prompt that shows something."""


@dataclass(frozen=True, slots=True)
class Vendor:
    """A system: its folder, its manifest, and its code once somebody needs it."""

    folder: Path
    manifest: Manifest

    @property
    def name(self) -> str:
        """The word in `nos:` or `nic:`."""
        return self.manifest.name

    @property
    def module(self) -> VendorModule:
        """The vendor's `state.py`."""
        return cast("VendorModule", load_module(self.folder / "state.py"))


def vendor_folders() -> dict[str, Path]:
    """Return every vendor folder by name, switch systems first, a user's pack last (and winning)."""
    found: dict[str, Path] = {}
    for room in room_folders("vendors"):
        for parent in (room, room / "nic"):
            if parent.is_dir():
                for folder in sorted(parent.iterdir()):
                    if (folder / "vendor.yaml").is_file():
                        found[folder.name] = folder
    return found


def names() -> list[str]:
    """Return the names of all systems."""
    return list(vendor_folders())


def known_systems() -> dict[str, list[str]]:
    """Return the systems an intent may name, by the key that names them."""
    folders = vendor_folders()
    return {
        "nos": [name for name, folder in folders.items() if folder.parent.name != "nic"],
        "nic": [name for name, folder in folders.items() if folder.parent.name == "nic"],
    }


@lru_cache(maxsize=64)
def get(name: str) -> Vendor:
    """Return a system by name. Raises UsageError with the nearest known name."""
    from rocecfg.vendor.manifest import load_manifest  # brings pydantic: only where a manifest is read

    folders = vendor_folders()
    if name not in folders:
        raise UsageError(f'unknown system "{name}"{did_you_mean(name, folders)} Known: {", ".join(folders)}')
    folder = folders[name]
    return Vendor(folder, load_manifest(folder))


@lru_cache(maxsize=64)
def marks_by_pcp(name: str) -> bool:
    """Return whether hosts of a family mark with an 802.1p priority only: `marks: pcp` in the manifest.

    Looks at the text alone: the manifest's checker would double the time that linting one intent takes.
    """
    folder = vendor_folders().get(name)
    return folder is not None and "\nmarks: pcp\n" in (folder / "vendor.yaml").read_text(encoding="utf-8")


@lru_cache(maxsize=1024)
def _of_whole_lines(pattern: re.Pattern[str]) -> re.Pattern[str]:
    """Return a pattern of a line start as one with a literal line feed, which is found ten times faster."""
    source = pattern.pattern
    return re.compile("\n" + source[1:], pattern.flags) if source.startswith("^") and "|^" not in source else pattern


def _looked_at(text: str) -> str:
    """Return what detection looks at: the beginning of a text, its lines as a terminal shows them."""
    head = text[:_LOOKED_AT]
    if "\r" in head:
        head = head.replace("\r\n", "\n")
    if "\x1b[" in head:
        head = _PAGED.sub("", head)
    if ")#" in head:
        head = "\n".join((head, *_TYPED.findall(head)))
    return "\n" + head


def score(name: str, text: str) -> tuple[int, str]:
    """Return how strongly one system claims a text (0 = not at all), and the command it thinks printed it."""
    looked_at = _looked_at(text)
    total, command, best = 0, "", 0
    for clue in get(name).manifest.detect:
        if _of_whole_lines(clue.pattern).search(looked_at):
            total += clue.score
            if clue.id and clue.score > best:
                command, best = clue.id, clue.score
    return total, command


def scores(text: str) -> dict[str, tuple[int, str]]:
    """Return `score` of every system that claims a text."""
    found = {name: score(name, text) for name in vendor_folders()}
    return {name: claim for name, claim in found.items() if claim[0] > 0}


def detect(texts: tuple[Text, ...], file: str) -> str:
    """Return the system that the texts belong to.

    Raises ReadError when no system knows them, or two know them equally well: a guess would be a silent lie.
    """
    if not any(text.content.strip() for text in texts):
        raise ReadError(f"{file}: empty")
    totals: dict[str, int] = {}
    for text in texts:
        for name, (score, _) in scores(text.content).items():
            totals[name] = totals.get(name, 0) + score
    ranked = sorted(totals.items(), key=lambda item: -item[1])
    if not ranked:
        asked = next((found for text in texts if (found := text.command or _asked(text.content))), "")
        unread = (
            f'; what "{asked}" prints is not known: rocecfg vendors NAME lists the outputs that are' if asked else ""
        )
        raise ReadError(f"{file}: of no known system (known: {', '.join(names())}); name it with --nos{unread}")
    if len(ranked) > 1 and ranked[0][1] == ranked[1][1]:
        raise ReadError(f"{file}: could be {ranked[0][0]} or {ranked[1][0]}; name it with --nos")
    return ranked[0][0]


def _asked(content: str) -> str:
    """Return the first command that stands behind a prompt and only shows something, '' where there is none."""
    found = _ASKED.search(content[:20_000])
    return " ".join(found[1].split()) if found is not None else ""


def one_command(device: Device) -> str:
    """Return the system's own RoCE command (`roce lossless`) that makes the settings of a fitted device, else ''.

    A vendor offers it by a function `one_command(device) -> str` in its `state.py`; most have no such command.
    """
    of_vendor = getattr(get(device.nos).module, "one_command", None)
    return "" if of_vendor is None else str(of_vendor(device))


def notes(device: Device) -> tuple[str, ...]:
    """Return what a vendor has to say about a fitted device beside its numbers: `notes(device)` in its `state.py`."""
    of_vendor = getattr(get(device.nos).module, "notes", None)
    return () if of_vendor is None else tuple(of_vendor(device))


def command_of(name: str, text: Text) -> str:
    """Return the id of the command that printed a text: by its command line, else by what it looks like, else ''."""
    manifest = get(name).manifest
    if text.command:
        for command in manifest.commands:
            if text.command in {command.send, command.id}:
                return command.id
        for output in manifest.render:
            if output.command == text.command:
                return text.command
    looked_at = _looked_at(text.content)
    clues = sorted((clue for clue in manifest.detect if clue.id), key=lambda clue: -clue.score)
    return next((clue.id for clue in clues if _of_whole_lines(clue.pattern).search(looked_at)), "")
