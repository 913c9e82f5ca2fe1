"""What a device's terminal says around a text: echo, prompt, pager, error messages, log messages."""

from __future__ import annotations

import re
from itertools import islice

PAGER = re.compile(
    r"-{2,}\s*\(?more\)?.{0,40}$|<-{2,}\s*more|\(more\s*\d*%?\)|^lines \d+-\d+|press any key|^\(END\)$|^:$"
    r"|q\s*=\s*quit.{0,40}$",
    re.IGNORECASE,
)
EXPIRED = re.compile(
    r"password.{0,60}(?:expired|must be changed|change your|be changed)"
    r"|(?:new|enter new|current) (?:unix )?password\s*:",
    re.IGNORECASE,
)
_PRIVILEGE = re.compile(
    r"permission denied|not permitted|privilege|authorization (?:failed|denied)|not authori[sz]ed|access denied"
    r"|not allowed|do not have permission|a password is required|must be root|rights",
    re.IGNORECASE,
)
_REFUSED = re.compile(
    r"^\s*(?:%|error\s*:|\^).{0,40}(?:invalid|incomplete|ambiguous|unrecogni[sz]ed|unknown|bad|permission|denied"
    r"|privilege|authoriz|authoris|not (?:supported|found|allowed|permitted)|wrong|too many|no such|unexpected|error)"
    r"|^\s*(?:invalid (?:input|command)|unknown command|unrecogni[sz]ed (?:input|command)|syntax error|parsing error"
    r"|command authorization failed|insufficient privileges?|permission denied|access denied|cannot execute|usage: "
    r"|this command is not supported|you do not have permission|sudo: |error: no such command)"
    r"|: (?:(?:command )?not found|permission denied|operation not permitted|no such file or directory)\s*$",
    re.IGNORECASE,
)
_LOG = re.compile(
    r"^(?:\*?\d{4} \w{3} +\d+ [\d:.]+ \S+ |\*?\w{3} +\d+ (?:\d{4} )?[\d:.]+(?: \w{2,4})?:? ?\S* ?"
    r"|\d{4}-\d\d-\d\d[T ]\S+ \S+ )?"
    r"%+(?:\d\d)?[A-Z][A-Z0-9_]*[-/]\d[-/][A-Z0-9_]{3,}",
)
_PROMPT = re.compile(r"^(?:[<\[][~*+]?)?[\w.:@~/()\[\] *!-]{0,100}[>#$%\]]$")


_CONTEXT = re.compile(r"--\{|\{\w+(?::\w+)?\}(?:\[edit\])?\s*$")
"""A line above the prompt: `--{ running }--[  ]--` of SR Linux, `{master:0}` of Junos with members."""


_NO_TEXT = frozenset(map(chr, (*range(9), 11, *range(14, 32), *range(127, 160), 0xFFFD)))


def squeezed(text: str) -> str:
    """Return a text without white space and backspaces: terminals wrap and redraw what they echo."""
    return "".join(text.replace("\b", "").split())


def is_prompt(line: str) -> bool:
    """Return whether a last line looks like a prompt."""
    return bool(_PROMPT.match(line.strip())) and len(line.strip()) > 1


def hostname_of(prompt: str) -> str:
    """Return the host name in a prompt: `leaf1#`, `<leaf1>`, `admin@leaf1:~$`, `A:leaf1#`, `leaf1 [master] >`."""
    text = re.sub(r"^(?:\{[^}]*\}|\(\w+\))\s*", "", prompt.strip()).strip("<>[]#$%~*+! ")
    text = re.split(r"[\s(\[]", text, maxsplit=1)[0]
    if "@" in text:
        text = re.split(r"[:>%#$~]", text.partition("@")[2], maxsplit=1)[0]
    elif re.match(r"^[A-Z]:", text):  # SR Linux: which CPM answers
        text = text[2:]
    else:
        text = text.partition(":")[0]
    return text.strip()


def same_host(name: str, other: str) -> bool:
    """Return whether two names are of one host; domains do not count."""
    return name.partition(".")[0].lower() == other.partition(".")[0].lower()


def without_echo(text: str, command: str, prompt: str) -> str:
    """Return a text without the echo of its command at the head and the prompt at the end."""
    lines = text.split("\n")
    if lines and lines[-1].strip() == prompt:
        lines.pop()
        if lines and _CONTEXT.match(lines[-1]):
            lines.pop()
    elif lines and prompt and lines[-1].rstrip().endswith(prompt):
        lines[-1] = lines[-1].rstrip().removesuffix(prompt)
    wanted = squeezed(command)
    head = ""
    for at, line in enumerate(lines[:40]):
        head += squeezed(line)
        if wanted in head:
            lines = lines[at + 1 :]
            break
    while lines and not lines[0].strip():
        lines.pop(0)
    while lines and not lines[-1].strip():
        lines.pop()
    return "\n".join(lines) + "\n" if lines else ""


def refusal(text: str, *, shell: bool) -> tuple[str, bool]:
    """Return the error message that stands in place of an output, and whether it is about rights.

    In the output of a shell loop every line but the loop's own titles must be one: tools differ from host to host.
    """
    most = 200 if shell else 15
    stated = (line for line in text.split("\n") if line.strip() and not (shell and line.startswith("# ")))
    lines = list(islice(stated, most + 1))  # a whole configuration is not looked through
    if not lines or len(lines) > most:
        return "", False
    wrong = [line for line in lines if _REFUSED.search(line)]
    fits = len(wrong) == len(lines) if shell else bool(wrong) and len(lines) <= 6 + 3 * len(wrong)
    if not fits:
        return "", False
    rights = next((line for line in wrong if _PRIVILEGE.search(line)), "")
    message = " ".join((rights or wrong[0]).split())[:160]
    return message, bool(rights)


def log_lines(text: str) -> int:
    """Return how many log messages of the device stand between the lines of a text."""
    if "%" not in text:
        return 0
    return sum("%" in line and bool(_LOG.match(line.lstrip())) for line in text.split("\n"))


def garbage(text: str) -> int:
    """Return how many characters are none of a text: a damaged transfer, or binary data."""
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return 0
    return sum(letter in _NO_TEXT for letter in text)
