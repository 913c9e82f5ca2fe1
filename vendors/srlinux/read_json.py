"""Reads JSON: `info | as json`, RFC 7951 with module prefixes, and what gNMI and JSON-RPC clients wrap around it."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.errors import ReadError
from rocecfg.packs import load_module

if TYPE_CHECKING:
    from rocecfg.state.capture import Text

schema: Any = load_module(Path(__file__).with_name("schema.py"))
tree: Any = load_module(Path(__file__).with_name("tree.py"))

_START = re.compile(r"^[ \t]*[\[{]", re.MULTILINE)
_STRINGS = re.compile(r'"(?:[^"\\]|\\.)*"(\s*:)?')
_STEP = re.compile(r"/?([A-Za-z_][A-Za-z0-9_:.-]{0,80})((?:\[[^\]]{1,200}\])*)")
_KEY = re.compile(r"\[([^=\]]{1,80})=([^\]]{0,120})\]")
_DEEPEST = 64
_CONTEXT = re.compile(r"--\{.{0,80}\}--\[ {1,4}([a-z].{0,400}?) {0,4}\]--[ \t]*\r?$", re.MULTILINE)
_ASKED = re.compile(r"\binfo(?: flat| detail| from state| from running)* /? ?([a-z][\w /*.-]{0,200}?) \| as json\Z")
"""The path that a command was asked for: its output may begin below it."""
_LLDP = frozenset({"hello-timer", "hold-multiplier", "chassis-id"})
_TELLING = frozenset(
    {"explicit-congestion-notification", "forwarding-classes", "pfc-mapping-profile", "classifiers", "rewrite-rules",
     "scheduler-policies", "buffer-management", "queue-templates", "policer-templates"}
)  # fmt: skip
"""Words that stand below `qos` and nowhere at the top of another tree."""
_WRAPPERS = frozenset(
    {"update", "updates", "replace", "params", "commands", "result", "notification", "notifications", "config", "data"}
)
"""Words that gNMI and JSON-RPC clients put around a tree."""
_VALUES = frozenset({"value", "val", "values"})


class _Pairs(list[tuple[str, Any]]):
    """The members of an object in the order of the text, doubles included."""


def read_json(text: Text, into: Any) -> tuple[bool, bool]:
    """Add what a JSON text states; return whether it held a tree of SR Linux, and whether nothing of it was lost.

    Raises ReadError when it is broken.
    """
    content, found, position = text.content, False, 0
    broken: tuple[int, str] | None = None
    decoder = json.JSONDecoder(
        object_pairs_hook=_Pairs, parse_int=str, parse_float=str, parse_constant=str, strict=False
    )
    into.files.append(text.file)
    feeds = [end - 1 for end in accumulate(len(line) + 1 for line in content.split("\n"))]
    while (start := _START.search(content, position)) is not None:
        begin = start.end() - 1
        try:
            value, position = decoder.raw_decode(content, begin)
        except ValueError as error:
            if broken is None and _stands_alone(content, begin):
                broken = content.count("\n", 0, getattr(error, "pos", begin)) + 1, getattr(error, "msg", str(error))
            if found or not _looks_like_json(content, begin):
                position = begin + 1
                continue
            line = content.count("\n", 0, getattr(error, "pos", begin)) + 1
            raise ReadError(f"{text.file}:{line}: broken JSON: {getattr(error, 'msg', error)}") from error
        walk = _Walk(into, len(into.files) - 1, _key_lines(content, begin, position, feeds))
        context = [found[1] for found in _CONTEXT.finditer(content, max(begin - 2000, 0), begin)]
        asked = _ASKED.search(text.command) or _ASKED.search(content[max(begin - 200, 0) : begin].rstrip())
        paths = [context[-1]] if context else []
        paths += [asked[1]] if asked is not None else []
        if not any(walk.at_context(path.split(), value) for path in paths):
            walk.document(value)
        found |= walk.found
    if found and broken is not None:
        line, problem = broken
        into.not_understood(f"the JSON is broken here, what stood around is lost: {problem}", len(into.files) - 1, line)
    return found, broken is None


def _stands_alone(content: str, begin: int) -> bool:
    """Return whether a bracket begins or ends its line, as those of JSON do and those of a prompt do not."""
    before = content[content.rfind("\n", 0, begin) + 1 : begin]
    return not before.strip() or content[begin + 1 : begin + 2] in {"\n", "\r", ""}


def _looks_like_json(content: str, begin: int) -> bool:
    """Return whether what starts with a bracket is meant as JSON: a quote or another bracket follows."""
    return content[begin + 1 : begin + 400].lstrip()[:1] in {'"', "{", "[", ""}


def _key_lines(content: str, begin: int, end: int, feeds: list[int]) -> list[int]:
    """Return the line of each key of the objects between two positions, in the order of the text."""
    return [
        bisect_right(feeds, match.start()) + 1
        for match in _STRINGS.finditer(content, begin, end)
        if match[1] is not None
    ]


class _Walk:
    """Takes a decoded document apart; every key of the text is met once, so that its line is known."""

    def __init__(self, into: Any, file: int, lines: list[int]) -> None:
        self._into, self._file, self._lines = into, file, lines
        self._taken = 0
        self.found = False

    def _next(self) -> int:
        """Return the line of the next key of the text."""
        self._taken += 1
        return self._lines[self._taken - 1]

    def document(self, value: Any, depth: int = 0) -> None:
        """Find the trees in a document: at its top, below `qos`, or wrapped by a client."""
        if depth > _DEEPEST:
            raise RecursionError
        if isinstance(value, _Pairs):
            names = {_bare(name) for name, item in value if isinstance(item, (_Pairs, list))}
            if _LLDP & {_bare(name) for name, _ in value} and self.at_context(["system", "lldp"], value):
                return
            path = next((item for name, item in value if name in {"path", "Path"} and isinstance(item, str)), None)
            if path is not None and any(name in _VALUES for name, _ in value):
                self._path_entry(value, path, depth)
            elif _are_bindings(value):
                self._below_qos(value, ["interfaces"], depth)
            elif names & (schema.ROOT.keys() | schema.OTHER_ROOTS):
                self._members(value, (self._into.root, schema.ROOT), depth)
            elif names & _TELLING and not names & _WRAPPERS:
                self._below_qos(value, [], depth)
            else:
                for name, item in value:
                    self._next()
                    if _bare(name) in _WRAPPERS:
                        self.document(item, depth + 1)
                    else:
                        self._pass(item)
        elif isinstance(value, list):
            for item in value:
                self.document(item, depth + 1)

    def at_context(self, words: list[str], value: Any) -> bool:
        """Take a document that was printed inside a part of the tree; return False where that is none we read."""
        if isinstance(value, list) and not isinstance(value, _Pairs) and len(value) == 1:
            value = value[0]
        if not isinstance(value, _Pairs):
            return False
        names = {_bare(name) for name, _ in value}
        for end in range(len(words), 0, -1):
            path = words[:end]
            if "*" not in path and names & tree.known(path).keys():
                self.found = True
                self._into.roots.add(words[0])
                self._members(value, self._into.walk((self._into.root, schema.ROOT), path, 1, self._file), 0)
                return True
        return False

    def _below_qos(self, members: _Pairs, path: list[str], depth: int) -> None:
        """Take what stands below `qos` or a container of it: `info` prints a tree without the path it was asked for."""
        self.found = True
        self._into.roots.add("qos")
        self._members(members, self._into.walk((self._into.root, schema.ROOT), ["qos", *path], 1, self._file), depth)

    def _path_entry(self, entry: _Pairs, path: str, depth: int) -> None:
        """Take one entry of a gNMI or JSON-RPC set: a path and the value at it."""
        words = _path_words(path)
        for name, item in entry:
            line = self._next()
            if name not in _VALUES:
                self._pass(item)
            elif isinstance(item, _Pairs) and name == "values":
                for key, inner in item:
                    at = self._next()
                    self._at(_path_words(key), inner, at, depth)
            else:
                self._at(words, item, line, depth)

    def _at(self, words: list[str], item: Any, line: int, depth: int) -> None:
        """State a value at a path of words."""
        into, top = self._into, (self._into.root, schema.ROOT)
        scalar = not isinstance(item, (_Pairs, list)) and item is not None
        if words:
            into.roots.add(words[0])
            self.found |= words[0] in schema.ROOT or words[0] in schema.OTHER_ROOTS
        try:
            if scalar and words:
                into.walk(top, [*words, _word(item)], line, self._file)
            elif isinstance(item, _Pairs):
                place = into.walk(top, words, line, self._file)
                self._count(words[:1] == ["qos"])
                self._members(item, place, depth)
                return
            elif isinstance(item, list) and any(isinstance(one, _Pairs) for one in item) and words:
                node, below = into.walk(top, words[:-1], line, self._file)
                self._member(node, words[-1], tree.kind_of(below, words[-1]), item, line, depth)
            elif isinstance(item, list) and words:
                into.walk(top, [*words, "[", *map(_word, item), "]"], line, self._file)
            else:
                into.walk(top, words, line, self._file)
            self._count(words[:1] == ["qos"])
        except tree.Foreign:
            self._pass(item)
        except tree.Unknown:
            self._pass(item)
            if words[:1] == ["qos"]:
                self._count(True)
                into.not_understood("/".join(words), self._file, line)

    def _count(self, ours: bool) -> None:
        """Count a member that was read: one a line where the text is laid out, and as many where it is not."""
        self._into.read += ours

    def _members(self, members: _Pairs, place: Any, depth: int, keys: tuple[str, ...] = ()) -> None:
        """Take the members of an object at a place of the tree."""
        if depth > _DEEPEST:
            raise RecursionError
        node, below = place
        known, into = below, self._into
        outside = tree.is_open(below)
        for name, item in members:
            line = self._next()
            word = _bare(name)
            if below is schema.ROOT:
                into.roots.add(word)
                self.found |= word in known or word in schema.OTHER_ROOTS
            kind = known.get(word)
            if kind is None:
                if word not in known and not outside and word not in keys:
                    self._count(True)
                    into.not_understood(name, self._file, line)
                elif not outside or word in keys:
                    self._count(not outside)
                self._pass(item)
                continue
            self._count(not outside or isinstance(kind, str))
            try:
                self._member(node, word, kind, item, line, depth)
            except tree.Unknown:
                into.not_understood(f"{name}: {item}" if isinstance(item, str) else name, self._file, line)
                self._pass(item)

    def _member(self, node: Any, word: str, kind: Any, item: Any, line: int, depth: int) -> None:
        """Take one member whose name the tree knows. Raises Unknown for a value of another kind."""
        if isinstance(kind, str):
            self._leaf(node, word, kind, item, line)
        elif not isinstance(kind, dict):
            self._entries(node, word, kind, item, line, depth)
        elif isinstance(item, _Pairs):
            self._members(item, (self._into.container(node, word, line, self._file), kind), depth + 1)
        elif item in (None, "true", [None]) or item is True:
            self._into.container(node, word, line, self._file)
        else:
            raise tree.Unknown

    def _leaf(self, node: Any, name: str, kind: str, item: Any, line: int) -> None:
        if isinstance(item, list):
            if any(isinstance(one, (list, _Pairs)) for one in item):
                raise tree.Unknown
            words = tuple(_word(one) for one in item)
            if kind not in schema.MANY and len(words) != 1:
                raise tree.Unknown
        elif isinstance(item, _Pairs) or item is None:
            raise tree.Unknown
        else:
            words = (_word(item),)
        self._into.state(node, name, kind, words, line, self._file)

    def _entries(self, node: Any, name: str, kind: Any, item: Any, line: int, depth: int) -> None:
        if isinstance(item, _Pairs):
            item = [item]
        if not isinstance(item, list):
            raise tree.Unknown
        for entry in item:
            if not isinstance(entry, _Pairs):
                self._pass(entry)
                continue
            named = {_bare(key): value for key, value in entry}
            keys = tuple(_word(named.get(key)) for key in kind.keys)
            at = self._lines[self._taken] if entry else line
            place = self._entry(node, name, keys, at)
            if place is None:
                self._pass(entry)
            else:
                self._members(entry, (place, kind.below), depth + 1, kind.keys)

    def _entry(self, node: Any, name: str, keys: tuple[str, ...], line: int) -> Any:
        """Return the entry of a list, None (and reported) where a key is missing or none of a device."""
        try:
            if all(keys):
                return self._into.entry(node, name, keys, line, self._file)
        except tree.Unknown:
            if node is self._into.root:
                return None  # an interface that is no port of a switch
        self._into.not_understood(name, self._file, line)
        return None

    def _pass(self, item: Any) -> None:
        """Pass over a value, taking the lines of its keys."""
        stack = [item]
        while stack:
            one = stack.pop()
            if isinstance(one, _Pairs):
                self._taken += len(one)
                stack += [inner for _, inner in one]
            elif isinstance(one, list):
                stack += one


def _are_bindings(members: _Pairs) -> bool:
    """Return whether `interface` is the list below `qos interfaces`: its entries have an identifier, not a name."""
    for name, item in members:
        if _bare(name) == "interface" and isinstance(item, list) and item and isinstance(item[0], _Pairs):
            return any(_bare(key) == "interface-id" for key, _ in item[0])
    return False


def _bare(name: str) -> str:
    """Return a name without its module: `srl_nokia-qos:qos` is `qos`."""
    return name.rpartition(":")[2] if ":" in name else name


def _word(item: Any) -> str:
    """Return a scalar as the command line spells it, an empty text for what is none."""
    if isinstance(item, bool):
        return "true" if item else "false"
    return _bare_identity(item) if isinstance(item, str) else ""


def _bare_identity(word: str) -> str:
    return word.rpartition(":")[2] if word.startswith("srl_nokia-") else word


def _path_words(path: str) -> list[str]:
    """Return a gNMI path as the words of a command: `/a/b[name=x]/c` is `a b x c`."""
    words: list[str] = []
    for step in _STEP.finditer(path[:4096]):
        words.append(_bare(step[1]))
        for number, (key, value) in enumerate(_KEY.findall(step[2])):
            words += [value] if not number else [key, value]
    return words
