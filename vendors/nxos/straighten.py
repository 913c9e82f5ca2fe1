"""Gives a text its indentation back: pasted sessions, command scripts and quoted configurations have lost it.

A running configuration shows by indentation which section a line belongs to. In a session (`leaf1(config-if)# mtu
9216`), a script of commands or a block quoted in a document that help is gone, and the device goes by the mode it
is in: a line belongs to the section above it as long as that section knows its first word.
"""

from __future__ import annotations

import re
from textwrap import dedent

_PROMPT = re.compile(r"^[ \t]*[\w.:-]{1,63}\([a-z][\w.-]{0,63}\)# ?(?=[^?\n]{1,4096}$)", re.MULTILINE)
"""The prompt before a command; a line that asks for help (`class-map ?`) is none."""
_HELP = re.compile(
    r"^[ \t]*[\w.:-]{1,63}(?:\([\w.-]{1,63}\))?[#>][^\n]{0,1000}\?[ \t]*\n(?:(?![^\n]*[#>])[ \t]*[^\s!][^\n]*\n?)*",
    re.MULTILINE,
)
"""A prompt that asks for help (`leaf1(config)# class-map ?`) and what the switch answered, down to a blank line."""
_INDENTED_PORT = re.compile(r"^int(?:erface)? [^\n]*\n(?:[ \t]*!?\n)*[ \t]+[^\s!]", re.MULTILINE)
_SECTIONS = {"class-map": "class-map", "policy-map": "policy-map", "system qos": "system", "interface ": "interface",
             "int ": "interface", "port-profile ": "interface", "control-plane": "control-plane"}  # fmt: skip
_OF_PORT = re.compile(
    r"(?:no )?(?:description|inherit port-profile|mtu|speed|switchport|service-policy|flowcontrol|channel-group"
    r"|priority-flow-control mode|shutdown)\b"
)
"""What can stand at the margin only below a port: also the first line of such a port in a text that indents others."""
_SHOWN_POLICY = re.compile(r"^[ \t]+(?=policy-map type )", re.MULTILINE)
_SHOWN_OF_SYSTEM = re.compile(r"^\S{0,63}[#>] ?show policy-map system", re.MULTILINE)
_WORDS = {
    "class-map": frozenset({"match", "description"}),
    "policy-map": frozenset(
        {"class", "set", "mtu", "pause", "bandwidth", "priority", "random-detect", "queue-limit", "shape", "police",
         "congestion-control", "multicast-optimize", "description", "afd"}
    ),
    "system": frozenset({"service-policy", "fex"}),
    "interface": frozenset(
        {"mtu", "speed", "priority-flow-control", "service-policy", "flowcontrol", "link-level-flow-control", "lldp",
         "switchport", "channel-group", "shutdown", "vpc", "description", "ip", "ipv6", "duplex", "negotiate",
         "spanning-tree", "vrf", "fec", "queuing", "inherit", "state", "storm-control", "cdp", "udld", "logging",
         "load-interval", "delay", "bandwidth", "beacon", "bfd", "carrier-delay", "dot1q", "dot1x", "encapsulation",
         "errdisable", "evpn", "hsrp", "isis", "keepalive", "lacp", "link", "mac", "management", "mdix", "medium",
         "mpls", "ospfv3", "pim", "ptp", "snmp", "private-vlan", "rate-mode", "speed-group", "vtp", "hardware",
         "access-group", "macsec", "cts", "pause", "transmit", "xconnect", "fabric", "queue-limit"}
    ),
    "control-plane": frozenset({"service-policy", "scale-factor"}),
}  # fmt: skip


def without_help(content: str) -> str:
    """Return a text with the pasted answers of the command line's help left blank; the numbers of the lines stay."""
    if "?" not in content or "#" not in content:
        return content
    return _HELP.sub(lambda found: "\n" * found[0].count("\n"), content)


def is_session(content: str) -> bool:
    """Return whether a text is a pasted configuration session: at least each fourth line is a command at a prompt."""
    head = content[:100_000]
    return ")#" in head and 4 * len(_PROMPT.findall(head)) > sum(1 for line in head.split("\n") if line.strip())


def shows_policies_of_system(content: str) -> bool:
    """Return whether a text was printed by `show policy-map system`: the policies in it are attached."""
    return _SHOWN_OF_SYSTEM.search(content) is not None


def straightened(content: str) -> str:
    """Return a text with the lines of each section indented below its header; the numbers of the lines stay."""
    text = _PROMPT.sub("", dedent(content.expandtabs(8)) if content[:1] in " \t\n\r" else content)
    text = _SHOWN_POLICY.sub("", text)
    mixed = _INDENTED_PORT.search(text) is not None
    mode, lines = "", []
    source = text.split("\n")
    for number, line in enumerate(source):
        if not line.strip() or line[0] in " \t!#":
            lines.append(line)
            continue
        section = next((kind for prefix, kind in _SECTIONS.items() if line.startswith(prefix)), "")
        if section:
            mode = "" if section == "interface" and mixed and not _is_flat(source, number) else section
            lines.append(line)
            continue
        words = line.split(None, 2)
        first = words[1] if words[0] == "no" and len(words) > 1 else words[0]
        if mode and words[0] == "exit":
            lines.append("")
            mode = mode if mode == "policy-map" else ""
        elif mode and first in _WORDS[mode]:
            lines.append(f"  {line}")
        else:
            mode = ""
            lines.append(line)
    return "\n".join(lines)


def _is_flat(lines: list[str], number: int) -> bool:
    """Return whether what belongs to a port stands at the margin, as its next line."""
    below = next((line for line in lines[number + 1 :] if line.strip() and line[0] not in "!#"), "")
    return _OF_PORT.match(below) is not None
