"""`rocecfg init`: a commented intent, its JSON Schema, a hook configuration and a CI job."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

from rocecfg.errors import UsageError
from rocecfg.intent.schema import FILE_NAME as SCHEMA_NAME
from rocecfg.intent.schema import json_schema
from rocecfg.packs import room_folders

# template -> file in the new folder
_FILES = {
    "starter.roce.yaml": "fabric.roce.yaml",
    "pre-commit-config.yaml": ".pre-commit-config.yaml",
    "github-workflow.yaml": ".github/workflows/rocecfg.yaml",
}


def write(folder: Path | str) -> list[Path]:
    """Write the starter files into a folder and return their paths. All or nothing, and nothing is overwritten.

    Raises UsageError when one of the files exists, or when the folder cannot be written.
    """
    target = Path(folder)
    templates = room_folders("templates")[0] / "intent"
    texts = {target / name: (templates / source).read_text(encoding="utf-8") for source, name in _FILES.items()}
    texts[target / SCHEMA_NAME] = json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"
    existing = sorted(str(path) for path in texts if path.exists() or path.is_symlink())
    if existing:
        raise UsageError(f"{', '.join(existing)}: already there, nothing was written; remove it or name another folder")
    written: list[Path] = []
    try:
        for path, text in texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            _write_new(path, text)
            written.append(path)
    except OSError as error:
        for path in written:
            path.unlink(missing_ok=True)
        raise UsageError(f"{error.filename or target}: cannot write: {error.strerror or error}") from error
    return written


def _write_new(path: Path, text: str) -> None:
    """Write a file that appears whole or not at all, and that must not exist yet."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
        Path(name).chmod(0o644)
        os.link(name, path)  # unlike a rename, fails when the file has appeared meanwhile
    finally:
        Path(name).unlink(missing_ok=True)
