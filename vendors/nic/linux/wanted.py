"""Reads back the wanted values of a rendered `rocecfg-nic.sh`: the lines inside its `wanted()`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.model import NEVER, UNLIMITED, Where
from rocecfg.state.numbers import natural

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from vendors.nic.linux.facts import Facts
    from vendors.nic.linux.family import Setter
    from vendors.nic.linux.outputs import Outputs

START, END = "wanted() {", "}"
_Want = tuple[list[str], Where]


def is_script(lines: Sequence[str]) -> bool:
    """Return whether a text is one of our scripts, by its shebang and its `wanted()`."""
    return lines[0].startswith("#!") and START in lines[:200]


def read(outputs: Outputs, lines: Sequence[str], file: str) -> tuple[int, list[tuple[str, Where]]]:
    """Read the wanted values; return the lines read and those not understood. Raises ReadError when cut off."""
    first, own = lines.index(START) + 1, outputs.family.keys
    wants: list[_Want] = []
    read_lines = 0
    strange: list[tuple[str, Where]] = []
    for number, line in enumerate(lines[first:], first + 1):
        words = line.partition("#")[0].split()
        place = Where(file, number)
        if words == [END]:
            return read_lines, strange
        if not words:
            continue
        read_lines += 1
        if words == ["settings"]:
            wants = []
        elif words[0] == "want" and len(words) in {3, 4, 5} and (words[1] in KEYS or words[1] in own):
            wants.append((words[1:], place))
        elif words[0] == "port" and len(words) == 3:
            strange += _port(outputs, words[1], words[2], wants, place)
        else:
            strange.append((line.strip(), place))
    raise ReadError(f'{file}: cut off: "{START}" has no closing "{END}"')


def _port(outputs: Outputs, name: str, device: str, wants: Sequence[_Want], place: Where) -> list[tuple[str, Where]]:
    port = outputs.host.port(name, place)
    if device != "auto":
        port.nic["rdma_device"] = device
    keys: Mapping[str, Setter] = {**KEYS, **outputs.family.keys}
    leaves = {**LEAVES, **outputs.family.leaves}
    strange = []
    for words, where in wants:
        try:
            keys[words[0]](port, " ".join(words[1:]))
        except (ValueError, KeyError, IndexError):
            strange.append(("want " + " ".join(words), where))
            continue
        port.at(leaves.get(words[0], words[0]), where)
        if " ".join(words[:2]) in leaves:
            port.at(leaves[" ".join(words[:2])], where)
    return strange


def _numbers(value: str) -> frozenset[int]:
    numbers = frozenset() if value == "none" else frozenset(map(int, value.split(",")))
    if not numbers <= frozenset(range(8)):
        raise ValueError(value)
    return numbers


def _listed(value: str, top: int = 2**62) -> dict[int, int]:
    words = value.split(",")
    if len(words) != 8:
        raise ValueError(value)
    return {place: natural(word, top) for place, word in enumerate(words)}


def _field(name: str) -> Callable[[Facts, str], None]:
    def set_field(port: Facts, value: str) -> None:
        port.nic[name] = int(value)

    return set_field


def _codes(port: Facts, value: str) -> None:
    for run in value.split(","):
        codes, _, priority = run.partition(":")
        first, _, last = codes.partition("-")
        if not 0 <= int(first) <= int(last or first) <= 63 or not 0 <= int(priority) <= 7:
            raise ValueError(run)
        port.codes.update(dict.fromkeys(range(int(first), int(last or first) + 1), int(priority)))


def _word(name: str, allowed: dict[str, object]) -> Callable[[Facts, str], None]:
    def set_word(port: Facts, value: str) -> None:
        setattr(port, name, allowed[value])

    return set_word


def _number(name: str, factor: int = 1, top: int = 10**8) -> Callable[[Facts, str], None]:
    def set_number(port: Facts, value: str) -> None:
        setattr(port, name, natural(value, top) * factor)

    return set_number


def _list(name: str, top: int) -> Callable[[Facts, str], None]:
    def set_list(port: Facts, value: str) -> None:
        setattr(port, name, _listed(value, top))

    return set_list


def _schedulers(port: Facts, value: str) -> None:
    words = value.split(",")
    if len(words) != 8 or not set(words) <= {"ets", "strict"}:
        raise ValueError(value)
    port.scheduler = dict(enumerate(words))


def _rates(port: Facts, value: str) -> None:
    port.rate = {place: rate * 10**9 or UNLIMITED for place, rate in _listed(value).items()}


def _buffers(name: str) -> Callable[[Facts, str], None]:
    def set_buffers(port: Facts, value: str) -> None:
        setattr(port, name, _listed(value))
        port.manual_buffers = True

    return set_buffers


def _pause(side: str) -> Callable[[Facts, str], None]:
    def set_pause(port: Facts, value: str) -> None:
        port.pause[side] = {"on": True, "off": False}[value]

    return set_pause


def _priorities(name: str) -> Callable[[Facts, str], None]:
    def set_priorities(port: Facts, value: str) -> None:
        on = _numbers(value)
        setattr(port, name, {number: number in on for number in range(8)})

    return set_priorities


def _roce_mode(port: Facts, value: str) -> None:
    port.nic["roce_version"] = {"1": "v1", "2": "v2"}[value]


def _storm(port: Facts, value: str) -> None:
    port.nic["storm_timeout"] = int(value) or NEVER


_words = load_module(Path(__file__).with_name("words.py"))
_SELECTORS = load_module(Path(__file__).with_name("dcb_outputs.py")).SELECTORS


def _app(port: Facts, value: str) -> None:
    selector, number, priority = value.split(" ")
    if not 0 <= int(number) <= 65535 or not 0 <= int(priority) <= 7:
        raise ValueError(value)
    port.apps[_SELECTORS[selector], int(number)] = int(priority)


def _pfc(port: Facts, value: str) -> None:
    port.pfc = _numbers(value)


KEYS: dict[str, Callable[[Facts, str], None]] = {
    "link_speed": _number("speed", 1_000_000),
    "dcb_owner": _word("owners", {"os": {"os"}, "firmware": {"firmware"}}),
    "trust": _word("trust", {"dscp": "dscp", "pcp": "pcp"}),
    "dscp_to_priority": _codes,
    "pfc": _pfc,
    "cable": _number("cable"),
    "priority_to_tc": _list("priority_to_tc", 7),
    "tc_scheduler": _schedulers,
    "tc_share": _list("share", 100),
    "tc_rate": _rates,
    "priority_to_buffer": _buffers("priority_to_buffer"),
    "buffer_bytes": _buffers("buffer_bytes"),
    "app": _app,
    "pause_rx": _pause("rx"),
    "pause_tx": _pause("tx"),
    "mtu": _number("mtu", top=_words.LARGEST_MTU),
    "pause_storm_timeout": _storm,
    "roce_mode": _roce_mode,
    "roce_tos": _field("default_tos"),
    "traffic_class": _field("forced_tos"),
    "cc_receives": _priorities("receives"),
    "cc_reacts": _priorities("reacts"),
    "congestion_control": _word("algorithm", {"dcqcn": "dcqcn", "none": "none"}),
    "cnp_dscp": _field("cnp_dscp"),
    "cnp_priority": _field("cnp_priority"),
}
LEAVES = {
    "congestion_control": "nic.congestion_control",
    "app": "app_to_tc",
    "link_speed": "speed",
    "dcb_owner": "dcbx",
    "dscp_to_priority": "dscp_to_tc",
    "priority_to_tc": "tc_to_queue",
    "tc_scheduler": "queues",
    "tc_share": "queues.share",
    "tc_rate": "queues.shaper",
    "priority_to_buffer": "tc_to_pg",
    "buffer_bytes": "priority_groups",
    "pause_rx": "link_pause",
    "pause_tx": "link_pause.tx",
    "pause_storm_timeout": "nic.storm_timeout",
    "roce_mode": "nic.roce_version",
    "roce_tos": "nic.default_tos",
    "traffic_class": "nic.forced_tos",
    "cc_receives": "nic.congestion_control.receives",
    "cc_reacts": "nic.congestion_control.reacts",
    "cc_parameter": "nic.congestion_control",
    "cnp_dscp": "nic.cnp_dscp",
    "cnp_priority": "nic.cnp_priority",
}
