"""Gives a text its indentation back: generators, pasted sessions and command scripts have lost it.

`show running-configuration` indents what stands below a header by one blank. Published files do not: some write the
lines of a section at the margin, some put a blank before the header itself. The device goes by the mode it is in: a
line belongs to the section above it as long as that section knows its first word.
"""

from __future__ import annotations

import re
from textwrap import dedent

_PROMPT = re.compile(r"^[ \t]*[\w.:-]{1,63}\([a-z][\w./:,-]{0,63}\)# ?(?=[^?\n]{1,4096}$)", re.MULTILINE)
"""The prompt before a command; a line that asks for help (`class-map ?`) is none."""
_BODY_WORDS = (
    "qos-group ", "queue ", "match qos-group ", "match queue ", "class ", "pause", "pfc-cos ", "bandwidth ",
    "random-detect", "priority-flow-control ", "service-policy ", "flowcontrol ", "ets mode", "trust-map ",
    "queue-limit ",
)  # fmt: skip
_HEADS = (
    r"(?:interface (?=range |eth|Eth|port-|Port-)|class-map type |policy-map type |system qos|wred "
    r"|trust (?:dot1p|dscp)-map )"
)
_BENT = re.compile(r"\n(?:(?:" + "|".join(map(re.escape, _BODY_WORDS)) + r")|[ \t]+" + _HEADS + ")")
"""A line of a section at the margin, or a header with blanks before it."""
_SECTIONS = {
    "class-map ": "class-map",
    "policy-map ": "policy-map",
    "trust dot1p-map ": "trust",
    "trust dscp-map ": "trust",
    "qos-map traffic-class ": "qos-map",
    "wred ": "wred",
    "system qos": "system",
    "interface ": "interface",
    "vlt-domain ": "vlt",
}
_WORDS = {
    "class-map": frozenset({"match", "description"}),
    "policy-map": frozenset(
        {"class", "pause", "pfc-cos", "bandwidth", "priority", "random-detect", "queue-limit", "description", "set",
         "police", "shape", "trust"}
    ),
    "trust": frozenset({"qos-group", "description"}),
    "qos-map": frozenset({"queue", "description"}),
    "wred": frozenset({"random-detect"}),
    "system": frozenset(
        {"trust-map", "qos-map", "ets", "service-policy", "random-detect", "buffer-statistics-tracking",
         "pfc-max-buffer-size", "pfc-shared-buffer-size"}
    ),
    "vlt": frozenset({"discovery-interface", "backup", "peer-routing", "vlt-mac", "primary-priority", "delay-restore"}),
    "interface": frozenset(
        {"mtu", "speed", "priority-flow-control", "service-policy", "flowcontrol", "switchport", "channel-group",
         "shutdown", "description", "ip", "ipv6", "spanning-tree", "fec", "ets", "qos-map", "trust-map", "dcbx",
         "vlt-port-channel", "lldp", "random-detect", "negotiation", "no"}
    ),
}  # fmt: skip


def is_session(content: str) -> bool:
    """Return whether a text is a pasted configuration session: at least each fourth line is a command at a prompt."""
    head = content[:100_000]
    return ")#" in head and 4 * len(_PROMPT.findall(head)) > sum(1 for line in head.split("\n") if line.strip())


def is_bent(content: str) -> bool:
    """Return whether the indentation of a text does not show which section its lines belong to."""
    return content[:1] in " \t" or _BENT.search("\n" + content) is not None


def straightened(content: str) -> str:
    """Return a text with the lines of each section indented below its header; the numbers of the lines stay."""
    text = _PROMPT.sub("", dedent(content.expandtabs(8)) if content[:1] in " \t" else content)
    lines = text.split("\n")
    mode, done = "", []
    for at, line in enumerate(lines):
        words = line.strip()
        if not words or words[0] in "!#":
            done.append("")
            continue
        section = next((kind for prefix, kind in _SECTIONS.items() if words.startswith(prefix)), "")
        indented = line[0] in " \t"
        if section and not _is_body(section, mode, lines, at, indented=indented):
            mode = section
            done.append(words)
        elif words in ("exit", "end"):
            done.append("")
        elif mode and (indented or _first_word(words) in _WORDS[mode]):
            done.append(f"  {words}")
        else:
            mode = ""
            done.append(line)
    return "\n".join(done)


def _is_body(section: str, mode: str, lines: list[str], at: int, *, indented: bool) -> bool:
    """Return whether what looks like a header is a line below one: `qos-map traffic-class` attaches too."""
    if section != "qos-map":
        return indented and mode in ("", "interface") and not re.match(_HEADS, lines[at].strip())
    following = next((line.strip() for line in lines[at + 1 : at + 6] if line.strip(" \t\r!")), "")
    return not following.startswith("queue ") and (indented or mode in ("interface", "system"))


def _first_word(text: str) -> str:
    word, _, rest = text.partition(" ")
    return rest.partition(" ")[0] if word == "no" else word
