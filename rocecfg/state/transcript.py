"""Cuts the log of a terminal session into the commands that were typed and what each of them printed.

    leaf1# show running-config
    ...
    leaf1# show interface priority-flow-control

A switch prints each of them in a form of its own, so a reader takes one at a time. Configuration, what was typed to
change it, and everything before the first prompt stay one text: the session. Line numbers stay those of the log.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError
from rocecfg.state.model import Line, Where
from rocecfg.vendor import registry

if TYPE_CHECKING:
    from rocecfg.state.capture import Capture, Text

_PROMPT = re.compile(
    r"(?:<(?P<angle>[\w.-]{1,64})>|\[[~*]?(?P<square>[\w.-]{1,64}?)(?:-[\w./:-]{1,60})?\]"
    r"|(?P<user>[\w.-]{1,32})@(?P<at>[\w.-]{1,64})(?::[\w./~-]{0,80})?[>#$%]"
    r"|(?P<plain>[\w.-]{1,64})(?: \[[\w.:, -]{1,60}\])? ?(?:\((?:config|conf)[\w./:-]{0,60}\))? ?[>#])"
    r"[ \t]*(?P<command>\S.{0,300})?$"
)
"""`<H3C> `, `[~HUAWEI] `, `user@qfx> `, `admin@sonic:~$ `, `leaf1(config-if)# `, `sw1 [standalone: master] > `."""
_SHOWS = re.compile(r"(?:do |run |sudo )?(?:show|display|dis|nv show)(?: |$)")
_WORDS = ("show ", "display ", "dis ")
_CONFIGURATION = re.compile(
    r"(?:do |run |sudo )?(?:show|display|dis) (?:run|start|conf|cur|saved|this)|nv config|.{1,200}\| *display"
)
"""Commands that print configuration: their text is read with what was typed, in which the readers follow prompts."""
_SUBJECT = re.compile(
    r"\b(?:qos|pfc|priority-flow|flow-?control|ecn|wred|queu|buffer|dcbx?|roce|lossless|headroom|mmu)"
)
"""What commands of our subject speak of."""
_BANNER = re.compile(r"\{(?:master|backup|linecard|primary|secondary)[\w:]{0,12}\}|\[edit[^\]]{0,80}\]")
"""What Junos prints above a prompt."""
_MOST_LINES = 2_000_000
"""Lines of all pieces together, their empty lines counted; a longer log is read as one text."""


def pieces(text: Text) -> list[Text]:
    """Return the session and what each command printed, in order; the text itself where there is nothing to cut."""
    if text.command or text.complete is not None or not any(word in text.content for word in _WORDS):
        return [text]
    lines = text.content.split("\n")
    starts = _starts(lines)
    shown = [(at, command) for at, command in starts if command]
    if not shown or len(lines) * (len(shown) + 1) > _MOST_LINES:
        return [text]
    session = [""] * len(lines)
    found: list[Text] = []
    ends = [at for at, _ in starts[1:]] + [len(lines)]
    session[: starts[0][0]] = lines[: starts[0][0]]
    for (at, command), end in zip(starts, ends, strict=True):
        if command:
            body = lines[at + 1 : end]
            while body and (not body[-1].strip() or _BANNER.fullmatch(body[-1].strip())):
                body.pop()
            found.append(replace(text, content="\n" * (at + 1) + "\n".join(body) + "\n", command=command))
        else:
            session[at:end] = lines[at:end]
            if _is_bare(lines[at]):
                session[at] = ""
    rest = replace(text, content="\n".join(session))
    spoken = any(line.strip() for line in session)
    if len(found) == 1 and not spoken:
        return [text]
    return [rest, *found] if spoken else found


def _is_bare(line: str) -> bool:
    """Return whether a prompt stands alone."""
    prompt = _PROMPT.match(line.strip())
    return prompt is not None and not (prompt["command"] or "").strip()


def _starts(lines: list[str]) -> list[tuple[int, str]]:
    """Return the lines with a prompt, and the command behind it where it only shows something; none for two hosts.

    `QoS-Group# Bandwidth% PrioLevel` is the head of a table: only the host that shows something has prompts.
    """
    found: list[tuple[int, str, str]] = []
    hosts: set[str] = set()
    for at, line in enumerate(lines):
        prompt = _PROMPT.match(line.strip()) if line[:1] not in {" ", "\t", ""} else None
        if prompt is None:
            continue
        command = (prompt["command"] or "").strip()
        shows = _SHOWS.match(command) is not None
        host = prompt["angle"] or prompt["square"] or prompt["at"] or prompt["plain"]
        if shows:
            hosts.add(host)
        found.append((at, command if shows and _CONFIGURATION.match(command) is None else "", host))
    name = min(hosts, key=len, default="")
    if not all(_same_host(host, name) for host in hosts):
        return []
    return [(at, command) for at, command, host in found if _same_host(host, name)]


def _same_host(first: str, second: str) -> bool:
    """Return whether two prompts are of one host: `[leaf-1-10GE1/0/1]` gives its name up to some dash."""
    return first == second or f"{first}-".startswith(f"{second}-") or f"{second}-".startswith(f"{first}-")


def opened(capture: Capture) -> tuple[Capture, tuple[Line, ...]]:
    """Return a capture whose logs are cut, and a line for each command that the system's reader could not take.

    A command of another subject (`show version`) is left out, of a log as of a folder that others wrote; one of our
    subject is named. The capture of a host, whose readers follow the prompts themselves, stays as it is.
    """
    vendor = registry.get(capture.nos)
    if vendor.manifest.kind == "host":
        return capture, ()
    texts: list[Text] = []
    lines: list[Line] = []
    others = len(capture.texts) > 1
    for text in capture.texts:
        cut = pieces(text)
        if len(cut) == 1:
            if not (others and _is_foreign(capture.nos, text)) or _is_read(capture, text, lines):
                texts.append(text)
            continue
        kept = [piece for piece in cut if _is_read(capture, piece, lines)]
        texts += kept or [text]
    return (replace(capture, texts=tuple(texts)), tuple(lines)) if texts else (capture, ())


def _is_foreign(nos: str, text: Text) -> bool:
    """Return whether a text is the output of a command that only shows something, and that is not known to be read."""
    shows = _SHOWS.match(text.command) is not None and _CONFIGURATION.match(text.command) is None
    return shows and not registry.command_of(nos, text)


def _is_read(capture: Capture, piece: Text, lines: list[Line]) -> bool:
    """Return whether the system's reader takes a piece by itself; note one that only looks as if it would."""
    try:
        registry.get(capture.nos).module.to_state(replace(capture, texts=(piece,)))
    except (ReadError, RecursionError):
        ours = piece.content.strip() and _SUBJECT.search(piece.command)
        if piece.command and (ours or registry.command_of(capture.nos, piece)):
            number = len(piece.content) - len(piece.content.lstrip("\n"))
            lines.append(Line(piece.command, Where(piece.file, max(number, 1))))
        return False
    return True
