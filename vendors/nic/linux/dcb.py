"""What a `dcb` command line sets, or reads (iproute2)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import UNLIMITED
from rocecfg.state.numbers import natural

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from rocecfg.state.model import Where
    from vendors.nic.linux.facts import Facts
    from vendors.nic.linux.outputs import Outputs

_words = load_module(Path(__file__).with_name("words.py"))
_SELECTORS = load_module(Path(__file__).with_name("dcb_outputs.py")).SELECTORS
_OBJECTS = ("app", "apptrust", "buffer", "dcbx", "ets", "maxrate", "pfc", "rewr")
_FLAGS = {
    "-j",
    "-p",
    "-N",
    "-s",
    "-i",
    "-jp",
    "-Nj",
    "-jN",
    "-sj",
    "-js",
    "--json",
    "--pretty",
    "--numeric",
    "--statistics",
}


def take(outputs: Outputs, words: list[str], place: Where, only_reading: bool) -> bool | None:
    """Take one dcb command; see `commands.take`."""
    words = [word for word in words if word not in _FLAGS]
    if words[:1] in (["-n"], ["-netns"]):
        words = words[2:]
    if not words:
        return None
    kind = next((name for name in _OBJECTS if name.startswith(words[0])), "")
    at = next((place for place, word in enumerate(words) if word and "device".startswith(word)), 0)
    action = words[1] if at > 1 else "show"
    netdev = _words.device_name(words[at + 1])
    if "show".startswith(action):
        outputs.begin(f"dcb {kind}", netdev=netdev)
        return True
    if only_reading:
        return None
    outputs.begin(f"dcb {kind}", netdev=netdev)
    port = outputs.host.port(netdev, place)
    if kind == "app":
        return _app(port, action, words[at + 2 :], place, any_selector=outputs.family.any_selector)
    if kind == "dcbx":
        outputs.dcbx(set(words[at + 2 :]), place)
        return True
    if kind == "pfc":
        return _pfc(port, _groups(words[at + 2 :]), place, delay_is_metres=outputs.family.delay_is_metres)
    setter = _SETTERS.get(kind)
    return setter is not None and setter(port, _groups(words[at + 2 :]), place)


def _groups(words: Sequence[str]) -> dict[str, list[str]]:
    """Return key -> its words: `prio-pfc all:off 3:on delay 7`."""
    groups: dict[str, list[str]] = {}
    key = ""
    for word in words:
        if ":" in word or (key and not groups[key] and key in _ONE_WORD):
            groups[key].append(word)
        else:
            key = word
            groups[key] = []
    return groups


_ONE_WORD = {"delay", "willing", "macsec-bypass"}


def _places(words: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield place and value of `all:off 3:on`, later words last."""
    for word in words:
        key, _, value = word.partition(":")
        if key == "all":
            yield from ((number, value) for number in range(8))
        elif 0 <= int(key) <= 7:
            yield int(key), value
        else:
            raise ValueError(word)


def _app(port: Facts, action: str, words: Sequence[str], place: Where, *, any_selector: bool) -> bool:
    groups = _groups(words)
    entries = groups.get("dscp-prio", [])
    if action == "flush" and (not groups or "dscp-prio" in groups):
        port.trust, port.codes, port.other_codes = "pcp", {}, None
        port.at("trust", place)
    if action == "flush" and any_selector:
        flushed = {name for kind, name in _SELECTORS.items() if not groups or kind in groups}
        port.apps = {key: to for key, to in port.apps.items() if key[0] not in flushed}
        port.no_apps = port.no_apps or not groups
    if action == "flush":
        return any_selector or not groups or "dscp-prio" in groups
    if action not in {"add", "replace", "del"}:
        return False
    taken = False
    for kind, name in _SELECTORS.items() if any_selector else ():
        for entry in groups.get(kind, ()):
            number, _, priority = entry.partition(":")
            key, taken = (name, _words.whole(number, 65535)), True
            if action == "del":
                port.apps.pop(key, None)
            else:
                port.apps[key] = _words.whole(priority, 7)
            port.at("app_to_tc", place)
    for entry in entries:
        word, _, priority = entry.partition(":")
        codes = range(64) if word == "all" else [_words.dscp_of(word)]
        for code in codes:
            _entry(port, action, code, _words.whole(priority, 7), place)
    return taken or "dscp-prio" in groups


def _entry(port: Facts, action: str, code: int, priority: int, place: Where) -> None:
    if not 0 <= priority <= 7:
        raise ValueError(priority)
    port.trust = "dscp"
    port.places.setdefault("trust", place)
    before = port.codes.get(code)
    if action == "add" and before not in {None, priority}:
        port.conflicts[code] = port.conflicts.get(code, frozenset({before or 0})) | {priority}
    elif action == "replace":
        port.conflicts.pop(code, None)
    port.map_code(code, 0 if action == "del" else priority, place)


def _pfc(port: Facts, groups: Mapping[str, list[str]], place: Where, *, delay_is_metres: bool) -> bool:
    if "prio-pfc" in groups or "pg-pfc" in groups:
        states = dict(_places(groups.get("prio-pfc") or groups.get("pg-pfc") or ()))
        if not set(states.values()) <= {"on", "off"} or (
            len(states) < 8 and port.pfc is None and "on" not in states.values()
        ):
            return False
        before = port.pfc or frozenset()
        port.pfc = frozenset(n for n in range(8) if states.get(n, "on" if n in before else "off") == "on")
        port.at("pfc", place)
    if "delay" in groups and delay_is_metres:
        port.cable = int(groups["delay"][0])
        port.at("cable", place)
        if port.cable not in _words.METRES:
            return False
    return set(groups) <= {"prio-pfc", "pg-pfc", "delay", "macsec-bypass"}


def _ets(port: Facts, groups: Mapping[str, list[str]], place: Where) -> bool:
    port.priority_to_tc.update({number: natural(tc, 7) for number, tc in _places(groups.get("prio-tc", ()))})
    port.scheduler.update(_places(groups.get("tc-tsa", ())))
    port.share.update({number: natural(share, 100) for number, share in _places(groups.get("tc-bw", ()))})
    for key, leaf in (("prio-tc", "tc_to_queue"), ("tc-tsa", "queues"), ("tc-bw", "queues")):
        if key in groups:
            port.at(leaf, place)
    known = {"willing", "prio-tc", "tc-tsa", "tc-bw", "pg-bw", "reco-prio-tc", "reco-tc-tsa", "reco-tc-bw"}
    return set(groups) <= known and all(tc <= 7 for tc in port.priority_to_tc.values())


def _maxrate(port: Facts, groups: Mapping[str, list[str]], place: Where) -> bool:
    for number, rate in _places(groups["tc-maxrate"]):
        port.rate[number] = _words.rate_of(rate) or UNLIMITED
    port.places.setdefault("queues", place)
    return True


def _buffer(port: Facts, groups: Mapping[str, list[str]], place: Where) -> bool:
    places = _places(groups.get("prio-buffer", ()))
    port.priority_to_buffer.update({number: natural(buffer, 7) for number, buffer in places})
    port.buffer_bytes.update({number: _words.size_of(size) for number, size in _places(groups.get("buffer-size", ()))})
    port.manual_buffers = True
    for key, leaf in (("prio-buffer", "tc_to_pg"), ("buffer-size", "priority_groups")):
        if key in groups:
            port.at(leaf, place)
    return set(groups) <= {"prio-buffer", "buffer-size"}


_SETTERS: dict[str, Callable[[Facts, Mapping[str, list[str]], Where], bool]] = {
    "ets": _ets,
    "maxrate": _maxrate,
    "buffer": _buffer,
}
