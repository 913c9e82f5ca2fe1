"""Which commands only read: the rule that every command of a manifest must pass before a device is asked.

`rejected(command, shell)` says why a command is not read-only; empty when it is. A CLI command begins with show,
display or info and is piped into filters only. A shell command (Linux hosts, SONiC, Cumulus) is taken apart into the
programs it runs; each must be one that is known to read, with arguments that read.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LONGEST = 4000
VERBS = frozenset({"show", "display", "info"})
FILTERS = frozenset(
    {
        "no-more", "json", "json-pretty", "json-print", "display", "count", "include", "exclude", "begin",
        "grep", "egrep", "last", "as", "match", "except", "find", "section", "until", "head", "nomore", "trim",
    }
)  # fmt: skip
_CLI_UNSAFE = frozenset(";`$<>&\\")


def rejected(command: str, *, shell: bool) -> str:
    """Return why a command may not be sent; empty when it only reads."""
    if not command.isascii() or not command.isprintable() or not command.strip() or len(command) > LONGEST:
        return "one line of printable ASCII is expected"
    return _rejected_shell(command) if shell else _rejected_cli(command)


def _rejected_cli(command: str) -> str:
    unsafe = sorted(set(command) & _CLI_UNSAFE)
    if unsafe:
        return f"{unsafe[0]} can chain or redirect"
    first, *filters = (part.split() for part in command.split("|"))
    if not first or first[0] not in VERBS:
        return f"{first[0] if first else 'nothing'} is none of {', '.join(sorted(VERBS))}"
    for part in filters:
        if not part or part[0] not in FILTERS:
            return f"| {' '.join(part)} is no filter that only reads"
    return ""


def _rejected_shell(command: str) -> str:
    try:
        for words in _Programs(command).found:
            reason = _rejected_program(words)
            if reason:
                return reason
    except _NotSimpleError as error:
        return str(error)
    return ""


class _NotSimpleError(ValueError):
    """A shell construct that is not taken apart, so nobody can say what it runs."""


class _Programs:
    """Takes a shell line apart: every program that it can run, with its words."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0
        self.found: list[list[str]] = []
        self._walk("")

    def _walk(self, until: str) -> None:
        """Read commands up to the closing parenthesis of a substitution, or the end."""
        words: list[str] = []
        word: str | None = None
        while self._at < len(self._text):
            letter = self._text[self._at]
            self._at += 1
            if letter == until:
                self._done(words, word)
                return
            if letter == " ":
                words, word = (words if word is None else [*words, word]), None
            elif letter in "|;&":
                doubled = self._text[self._at : self._at + 1] == letter
                if letter == "&" and not doubled:
                    raise _NotSimpleError("& would leave a program running")
                self._at += doubled and letter != ";"
                self._done(words, word)
                words, word = [], None
            elif letter == ">":
                if word != "2" or not self._text.startswith("/dev/null", self._at):
                    raise _NotSimpleError("> writes a file")
                self._at += len("/dev/null")
                word = None
            else:
                word = (word or "") + self._part(letter)
        if until:
            raise _NotSimpleError("a parenthesis is not closed")
        self._done(words, word)

    def _part(self, letter: str) -> str:
        """Return a piece of a word: a letter, a quoted string, a substitution (as "$")."""
        if letter == "'":
            end = self._text.find("'", self._at)
            if end < 0:
                raise _NotSimpleError("a quote is not closed")
            piece, self._at = self._text[self._at : end], end + 1
            return piece
        if letter == '"':
            piece = ""
            while self._at < len(self._text):
                inner = self._text[self._at]
                self._at += 1
                if inner == '"':
                    return piece
                piece += self._substituted() if inner == "$" else self._plain(inner, "`\\")
            raise _NotSimpleError("a quote is not closed")
        return self._substituted() if letter == "$" else self._plain(letter, "`\\<(){}\n\r")

    @staticmethod
    def _plain(letter: str, unsafe: str) -> str:
        if letter in unsafe:
            raise _NotSimpleError(f"{letter!r} is a construct that is not taken apart")
        return letter

    def _substituted(self) -> str:
        if self._text.startswith("((", self._at):
            raise _NotSimpleError("$(( )) is a construct that is not taken apart")
        if self._text.startswith("(", self._at):
            self._at += 1
            self._walk(")")
            return "$"
        variable = re.compile(r"\{[A-Za-z_]\w*(?:[%#]{1,2}[\w/.*-]*)?\}|[A-Za-z_]\w*").match(self._text, self._at)
        if variable is None:
            raise _NotSimpleError("$ without a plain name")
        self._at = variable.end()
        return "$"

    def _done(self, words: list[str], word: str | None) -> None:
        words = words if word is None else [*words, word]
        while words and words[0] in {"do", "then"}:
            words = words[1:]
        if words and words[0] == "for":
            if len(words) < 3 or words[2] != "in" or not re.fullmatch(r"[a-z]\w{0,15}", words[1]):
                raise _NotSimpleError("a loop is `for name in words`")
        elif words and words != ["done"] and not (len(words) == 1 and re.fullmatch(r"[a-z]\w{0,15}=.*", words[0])):
            self.found.append(words)


