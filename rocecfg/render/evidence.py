"""Says for each rendered line who vouches for its shape: a schema, a real device, documentation, or nobody.

Shapes stand in the `evidence` list of a vendor's manifest (notation: `rocecfg.vendor.manifest`). Configuration and
unit lines are compared word by word; blank lines and comments are free. JSON and YAML files are compared as
paths from the root to each leaf, list items as their position's parent: `BUFFER_PG/<port and group>/profile`.
A script is a program of ours: its lines that begin with the first word of a shape are compared, the rest is shell.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rocecfg.errors import RenderError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rocecfg.render.engine import Rendered
    from rocecfg.vendor.manifest import Evidence

UNMATCHED = "unmatched"
SHELL = "shell"
"""A line of a script that is no command to the device."""
DOUBTFUL = frozenset({"inferred", UNMATCHED})
"""Levels that `render --strict` refuses."""

_COMMENTS = ("#", "!", "//")
_ENDS_COMMAND = ("#", "|", ">", "<", "&", ";", "2>")
"""How a word of a shell line begins that belongs to the command no more."""
_DATA_FILES = (".json", ".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class Vouched:
    """One rendered line (or data path) and the level of evidence for its shape."""

    file: str
    line: int
    """0 for a path of a data file."""
    text: str
    level: str


@dataclass(slots=True)
class _Node:
    """A step in the tree of shapes: literal words first, then one free word, then a free rest."""

    words: dict[str, _Node] = field(default_factory=dict)
    patterns: list[tuple[tuple[str, ...], _Node]] = field(default_factory=list)
    """Words with a free part inside, such as `class-map-<name>`, as their literal pieces."""
    any_word: _Node | None = None
    any_words: _Node | None = None
    level: str = ""
    """Level of a shape that ends here."""


class Shapes:
    """The line shapes of one vendor, ready to be matched."""

    def __init__(self, evidence: Iterable[Evidence]) -> None:
        """Compile the shapes. The first entry of equal shapes wins."""
        self._lines = _Node()
        self._paths = _Node()
        for entry in evidence:
            words = entry.shape.split()
            _add(self._lines, words, entry.level)
            if "/" in entry.shape or len(words) == 1:
                _add(self._paths, _path_words(entry.shape), entry.level)

    def of_line(self, line: str) -> str:
        """Return the level of a line, UNMATCHED when no shape fits."""
        return _match(self._lines, line.split(), 0) or UNMATCHED

    def of_script_line(self, line: str) -> str:
        """Return the level of a line of a script, SHELL when it begins with no word of a shape."""
        words = line.split()
        if words[0] not in self._lines.words:
            return SHELL
        end = next((at for at, word in enumerate(words) if word.startswith(_ENDS_COMMAND)), len(words))
        return _match(self._lines, words[:end], 0) or UNMATCHED

    def of_path(self, path: Sequence[str]) -> str:
        """Return the level of a data path, UNMATCHED when no shape fits."""
        return _match(self._paths, path, 0) or UNMATCHED


def _path_words(shape: str) -> list[str]:
    """Split a path shape at `/` outside of `<...>`."""
    words, depth, word = [], 0, ""
    for letter in shape:
        depth += {"<": 1, ">": -1}.get(letter, 0)
        if letter == "/" and depth == 0:
            words.append(word)
            word = ""
        else:
            word += letter
    return [*words, word]


def _add(node: _Node, words: Sequence[str], level: str) -> None:
    for word in words:
        free = _free_pieces(word)
        if free is None:
            node = node.words.setdefault(word, _Node())
        elif free != ("", ""):
            node = _pattern_child(node, free)
            if "...>" in word:  # `Description=<text...>`: this word and all that follow
                node.level = node.level or level
                node.any_words = node.any_words or _Node()
                node = node.any_words
        elif word.endswith("...>"):
            node.any_words = node.any_words or _Node()
            node = node.any_words
        else:
            node.any_word = node.any_word or _Node()
            node = node.any_word
    node.level = node.level or level


def _pattern_child(node: _Node, pieces: tuple[str, ...]) -> _Node:
    for known, child in node.patterns:
        if known == pieces:
            return child
    child = _Node()
    node.patterns.append((pieces, child))
    return child


def _free_pieces(word: str) -> tuple[str, ...] | None:
    """Return the literal pieces around the free parts of a word; None for a literal word."""
    if "<" not in word or ">" not in word:
        return None
    pieces, rest = [], word
    while "<" in rest and ">" in rest[rest.index("<") :]:
        start = rest.index("<")
        end = rest.index(">", start)
        pieces.append(rest[:start])
        rest = rest[end + 1 :]
    return (*pieces, rest)


def _fits(word: str, pieces: tuple[str, ...]) -> bool:
    """Return whether a word has the literal pieces in their order, with something free between each two."""
    first, *middle, last = pieces
    if not word.startswith(first):
        return False
    at = len(first)
    for piece in middle:
        at = word.find(piece, at + 1) if piece else at + 1
        if at < 0:
            return False
        at += len(piece)
    return len(word) - len(last) > at and word.endswith(last)


def _match(node: _Node, words: Sequence[str], at: int) -> str:
    """Return the level of the most literal shape that fits `words[at:]`, or an empty string."""
    if at == len(words):
        return node.level
    word = words[at]
    literal = node.words.get(word)
    if literal is not None and (level := _match(literal, words, at + 1)):
        return level
    for pieces, child in node.patterns:
        if _fits(word, pieces) and (level := _match(child, words, at + 1)):
            return level
    if node.any_word is not None and (level := _match(node.any_word, words, at + 1)):
        return level
    if node.any_words is not None:
        for end in range(len(words), at, -1):
            if level := _match(node.any_words, words, end):
                return level
    return ""


def vouch(shapes: Shapes, files: Iterable[Rendered]) -> Iterator[Vouched]:
    """Yield every line (data files: every path) of rendered files with its level.

    Raises RenderError when a data file is no JSON or YAML: a defect of the template.
    """
    for item in files:
        if item.file.endswith(_DATA_FILES):
            for path in sorted(set(_paths(_data(item)))):
                yield Vouched(item.file, 0, "/".join(path), shapes.of_path(path))
            continue
        program = item.content.startswith("#!") or item.file.endswith(".ps1")
        level_of = shapes.of_script_line if program else shapes.of_line
        memory: dict[str, str] = {}
        for number, line in enumerate(item.content.split("\n"), 1):
            text = line.strip()
            if not text or text.startswith(_COMMENTS):
                continue
            level = memory.get(text)
            if level is None:
                level = memory[text] = level_of(text)
            yield Vouched(item.file, number, text, level)


def _data(item: Rendered) -> Any:
    try:
        if item.file.endswith(".json"):
            return json.loads(item.content)
        from ruamel.yaml import YAML

        return YAML(typ="safe").load(item.content)
    except Exception as error:
        raise RenderError(f"{item.file}: the template did not write valid data: {error}") from error


def _paths(data: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    if isinstance(data, dict) and data:
        for key, value in data.items():
            yield from _paths(value, (*path, str(key)))
    elif isinstance(data, list) and any(isinstance(value, dict | list) for value in data):
        for value in data:
            yield from _paths(value, path)
    else:
        yield path


def doubtful(shapes: Shapes, device: str, files: Iterable[Rendered]) -> Iterator[tuple[str, str]]:
    """Yield (what, where) of every line of a device that nobody documented: level and text, `device:file:line`."""
    for item in vouch(shapes, files):
        if item.level in DOUBTFUL:
            place = f"{device}:{item.file}:{item.line}" if item.line else f"{device}:{item.file}"
            yield f"{item.level}: {item.text}", place
