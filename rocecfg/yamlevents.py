"""From ruamel.yaml's event stream to plain data and places: the inner loop of `rocecfg.yamlfile`."""

from __future__ import annotations

import re
from array import array
from typing import TYPE_CHECKING, Any, NoReturn, Self

from ruamel.yaml import events

from rocecfg.errors import IntentError, Problem
from rocecfg.units import shown
from rocecfg.yamlerrors import from_library

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_DEPTH = 64
MAX_VALUES = 5_000_000
MAX_PROBLEMS = 100
MAX_PURE_CHARACTERS = 2_000_000  # about ten seconds

Marks = dict[int, "array[int]"]

_CONSTANTS: dict[str, bool | None] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip
_INTEGER = re.compile(r"[-+]?[0-9]{1,4000}")
_BASED = re.compile(r"0x[0-9a-fA-F]{1,400}|0o[0-7]{1,400}")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]{1,40}|[0-9]{1,40}(?:\.[0-9]{0,40})?)(?:[eE][-+]?[0-9]{1,3})?")
_OCTAL = re.compile(r"[-+]?0[0-9]+")
_SEXAGESIMAL = re.compile(r"[-+]?[1-9][0-9]{0,9}(?::[0-5]?[0-9]){1,9}")
_NUMERIC_START = frozenset("-+.0123456789")
_CACHE_SIZE = 50_000
_NO_KEY, _MERGE, _OPEN = object(), object(), object()


class WrittenFloat(float):
    """A float that remembers how it was written, so that the release `5.10` is not mistaken for 5.1."""

    __slots__ = ("text",)
    text: str

    def __new__(cls, text: str) -> Self:
        number = super().__new__(cls, text)
        number.text = text
        return number

    def __repr__(self) -> str:
        return self.text

    __str__ = __repr__


def event_source(text: str, file: str) -> Iterator[Any]:
    """Return the events of a text, from the C parser where it is installed."""
    try:
        from ruamel.yaml.cyaml import CParser  # type: ignore[attr-defined]
    except ImportError:
        if len(text) > MAX_PURE_CHARACTERS:
            message = f"the file is larger than {MAX_PURE_CHARACTERS // 10**6} MB, too much without the C parser"
            raise IntentError([Problem(file, 1, 1, message, "pip install ruamel.yaml.clib")]) from None
        return _pure_events(text)
    return _c_events(CParser(text))


def _c_events(parser: Any) -> Iterator[Any]:
    get, end = parser.get_event, events.StreamEndEvent
    while True:
        event = get()
        yield event
        if type(event) is end:
            return


def _pure_events(text: str) -> Iterator[Any]:
    from ruamel.yaml import YAML

    yield from YAML(typ="safe", pure=True).parse(text)


def too_many(problems: list[Problem]) -> IntentError:
    """Return the error for a file with more problems than anybody reads: the first ones, and that there are more."""
    shown_problems = IntentError(problems).problems[:MAX_PROBLEMS]
    last = shown_problems[-1]
    more = Problem(last.file, last.line, last.column, f"more than {MAX_PROBLEMS} problems: the rest is not shown")
    return IntentError([*shown_problems, more])


