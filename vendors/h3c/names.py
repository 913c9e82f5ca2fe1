"""The words of Comware: port types and their short forms, lists of priorities, queue names, numbers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rocecfg.state.numbers import whole_number

if TYPE_CHECKING:
    from collections.abc import Mapping

GIGABIT = 1_000_000_000
PORT_TYPES: dict[str, tuple[str, tuple[str, ...], int | None]] = {
    # as the configuration prints it: (short forms of state output, gigabit per second)
    "GigabitEthernet": ("gigabitethernet", ("ge",), 1),
    "Ten-GigabitEthernet": ("ten-gigabitethernet", ("xge",), 10),
    "Twenty-FiveGigE": ("twenty-fivegige", ("wge",), 25),
    "FortyGigE": ("fortygige", (), 40),
    "FiftyGigE": ("fiftygige", (), 50),
    "HundredGigE": ("hundredgige", ("hge",), 100),
    "TwoHundredGigE": ("twohundredgige", (), 200),
    "FourHundredGigE": ("fourhundredgige", (), 400),
    "EightHundredGigE": ("eighthundredgige", (), 800),
    "Bridge-Aggregation": ("bridge-aggregation", ("bagg",), None),
    "Route-Aggregation": ("route-aggregation", ("ragg",), None),
}
_UNSURE = re.compile(r"(?!M-?GE|GE)([2-8]?[A-Z]{1,4}GE)([0-9]{1,4}(?:/[0-9]{1,3}){1,3}(?::[0-9]{1,2})?)", re.IGNORECASE)
"""Short forms that nobody published; `FGE` is 40G or 400G by release. The number alone tells the port."""
_TYPES = {word: name for name, (full, short, _) in PORT_TYPES.items() for word in (full, *short)}
_PORT = re.compile(r"([A-Za-z][A-Za-z-]{0,30}) ?([0-9]{1,4}(?:/[0-9]{1,3}){0,3}(?::[0-9]{1,2})?)")
_LAST = re.compile(r"(.*?)([0-9]+)")
QUEUE_NAMES = ("be", "af1", "af2", "af3", "af4", "ef", "cs6", "cs7")
MOST_IN_RANGE = 600


def port_name(text: str) -> str | None:
    """Return the name Comware prints for a port (`hundredgige 1/0/1`, `HGE1/0/1`), None when it is no port's name.

    Management ports, subinterfaces, VLAN and logical interfaces are none.
    """
    found = _PORT.fullmatch(text.strip())
    if found is None:
        return None
    kind = _TYPES.get(found[1].lower())
    aggregate = kind is not None and PORT_TYPES[kind][2] is None
    return None if kind is None or aggregate == ("/" in found[2]) else kind + found[2]


def short_port(text: str) -> str | None:
    """Return a port of a state output: its full name where the short form is known, else the short form itself."""
    known, unsure = port_name(text), _UNSURE.fullmatch(text.strip())
    return known if known is not None or unsure is None else unsure[1].upper() + unsure[2]


def number_of(name: str) -> str:
    """Return the number of a port (`1/0/1:2`): on one device no two ports of different type share it."""
    return name[2:].lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-")


def speed_of(name: str) -> int | None:
    """Return the rate that a port's type names, in bit/s."""
    kind = name.rstrip("0123456789/:")
    rate = PORT_TYPES[kind][2] if kind in PORT_TYPES else None
    return None if rate is None else rate * GIGABIT


def port_range(text: str) -> list[str] | None:
    """Return the ports of an `interface range` list: names, and pairs joined by `to`; None when it is none."""
    names: list[str] = []
    joined = False
    for word in _port_words(text):
        if word == "to":
            if joined or not names:
                return None
            joined = True
            continue
        name = port_name(word)
        run = [name] if name is not None and not joined else _run(names[-1], name) if name is not None else None
        if run is None:
            return None
        names += run[1:] if joined else run
        joined = False
        if len(names) > MOST_IN_RANGE * 8:
            return None
    return None if joined else names or None


def _port_words(text: str) -> list[str]:
    """Return the words of a list of ports, a type and its number joined (`HundredGigE 1/0/1` is one)."""
    words: list[str] = []
    for word in text.replace(",", " ").split():
        if words and word[0].isdecimal() and words[-1] != "to" and not words[-1][-1].isdecimal():
            words[-1] += word
        else:
            words.append(word)
    return words


def _run(first: str, last: str) -> list[str] | None:
    """Return the ports from one to another of the same slot."""
    low, high = _LAST.fullmatch(first), _LAST.fullmatch(last)
    if low is None or high is None or low[1] != high[1]:
        return None
    start, end = int(low[2]), int(high[2])
    if not start <= end < start + MOST_IN_RANGE:
        return None
    return [f"{low[1]}{number}" for number in range(start, end + 1)]


def queue_number(word: str) -> int | None:
    """Return the queue of a number or name (`af3` = 3), None when it is none."""
    name = word.lower()
    return QUEUE_NAMES.index(name) if name in QUEUE_NAMES else whole_number(word, 7)


_CHOICES: dict[str, frozenset[str]] = {
    "mode": frozenset({"enable", "auto"}),
    "precision": frozenset({"high", "normal", "low"}),
    "action": frozenset({"discard", "forwarding"}),
    "trust": frozenset({"dscp", "dot1p", "auto", "none", "exp"}),
    "recover": frozenset({"auto", "manual"}),
    "headroom": frozenset({"headroom", "reserved-buffer", "ingress-threshold-offset"}),
    "xoff": frozenset({"dynamic", "static"}),
    "no_buffer": frozenset({"headroom", "reserved-buffer", "ingress-threshold-offset", "ingress-buffer"}),
    "dcbx_version": frozenset({"rev100", "rev101", "standard", "auto"}),
    "link_mode": frozenset({"bridge", "route"}),
    "link_type": frozenset({"access", "trunk", "hybrid"}),
    "direction": frozenset({"egress", "ingress", "inbound", "outbound"}),
    "resource": frozenset({"cell", "packet"}),
    "area": frozenset({"shared", "guaranteed"}),
    "unit": frozenset({"byte-count", "weight"}),
    "group": frozenset({"1", "2"}),
    "level": frozenset({"0", "1", "2"}),
    "scheduler": frozenset({"wfq", "wrr"}),
    "way": frozenset({"inpps", "outpps"}),
    "what": frozenset({"dscp", "dp", "exp", "lp"}),
}
"""The words that may stand at a place, by the place's name; at a place called `word` by the kind of line."""


def makes_sense(kind: str, words: Mapping[str, str]) -> bool:
    """Return whether the words at the places of a line are among those that Comware takes there."""
    for place, word in words.items():
        known = _CHOICES.get(kind if place == "word" else place)
        if known is not None and word not in known:
            return False
    return True
