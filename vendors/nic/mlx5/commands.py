"""What mlnx_qos and mlxconfig commands set, or read."""

from __future__ import annotations

import getopt
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import UNLIMITED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rocecfg.state.model import Where
    from vendors.nic.linux.facts import Facts
    from vendors.nic.mlx5.outputs import Outputs

_words = load_module(Path(__file__).parents[1] / "linux" / "words.py")
_firmware = load_module(Path(__file__).with_name("words.py"))

_MLNX_QOS = (
    "f:F:P:p:s:t:r:d:i:a",
    ["pfc=", "specific_pfc=", "get_pfc=", "prio_tc=", "tsa=", "tcbw=", "ratelimit=", "dcbx=", "trust=", "dscp2prio=",
     "defltprio=", "cable_len=", "prio2buffer=", "buffer_size=", "interface=", "help", "version"],
)  # fmt: skip
_LONG = {"-f": "--pfc", "-F": "--specific_pfc", "-P": "--get_pfc", "-p": "--prio_tc", "-s": "--tsa", "-t": "--tcbw",
         "-r": "--ratelimit", "-d": "--dcbx", "-i": "--interface"}  # fmt: skip
_safe: Callable[[str], str] = _words.device_name


def _mlnx_qos(outputs: Outputs, words: list[str], place: Where, only_reading: bool) -> bool | None:
    options, _ = getopt.gnu_getopt(words, *_MLNX_QOS)
    named = [(_LONG.get(key, key), value) for key, value in options]
    interface = _safe(next((value for key, value in named if key == "--interface"), ""))
    sets = [
        (key, value)
        for key, value in named
        if key not in {"--interface", "-a", "--get_pfc", "--help", "--version"} and (key, value) != ("--dcbx", "get")
    ]
    if not sets:
        outputs.begin("mlnx_qos", netdev=interface)
        return True
    if only_reading:
        return None
    outputs.begin("mlnx_qos", netdev=interface)
    port = outputs.host.port(interface, place)
    taken = [_QOS_OPTIONS[key](port, value, place) for key, value in sets]  # each is applied, whatever the others say
    return all(taken)


def _eight(value: str, allowed: Sequence[str] | range) -> list[str]:
    words = value.split(",")
    if len(words) != 8 or any((int(word) if isinstance(allowed, range) else word) not in allowed for word in words):
        raise ValueError(value)
    return words


def _qos_trust(port: Facts, value: str, place: Where) -> bool:
    if value not in {"dscp", "pcp"}:
        return False
    if value == "pcp":
        port.codes, port.other_codes = {}, None
    elif port.trust != "dscp":
        port.other_codes = "default"  # mlnx_qos adds all 64 entries, DSCP / 8
    port.trust = value
    port.at("trust", place)
    port.places.setdefault("dscp_to_tc", place)
    return True


def _qos_map(port: Facts, value: str, place: Where) -> bool:
    if value == "flush":
        port.codes, port.other_codes, port.trust = {}, None, "pcp"
        port.at("trust", place)
        return True
    action, code, priority = value.split(",")
    if action not in {"set", "del"} or not 0 <= int(code) <= 63 or not 0 <= int(priority) <= 7:
        return False
    port.trust = "dscp"
    port.places.setdefault("trust", place)
    port.map_code(int(code), int(priority) if action == "set" else 0, place)
    return True


def _qos_pfc(port: Facts, value: str, place: Where) -> bool:
    port.pfc = frozenset(number for number, bit in enumerate(_eight(value, ("0", "1"))) if bit == "1")
    port.at("pfc", place)
    return True


def _qos_specific_pfc(port: Facts, value: str, place: Where) -> bool:
    words = _eight(value, ("0", "1", "x"))
    if "x" in words and port.pfc is None:
        return False
    before = port.pfc or frozenset()
    port.pfc = frozenset(n for n, word in enumerate(words) if word == "1" or (word == "x" and n in before))
    port.at("pfc", place)
    return True


def _qos_prio_tc(port: Facts, value: str, place: Where) -> bool:
    port.priority_to_tc = {number: int(tc) for number, tc in enumerate(_eight(value, range(8)))}
    port.at("tc_to_queue", place)
    return True


def _qos_tsa(port: Facts, value: str, place: Where) -> bool:
    port.scheduler = dict(enumerate(_eight(value, ("strict", "ets", "vendor"))))
    port.at("queues", place)
    return True


def _qos_share(port: Facts, value: str, place: Where) -> bool:
    port.share = {number: int(share) for number, share in enumerate(_eight(value, range(101)))}
    port.places.setdefault("queues", place)
    return True


def _qos_rate(port: Facts, value: str, place: Where) -> bool:
    rates = enumerate(_eight(value, range(1_000_001)))
    port.rate = {number: int(rate) * 10**9 or UNLIMITED for number, rate in rates}
    port.places.setdefault("queues", place)
    return True


def _qos_dcbx(port: Facts, value: str, place: Where) -> bool:
    port.owners = {{"os": "os", "fw": "firmware"}[value]}
    port.at("dcbx", place)
    return True


def _qos_cable(port: Facts, value: str, place: Where) -> bool:
    port.cable = int(value)
    port.at("cable", place)
    return int(value) in _words.METRES


def _qos_prio2buffer(port: Facts, value: str, place: Where) -> bool:
    port.priority_to_buffer = {number: int(buffer) for number, buffer in enumerate(_eight(value, range(8)))}
    port.manual_buffers = True
    port.at("tc_to_pg", place)
    return True


def _qos_buffer_size(port: Facts, value: str, place: Where) -> bool:
    port.buffer_bytes = {number: int(size) for number, size in enumerate(_eight(value, range(2**31)))}
    port.manual_buffers = True
    port.at("priority_groups", place)
    return True


_QOS_OPTIONS: dict[str, Callable[[Facts, str, Where], bool]] = {
    "--trust": _qos_trust, "--dscp2prio": _qos_map, "--pfc": _qos_pfc, "--specific_pfc": _qos_specific_pfc,
    "--prio_tc": _qos_prio_tc, "--tsa": _qos_tsa, "--tcbw": _qos_share, "--ratelimit": _qos_rate,
    "--dcbx": _qos_dcbx, "--cable_len": _qos_cable, "--prio2buffer": _qos_prio2buffer,
    "--buffer_size": _qos_buffer_size, "--defltprio": lambda *_: False,
}  # fmt: skip


def _mlxconfig(outputs: Outputs, words: list[str], place: Where, only_reading: bool) -> bool | None:
    options, rest = getopt.gnu_getopt(words, "d:yeb:f:j:", ["dev=", "yes", "show_default"])
    card = next((_safe(value) for key, value in options if key in {"-d", "--dev"}), "")
    if rest[:1] not in (["set"], ["s"]):
        outputs.begin("mlxconfig", card=card)
        return True
    if only_reading:
        return None
    for assignment in rest[1:]:
        name, _, value = assignment.partition("=")
        row = _firmware.parameter_name(name)
        number = {"true": 1, "false": 0}.get(value.lower())
        number = int(value, 0) if number is None else number
        key, port = _firmware.card_of(card, row[1])
        outputs.firmware(key, port, row[0], number, place)
    return True


READERS = {"mlnx_qos": _mlnx_qos, "mlxconfig": _mlxconfig, "mstconfig": _mlxconfig}
