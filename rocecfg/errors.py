"""Every error a user can meet, and the exit code it stands for.

    RocecfgError                     2   base: shown without a traceback
    ├── UsageError                   2   wrong option, unknown name
    ├── ConfigurationError           2   rocecfg.toml, ignore file, vendor pack
    ├── IntentError                  2   the intent does not load; carries every problem found
    ├── PlanError                    2   the intent loads, but no device can carry it
    ├── RenderError                  2   a device needs what its vendor cannot express
    └── ReadError                    3   a file or device text could not be read or parsed

Findings are no errors: they end with exit code 1 (`rocecfg.findings`).
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

EXIT_CLEAN, EXIT_FINDINGS, EXIT_USAGE, EXIT_UNREADABLE, EXIT_INTERRUPTED = 0, 1, 2, 3, 130


class RocecfgError(Exception):
    """A mistake a person can mend; the message says where and how."""

    exit_code = EXIT_USAGE


class UsageError(RocecfgError):
    """A command was called in a way that cannot work."""


class ConfigurationError(RocecfgError):
    """The tool's own configuration, an ignore file or a vendor pack is wrong."""


class PlanError(RocecfgError):
    """The intent is well formed and still cannot be carried out; the message shows the arithmetic."""


class RenderError(RocecfgError):
    """A device needs a construct that its vendor cannot express, or that nobody documented."""


class ReadError(RocecfgError):
    """A file or a device's text could not be read; never the same as "nothing found"."""

    exit_code = EXIT_UNREADABLE


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong in a file: place, what stands there, what would be accepted."""

    file: str
    line: int
    column: int
    message: str
    help: str = ""

    def __str__(self) -> str:
        text = f"{self.file}:{self.line}:{self.column}: {self.message}"
        return f"{text}\n    help: {self.help}" if self.help else text


class IntentError(RocecfgError):
    """The intent does not load. `problems` holds all that was found, in file order."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(problems, key=lambda p: (p.file, p.line, p.column)))
        super().__init__("\n".join(str(problem) for problem in self.problems))


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return `, did you mean "x"?` for the nearest known word, or an empty string."""
    if len(word) > 80:  # no typing error, and comparing megabytes takes minutes
        return ""
    near = get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f', did you mean "{near[0]}"?' if near else ""
