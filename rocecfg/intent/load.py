"""From an intent file to an `Intent`: every problem of the file at once, each with line and column."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from rocecfg import yamlfile
from rocecfg.errors import IntentError, Problem
from rocecfg.intent.checks import check_names, read_comment
from rocecfg.intent.links import LinkLine, LinkReader
from rocecfg.intent.model import IntentFile, SettingsPart
from rocecfg.intent.validation import read_file
from rocecfg.units import UnitError, shown
from rocecfg.yamlevents import MAX_PROBLEMS, too_many

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from rocecfg.intent.model import DeviceLine, TrafficClass
    from rocecfg.intent.presets import Preset
    from rocecfg.yamlfile import Document, Place


@dataclass(frozen=True, slots=True)
class Suppression:
    """A rule that is silenced: on one line (`line`), on the devices of a pattern (`device`), or everywhere."""

    rule: str
    reason: str
    place: Place
    line: int | None = None
    device: str | None = None


@dataclass(frozen=True, slots=True)
class Intent:
    """One intent file as it was written; `rocecfg.intent.expand` merges its levels and expands its patterns."""

    file: str
    fabric: str
    classes: Mapping[str, TrafficClass]
    settings: SettingsPart
    roles: Mapping[str, SettingsPart]
    devices: Mapping[str, DeviceLine]
    links: tuple[LinkLine, ...]
    suppressions: tuple[Suppression, ...]
    document: Document
    preset: Preset | None = None
    """The preset that the file names; its classes are in `classes` already, its settings stand below `settings`."""

    def place(self, *path: str) -> Place:
        """Return where the value at a path stands: `place("classes", "roce", "dscp")`."""
        return self.document.place(path)


def load_intent(path: Path | str, known_systems: Mapping[str, Iterable[str]] | None = None) -> Intent:
    """Load an intent file. Raises IntentError with every problem found.

    `known_systems` = `{"nos": [...], "nic": [...]}`, the vendors there are: other words are then a problem.
    """
    return _intent(yamlfile.load_path, path, known_systems)


def parse_intent(
    text: str | bytes, file: str = "<text>", known_systems: Mapping[str, Iterable[str]] | None = None
) -> Intent:
    """Load an intent from a text. Raises IntentError with every problem found."""
    return _intent(lambda source: yamlfile.load_text(source, file), text, known_systems)


def load_links(path: Path | str) -> tuple[LinkLine, ...]:
    """Load a links file: the `links` list alone, speed optional. Raises IntentError."""
    with yamlfile.collector_paused():
        document = yamlfile.load_path(path)
        reader = LinkReader(document, speed_required=False)
        links = reader.read(document.data)
    if reader.problems:
        raise IntentError(reader.problems)
    return links


def _intent(read: Any, source: Any, known_systems: Mapping[str, Iterable[str]] | None) -> Intent:
    with yamlfile.collector_paused():
        document = read(source)
        data = document.data
        if not isinstance(data, dict):
            place = document.place(())
            message = f"{shown(data)} is no intent: the file must be a mapping of keys and values"
            raise IntentError([Problem(place.file, place.line, place.column, message, "`rocecfg init` writes one")])
        links = LinkReader(document)
        lines = links.read(data["links"]) if "links" in data else ()
        problems = links.problems
        preset = _preset(document, data, problems)
        model = read_file(document, IntentFile, problems)
        problems += islice(check_names(document, known_systems, preset.classes if preset else {}), MAX_PROBLEMS)
        suppressions = _suppressions(document, model, problems)
    if len(problems) > MAX_PROBLEMS:
        raise too_many(problems)
    if problems:
        raise IntentError(problems)
    classes = model.classes or {}
    if preset is not None:
        from rocecfg.intent import presets

        classes = {name: presets.over(part, classes.get(name)) for name, part in preset.classes.items()} | {
            name: part for name, part in classes.items() if name not in preset.classes
        }
    return Intent(document.file, model.fabric or "", classes, model.settings or SettingsPart(),
                  model.roles or {}, model.devices or {}, lines, suppressions, document, preset)  # fmt: skip


def _preset(document: Document, data: dict[str, Any], problems: list[Problem]) -> Preset | None:
    """Return the preset that the file names; None where it names none, or none that is known."""
    if "preset" not in data:
        return None
    from rocecfg.intent import presets

    try:
        return presets.load_preset(data["preset"], document.place(("preset",)))
    except IntentError as error:
        problems += error.problems
        return None


def _suppressions(document: Document, model: IntentFile, problems: list[Problem]) -> tuple[Suppression, ...]:
    """Return what comments and `ignore` lists silence."""
    found = []
    for comment in document.comments:
        place = yamlfile.Place(document.file, comment.line, comment.column)
        try:
            found += [Suppression(rule, why, place, comment.target) for rule, why in read_comment(comment.text)]
        except UnitError as error:
            problems.append(Problem(*place, error.message, error.help))
    found += [Suppression(rule, why, document.place(("ignore",))) for rule, why in model.ignore or ()]
    for name, device in (model.devices or {}).items():
        place = document.place(("devices", name, "ignore"))
        found += [Suppression(rule, why, place, device=name) for rule, why in device.ignore or ()]
    return tuple(found)
