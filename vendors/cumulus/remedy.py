"""NVUE's tree as `nv set` lines: the form in which a remedy is typed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.capture import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

_tree = load_module(Path(__file__).with_name("tree.py"))
_facts = load_module(Path(__file__).with_name("facts.py"))
_SECTIONS = ("system", "qos", "interface", "vrf")


def normalised(text: str) -> str:
    """Return a text as `nv set` lines, ranges of ports taken apart.

    Raises ValueError for a change list with `unset`: what is left then depends on what was there.
    """
    if "nv unset " in text or "\n- unset:" in text or text.startswith("- unset:"):
        raise ValueError("the text is a change, not a configuration")
    if "nv set " in text:
        return "\n".join(single for line in text.split("\n") for single in _single(line))
    lines = []
    for document in _tree.load_tree(Text("configuration", text)):
        for item in document if isinstance(document, list) else [document]:
            if not isinstance(item, _tree.Node):
                continue
            if "header" in item.items:
                lines.append("nv set system")  # a text with a header is whole, as one that speaks of the system is
            body = item.items.get("set", item)
            if isinstance(body, _tree.Node):
                lines += [f"nv set {' '.join(words)}" for words in _leaves(body, ())]
    return "\n".join(single for line in lines for single in _single(line)) + "\n"


def _single(line: str) -> list[str]:
    words = line.split(" ")
    if words[:3] != ["nv", "set", "interface"] or len(words) < 4:
        return [line]
    return [" ".join((*words[:3], name, *words[4:])) for name in _facts.expand(words[3])] or [line]


def _leaves(node: Any, above: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if isinstance(node, _tree.Node):
        if not node.items and above:
            yield above
        for key, value in node.items.items():
            if above or key in _SECTIONS:
                yield from _leaves(value, (*above, key))
    elif isinstance(node, list):
        for item in node:
            yield (*above, str(item))
    elif node in {"", "null", "~"}:
        yield above
    else:
        yield (*above, f"'{node}'" if " " in str(node) else str(node))
