"""The JSON Schema of an intent file, made from the same fields that read it: for editors and for CI without rocecfg."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocecfg.intent.model import IntentFile
from rocecfg.intent.schematypes import CABLE, RATE

if TYPE_CHECKING:
    from rocecfg.intent.shape import Part

FILE_NAME = "rocecfg-intent-1.schema.json"
_END = {
    "type": "string",
    "pattern": "^[^: ]+:[^ ](.*[^ ])?$",
    "examples": ["leaf1:Ethernet1/[1-4]", "gpu[01-04]:rail0"],
}
_LINK: dict[str, Any] = {
    "type": "object",
    "description": "A cable, or many: ranges on both sides are paired in order, a side with one name repeats.",
    "additionalProperties": False,
    "required": ["a", "b", "speed"],
    "properties": {
        "a": {"description": "One end: device:port, with ranges.", **_END},
        "b": {"description": "The other end.", **_END},
        "speed": {"description": "Port speed.", **RATE},
        "cable": {"description": "Length and medium.", **CABLE},
    },
}


def json_schema() -> dict[str, Any]:
    """Return the schema (draft 2020-12) of an intent file."""
    definitions: dict[str, Any] = {"Link": _LINK}
    root = _part(IntentFile, definitions)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "rocecfg intent, version 1",
        **root,
        "$defs": dict(sorted(definitions.items())),
    }


def _part(shape: type[Part], definitions: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a part; parts inside it go to `definitions`."""
    properties = {}
    for name, field in shape.FIELDS.items():
        inner = field.stands_for
        if inner is not None and inner.__name__ not in definitions:
            definitions[inner.__name__] = {}
            definitions[inner.__name__] = _part(inner, definitions)
        properties[name] = {"description": field.description, **field.schema()}
    required = [name for name, field in shape.FIELDS.items() if field.required]
    either = [{"anyOf": [{"required": [name]}, {"required": [field.unless]}]}
              for name, field in shape.FIELDS.items() if field.unless]  # fmt: skip
    return {
        "description": (shape.__doc__ or "").split("\n", 1)[0],
        "type": "object",
        "additionalProperties": False,
        **({"required": required} if required else {}),
        **({"allOf": either} if either else {}),
        "properties": properties,
    }
