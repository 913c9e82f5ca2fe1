"""Reads NVUE: `nv set` lists (`nv config show -o commands`) and YAML or JSON (`nv config show`, startup.yaml, patches)."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.model import Where
from rocecfg.state.sections import LONGEST_LINE, text_lines

if TYPE_CHECKING:
    from rocecfg.state.capture import Text
    from vendors.cumulus.facts import Facts, Leaf

facts_module = load_module(Path(__file__).with_name("facts.py"))
schema = load_module(Path(__file__).with_name("schema.py"))

_PROMPT = re.compile(r"[^\s#][^\s]{0,80}[$#>]\s*\Z|\s*[$>]\s*\Z|\s*\Z")
_SWITCH_PORT = re.compile(r"swp[0-9]{1,4}(?:s[0-9]{1,2})?\Z")
_READ_BELOW_INTERFACE = {("link", "mtu"), ("link", "speed"), ("link", "breakout"), ("bond", "member")}
_READ_SECTIONS = {"qos", "interface", "system", "vrf"}
_MOST_NODES = 2_000_000


def read_commands(text: Text, facts: Facts) -> None:
    """Add what an `nv set` list states. Prompts, comments, other commands and unset lines are handled.

    A list is the whole configuration when it says so (`nv config show -o commands`) or speaks of the system too, as
    every such output does; a few QoS lines are a change, and what they leave out the switch may still have.
    """
    quote, elided, everything = "", False, text.complete is True or text.command.startswith("nv config show")
    for number, line in enumerate(text_lines(text.content), 1):
        if quote:
            quote = "" if quote in line else quote
            continue
        at = line.find("nv ")
        if at < 0:
            if line.strip() in {"...", "…"}:
                elided = True
            continue
        if at and not _PROMPT.match(line[:at]):
            continue
        if line.startswith("nv set system", at):
            quote, everything = _open_quote(line), True
            if line.startswith("nv set system hostname ", at):
                facts.name = line[at + 23 :].strip().strip("'\"")
        elif line.startswith(("nv set interface ", "nv set qos", "nv set vrf ", "nv unset "), at):
            _command(line[at:], Where(text.file, number), facts)
    facts.whole |= everything and not elided and text.complete is not False


def _open_quote(line: str) -> str:
    """Return the quote that a line leaves open (a login banner runs over several lines), or nothing."""
    quote = ""
    if "'" in line or '"' in line:
        for character in line:
            if character == quote:
                quote = ""
            elif not quote and character in "'\"":
                quote = character
    return quote


def _command(line: str, place: Where, facts: Facts) -> None:
    if " #" in line:
        line = line.partition(" #")[0]
    words = line.replace("'", "").replace('"', "").split()
    verb, root = words[1], words[2] if len(words) > 2 else ""
    if len(line) >= LONGEST_LINE and root != "vrf":
        facts.read += 1
        facts.not_understood(line, place)
    elif root == "vrf":
        _neighbour(words, place, facts)
    elif verb == "unset":
        _unset(words[2:], line, place, facts)
    elif root == "qos":
        facts.read += 1
        settings = schema.qos_setting(tuple(words[3:]))
        if not settings:
            facts.not_understood(line, place)
        for path, value in settings:
            facts.settings[path] = facts_module.Leaf(value, place)
    elif len(words) > 3:
        _interface_command(words, line, place, facts)


def _interface_command(words: list[str], line: str, place: Where, facts: Facts) -> None:
    names = facts_module.expand(words[3])
    ours = len(words) > 4 and (words[4] == "qos" or tuple(words[4:6]) in _READ_BELOW_INTERFACE)
    if not ours and (len(words) < 5 or words[4] not in {"type", "link"}):
        for name in names:
            if _SWITCH_PORT.match(name):
                facts.port(name, place)
        return
    if ours:
        facts.read += 1
    settings = schema.interface_setting(tuple(words[4:])) if ours else ()
    if words[4:6] == ["bond", "member"] and len(words) == 7:
        settings = tuple((("bond", "member", member), "") for member in facts_module.expand(words[6]))
    if not names or (ours and not settings):
        facts.not_understood(line, place)
    for name in names:
        if ours or _SWITCH_PORT.match(name):
            leaves = facts.port(name, place)
            for path, value in settings:
                leaves[path] = facts_module.Leaf(value, place)


def _neighbour(words: list[str], place: Where, facts: Facts) -> None:
    """A BGP session over a port (unnumbered) proves that the port exists, though no other line names it."""
    if words[4:7] == ["router", "bgp", "neighbor"] and len(words) > 7 and _SWITCH_PORT.match(words[7]):
        facts.port(words[7], place)


def _unset(words: list[str], line: str, place: Where, facts: Facts) -> None:
    if words[:1] == ["qos"]:
        facts.read += 1
        _forget(facts.settings, tuple(words[1:]))
    elif words[:1] == ["interface"] and len(words) > 1:
        below = tuple(words[2:])
        if below[:1] == ("qos",) or below[:2] in _READ_BELOW_INTERFACE:
            facts.read += 1
        names = facts_module.expand(words[1])
        if not names:
            facts.not_understood(line, place)
        for name in names:
            if name in facts.ports:
                _forget(facts.ports[name], below)


def _forget(leaves: dict[tuple[str, ...], Leaf], prefix: tuple[str, ...]) -> None:
    for path in [path for path in leaves if path[: len(prefix)] == prefix]:
        del leaves[path]


class Node:
    """A mapping of a YAML text: its keys as they are written, with the line of each."""

    __slots__ = ("items", "lines")

    def __init__(self) -> None:
        self.items: dict[str, Any] = {}
        self.lines: dict[str, int] = {}


def _without_foreign(content: str) -> str:
    """Return block YAML with the sections below `set:` that nobody reads left blank, line numbers kept.

    Most of a switch's text is routing and services; not building them halves the time. Only whole blocks at the
    indentation of `set`'s own keys go, so what stays is YAML exactly when the whole is.
    """
    lines = content.split("\n")
    inside, depth, skipping = False, 0, False
    for at, line in enumerate(lines):
        if not line or line[0] in "-#s":  # the list item, a comment, or a bare `set:`
            if line.startswith(("- set:", "set:")):
                inside, depth = line.rstrip().endswith("set:"), 0
            elif line.startswith("-"):
                inside = False
            skipping = skipping and line[:1] != "-" and line[:1] != "s"
            continue
        if not inside:
            continue
        indent = len(line) - len(line.lstrip(" "))
        if not depth and indent and line[indent : indent + 1] not in {"#", ""}:
            depth = indent
        if indent == depth and line[indent : indent + 1] not in {"#", "\r", ""}:
            key = line[indent:].rstrip()
            skipping = key.endswith(":") and key[:-1] not in _READ_SECTIONS
        elif indent < depth and line.strip():
            return content
        if skipping:
            lines[at] = ""
    return "\n".join(lines)


def load_tree(text: Text) -> Any:
    """Return a YAML (or JSON) text as `Node`, list and str: scalars stay words, so `on` is no boolean and 26 no number.

    Raises ReadError when the text is no YAML, or names an anchor that is not there.
    """
    less = _without_foreign(text.content)
    try:
        return _build(replace(text, content=less))
    except ReadError:
        if less == text.content:
            raise
        return _build(text)


def _build(text: Text) -> Any:
    from ruamel.yaml import events

    from rocecfg.yamlevents import event_source

    stack: list[list[Any]] = []
    here: list[Any] = ["root", [], None]  # kind, container, key waiting for its value
    anchors: dict[str, Any] = {}
    try:
        for event in event_source(text.content, text.file):
            kind = type(event)
            if kind is events.ScalarEvent:
                value: Any = event.value
            elif kind is events.MappingStartEvent or kind is events.SequenceStartEvent:
                if len(stack) > 100:
                    raise ReadError(f"{text.file}: nested deeper than 100 levels: no NVUE text is")
                stack.append([here, event.anchor])
                here = ["map", Node(), None] if kind is events.MappingStartEvent else ["list", [], None]
                here.append(event.start_mark.line + 1)
                continue
            elif kind is events.MappingEndEvent or kind is events.SequenceEndEvent:
                value = here[1]
                here, anchor = stack.pop()
                if anchor:
                    anchors[anchor] = value
            elif kind is events.AliasEvent:
                if event.anchor not in anchors:
                    raise ReadError(f"{text.file}:{event.start_mark.line + 1}: the alias *{event.anchor} has no anchor")
                value = anchors[event.anchor]
            else:
                continue
            if here[0] != "map":
                here[1].append(value)
            elif here[2] is None:
                here[2] = value if isinstance(value, str) else "?"
                here[1].lines[here[2]] = event.start_mark.line + 1
            else:
                here[1].items[here[2]] = value
                here[2] = None
    except ReadError:
        raise
    except Exception as error:  # a third-party parser on untrusted text
        raise ReadError(f"{text.file}: not whole YAML: {' '.join(str(error).split())[:300]}") from error
    return here[1]


def read_yaml(text: Text, facts: Facts) -> None:
    """Add what an NVUE YAML or JSON text states: the `set` items, less what `unset` items take away.

    With its header (`nv config show`, startup.yaml) it is the whole configuration, without one a change.
    Raises ReadError when it is no YAML or holds no NVUE tree.
    """
    documents = load_tree(text)
    walk = _Walk(text.file, facts)
    known, everything = False, text.complete is True or text.command.startswith("nv config show")
    for document in documents:
        for item in document if isinstance(document, list) else [document]:
            if isinstance(item, Node):
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

    def item(self, item: Node) -> bool:
        """Read one list item (`header`, `set`, `unset`) or a bare tree; return whether it was one."""
        self._header(item.items.get("header"))
        bodies = [item] if {"qos", "interface", "system"} & item.items.keys() else []
        set_body, unset_body = item.items.get("set"), item.items.get("unset")
        bodies += [set_body] if isinstance(set_body, Node) else []
        for body in bodies:
            self._body(body)
        if isinstance(unset_body, Node):
            for words, line in self._leaves(unset_body, ()):
                _unset(list(words), " ".join(words), self._where(line), self._facts)
        self._facts.read += len(self._read)
        self._read = set()
        return bool(bodies) or bool({"header", "set", "unset"} & item.items.keys())

    def _header(self, header: Any) -> None:
        if isinstance(header, Node):
            version, model = header.items.get("version"), header.items.get("model")
            release = re.search(r"[0-9]{1,3}(?:\.[0-9]{1,4}){1,3}", version) if isinstance(version, str) else None
            self._facts.version = release[0] if release else self._facts.version
            self._facts.model = model if isinstance(model, str) and model else self._facts.model

    def _body(self, body: Node) -> None:
        system = body.items.get("system")
        hostname = system.items.get("hostname") if isinstance(system, Node) else None
        if isinstance(hostname, str):
            self._facts.name = hostname
        if "qos" in body.items:
            self._read.add(body.lines["qos"])
            for words, line in self._leaves(body.items["qos"], (), body.lines["qos"]):
                self._setting(words, line)
        interfaces = body.items.get("interface")
        if isinstance(interfaces, Node):
            for word, content in interfaces.items.items():
                self._interface(word, content, interfaces.lines[word])
        self._neighbours(body.items.get("vrf"))

    def _setting(self, words: tuple[str, ...], line: int) -> None:
        settings = schema.qos_setting(words)
        if not settings and words:
            self._facts.not_understood(" ".join(words), self._where(line))
        for path, value in settings:
            self._facts.settings[path] = facts_module.Leaf(value, self._where(line))

    def _interface(self, word: str, content: Any, line: int) -> None:
        names = facts_module.expand(word)
        found: list[tuple[tuple[str, ...], Leaf]] = []
        if isinstance(content, Node):
            for part in ("qos", "link", "bond"):
                for words, at in self._interesting(content, part):
                    settings = schema.interface_setting(words)
                    if not settings and words != (part,):
                        self._facts.not_understood(" ".join((word, *words)), self._where(at))
                    found += [(path, facts_module.Leaf(value, self._where(at))) for path, value in settings]
        if not names:
            self._facts.not_understood(word, self._where(line))
        for name in names:
            if found or _SWITCH_PORT.match(name):
                self._facts.port(name, self._where(line)).update(found)

    def _interesting(self, content: Node, part: str) -> list[tuple[tuple[str, ...], int]]:
        below = content.items.get(part)
        if part == "qos" and part in content.items:
            self._read.add(content.lines[part])
            return self._leaves(below, (part,), content.lines[part])
        found: list[tuple[tuple[str, ...], int]] = []
        if isinstance(below, Node):
            for first, second in _READ_BELOW_INTERFACE:
                if first == part and second in below.items:
                    self._read.add(below.lines[second])
                    found += self._leaves(below.items[second], (part, second), below.lines[second])
        return found

    def _neighbours(self, vrfs: Any) -> None:
        for vrf in vrfs.items.values() if isinstance(vrfs, Node) else ():
            node = vrf
            for step in ("router", "bgp", "neighbor"):
                node = node.items.get(step) if isinstance(node, Node) else None
            for name in node.items if isinstance(node, Node) else ():
                if _SWITCH_PORT.match(name):
                    self._facts.port(name, self._where(node.lines[name]))

    def _leaves(self, node: Any, above: tuple[str, ...], line: int = 0) -> list[tuple[tuple[str, ...], int]]:
        """Return the leaves below a node as words, value last, each with its line; an empty mapping is a leaf."""
        self._nodes += 1
        if self._nodes > _MOST_NODES or len(above) > 100:
            raise ReadError(f"{self._file}: more than {_MOST_NODES} values, aliases counted in full")
        if isinstance(node, Node) and node.items:
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
        return [(above, line)]

    def _where(self, line: int) -> Where:
        place = self._places.get(line)
        if place is None:
            place = self._places[line] = Where(self._file, line)
        return place
