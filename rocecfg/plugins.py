"""Rules and vendors that other installed packages bring.

    [project.entry-points."rocecfg.rules"]
    mine = "mypackage.rules"        # a package whose folder holds rule files (*.py, or <family>/*.py)

    [project.entry-points."rocecfg.vendors"]
    mine = "mypackage.pack"         # a package whose folder is a pack: vendors/, templates/, lint_rules/

A broken plugin is left out with a warning that names it; it never ends a run. Most installations have no plugin, so
the metadata of installed packages is first looked through for our name, which takes a fraction of the time that
importing `importlib.metadata` does.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.errors import RocecfgError

if TYPE_CHECKING:
    from collections.abc import Iterator

RULES, VENDORS = "rocecfg.rules", "rocecfg.vendors"
_OURS = b"[rocecfg."
_problems: dict[str, None] = {}


def report(plugin: str, problem: str) -> None:
    """Note what is wrong with a plugin; each problem once."""
    _problems[f"plugin {plugin}: {problem}"] = None


def problems() -> list[str]:
    """Return what was wrong with plugins so far."""
    return list(_problems)


@lru_cache(maxsize=1)
def rule_folders() -> tuple[tuple[str, Path], ...]:
    """Return name and folder of every plugin that brings rules."""
    return tuple(_folders(RULES))


@lru_cache(maxsize=1)
def packs() -> tuple[Path, ...]:
    """Return the packs of plugins that bring vendors, those whose manifests and code load."""
    return tuple(folder for name, folder in _folders(VENDORS) if _works(name, folder))


def _mentioned() -> bool:
    """Return whether an installed package has entry points of ours."""
    for place in sys.path:
        try:
            found = [*Path(place or ".").glob("*-info/entry_points.txt")]
        except OSError:
            continue
        for file in found:
            try:
                if _OURS in file.read_bytes():
                    return True
            except OSError:
                continue
    return False


def _folders(group: str) -> Iterator[tuple[str, Path]]:
    if not _mentioned():
        return
    from importlib.metadata import entry_points

    for point in sorted(entry_points(group=group), key=lambda each: (each.name, each.value)):
        try:
            file = point.load().__file__
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a plugin does, it is only left out
            report(point.name, f"{point.value} does not load: {type(error).__name__}: {error}")
            continue
        if file is None or Path(file).name != "__init__.py":
            report(point.name, f"{point.value} is no package with a folder of its own")
            continue
        yield point.name, Path(file).parent


def _works(name: str, pack: Path) -> bool:
    """Return whether every vendor of a pack loads; report the one that does not."""
    from rocecfg.packs import load_module
    from rocecfg.vendor.manifest import load_manifest

    folders = [file.parent for place in ("vendors/*", "vendors/nic/*") for file in pack.glob(f"{place}/vendor.yaml")]
    if not folders:
        report(name, f"{pack} holds no vendors/*/vendor.yaml")
    try:
        for folder in folders:
            load_manifest(folder)
            load_module(folder / "state.py")
    except (Exception, SystemExit) as error:  # noqa: BLE001 - as above
        report(name, str(error) if isinstance(error, RocecfgError) else f"{type(error).__name__}: {error}")
        return False
    return bool(folders)
