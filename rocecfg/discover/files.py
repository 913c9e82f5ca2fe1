"""Puts a found intent and its JSON Schema in place: whole or not at all, and never over a file without --force."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError, UsageError
from rocecfg.intent.schema import FILE_NAME as SCHEMA_NAME
from rocecfg.intent.schema import json_schema
from rocecfg.state.capture import write_atomically

if TYPE_CHECKING:
    from pathlib import Path

NAME = "fabric.roce.yaml"


def refuse_existing(folder: Path, *, force: bool) -> Path:
    """Return where the intent goes. Raises UsageError when a file lies there and `force` is not given."""
    path = folder / NAME
    if (path.exists() or path.is_symlink()) and not force:
        raise UsageError(f"{path}: already there, nothing was written; --force replaces it, or name another folder")
    if path.exists() and not path.is_file():
        raise UsageError(f"{path}: no file, nothing was written")
    return path


def write(folder: Path, text: str, *, force: bool) -> list[Path]:
    """Write the intent, and the schema that its first line names where it is not there yet. Returns their paths.

    Raises UsageError when the folder cannot be written.
    """
    path, schema = refuse_existing(folder, force=force), folder / SCHEMA_NAME
    written = [path]
    try:
        if not schema.exists():
            write_atomically(schema, json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n")
            written.append(schema)
        write_atomically(path, text)
    except ReadError as error:
        raise UsageError(f"cannot write {error}") from error
    return written
