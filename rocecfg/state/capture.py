"""The raw texts of one device: read from a capture folder, a rendered folder, a lone file or stdin.

A capture folder holds `capture.json` and one file per command; anybody may write one, only `device`, `nos` and
`texts` are required:

    {"schema": 1, "device": "leaf1", "nos": "nxos", "taken": "2026-01-01T00:00:00Z",
     "texts": [{"command": "show running-config", "file": "show_running-config.txt", "complete": true}]}

A file without such a folder is a capture with one text. Whatever is wrong with a file is a ReadError that names it.
"""

from __future__ import annotations

import json
import os
import re
import stat
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LARGEST_TEXT = 64 * 1024 * 1024
"""Bytes; a larger file is refused rather than read into memory."""
_COLOURS = re.compile(
    r"\x1b(?:\[(?:[0-9;]{0,20}m(?:\x1b\[K)?|\?[0-9;]{1,12}[hl])|\][0-9]{1,3};[^\x07\x1b\n]{0,200}(?:\x07|\x1b\\))"
)
"""What a terminal paints by: colours, bracketed paste, the title of the window."""
_SKIPPED_NAMES = {".git", "__pycache__", "node_modules", ".venv"}
_SKIPPED_ENDINGS = (".schema.json", ".md", ".png", ".svg", ".html", ".pyc", ".lock", ".toml")


@dataclass(frozen=True, slots=True)
class Text:
    """One text of a device: the file it stands in, what it says, and the command that printed it."""

    file: str
    content: str
    command: str = ""
    complete: bool | None = None
    """True = proved whole, False = cut off, None = nobody said (a saved file)."""


@dataclass(frozen=True, slots=True)
class Capture:
    """The texts of one device at one time. `device` and `nos` are empty until detection fills them."""

    device: str
    nos: str
    texts: tuple[Text, ...]
    taken: str = ""
    source: str = "running"
    file: str = ""
    """The folder or file it came from, as the user named it."""


