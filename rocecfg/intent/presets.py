"""Presets: the fixed markings and priorities of a well-known platform, one YAML file each in `vendors/presets/`.

`preset: azure-local` in an intent puts the classes and settings of `vendors/presets/azure-local.yaml` under those of
the intent: a class of the same name takes over what the intent leaves out, settings stand below `settings`. A preset
is read only when an intent names it.

    title: what it is
    classes: {...}      as in an intent; here a class may leave its DSCP out
    settings: {...}     as in an intent
    sources: {classes.storage: "document", classes.storage.dscp: "another document"}   # the longest path wins
    notes: [one sentence each: what the user has to know]
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocecfg import yamlfile
from rocecfg.errors import IntentError, Problem, did_you_mean
from rocecfg.intent.model import PresetFile, SettingsPart, TrafficClass
from rocecfg.intent.shape import Part
from rocecfg.intent.validation import read_file
from rocecfg.packs import room_folders
from rocecfg.units import shown

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from rocecfg.yamlfile import Place

_ROOM = "presets"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,60}")


@dataclass(frozen=True, slots=True)
class Preset:
    """One preset: what it puts under an intent, and who says so."""

    name: str
    title: str
    classes: Mapping[str, TrafficClass]
    settings: SettingsPart
    sources: Mapping[str, str]
    notes: tuple[str, ...]
    place: Place
    """Where the intent names it."""

    def because(self, *path: str) -> str:
        """Return the reason of a value: `preset azure-local: <source>`."""
        for length in range(len(path), 0, -1):
            source = self.sources.get(".".join(path[:length]))
            if source is not None:
                return f"preset {self.name}: {source}"
        return f"preset {self.name}"


def names() -> list[str]:
    """Return the names of all presets, those of the user's packs among them."""
    return sorted({path.stem for room in room_folders("vendors") for path in (room / _ROOM).glob("*.yaml")})


def load_preset(word: Any, place: Place) -> Preset:
    """Return the preset that an intent names at a place. Raises IntentError: no such preset, or a broken file."""
    path = _path(word) if isinstance(word, str) and _NAME.fullmatch(word) else None
    if path is None:
        known = names()
        near = did_you_mean(word, known) if isinstance(word, str) else ""
        message = f"preset: {shown(word)} is not known{near}"
        raise IntentError([Problem(*place, message, f"accepted: {', '.join(known)}")])
    document = yamlfile.load_path(path)
    problems: list[Problem] = []
    if not isinstance(document.data, dict):
        problems.append(Problem(*document.place(()), "a preset must be a mapping of keys and values"))
        raise IntentError(problems)
    file = read_file(document, PresetFile, problems)
    if problems:
        raise IntentError(problems)
    return Preset(str(word), file.title or path.stem, file.classes or {}, file.settings or SettingsPart(),
                  file.sources or {}, file.notes or (), place)  # fmt: skip


def _path(name: str) -> Path | None:
    """Return the file of a preset; the user's packs come last and win."""
    found = [room / _ROOM / f"{name}.yaml" for room in room_folders("vendors")]
    return next((path for path in reversed(found) if path.is_file()), None)


def over(preset: Part, written: Part | None) -> Any:
    """Return a part with what the intent writes over what the preset says, leaf by leaf."""
    if written is None:
        return preset
    stated = dict(preset.stated)
    for key, value in written.stated.items():
        below = stated.get(key)
        stated[key] = over(below, value) if isinstance(below, Part) and isinstance(value, Part) else value
    return type(written)(stated)
