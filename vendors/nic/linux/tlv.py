"""Reads TLVs of IEEE 802.1Qaz as lldptool and niccli print them, and what `lldptool -T` commands set."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.numbers import natural

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.model import Where
    from vendors.nic.linux.dcb_outputs import DcbOutputs
    from vendors.nic.linux.facts import Facts
    from vendors.nic.linux.outputs import Outputs
else:
    DcbOutputs = load_module(Path(__file__).with_name("dcb_outputs.py")).DcbOutputs

_words = load_module(Path(__file__).with_name("words.py"))

SELECTORS = {1: "ethertype", 2: "tcp", 3: "udp", 4: "port"}
"""Numbers of APP selectors (IEEE 802.1Qaz) other than 5, the DSCP."""
DSCP_SELECTOR = 5
NEIGHBOUR = "lldptool neighbour"
"""What the peer advertises: it says nothing about this port."""


def app(port: Facts, priority: int, selector: int, number: int, place: Where) -> None:
    """Note one APP entry. Raises ValueError for numbers that do not exist."""
    if not 0 <= priority <= 7 or not 0 <= number <= 65535:
        raise ValueError(number)
    if selector == DSCP_SELECTOR:
        if number > 63:
            raise ValueError(number)
        before = port.codes.get(number, priority)
        if before != priority:
            port.conflicts[number] = port.conflicts.get(number, frozenset({before})) | {priority}
        port.trust = "dscp"
        port.places.setdefault("trust", place)
        port.map_code(number, priority, place)
    else:
        port.apps[SELECTORS[selector], number] = priority
        port.at("app_to_tc", place)


class TlvOutputs(DcbOutputs):
    """The part of `Outputs` for TLVs."""

    command: str
    tlv = ""
    """Which TLV the lines belong to: "ets", "recommended", "pfc", "app"; "groups" and "application" of CEE."""
    app = (-1, -1)
    """Priority and selector of the APP entry that is being read."""

    def _on_tlv(self, values: Mapping[str, str], _: str, __: Where) -> bool:
        name = values["name"].rstrip(":").removesuffix(" TLV")
        self.command = self.command or "lldptool"
        self.tlv = {
            "ETS Configuration": "ets",
            "ETS Recommendation": "recommended",
            "PFC": "pfc",
            "APP": "app",
        }[name]
        return True

    def _on_tlv_other(self, _: Mapping[str, str], __: str, ___: Where) -> bool:
        self.command, self.tlv = self.command or "lldptool", ""
        return True

    def _on_tlv_cee(self, _: Mapping[str, str], line: str, __: Where) -> bool:
        self.command = self.command or "lldptool"
        self.tlv = {
            "Priority Groups TLV:": "groups",
            "Priority Flow Control TLV:": "pfc",
            "Application TLV:": "application",
        }.get(line, "cee")
        return True

    def _on_tlv_cee_willing(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        if self.command != NEIGHBOUR and self.tlv in {"groups", "pfc"}:
            port = self._port(place)
            port.willing = bool(port.willing) or values["willing"] == "Willing"
            port.at("dcbx.willing", place)
        return bool(self.tlv)

    def _on_tlv_cee_groups(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        """Take `0:[0,1,5,7] 1:[3]`: the priorities of each group; group 15 is the strict one and no TC."""
        if self._own("groups"):
            pairs = []
            for group, listed in _pairs(values["groups"]):
                if _words.whole(group, 15) > 7:
                    continue
                pairs += [(priority, group) for priority in listed.strip("[]").split(",") if priority]
            return self._numbers("priority_to_tc", pairs, place, "tc_to_queue")
        return bool(self.tlv)

    def _on_tlv_cee_shares(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        if self._own("groups"):
            return self._numbers("share", _pairs(values["shares"]), place, "queues.share")
        return bool(self.tlv)

    def _on_tlv_cee_pfc(self, values: Mapping[str, str], line: str, place: Where) -> bool:
        return self._on_tlv_pfc(values, line, place)

    def _on_tlv_cee_app(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        if self._own("application"):
            mask = _words.whole(values["mask"], 255)
            selector = 1 if "ethertype" in values else 4
            number = _words.whole(values.get("ethertype") or values["port"], 65535)
            for priority in (bit for bit in range(8) if mask >> bit & 1):
                app(self._port(place), priority, selector, number, place)
        return bool(self.tlv)

    def _on_app(self, _: Mapping[str, str], __: str, ___: Where) -> bool:
        self.app = (-1, -1)
        return self.tlv == "app"

    def _on_app_priority(self, values: Mapping[str, str], _: str, __: Where) -> bool:
        self.app = (natural(values["priority"], 7), -1)
        return self.tlv == "app"

    def _on_app_selector(self, values: Mapping[str, str], _: str, __: Where) -> bool:
        self.app = (self.app[0], natural(values["selector"], 5))
        return self.tlv == "app"

    def _on_app_number(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        if self.tlv != "app" or min(self.app) < 0:
            return False
        if self.command != NEIGHBOUR:
            app(self._port(place), *self.app, _words.whole(values["number"], 65535), place)
        return True

    def _own(self, tlv: str) -> bool:
        """Return whether a line states this port: not what the peer says, not a recommendation to it."""
        return self.command != NEIGHBOUR and self.tlv == tlv

    def _on_tlv_willing(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        if self.command != NEIGHBOUR and self.tlv in {"ets", "pfc"}:
            port = self._port(place)
            port.willing = bool(port.willing) or {"yes": True, "no": False}[values["willing"]]
            port.at("dcbx.willing", place)
        return bool(self.tlv)

    def _on_tlv_prio_map(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        if self._own("ets"):
            return self._numbers("priority_to_tc", _pairs(values["pairs"]), place, "tc_to_queue")
        return bool(self.tlv)

    def _on_tlv_bandwidth(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        if self._own("ets"):
            shares = [(str(tc), share) for tc, share in enumerate(values["shares"].split())]
            return self._numbers("share", shares, place, "queues.share")
        return bool(self.tlv)

    def _on_tlv_tsa(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        if self._own("ets"):
            port = self._port(place)
            for tc, word in _pairs(values["pairs"]):
                if word not in {"ets", "strict", "vendor"}:
                    return False
                port.scheduler[natural(tc, 7)] = word
                port.at(f"queues.{tc}", place)
        return bool(self.tlv)

    def _on_tlv_pfc(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        if self._own("pfc"):
            words = values["priorities"].replace(",", " ").split()
            none = words == ["none"]
            self._set_pfc(frozenset() if none else frozenset(natural(word, 7) for word in words), place)
        return bool(self.tlv)

    def _on_tlv_app(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        if not self._own("app"):
            return bool(self.tlv)
        number = _words.whole(values["words"].rpartition(":")[2].split()[-1], 65535)
        app(self._port(place), int(values["priority"]), int(values["selector"]), number, place)
        return True

    def _on_tlv_codes(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        if not self._own("app"):
            return bool(self.tlv)
        for word in values["codes"].replace(",", " ").split():
            app(self._port(place), int(values["priority"]), DSCP_SELECTOR, natural(word, 63), place)
        return True


def _pairs(text: str) -> list[tuple[str, str]]:
    """Return the `0:0 1:0` words of a line. Raises ValueError."""
    pairs = [word.split(":") for word in text.split()]
    if any(len(pair) != 2 for pair in pairs):
        raise ValueError(text)
    return [(key, value) for key, value in pairs]


def lldptool(outputs: Outputs, words: list[str], place: Where, only_reading: bool) -> bool | None:
    """Take an lldptool command: `-t` reads the TLVs of a port (`-n`: of its peer), `-T` sets one."""
    flags, netdev, tlv, rest = _options(words)
    name = NEIGHBOUR if "n" in flags else "lldptool"
    outputs.begin(name, netdev=netdev)
    if "T" not in flags:
        return True if "t" in flags and netdev else None
    if only_reading:
        return None
    if not outputs.family.lldpad:
        return False
    values = dict(word.partition("=")[::2] for word in rest)
    port = outputs.host.port(netdev, place)
    port.owners = {"lldpad"}
    port.at("dcbx.owners", place)
    if "willing" in values:
        port.willing = {"yes": True, "no": False, "1": True, "0": False}[values["willing"]]
        port.at("dcbx.willing", place)
    if tlv == "APP":
        return _set_app(port, values.get("app", ""), place, delete="d" in flags)
    if tlv == "PFC":
        if "enabled" in values:
            none = values["enabled"] == "none"
            listed = () if none else values["enabled"].split(",")
            port.pfc = frozenset(natural(word, 7) for word in listed)
            port.at("pfc", place)
        return set(values) <= {"willing", "enabled", "enableTx", "delay"}
    if tlv == "ETS-CFG":
        _set_ets(port, values, place)
        return set(values) <= {"willing", "enableTx", "tsa", "up2tc", "tcbw"}
    return tlv in {"ETS-REC", "CEE-DCBX", "IEEE-DCBX"}


def _options(words: list[str]) -> tuple[set[str], str, str, list[str]]:
    """Return the flags, the port, the TLV and the other words: `-Ti eth0 -V PFC enabled=3`."""
    flags: set[str] = set()
    values = {"i": "", "V": "", "c": ""}
    rest: list[str] = []
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if not word.startswith("-") or len(word) == 1:
            rest.append(word)
            continue
        for place, letter in enumerate(word[1:], 1):
            if letter not in values:
                flags.add(letter)
                continue
            values[letter] = word[place + 1 :].removeprefix("=")
            if not values[letter] and at < len(words) and letter != "c":
                values[letter] = words[at]
                at += 1
            break
    return flags, _words.device_name(values["i"]) if values["i"] else "", values["V"], rest


def _set_app(port: Facts, entry: str, place: Where, *, delete: bool) -> bool:
    priority, selector, number = (_words.whole(word, 65535) for word in entry.split(","))
    if not delete:
        app(port, priority, selector, number, place)
    elif selector == DSCP_SELECTOR:
        port.codes.pop(number, None)
    else:
        port.apps.pop((SELECTORS[selector], number), None)
    return True


def _set_ets(port: Facts, values: Mapping[str, str], place: Where) -> None:
    if "up2tc" in values:
        for priority, tc in _pairs(values["up2tc"].replace(",", " ")):
            port.priority_to_tc[natural(priority, 7)] = natural(tc, 7)
        port.at("tc_to_queue", place)
    if "tsa" in values:
        for tc, word in _pairs(values["tsa"].replace(",", " ")):
            port.scheduler[natural(tc, 7)] = {"ets": "ets", "strict": "strict"}[word]
        port.at("queues", place)
    if "tcbw" in values:
        for number, share in enumerate(values["tcbw"].split(",")):
            port.share[number] = natural(share.rstrip("%"), 100)
        port.at("queues.share", place)
