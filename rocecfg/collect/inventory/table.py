"""Plain lists: CSV with a header line, YAML or JSON lists, a mapping of names below `devices`."""

from __future__ import annotations

import csv
import io
from typing import Any

from rocecfg.collect.inventory.entries import Entry
from rocecfg.errors import UsageError
from rocecfg.units import shown

_NAMES = ("name", "device", "hostname", "host")
_MOST = 100_000


def read_csv(text: str, file: str) -> list[Entry]:
    """Return the rows of a CSV: comma, semicolon or tab; the first line names the columns."""
    head = text.lstrip("\ufeff\r\n").split("\n", 1)[0]
    delimiter = max(",;\t", key=head.count)
    rows = csv.reader(io.StringIO(text.lstrip("\ufeff"), newline=""), delimiter=delimiter)
    header: list[str] = []
    entries: list[Entry] = []
    try:
        for cells in rows:
            words = [cell.strip() for cell in cells]
            if not any(words) or words[0].startswith("#"):
                continue
            if not header:
                header = [word.lower().replace(" ", "_") for word in words]
                if not set(header) & set(_NAMES):
                    raise UsageError(
                        f"{file}:{rows.line_num}: no column is called name, device or hostname: {shown(head)}"
                    )
                continue
            if len(words) > len(header):
                raise UsageError(f"{file}:{rows.line_num}: {len(words)} cells, the header has {len(header)} columns")
            row: dict[str, Any] = {key: word for key, word in zip(header, words, strict=False) if word}
            entries.append(_entry(row, f"{file}:{rows.line_num}"))
            if len(entries) > _MOST:
                raise UsageError(f"{file}: more than {_MOST} devices")
    except csv.Error as error:
        raise UsageError(f"{file}:{rows.line_num}: no CSV: {error}") from error
    return entries


def read_rows(rows: list[Any], file: str) -> list[Entry]:
    """Return the devices of a list of mappings."""
    entries = []
    for at, row in enumerate(rows, 1):
        if not isinstance(row, dict):
            raise UsageError(f"{file}: item {at} is {shown(row)}: a mapping with name, address and nos is expected")
        entries.append(_entry({str(key): value for key, value in row.items()}, f"{file}: item {at}"))
    return entries


def read_mapping(devices: Any, file: str) -> list[Entry]:
    """Return the devices below `devices:`, a list or a mapping by name."""
    if isinstance(devices, list):
        return read_rows(devices, file)
    if not isinstance(devices, dict):
        raise UsageError(f"{file}: devices is {shown(devices)}: a list, or a mapping of names")
    entries = []
    for name, row in devices.items():
        if row is not None and not isinstance(row, dict):
            raise UsageError(f"{file}: {name} is {shown(row)}: a mapping is expected")
        entries.append(Entry(str(name), {str(key): value for key, value in (row or {}).items()}))
    return entries


def _entry(row: dict[str, Any], where: str) -> Entry:
    name = next((str(row[key]) for key in _NAMES if row.get(key)), "")
    if not name:
        raise UsageError(f"{where}: the device has no name")
    groups = row.pop("groups", row.pop("group", ()))
    listed = groups if isinstance(groups, list) else str(groups).replace(";", " ").split() if groups else ()
    if "address" in row or "ip" in row:
        row.pop("hostname", None)  # a name beside an address
    return Entry(name, row, tuple(map(str, listed)))
