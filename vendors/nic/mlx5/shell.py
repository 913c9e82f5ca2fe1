"""Reads command lines: a user's own script, or a prompt with a command in a transcript.

A command that sets something is a statement about the host; one that reads says which port the following output is
of. Variables, `for` lists, `;`, `&&`, `||`, continuation lines and redirections are followed; nothing is ever run.
"""

from __future__ import annotations

import re
import shlex
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rocecfg.state.model import Where
    from vendors.nic.mlx5.outputs import Outputs

_commands = load_module(Path(__file__).with_name("commands.py"))
_sysfs = load_module(Path(__file__).with_name("sysfs.py"))

_OURS = re.compile(
    r"(?:^|[\s;&|(/])(?:mlnx_qos|dcb|cma_roce_tos|cma_roce_mode|mlxconfig|mstconfig|ethtool|ifconfig|show_gids|rdma|lldptool"
    r"|ip)\s|show_gids|traffic_class|/ecn/|cc_params|rdma_cm/|/roce_[nr]p/"
)
"""Cheap look before the line is split into words."""
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
_VARIABLE = re.compile(r"\$(?:\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))")
_STREAM = re.compile(r"(?<![^\s;&|])[0-9]([<>])")
"""The number of a stream before a redirection: `2>/dev/null`, not `echo 2 >file`."""
_PROMPT = re.compile(r"(?:\[[^\]\n]{0,80}\]|[\w.@:~/-]{0,80})\s?[#$>]\s+(?=\S)")
_SKIPPED = {"sudo", "then", "else", "do", "if", "while", "!", "{", "time", "exec", "-E", "export", "local",
            "readonly", "declare"}  # fmt: skip
_MOST_COMMANDS = 256


class Shell:
    """Reads the command lines of one text."""

    def __init__(self, outputs: Outputs) -> None:
        self.outputs = outputs
        self.variables: dict[str, list[str]] = {}

    def looks_ours(self, line: str) -> bool:
        """Return whether a line may hold a command we read."""
        return _OURS.search(line) is not None

    def prompt(self, line: str) -> str | None:
        """Return the command behind a prompt (`root@gpu01:~# dcb pfc show dev ens1`), None when there is none."""
        found = _PROMPT.match(line)
        return line[found.end() :].strip() if found else None

    def take(self, line: str, place: Where, *, only_reading: bool = False) -> bool | None:
        """Take one logical line: True = understood, False = ours and not understood, None = none of ours."""
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
                self.variables[name] = self._expand(value)
            words = words[1:]
        if words[:1] == ["for"] and "in" in words:
            values = [value for word in words[words.index("in") + 1 :] for value in self._expand(word)]
            self.variables[words[1]] = [value for value in values if value != "do"][:_MOST_COMMANDS]
            return None
        if not words:
            return None
        verdict: bool | None = None
        for expanded in self._expanded([*words, target]):
            taken = self._run(expanded[:-1], expanded[-1], place, only_reading=only_reading)
            if taken is not None:
                verdict = taken if verdict is None else verdict and taken
        return verdict

    def _run(self, words: Sequence[str], target: str, place: Where, *, only_reading: bool) -> bool | None:
        name = words[0].rpartition("/")[2]
        if name in {"echo", "printf"} and target:
            if not _sysfs.is_ours(target):
                return False if _OURS.search(target) else None
            if "$" in target or only_reading:
                return False
            return bool(_sysfs.take(self.outputs.host, target, words[-1], place))
        taken: bool | None = _commands.take(self.outputs, name, list(words[1:]), place, only_reading=only_reading)
        return taken

    def _expand(self, word: str) -> list[str]:
        """Return the values a word may have; what is unknown stays as it is written."""
        names = list(dict.fromkeys(first or second for first, second in _VARIABLE.findall(word)))
        known = [name for name in names if name in self.variables]
        expanded = []
        for values in product(*(self.variables[name] for name in known)):
            by_name = dict(zip(known, values, strict=True))
            expanded.append(
                _VARIABLE.sub(lambda found, now=by_name: now.get(found[1] or found[2], found[0]), word)  # type: ignore[misc]
            )
            if len(expanded) >= _MOST_COMMANDS:
                break
        return expanded

    def _expanded(self, words: list[str]) -> Iterator[list[str]]:
        """Yield the words with every variable set to each of its values together (one `for` at a time)."""
        if not any("$" in word for word in words):
            yield words
            return
        names = {first or second for word in words for first, second in _VARIABLE.findall(word)}
        known = [name for name in sorted(names) if name in self.variables]
        choices = product(*(self.variables[name] for name in known))
        for _, values in zip(range(_MOST_COMMANDS), choices, strict=False):
            by_name = dict(zip(known, values, strict=True))
            yield [
                _VARIABLE.sub(lambda found, now=by_name: now.get(found[1] or found[2], found[0]), word)  # type: ignore[misc]
                for word in words
            ]
