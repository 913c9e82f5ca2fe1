"""`rocecfg schema`: the JSON Schema of the intent, or of rocecfg.toml, for editors and checkers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from rocecfg.cli.options import command, output_file
from rocecfg.cli.terminal import result_stream

if TYPE_CHECKING:
    from pathlib import Path


@command(
    ("rocecfg schema", "print it"),
    ("rocecfg schema --config -o rocecfg-toml.schema.json", "of rocecfg.toml"),
    ("rocecfg schema -o rocecfg-intent-1.schema.json", "a file for an editor or check-jsonschema"),
)
@click.option("--config", is_flag=True, help="The schema of rocecfg.toml, with the options of every rule.")
@output_file
def schema(config: bool, output: Path | None) -> int:
    """Print the JSON Schema of the intent language."""
    if config:
        from rocecfg.lint.configschema import json_schema
    else:
        from rocecfg.intent.schema import json_schema

    with result_stream(output) as stream:
        stream.write(json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n")
    return 0
