"""The tree that every form of a text is read into: leaves with their lines, containers, list entries by key."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.model import Line, Where

schema: Any = load_module(Path(__file__).with_name("schema.py"))

MOST_ENTRIES = 500_000
"""List entries and leaves of one text; more is a text made to exhaust us."""
_DIGITS = re.compile(r"[0-9]{1,20}\Z")
_SHARES = ("-percent", "-percentage")


def _most(leaf: str) -> int:
    """Return the largest number that a leaf can be: a share, an MTU, a queue, else what a counter of 64 bits holds."""
    if leaf.endswith(_SHARES):
        return 100
    return {"mtu": 65535, "default-port-mtu": 65535, "ip-mtu": 65535, "default-ip-mtu": 65535, "queue-index": 15}.get(
        leaf, 2**64 - 1
    )


_INTERFACE = re.compile(
    r"(?:ethernet-[0-9a-z]{1,4}/[0-9]{1,4}(?:/[0-9]{1,3})?|(?:lag|irb|lo|mgmt|system|lif|vhn)[0-9a-z_-]{0,40})\Z"
)


class Leaf(NamedTuple):
    """The words of a leaf (one, or those of a leaf-list) and the line it stands on."""

    words: tuple[str, ...]
    line: int
    file: int

    @property
    def word(self) -> str:
        """The value of a leaf that is no list."""
        return self.words[0] if self.words else ""


class Node:
    """A container or a list entry."""

    __slots__ = ("entries", "file", "leaves", "line", "nodes")

    def __init__(self, line: int, file: int) -> None:
        self.leaves: dict[str, Leaf] = {}
        self.nodes: dict[str, Node] = {}
        self.entries: dict[str, dict[tuple[str, ...], Node]] = {}
        self.line, self.file = line, file

    def word(self, name: str) -> str:
        """Return the value of a leaf, an empty text when it does not stand there."""
        leaf = self.leaves.get(name)
        return leaf.word if leaf is not None else ""

    def number(self, name: str) -> int | None:
        """Return the number of a leaf, None when it does not stand there."""
        leaf = self.leaves.get(name)
        return int(leaf.word) if leaf is not None else None

    def switch(self, name: str) -> bool | None:
        """Return true or false of a leaf, None when it does not stand there."""
        leaf = self.leaves.get(name)
        return None if leaf is None else leaf.word == "true"

    def below(self, *names: str) -> Node | None:
        """Return a container by its path."""
        node: Node | None = self
        for name in names:
            node = node.nodes.get(name) if node is not None else None
        return node

    def listed(self, name: str, *path: str) -> dict[tuple[str, ...], Node]:
        """Return the entries of a list below a path of containers, by key."""
        node = self.below(*path)
        return node.entries.get(name, {}) if node is not None else {}


class Unknown(Exception):  # noqa: N818 - no error: the line is reported, and the rest is read
    """Words that the tree does not know."""


class Foreign(Exception):  # noqa: N818 - no error: the words are none of our business
    """Words that lead out of what we read."""


Place = tuple[Node, dict[str, Any]]
"""A node and what the tree knows below it."""


@dataclass(slots=True)
class Tree:
    """All that the texts of a device state."""

    root: Node = field(default_factory=lambda: Node(0, 0))
    files: list[str] = field(default_factory=list)
    roots: set[str] = field(default_factory=set)
    """Words of the top level that were seen, foreign ones too."""
    read: int = 0
    junk: list[Line] = field(default_factory=list)
    whole: bool = False
    """A text that is proved to be the whole configuration."""
    host: str = ""
    _count: int = 0

    def where(self, file: int, line: int) -> Where:
        """Return a place of a text."""
        return Where(self.files[file], line)

    def not_understood(self, text: str, file: int, line: int) -> None:
        """Report a line of a section we read that says nothing we know."""
        self.junk.append(Line(" ".join(text.split())[:200], self.where(file, line)))

    def _counted(self) -> None:
        self._count += 1
        if self._count > MOST_ENTRIES:
            raise ReadError(f"{self.files[-1]}: more than {MOST_ENTRIES} settings: no switch has them")

    def container(self, node: Node, name: str, line: int, file: int) -> Node:
        """Return a container of a node, made on first sight."""
        found = node.nodes.get(name)
        if found is None:
            self._counted()
            found = node.nodes[name] = Node(line, file)
        return found

    def entry(self, node: Node, name: str, keys: tuple[str, ...], line: int, file: int) -> Node:
        """Return a list entry of a node, made on first sight. Raises Unknown for a key no device has."""
        entries = node.entries.get(name)
        if entries is None:
            entries = node.entries[name] = {}
        found = entries.get(keys)
        if found is None:
            if node is self.root and name == "interface" and not _INTERFACE.match(keys[0]):
                raise Unknown
            self._counted()
            found = entries[keys] = Node(line, file)
        return found

    def state(self, node: Node, name: str, kind: str, words: tuple[str, ...], line: int, file: int) -> None:
        """Note a leaf; the last one of a text wins, those of a leaf-list add up. Raises Unknown for an odd value."""
        if kind == schema.NUMBER:
            if not _DIGITS.match(words[0]) or int(words[0]) > _most(name):
                raise Unknown
        elif kind == schema.SWITCH:
            if words[0] not in {"true", "false"}:
                raise Unknown
        elif kind in schema.MANY:
            if kind == schema.NUMBERS and not all(map(_DIGITS.match, words)):
                raise Unknown
            if name in node.leaves:
                words = tuple(dict.fromkeys((*node.leaves[name].words, *words)))
        self._count += 1
        node.leaves[name] = tuple.__new__(Leaf, (words, line, file))

    def walk(self, place: Place, words: list[str], line: int, file: int) -> Place:
        """Follow the words of a line below a place, stating what they state; return where they end.

        Raises Unknown for words the tree does not know, Foreign for those of a subtree that is not read.
        """
        node, below = place
        at, end = 0, len(words)
        while at < end:
            name = words[at]
            kind = below.get(name)
            at += 1
            if kind is None:
                kind_of(below, name)
            elif kind.__class__ is str:
                at, values = _values(kind, words, at)
                self.state(node, name, kind, values, line, file)
            elif kind.__class__ is dict:
                node, below = node.nodes.get(name) or self.container(node, name, line, file), kind
            else:
                at, keys = _keys(kind.keys, words, at)
                node, below = self.entry(node, name, keys, line, file), kind.below
        return node, below


def known(words: list[str]) -> dict[str, Any]:
    """Return what the tree knows at a path from its top, nothing for a path that is not read."""
    below: dict[str, Any] = schema.ROOT
    at = 0
    while at < len(words):
        kind = below.get(words[at])
        at += 1
        if isinstance(kind, schema.Listed):
            try:
                at, _ = _keys(kind.keys, words, at)
            except Unknown:
                return {}
            below = kind.below
        elif isinstance(kind, dict):
            below = kind
        else:
            return {}
    return below


def is_open(below: dict[str, Any]) -> bool:
    """Return whether unknown words at a place are none of our business rather than a gap in what we know."""
    return id(below) in _OPEN


def _containers(below: dict[str, Any]) -> list[int]:
    found = [id(below)]
    for word, kind in below.items():
        if word == "qos":
            continue  # read whole, wherever it stands
        if isinstance(kind, dict):
            found += _containers(kind)
        elif isinstance(kind, schema.Listed):
            found += _containers(kind.below)
    return found


_PARTLY_READ = [kind for word, kind in schema.ROOT.items() if word != "qos"] + list(schema.STATE)
_OPEN = frozenset(
    [
        id(schema.ROOT),
        *(
            number
            for kind in _PARTLY_READ
            for number in _containers(kind.below if isinstance(kind, schema.Listed) else kind)
        ),
    ]
)
"""The top, interfaces, the system and counters: we read a few leaves of them only."""


def kind_of(below: dict[str, Any], name: str) -> Any:
    """Return what a word is at a place. Raises Foreign or Unknown."""
    if name not in below:
        raise Foreign if is_open(below) else Unknown
    if below[name] is None:
        raise Foreign
    return below[name]


def _values(kind: str, words: list[str], at: int) -> tuple[int, tuple[str, ...]]:
    """Return the words of a leaf's value, and where the line goes on."""
    if at >= len(words):
        raise Unknown
    word = words[at]
    if word != "[":
        return at + 1, (word,)
    if kind not in schema.MANY:
        raise Unknown
    end = words.index("]", at) if "]" in words[at:] else len(words)
    return end + 1, tuple(words[at + 1 : end])


