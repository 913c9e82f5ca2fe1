"""Gives a text its plain form: notes at line ends, prompts and lost indentation removed; line numbers stay.

`//` notes stand in the configuration scripts of the product guide. In a session (`[~leaf1-100GE1/0/1] trust dscp`) or a
script of commands the lines have no indentation; the device goes by the view it is in, and so does this: a line belongs
to the section above it as long as that section knows its words. A `#`, `quit` or `return` ends a view.
"""

from __future__ import annotations

import re

_PAGED = re.compile(r"(?:[ \t]{0,4}-{2,4} ?More ?-{2,4}[ \t]{0,80})?\x1b\[\d{1,3}D[ \t]{0,80}(?:\x1b\[\d{1,3}D)?")
_NOTE = re.compile(r"(?<=[ \t])//[^\n]*")
_PROMPT = re.compile(r"^[ \t]*(?:\[[~*]?[\w.:/ -]{1,100}\]|<[\w.:/-]{1,63}>)[ \t]*", re.MULTILINE)
_VIEW = re.compile(r"[ \t]*\[[~*]?([\w.:/ -]{1,100})\]")
_AT_PROMPT = re.compile(
    r"^[ \t]*\[[~*]?[\w.-]{1,63}(?:-[\w./:-]{1,63})?\][ \t]{0,8}(?!dis|quit|return|commit|sys|q$|undo ter)[a-z0-9]",
    re.MULTILINE,
)
"""A configuration command at a prompt; one that displays or leaves tells nothing of the form of the text."""
_SEPARATOR = re.compile(r"^[ \t]*#", re.MULTILINE)
_INDENTED = re.compile(r"^[ \t]+(?=[a-z0-9])", re.MULTILINE)
_OURS = re.compile(
    r"^[ \t]*(?:interface |dcb |qos |undo dcb |undo qos |diffserv domain |drop-profile |ai-service|port-group |abs-pfc"
    r" )",
    re.MULTILINE,
)
_WORDS = {
    "pfc": re.compile(r"(?:undo )?priority\b"),
    "ets": re.compile(r"(?:undo )?(?:priority-group|queue)\b"),
    "app": re.compile(r"(?:undo )?application\b"),
    "uplink": re.compile(r"(?:undo )?(?:group-member|adjust)\b"),
    "abs": re.compile(r"(?:undo )?priority\b"),
    "drop": re.compile(r"(?:undo )?(?:ecn|color|description)\b"),
    "domain": re.compile(r"(?:undo )?(?:ip-dscp-|8021p-|ip-precedence-|mpls-exp-)"),
    "ai": re.compile(
        r"(?:undo )?(?:ai-ecn|iqcn|npcc|mice-|assign queue|rpg-time-reset|buffer optimization|mode |ecn |flex)"
    ),
    "interface": re.compile(
        r"(?:undo )?(?:group-member |dcb (?:pfc (?:enable|buffer)|ets enable|app-profile (?:enable|disable)|compliance|"
        r"abs-pfc)|"
        r"qos (?:queue|pq|drr|lpq|wrr|wfq|buffer queue|phb|lr|car|micro|buffer-monitoring|schedule)|"
        r"qos burst-mode \w+$|"
        r"trust|port |portswitch|lldp tlv|flow-control|long-distance|mtu|jumboframe|iqcn|npcc|ipv6 npcc|abs-pfc enable|"
        r"ip |ipv6 |description|eth-trunk|shutdown|speed|stp|mode |trunkport|dei|device transceiver|lacp|fec )"
    ),
}
_TOP = re.compile(
    r"(?:undo )?(?:dcb pfc (?:deadlock|dscp-mapping|global|uplink)|qos (?:ecn|hpc)\b"
    r"|qos buffer (?:headroom|lossless|overrun)|qos burst-mode \w+ slot|lldp enable|sysname |assign forward )"
)
"""Commands of the system view alone: they end a view that nothing else ends."""
_ENDS = re.compile(r"^[ \t]*(?:quit|#)", re.MULTILINE)
_HEADS = (
    ("dcb pfc uplink group ", "uplink"),
    ("dcb ets-profile ", "ets"),
    ("dcb app-profile ", "app"),
    ("abs-pfc profile ", "abs"),
    ("drop-profile ", "drop"),
    ("diffserv domain ", "domain"),
    ("ai-service", "ai"),
    ("interface ", "interface"),
    ("port-group ", "interface"),
)
_NO_PROFILE = {
    "deadlock",
    "deadlock-detect",
    "deadlock-recovery",
    "dscp-mapping",
    "global",
    "uplink",
    "enable",
    "buffer",
}


