"""What a model of single fields cannot check: names used as keys, fields that depend on the name, known systems.

Works on the plain data, so that these problems show together with those of the model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocecfg.errors import Problem, did_you_mean
from rocecfg.intent import patterns
from rocecfg.intent.fields import CLASS_NAME, DEVICE_NAME, PORT_NAME, FieldError, parse_ignore
from rocecfg.units import UnitError, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rocecfg.intent.shape import Part
    from rocecfg.yamlfile import Document, Place


def check_names(
    document: Document, known_systems: Mapping[str, Iterable[str]] | None, preset: Mapping[str, Part]
) -> Iterator[Problem]:
    """Yield the problems of class names, device and port patterns, and of systems nobody knows.

    `preset` = the classes of the preset that the file names.
    """
    data = document.data
    yield from _classes(document, data.get("classes"), preset)
    devices = data.get("devices")
    if not isinstance(devices, dict):
        return
    if not devices:
        yield Problem(*document.key_place(("devices",)), "devices: no device is listed", "add leaf1: {nos: ...}")
    names = _Names()
    for name, device in devices.items():
        yield from names.check(name, "device", document.key_place(("devices", name)))
        if not isinstance(device, dict):
            continue
        ports = device.get("ports")
        for port in ports if isinstance(ports, dict) else ():
            yield from names.check(port, "port", document.key_place(("devices", name, "ports", port)))
        for kind, known in (known_systems or {}).items():
            word = device.get(kind)
            if isinstance(word, str) and word not in (words := sorted(known)):
                place = document.place(("devices", name, kind))
                message = f"devices.{name}.{kind}: {shown(word)} is not known{did_you_mean(word, words)}"
                yield Problem(*place, message, f"accepted: {', '.join(words)}")


def read_comment(text: str) -> Iterable[tuple[str, str]]:
    """Return (rule, reason) of the text after `# rocecfg:`. Raises FieldError for anything but `ignore`."""
    word, _, rest = text.partition(" ")
    if word != "ignore":
        message = f"unknown comment {shown('rocecfg: ' + word)}{did_you_mean(word, ['ignore'])}"
        raise FieldError(message, "accepted: # rocecfg: ignore PFC-003 -- reason")
    return parse_ignore(rest)


class _Names:
    """Checks patterns and keeps the sum of all names of the file within bounds."""

    def __init__(self) -> None:
        self._left = {"device": patterns.MAX_DEVICES, "port": patterns.MAX_PORTS}

    def check(self, name: Any, kind: str, place: Place) -> Iterator[Problem]:
        """Yield what is wrong with one name or pattern."""
        if not isinstance(name, str):
            yield Problem(*place, f"{kind} {shown(name)} is no text", f'write "{name}" in quotes')
            return
        form = DEVICE_NAME if kind == "device" else PORT_NAME
        try:
            names = patterns.count(name)
        except UnitError as error:
            yield Problem(*place, f"{kind}: {error.message}", error.help)
            return
        if not form.fullmatch(patterns.literal(name)):
            accepted = 'leaf1, leaf[1-4], "gpu[001-128]"' if kind == "device" else '"Ethernet1/[1-32]", "swp1"'
            yield Problem(*place, f"{shown(name)} is no {kind} name", f"accepted: {accepted}")
            return
        before = self._left[kind]
        self._left[kind] -= names
        if before >= 0 > self._left[kind]:
            most = patterns.MAX_DEVICES if kind == "device" else patterns.MAX_PORTS
            message = f"with {shown(name)} the file names more than {most:,} {kind}s"
            yield Problem(*place, message, "check the ranges of this line")


def _classes(document: Document, classes: Any, preset: Mapping[str, Part]) -> Iterator[Problem]:
    """Every class but the default one needs DSCPs and a priority, or a class of the preset that gives them."""
    if not isinstance(classes, dict):
        return
    for name in classes:
        if not isinstance(name, str) or not CLASS_NAME.fullmatch(name):
            message = f"{shown(name)} is no class name"
            yield Problem(*document.key_place(("classes", name)), message, "accepted: letters, digits and . _ -")
    below = {name: part.stated for name, part in preset.items()}
    whole = below | {name: {**below.get(name, {}), **item} for name, item in classes.items() if isinstance(item, dict)}
    defaults = [name for name, item in whole.items() if _is_default(name, item)]
    for extra in defaults[1:]:
        message = f"classes.{extra}: there is a default class already, {shown(defaults[0])}"
        yield Problem(*document.key_place(("classes", extra)), message, "give one of them another kind")
    for name, item in classes.items():
        if not isinstance(item, dict) or name in defaults or name in preset:
            continue
        for key, example in (("dscp", "dscp: 26"), ("priority", "priority: 3")):
            if key not in item:
                place = document.key_place(("classes", name))
                yield Problem(*place, f'classes.{name}: "{key}" is missing', f"add {example}")


def _is_default(name: Any, item: Mapping[str, Any]) -> bool:
    kind = item.get("kind", "auto")
    return kind == "default" or (kind == "auto" and name == "default" and item.get("lossless") is not True)
