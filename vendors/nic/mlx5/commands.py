"""What single commands set, or read: mlnx_qos, dcb, ethtool, ip, cma_roce_tos, cma_roce_mode, mlxconfig."""

from __future__ import annotations

import getopt
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import UNLIMITED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rocecfg.state.model import Where
    from vendors.nic.mlx5.facts import Facts
    from vendors.nic.mlx5.outputs import Outputs

_words = load_module(Path(__file__).with_name("words.py"))
_sysfs = load_module(Path(__file__).with_name("sysfs.py"))

_MLNX_QOS = (
    "f:F:P:p:s:t:r:d:i:a",
    ["pfc=", "specific_pfc=", "get_pfc=", "prio_tc=", "tsa=", "tcbw=", "ratelimit=", "dcbx=", "trust=", "dscp2prio=",
     "defltprio=", "cable_len=", "prio2buffer=", "buffer_size=", "interface=", "help", "version"],
)  # fmt: skip
_LONG = {"-f": "--pfc", "-F": "--specific_pfc", "-P": "--get_pfc", "-p": "--prio_tc", "-s": "--tsa", "-t": "--tcbw",
         "-r": "--ratelimit", "-d": "--dcbx", "-i": "--interface"}  # fmt: skip


def take(outputs: Outputs, name: str, words: list[str], place: Where, *, only_reading: bool) -> bool | None:
    """Take one command: True = understood, False = ours and not understood, None = none of ours.

    `only_reading`: the line may be a comment, so only commands that set nothing count.
    """
    reader = _READERS.get(name)
    if reader is None:
        return None
    try:
        return reader(outputs, words, place, only_reading)
    except (ValueError, IndexError, KeyError, getopt.GetoptError):
        return None if only_reading else False


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


def _ethtool(outputs: Outputs, words: list[str], place: Where, only_reading: bool) -> bool | None:
    words = [word for word in words if word not in {"-I", "--json", "--include-statistics", "--debug"}]
    if not words:
        return None
    option, names = words[0], words[1:]
    if not option.startswith("-"):
        outputs.begin("ethtool", netdev=_safe(option))
        return True
    if option in {"-a", "--show-pause", "-i", "--driver", "--get-tunable"}:
        outputs.begin("ethtool -a" if option in {"-a", "--show-pause"} else "ethtool", netdev=_safe(names[0]))
        return True
    if option in {"-S", "--statistics"} and names:
        outputs.begin("ethtool -S", netdev=_safe(names[0]))
        return True
    if option not in {"-A", "--pause", "--set-tunable"}:
        outputs.begin("")
        return None
    if only_reading:
        return None
    port = outputs.host.port(_safe(names[0]), place)
    if option == "--set-tunable":
        if names[1] != "pfc-prevention-tout":
            return None
        _sysfs.set_storm_timeout(port, _sysfs.STORM_TIMEOUT_AUTO if names[2] == "auto" else int(names[2]), place)
        return True
    for key, value in zip(names[1::2], names[2::2], strict=True):
        on = {"on": True, "off": False}[value]
        if key in {"rx", "tx"}:
            port.pause[key] = on
            port.places.setdefault("link_pause", place)
            port.at(f"link_pause.{key}", place)
        elif key != "autoneg":
            return False
    return True


def _ip(outputs: Outputs, words: list[str], place: Where, only_reading: bool) -> bool | None:
    if "mtu" not in words or words[0] not in {"link", "l"} or only_reading:
        outputs.begin("ip" if words and words[-1] in {"link", "show"} else "")
        return None
    rest = [word for word in words[1:] if word not in {"set", "s", "dev"}]
    port = outputs.host.port(_safe(rest[0]), place)
    port.mtu = int(words[words.index("mtu") + 1])
    port.at("mtu", place)
    return True


def _ifconfig(outputs: Outputs, words: list[str], place: Where, only_reading: bool) -> bool | None:
    return _ip(outputs, ["link", *words], place, only_reading) if "mtu" in words else None


def _cma(field: str, option: str) -> Callable[[Outputs, list[str], Where, bool], bool | None]:
    def take_cma(outputs: Outputs, words: list[str], place: Where, only_reading: bool) -> bool | None:
        options = dict(getopt.getopt(words, f"d:p:h{option}:")[0])
        name = _safe(options.get("-d", "mlx5_0"))
        value = options.get(f"-{option}")
        if value is None:
            outputs.begin(f"cma {field}", device=name)
            return True
        if only_reading:
            return None
        device = outputs.host.device(name, place)
        device.nic[field] = int(value) if field == "default_tos" else {"1": "v1", "2": "v2"}[value]
        device.places[f"nic.{field}"] = place
        outputs.begin(f"cma {field}", device=name)
        return True

    return take_cma


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
        row = _words.parameter_name(name)
        number = {"true": 1, "false": 0}.get(value.lower())
        number = int(value, 0) if number is None else number
        key, port = _words.card_of(card, row[1])
        outputs.firmware(key, port, row[0], number, place)
    return True


def _cat(outputs: Outputs, words: list[str], _: Where, __: bool) -> bool | None:
    ours = [word for word in words if _sysfs.is_ours(word) and "*" not in word]
    if not ours or len(ours) < len(words):
        return None
    outputs.begin("cat")
    outputs.files = ours
    return True


def _reads(command: str) -> Callable[[Outputs, list[str], Where, bool], bool | None]:
    def take_reading(outputs: Outputs, _: list[str], __: Where, ___: bool) -> bool | None:
        outputs.begin(command)
        return True

    return take_reading


def _lldptool(outputs: Outputs, words: list[str], _: Where, only_reading: bool) -> bool | None:
    outputs.begin("")
    return False if "-T" in words and not only_reading else None


_READERS: dict[str, Callable[[Outputs, list[str], Where, bool], bool | None]] = {
    "mlnx_qos": _mlnx_qos,
    "dcb": load_module(Path(__file__).with_name("dcb.py")).take,
    "ethtool": _ethtool,
    "ip": _ip,
    "ifconfig": _ifconfig,
    "cat": _cat,
    "cma_roce_tos": _cma("default_tos", "t"),
    "cma_roce_mode": _cma("roce_version", "m"),
    "mlxconfig": _mlxconfig,
    "mstconfig": _mlxconfig,
    "show_gids": _reads("show_gids"),
    "rdma": _reads("rdma"),
    "lldptool": _lldptool,
}
