"""The linted files as they were at a git revision, written into a folder of their own.

Read through `git ls-tree` and `git cat-file`: no work tree, index or filter is touched.
"""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rocecfg.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from rocecfg.findings import Finding

_SECONDS = 300


@dataclass(frozen=True, slots=True)
class Revision:
    """The paths of a command line as they were: where each of them lies now, None = it did not exist."""

    paths: tuple[Path, ...]
    copies: tuple[Path | None, ...]

    def there(self) -> list[Path]:
        """Return the copies of the paths that existed."""
        return [copy for copy in self.copies if copy is not None]

    def named_as_now(self, findings: Iterable[Finding]) -> list[Finding]:
        """Return findings about the copies as findings about the paths themselves."""
        pairs = [(str(copy), path) for path, copy in zip(self.paths, self.copies, strict=True) if copy is not None]
        return [replace(finding, file=_renamed(finding.file, pairs)) for finding in findings]


def _renamed(file: str, pairs: Sequence[tuple[str, Path]]) -> str:
    for copy, path in pairs:
        if file == copy:
            return str(path)
        if file.startswith(copy + os.sep):
            return str(path / file[len(copy) + 1 :])
    return file


def write_revision(revision: str, paths: Sequence[Path], target: Path) -> Revision:
    """Write what git has of the paths at a revision below `target`, each into a folder of its own.

    Raises UsageError when a path is in no git repository or the revision does not exist.
    """
    copies = (_write(revision, path, target / str(number)) for number, path in enumerate(paths))
    return Revision(tuple(paths), tuple(copies))


def _write(revision: str, path: Path, target: Path) -> Path | None:
    folder = path if path.is_dir() else path.parent
    if not folder.is_dir():
        return None
    commit = _git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if commit is None:
        inside = _git(folder, "rev-parse", "--git-dir") is not None
        problem = f'git has no revision "{revision}"' if inside else "is in no git repository"
        raise UsageError(f"--diff-base: {path}: {problem}")
    name = "." if path.is_dir() else path.name
    listed = _git(folder, "ls-tree", "-r", "-z", commit.decode().strip(), "--", name)
    entries = list(_entries(listed or b""))
    if not entries:
        return None
    if path.is_dir():
        target /= path.resolve().name  # a capture folder may be named after its device
    _contents(folder, entries, target)
    return target if path.is_dir() else target / path.name


def _entries(listed: bytes) -> Iterator[tuple[str, str]]:
    """Yield object and path of every ordinary file of a listing; links and submodules are none."""
    for line in listed.split(b"\0"):
        head, _, name = line.partition(b"\t")
        words = head.split()
        if len(words) == 3 and words[0] in {b"100644", b"100755"}:
            yield words[2].decode(), os.fsdecode(name)


def _contents(folder: Path, entries: list[tuple[str, str]], target: Path) -> None:
    wanted = "".join(f"{blob}\n" for blob, _ in entries).encode()
    answer = _git(folder, "cat-file", "--batch", stdin=wanted) or b""
    at = 0
    for _, name in entries:
        end = answer.index(b"\n", at)
        size = int(answer[at:end].split()[2])
        file = target / name
        if target.resolve() in file.resolve().parents:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(answer[end + 1 : end + 1 + size])
        at = end + 1 + size + 1


def _git(folder: Path, *arguments: str, stdin: bytes | None = None) -> bytes | None:
    """Return what git prints in a folder, None when it fails. Raises UsageError without git."""
    try:
        ran = subprocess.run(
            ["git", "-C", str(folder), *arguments], input=stdin, capture_output=True, check=False, timeout=_SECONDS
        )
    except FileNotFoundError as error:
        raise UsageError("--diff-base needs git, which is not installed") from error
    except subprocess.TimeoutExpired as error:
        raise UsageError(f"--diff-base: git took more than {_SECONDS} s") from error
    return ran.stdout if ran.returncode == 0 else None
