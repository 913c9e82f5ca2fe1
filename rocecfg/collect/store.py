"""Where captures are kept: one folder a device, put in place when it is whole, and what makes a killed run resume.

    CAPTURES/leaf1/capture.json           and one file a text
    CAPTURES/.rocecfg-pull.lock           one pull at a time
    CAPTURES/.rocecfg-pull.jsonl          what the run under way has done; it goes when the run ends

A folder is written beside its place under a name with a dot, which readers pass over, and then renamed. After a kill
those that were half written vanish at the next start.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import shutil
import time
import uuid
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import quote

from rocecfg.collect.target import DeviceResult
from rocecfg.errors import ReadError, UsageError
from rocecfg.state.capture import capture_index

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocecfg.collect.order import Reading

LOCK, JOURNAL = ".rocecfg-pull.lock", ".rocecfg-pull.jsonl"
_PATIENCE = 1.0
"""Seconds; the processes of a run that was just killed need a moment to notice."""
RESUMED_WITHIN = 6 * 3600.0
"""Seconds; a run that broke off longer ago is begun anew."""


def folder_name(device: str) -> str:
    """Return the name of a device's folder: its own, with what no folder may be called spelt in percent."""
    name = quote(device, safe=" @:+,=()[]{}~!#$&';")
    return "%2E" + name[1:] if name.startswith(".") else name


