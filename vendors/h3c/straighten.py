"""Puts each line of a Comware text into its view: saved configurations, pasted sessions, scripts of commands.

`display current-configuration` prints `#` between blocks, the header of a view at the margin, its lines one blank
deeper, and single commands of the system view behind one blank too. A session (`[H3C-HundredGigE1/0/1]qos trust dscp`)
and a script have lost that: there a line belongs to the view above it as long as that view knows its first words.
"""

from __future__ import annotations

import re
from textwrap import dedent
from typing import NamedTuple

_PROMPT = re.compile(r"[ \t]*(?:\[[~*]?([\w.:/-]{1,100})\]|<([\w.:/-]{1,100})>)[ \t]*(?=[^\s\d]|$)")
_AT_MARGIN = re.compile(r"^[^\s#!]", re.MULTILINE)
_IN_VIEW = re.compile(
    r"-(?:(?:[A-Za-z-]*(?:GigE|GigabitEthernet|[Gg]ige|[Aa]ggregation|interface|LoopBack|NULL))[\d/:.]*"
    r"|(?:maptbl|wred-table|qmprofile|behavior|classifier|qospolicy|if-range|vlan|line|ai-service|ai-ecn)\b.*)$"
)
_SYSTEM_ONLY = ("priority-flow-control poolid", "priority-flow-control poolID", "priority-flow-control deadlock cos",
                "priority-flow-control deadlock precision", "priority-flow-control deadlock auto-recover",
                "priority-flow-control deadlock threshold", "lldp global", "sysname ", "version ", "buffer apply",
                "netanalysis ")  # fmt: skip
_INTERFACE_WORDS = frozenset(
    {"port", "undo", "link-delay", "priority-flow-control", "qos", "stp", "ip", "ipv6", "description", "lldp", "speed",
     "duplex", "mtu", "jumboframe", "shutdown", "flow-control", "dcbx", "buffer", "fec", "link-aggregation", "lacp",
     "dldp", "mac-address", "arp", "ospf", "bgp", "isis", "storm-constrain", "broadcast-suppression", "using",
     "multicast-suppression", "unicast-suppression", "flow-interval", "loopback-detection", "packet-filter", "bfd"}
)  # fmt: skip
_WORDS = {
    "interface": _INTERFACE_WORDS,
    "qos map-table": frozenset({"import", "undo"}),
    "qos wred queue table": frozenset({"queue", "undo"}),
    "qos qmprofile": frozenset({"queue", "bandwidth", "undo"}),
    "qos policy": frozenset({"classifier"}),
    "traffic classifier": frozenset({"if-match"}),
    "traffic behavior": frozenset({"remark", "car", "filter", "redirect", "accounting", "queue", "mirror-to"}),
    "ai-service": frozenset({"ai", "ai-ecn", "queue"}),
}


_MORE = "---- More ----"
_PAGER = re.compile(r"^\s*---- More ----(?:.*(?:\x1b\[\d{0,3}[A-Z]|[\r\x08]))?")
"""The pager, and what a terminal uses to wipe it off: the text behind that is a line like others."""


class Straight(NamedTuple):
    """A text whose lines stand in their views, line by line as before, and whether it is a pasted session."""

    text: str
    session: bool


def straightened(content: str) -> Straight:
    """Return a text with the headers of views at the margin and their lines one blank deeper, `#` left blank."""
    text = content.expandtabs(8) if "\t" in content else content
    if _AT_MARGIN.search(text) is None:
        text = dedent(text)  # quoted as a whole
    lines: list[str] = []
    view, deeper, prompts, said = "", False, 0, 0
    for raw in text.split("\n"):
        line = _PAGER.sub("", raw).rstrip() if _MORE in raw else raw.rstrip()
        stripped = line.lstrip()
        if not stripped or stripped[0] in "#!":
            view = "" if stripped == "#" else view  # with words behind it, it is a comment in a script
            lines.append("")
            continue
        said += 1
        prompt = _PROMPT.match(line) if stripped[0] in "[<" else None
        if prompt is not None:
            prompts += 1
            line = stripped = _without(prompt, line)
            if prompt[2] is not None or _IN_VIEW.search(prompt[1]) is None:
                view = ""
            if not stripped:
                lines.append("")
                continue
        if line[0] == " " and stripped in ("quit", "exit"):
            lines.append("")  # of an indented script; no configuration prints it
        elif line[0] == " ":
            deeper = deeper or bool(view)
            lines.append(line if view else stripped)
        elif view and not deeper and stripped in ("quit", "exit"):
            view = ""
            lines.append("")
        elif view and not deeper and _belongs(view, stripped):
            lines.append(" " + stripped)
        else:
            view, deeper = _view_of(stripped), False
            lines.append(stripped)
    return Straight("\n".join(lines), prompts * 4 > said)


def _without(prompt: re.Match[str], line: str) -> str:
    """Return the command behind a prompt; nothing for one that only shows something."""
    command = line[prompt.end() :].strip()
    return "" if prompt[2] is not None and command.startswith(("display ", "dis ")) else command


def _view_of(header: str) -> str:
    return next((word for word in _WORDS if header.startswith(word)), "other")


def _belongs(view: str, line: str) -> bool:
    """Return whether a line at the margin belongs to the view above it."""
    if line.startswith("qos ") and line.startswith(tuple(_WORDS)):
        return False
    if line.startswith(_SYSTEM_ONLY):
        return False
    return line.split(None, 1)[0] in _WORDS.get(view, frozenset())
