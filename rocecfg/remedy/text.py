"""A configuration text as settings by path, and back: what stands in it, and the same text with other settings.

A setting is a line with its sections around it: `("interface Ethernet1/1", "mtu 9216")`. Its identity is the path
with the line's key, so that `mtu 9000` and `mtu 9216` are one setting with two values. Where a text holds both beside
each other the later one is the setting and the earlier one a setting of its own: whether it counts on the device is
for the vendor's reader to say, and nothing here may hide it. Everything that is not changed keeps its place and its
spelling, comments and foreign sections included.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rocecfg.remedy.rules import Rules

Path = tuple[str, ...]
Settings = dict[Path, str]
"""Identity -> the line as it stands. Sections stand before what is in them."""

_COMMENTS = ("!", "#", "/*")


def scan(text: str, rules: Rules) -> Iterator[tuple[int, int, Path, str]]:
    """Yield (number, indentation, identity, line) of every line that is no comment, numbered from 0."""
    read = list(_lines(text, rules))
    last = {(above, rules.key(line, bool(above))): line for _, _, above, line in read}
    for number, indent, above, line in read:
        sections = tuple(_own(above[:depth], above[depth], last, rules) for depth in range(len(above)))
        yield number, indent, (*sections, _own(above, line, last, rules)), line


def _lines(text: str, rules: Rules) -> Iterator[tuple[int, int, Path, str]]:
    """Yield (number, indentation, the lines of the sections around it, line)."""
    stack: list[tuple[int, str]] = []
    for number, raw in enumerate(text.split("\n")):
        line = " ".join(raw.split())
        if not line or line.startswith(_COMMENTS):
            if rules.separator and line == rules.separator:
                stack.clear()
            continue
        indent = len(raw) - len(raw.lstrip())
        if rules.form == "set":
            indent = 0
        while stack and stack[-1][0] >= indent:
            stack.pop()
        yield number, indent, tuple(above for _, above in stack), line
        stack.append((indent, line))


def _own(above: Path, line: str, last: Mapping[tuple[Path, str], str], rules: Rules) -> str:
    """Return the part of an identity that one line is: its key, with the line where a later one has the same key."""
    key = rules.key(line, bool(above))
    return key if last[above, key] == line else f"{key}\x00{line}"


def settings(text: str, rules: Rules) -> Settings:
    """Return the settings of a text."""
    return {path: line for _, _, path, line in scan(text, rules) if line not in rules.closers}


def earlier(found: Settings, rules: Rules) -> set[Path]:
    """Return the settings that stand before another one of their key, and what is below them."""
    twins = {path for path, line in found.items() if path[-1] not in {line, rules.key(line, len(path) > 1)}}
    return {path for path in found if any(path[:depth] in twins for depth in range(1, len(path) + 1))}


def lines_of(path: Path, *sources: Mapping[Path, str]) -> Path:
    """Return a path as the lines stand, not as their keys."""
    found = []
    for depth in range(1, len(path) + 1):
        part = path[:depth]
        found.append(next((source[part] for source in sources if part in source), part[-1]))
    return tuple(found)


def changed(text: str, rules: Rules, target: Settings) -> str:
    """Return the text with other settings: removed lines gone, changed ones in place, new ones at a section's end."""
    lines = text.split("\n")
    ends: dict[Path, tuple[int, int]] = {}
    """Section -> (last line of it, indentation of its header)."""
    inside: dict[Path, int] = {}
    """Section -> indentation of its lines."""
    gone: set[int] = set()
    closing = len(lines)
    while closing and not lines[closing - 1].strip():
        closing -= 1
    for number, indent, path, line in scan(text, rules):
        if len(path) == 1 and line in rules.closers:
            closing = min(closing, number)
            continue
        wanted = target.get(path)
        if wanted is None:
            gone.add(number)
        elif wanted != line:
            lines[number] = " " * indent + wanted
        ends[path] = (number, indent)
        inside[path[:-1]] = min(indent, inside.get(path[:-1], indent))
        for depth in range(1, len(path)):
            if path[:depth] in ends:
                ends[path[:depth]] = (number, ends[path[:depth]][1])
    after: dict[int, list[tuple[int, int, str]]] = {}
    """Line -> what comes behind it: what belongs deepest first."""
    places: dict[Path, tuple[int, int, int]] = {}
    for sequence, (path, line) in enumerate(target.items()):
        if path in ends:
            continue
        above = path[:-1]
        if not above:
            at, indent, depth = closing - 1, 0, 0
            if rules.separator:
                after.setdefault(at, []).append((0, sequence, rules.separator))
        elif above in places:
            at, indent, depth = places[above]
            indent += rules.indent
        else:
            at, depth = ends[above][0], len(above)
            indent = inside.get(above, ends[above][1] + rules.indent)
        places[path] = at, indent, depth
        after.setdefault(at, []).append((-depth, sequence, " " * indent + line))
    added = {at: [line for _, _, line in sorted(new, key=lambda item: item[:2])] for at, new in after.items()}
    written = list(added.pop(-1, ()))
    for number, line in enumerate(lines):
        if number not in gone:
            written.append(line)
        written += added.get(number, ())
    return "\n".join(written)
