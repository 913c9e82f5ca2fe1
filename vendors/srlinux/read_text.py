"""Reads command-line text: `set /` lines (`info flat`) and the braces of `info`, with the prompts around them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.sections import LONGEST_LINE, text_lines

if TYPE_CHECKING:
    from rocecfg.state.capture import Text

schema: Any = load_module(Path(__file__).with_name("schema.py"))
tree: Any = load_module(Path(__file__).with_name("tree.py"))

_WORDS = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]]|(?:[^\s\[\]{}"]|\{[^\s{}]{1,60}\})+|[{}]')
_PROMPT = re.compile(r"(?:[A-Z]:)?(?:[\w.-]{1,64}@)?([\w.-]{1,64})#(?:\s+(.*))?\Z")
_CONTEXT = re.compile(r"--\{.{0,80}\}--\[(.{0,400})\]--\s*\Z")
_SET = re.compile(r"(?:-\s+)?(set|delete)\s+(/?)\s*(.*)\Z")
_FROM_TOP = re.compile(r"(?:-\s+)?()(/)\s*([a-z].*)\Z")
"""A line that begins at the top of the tree: `/ interface ethernet-1/1 mtu 9000`, `/ qos {`."""
_RANGE = re.compile(r"\{(\d{1,4})\.\.(\d{1,4})\}")
_CHOICE = re.compile(r"\{([^{}.]{1,60})\}")
_SPECIAL = re.compile(r'["\[\]{}]|  |\s\Z|!!!|\t')
_MOST_NAMES = 1024
_DEEPEST = 64


def read_text(text: Text, into: Any) -> tuple[bool, bool]:
    """Add what a command-line text states; return whether it is of SR Linux, and whether every block is closed."""
    reader = _Reader(text, into)
    begun, held = 0, ""
    for number, line in enumerate(text_lines(text.content), 1):
        if line.endswith("\\") and len(held) < LONGEST_LINE:  # a script goes on in the next line
            begun, held = begun or number, f"{held} {line[:-1]}"
            continue
        if held or not reader.plain(number, line):
            reader.line(begun or number, f"{held} {line}" if held else line)
        begun, held = 0, ""
    return reader.finish(), reader.balanced


class _Reader:
    """One pass over the lines of a text."""

    def __init__(self, text: Text, into: Any) -> None:
        into.files.append(text.file)
        self._into, self._file = into, len(into.files) - 1
        self._top = (into.root, schema.ROOT)
        self._stack: list[Any] = []
        """Place of each open block, None of one that is passed over."""
        self._list: tuple[Any, list[str], int] | None = None
        self._context: list[str] = []
        self._quote = False
        self._found = False
        self._known: dict[str, Any] = {}
        """Where the entry of a port stands, by the words that lead there."""
        self.balanced = True

    def plain(self, number: int, line: str) -> bool:
        """Take the usual line, `set / <path> <leaf> <value>`, in one step; False = it has to be looked at."""
        if not line.startswith("set / ") or self._stack or self._quote or _SPECIAL.search(line) is not None:
            return False
        path, _, rest = line[6:].partition(" ")
        into = self._into
        if path not in schema.ROOT:
            into.roots.add(path)
            self._found |= path in schema.OTHER_ROOTS
            return True
        words = rest.split(" ")
        try:
            begin = self._begin(path, words, number)
            if begin is None:
                return False
            into.walk(begin, words[3:] if path == "qos" else words[1:], number, self._file)
        except tree.Foreign:
            return True
        except tree.Unknown:
            return False
        into.read += 1
        return True

    def _begin(self, path: str, words: list[str], number: int) -> Any:
        """Return where the words of a port's own entry lead: most lines of a text begin with them."""
        key = f"{path} {words[0]}" if path != "qos" else " ".join(words[:3])
        place = self._known.get(key)
        if place is None and path == "interface":
            place = self._into.walk(self._top, [path, words[0]], number, self._file)
        elif place is None and path == "qos" and words[:2] == ["interfaces", "interface"] and len(words) > 2:
            place = self._into.walk(self._top, [path, *words[:3]], number, self._file)
        if place is not None:
            self._known[key] = place
            self._into.roots.add(path)
            self._found = True
        return place

    def line(self, number: int, raw: str) -> None:
        """Take one line."""
        line = raw.strip()
        if self._quote:
            self._quote = line.count('"') % 2 == 0
            return
        if not line:
            return
        if "!!!" in line:
            line = line[: line.index("!!!")].rstrip()
            if not line:
                return
        if self._stack and self._stack[-1] is None:
            self._pass(line)
            return
        if line[0] == "#" and not self._is_around(line, number):
            return
        if line == "}":
            self._close()
        elif not self._stack and self._is_around(line, number):
            return
        elif not self._stack and (found := _SET.match(line) or _FROM_TOP.match(line)) is not None:
            self._from_top(found, number)
        else:
            self._braces(line, number)

    def finish(self) -> bool:
        """End the text; return whether it held something of ours."""
        if self._stack or self._list is not None or self._quote:
            self.balanced = False
        return self._found

    def _pass(self, line: str) -> None:
        """Follow the braces of a block that is none of our business."""
        if line == "}":
            self._stack.pop()
        elif line[-1] == "{" and line.count('"') % 2 == 0:
            self._stack.append(None)
        elif line.count('"') % 2:
            self._quote = True

    def _close(self) -> None:
        if self._stack:
            self._stack.pop()
        else:
            self.balanced = False

    def _is_around(self, line: str, number: int) -> bool:
        """Take a prompt: it names the host, and where in the tree the lines below it stand."""
        context = _CONTEXT.match(line)
        if context is not None:
            self._context = _words(context[1])
            return True
        prompt = _PROMPT.match(line)
        if prompt is None:
            return False
        if line[0] != "#" and prompt[1] and not self._into.host:
            self._into.host = prompt[1]
        command = (prompt[2] or "").strip()
        if found := _SET.match(command) or _FROM_TOP.match(command):
            self._from_top(found, number)
        return True

    def _from_top(self, found: re.Match[str], number: int) -> None:
        """Take a line that says where it begins: a statement, or the head of a block."""
        if line_opens(found[3]):
            self._braces(found[3], number)
        else:
            self._flat(found, number)

    def _flat(self, found: re.Match[str], number: int) -> None:
        """Take a `set` or `delete` line."""
        verb, slash, rest = found.groups()
        words = _words(rest)
        if not words:
            return
        if not slash and words[0] not in schema.ROOT:
            words = [*self._context, *words]
        self._into.roots.add(words[0])
        self._found |= words[0] in schema.ROOT or (bool(slash) and words[0] in schema.OTHER_ROOTS)
        for one in _expanded(words):
            try:
                if verb == "delete":
                    self._known.clear()
                    tree.remove(self._top, one)
                else:
                    self._into.walk(self._top, one, number, self._file)
            except tree.Foreign:
                return
            except tree.Unknown:
                self._into.not_understood(found[0], self._file, number)
                break
        self._into.read += 1

    def _braces(self, line: str, number: int) -> None:
        """Take a line of the braces form: the head of a block, a leaf, or a part of a leaf-list."""
        words = _words(line)
        if self._list is not None:
            self._leaf_list(words)
            return
        opens = bool(words) and words[-1] == "{"
        if opens:
            words.pop()
        if words[-1:] == ["["]:
            self._list = (self._place(words), words, number)
            return
        if words[-2:] == ["{", "}"] or words[-1:] == ["}"]:
            words = [word for word in words if word not in {"{", "}"}]
            opens = False
        place = self._place(words)
        if len(self._stack) > _DEEPEST:
            raise RecursionError
        if place is None:
            if opens:
                self._stack.append(None)
            return
        if not self._stack and words:
            top = place[1] is schema.ROOT
            if not opens and top:
                return  # prose, a banner, the output of another command
            self._found = True
            self._into.roots.add(words[0] if top else "qos")
        ours = not tree.is_open(place[1])
        try:
            inner = self._into.walk(place, words, number, self._file)
        except tree.Foreign:
            if opens:
                self._stack.append(None)
            return
        except tree.Unknown:
            self._into.read += ours
            if ours:
                self._into.not_understood(line, self._file, number)
            if opens:
                self._stack.append(None)
            return
        self._into.read += ours or not opens
        if opens:
            self._stack.append(inner)

    def _place(self, words: list[str]) -> Any:
        """Return where a line of the braces form stands; None when that is none of our business."""
        if self._stack:
            return self._stack[-1]
        first = words[0] if words else ""
        if first in schema.ROOT:
            return self._top
        if first in schema.OTHER_ROOTS:
            self._into.roots.add(first)
            self._found = True
            return None
        for context in (self._context, ["qos"]):
            known = tree.known(context) if context[:1] == ["qos"] else {}
            if first in known:
                return self._into.walk(self._top, context, 0, self._file)
        return None

    def _leaf_list(self, words: list[str]) -> None:
        """Take a line inside the square brackets of a leaf-list."""
        assert self._list is not None
        place, head, start = self._list
        head += [word for word in words if word != "]"]
        if "]" not in words:
            return
        self._list = None
        if place is None:
            return
        ours = not tree.is_open(place[1])
        try:
            self._into.walk(place, [*head, "]"], start, self._file)
        except tree.Foreign:
            return
        except tree.Unknown:
            if ours:
                self._into.not_understood(" ".join(head), self._file, start)
        self._into.read += ours


