"""Finds the content rooms `vendors/`, `templates/`, `lint_rules/` and `examples/`.

In a wheel they lie inside the package, in a checkout or an editable install beside it. A user's own pack is a
folder with the same three rooms (`--pack DIR`), searched after ours; nothing is ever looked up by import path.
"""

from __future__ import annotations

import importlib.util
import sys
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

ROOMS = ("vendors", "templates", "lint_rules")
_HERE = Path(__file__).resolve().parent
_extra: list[Path] = []
_rule_folders: list[Path] = []


def add_packs(folders: Sequence[Path]) -> None:
    """Make the rooms of the user's own packs known. Raises ConfigurationError for a folder with none of them."""
    for folder in folders:
        if not any((folder / room).is_dir() for room in ROOMS):
            raise ConfigurationError(f"{folder}: not a pack, it holds none of {', '.join(ROOMS)}")
        if folder.resolve() not in _extra:
            _extra.append(folder.resolve())


def extra_packs() -> tuple[Path, ...]:
    """Return the user's own packs, for handing them to another process."""
    return tuple(_extra)


def add_rule_folders(folders: Sequence[Path]) -> None:
    """Make folders of the user's own rules known (`*.py` and `*.yaml`). Raises ConfigurationError for no folder."""
    for folder in folders:
        if not folder.is_dir():
            raise ConfigurationError(f"{folder}: no folder of rules")
        if folder.resolve() not in _rule_folders:
            _rule_folders.append(folder.resolve())


def rule_folders() -> tuple[Path, ...]:
    """Return the folders of the user's own rules."""
    return tuple(_rule_folders)


@lru_cache(maxsize=8)
def _own(room: str) -> Path:
    for candidate in (_HERE / room, _HERE.parent / room):
        if candidate.is_dir():
            return candidate
    raise ConfigurationError(f"this installation has no {room} folder: reinstall rocecfg")


def room_folders(room: str) -> list[Path]:
    """Return the folders that make up a room: ours first, then those of the user's packs."""
    found = [_own(room), *(pack / room for pack in (*_extra, *_plugin_packs()) if (pack / room).is_dir())]
    return [*found, *_rule_folders] if room == "lint_rules" else found


def _plugin_packs() -> tuple[Path, ...]:
    from rocecfg import plugins

    return plugins.packs()


@lru_cache(maxsize=4096)
def _module_name(path: Path) -> str:
    """Return the name of a content file as a module; asked for with every text, so the disk is asked once."""
    return "rocecfg_content." + "_".join(path.resolve().with_suffix("").parts[-4:]).replace("-", "_")


def load_module(path: Path) -> ModuleType:
    """Import a Python file of a content room by its path, once per process.

    Raises ConfigurationError with the file's name when it does not import: a broken pack must name itself.
    """
    name = _module_name(path)
    known = sys.modules.get(name)
    if known is not None and getattr(known, "__file__", None) == str(path):
        return known
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ConfigurationError(f"{path}: not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise ConfigurationError(f"{path}: does not import: {error}") from error
    return module
