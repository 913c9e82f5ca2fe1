"""Reads command lines: a user's own script, or a prompt with a command in a transcript.

A command that sets something is a statement about the host; one that reads says which port the following output is
of. Variables, `for` lists, `;`, `&&`, `||`, continuation lines and redirections are followed; nothing is ever run.
What only a run would tell (a command's output, an argument) stays unknown: a port in such a variable is called `$NAME`.
"""

from __future__ import annotations

import re
import shlex
from functools import lru_cache, partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rocecfg.state.model import Where
    from vendors.nic.linux.outputs import Outputs

_commands = load_module(Path(__file__).with_name("commands.py"))
_known = load_module(Path(__file__).with_name("words.py"))

_COMMANDS = (
    r"(?:^|[\s;&|(/])(?:{}dcb|cma_roce_tos|cma_roce_mode|ethtool|ifconfig|show_gids|rdma|lldptool"
    r"|ip)\s|show_gids|/sys/class/net/|rdma_cm/"
)
"""Cheap look before the line is split into words; a family adds its own commands in front, its paths behind."""
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
_VARIABLE = re.compile(
    r"\$(?:\{([A-Za-z_][A-Za-z0-9_]*)(?:\[[@*]\])?(?::?-([^{}$]{0,200}))?\}|([A-Za-z_][A-Za-z0-9_]*))"
)
"""`$NAME`, `${NAME}`, `${NAME[@]}`, `${NAME:-default}`."""
_RANGE = re.compile(r"\{([0-9]{1,3})\.\.([0-9]{1,3})\}$")
_STREAM = re.compile(r"(?<![^\s;&|])[0-9]([<>])")
"""The number of a stream before a redirection: `2>/dev/null`, not `echo 2 >file`."""
_PLACEHOLDER = re.compile(r"(?:(?<=\s)|(?<=[=/]))<[A-Za-z][\w-]{0,30}>(?=[\s/]|$)")
"""What a guide writes for a name of the reader's own (`-i <interface>`): a word, no redirection."""
_SPECIAL = re.compile(r"""[;&|<>#'"\\]""")
"""Characters that mean more to a shell than a word does."""
_PROMPT = re.compile(r"(?:\[[^\]\n]{0,80}\]|[\w.@:~/-]{0,80})\s?[#$>]\s+(?=\S)|\+{1,9} (?=\S)")
"""A prompt, or the plus signs of `set -x` before a command that ran."""
_NESTED = re.compile(r"(?:^|[\s;&|])(?:ba)?sh\s+-")
_SKIPPED = {"sudo", "then", "else", "do", "if", "while", "!", "{", "time", "exec", "-E", "export", "local",
            "readonly", "declare"}  # fmt: skip
_UNIT = re.compile(r"Exec(?:Start|Reload)(?:Pre|Post)?=[-@:+!|]{0,4}(?=\S)")
"""How a systemd unit begins a command; what it does when it stops says nothing about the host."""
_IFUPDOWN = {"up", "post-up", "pre-up"}
"""How /etc/network/interfaces begins the commands that bring a port up."""
_MOST_COMMANDS = 256


@lru_cache(maxsize=16)
def _looks(commands: str, paths: str) -> re.Pattern[str]:
    return re.compile(_COMMANDS.format(f"{commands}|" if commands else "") + (f"|{paths}" if paths else ""))


