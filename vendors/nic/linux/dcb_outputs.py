"""Reads the lines that `dcb` prints (iproute2), one record at a time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import UNLIMITED
from rocecfg.state.numbers import natural

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rocecfg.state.model import Where
    from vendors.nic.linux.facts import Facts, Host

_words = load_module(Path(__file__).with_name("words.py"))
SELECTORS = {"ethtype-prio": "ethertype", "stream-port-prio": "tcp", "dgram-port-prio": "udp", "port-prio": "port"}
"""Kinds of APP entries in dcb(8) -> our words for them."""
_LEAF_OF = tuple(f"dscp_to_tc.{code}" for code in range(64))


class DcbOutputs:
    """The part of `Outputs` for `dcb`."""

    host: Host
    netdev: str

    def _port(self, place: Where) -> Facts:
        return self.host.port(self.netdev, place)

    def _set_pfc(self, priorities: frozenset[int], place: Where) -> None:
        port = self._port(place)
        port.pfc = priorities
        port.at("pfc", place)

    def _on_dcb_pfc(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        if self.host.family.delay_is_metres and int(values["delay"]) in _words.METRES:
            self._port(place).cable = int(values["delay"])
            self._port(place).at("cable", place)
        return True

    def _on_dcb_prio_pfc(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        pairs = _pairs(values)
        if not pairs or any(on not in {"on", "off"} for _, on in pairs):
            return False
        self._set_pfc(frozenset(natural(priority, 7) for priority, on in pairs if on == "on"), place)
        return True

    def _on_dcb_ets(self, values: Mapping[str, str], _: str, __: Where) -> bool:
        return values["willing"] in {"on", "off"}

    def _on_dcb_tc_bw(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        return self._numbers("share", _pairs(values), place, "queues")

    def _on_dcb_tc_tsa(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        port = self._port(place)
        for tc, word in _pairs(values):
            number = natural(tc, 7)
            port.scheduler[number] = word
            port.at(f"queues.{number}", place)
        return True

    def _on_dcb_prio_tc(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        return self._numbers("priority_to_tc", _pairs(values), place, "tc_to_queue")

    def _on_dcb_dscp_prio(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        pairs = [(_words.dscp_of(code), natural(priority)) for code, priority in _pairs(values)]
        if any(priority > 7 for _, priority in pairs):
            return False
        self.map_codes(pairs, place)
        return True

    def _on_dcb_app(self, values: Mapping[str, str], line: str, place: Where) -> bool:
        if not self.host.family.any_selector:
            return True
        selector = SELECTORS[line.partition(" ")[0]]
        port = self._port(place)
        for number, priority in _pairs(values):
            port.apps[selector, _words.whole(number, 65535)] = _words.whole(priority, 7)
        port.at("app_to_tc", place)
        return True

    def map_codes(self, pairs: Iterable[tuple[int, int]], place: Where) -> None:
        """Note an APP table: DSCP is trusted as soon as it has one entry, unlisted DSCPs go to priority 0."""
        port = self._port(place)
        port.trust = "dscp"
        port.places.setdefault("trust", place)
        port.other_codes = self.host.family.other_codes
        codes, places = port.codes, port.places
        places.setdefault("dscp_to_tc", place)
        pairs = list(pairs)
        fresh = dict(pairs)
        if len(fresh) == len(pairs) and codes.keys().isdisjoint(fresh):  # as every table is, but for a fault
            codes.update(fresh)
            places.update(dict.fromkeys([_LEAF_OF[code] for code in fresh], place))
            return
        for code, priority in pairs:
            before = codes.get(code, priority)
            if before != priority:
                port.conflicts[code] = port.conflicts.get(code, frozenset({before})) | {priority}
            codes[code] = priority
            places[_LEAF_OF[code]] = place

    def _on_dcb_prio_buffer(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        return self._numbers("priority_to_buffer", _pairs(values), place, "tc_to_pg")

    def _on_dcb_buffer_size(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        return self._buffers([(number, str(_words.size_of(size))) for number, size in _pairs(values)], place)

    def _on_dcb_tc_maxrate(self, values: Mapping[str, str], _: str, place: Where) -> bool:
        for tc, rate in _pairs(values):
            self._port(place).rate[natural(tc)] = _words.rate_of(rate) or UNLIMITED
        return True

    def _on_dcb_dcbx(self, _: Mapping[str, str], line: str, place: Where) -> bool:
        words = set(line.split())
        if not words <= {"lld-managed", "static", "host", "cee", "ieee"}:
            return False
        self.dcbx(words, place)
        return True

    def dcbx(self, words: set[str], place: Where) -> None:
        """Note the DCBX flags that the kernel reports."""
        port = self._port(place)
        port.owners = (port.owners or set()) | ({"os"} if "host" in words else {"firmware"})
        port.dcbx_state = "ieee" if "ieee" in words else "cee" if "cee" in words else None
        port.at("dcbx", place)

    def _numbers(self, name: str, pairs: list[tuple[str, str]], place: Where, leaf: str) -> bool:
        top = 100 if name == "share" else 7
        numbers = {natural(key, 7): natural(value.rstrip("%"), top) for key, value in pairs}
        port = self._port(place)
        getattr(port, name).update(numbers)
        port.at(leaf, place)
        return bool(numbers)

    def _buffers(self, pairs: list[tuple[str, str]], place: Where) -> bool:
        sizes = {natural(number): natural(size) for number, size in pairs}
        if not sizes or max(sizes) > 7:
            return False
        port = self._port(place)
        port.buffer_bytes.update(sizes)
        for number in sizes:
            port.at(f"priority_groups.{number}", place)
        return True


def _pairs(values: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the `place:value` words of a dcb line; "total-size N" and the like end the list."""
    pairs = []
    for word in values["pairs"].split():
        key, colon, value = word.partition(":")
        if not colon:
            break
        pairs.append((key, value))
    return pairs
