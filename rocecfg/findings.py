"""What lint, drift and audit report: one problem, its place, and what to type."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Protocol


class Severity(IntEnum):
    """How bad it is: an error loses traffic or is refused, a warning can, info is hygiene."""

    INFO = 1
    WARNING = 2
    ERROR = 3

    @property
    def word(self) -> str:
        """The lower-case name used in every output."""
        return self.name.lower()

    @classmethod
    def parse(cls, word: str) -> Severity:
        """Return the severity of a word. Raises KeyError for an unknown one."""
        return cls[word.upper()]


class Spot(Protocol):
    """A place in a text: the `Where` of a state, the `Place` of a YAML file. Line 0 = the file as a whole."""

    @property
    def file(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Edit:
    """A certain cure of a finding about an intent: the value at (or beside the key at) a place becomes another."""

    place: Spot
    value: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem: rule, severity, device, object, place, sentence and cure."""

    rule: str
    name: str
    severity: Severity
    device: str
    object: str
    message: str
    help: str = ""
    file: str = ""
    line: int = 0
    column: int = 0
    ports: tuple[str, ...] = ()
    leaf: str = ""
    """The path in the state that decides it ("pfc.admin"): part of its identity, as a line is not."""
    edits: tuple[Edit, ...] = ()
    """What `lint --fix` writes into the intent; only where nothing is left to decide."""

    def sort_key(self) -> tuple[Any, ...]:
        """Order of reports: file, line, then rule and object."""
        return (self.file, self.line, self.column, self.rule, self.device, self.object, self.message)


@dataclass(frozen=True, slots=True)
class NotEvaluated:
    """A rule that could not judge a device because an input was missing: never the same as "ok"."""

    rule: str
    device: str
    missing: str


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """A line inside a section we read that nobody took."""

    file: str
    line: int
    text: str
