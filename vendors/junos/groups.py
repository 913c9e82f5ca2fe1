"""Resolves `apply-groups`: what a block inherits from `groups`, wildcards included.

Statements are flat (`scan`), so a group applied at a path gives each of its statements below that path to the
section. An inherited statement comes before the explicit ones and the last one wins, so what is stated stays.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple

from rocecfg.errors import ReadError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vendors.junos.scan import Scan, Statement

MOST_INHERITED = 200_000
"""Statements that groups may add; more is a text made to exhaust us."""
DEEPEST = 16
"""Words of a path in which a wildcard is looked for."""


class _Applied(NamedTuple):
    path: tuple[str, ...]
    names: tuple[str, ...]
    line: int
    excepted: bool


class _Tree:
    """The words that exist below each path, to say what a wildcard stands for."""

    def __init__(self, statements: Iterable[tuple[str, ...]]) -> None:
        self._below: dict[tuple[str, ...], dict[str, None]] = {}
        for words in statements:
            for depth in range(min(len(words), DEEPEST)):
                self._below.setdefault(words[:depth], {})[words[depth]] = None

    def expand(self, words: tuple[str, ...]) -> list[tuple[str, ...]]:
        """Return the paths that a path with `<et-*>` words stands for among those that exist."""
        paths: list[tuple[str, ...]] = [()]
        for word in words:
            if word[0] == "<" and word[-1] == ">":
                pattern = word[1:-1]
                paths = [
                    (*path, known)
                    for path in paths
                    for known in self._below.get(path, ())
                    if fnmatchcase(known, pattern)
                ]
            else:
                paths = [(*path, word) for path in paths]
            if len(paths) > MOST_INHERITED:
                break
        return paths


def inherit(scan: Scan, file: str) -> dict[str, int]:
    """Add to a scan's statements what its `apply-groups` lines inherit; return undefined groups with their lines.

    Raises ReadError when the groups expand to more statements than any device holds.
    """
    applied = [_parsed(section, statement) for section, statement in scan.applied]
    if not applied:
        return {}
    groups: dict[str, list[tuple[tuple[str, ...], int]]] = {}
    for text, line in scan.statements.get("groups", ()):
        name, _, rest = text.partition(" ")
        groups.setdefault(name, [])
        if rest:
            groups[name].append((tuple(rest.split()), line))
    statements = scan.statements
    tree = _Tree(
        (section, *text.split()) for section in statements if section != "groups" for text, _ in statements[section]
    )
    missing: dict[str, int] = {}
    inherited: dict[str, dict[str, int]] = {}
    total = 0
    exceptions = [entry for entry in applied if entry.excepted]
    for entry in sorted((e for e in applied if not e.excepted), key=lambda e: len(e.path)):
        if entry.path and entry.path[0] == "groups":
            continue
        for name in reversed(entry.names):
            if name not in groups:
                missing.setdefault(name, entry.line)
                continue
            for words, line in groups[name]:
                for path in _below(entry.path, words, tree):
                    if _excepted(path, name, exceptions):
                        continue
                    total += 1
                    if total > MOST_INHERITED:
                        raise ReadError(f"{file}: apply-groups add more than {MOST_INHERITED} statements")
                    found = inherited.setdefault(path[0], {})
                    text = " ".join(path[1:])
                    found.pop(text, None)
                    found[text] = line
    for section, found in inherited.items():
        own = statements.get(section, [])
        stated = {text for text, _ in own}
        statements[section] = [(text, line) for text, line in found.items() if text and text not in stated] + own
    return missing


def _parsed(section: str, statement: Statement) -> _Applied:
    text, line = statement
    words = text.split()
    at = next(index for index, word in enumerate(words) if "apply-groups" in word)
    names = tuple(word for word in words[at + 1 :] if word not in {"[", "]"})
    path = (section, *words[:at]) if section else tuple(words[:at])
    return _Applied(path, names, line, words[at] == "apply-groups-except")


def _below(path: tuple[str, ...], words: tuple[str, ...], tree: _Tree) -> list[tuple[str, ...]]:
    """Return the places below `path` that a group's statement stands for."""
    if not all(_same(have, want) for have, want in zip(words, path, strict=False)) or len(words) < len(path):
        return []
    return tree.expand((*path, *words[len(path) :]))


def _same(word: str, fixed: str) -> bool:
    if word[0] == "<" and word[-1] == ">":
        return fnmatchcase(fixed, word[1:-1])
    return word == fixed


def _excepted(path: tuple[str, ...], name: str, exceptions: list[_Applied]) -> bool:
    return any(name in entry.names and path[: len(entry.path)] == entry.path for entry in exceptions)
