"""`rocecfg rules`: the list of lint rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.cli.options import command, output_file, output_format, rule_folders
from rocecfg.cli.terminal import result_stream

if TYPE_CHECKING:
    from rocecfg.lint.load import LoadedRule


@command(
    ("rocecfg rules", "one line a rule"),
    ("rocecfg rules --format json", "ids, names, severities, profiles, options"),
)
@rule_folders
@output_format("text", "json")
@output_file
def rules(form: str, output: Path | None) -> int:
    """List the lint rules: id, severity, profile, name and what each finds."""
    from rocecfg.lint import load
    from rocecfg.lint.config import find_file, load_settings
    from rocecfg.report.table import columns

    load_settings(find_file(Path.cwd()))
    loaded = [load.load(rule) for rule in load.rules().values()]
    with result_stream(output) as stream:
        if form == "json":
            stream.write(json.dumps({"schema": 1, "rules": [_plain(each) for each in loaded]}, indent=2) + "\n")
        else:
            stream.write(
                columns(
                    (each.rule.id, each.rule.severity.word, each.rule.profile, each.rule.name, each.title)
                    for each in loaded
                )
            )
    return 0


def _plain(each: LoadedRule) -> dict[str, object]:
    rule = each.rule
    return {
        "id": rule.id,
        "name": rule.name,
        "severity": rule.severity.word,
        "profile": rule.profile,
        "since": rule.since,
        "subjects": [check.subject for check in rule.checks],
        "produced_by": rule.produced_by,
        "title": each.title,
        "devices": rule.devices or "any",
        "file": f"{rule.file.parent.name}/{rule.file.name}",
        "options": {
            name: {"default": _json(option.default), "help": option.help} for name, option in each.options.items()
        },
    }


def _json(value: object) -> object:
    """Return an option's default as JSON has it; fractions as text."""
    if isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, tuple | list | set | frozenset):
        return [_json(item) for item in value]
    return str(value)
