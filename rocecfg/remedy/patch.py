"""JSON patches for systems whose configuration is tables of rows (SONiC's CONFIG_DB)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rocecfg.remedy.rules import Rules
    from rocecfg.remedy.text import Settings

ROW = ""
"""Value of a row's own entry; its fields are JSON texts."""


def settings(text: str) -> Settings:
    """Return tables as settings: table, row, field. Raises ValueError for anything else than an object of tables."""
    data = json.loads(text)
    if not isinstance(data, dict):
        raise ValueError("an object of tables is expected")  # noqa: TRY004 - the caller catches ValueError
    if any("|" in name or not isinstance(rows, dict) for name, rows in data.items()):
        raise ValueError("the dump is not in the form of config_db.json: take `show runningconfiguration all`")
    found: Settings = {}
    for table, rows in data.items():
        found[(table,)] = ROW if isinstance(rows, dict) else json.dumps(rows)
        for key, fields in rows.items() if isinstance(rows, dict) else ():
            found[table, key] = ROW if isinstance(fields, dict) else json.dumps(fields)
            for name, value in fields.items() if isinstance(fields, dict) else ():
                found[table, key, name] = json.dumps(value)
    return found


def tables(settings: Settings) -> dict[str, Any]:
    """Return settings as tables."""
    data: dict[str, Any] = {}
    for path, value in settings.items():
        inner = data
        for word in path[:-1]:
            inner = inner.setdefault(word, {})
        inner[path[-1]] = {} if value == ROW else json.loads(value)
    return data


def text_of(settings: Settings) -> str:
    """Return the text of tables."""
    return json.dumps(tables(settings), indent=2) + "\n"


def operations(have: Settings, want: Settings, rules: Rules) -> list[dict[str, Any]]:
    """Return the RFC 6902 operations: what is referred to before what refers; removals last, in reverse.

    Rows that a vendor names in `deletes_first` go before all: a row of a range that is taken away later would take
    with it what stands in a new row of one of its numbers.
    """
    import jsonpatch

    before, after = tables(have), tables(want)
    names = sorted(dict.fromkeys((*before, *after)), key=lambda name: (rules.weight(name), name))
    setting: list[dict[str, Any]] = []
    removing: list[dict[str, Any]] = []
    clearing: list[dict[str, Any]] = []
    for name in names:
        if before.get(name) == after.get(name):
            continue
        one = {name: before[name]} if name in before else {}
        other = {name: after[name]} if name in after else {}
        rows = _unmoved(one, jsonpatch.make_patch(one, other).patch)
        gone = [each for each in rows if each["op"] == "remove"]
        first = [each for each in gone if any(pattern.search(each["path"]) for pattern in rules.deletes_first)]
        clearing += first
        gone = [each for each in gone if each not in first]
        setting += [each for each in _plain(rows) if each["op"] != "remove"]
        removing = gone + removing
    return clearing + setting + removing


def _unmoved(document: dict[str, Any], operations: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return operations that write a row where they would move it: the updater of a device knows rows, not places."""
    import jsonpatch

    found: list[dict[str, Any]] = []
    for each in operations:
        if each["op"] == "move":
            value = jsonpatch.JsonPointer(each["from"]).resolve(document)
            found += [{"op": "remove", "path": each["from"]}, {"op": "add", "path": each["path"], "value": value}]
        else:
            found.append(each)
        document = jsonpatch.apply_patch(document, [each])
    return found


def _plain(operations: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return operations without moves between rows: each says what it sets."""
    if any(each["op"] not in {"add", "replace", "remove"} for each in operations):
        raise ValueError("a patch of additions, replacements and removals is expected")
    return sorted(operations, key=lambda each: (each["path"].count("/"), each["path"]))


def replayed(text: str, operations: list[dict[str, Any]]) -> str:
    """Return the text after a patch."""
    import jsonpatch

    return json.dumps(jsonpatch.apply_patch(json.loads(text), operations), indent=2) + "\n"
