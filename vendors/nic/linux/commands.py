"""What single commands set, or read, on every host: dcb, ethtool, ip, cma_roce_tos, cma_roce_mode."""

from __future__ import annotations

import getopt
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.numbers import natural

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocecfg.state.model import Where
    from vendors.nic.linux.outputs import Outputs

_words = load_module(Path(__file__).with_name("words.py"))
_sysfs = load_module(Path(__file__).with_name("sysfs.py"))

_safe: Callable[[str], str] = _words.device_name


def take(outputs: Outputs, name: str, words: list[str], place: Where, *, only_reading: bool) -> bool | None:
    """Take one command: True = understood, False = ours and not understood, None = none of ours.

    `only_reading`: the line may be a comment, so only commands that set nothing count.
    """
    reader = outputs.family.readers.get(name)
    if reader is None:
        return None
    try:
        return reader(outputs, words, place, only_reading)
    except (ValueError, IndexError, KeyError, getopt.GetoptError):
        return None if only_reading else False


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
    port.mtu = natural(words[words.index("mtu") + 1], _words.LARGEST_MTU)
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


def _cat(outputs: Outputs, words: list[str], _: Where, __: bool) -> bool | None:
    is_ours = outputs.family.files.is_ours
    ours = [word for word in words if is_ours(word) and "*" not in word]
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


READERS: dict[str, Callable[[Outputs, list[str], Where, bool], bool | None]] = {
    "dcb": load_module(Path(__file__).with_name("dcb.py")).take,
    "ethtool": _ethtool,
    "ip": _ip,
    "ifconfig": _ifconfig,
    "cat": _cat,
    "cma_roce_tos": _cma("default_tos", "t"),
    "cma_roce_mode": _cma("roce_version", "m"),
    "show_gids": _reads("show_gids"),
    "rdma": _reads("rdma"),
    "lldptool": load_module(Path(__file__).with_name("tlv.py")).lldptool,
}