class Shell:
    """Reads the command lines of one text."""

    def __init__(self, outputs: Outputs) -> None:
        self.outputs = outputs
        self._ours = _looks(outputs.family.commands, outputs.family.paths)
        self.variables: dict[str, list[str]] = {}
        self._folder = ""
        """Where the last `cd` went: redirections to a bare name go there."""
        self._echoed = ""
        """What the last `echo` printed: a `tee` behind it writes that to its file."""
        self._array: tuple[str, list[str]] | None = None
        """An array whose closing bracket is still to come: its name, its words so far."""

    def looks_ours(self, line: str) -> bool:
        """Return whether a line may hold a command we read."""
        return self._ours.search(line) is not None

    def prompt(self, line: str) -> str | None:
        """Return the command behind a prompt (`root@gpu01:~# dcb pfc show dev ens1`), None when there is none."""
        found = _PROMPT.match(line)
        return line[found.end() :].strip() if found else None

    def take(self, line: str, place: Where, *, only_reading: bool = False) -> bool | None:
        """Take one logical line: True = understood, False = ours and not understood, None = none of ours."""
        if self._array is not None:
            name, words = self._array
            words += line.partition("#")[0].replace(")", " ) ").split()
            if ")" in words or len(words) > _MOST_COMMANDS:
                self._set(name, words[: words.index(")")] if ")" in words else words)
                self._array = None
            return None
        unit = _UNIT.match(line)
        line = line[unit.end() :] if unit else line
        try:
            commands = list(self._commands(line))
        except ValueError:
            return False if self.looks_ours(line) else None
        verdict: bool | None = None
        for words, target in commands:
            taken = self._one(words, target, place, only_reading=only_reading)
            if taken is not None:
                verdict = taken if verdict is None else verdict and taken
        return verdict

    def _commands(self, line: str) -> Iterator[tuple[list[str], str]]:
        """Yield the simple commands of a line with the file their output goes to."""
        if not _SPECIAL.search(line):  # as the command lines of a transcript are: ten times faster
            yield line.split(), ""
            return
        line = _PLACEHOLDER.sub(r"'\g<0>'", line) if "<" in line else line
        lexer = shlex.shlex(_STREAM.sub(r"\1", line), posix=True, punctuation_chars=";&|<>")
        lexer.whitespace_split = True
        lexer.commenters = "#" if not line.startswith("#") else ""
        words: list[str] = []
        target, previous = "", ""
        for token in lexer:
            if token and set(token) <= set(";&|"):
                yield words, target
                words, target, previous = [], "", ""
            elif token and set(token) <= set(";&|<>"):
                previous = token
            elif previous:
                if previous in {">", ">>"} and token != "/dev/null":  # noqa: S105 - a word of a command line
                    target = token
                previous = ""
            else:
                words.append(token)
        yield words, target

    def _one(self, words: list[str], target: str, place: Where, *, only_reading: bool) -> bool | None:
        while words and (words[0] in _SKIPPED or _ASSIGNMENT.match(words[0])):
            if words[0] not in _SKIPPED:
                name, _, value = words[0].partition("=")
                if value.startswith("(") and not any(word.endswith(")") for word in words):
                    self._array = (name, [word for word in (value[1:], *words[1:]) if word])
                    return None
                if value.startswith("("):
                    self._set(name, [word.strip("()") for word in _array([value, *words[1:]])])
                    return None
                self._set(name, [value])
            words = words[1:]
        if words and words[0] in _IFUPDOWN:
            words = words[1:]
        if words[:1] == ["for"] and "in" in words:
            self._set(words[1], [word for word in words[words.index("in") + 1 :] if word != "do"])
            return None
        if not words:
            return None
        verdict: bool | None = None
        for expanded in self._expanded([*words, target]):
            taken = self._run(expanded[:-1], expanded[-1], place, only_reading=only_reading)
            if taken is not None:
                verdict = taken if verdict is None else verdict and taken
        return verdict

    def _set(self, name: str, words: Sequence[str]) -> None:
        """Set a variable to the values it may have; to none when only a run would tell, or an option was given."""
        values = [value for word in words for value in self._expand(word)][:_MOST_COMMANDS]
        if values and not any(
            not value or "$(" in value or "`" in value or _known.is_variable(value) for value in values
        ):
            self.variables[name] = values
        elif list(words) != ["$OPTARG"]:  # without the option the default stays
            self.variables.pop(name, None)

    def _run(self, words: Sequence[str], target: str, place: Where, *, only_reading: bool) -> bool | None:
        name = words[0].rpartition("/")[2]
        if name == "cd":
            self._folder = words[1].rstrip("/") if len(words) == 2 and words[1].startswith("/sys/") else ""
            return None
        if target and self._folder and "/" not in target:
            target = f"{self._folder}/{target}"
        if name in {"sh", "bash"} and len(words) == 3 and words[1].startswith("-") and words[1].endswith("c"):
            return self._inner(words[2], place, only_reading=only_reading)
        if name in {"echo", "printf"} and not target:
            self._echoed = words[-1]
            return None
        if name == "tee":
            target, words = words[-1], ["echo", self._echoed]
        if name in {"echo", "printf", "tee"} and target:
            if not self.outputs.family.files.is_ours(target):
                return False if self._ours.search(target) else None
            if only_reading:
                return False
            return bool(self.outputs.family.files.take(self.outputs.host, target, words[-1], place))
        taken: bool | None = _commands.take(self.outputs, name, list(words[1:]), place, only_reading=only_reading)
        return taken

    def _inner(self, line: str, place: Where, *, only_reading: bool) -> bool | None:
        """Take the line of `sh -c`; one within another is not followed."""
        shell = Shell(self.outputs)
        return False if _NESTED.search(line) else shell.take(line, place, only_reading=only_reading)

    def _expand(self, word: str) -> list[str]:
        """Return the values a word may have; what is unknown stays as it is written."""
        span = _RANGE.match(word)
        if span is not None:
            return [str(number) for number in range(int(span[1]), int(span[2]) + 1)][:_MOST_COMMANDS]
        return [words[0] for words in self._expanded([word])]

    def _expanded(self, words: list[str]) -> Iterator[list[str]]:
        """Yield the words with every variable set to each of its values together (one `for` at a time)."""
        if not any("$" in word for word in words):
            yield words
            return
        names = {found[1] or found[3] for word in words for found in _VARIABLE.finditer(word)}
        known = [name for name in sorted(names) if name in self.variables]
        choices = product(*(self.variables[name] for name in known))
        for _, values in zip(range(_MOST_COMMANDS), choices, strict=False):
            by_name = dict(zip(known, values, strict=True))
            yield [_VARIABLE.sub(partial(_value, by_name), word) for word in words]


def _value(by_name: Mapping[str, str], found: re.Match[str]) -> str:
    """Return what stands for a reference: its value, else the default it gives, else itself."""
    default = found[0] if found[2] is None else found[2]
    return by_name.get(found[1] or found[3], default)


def _array(words: Sequence[str]) -> list[str]:
    """Return the words of `(eth0 eth1)`, up to its closing bracket."""
    end = next((number for number, word in enumerate(words, 1) if word.endswith(")")), len(words))
    return [word for word in words[:end] if word.strip("()")]
