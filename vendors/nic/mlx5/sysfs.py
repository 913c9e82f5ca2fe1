"""Single-value files that only mlx5 hosts have: DCQCN switches and numbers, the forced traffic class."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.numbers import natural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocecfg.state.model import Where
    from vendors.nic.mlx5.facts import Host

_linux = load_module(Path(__file__).parents[1] / "linux" / "sysfs.py")
_PARAMETERS = load_module(Path(__file__).with_name("facts.py")).PARAMETERS
_DEBUG = "/sys/kernel/debug/mlx5/"


def is_ours(path: str) -> bool:
    """Return whether a path holds a setting we model or deliberately ignore."""
    if path.startswith("/sys/class/net/"):
        parts = path.split("/")
        return (len(parts) > 5 and parts[5] in {"ecn", "qos"}) or bool(_linux.is_ours(path))
    return path.startswith(_DEBUG) or bool(_linux.is_ours(path))


def take(host: Host, path: str, value: str, place: Where) -> bool:
    """Take one file's value; False when path or value is not understood."""
    parts = path.strip("/").split("/")
    try:
        parts = _linux.names(parts)
        if parts[:3] == ["sys", "class", "net"] and parts[4:5] == ["ecn"]:
            return _ecn(host, parts[3], parts[5:], value, place)
        if parts[:3] == ["sys", "class", "infiniband"] and parts[4:5] == ["tc"]:
            return _traffic_class(host, parts[3], parts[5:], value, place)
        if path.startswith(_DEBUG):
            return _debugfs(host, parts[4], parts[5:], value, place)
    except (ValueError, IndexError):
        return False
    return bool(_linux.take(host, path, value, place))


def _ecn(host: Host, name: str, rest: Sequence[str], value: str, place: Where) -> bool:
    port = host.port(name, place)
    if rest[0] not in {"roce_np", "roce_rp"}:
        return False
    if rest[1] == "enable":
        switches = port.receives if rest[0] == "roce_np" else port.reacts
        switches[_digit(rest[2])] = {"0": False, "1": True}.get(value) is True
        port.at(f"nic.congestion_control.{'receives' if rest[0] == 'roce_np' else 'reacts'}", place)
        return value in {"0", "1"}
    if rest[1] in _PARAMETERS:
        port.parameters[rest[1]] = int(value)
        port.at(f"nic.congestion_control.{rest[1]}", place)
        return True
    field = {"cnp_dscp": "cnp_dscp", "cnp_802p_prio": "cnp_priority"}.get(rest[1])
    if field is not None:
        port.nic[field] = int(value)
        port.at(f"nic.{field}", place)
    return field is not None


def _traffic_class(host: Host, name: str, rest: Sequence[str], value: str, place: Where) -> bool:
    if len(rest) == 2 and rest[1] == "traffic_class":
        device = host.device(name, place)
        if value.startswith(("Global tclass=", "tclass=")) or value.isdecimal():
            device.nic["forced_tos"] = natural(value.rpartition("=")[2], 255)
            device.places["nic.forced_tos"] = place
            return True
    return False


def _digit(word: str) -> int:
    number = int(word)
    if not 0 <= number <= 7:
        raise ValueError(word)
    return number


def _debugfs(host: Host, function: str, rest: Sequence[str], value: str, place: Where) -> bool:
    if rest[0] != "cc_params":
        return False
    base, _, number = function.rpartition(".")
    card = host.card(base, int(number) + 1, place)
    card.debug[rest[1]] = int(value)
    leaf = {"np_cnp_dscp": "nic.cnp_dscp", "np_cnp_prio": "nic.cnp_priority"}.get(rest[1], "nic.congestion_control")
    card.places.setdefault(leaf, place)
    return True
