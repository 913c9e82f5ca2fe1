"""Host keys: the lines of a known_hosts file that concern one host, and the verdict on the key that a host shows.

The file is read once and looked up by name; SSH libraries that load the whole file for each connection need seconds a
device at 5,000 lines.
"""

from __future__ import annotations

import base64
import binascii
import fnmatch
import hashlib
import hmac
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.collect.trouble import HOST_KEY, TroubleError
from rocecfg.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

DEFAULT = "~/.ssh/known_hosts"
_LARGEST = 64 * 1024 * 1024


def name_of(address: str, port: int) -> str:
    """Return a host as known_hosts spells it."""
    return address.lower() if port == 22 else f"[{address.lower()}]:{port}"


class KnownHosts:
    """A known_hosts file, looked up by host. Lines are kept as they are: `name type key`."""

    def __init__(self, files: Sequence[Path]) -> None:
        """Read the files. Raises UsageError for one that cannot be read; one that is not there is empty."""
        self._plain: dict[str, list[str]] = {}
        self._hashed: list[tuple[bytes, bytes, str]] = []
        self._patterns: list[tuple[list[str], str]] = []
        for file in files:
            self._read(file)

    def _read(self, file: Path) -> None:
        try:
            raw = file.read_bytes()[:_LARGEST]
        except FileNotFoundError:
            return
        except OSError as error:
            raise UsageError(f"{file}: {error.strerror or error}") from error
        for line in raw.decode("utf-8", "replace").splitlines():
            words = line.split()
            if len(words) < 3 or words[0].startswith("#"):
                continue
            marker = words.pop(0) if words[0].startswith("@") else ""
            if len(words) < 3 or marker not in {"", "@revoked"}:
                continue  # @cert-authority: certificates are not checked here
            self._add(words[0], " ".join((marker or "-", words[1], words[2])))

    def _add(self, hosts: str, entry: str) -> None:
        if hosts.startswith("|1|"):
            with suppress(ValueError, binascii.Error):
                _, _, salt, digest = hosts.split("|")
                self._hashed.append((base64.b64decode(salt), base64.b64decode(digest), entry))
            return
        names = hosts.lower().split(",")
        if any(letter in hosts for letter in "*?!"):
            self._patterns.append((names, entry))
            return
        for name in names:
            self._plain.setdefault(name, []).append(entry)

    def of(self, address: str, port: int) -> tuple[str, ...]:
        """Return what is known about a host: `- type key`, or `@revoked type key`."""
        name = name_of(address, port)
        found = list(self._plain.get(name, ()))
        for salt, digest, entry in self._hashed:
            if hmac.compare_digest(hmac.digest(salt, name.encode(), "sha1"), digest):
                found.append(entry)
        for patterns, entry in self._patterns:
            refused = any(fnmatch.fnmatchcase(name, pattern[1:]) for pattern in patterns if pattern.startswith("!"))
            if not refused and any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns):
                found.append(entry)
        return tuple(found)

    def add(self, line: str) -> None:
        """Take a line `name type key` into this lookup."""
        hosts, kind, key = line.split()
        self._add(hosts, f"- {kind} {key}")


def fingerprint(key: bytes) -> str:
    """Return the fingerprint that OpenSSH and most devices print."""
    return "SHA256:" + base64.b64encode(hashlib.sha256(key).digest()).decode().rstrip("=")


def judged(known: Sequence[str], address: str, port: int, kind: str, key: bytes, *, accept_new: bool) -> str:
    """Return the line to remember for a new host that is accepted, else an empty string: the key is the known one.

    Raises TroubleError for a changed, revoked or unknown key.
    """
    encoded = base64.b64encode(key).decode()
    shown = f"{address}:{port} shows the {kind} key {fingerprint(key)}"
    keys = [entry.split(" ") for entry in known]
    if any(marker == "@revoked" and text == encoded for marker, _, text in keys):
        raise TroubleError(HOST_KEY, f"{shown}, which known_hosts marks as revoked")
    keys = [entry for entry in keys if entry[0] == "-"]
    if any(text == encoded for _, _, text in keys):
        return ""
    same = next((text for _, known_kind, text in keys if known_kind == kind), None)
    if same is not None:
        with suppress(ValueError, binascii.Error):
            was = fingerprint(base64.b64decode(same))
            raise TroubleError(HOST_KEY, f"the host key changed: {shown}, known_hosts has {was}")
        raise TroubleError(HOST_KEY, f"the host key changed: {shown}, known_hosts has another")
    if keys:
        kinds = ", ".join(sorted({known_kind for _, known_kind, _ in keys}))
        raise TroubleError(HOST_KEY, f"the host key changed: {shown}, known_hosts knows it by {kinds} only")
    if not accept_new:
        raise TroubleError(
            HOST_KEY, f"the host key is not known: {shown}; add it to known_hosts or use --accept-new for first contact"
        )
    return f"{name_of(address, port)} {kind} {encoded}"


def append(file: Path, lines: Iterable[str]) -> None:
    """Add lines to a known_hosts file: the old or the new file stands there at any time, never half of one.

    Raises UsageError when it cannot be written.
    """
    new = "".join(f"{line}\n" for line in lines)
    if not new:
        return
    file = Path(os.path.realpath(file))
    temporary = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        old = file.read_bytes() if file.exists() else b""
        mode = file.stat().st_mode & 0o777 if file.exists() else 0o600
        temporary.write_bytes(old + (b"" if not old or old.endswith(b"\n") else b"\n") + new.encode())
        temporary.chmod(mode)
        temporary.replace(file)
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror or error}") from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
