"""Writes a draft as the text of an intent that a person reads and goes on with."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from rocecfg.discover.cables import lines_of
from rocecfg.discover.names import patterns_of
from rocecfg.units import print_length, print_rate

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rocecfg.discover.draft import Draft, Kin, Link, Loose, Path

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_./+-]*")
_PLAIN_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_.\[\],-]*")
_YAML_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n", "auto"})
_WIDTH = 118


def word(text: str) -> str:
    """Return a text as a YAML value inside braces: quoted where it could mean something else."""
    plain = _PLAIN.fullmatch(text) and text.lower() not in _YAML_WORDS
    return text if plain else json.dumps(text, ensure_ascii=True)


def key(text: str) -> str:
    """Return a text as a YAML key of a line of its own."""
    plain = _PLAIN_KEY.fullmatch(text) and text.lower() not in _YAML_WORDS
    return text if plain else json.dumps(text, ensure_ascii=True)


def comment(text: str) -> str:
    """Return a text that may hold what a device said as one line without control characters."""
    return "".join(letter if letter.isprintable() else "?" for letter in " ".join(text.split()))


def write(draft: Draft) -> str:
    """Return the file."""
    lines = ["# yaml-language-server: $schema=./rocecfg-intent-1.schema.json"]
    lines += [f"# {comment(text)}" if text.strip() == text else f"#   {comment(text)}" for text in draft.heading]
    lines += ["version: 1", f"fabric: {word(draft.fabric)}"]
    if draft.preset:
        lines.append(f"preset: {word(draft.preset)}")
    if draft.classes:
        lines += ["", "classes:", *_classes(draft)]
    if draft.settings:
        lines += ["", "settings:", *_settings(draft)]
    if draft.roles:
        lines += ["", "roles:", *_roles(draft)]
    lines += ["", *_remarks(draft.devices_remarks), "devices:", *_devices(draft)]
    lines += ["", *_remarks(draft.links_remarks), *_links(draft)]
    return "\n".join(lines) + "\n"


def _remarks(texts: Iterable[str]) -> list[str]:
    return [f"# {comment(text)}" for text in texts]


def _classes(draft: Draft) -> Iterable[str]:
    width = max(len(item.name) for item in draft.classes) + 1
    for item in draft.classes:
        inside = ", ".join(f"{name}: {value}" for name, value in item.keys.items())
        yield _guessed(f"  {key(item.name) + ':':<{width}} {{{inside}}}", item.guessed)


def _guessed(line: str, because: str) -> str:
    return f"{line}   # guessed: {comment(because)}" if because else line


def nested(parts: Mapping[Path, str]) -> dict[str, dict[str, str] | str]:
    """Return settings by path as the groups of the file."""
    found: dict[str, dict[str, str] | str] = {}
    for path, text in parts.items():
        if len(path) == 1:
            found[path[0]] = text
        else:
            inner = found.setdefault(path[0], {})
            if isinstance(inner, dict):
                inner[path[1]] = text
    return found


def flow(parts: Mapping[Path, str]) -> str:
    """Return settings in braces."""
    return f"{{{', '.join(_flow_items(parts))}}}"


def _flow_items(parts: Mapping[Path, str]) -> list[str]:
    return [f"{name}: {_flow_value(value)}" for name, value in nested(parts).items()]


def _flow_value(value: dict[str, str] | str) -> str:
    if isinstance(value, str):
        return value
    return f"{{{', '.join(f'{name}: {text}' for name, text in value.items())}}}"


def _cable_because(draft: Draft, parts: Mapping[Path, str]) -> str:
    """Return why a length among settings is a guess: no text tells it, it was worked out back from a headroom."""
    if parts.get(("cable",), "auto") == "auto":
        return ""
    guesses = [link.guessed for link in draft.links]
    guesses += [item.guessed for member in draft.members.values() for item in member.loose.values()]
    at = ", at speeds that are guessed" if any("speed" in guess for guess in guesses) else ""
    return f"cable, the length that the headroom is enough for{at}"


def _joined(*reasons: str) -> str:
    return "; ".join(filter(None, reasons))


def _settings(draft: Draft) -> Iterable[str]:
    for name, value in nested(draft.settings).items():
        because = _cable_because(draft, draft.settings) if name == "cable" else ""
        yield _guessed(f"  {name}: {_flow_value(value)}", because)


def _roles(draft: Draft) -> Iterable[str]:
    for role, parts in sorted(draft.roles.items()):
        yield _guessed(f"  {key(role)}: {flow(parts)}", _cable_because(draft, parts))


def _devices(draft: Draft) -> Iterable[str]:
    for kin, names in draft.families().items():
        said = next((member.role_because for name in names if (member := draft.members[name]).role_because), "")
        for pattern, of_pattern in _with_ports(draft, names):
            head = [f"{'nos' if kin.kind == 'switch' else 'nic'}: {word(kin.system)}"]
            head += [
                f"{name}: {word(getattr(kin, name))}"
                for name in ("model", "asic", "release", "role")
                if getattr(kin, name)
            ]
            settings = draft.kin.get(kin, {})
            head += _flow_items(settings)
            because = _joined(f"role {said}" if said and kin.role else said, _cable_because(draft, settings))
            ports = _ports(draft, kin, of_pattern)
            if not ports:
                yield _guessed(f"  {key(pattern)}: {{{', '.join(head)}}}", because)
                continue
            yield _guessed(f"  {key(pattern)}:", because)
            yield from (f"    {item}" for item in head)
            yield "    ports:"
            yield from (f"      {line}" for line in ports)


def _with_ports(draft: Draft, names: list[str]) -> Iterable[tuple[str, list[str]]]:
    """Return patterns of devices that have the same ports without a cable, each with its devices."""
    alike: dict[tuple[object, ...], list[str]] = {}
    for name in names:
        loose = draft.members[name].loose
        key_of = tuple((port, item.speed, item.cable, item.guessed) for port, item in loose.items())
        alike.setdefault(key_of, []).append(name)
    for of_kind in alike.values():
        for pattern in patterns_of(of_kind):
            yield pattern, of_kind


def _loose(item: Loose) -> tuple[tuple[tuple[Path, str], ...], str]:
    parts = {("speed",): print_rate(item.speed)}
    if item.cable is not None:
        parts["cable",] = print_length(item.cable)
    return tuple(parts.items()), item.guessed


def _ports(draft: Draft, kin: Kin, names: list[str]) -> list[str]:
    """Return the lines under `ports` of devices that have the same loose ports."""
    said: dict[str, tuple[dict[Path, str], str]] = {}
    for port, item in draft.members[names[0]].loose.items():
        parts, guessed = _loose(item)
        said[port] = dict(parts), guessed
    for port, more in draft.ports.get(kin, {}).items():
        parts_, guessed = said.get(port, ({}, ""))
        said[port] = {**parts_, **more}, _joined(guessed, _cable_because(draft, more))
    alike: dict[tuple[str, str], list[str]] = {}
    for port, (parts_, guessed) in said.items():
        alike.setdefault((flow(parts_), guessed), []).append(port)
    return [
        _guessed(f"{json.dumps(pattern)}: {text}", guessed)
        for (text, guessed), ports in alike.items()
        for pattern in patterns_of(ports)
    ]


def _links(draft: Draft) -> Iterable[str]:
    if not draft.links:
        yield "links: []"
        return
    yield "links:"
    shared = ((":".join(link.a), ":".join(link.b), _shared(link)) for link in draft.links)
    for a, b, (speed, cable, guessed) in lines_of(shared):
        length = f", cable: {cable}" if cable else ""
        line = f"  - {{a: {json.dumps(a)}, b: {json.dumps(b)}, speed: {speed}{length}}}"
        yield _guessed(line, guessed)


def _shared(link: Link) -> tuple[str, str, str]:
    return print_rate(link.speed), "" if link.cable is None else print_length(link.cable), link.guessed
