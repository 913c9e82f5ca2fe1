"""The JSON Schema of `rocecfg.toml`, made from the rules that are installed: editors complete options of a rule."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rocecfg.lint import load
from rocecfg.lint.leaf import LONGEST_PATTERN, OPERATORS, SUBJECTS

_SEVERITY = {"enum": ["error", "warning", "info"]}


def json_schema() -> dict[str, Any]:
    """Return the schema, draft 2020-12; what only rocecfg can judge (paths of leaves, units) is left to it."""
    rules = [load.load(rule) for rule in load.rules().values() if rule.id not in load.assertions()]
    selectors = {"type": "array", "items": {"type": "string"}}
    tables = {each.rule.id: _rule(each) for each in rules}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "rocecfg.toml",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "profile": {"enum": list(load.PROFILES), "default": "safe"},
            "select": selectors | {"description": "only these rules: ids, families, names, ALL"},
            "ignore": selectors | {"description": "not these rules"},
            "fail-on": {"enum": ["error", "warning", "info", "never"], "default": "error"},
            "baseline": {"type": "string", "minLength": 1, "description": "file of findings that are known already"},
            "rule-folders": {"type": "array", "items": {"type": "string"}, "description": "folders of own rules"},
            "rules": {
                "type": "object",
                "properties": tables,
                "patternProperties": {"^[A-Za-z0-9-]+$": {"type": "object"}},
                "additionalProperties": False,
            },
            "site": {"type": "array", "items": _assertion()},
        },
    }


def _rule(each: load.LoadedRule) -> dict[str, Any]:
    options = {
        name: _type(option.default) | {"description": option.help, "default": _plain(option.default)}
        for name, option in each.options.items()
    }
    properties = {"severity": _SEVERITY, **options}
    return {"type": "object", "description": each.title, "additionalProperties": False, "properties": properties}


def _type(default: Any) -> dict[str, Any]:
    if isinstance(default, bool):
        return {"type": "boolean"}
    if isinstance(default, int):
        return {"type": "integer"}
    if isinstance(default, float | Fraction):
        return {"type": "number"}
    if isinstance(default, str):
        return {"type": "string"}
    if isinstance(default, tuple | list):
        return {"type": "array"} | ({"items": _type(default[0])} if default else {})
    return {}


def _plain(value: Any) -> Any:
    if isinstance(value, Fraction):
        return float(value)
    return list(value) if isinstance(value, tuple | list | set | frozenset) else value


def _assertion() -> dict[str, Any]:
    constant = {"type": ["string", "number", "boolean", "array"]}
    asked = {
        "type": "object",
        "minProperties": 1,
        "additionalProperties": False,
        "properties": {
            **{word: constant for word in OPERATORS if word not in {"in", "match"}},
            "in": {"type": "array", "minItems": 1},
            "match": {"type": "string", "minLength": 1, "maxLength": LONGEST_PATTERN},
        },
    }
    conditions = {"type": "object", "minProperties": 1, "additionalProperties": {"anyOf": [constant, asked]}}
    return {
        "type": "object",
        "required": ["id", "require"],
        "additionalProperties": False,
        "properties": {
            "id": {"type": "string", "pattern": "^SITE-[0-9]{3}$"},
            "name": {"type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"},
            "for": {"enum": list(SUBJECTS), "default": "ports"},
            "where": conditions,
            "require": conditions,
            "message": {"type": "string"},
            "help": {"type": "string"},
            "severity": _SEVERITY | {"default": "warning"},
            "profile": {"enum": list(load.PROFILES), "default": "min"},
        },
    }