def unpaged(content: str) -> str:
    """Return a text without the pager's prompts and the cursor movements that wiped them out on the screen."""
    return _PAGED.sub("", content) if "\x1b[" in content else content


def is_pfc_profile(header: str) -> bool:
    """Return whether a line opens a PFC profile (`dcb pfc`, `dcb pfc NAME`) rather than being a command of its own."""
    words = header.split()
    return words[:2] == ["dcb", "pfc"] and (len(words) == 2 or (len(words) == 3 and words[2] not in _NO_PROFILE))


def is_session(content: str) -> bool:
    """Return whether a text is a pasted session or a list of commands: what it does not say may stand on the device."""
    head = content[:100_000]
    if len(_AT_PROMPT.findall(head)) > 1:
        return True
    return _SEPARATOR.search(head) is None and _OURS.search(head) is not None


def _is_flat(content: str) -> bool:
    """Return whether the sections of a text have lost their indentation."""
    head = content[:100_000]
    return _OURS.search(head) is not None and _INDENTED.search(head) is None


def straightened(content: str) -> str:
    """Return a text with the lines of each section indented below its header; the numbers of the lines stay."""
    text = _NOTE.sub("", content.replace("\t", " ")) if "//" in content else content
    prompts = _AT_PROMPT.search(text) is not None
    outside: frozenset[int] = frozenset()
    if prompts:
        outside = _outside(text)
        text = _PROMPT.sub("", text)
    first = _OURS.search(text)
    if first is not None and first.group()[0] in " \t":
        text = _dedented(text)
    if not (prompts or _is_flat(text)):
        return text
    ended = prompts or _ENDS.search(text) is not None
    mode, lines = "", []
    for at, line in enumerate(text.split("\n")):
        margin = line[:1]
        mode = "" if at in outside else mode
        if margin in {" ", "\t", "", "\r"}:
            lines.append(line)
            continue
        if margin == "#" or line.startswith(("quit", "return", "commit")):
            mode = mode if line.startswith("commit") else ""
            lines.append(line if not line.startswith(("quit", "commit")) else "")
            continue
        words = " ".join(line.split())
        opened = (
            "pfc"
            if is_pfc_profile(words)
            else next((kind for head, kind in _HEADS if words.startswith(head.rstrip())), "")
        )
        if opened and not (
            mode == "interface" and words.startswith("dcb app-profile ") and _WORDS["interface"].match(words)
        ):
            mode = opened
            lines.append(line)
        elif mode and (_WORDS[mode].match(words) or (ended and not _TOP.match(words))):
            lines.append(f" {line}")
        else:
            mode = ""
            lines.append(line)
    return "\n".join(lines)


def _outside(text: str) -> frozenset[int]:
    """Return the lines typed in the system view, at the shortest prompt: `[~leaf1]` beside `[~leaf1-dcb-pfc-a]`."""
    named = {at: found[1] for at, line in enumerate(text.split("\n")) if (found := _VIEW.match(line)) is not None}
    host = min(named.values(), key=len, default="")
    inside = any(name.startswith(f"{host}-") for name in named.values())
    return frozenset(at for at, name in named.items() if name == host) if inside else frozenset()


def _dedented(text: str) -> str:
    """Take away the indentation that all lines share (a quoted block)."""
    margins = [len(line) - len(line.lstrip()) for line in text.split("\n") if line.strip()]
    least = min(margins, default=0)
    return "\n".join(line[least:] for line in text.split("\n")) if least else text
