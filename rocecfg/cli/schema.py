"""`rocecfg schema`: the JSON Schema of the intent, for editors and checkers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from rocecfg.cli.options import command, output_file
from rocecfg.cli.terminal import result_stream

if TYPE_CHECKING:
    from pathlib import Path


@command(
    ("rocecfg schema", "print it"),
    ("rocecfg schema -o rocecfg-intent-1.schema.json", "a file for an editor or check-jsonschema"),
)
@output_file
def schema(output: Path | None) -> int:
    """Print the JSON Schema of the intent language."""
    from rocecfg.intent.schema import json_schema

    with result_stream(output) as stream:
        stream.write(json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n")
    return 0