_CHANGES = frozenset(
    {
        "add", "del", "delete", "set", "change", "replace", "append", "flush", "bind", "unbind", "netns",
        "exec", "install", "reset", "update", "write", "save", "create", "enable", "disable", "upgrade",
        "restore", "import", "clear", "start", "stop", "restart", "reboot", "reload", "mode-set", "monitor",
    }
)  # fmt: skip
_ETHTOOL = frozenset(
    {
        "-a", "-i", "-S", "-k", "-g", "-c", "-l", "-m", "-T", "--get-tunable", "--show-fec", "--show-pause",
        "--driver", "--statistics", "--json", "--show-ring", "--show-coalesce", "--module-info", "--show-priv-flags",
    }
)  # fmt: skip
_NICCLI = frozenset({"--show", "--list_devices", "--list", "--ets", "--ingress", "--cosq", "--dev", "qos", "show", "$"})


def _options_within(allowed: frozenset[str]) -> Callable[[Sequence[str]], bool]:
    return lambda words: all(word in allowed for word in words if word.startswith("-"))


def _asks(words: Sequence[str], *verbs: str) -> bool:
    return not _CHANGES & set(words) and (not verbs or bool(set(verbs) & set(words)))


def _any(_words: Sequence[str]) -> bool:
    return True


def _of_object(objects: frozenset[str]) -> Callable[[Sequence[str]], bool]:
    """Return a check of iproute2's way: options that shape the output, an object, no verb that changes."""

    def check(words: Sequence[str]) -> bool:
        plain = [word for word in words if not word.startswith("-")]
        shaping = {"-j", "-p", "-s", "-d", "-o", "-br", "-json", "-pretty", "-details", "-4", "-6"}
        return bool(plain) and plain[0] in objects and _asks(words) and all(
            word in shaping for word in words if word.startswith("-")
        )  # fmt: skip

    return check


_PLAIN = (
    "cat", "grep", "egrep", "cut", "basename", "readlink", "echo", "ls", "head", "wc", "tr",
    "ibv_devinfo", "show_gids", "ibdev2netdev",
)  # fmt: skip
"""Programs that cannot write, whatever they are told, as long as nothing redirects them."""
_READERS: dict[str, Callable[[Sequence[str]], bool]] = {
    **dict.fromkeys(_PLAIN, _any),
    "ethtool": lambda words: bool(words) and words[0] in _ETHTOOL and _options_within(_ETHTOOL)(words),
    "dcb": lambda words: _asks(words, "show") and _options_within(frozenset({"-j", "-p", "-i", "-s"}))(words),
    "rdma": _of_object(frozenset({"link", "dev", "statistic", "resource", "system"})),
    "ip": _of_object(frozenset({"link", "addr", "address"})),
    "mlnx_qos": lambda words: bool(words) and _options_within(frozenset({"-i", "--interface"}))(words),
    "lldptool": lambda words: "-t" in words and _options_within(frozenset({"-t", "-i", "-n", "-V"}))(words),
    "niccli": lambda words: bool({"--show", "--list_devices", "--list", "show"} & set(words)) and set(words) <= _NICCLI,
    "show": _asks,
    "nicctl": lambda words: words[:1] == ["show"] and _asks(words),
    "nv": lambda words: words[:1] == ["show"] or words[:2] in (["config", "show"], ["config", "diff"]),
}  # fmt: skip
"""Programs that read, each with a check of its arguments. Whatever can write a file by an option is not here."""


def _rejected_program(words: Sequence[str]) -> str:
    program, arguments = words[0], list(words[1:])
    if program == "sudo":
        return _rejected_program(arguments) if arguments else "sudo runs nothing"
    if program == "docker":
        inside = arguments[2:]
        fine = arguments[:1] == ["exec"] and inside[:1] in (["cat"], ["ls"])
        return "" if fine else f"docker {' '.join(arguments[:3])} may change something"
    check = _READERS.get(program)
    if check is None:
        return f"{program} is no program that is known to read only"
    return "" if check(arguments) else f"{program} {' '.join(arguments)} may change something"