def _keys(names: tuple[str, ...], words: list[str], at: int) -> tuple[int, tuple[str, ...]]:
    """Return the keys of a list entry: the first by place, the others by name (`all drop-probability low`)."""
    if len(names) == 1 and at < len(words):
        return at + 1, (words[at],)
    keys: list[str] = []
    for number, name in enumerate(names):
        if number and at < len(words) and words[at] == name:
            at += 1
        if at >= len(words):
            raise Unknown
        keys.append(words[at])
        at += 1
    return at, tuple(keys)


def remove(place: Place, words: list[str]) -> None:
    """Take away what a `delete` line names; a path that is not there is nothing to take."""
    node, below = place
    at, end = 0, len(words)
    while at < end:
        name = words[at]
        kind = kind_of(below, name)
        at += 1
        if isinstance(kind, str):
            node.leaves.pop(name, None)
            return
        if isinstance(kind, dict):
            if at == end:
                node.nodes.pop(name, None)
                return
            following, below = node.nodes.get(name), kind
        else:
            if at == end:
                node.entries.pop(name, None)
                return
            at, keys = _keys(kind.keys, words, at)
            entries = node.entries.get(name, {})
            if at == end:
                entries.pop(keys, None)
                return
            following, below = entries.get(keys), kind.below
        if following is None:
            return
        node = following
