"""Where findings stand, as other programs want it: paths relative to the repository."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from rocecfg.findings import Finding
    from rocecfg.report.outcome import Outcome


def repository(start: Path | None = None) -> Path:
    """Return the top folder of the git repository at or above a folder (default: this one), else that folder."""
    here = (start or Path.cwd()).resolve()
    return next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), here)


class Places:
    """Makes the paths of one report relative to a folder, each distinct path once."""

    def __init__(self, outcome: Outcome, root: Path | None = None) -> None:
        self._root = root or repository()
        self._fallback = outcome.source
        self._known: dict[str, str] = {}

    def path(self, finding: Finding) -> str:
        """Return the finding's file relative to the repository; one without a file is shown at what was looked at."""
        file = finding.file or self._fallback or finding.device or "rocecfg"
        known = self._known.get(file)
        if known is None:
            known = self._known[file] = self._relative(file)
        return known

    def uri(self, finding: Finding) -> str:
        """Return `path` as a relative URI, a file outside the repository as an absolute one."""
        path = self.path(finding)
        text = quote(path.encode("utf-8", "backslashreplace"), safe="/~!$&'()*+,;=@._-")
        if PurePath(path).is_absolute():
            return "file://" + text
        return text

    def _relative(self, file: str) -> str:
        if file.startswith("<"):
            return file.strip("<>")
        try:
            path = (Path.cwd() / file).resolve()
        except (OSError, ValueError, RuntimeError):
            return file
        return path.relative_to(self._root).as_posix() if path.is_relative_to(self._root) else path.as_posix()
