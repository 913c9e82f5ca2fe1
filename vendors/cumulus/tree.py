"""Loads YAML or JSON as words with lines: NVUE's `on` is no boolean, and its `26` no number."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rocecfg.errors import ReadError

if TYPE_CHECKING:
    from rocecfg.state.capture import Text

_PROMPT_LINE = re.compile(r"[A-Za-z0-9_.-]{1,64}@[A-Za-z0-9_.:~/-]{1,120}[$#](?:[ \t][^\n]*)?\Z")
"""What a session leaves around a text: `cumulus@leaf01:mgmt:~$ nv config show`."""
_READ_SECTIONS = {"qos", "interface", "system", "vrf"}


class Node:
    """A mapping of a YAML text: its keys as they are written, with the line of each."""

    __slots__ = ("items", "lines")

    def __init__(self) -> None:
        self.items: dict[str, Any] = {}
        self.lines: dict[str, int] = {}


def _without_prompts(content: str) -> str:
    """Return a text without the prompts of the session around it: they stand in its first and last lines only."""
    lines = content.split("\n")
    for at in {*range(min(5, len(lines))), *range(max(len(lines) - 3, 0), len(lines))}:
        if _PROMPT_LINE.match(lines[at].rstrip()):
            lines[at] = ""
    return "\n".join(lines)


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
    whole = _without_prompts(text.content)
    less = _without_foreign(whole)
    try:
        return _build(replace(text, content=less))
    except ReadError:
        if less == whole:
            raise
        return _build(replace(text, content=whole))


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
                    raise ReadError(f"{text.file}: nested deeper than 100 levels: no NVUE text is")  # noqa: TRY301
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
                    line = event.start_mark.line + 1
                    raise ReadError(f"{text.file}:{line}: the alias *{event.anchor} has no anchor")  # noqa: TRY301
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
