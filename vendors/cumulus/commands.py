"""Reads `nv set` lists: `nv config show -o commands`, change files, sessions with prompts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import Where
from rocecfg.state.sections import LONGEST_LINE, text_lines

if TYPE_CHECKING:
    from rocecfg.state.capture import Text
    from vendors.cumulus.facts import Facts, Leaf

facts_module = load_module(Path(__file__).with_name("facts.py"))
schema = load_module(Path(__file__).with_name("schema.py"))

_PROMPT = re.compile(r"[^\s#][^\s]{0,80}[$#>]\s*\Z|\s*[$>]\s*\Z|\s*\Z")
SWITCH_PORT = re.compile(r"swp[0-9]{1,4}(?:s[0-9]{1,2})?\Z")
READ_BELOW_INTERFACE = {("link", "mtu"), ("link", "speed"), ("link", "breakout"), ("bond", "member")}


def read_commands(text: Text, facts: Facts) -> None:
    """Add what an `nv set` list states. Prompts, comments, other commands and unset lines are handled.

    A list is the whole configuration when it says so (`nv config show -o commands`) or speaks of the system too, as
    every such output does; a few QoS lines are a change, and what they leave out the switch may still have.
    """
    quote, elided, everything = "", False, text.complete is True or text.command.startswith("nv config show")
    for number, line in enumerate(text_lines(text.content), 1):
        if quote:
            quote = "" if quote in line else quote
            continue
        at = line.find("nv ")
        if at < 0:
            if line.strip() in {"...", "…"}:
                elided = True
            continue
        if at and not _PROMPT.match(line[:at]):
            continue
        if line.startswith("nv set system", at):
            quote, everything = _open_quote(line), True
            if line.startswith("nv set system hostname ", at):
                facts.name = line[at + 23 :].strip().strip("'\"")
        elif line.startswith(("nv set interface ", "nv set qos", "nv set vrf ", "nv unset "), at):
            _command(line[at:], Where(text.file, number), facts)
    facts.whole |= everything and not elided and text.complete is not False


def _open_quote(line: str) -> str:
    """Return the quote that a line leaves open (a login banner runs over several lines), or nothing."""
    quote = ""
    if "'" in line or '"' in line:
        for character in line:
            if character == quote:
                quote = ""
            elif not quote and character in "'\"":
                quote = character
    return quote


def _command(line: str, place: Where, facts: Facts) -> None:
    if " #" in line:
        line = line.partition(" #")[0]
    words = line.replace("'", "").replace('"', "").split()
    verb, root = words[1], words[2] if len(words) > 2 else ""
    if len(line) >= LONGEST_LINE and root != "vrf":
        facts.read += 1
        facts.not_understood(line, place)
    elif root == "vrf":
        _neighbour(words, place, facts)
    elif verb == "unset":
        unset(words[2:], line, place, facts)
    elif root == "qos":
        facts.read += 1
        settings = schema.qos_setting(tuple(words[3:]))
        if not settings and not schema.is_container(tuple(words[3:])):
            facts.not_understood(line, place)
        for path, value in settings:
            facts.settings[path] = facts_module.Leaf(value, place)
    elif len(words) > 3:
        _interface_command(words, line, place, facts)


def _interface_command(words: list[str], line: str, place: Where, facts: Facts) -> None:
    names = facts_module.expand(words[3])
    ours = len(words) > 4 and (words[4] == "qos" or tuple(words[4:6]) in READ_BELOW_INTERFACE)
    if not ours and (len(words) < 5 or words[4] not in {"type", "link"}):
        for name in names:
            if SWITCH_PORT.match(name):
                facts.port(name, place)
        return
    if ours:
        facts.read += 1
    settings = schema.interface_setting(tuple(words[4:])) if ours else ()
    if words[4:6] == ["bond", "member"] and len(words) == 7:
        settings = tuple((("bond", "member", member), "") for member in facts_module.expand(words[6]))
    if not names or (ours and not settings and not schema.is_container(tuple(words[4:]))):
        facts.not_understood(line, place)
    for name in names:
        if ours or SWITCH_PORT.match(name):
            leaves = facts.port(name, place)
            for path, value in settings:
                leaves[path] = facts_module.Leaf(value, place)


def _neighbour(words: list[str], place: Where, facts: Facts) -> None:
    """Note a port that a BGP session runs over (unnumbered): no other line may name it."""
    if words[4:7] == ["router", "bgp", "neighbor"] and len(words) > 7 and SWITCH_PORT.match(words[7]):
        facts.port(words[7], place)


def unset(words: list[str], line: str, place: Where, facts: Facts) -> None:
    """Take away what a path names, below `qos` or below interfaces."""
    if words[:1] == ["qos"]:
        facts.read += 1
        _forget(facts.settings, tuple(words[1:]))
    elif words[:1] == ["interface"] and len(words) > 1:
        below = tuple(words[2:])
        if below[:1] == ("qos",) or below[:2] in READ_BELOW_INTERFACE:
            facts.read += 1
        names = facts_module.expand(words[1])
        if not names:
            facts.not_understood(line, place)
        for name in names:
            if name in facts.ports:
                _forget(facts.ports[name], below)


def _forget(leaves: dict[tuple[str, ...], Leaf], prefix: tuple[str, ...]) -> None:
    for path in [path for path in leaves if path[: len(prefix)] == prefix]:
        del leaves[path]
