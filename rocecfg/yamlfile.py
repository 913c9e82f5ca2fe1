"""YAML files with the line and column of every key and value, and with YAML's traps reported.

    document = yamlfile.load_path("pod1.roce.yaml")      # or load_text(text, file="<stdin>")
    document.data                                        # plain dict, list, str, int, float, bool, None
    document.key_place(("classes", "roce", "dscp"))      # where the key stands
    document.place(("classes", "roce", "dscp"))          # where its value starts

What is read: YAML 1.2 with the core schema (booleans are `true` and `false` only; `on`, `off`, `yes` and `no`
stay strings, so the consumer may accept or refuse them). What is refused, always with file, line and column:
duplicate keys, numbers that YAML 1.1 programs read differently (`010`, `22:22`), tabs in the indentation,
tags, several documents, keys that are no plain words, nesting deeper than 64, files above 64 MiB, text that is
no UTF-8. Anchors, aliases and merge keys (`<<`) are supported: an alias shares its object, an alias inside its
own anchor is refused, and the document may not stand for more than 5 million values once every alias is counted
in full, so an "alias bomb" ends in one error.

The event stream comes from ruamel.yaml: its C module where installed (`ruamel.yaml.clib`), its Python parser
otherwise. The constructor is our own because no library's keeps places at this speed.
"""

from __future__ import annotations

import gc
import re
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from rocecfg.errors import IntentError, Problem
from rocecfg.yamlevents import Constructor

if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterator, Sequence

MAX_BYTES = 64 * 2**20
MAX_COMMENTS = 10_000

_COMMENT = re.compile(r"(?:^|(?<=\s))#\s{0,8}rocecfg:\s{0,8}(.*)")
# What YAML calls unprintable, lone surrogates (only a str can hold them), and breaks that editors do not count.
_UNREADABLE = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")


class Place(NamedTuple):
    """Where something stands: file, line and column, both counted from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Comment(NamedTuple):
    """A `# rocecfg: ...` comment: its place, the text after the colon, and the line it speaks about.

    That is its own line, or the next line with content when the comment stands alone.
    """

    line: int
    column: int
    text: str
    target: int


@dataclass(frozen=True, slots=True)
class Document:
    """One YAML file: its data and the places of everything in it."""

    file: str
    data: Any
    comments: tuple[Comment, ...] = ()
    # id(mapping or list) -> line, column of itself, then line, column of each key (mappings only) and value.
    _marks: dict[int, array[int]] = field(default_factory=dict, repr=False)
    _indexes: dict[int, dict[Any, int]] = field(default_factory=dict, repr=False)

    def place(self, path: Sequence[str | int]) -> Place:
        """Return where the value at a path starts; the nearest parent's place when the path does not exist."""
        return self._find(path, key=False)

    def key_place(self, path: Sequence[str | int]) -> Place:
        """Return where the key of the last step stands (for a list item: the item)."""
        return self._find(path, key=True)

    def place_of(self, container: dict[str, Any] | list[Any]) -> Place:
        """Return where a mapping or list of this document starts."""
        marks = self._marks[id(container)]
        return Place(self.file, marks[0] + 1, marks[1] + 1)

    def child_place(self, container: dict[str, Any] | list[Any], child: str | int, *, key: bool = False) -> Place:
        """Return the place of one child of a mapping or list; of the container when there is no such child."""
        marks = self._marks[id(container)]
        at = 0
        if isinstance(container, dict):
            index = self._index_of(container, child)
            if index is not None:
                at = 2 + 4 * index + (0 if key else 2)
        elif isinstance(child, int) and 0 <= child < len(container):
            at = 2 + 2 * child
        return Place(self.file, marks[at] + 1, marks[at + 1] + 1)

    def _index_of(self, container: dict[str, Any], child: str | int) -> int | None:
        """Return the position of a key; large mappings are asked often and get an index."""
        if len(container) < 32:
            return next((index for index, name in enumerate(container) if name == child), None)
        known = self._indexes.get(id(container))
        if known is None:
            known = self._indexes[id(container)] = {name: index for index, name in enumerate(container)}
        return known.get(child)

    def _find(self, path: Sequence[str | int], *, key: bool) -> Place:
        here: Any = self.data
        if id(here) not in self._marks:
            return Place(self.file, 1, 1)
        place = self.place_of(here)
        for depth, step in enumerate(path):
            if isinstance(here, dict):
                if step not in here:
                    return place
            elif not (isinstance(here, list) and isinstance(step, int) and 0 <= step < len(here)):
                return place
            place = self.child_place(here, step, key=key and depth == len(path) - 1)
            here = here[step]
        return place


