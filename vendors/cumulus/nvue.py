"""Reads NVUE's tree as YAML or JSON: `nv config show`, startup.yaml, patches."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.model import Where

if TYPE_CHECKING:
    from rocecfg.state.capture import Text
    from vendors.cumulus.facts import Facts, Leaf

facts_module = load_module(Path(__file__).with_name("facts.py"))
schema = load_module(Path(__file__).with_name("schema.py"))
commands = load_module(Path(__file__).with_name("commands.py"))
tree = load_module(Path(__file__).with_name("tree.py"))

_MOST_NODES = 2_000_000


def read_yaml(text: Text, facts: Facts) -> None:
    """Add what an NVUE YAML or JSON text states: the `set` items, less what `unset` items take away.

    With its header (`nv config show`, startup.yaml) it is the whole configuration, without one a change.
    Raises ReadError when it is no YAML or holds no NVUE tree.
    """
    documents = tree.load_tree(text)
    walk = _Walk(text.file, facts)
    known, everything = False, text.complete is True or text.command.startswith("nv config show")
    for document in documents:
        for item in document if isinstance(document, list) else [document]:
            if isinstance(item, tree.Node):
                known |= walk.item(item)
                everything |= "header" in item.items
    if not known:
        raise ReadError(
            f"{text.file}: no NVUE configuration: `- header:` and `- set:` with `qos:` or `interface:` expected"
        )
    facts.whole |= everything and text.complete is not False


class _Walk:
    """Turns the tree of one text into settings, and counts the lines it reads."""

    def __init__(self, file: str, facts: Facts) -> None:
        self._file, self._facts = file, facts
        self._nodes = 0
        self._places: dict[int, Where] = {}
        self._read: set[int] = set()
        self._valueless: set[int] = set()

    def item(self, item: Any) -> bool:
        """Read one list item (`header`, `set`, `unset`) or a bare tree; return whether it was one."""
        self._header(item.items.get("header"))
        bodies = [item] if {"qos", "interface", "system"} & item.items.keys() else []
        set_body, unset_body = item.items.get("set"), item.items.get("unset")
        bodies += [set_body] if isinstance(set_body, tree.Node) else []
        for body in bodies:
            self._body(body)
        if isinstance(unset_body, tree.Node):
            for words, line in self._leaves(unset_body, ()):
                commands.unset(list(words), " ".join(words), self._where(line), self._facts)
        self._facts.read += len(self._read)
        self._read = set()
        return bool(bodies) or bool({"header", "set", "unset"} & item.items.keys())

    def _header(self, header: Any) -> None:
        if isinstance(header, tree.Node):
            version, model = header.items.get("version"), header.items.get("model")
            release = re.search(r"[0-9]{1,3}(?:\.[0-9]{1,4}){1,3}", version) if isinstance(version, str) else None
            self._facts.version = release[0] if release else self._facts.version
            self._facts.model = model if isinstance(model, str) and model else self._facts.model

    def _body(self, body: Any) -> None:
        system = body.items.get("system")
        hostname = system.items.get("hostname") if isinstance(system, tree.Node) else None
        if isinstance(hostname, str):
            self._facts.name = hostname
        if "qos" in body.items:
            self._read.add(body.lines["qos"])
            for words, line in self._leaves(body.items["qos"], (), body.lines["qos"]):
                self._setting(words, line)
        interfaces = body.items.get("interface")
        if isinstance(interfaces, tree.Node):
            for word, content in interfaces.items.items():
                self._interface(word, content, interfaces.lines[word])
        self._neighbours(body.items.get("vrf"))

    def _setting(self, words: tuple[str, ...], line: int) -> None:
        settings = schema.qos_setting(words)
        if not settings and words and not self._is_empty(words, line):
            self._facts.not_understood(" ".join(words), self._where(line))
        for path, value in settings:
            self._facts.settings[path] = facts_module.Leaf(value, self._where(line))

    def _interface(self, word: str, content: Any, line: int) -> None:
        names = facts_module.expand(word)
        found: list[tuple[tuple[str, ...], Leaf]] = []
        if isinstance(content, tree.Node):
            for part in ("qos", "link", "bond"):
                for words, at in self._interesting(content, part):
                    settings = schema.interface_setting(words)
                    if not settings and words != (part,) and not self._is_empty(words, at):
                        self._facts.not_understood(" ".join((word, *words)), self._where(at))
                    found += [(path, facts_module.Leaf(value, self._where(at))) for path, value in settings]
        if not names:
            self._facts.not_understood(word, self._where(line))
        for name in names:
            if found or commands.SWITCH_PORT.match(name):
                self._facts.port(name, self._where(line)).update(found)

    def _interesting(self, content: Any, part: str) -> list[tuple[tuple[str, ...], int]]:
        below = content.items.get(part)
        if part == "qos" and part in content.items:
            self._read.add(content.lines[part])
            return self._leaves(below, (part,), content.lines[part])
        found: list[tuple[tuple[str, ...], int]] = []
        if isinstance(below, tree.Node):
            for first, second in commands.READ_BELOW_INTERFACE:
                if first == part and second in below.items:
                    self._read.add(below.lines[second])
                    found += self._leaves(below.items[second], (part, second), below.lines[second])
        return found

    def _neighbours(self, vrfs: Any) -> None:
        for vrf in vrfs.items.values() if isinstance(vrfs, tree.Node) else ():
            node = vrf
            for step in ("router", "bgp", "neighbor"):
                node = node.items.get(step) if isinstance(node, tree.Node) else None
            for name in node.items if isinstance(node, tree.Node) else ():
                if commands.SWITCH_PORT.match(name):
                    self._facts.port(name, self._where(node.lines[name]))

    def _leaves(self, node: Any, above: tuple[str, ...], line: int = 0) -> list[tuple[tuple[str, ...], int]]:
        """Return the leaves below a node as words, value last, each with its line; an empty mapping is a leaf."""
        self._nodes += 1
        if self._nodes > _MOST_NODES or len(above) > 100:
            raise ReadError(f"{self._file}: more than {_MOST_NODES} values, aliases counted in full")
        if isinstance(node, tree.Node) and node.items:
            found: list[tuple[tuple[str, ...], int]] = []
            for key, value in node.items.items():
                at = node.lines[key]
                self._read.add(at)
                if isinstance(value, str) and value not in {"", "null", "~"}:
                    found.append(((*above, key, value), at))
                else:
                    found += self._leaves(value, (*above, key), at)
            return found
        if isinstance(node, str) and node not in {"", "null", "~"}:
            return [((*above, node), line)]
        if isinstance(node, list):
            return [((*above, item if isinstance(item, str) else "?"), line) for item in node]
        if not isinstance(node, tree.Node):
            self._valueless.add(line)
        return [(above, line)]

    def _is_empty(self, words: tuple[str, ...], line: int) -> bool:
        """Return whether `{}` stands at a place that holds settings; nothing at all behind its colon is a gap."""
        return line not in self._valueless and bool(schema.is_container(words))

    def _where(self, line: int) -> Where:
        place = self._places.get(line)
        if place is None:
            place = self._places[line] = Where(self._file, line)
        return place