def line_opens(line: str) -> bool:
    """Return whether a line is the head of a block, or holds an empty one."""
    return line.rstrip().endswith(("{", "{ }", "{}", "["))


def _words(line: str) -> list[str]:
    """Return the words of a line; a text in quotes is one word without them."""
    return [word[1:-1] if word[0] == '"' and len(word) > 1 else word for word in _WORDS.findall(line)]


def _expanded(words: list[str]) -> list[list[str]]:
    """Return the lines that a line with ranges stands for: `ethernet-1/{1..4}`, `ethernet-1/{1,7}`."""
    lines = [words]
    for at, word in enumerate(words):
        if "{" not in word or len(word) < 3:
            continue
        span, choice = _RANGE.search(word), _CHOICE.search(word)
        if span is not None and int(span[1]) <= int(span[2]) < int(span[1]) + _MOST_NAMES:
            parts = [str(number) for number in range(int(span[1]), int(span[2]) + 1)]
        elif choice is not None:
            span, parts = choice, choice[1].split(",")
        else:
            continue
        names = [word[: span.start()] + part + word[span.end() :] for part in parts]
        lines = [[*line[:at], name, *line[at + 1 :]] for line in lines for name in names]
        if len(lines) > _MOST_NAMES:
            return [words]
    return lines
