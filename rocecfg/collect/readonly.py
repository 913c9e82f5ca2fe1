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
    if _asks_for_a_file(first):
        return f"{' '.join(first)} writes a file on the device"
    for part in filters:
        if not part or part[0] not in FILTERS:
            return f"| {' '.join(part)} is no filter that only reads"
    return ""


def _asks_for_a_file(words: Sequence[str]) -> bool:
    """Return whether a show command collects what support wants: many systems leave that as a file in their flash."""
    return len(words) > 1 and words[1].startswith(("tech", "diag"))


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


_SEVERAL = "$@"
"""In place of what stands outside quotes and may become several words, options among them."""


class _Programs:
    """Takes a shell line apart: every program that it can run, with its words.

    A variable or substitution is "$" where it is one word, `_SEVERAL` where nothing says so.
    """

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0
        self._single: set[str] = set()  # variables of a loop over plain words
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
                if word != "2" or not re.compile(r"/dev/null(?=[ ;|&)]|$)").match(self._text, self._at):
                    raise _NotSimpleError("> writes a file")
                self._at += len("/dev/null")
                word = None
            else:
                word = (word or "") + self._part(letter)
        if until:
            raise _NotSimpleError("a parenthesis is not closed")
        self._done(words, word)

    def _part(self, letter: str) -> str:
        """Return a piece of a word: a letter, a quoted string, a substitution."""
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
                piece += self._substituted(quoted=True) if inner == "$" else self._plain(inner, "`\\")
            raise _NotSimpleError("a quote is not closed")
        return self._substituted(quoted=False) if letter == "$" else self._plain(letter, "`\\<(){}\n\r")

    @staticmethod
    def _plain(letter: str, unsafe: str) -> str:
        if letter in unsafe:
            raise _NotSimpleError(f"{letter!r} is a construct that is not taken apart")
        return letter

    def _substituted(self, *, quoted: bool) -> str:
        if self._text.startswith("((", self._at):
            raise _NotSimpleError("$(( )) is a construct that is not taken apart")
        if self._text.startswith("(", self._at):
            self._at += 1
            self._walk(")")
            return "$" if quoted else _SEVERAL
        variable = re.compile(r"\{[A-Za-z_]\w*(?:[%#]{1,2}[\w/.*-]*)?\}|[A-Za-z_]\w*").match(self._text, self._at)
        if variable is None:
            raise _NotSimpleError("$ without a plain name")
        self._at = variable.end()
        return "$" if quoted or variable[0] in self._single else _SEVERAL

    def _done(self, words: list[str], word: str | None) -> None:
        words = words if word is None else [*words, word]
        while words and words[0] in {"do", "then"}:
            words = words[1:]
        if words and words[0] == "for":
            if len(words) < 3 or words[2] != "in" or not re.fullmatch(r"[a-z]\w{0,15}", words[1]):
                raise _NotSimpleError("a loop is `for name in words`")
            self._single.discard(words[1])
            if all(re.fullmatch(r"[a-z]\w*", item) for item in words[3:]):
                self._single.add(words[1])
        elif len(words) == 1 and re.fullmatch(r"[a-z]\w{0,15}=.*", words[0]):
            self._single.discard(words[0].partition("=")[0])
        elif words and words != ["done"]:
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
_DCB = frozenset({"$", "pfc", "ets", "app", "buffer", "maxrate", "dcbx", "apptrust", "rewr"})
_NICCLI = frozenset({"--show", "--list_devices", "--list", "--ets", "--ingress", "--cosq", "--dev", "qos", "show", "$"})


def _options_within(allowed: frozenset[str]) -> Callable[[Sequence[str]], bool]:
    return lambda words: all(word in allowed for word in words if word.startswith("-"))


def _asks(words: Sequence[str]) -> bool:
    return not _CHANGES & set(words) and not _asks_for_a_file(["show", *words])


def _any(_words: Sequence[str]) -> bool:
    return True


def _of_object(objects: frozenset[str], *, bare: bool) -> Callable[[Sequence[str]], bool]:
    """Return a check of iproute2's way: options that shape the output, an object, a verb that shows.

    Its tools take every verb in short (`se`, `d`, `f`), so a verb is one of those that show, or none where `bare`.
    """

    def check(words: Sequence[str]) -> bool:
        if not all(word in _SHAPING for word in words if word.startswith("-")):
            return False
        plain = [word for word in words if not word.startswith("-")]
        if not plain or plain[0] not in objects:
            return False
        return plain[1] in {"show", "list"} if plain[1:] else bare

    return check


_SHAPING = frozenset({"-j", "-p", "-s", "-d", "-i", "-o", "-br", "-json", "-pretty", "-details", "-4", "-6"})
_PLAIN = (
    "cat", "grep", "egrep", "cut", "basename", "readlink", "echo", "ls", "head", "wc", "tr",
    "ibv_devinfo", "show_gids", "ibdev2netdev",
)  # fmt: skip
"""Programs that cannot write, whatever they are told, as long as nothing redirects them."""
_READERS: dict[str, Callable[[Sequence[str]], bool]] = {
    **dict.fromkeys(_PLAIN, _any),
    "ethtool": lambda words: bool(words) and words[0] in _ETHTOOL and _options_within(_ETHTOOL)(words),
    "dcb": _of_object(_DCB, bare=False),
    "rdma": _of_object(frozenset({"link", "dev", "statistic", "resource", "system"}), bare=True),
    "ip": _of_object(frozenset({"link", "addr", "address"}), bare=True),
    "mlnx_qos": lambda words: bool(words) and _options_within(frozenset({"-i", "--interface"}))(words),
    "lldptool": lambda words: "-t" in words and _options_within(frozenset({"-t", "-i", "-n", "-V"}))(words),
    "niccli": lambda words: (
        bool({"--show", "--list_devices", "--list", "show"} & set(words))
        and set(words) <= _NICCLI
        and all(words[at - 1 : at] == ["--dev"] for at, word in enumerate(words) if word == "$")
    ),
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
    if program not in _PLAIN and any(_SEVERAL in word for word in words):
        return f"what stands for $ in {program} may be several words: quote it"
    check = _READERS.get(program)
    if check is None:
        return f"{program} is no program that is known to read only"
    return "" if check(arguments) else f"{program} {' '.join(arguments)} may change something"
