"""Where findings stand, as other programs want it: paths relative to the repository."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

if TYPE_CHECKING:
    from rocecfg.findings import Finding
    from rocecfg.report.outcome import Outcome


def repository(start: Path | None = None) -> Path:
    """Return the top folder of the git repository at or above a folder (default: this one), else that folder."""
    here = (start or Path.cwd()).resolve()
    return next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), here)


class Spot(NamedTuple):
    """A place as a report names it: path, line and column, 0 = the file as a whole."""

    path: str
    line: int
    column: int

    @property
    def uri(self) -> str:
        """The path as a relative URI, that of a file outside the repository as an absolute one."""
        text = quote(self.path.encode("utf-8", "backslashreplace"), safe="/~!$&'()*+,;=@._-")
        return "file://" + text if PurePath(self.path).is_absolute() else text


class Places:
    """Makes the paths of one report relative to a folder, each distinct path once.

    A service shows a finding at a line of the repository. One about a live device, or about a capture that is not in
    the repository, stands at the line of the intent that describes the device, where there is an intent.
    """

    def __init__(self, outcome: Outcome, root: Path | None = None) -> None:
        self._root = root or repository()
        self._outcome = outcome
        self._known: dict[str, str] = {}

    def spot(self, finding: Finding) -> Spot:
        """Return where a finding is shown."""
        path = self._path(finding.file) if finding.file else ""
        if path and not PurePath(path).is_absolute():
            return Spot(path, finding.line, finding.column if finding.line else 0)
        asked = self._outcome.asked_for.get(finding.device)
        if asked is not None:
            return Spot(self._path(asked[0]), asked[1], 0)
        if path:
            return Spot(path, finding.line, finding.column if finding.line else 0)
        return Spot(self._path(self._outcome.source or finding.device or "rocecfg"), 0, 0)

    def path(self, finding: Finding) -> str:
        """Return the path of `spot`."""
        return self.spot(finding).path

    def _path(self, file: str) -> str:
        known = self._known.get(file)
        if known is None:
            known = self._known[file] = self._relative(file)
        return known

    def _relative(self, file: str) -> str:
        if file.startswith("<"):
            return file.strip("<>")
        try:
            path = (Path.cwd() / file).resolve()
        except (OSError, ValueError, RuntimeError):
            return file
        return path.relative_to(self._root).as_posix() if path.is_relative_to(self._root) else path.as_posix()