def load_path(path: Path | str) -> Document:
    """Read one YAML file. Raises IntentError with every problem found, never another exception."""
    name = str(path)
    try:
        with Path(path).open("rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL byte in the name
        reason = getattr(error, "strerror", None) or str(error)
        raise IntentError([Problem(name, 1, 1, f"cannot read the file: {reason}")]) from error
    return load_text(raw, name)


def load_text(source: str | bytes, file: str = "<text>") -> Document:
    """Read YAML text or bytes. Raises IntentError with every problem found, never another exception."""
    text = _decode(source, file)
    with collector_paused():
        data, marks = Constructor(text, file).build()
    if data is None:
        _refuse(file, "the file is empty", "`rocecfg init` writes a commented example")
    return Document(file, data, _comments(text, file), marks)


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the cyclic garbage collector: a bulk load makes millions of objects, no cycles, and would pay double."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _comments(text: str, file: str) -> tuple[Comment, ...]:
    """Return the `# rocecfg:` comments; costs one substring search when there are none."""
    if "rocecfg:" not in text:
        return ()
    found: list[Comment] = []
    lines = text.split("\n")
    content = len(lines)  # the nearest line below that holds more than a comment
    for number in range(len(lines), 0, -1):
        line = lines[number - 1]
        if line.split("#", 1)[0].strip():
            content = number
        if "rocecfg:" in line and (match := _COMMENT.search(line)):
            if len(found) == MAX_COMMENTS:
                _refuse(file, f"more than {MAX_COMMENTS:,} `# rocecfg:` comments", "use the `ignore:` list")
            found.append(Comment(number, match.start() + 1, match[1].strip(), content))
    return tuple(reversed(found))


def _decode(source: str | bytes, file: str) -> str:
    """Return clean UTF-8 text, or say what the bytes are instead."""
    if len(source) > MAX_BYTES:
        _refuse(file, f"the file is larger than {MAX_BYTES // 2**20} MiB", "split it, or use ranges: leaf[1-64]")
    if isinstance(source, bytes):
        if source.startswith((b"\xff\xfe", b"\xfe\xff")):
            _refuse(file, "the file is UTF-16, not UTF-8", "save it as UTF-8")
        try:
            text = source.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            before = source[: error.start]
            line = before.count(b"\n") + 1
            column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
            byte = f"0x{source[error.start]:02x}"
            _refuse(file, f"the byte {byte} is no UTF-8 text", "save the file as UTF-8", line, column)
    else:
        text = source.removeprefix("\ufeff")
    if any(mark in text for mark in "\0\x85\u2028\u2029\ufeff"):  # libyaml takes some of these without a word
        refuse_unreadable(text, file)
    if not text.strip():
        _refuse(file, "the file is empty", "`rocecfg init` writes a commented example")
    return text


def refuse_unreadable(text: str, file: str) -> None:
    """Raise IntentError at the first character that no YAML text may hold; return when there is none."""
    match = _UNREADABLE.search(text)
    if match:
        line, column = _line_column(text, match.start())
        what = "binary data" if match[0] == "\0" else "a control character"
        _refuse(file, f"{what} (U+{ord(match[0]):04X}) stands in the text", "remove it", line, column)


def _line_column(text: str, index: int) -> tuple[int, int]:
    return text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index)


def _refuse(file: str, message: str, help_text: str = "", line: int = 1, column: int = 1) -> NoReturn:
    raise IntentError([Problem(file, line, column, message, help_text)])