class Constructor:
    """Builds the data of one document; collects the traps it meets and raises them together."""

    def __init__(self, text: str, file: str) -> None:
        self._text = text
        self._file = file
        self._marks: Marks = {}
        self._problems: list[Problem] = []
        self._anchors: dict[str, tuple[Any, int, int]] = {}  # name -> object, its values, its height
        self._scalars: dict[str, Any] = {}

    def build(self) -> tuple[Any, Marks]:
        """Return data and marks. Raises IntentError."""
        try:
            data = self._construct(event_source(self._text, self._file))
        except IntentError:
            raise
        except Exception as error:
            self._problems.append(from_library(error, self._text, self._file))
            raise IntentError(self._problems) from error
        if self._problems:
            raise IntentError(self._problems)
        return data, self._marks

    def _construct(self, stream: Iterator[Any]) -> Any:
        """Walk the events. One function on purpose: it runs once per value of files with a million of them."""
        scalar_event, alias_event = events.ScalarEvent, events.AliasEvent
        map_start, list_start = events.MappingStartEvent, events.SequenceStartEvent
        map_end, list_end = events.MappingEndEvent, events.SequenceEndEvent
        cache = self._scalars
        # The open container: itself, is it a mapping, the key waiting for its value, places, anchor, height.
        here: Any = None
        is_map = False
        key: Any = _NO_KEY
        marks: list[int] = []
        anchor, began, height = None, 0, 0
        stack: list[Any] = []
        root: Any = None
        count = 0
        for event in stream:
            kind = type(event)
            if kind is scalar_event:
                count += 1
                text = event.value
                mark = event.start_mark
                implicit = event.implicit
                if implicit[0]:
                    value = cache.get(text, cache)
                    if value is cache:
                        value = self._resolve(text, mark)
                else:
                    value = text
                    if not implicit[1]:
                        self._tag(event)
                if is_map and key is _NO_KEY:
                    key = value
                    if type(value) is not str or value in here or value == "<<":
                        key = self._odd_key(value, here, marks, event)
                    marks += (mark.line, mark.column)
                    if event.anchor is not None:
                        self._anchors[event.anchor] = (value, 1, 0)
                    continue
                if value is None and marks and is_map:  # nothing written: the key's place says more
                    marks += marks[-2:]
                else:
                    marks += (mark.line, mark.column)
                if event.anchor is not None:
                    self._anchors[event.anchor] = (value, 1, 0)
            elif kind is map_start or kind is list_start:
                count += 1
                mark = event.start_mark
                line, column = mark.line, mark.column
                if not event.implicit:
                    self._tag(event)
                if is_map and key is _NO_KEY:
                    self._stop(mark, "a key must be a plain word, not a mapping or list", "remove the `?`")
                if len(stack) >= MAX_DEPTH:
                    self._stop(mark, f"nested deeper than {MAX_DEPTH} levels", "flatten the file")
                marks += (line, column)
                stack.append((here, is_map, key, marks, anchor, began, height))
                is_map = kind is map_start
                here = {} if is_map else []
                key = _NO_KEY
                marks = [line, column]
                anchor, began, height = event.anchor, count, 0
                if anchor is not None:
                    self._anchors[anchor] = (_OPEN, 0, 0)
                continue
            elif kind is map_end or kind is list_end:
                value, size, inner = here, count - began + 1, height + 1
                if is_map and _MERGE in value:
                    self._merge(value, marks)
                self._marks[id(value)] = array("I", marks)
                if anchor is not None:
                    self._anchors[anchor] = (value, size, inner)
                here, is_map, key, marks, anchor, began, height = stack.pop()
                height = max(height, inner)
            elif kind is alias_event:
                mark = event.start_mark
                value, size, inner = self._alias(event, mark)
                count += size
                if len(stack) + inner > MAX_DEPTH:
                    self._stop(mark, f"nested deeper than {MAX_DEPTH} levels through aliases", "flatten the file")
                height = max(height, inner)
                if is_map and key is _NO_KEY:
                    self._stop(mark, "a key must be a plain word, not an alias", "write the word")
                marks += (mark.line, mark.column)
            else:
                if kind is events.DocumentStartEvent and count:
                    self._stop(event.start_mark, "a second document starts here", "keep one document per file")
                continue
            if count > MAX_VALUES:
                self._stop(mark, f"more than {MAX_VALUES:,} values, aliases counted in full", "use ranges: leaf[1-64]")
            if is_map:
                here[key] = value
                key = _NO_KEY
            elif here is None:
                root = value
            else:
                here.append(value)
        return root

    def _resolve(self, text: str, mark: Any) -> Any:
        """Return the value of a plain scalar after YAML 1.2's core schema; report what YAML 1.1 reads otherwise."""
        value: Any = text
        if len(text) <= 5 and text in _CONSTANTS:
            value = _CONSTANTS[text]
        elif text[0] in _NUMERIC_START and len(text) <= 4000:
            if _OCTAL.fullmatch(text):
                message = f"{shown(text)} is octal to some YAML programs and decimal to others"
                return self._trap(mark, message, "leave out the 0 in front, or put a text in quotes", text)
            if _SEXAGESIMAL.fullmatch(text):
                message = f"{shown(text)} is a number in base 60 to YAML 1.1 programs"
                return self._trap(mark, message, "put it in quotes", text)
            if _INTEGER.fullmatch(text):
                value = int(text)
            elif _BASED.fullmatch(text):
                value = int(text, 0)
            elif _FLOAT.fullmatch(text) and any(character.isdecimal() for character in text):
                value = WrittenFloat(text)
        if len(self._scalars) < _CACHE_SIZE and len(text) < 200:
            self._scalars[text] = value
        return value

    def _odd_key(self, value: Any, here: dict[Any, Any], marks: list[int], event: Any) -> Any:
        """Judge a key that is no new word: a merge, a number, or a key that stood before."""
        mark, text = event.start_mark, event.value[:60]
        if event.implicit[0] and value == "<<":
            value = _MERGE
        elif type(value) not in (str, int):
            self._trap(mark, f"the key {shown(text)} is no word", f'write it in quotes: "{text}"')
            return object()
        if value in here:
            first = marks[2 + 4 * list(here).index(value)] + 1
            name = "<<" if value is _MERGE else value
            self._trap(mark, f"the key {shown(name)} stands twice (first on line {first})", "keep one of them")
            return object()  # a stand-in, so that places stay in step; the data is never handed out
        return value

    def _alias(self, event: Any, mark: Any) -> tuple[Any, int, int]:
        found = self._anchors.get(event.anchor)
        if found is None:
            self._stop(mark, f"the alias {shown('*' + event.anchor)} has no anchor before it",
                       f'write {shown("*" + event.anchor)} in quotes if a text is meant')  # fmt: skip
        if found[0] is _OPEN:
            self._stop(mark, f"the alias {shown('*' + event.anchor)} stands inside its own anchor", "remove it")
        return found

    def _merge(self, target: dict[Any, Any], marks: list[int]) -> None:
        """Add the keys of `<<: *anchor` (or of a list of aliases) that the mapping does not state itself."""
        at = 2 + 4 * list(target).index(_MERGE)
        place = marks[at : at + 2]
        del marks[at : at + 4]
        wanted = target.pop(_MERGE)
        for source in wanted if isinstance(wanted, list) else [wanted]:
            if not isinstance(source, dict):
                message = "a merge key (<<) takes a mapping or a list of mappings"
                self._add(place[0], place[1], message, "write <<: *name")
                return
            source_marks = self._marks[id(source)]
            for index, (key, value) in enumerate(source.items()):
                if key not in target:
                    target[key] = value
                    marks += source_marks[2 + 4 * index : 6 + 4 * index]

    def _tag(self, event: Any) -> None:
        tag = str(event.tag or "!")
        self._trap(event.start_mark, f"the tag {shown(tag)} is not accepted", "tags make programs of data; remove it")

    def _trap(self, mark: Any, message: str, help_text: str, value: Any = None) -> Any:
        """Note a problem and go on, so that one run shows all of them."""
        self._add(mark.line, mark.column, message, help_text)
        return value

    def _add(self, line: int, column: int, message: str, help_text: str) -> None:
        self._problems.append(Problem(self._file, line + 1, column + 1, message, help_text))
        if len(self._problems) >= MAX_PROBLEMS:
            raise too_many(self._problems)

    def _stop(self, mark: Any, message: str, help_text: str) -> NoReturn:
        self._problems.append(Problem(self._file, mark.line + 1, mark.column + 1, message, help_text))
        raise IntentError(self._problems)
