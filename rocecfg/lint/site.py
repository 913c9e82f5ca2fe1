"""Rules of one's own without Python: assertions about the state, in rocecfg.toml or in YAML files of `--rules DIR`.

    [[site]]
    id = "SITE-001"
    for = "ports"                                   # devices, ports, queues, priority-groups
    where = {"device.role" = "leaf", role = "fabric"}
    require = {mtu = {min = 9000}}                  # equals, in, min, max, match
    message = "fabric ports carry jumbo frames"

An assertion is a rule like any other: it can be selected, silenced, explained. What a text does not say is "not
evaluated". When more than constants is needed, a rule in Python is fifteen lines (docs/configuration.md).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from rocecfg.errors import ConfigurationError, UsageError, did_you_mean
from rocecfg.findings import Severity
from rocecfg.lint import load
from rocecfg.lint.load import CheckHead, LoadedRule, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rocecfg.lint.api import Given, Hit, Unknown
    from rocecfg.lint.leaf import Condition
    from rocecfg.state.model import Device

KEYS = ("id", "name", "for", "where", "require", "message", "help", "severity", "profile")
_ID = re.compile(r"SITE-[0-9]{3}")
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


class _Subject(NamedTuple):
    """One thing an assertion looks at: its objects by word, the port it belongs to, and how it is called."""

    objects: dict[str, Any]
    port: str
    title: str
    leaf: str


class Assertion(NamedTuple):
    """One assertion, read and checked."""

    kind: str
    where: tuple[Condition, ...]
    require: tuple[Condition, ...]
    message: str
    help: str

    def check(self, device: Device, given: Given) -> Iterator[Hit | Unknown]:
        """Yield one hit per sentence, with all ports it holds for, and what could not be judged."""
        from rocecfg.lint.api import Hit, Unknown

        del given
        found: dict[tuple[str, str, str], list[str]] = {}
        missing: dict[str, None] = {}
        for subject in _subjects(device, self.kind):
            for condition in self._broken(subject, missing):
                value = condition.text(condition.leaf.value(subject.objects))
                sentence = f"{condition.leaf.text} is {value}, {condition.shown()} is required"
                text = f"{self.message}: {sentence}" if self.message else sentence
                leaf = subject.leaf + ".".join(condition.leaf.steps).removeprefix("qos.")
                found.setdefault((text, subject.title, leaf), []).append(subject.port)
        for (text, title, leaf), ports in found.items():
            names = tuple(dict.fromkeys(port for port in ports if port))
            yield Hit(text, self.help, leaf=leaf, object=title, ports=names)
        for what in missing:
            yield Unknown(what)

    def _broken(self, subject: _Subject, missing: dict[str, None]) -> Iterator[Condition]:
        for condition in self.where:
            value = condition.leaf.value(subject.objects)
            if value is None:
                missing[f"{condition.leaf.text}: the text does not say it"] = None
                return
            if not condition.holds(value):
                return
        for condition in self.require:
            value = condition.leaf.value(subject.objects)
            if value is None:
                missing[f"{condition.leaf.text}: the text does not say it"] = None
            elif not condition.holds(value):
                yield condition


def _subjects(device: Device, kind: str) -> Iterator[_Subject]:
    if kind == "devices":
        yield _Subject({"device": device, "self": device}, "", "", "")
        return
    for port in device.ports.values():
        objects = {"device": device, "port": port}
        if kind == "ports":
            yield _Subject({**objects, "self": port}, port.name, "", "")
            continue
        field, title = ("queues", "queue") if kind == "queues" else ("priority_groups", "priority group")
        for number, item in enumerate(getattr(port.qos, field) or ()):
            if item is not None:
                yield _Subject(
                    {**objects, "self": item, "number": number}, port.name, f"{title} {number}", f"{field}.{number}."
                )


def made(entries: Any, file: Path) -> list[LoadedRule]:
    """Return the rules of a list of assertions. Raises ConfigurationError with file, assertion and key."""
    if not isinstance(entries, list):
        raise ConfigurationError(f"{file}: site: a list of assertions is expected")
    return [_rule(entry, file, f"{file}: assertion {number}") for number, entry in enumerate(entries, 1)]


def read_file(file: Path) -> list[LoadedRule]:
    """Return the rules of a YAML file of assertions. Raises ConfigurationError."""
    from rocecfg import yamlfile
    from rocecfg.errors import IntentError

    try:
        data = yamlfile.load_path(file).data
    except IntentError as error:
        raise ConfigurationError(str(error)) from error
    return made(data.get("site") if isinstance(data, dict) else data, file)


def _rule(entry: Any, file: Path, where: str) -> LoadedRule:
    if not isinstance(entry, dict):
        raise ConfigurationError(f"{where}: a table of {', '.join(KEYS)} is expected")
    for key in entry:
        if key not in KEYS:
            near = did_you_mean(str(key), KEYS)
            raise ConfigurationError(f'{where}: unknown key "{key}"{near} Known: {", ".join(KEYS)}')
    rule_id = _text(entry, "id", where)
    if not _ID.fullmatch(rule_id):
        raise ConfigurationError(f'{where}: id "{rule_id}" does not have the form SITE-001')
    name = _text(entry, "name", where, rule_id.lower())
    if not _NAME.fullmatch(name):
        raise ConfigurationError(f'{where}: name "{name}" is not lower-case words joined by dashes')
    severity = _word(entry, "severity", ("error", "warning", "info"), where, "warning")
    profile = _word(entry, "profile", load.PROFILES, where, "min")
    rule = Rule(rule_id, name, Severity.parse(severity), profile, "site", file, (CheckHead("check", "Device"),))
    assertion = _assertion(entry, f"{where} ({rule_id})")
    return LoadedRule(rule, {"check": assertion.check}, {}, _page(assertion, entry, file), "", "")


def _assertion(entry: dict[str, Any], where: str) -> Assertion:
    from rocecfg.lint import leaf

    kind = _word(entry, "for", leaf.SUBJECTS, where, "ports")
    try:
        asked = leaf.conditions(kind, entry["where"], "where") if "where" in entry else ()
        required = leaf.conditions(kind, entry.get("require"), "require")
    except UsageError as error:
        raise ConfigurationError(f"{where}: {error}") from error
    cure = _text(entry, "help", where, "set it as the site's policy says")
    return Assertion(kind, asked, required, _text(entry, "message", where, ""), cure)


def _page(assertion: Assertion, entry: dict[str, Any], file: Path) -> str:
    """Return the page `rocecfg explain` shows."""
    required = "; ".join(f"{item.leaf.text}: {item.shown()}" for item in assertion.require)
    where = "; ".join(f"{item.leaf.text}: {item.shown()}" for item in assertion.where)
    title = str(entry.get("message") or f"{assertion.kind} need {required}").rstrip(".")
    parts = [
        f"{title}.",
        f"## What it finds\n\n{assertion.kind} that do not have {required}{f', where {where}' if where else ''}.",
        "## Why it matters\n\nThis site decided it.",
        f"## What to do\n\n{assertion.help}",
        "## When to ignore\n\nAs this site decides.",
        f"## References\n\n- {file.name}",
    ]
    return "\n\n".join(parts) + "\n"


def _text(entry: dict[str, Any], key: str, where: str, otherwise: str | None = None) -> str:
    value = entry.get(key, otherwise)
    if not isinstance(value, str) or (not value and otherwise is None):
        raise ConfigurationError(f"{where}: {key}: a text is expected")
    return " ".join(value.split())


def _word(entry: dict[str, Any], key: str, known: tuple[str, ...], where: str, otherwise: str) -> str:
    value = entry.get(key, otherwise)
    if value not in known:
        near = did_you_mean(str(value), known)
        raise ConfigurationError(f"{where}: {key}: {value!r} is none of {', '.join(known)}{near}")
    return str(value)
