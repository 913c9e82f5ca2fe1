"""Gives a text its indentation back, and takes out what is no configuration: banners, comments, prompts, help.

A running configuration shows by indentation which section a line belongs to. In a pasted session the prompt shows it
(`leaf1(config-if-Et1-txq-3)#`); in a script of commands nothing does, and a line belongs to the section above it as
long as that section knows its first word.
"""

from __future__ import annotations

import re
from textwrap import dedent

PROMPT = re.compile(
    r"^[ \t]*[\w.:-]{1,63}(?:\(s[12]\))? ?\((?P<mode>config[\w.,/:-]{0,120})\) ?# ?(?=[^?\n]{1,4096}$)", re.MULTILINE
)
"""The prompt before a command; the name of the mode tells how deep the command stands."""
_FREE_TEXT = re.compile(r"^(?:banner (?:login|motd|exec)|[ \t]*comment|[ \t]*system-banner)[ \t]*$")
_NESTED = re.compile(r"-(?:if-|qos-profile|[cp]map|uc-txq|mc-txq|txq|mmu)")
"""In the mode's name: the command stands below a header."""
_QUEUE_MODE = re.compile(r"-(?:uc-|mc-)?txq-[0-9]{1,2}$")
_SECTIONS = {
    "interface ": "port", "qos profile ": "port", "class-map type qos ": "class",
    "platform trident mmu queue profile ": "mmu",
    "policy-map type quality-of-service ": "policy", "policy-map type qos ": "policy",
}  # fmt: skip
_QUEUE = re.compile(r"(?:uc-|mc-)?tx-queue [0-9]")
_PORT_WORDS = frozenset(
    {"mtu", "speed", "priority-flow-control", "service-policy", "service-profile", "flowcontrol", "dcbx", "lldp",
     "switchport", "channel-group", "shutdown", "description", "ip", "ipv6", "spanning-tree", "vrf", "qos", "tx-queue",
     "uc-tx-queue", "mc-tx-queue", "shape", "error-correction", "load-interval", "l2", "profile", "sflow"}
)  # fmt: skip
_QUEUE_WORDS = frozenset({"bandwidth", "priority", "random-detect", "shape", "scheduler"})
_GLOBAL_QOS = ("qos map ", "qos rewrite ", "qos profile ", "qos random-detect ", "priority-flow-control all ",
               "priority-flow-control pause watchdog default ", "priority-flow-control pause watchdog action ",
               "priority-flow-control pause watchdog override ", "lldp run", "lldp timer ")  # fmt: skip
_WORDS = {
    "class": frozenset({"match", "description"}),
    "policy": frozenset({"class", "set", "police", "description"}),
    "mmu": frozenset({"ingress", "egress"}),
}


def without_free_text(content: str) -> str:
    """Return a text with banners and comments left blank, up to the EOF that ends them; the numbers of the lines stay.

    Text that anybody may write there is no configuration, whatever it says.
    """
    if "banner " not in content and "comment" not in content:
        return content
    lines, inside = [], False
    for line in content.split("\n"):
        if inside:
            inside = line.strip() != "EOF"
            lines.append("")
            continue
        inside = _FREE_TEXT.match(line.rstrip("\r")) is not None
        lines.append(line)
    return "\n".join(lines)


def ends_in_free_text(content: str) -> bool:
    """Return whether a text stops inside a banner or comment: it is cut off."""
    inside = False
    for line in content.split("\n") if "banner " in content or "comment" in content else ():
        inside = line.strip() != "EOF" if inside else _FREE_TEXT.match(line.rstrip("\r")) is not None
    return inside


def is_session(content: str) -> bool:
    """Return whether a text is a pasted configuration session: at least each fourth line is a command at a prompt."""
    head = content[:100_000]
    return "(config" in head and 4 * len(PROMPT.findall(head)) > sum(1 for line in head.split("\n") if line.strip())


def straightened(content: str) -> str:
    """Return a text with the lines of each section indented below its header; the numbers of the lines stay."""
    if is_session(content):
        return _of_session(content)
    text = dedent(content) if content[:1] in " \t\n\r" else content
    return _of_script(text) if _is_flat(text) else text


_INDENTED = re.compile(r"^(?:interface|qos profile) [^\n]*\n(?:[ \t]*!?\n)*[ \t]+[^\s!]", re.MULTILINE)
_FLAT = re.compile(r"^(?:interface|qos profile) [^\n]*\n(?:!?\n)*[a-z]", re.MULTILINE)


def _is_flat(text: str) -> bool:
    return _FLAT.search(text) is not None and _INDENTED.search(text) is None


def _of_session(content: str) -> str:
    lines = []
    for line in content.split("\n"):
        found = PROMPT.match(line)
        if found is None:
            lines.append("")
            continue
        mode, command = found["mode"], _whole_word(line[found.end() :].strip())
        if command.startswith(tuple(_SECTIONS)) or not _NESTED.search(mode):
            depth = 0
        else:
            depth = 2 if _QUEUE_MODE.search(mode) and not _QUEUE.match(command) else 1
        lines.append("" if command in ("exit", "end", "!") else "   " * depth + command)
    return "\n".join(lines)


def _whole_word(command: str) -> str:
    """Return a command with the one word that people shorten everywhere in full."""
    return f"interface {command[4:].lstrip()}" if command.startswith("int ") else command


def _of_script(text: str) -> str:
    """Return a script of commands with its sections indented below the line that begins them."""
    mode, queue, lines = "", False, []
    for raw in text.split("\n"):
        line = _whole_word(raw.strip())
        if not line or line[0] in "!#":
            lines.append(raw)
            continue
        section = next((kind for prefix, kind in _SECTIONS.items() if line.startswith(prefix)), "")
        words = line.split(None, 2)
        first = words[1] if words[0] in ("no", "default") and len(words) > 1 else words[0]
        if section and not line.endswith(" apply"):
            mode, queue = section, False
            lines.append(line)
        elif mode and line == "exit":
            mode, queue = (mode, False) if queue else ("", False)
            lines.append("")
        elif mode == "port" and _QUEUE.match(line):
            queue = True
            lines.append(f"   {line}")
        elif mode == "port" and queue and first in _QUEUE_WORDS:
            lines.append(f"      {line}")
        elif (mode == "port" and first in _PORT_WORDS and not line.startswith(_GLOBAL_QOS)) or first in _WORDS.get(
            mode, ()
        ):
            queue = False
            lines.append(f"   {line}")
        else:
            mode, queue = "", False
            lines.append(line)
    return "\n".join(lines)
