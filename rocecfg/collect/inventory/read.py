"""Tells inventories apart by content and reads them."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.collect.inventory import ansible, nornir, table
from rocecfg.collect.inventory.entries import Entry, Vaulted, targets
from rocecfg.collect.inventory.limit import chosen
from rocecfg.errors import UsageError
from rocecfg.state.model import Where
from rocecfg.units import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocecfg.collect.target import Target

LARGEST = 64 * 1024 * 1024
_YAML = (".yaml", ".yml", ".json")
_ACCEPTED = (
    "nornir hosts (hosts.yaml with groups.yaml and defaults.yaml), an Ansible inventory in YAML or the JSON of "
    "`ansible-inventory --list`, a CSV with a header line, a YAML list of devices, or `netbox`"
)


def read(source: str, limit: Sequence[str] = ()) -> list[Target]:
    """Return the devices of an inventory: a file, a folder, `-` for stdin, `netbox` or the address of a NetBox.

    A device that cannot be read (no known system, a vaulted password) is a target with a `problem`. Raises UsageError
    for what is no inventory, ReadError when a NetBox does not answer.
    """
    entries = _entries(source)
    if not entries:
        raise UsageError(f"{source}: an inventory without a device")
    seen: dict[str, str] = {}
    for entry in entries:
        if seen.setdefault(entry.name.lower(), entry.name) != entry.name:
            raise UsageError(f'{source}: "{entry.name}" and "{seen[entry.name.lower()]}" differ in case only')
    twice = next((name for name, count in Counter(entry.name for entry in entries).items() if count > 1), None)
    if twice is not None:
        raise UsageError(f'{source}: "{twice}" is named twice')
    return chosen(targets(entries), limit)


def _entries(source: str) -> list[Entry]:
    if source == "netbox" or source.startswith(("http://", "https://")):
        from rocecfg.collect.inventory import netbox

        return netbox.read(source)
    if source == "-":
        return _of_text(sys.stdin.read(LARGEST), "<stdin>", Path())
    path = Path(source)
    if path.is_dir():
        return _of_folder(path)
    return _placed(_of_text(_text(path), str(path), path), path)


def _text(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            raw = stream.read(LARGEST + 1)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from error
    if len(raw) > LARGEST:
        raise UsageError(f"{path}: larger than {LARGEST} bytes")
    if b"\0" in raw:
        raise UsageError(f"{path}: a binary file, no inventory")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: no UTF-8: byte {error.start}") from error


def _placed(entries: list[Entry], path: Path) -> list[Entry]:
    """Note the line that names each device, as far as a look at the text can tell."""
    lines: dict[str, int] = {}
    for number, line in enumerate(_text(path).splitlines(), 1):
        for separator in (":", ",", ";", "\t"):
            word = line.partition(separator)[0].strip().strip("-\"' ")
            lines.setdefault(word, number)
    for entry in entries:
        entry.place = Where(str(path), lines.get(entry.name, 0))
    return entries


def _of_folder(folder: Path) -> list[Entry]:
    """Read a folder: nornir's three files, or Ansible's inventory with group_vars and host_vars."""
    for name in ("hosts.yaml", "hosts.yml", "inventory.yaml", "inventory.yml", "hosts.json", "inventory.json"):
        path = folder / name
        if path.is_file():
            return _placed(_of_text(_text(path), str(path), path), path)
    tables = sorted(folder.glob("*.csv"))
    if len(tables) == 1:
        return _placed(_of_text(_text(tables[0]), str(tables[0]), tables[0]), tables[0])
    if (folder / "hosts").is_file():
        raise UsageError(_of_ini(folder / "hosts"))
    raise UsageError(f"{folder}: no inventory in it: hosts.yaml, inventory.yaml or one .csv file")


def _of_ini(path: Path) -> str:
    return f"{path}: an Ansible inventory in INI form is not read: `ansible-inventory --list` prints it as JSON"


def _of_text(text: str, file: str, path: Path) -> list[Entry]:
    if not text.strip():
        raise UsageError(f"{file}: empty")
    first = next(line.strip() for line in text.splitlines() if line.strip() and not line.strip().startswith("#"))
    if path.suffix == ".csv" or (
        path.suffix not in _YAML and any(mark in first for mark in ",;\t") and first[:1] not in "{["
    ):
        return table.read_csv(text, file)
    if first.startswith("[") and first.endswith("]") and "," not in first:
        raise UsageError(_of_ini(path) if str(path) != "." else _of_ini(Path(file)))
    data = _data(text, file)
    if ansible.looks_like_list(data):
        return ansible.read_list(data, file)
    if isinstance(data, list):
        return table.read_rows(data, file)
    if isinstance(data, dict) and set(data) & {"devices", "targets"}:
        return table.read_mapping(data.get("devices", data.get("targets")), file)
    if ansible.looks_like(data):
        return ansible.read(data, _beside(path, "group_vars"), _beside(path, "host_vars"), file)
    if nornir.looks_like(data):
        groups, defaults = (_sibling(path, name) for name in ("groups", "defaults"))
        return nornir.read(data, groups, defaults, file)
    raise UsageError(f"{file}: {shown(data)} is no inventory that is known: {_ACCEPTED}")


def _sibling(path: Path, name: str) -> Any:
    for ending in (".yaml", ".yml"):
        other = path.with_name(name + ending)
        if other.is_file():
            return _data(_text(other), str(other)) or {}
    return {}


def _beside(path: Path, folder: str) -> dict[str, Any]:
    """Return Ansible's variables beside an inventory: one file or one folder for each group or host."""
    found: dict[str, Any] = {}
    base = path.parent / folder
    for item in sorted(base.iterdir()) if base.is_dir() else ():
        files = sorted(item.glob("*.y*ml")) if item.is_dir() else [item] if item.suffix in _YAML else []
        for file in files:
            data = _data(_text(file), str(file))
            if isinstance(data, dict):
                found.setdefault(item.stem if item.is_file() else item.name, {}).update(data)
    return found


def _data(text: str, file: str) -> Any:
    """Return YAML or JSON as data; Ansible's tags become values that say what they are.

    Raises UsageError with the line of what is wrong.
    """
    if text.lstrip()[:1] in "{[":
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            pass  # YAML may begin so too
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    yaml = YAML(typ="safe", pure=True)
    yaml.constructor.add_constructor("!vault", lambda *_: Vaulted())
    yaml.constructor.add_constructor("!unsafe", lambda constructor, node: constructor.construct_scalar(node))
    try:
        return yaml.load(text)
    except (YAMLError, RecursionError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        line = f":{mark.line + 1}" if mark is not None else ""
        problem = " ".join(str(getattr(error, "problem", None) or type(error).__name__).split())[:200]
        raise UsageError(f"{file}{line}: no YAML: {problem}") from error
