"""What nicctl commands set, or read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.numbers import natural

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocecfg.state.model import Where
    from vendors.nic.ionic.outputs import Outputs
    from vendors.nic.linux.facts import Facts

_LINUX = Path(__file__).parents[1] / "linux"
_words = load_module(_LINUX / "words.py")
_facts = load_module(Path(__file__).with_name("facts.py"))
_lists = load_module(Path(__file__).with_name("words.py"))
_outputs = load_module(Path(__file__).with_name("outputs.py"))
_safe: Callable[[str], str] = _words.device_name
_LONG = {"-p": "--port", "-r": "--roce-device", "-i": "--profile-id", "-b": "--bdf", "-j": "--json"}
_FLAGS = {"--all", "--json"}
_NOT_MODELLED = {
    "--token-bucket-size", "--ai-rate", "--alpha-update-interval", "--alpha-update-g", "--initial-alpha-value",
    "--rate-increase-byte-count", "--hai-rate", "--rate-reduce-monitor-period", "--rate-increase-threshold",
    "--rate-increase-interval", "--clamp-target-rate", "--min-rate",
}  # fmt: skip
"""DCQCN numbers of AMD's own, whose ranges nobody documents."""


def _nicctl(outputs: Outputs, words: list[str], place: Where, only_reading: bool) -> bool | None:
    path: list[str] = []
    values: dict[str, str] = {}
    at = 0
    while at < len(words):
        word = _LONG.get(words[at], words[at])
        at += 1
        if not word.startswith("-"):
            path.append(word)
        elif word in _FLAGS or at >= len(words):
            values[word] = ""
        else:
            values[word] = words[at]
            at += 1
    outputs.begin(" ".join(["nicctl", *path])[:60])
    if path[:1] == ["show"]:
        return True
    if only_reading or path[:1] != ["update"]:
        return None
    return _update(outputs, path[1:], values, place)


def _update(outputs: Outputs, path: list[str], values: dict[str, str], place: Where) -> bool | None:
    if path == ["dcqcn"]:
        return _dcqcn(outputs, values, place)
    if path[:1] == ["card"] or path[:1] == ["pipeline"]:
        return None  # profiles and features of the card, for the next boot
    setter = _SETTERS.get(" ".join(path))
    return False if setter is None else setter(_target(outputs, values, place), values, place)


def _target(outputs: Outputs, values: dict[str, str], place: Where) -> Facts:
    """Return the port a command names; without one it is all ports."""
    if "--port" in values:
        found: Facts = outputs.host.uuid(_safe(values["--port"]), place)
        return found
    host = outputs.host
    if host.everywhere is None:
        host.everywhere = _facts.everywhere(place)
    return host.everywhere


def _dcqcn(outputs: Outputs, values: dict[str, str], place: Where) -> bool:
    if "--cnp-dscp" in values and "--roce-device" in values:
        device = outputs.host.device(_safe(values["--roce-device"]), place)
        device.nic["cnp_dscp"] = natural(values["--cnp-dscp"], 63)
        device.places["nic.cnp_dscp"] = place
    return set(values) <= _NOT_MODELLED | {"--cnp-dscp", "--roce-device", "--profile-id"}


def _classification(port: Facts, values: dict[str, str], place: Where) -> bool:
    port.trust = {"dscp": "dscp", "pcp": "pcp"}[values["--classification-type"].lower()]
    if port.trust == "pcp":
        port.codes, port.other_codes = {}, None
    port.at("trust", place)
    return True


def _map(port: Facts, values: dict[str, str], place: Where) -> bool:
    priority = natural(values["--priority"], 7)
    for code in _lists.numbers(values["--dscp"], 63):
        port.map_code(code, priority, place)
    return True


def _pfc(port: Facts, values: dict[str, str], place: Where) -> bool:
    chosen = frozenset(_lists.numbers(values["--priority"], 7))
    before = port.pfc or frozenset()
    port.pfc = before | chosen if _lists.switch(values["--no-drop"]) else before - chosen
    port.at("pfc", place)
    return True


def _scheduling(port: Facts, values: dict[str, str], place: Where) -> bool:
    priorities = _lists.numbers(values["--priority"], 7)
    shares = [natural(word, 100) for word in values["--dwrr"].split(",")]
    rates = [natural(word, 1_000_000) for word in values["--rate-limit"].split(",")]
    if not len(priorities) == len(shares) == len(rates):
        return False
    for priority, share, rate in zip(priorities, shares, rates, strict=True):
        _facts.schedule(port, priority, share, rate)
        port.at(f"queues.{priority}", place)
    return True


def _purpose(_: Facts, values: dict[str, str], __: Where) -> bool:
    return "--purpose" in values


def _port(port: Facts, values: dict[str, str], place: Where) -> bool:
    if "--pause-type" in values:
        words = {"pause_type": values["--pause-type"]}
        words |= {f"{side}_pause": values[f"--{side}-pause"] for side in ("rx", "tx") if f"--{side}-pause" in values}
        _outputs.port_type(port, words, place)
    if "--mtu" in values:
        port.nic["port_mtu"] = natural(values["--mtu"], 65535)
    if "--fec-type" in values:
        port.fec = values["--fec-type"].lower()
    return True


_SETTERS: dict[str, Callable[[Facts, dict[str, str], Where], bool]] = {
    "qos": _classification,
    "qos dscp-to-priority": _map,
    "qos dscp-to-purpose": _purpose,
    "qos pfc": _pfc,
    "qos scheduling": _scheduling,
    "port": _port,
}
READERS = {"nicctl": _nicctl}
