"""What niccli commands and Broadcom's own bnxt_setupcc.sh set, or read."""

from __future__ import annotations

import getopt
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.numbers import natural

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocecfg.state.model import Where
    from vendors.nic.bnxt.outputs import Outputs
    from vendors.nic.linux.facts import Facts

_LINUX = Path(__file__).parents[1] / "linux"
_words = load_module(_LINUX / "words.py")
_tlv = load_module(_LINUX / "tlv.py")
_PREFIX = load_module(Path(__file__).with_name("facts.py")).PREFIX
_safe: Callable[[str], str] = _words.device_name
_DEVICE = {"--dev", "-dev", "-i"}
"""niccli names a port by its number or PCI address; up to version 233 its options have one dash."""


def _niccli(outputs: Outputs, words: list[str], place: Where, only_reading: bool) -> bool | None:
    number, rest = "", []
    words = [
        part for word in words for part in (word.split("=", 1) if word.startswith(("-dev=", "--dev=")) else (word,))
    ]
    at = 0
    while at < len(words):
        if words[at] in _DEVICE and at + 1 < len(words):
            number = _safe(words[at + 1])
            at += 1
        else:
            rest.append(words[at])
        at += 1
    netdev = f"{_PREFIX}{number}" if number else ""
    if "--apptlv" in rest or "--pfc" in rest or ("--ets" in rest and "--show" not in rest):
        if only_reading:
            return None
        outputs.begin("niccli", netdev=netdev)
        return _set(outputs.host.port(netdev, place), rest, place)
    joined = " ".join(rest)
    if any(word.lstrip("-").startswith("set") for word in rest):
        return None if only_reading else False  # the words of a version before 234, which no document shows
    if any(word in joined for word in ("list", "-l")) and "qos" not in rest:
        outputs.begin("niccli --list_devices")
    else:
        outputs.begin("niccli", netdev=netdev)
        outputs.number = ""
    return True


def _set(port: Facts, words: list[str], place: Where) -> bool:
    values = {word: words[at + 1] if at + 1 < len(words) else "" for at, word in enumerate(words) if word[:2] == "--"}
    if "--apptlv" in values:
        priority, selector, number = (_words.whole(word, 65535) for word in values["--app"].split(","))
        if "--add" in values:
            _tlv.app(port, priority, selector, number, place)
            port.no_apps = True
        elif selector == _tlv.DSCP_SELECTOR:
            port.codes.pop(number, None)
        else:
            port.apps.pop((_tlv.SELECTORS[selector], number), None)
        return "--add" in values or "--del" in values
    if "--pfc" in values:
        none = values["--enable"].lower() in {"0xff", "none"}
        port.pfc = frozenset() if none else frozenset(natural(word, 7) for word in values["--enable"].split(","))
        port.at("pfc", place)
        return True
    _ets(port, values["--tsa"], values["--up2tc"], values["--tcbw"], place)
    return True


def _bnxtqos(outputs: Outputs, words: list[str], place: Where, only_reading: bool) -> bool | None:
    """Take a command of the tool before niccli: `bnxtqos -dev=eth0 set_pfc enabled=3`."""
    netdev = next((word.partition("=")[2] for word in words if word.startswith("-dev=")), "")
    rest = [word for word in words if not word.startswith("-dev=")]
    values = dict(word.partition("=")[::2] for word in rest[1:] if "=" in word)
    if not netdev or not rest:
        return False
    if rest[0].startswith("get"):
        outputs.begin("niccli", netdev=_safe(netdev))
        outputs.number = ""
        return True
    if only_reading:
        return None
    outputs.begin("niccli", netdev=_safe(netdev))
    port = outputs.host.port(_safe(netdev), place)
    if rest[0] == "set_pfc":
        return _set(port, ["--pfc", "--enable", values["enabled"]], place)
    if rest[0] == "set_apptlv":
        return _set(port, ["--apptlv", "--del" if "-d" in rest else "--add", "--app", values["app"]], place)
    if rest[0] == "set_ets":
        _ets(port, values["tsa"], values["priority2tc"], values["tcbw"], place)
    return rest[0] == "set_ets"


def _ets(port: Facts, tsa: str, up2tc: str, shares: str, place: Where) -> None:
    for word in tsa.split(","):
        tc, _, scheduler = word.partition(":")
        port.scheduler[natural(tc, 7)] = {"ets": "ets", "strict": "strict"}[scheduler]
    for word in up2tc.split(","):
        priority, _, tc = word.partition(":")
        port.priority_to_tc[natural(priority, 7)] = natural(tc, 7)
    for number, share in enumerate(shares.split(",")):
        port.share[number] = natural(share, 100)
    port.at("queues", place)
    port.at("tc_to_queue", place)


def _setupcc(outputs: Outputs, words: list[str], place: Where, only_reading: bool) -> bool | None:
    """Expand bnxt_setupcc.sh (236.1.155.0) into the settings it makes.

    Its third TC, strict, for CNPs is made only where the firmware has the CNP service type: `-C 1` states it.
    """
    if only_reading:
        return None
    options = getopt.getopt(words, "d:i:m:v:r:s:c:p:b:tC:u:Vh")[0]
    netdevs = [_safe(value) for key, value in options if key == "-i"]
    given = dict(options)
    mode = natural(given.get("-m", "3"), 3)
    for netdev in netdevs[:2] or [""]:
        port = outputs.host.port(netdev, place)
        port.pause = {"rx": False, "tx": False}
        port.owners = {"os"}
        port.no_apps, port.apps, port.codes = True, {}, {}
        roce = _words.whole(given["-r"], 7)
        cnp = _words.whole(given["-c"], 7) if "-c" in given else None
        strict = cnp is not None and given.get("-C") == "1" and mode != 1
        share = natural(given.get("-b", "50"), 99)
        port.priority_to_tc = {
            priority: 2 if strict and priority == cnp else int(priority == roce) for priority in range(8)
        }
        port.scheduler = {0: "ets", 1: "ets", **({2: "strict"} if strict else {})}
        port.share = {0: 100 - share, 1: share}
        port.pfc = frozenset({roce}) if mode != 2 else frozenset()
        if mode != 2:
            _tlv.app(port, roce, 3, 4791, place)
        port.trust, port.other_codes = ("dscp", outputs.family.other_codes) if "-s" in given else ("pcp", None)
        if "-s" in given:
            _tlv.app(port, roce, _tlv.DSCP_SELECTOR, _words.whole(given["-s"], 63), place)
        if strict and "-p" in given and cnp is not None:
            _tlv.app(port, cnp, _tlv.DSCP_SELECTOR, _words.whole(given["-p"], 63), place)
        for leaf in ("pfc", "queues", "tc_to_queue", "link_pause", "trust", "dscp_to_tc", "dcbx"):
            port.at(leaf, place)
        device = _safe(given["-d"]) if "-d" in given else ""
        if device:
            port.nic["rdma_device"] = device
        if mode != 1:
            port.algorithm, port.nic["sets_ect"] = "dcqcn", True
        # The script writes these two into the RDMA device's own files, as a line behind it may.
        nic = outputs.host.device(device, place).nic if device else port.nic
        nic["roce_version"] = "v2"
        nic["default_tos"] = _words.whole(given["-s"], 63) << 2 if "-s" in given else 0
        if "-p" in given and not strict:
            port.nic["cnp_dscp"] = _words.whole(given["-p"], 63)
        if cnp is not None and not strict:
            port.nic["cnp_priority"] = cnp
    return True


READERS = {"niccli": _niccli, "bnxtqos": _bnxtqos, "bnxt_setupcc.sh": _setupcc}
