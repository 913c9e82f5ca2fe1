"""JSON Schema of the kinds of value an intent holds, beside the readers of `rocecfg.intent.fields`."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]

_NUMBER = r"[0-9]+(\.[0-9]+)? ?"


def whole(low: int, high: int) -> Schema:
    """Return the schema of a whole number of a range."""
    return {"type": "integer", "minimum": low, "maximum": high}


def words(*known: str) -> Schema:
    """Return the schema of one word out of a list."""
    return {"type": "string", "enum": list(known)}


BOOLEAN: Schema = {"type": "boolean"}
SIZE: Schema = {
    "type": "string",
    "pattern": rf"^{_NUMBER}(B|[kK]B|MB|GB|KiB|MiB|GiB)$",
    "examples": ["150KB", "1MiB"],
}
RATE: Schema = {"type": "string", "pattern": rf"^{_NUMBER}[MGT](b/s|bps|bit/s)?$", "examples": ["25G", "400G"]}
TIME: Schema = {"type": "string", "pattern": rf"^{_NUMBER}(ns|us|µs|μs|ms|s)$", "examples": ["200ms", "8us"]}
PERCENT: Schema = {"type": "string", "pattern": rf"^{_NUMBER}%$", "examples": ["10%"]}
CABLE: Schema = {
    "type": "string",
    "pattern": r"^ *[0-9]+(\.[0-9]+)?(m|km|cm)( +[A-Za-z]+)? *$",
    "examples": ["5m dac", "30m fibre"],
}
ALPHA: Schema = {
    "anyOf": [
        {"type": "number", "exclusiveMinimum": 0},
        {"type": "string", "pattern": r"^ *([0-9]+(\.[0-9]+)?|[0-9]+/[0-9]+|2\^-?[0-9]+) *$"},
    ],
    "examples": ["1/8", 2],
}
RATIO: Schema = {
    "anyOf": [
        {"type": "number", "exclusiveMinimum": 0},
        {"type": "string", "pattern": r"^ *([0-9]+(\.[0-9]+)?|[0-9]+/[0-9]+)(:1)? *$"},
    ],
    "examples": [1.5, "2:1"],
}
NAME: Schema = {"type": ["string", "number"], "minLength": 1}
PRIORITY: Schema = whole(0, 7)
PCP: Schema = {"anyOf": [PRIORITY, {"type": "array", "minItems": 1, "items": PRIORITY}]}
_DSCP_TEXT: Schema = {"type": "string", "pattern": r"^ *[0-9]+(-[0-9]+)? *(, *[0-9]+(-[0-9]+)? *)*$"}
DSCP: Schema = {
    "anyOf": [
        whole(0, 63),
        _DSCP_TEXT,
        {"type": "array", "minItems": 1, "items": {"anyOf": [whole(0, 63), _DSCP_TEXT]}},
    ],
    "examples": [26, "24-31", [24, 26]],
}
TRAFFIC: Schema = {
    "anyOf": [{"enum": ["worst", "large"]}, {"type": "string", "pattern": rf"^mixed +{_NUMBER}%$"}],
    "examples": ["worst", "mixed 50%"],
}
IGNORE: Schema = {
    "type": "array",
    "items": {"type": "string"},
    "examples": [["PFC-003 -- the host ports are audited elsewhere"]],
}
