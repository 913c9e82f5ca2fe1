"""From an intent file to an `Intent`: every problem of the file at once, each with line and column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

from pydantic import BaseModel, ValidationError

from rocecfg import yamlfile
from rocecfg.errors import IntentError, Problem, did_you_mean
from rocecfg.intent import patterns
from rocecfg.intent.fields import parse_ignore
from rocecfg.intent.links import LinkLine, LinkReader
from rocecfg.intent.model import IntentFile
from rocecfg.units import UnitError, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from rocecfg.intent.model import DeviceLine, SettingsPart, TrafficClass
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
        model = _validated(document, problems)
        suppressions = _suppressions(document, model, problems)
        if model is not None:
            _check_names(document, model, known_systems, problems)
    if problems or model is None:
        raise IntentError(problems)
    return Intent(document.file, model.fabric, model.classes, model.settings, model.roles, model.devices,
                  lines, suppressions, document)  # fmt: skip


def _validated(document: Document, problems: list[Problem]) -> IntentFile | None:
    data = {key: value for key, value in document.data.items() if key != "links"}
    try:
        return IntentFile.model_validate(data)
    except ValidationError as error:
        problems += [_problem(document, found) for found in error.errors(include_url=False)]
        return None


def _problem(document: Document, error: Any) -> Problem:
    """Return one pydantic error in our words, at the place it is about."""
    path = error["loc"]
    name = ".".join(str(step) for step in path)
    place, value, kind = document.place(path), error.get("input"), error["type"]
    cause = error.get("ctx", {}).get("error")
    if isinstance(cause, UnitError):
        message, cure = f"{name}: {cause.message}", cause.help
    elif kind == "extra_forbidden":
        place = document.key_place(path)
        known = [*_fields_at(path[:-1]), *(["links"] if len(path) == 1 else [])]
        where = f" in {'.'.join(map(str, path[:-1]))}" if path[:-1] else ""
        message = f"unknown key {shown(path[-1])}{where}{did_you_mean(str(path[-1]), known)}"
        cure = f"accepted: {', '.join(known)}"
    elif kind == "missing":
        message, cure = f'"{name}" is missing', _EXAMPLES.get(str(path[-1]), "add it")
    elif kind in ("model_type", "dict_type", "model_attributes_type"):
        known = _fields_at(path)
        message = f"{name}: {shown(value)} is no mapping" if value is not None else f"{name}: nothing is written here"
        cure = f"accepted keys: {', '.join(known)}" if known else "write `name: {...}` lines under it"
    elif path and path[-1] == "[key]":
        place = document.key_place(path[:-1])
        message, cure = f"the key {shown(value)} is no text", "put it in quotes"
    else:
        message, cure = f"{name}: {shown(value)}: {error['msg']}", ""
    return Problem(place.file, place.line, place.column, message, cure)


_EXAMPLES = {
    "version": "add the line `version: 1`",
    "fabric": "add a line such as `fabric: pod1`",
    "classes": "add `classes:` with a line such as `roce: {dscp: 26, priority: 3, lossless: true}`",
    "devices": "add `devices:` with a line such as `leaf[1-2]: {nos: ..., role: leaf}`",
}


def _fields_at(path: Sequence[str | int]) -> list[str]:
    """Return the keys that the model accepts at a path; empty where any name is accepted."""
    here: Any = IntentFile
    for step in path:
        if isinstance(here, type) and issubclass(here, BaseModel):
            annotation: Any = here.model_fields[str(step)].annotation if str(step) in here.model_fields else None
            options = [annotation, *get_args(annotation)]
            here = next((o for o in options if isinstance(o, type) and issubclass(o, BaseModel)), None) \
                if getattr(annotation, "__origin__", None) is not dict else annotation  # fmt: skip
        else:
            here = (get_args(here) or (None, None))[1]
    return list(here.model_fields) if isinstance(here, type) and issubclass(here, BaseModel) else []


def _suppressions(document: Document, model: IntentFile | None, problems: list[Problem]) -> tuple[Suppression, ...]:
    """Return what comments and `ignore` lists silence."""
    found = []
    for comment in document.comments:
        place = yamlfile.Place(document.file, comment.line, comment.column)
        word, _, rest = comment.text.partition(" ")
        try:
            if word != "ignore":
                message = f"unknown comment {shown('rocecfg: ' + word)}{did_you_mean(word, ['ignore'])}"
                raise UnitError(message, "accepted: # rocecfg: ignore PFC-003 -- reason")
            found += [Suppression(rule, why, place, comment.target) for rule, why in parse_ignore(rest)]
        except UnitError as error:
            problems.append(Problem(*place, error.message, error.help))
    if model is not None:
        found += [Suppression(rule, why, document.place(("ignore",))) for rule, why in model.ignore]
        for name, device in model.devices.items():
            if device.ignore:
                place = document.place(("devices", name, "ignore"))
                found += [Suppression(rule, why, place, device=name) for rule, why in device.ignore]
    return tuple(found)


def _check_names(
    document: Document,
    model: IntentFile,
    known_systems: Mapping[str, Iterable[str]] | None,
    problems: list[Problem],
) -> None:
    """Check what a model of single fields cannot: patterns as keys, classes' required fields, known systems."""

    def add(place: Place, message: str, cure: str) -> None:
        problems.append(Problem(*place, message, cure))

    for name, traffic_class in model.classes.items():
        is_default = name == "default" or traffic_class.kind == "default"
        missing = [key for key in ("dscp", "priority") if getattr(traffic_class, key) is None]
        for key in missing if not is_default else ():
            example = "dscp: 26" if key == "dscp" else "priority: 3"
            add(document.key_place(("classes", name)), f'classes.{name}: "{key}" is missing', f"add {example}")
    budget = patterns.MAX_NAMES
    for name, device in model.devices.items():
        keys = [(("devices", name), name), *((("devices", name, "ports", port), port) for port in device.ports)]
        for path, text in keys:
            try:
                if not text.strip() or " " in text or (len(path) == 2 and ":" in text) or not text.isprintable():
                    raise UnitError(f"{shown(text)} is no {'device' if len(path) == 2 else 'port'} name",
                                    'accepted: leaf1, leaf[1-4], "Ethernet1/[1-32]"')  # fmt: skip
                budget -= patterns.count(text)
                if budget < 0:
                    raise UnitError(f"the names of this file stand for more than {patterns.MAX_NAMES:,}",
                                    "check the ranges of this line")  # fmt: skip
            except UnitError as error:
                add(document.key_place(path), f"{'.'.join(path[:1])}: {error.message}", error.help)
        for kind in ("nos", "nic"):
            word, known = getattr(device, kind), list((known_systems or {}).get(kind, ()))
            if known_systems is not None and word is not None and word not in known:
                add(document.place(("devices", name, kind)),
                    f"devices.{name}.{kind}: {shown(word)} is not known{did_you_mean(word, known)}",
                    f"accepted: {', '.join(sorted(known))}")  # fmt: skip