class Store:
    """A folder of captures that one run writes. Use it in a `with` block."""

    def __init__(self, folder: Path, devices: Iterable[str], *, fresh: bool = False) -> None:
        """Take the lock, clear what a killed run left, and find out what it had done.

        Raises UsageError when another run holds the folder, or it cannot be written.
        """
        self._folder = folder
        self._mark = hashlib.sha256("\0".join(sorted(devices)).encode()).hexdigest()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise UsageError(f"{folder}: {error.strerror or error}") from error
        self._take_lock()
        self._clear()
        self.done: dict[str, DeviceResult] = {} if fresh else self._resumed()
        """What the run that broke off had read."""
        self.run = self._run_of_journal() if self.done else uuid.uuid4().hex
        self._journal = self._opened()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let another run begin. The journal of a run that did not finish stays."""
        self._journal.close()
        with suppress(OSError):
            os.close(self._lock)

    def finish(self) -> None:
        """Note that the run is over: the next one reads every device again."""
        with suppress(OSError):
            (self._folder / JOURNAL).unlink()

    def _take_lock(self) -> None:
        end = time.monotonic() + _PATIENCE
        while not self._locked():
            if time.monotonic() < end:
                time.sleep(0.05)
                continue
            who = os.pread(self._lock, 100, 0).decode("ascii", "replace").strip()
            os.close(self._lock)
            raise UsageError(
                f"{self._folder}: another pull writes into this folder{f' (process {who})' if who else ''}"
            )
        os.ftruncate(self._lock, 0)
        os.pwrite(self._lock, f"{os.getpid()}\n".encode(), 0)

    def _locked(self) -> bool:
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def _clear(self) -> None:
        """Remove half-written folders; one that was moved aside comes back where its successor did not arrive."""
        for entry in list(os.scandir(self._folder)):
            if entry.name.startswith(".") and entry.name.endswith(".part"):
                shutil.rmtree(entry.path, ignore_errors=True)
            elif entry.name.startswith(".") and entry.name.endswith(".old"):
                place = self._folder / entry.name[1:-4]
                if place.exists():
                    shutil.rmtree(entry.path, ignore_errors=True)
                else:
                    Path(entry.path).rename(place)

    def _lines(self) -> list[dict[str, Any]]:
        try:
            text = (self._folder / JOURNAL).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return []
        found = []
        for line in text.split("\n")[:-1]:  # the last line is empty, or was cut off by the kill
            with suppress(ValueError):
                item = json.loads(line)
                if isinstance(item, dict):
                    found.append(item)
        return found

    def _resumed(self) -> dict[str, DeviceResult]:
        lines = self._lines()
        if not lines or lines[0].get("devices") != self._mark:
            return {}
        if not 0 <= time.time() - float(lines[0].get("started", 0)) < RESUMED_WITHIN:
            return {}
        done = {}
        for item in lines[1:]:
            with suppress(TypeError):
                result = DeviceResult(**item)
                if result.status == "ok" and self._has(result, str(lines[0].get("run"))):
                    done[result.device] = result
        return done

    def _has(self, result: DeviceResult, run: str) -> bool:
        try:
            index = json.loads((self._folder / folder_name(result.device) / "capture.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return False
        return isinstance(index, dict) and index.get("run") == run

    def _run_of_journal(self) -> str:
        return str(self._lines()[0].get("run"))

    def _opened(self) -> Any:
        path = self._folder / JOURNAL
        try:
            if self.done:
                stream = path.open("a", encoding="utf-8")
                stream.write("\n")  # ends a line that a kill cut off
            else:
                stream = path.open("w", encoding="utf-8")
                head = {"run": self.run, "devices": self._mark, "started": time.time()}
                stream.write(json.dumps(head) + "\n")
            stream.flush()
        except OSError as error:
            raise UsageError(f"{path}: {error.strerror or error}") from error
        return stream

    def put(self, reading: Reading) -> DeviceResult:
        """Keep what was read of a device, and note its result. Raises ReadError when the folder cannot be written."""
        result = keep(self._folder, self.run, reading).result
        self.note(result)
        return result

    def note(self, result: DeviceResult) -> None:
        """Note that a device is done. Raises ReadError when the journal cannot be written."""
        try:
            self._journal.write(json.dumps(_plain(result)) + "\n")
            self._journal.flush()
        except OSError as error:
            raise ReadError(f"{self._folder / JOURNAL}: {error.strerror or error}") from error


def taken(folder: Path, device: str) -> str:
    """Return when the capture of a device was taken that stands in a folder; empty when none does."""
    try:
        index = json.loads((folder / folder_name(device) / "capture.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ""
    return str(index.get("taken", "")) if isinstance(index, dict) else ""


def keep(folder: Path, run: str, reading: Reading) -> Reading:
    """Write the texts of a reading and return it without them. Raises ReadError when the folder cannot be written.

    Any thread or process may do this for a device of its own, while the run holds the folder.
    """
    if not reading.texts:
        return reading
    try:
        place = _write(folder, run, reading)
    except OSError as error:
        raise ReadError(f"{folder}: {error.strerror or error}") from error
    return replace(reading, result=replace(reading.result, folder=str(place)), texts=())


def _write(folder: Path, run: str, reading: Reading) -> Path:
    name = folder_name(reading.result.device)
    place = folder / name
    temporary, aside = folder / f".{name}.part", folder / f".{name}.old"
    temporary.mkdir()
    entries: list[dict[str, object]] = []
    for text in reading.texts:
        file = _file_name(text.id)
        with (temporary / file).open("w", encoding="utf-8", errors="replace", newline="\n") as stream:
            stream.write(text.content)
        entry: dict[str, object] = {"command": text.command, "file": file, "complete": text.complete}
        entries.append({**entry, **({"problem": text.problem} if text.problem else {"proved": list(text.proved)})})
    result = reading.result
    index = capture_index(result.device, result.nos, entries, address=reading.address, taken=reading.taken, run=run)
    (temporary / "capture.json").write_text(index, encoding="utf-8")
    if place.exists():
        shutil.rmtree(aside, ignore_errors=True)
        place.rename(aside)
    temporary.rename(place)
    shutil.rmtree(aside, ignore_errors=True)
    return place


def _file_name(word: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.-]", "_", word).lstrip(".")[:100] + ".txt"


def _plain(result: DeviceResult) -> dict[str, object]:
    return {name: getattr(result, name) for name in DeviceResult.__dataclass_fields__}
