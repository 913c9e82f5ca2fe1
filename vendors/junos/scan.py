"""Cuts a Junos text, in braces or in `set` form, into flat statements with their lines.

`class-of-service { schedulers { S { priority low; } } }` and `set class-of-service schedulers S priority low` both
become the statement `schedulers S priority low` of the section `class-of-service`. Most of a configuration is
none of our business: foreign hierarchies are passed by counting braces.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from rocecfg.packs import load_module
from rocecfg.state.sections import LONGEST_LINE

_words = load_module(Path(__file__).with_name("words.py"))
mark, special = _words.mark, _words.special

SECTIONS = frozenset({"class-of-service", "interfaces", "chassis", "protocols", "system", "groups"})
DEEPEST = 40
"""Levels of braces that are followed; Junos nests about a dozen."""

_KEPT_BELOW = {"protocols": ("dcbx",), "system": (), "chassis": ("fpc",)}
_INTERFACE_WORDS = frozenset(
    {"mtu", "speed", "disable", "number-of-sub-ports", "ether-options", "gigether-options",
     "aggregated-ether-options", "member", "member-range", "apply-groups", "apply-groups-except"}
)  # fmt: skip
_SET_VERBS = ("set ", "delete ", "deactivate ", "activate ")
_PROMPT = re.compile(r"(?:\{[a-z0-9:]+\}\s*)?[\w.-]+@([\w.-]+)[>#%](?:\s|$)")
_PAGER = re.compile(r"-{2,}\(?more\b", re.IGNORECASE)


Statement = tuple[str, int]
"""A statement without the word of its section, and the line it ends on (plain: there are thousands)."""


@dataclass(slots=True)
class Scan:
    """What a text holds of the sections we read."""

    statements: dict[str, list[Statement]] = field(default_factory=dict)
    opened: dict[str, int] = field(default_factory=dict)
    """Path of a block in class-of-service -> line of its header."""
    host: str = ""
    version: str = ""
    whole: bool = True
    """Every brace is closed, and no pager stopped the text."""
    junk: list[Statement] = field(default_factory=list)
    """Lines inside a section that are no statement at all."""
    seen: set[str] = field(default_factory=set)
    verbs: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    """delete, deactivate, activate -> (path with section, number of the statement after it)."""
    silent: int = 0
    """Statements that are inactive: read, and not in force."""
    applied: list[tuple[str, Statement]] = field(default_factory=list)
    """Section and statement of each `apply-groups` and `apply-groups-except`."""


class _Reader:
    """One pass over the lines of a text."""

    def __init__(self) -> None:
        self.scan = Scan()
        self.stack: list[tuple[str, str]] = []  # (section, prefix) of each open block
        self.section = ""
        self.prefix = ""
        self.skipping = 0
        self.comment = False
        self.words: list[str] = []
        self.lists = 0
        self.ordered: list[tuple[str, Statement]] = []
        self.set_lines = False
        self.lines: list[str] = []
        self.resume = 0
        """Lines up to this one are passed."""
        self.may_jump = True

    def read(self, text: str) -> Scan:
        self.lines = (text.replace("\r\n", "\n") if "\r" in text else text).split("\n")
        for number, raw in enumerate(self.lines, 1):
            if number <= self.resume:
                continue
            line = (raw if len(raw) <= LONGEST_LINE else raw[:LONGEST_LINE]).strip()
            if not line:
                continue
            if line == "}" and not self.comment and not self.words:
                if self.skipping:
                    self.skipping -= 1
                elif self.stack:
                    self.section, self.prefix = self.stack.pop()
            elif self.comment:
                self.line_with_noise(line, number)
            elif self.skipping and line[-1] == ";" and "{" not in line and "}" not in line and "/*" not in line:
                continue  # the bulk of a configuration
            elif '"' in line or "#" in line or "/*" in line:
                self.line_with_noise(line, number)
            elif self.skipping:
                self.skip(raw, line, number)
            elif not self.plain(line, number):
                self.tokens(_words.NOISE.findall(line), line, number)
        scan = self.scan
        if self.stack or self.skipping or self.comment:
            scan.whole = False
        self.finish()
        return scan

    def skip(self, raw: str, line: str, number: int) -> None:
        """Pass over a line of a block that is none of our business."""
        if not self.stack and raw.startswith("class-of-service {"):  # the block before it never ended
            self.skipping, self.scan.whole = 0, False
            self.plain(line, number)
        else:
            self.skipping = max(0, self.skipping + line.count("{") - line.count("}"))

    def plain(self, line: str, number: int) -> bool:
        """Take the usual kinds of lines in one step; False = the line needs its tokens looked at."""
        last = line[-1]
        if self.words:
            return False
        if last == ";":
            if line.find(";") != len(line) - 1 or "{" in line or "}" in line:
                return False
            text = line[:-1].rstrip()
            if self.section == "class-of-service" and not special(text):
                self.ordered.append((self.section, (self.prefix + text, number)))
            else:
                self.statement(text, number)
        elif last == "{":
            if line.find("{") != len(line) - 1 or ";" in line or "}" in line:
                return False
            self.open(line[:-1].rstrip(), number)
        elif not self.stack and line.startswith(_SET_VERBS):
            self.set_line(line, number)
        else:
            return False
        return True

    def line_with_noise(self, line: str, number: int) -> None:
        """Handle a line with a string or a comment in it."""
        if self.comment:
            _, end, line = line.partition("*/")
            if not end:
                return
            self.comment = False
        if not self.stack and not self.skipping and line.startswith(_SET_VERBS):
            self.set_line(" ".join(_words.without_comments(_words.NOISE.findall(line))), number)
            return
        tokens = _words.NOISE.findall(line)
        if tokens and tokens[-1].startswith("/*") and not tokens[-1].endswith("*/"):
            self.comment = True
        clean = _words.without_comments(tokens)
        if self.skipping:
            self.skipping = max(0, self.skipping + clean.count("{") - clean.count("}"))
        elif clean and not self.plain(" ".join(clean).replace(" ;", ";"), number):
            self.tokens(clean, line, number)

    def tokens(self, tokens: list[str], line: str, number: int) -> None:
        """Handle a line that holds several statements, or a part of one."""
        for word in tokens:
            if self.skipping:
                self.skipping = max(0, self.skipping + (word == "{") - (word == "}"))
            elif word == ";":
                self.statement(" ".join(self.words), number)
                self.words, self.lists = [], 0
            elif word == "{":
                self.open(" ".join(self.words), number)
                self.words, self.lists = [], 0
            elif word == "}":
                if self.words:
                    self.statement(" ".join(self.words), number)
                    self.words, self.lists = [], 0
                self.close()
            else:
                self.words.append(word)
                self.lists += (word == "[") - (word == "]")
        if self.words and self.lists <= 0:
            self.no_statement(line, number)

    def no_statement(self, line: str, number: int) -> None:
        """Handle a line that ends nothing and is no part of a list: a prompt, a pager, or pasted text."""
        self.words, self.lists = [], 0
        prompt = _PROMPT.match(line)
        if prompt is not None:
            self.scan.host = self.scan.host or prompt[1]
            if self.stack:
                self.scan.whole = False
                self.stack, self.section, self.prefix = [], "", ""
        elif _PAGER.search(line) is not None:
            self.scan.whole = False
        elif self.section in {"class-of-service", "groups"}:
            self.scan.junk.append((line, number))

    def open(self, header: str, number: int) -> None:
        """Enter a block, or begin to skip it."""
        section = self.section
        if section == "class-of-service" and len(self.stack) < DEEPEST and not special(header):
            self.stack.append((section, self.prefix))
            self.scan.opened.setdefault(self.prefix + header, number)
            self.prefix = f"{self.prefix}{header} "
            return
        if section == "interfaces" and len(self.stack) < DEEPEST and not special(header):
            if self.interface_block(header, number):
                self.stack.append((section, self.prefix))
                self.prefix = f"{self.prefix}{header} "
            else:
                self.skipping = 1
            return
        header, active = mark(header)
        first = header.partition(" ")[0]
        if not active or len(self.stack) >= DEEPEST:
            if active and self.section == "class-of-service":
                self.scan.junk.append((f"{self.prefix}{header} {{", number))
            self.skipping = 1
            return
        if not self.stack:
            if first not in SECTIONS:
                self.pass_over(number)
                return
            self.scan.seen.add(first)
            self.stack.append(("", ""))
            rest = header[len(first) + 1 :]
            self.section, self.prefix = first, f"{rest} " if rest else ""
            return
        if self.foreign(first, header, number):
            self.skipping = 1
            return
        self.stack.append((self.section, self.prefix))
        self.prefix = f"{self.prefix}{header} "
        if self.section == "class-of-service":
            self.scan.opened.setdefault(self.prefix[:-1], number)

    def foreign(self, first: str, header: str, number: int) -> bool:
        """Say whether a block inside a section we read is none of our business."""
        section, depth = self.section, len(self.stack)
        if section == "class-of-service":
            return first == "apply-macro"
        if section == "groups":
            return depth == 2 and first not in SECTIONS
        if section in _KEPT_BELOW:
            return depth == 1 and first not in _KEPT_BELOW[section]
        return not self.interface_block(header, number)

    def pass_over(self, number: int) -> None:
        """Pass over a foreign block at once when its end is the next line that is `}` and nothing else.

        That holds in every text a device printed. Where the braces between do not pair (no indentation, a brace in
        a string) the lines are counted one by one, there and from there on: looking twice would cost quadratic time.
        """
        self.skipping = 1
        if not self.may_jump:
            return
        try:
            end = self.lines.index("}", number)
        except ValueError:
            self.may_jump = False
            return
        inside = "\n".join(self.lines[number:end])
        if inside.count("{") == inside.count("}") and "/*" not in inside:
            self.skipping, self.resume = 0, end + 1
        else:
            self.may_jump = False

    def interface_block(self, header: str, number: int) -> bool:
        """Say whether a block of `interfaces` is read on, and keep the headers that say something themselves."""
        depth = len(self.stack)
        if depth == 1 or (depth == 2 and header.startswith("unit ")):
            self.ordered.append(("interfaces", (self.prefix + header, number)))
            return True
        if depth == 2:
            return header.partition(" ")[0] in _INTERFACE_WORDS
        if header.startswith("family "):
            self.ordered.append(("interfaces", (self.prefix + header, number)))
            return False
        return self.prefix.split(" ", 2)[1] != "unit"

    def close(self) -> None:
        """Leave a block."""
        if self.stack:
            self.section, self.prefix = self.stack.pop()

    def statement(self, text: str, number: int) -> None:
        """Take a statement of the block we are in."""
        if not self.stack:
            if text.startswith("version "):
                self.scan.version = text[8:].strip('"')
            elif text.startswith("apply-groups"):
                self.scan.applied.append(("", (text, number)))
            return
        section = self.section
        if ": " in text:
            text, active = mark(text)
            if not active:
                self.scan.silent += section == "class-of-service"
                return
        if section == "interfaces" and len(self.stack) >= 2 and not self.interface_statement(text):
            return
        if section == "system" and not (self.prefix == "" and text.startswith("host-name ")):
            return
        self.emit(self.prefix + text, number)

    def interface_statement(self, text: str) -> bool:
        if len(self.stack) == 2:
            return text.partition(" ")[0] in _INTERFACE_WORDS or text.startswith("unit ")
        return text.startswith("family ") or self.prefix.split(" ", 2)[1] != "unit"

    def emit(self, text: str, number: int) -> None:
        """Keep a statement of the section we are in."""
        if "  " in text or "\t" in text:
            text = " ".join(text.split())
        if "apply-groups" in text:
            self.scan.applied.append((self.section, (text, number)))
            return
        self.ordered.append((self.section, (text, number)))

    def set_line(self, line: str, number: int) -> None:
        """Take a line of `show configuration | display set`, or of a patch in that form."""
        self.set_lines = True
        verb, _, rest = line.partition(" ")
        rest = " ".join(rest.rstrip(";").split())
        section, _, text = rest.partition(" ")
        if section == "version" and verb == "set":
            self.scan.version = text
        elif section in {"apply-groups", "apply-groups-except"}:
            self.scan.applied.append(("", (rest, number)))
        if section not in SECTIONS:
            return
        self.scan.seen.add(section)
        if verb != "set":
            self.scan.verbs.setdefault(verb, []).append((rest, len(self.ordered)))
        elif section in _KEPT_BELOW:
            if text.startswith(("dcbx", "fpc", "host-name ")):
                self.ordered.append((section, (text, number)))
        elif "apply-groups" in text:
            self.scan.applied.append((section, (text, number)))
        elif text:
            self.ordered.append((section, (text, number)))

    def finish(self) -> None:
        """Apply `delete` and `deactivate`, drop repeated lines, and sort the statements by section."""
        if not self.set_lines:
            for section, statement in self.ordered:
                self.scan.statements.setdefault(section, []).append(statement)
            return
        gone = _words.Gone(self.scan.verbs)
        kept: dict[tuple[str, str], int] = {}
        for index, (section, (text, line)) in enumerate(self.ordered):
            if gone and gone.removes(f"{section} {text}", index):
                self.scan.silent += section == "class-of-service"
                continue
            kept.pop((section, text), None)
            kept[section, text] = line
        for (section, text), line in kept.items():
            self.scan.statements.setdefault(section, []).append((text, line))


def scan(text: str) -> Scan:
    """Return the statements of a text. Never fails: what is no statement is passed over or kept as `junk`."""
    return _Reader().read(text)