def read_text(path: Path, shown: str = "") -> str:
    """Return a file's text: UTF-8 (a BOM is dropped), or Latin-1 where it is not UTF-8.

    Raises ReadError for a missing, unreadable, over-large or binary file.
    """
    name = shown or str(path)
    try:
        with path.open("rb") as stream:
            raw = stream.read(LARGEST_TEXT + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL byte in the name
        raise ReadError(f"{name}: {getattr(error, 'strerror', None) or error}") from error
    return decode(raw, name)


def decode(raw: bytes, name: str) -> str:
    """Return bytes as text. Raises ReadError for binary data and for more than is read of any text."""
    if len(raw) > LARGEST_TEXT:
        raise ReadError(f"{name}: more than the {LARGEST_TEXT} bytes that are read of a text")
    return _plain(_decoded(raw, name))


def _plain(text: str) -> str:
    """Return a text without a terminal's colours and window titles; the cursor movements of pagers stay."""
    return _COLOURS.sub("", text) if "\x1b" in text else text


def _decoded(raw: bytes, name: str) -> str:
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            return raw.decode("utf-16")
        except UnicodeDecodeError as error:
            raise ReadError(f"{name}: starts as UTF-16 and is not: {error}") from error
    if b"\x00" in raw:
        raise ReadError(f"{name}: a binary file, not a configuration (byte 0 at offset {raw.index(0)})")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.removeprefix(b"\xef\xbb\xbf").decode("latin-1")


def captures_under(path: Path) -> Iterator[Capture | ReadError]:
    """Yield every capture below a path, sorted by name; what cannot be read is yielded as the ReadError it is.

    `-` is stdin. A folder with `capture.json` is one capture; in any other folder each file is one.
    """
    for found in capture_paths(path):
        yield found if isinstance(found, ReadError) else read_capture(found)


def capture_paths(path: Path) -> Iterator[Path | ReadError]:
    """Yield where the captures below a path lie, sorted by name, without reading them.

    Links below a folder are followed to files, not to folders: a loop of links must end. A link that is not followed
    is yielded as a ReadError: what lies behind it was not looked at.
    """
    if str(path) == "-" or not path.is_dir() or (path / "capture.json").is_file():
        yield path
        return
    try:
        entries = sorted(os.scandir(path), key=lambda entry: entry.name)
    except OSError as error:
        yield _unreadable(path, error)
        return
    for entry in entries:
        child = Path(entry.path)
        if entry.name.startswith(".") or entry.name in _SKIPPED_NAMES:
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from capture_paths(child)
        elif not entry.name.endswith(_SKIPPED_ENDINGS):
            yield from _file_or_link(child, entry.is_symlink())


def _file_or_link(path: Path, is_link: bool) -> Iterator[Path | ReadError]:
    """Yield a regular file; say so of a link that leads nowhere or to a folder. Pipes and devices are no captures."""
    try:
        mode = path.stat().st_mode
    except OSError as error:  # a link to nothing, or a ring of links
        yield _unreadable(path, error)
        return
    if stat.S_ISREG(mode):
        yield path
    elif is_link and stat.S_ISDIR(mode):
        yield ReadError(f"{path}: a link to a folder, which is not followed; name the folder itself")


def _unreadable(path: Path, error: OSError) -> ReadError:
    problem = ReadError(f"{path}: {error.strerror or error}")
    problem.__cause__ = error
    return problem


def read_capture(path: Path) -> Capture | ReadError:
    """Read one capture: a folder with `capture.json`, a file, or `-` for stdin."""
    try:
        if str(path) == "-":
            return _single("<stdin>", decode(sys.stdin.buffer.read(LARGEST_TEXT + 1), "<stdin>"))
        if path.is_dir():
            return read_capture_folder(path)
        return _single(str(path), read_text(path))
    except ReadError as error:
        return error


def _single(name: str, content: str) -> Capture:
    return Capture("", "", (Text(name, content),), file=name)


def device_of(path: Path) -> str:
    """Return the device that a capture folder is of, as far as its index tells; "" for anything else."""
    index = path / "capture.json"
    with suppress(ReadError, ValueError, RecursionError, OSError):
        if index.is_file():
            data = json.loads(read_text(index))
            return str(data["device"]) if isinstance(data, dict) and isinstance(data.get("device"), str) else ""
    return ""


def read_capture_folder(folder: Path) -> Capture:
    """Return the capture of a folder with `capture.json`.

    Raises ReadError when that file is broken, lacks `device`, `nos` or `texts`, or names a file outside the folder.
    """
    index = folder / "capture.json"
    try:
        data = json.loads(read_text(index))
    except (ValueError, RecursionError) as error:
        raise ReadError(f"{index}: not JSON: {error}") from error
    if not isinstance(data, dict):
        raise ReadError(f'{index}: an object with "device", "nos" and "texts" is expected')
    device, nos, texts = (data.get(key) for key in ("device", "nos", "texts"))
    if not (isinstance(device, str) and isinstance(nos, str) and isinstance(texts, list)):
        raise ReadError(f'{index}: "device" and "nos" must be text and "texts" a list')
    return Capture(
        device,
        nos,
        tuple(_listed_text(folder, index, entry) for entry in texts),
        taken=str(data.get("taken", "")),
        source=str(data.get("source", "running")),
        file=str(folder),
    )


def _listed_text(folder: Path, index: Path, entry: object) -> Text:
    name = entry.get("file") if isinstance(entry, dict) else None
    if not isinstance(entry, dict) or not isinstance(name, str):
        raise ReadError(f'{index}: each entry of "texts" needs a "file"')
    if Path(name).name != name or name in {"", ".", ".."}:
        raise ReadError(f'{index}: "{name}" is not a file name in this folder')
    if (folder / name).exists() and not (folder / name).is_file():  # opening a pipe would wait for ever
        raise ReadError(f'{index}: "{name}" is not a regular file')
    complete = entry.get("complete")
    return Text(
        str(folder / name),
        read_text(folder / name),
        str(entry.get("command", "")),
        complete if isinstance(complete, bool) else None,
    )


def write_atomically(path: Path, content: str, mode: int = 0o644) -> None:
    """Write a file so that a reader sees the old or the new text, never half of one.

    Raises ReadError when the folder cannot be written.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text(content, encoding="utf-8", newline="\n")
        temporary.chmod(mode)
        temporary.replace(path)
    except OSError as error:
        raise ReadError(f"{path}: {error.strerror or error}") from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def capture_index(device: str, nos: str, texts: Sequence[dict[str, object]], **more: object) -> str:
    """Return the text of a `capture.json`."""
    return json.dumps({"schema": 1, "device": device, "nos": nos, **more, "texts": list(texts)}, indent=2) + "\n"
