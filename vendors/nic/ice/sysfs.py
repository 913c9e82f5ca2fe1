"""Congestion control of irdma: the switches of its configfs folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module

if TYPE_CHECKING:
    from rocecfg.state.model import Where
    from vendors.nic.linux.facts import Host

_LINUX = Path(__file__).parents[1] / "linux"
_linux = load_module(_LINUX / "sysfs.py")
_words = load_module(_LINUX / "words.py")
_CONFIG = "/sys/kernel/config/irdma/"
_OTHER_ALGORITHMS = {"roce_timely_enable": "timely", "roce_dctcp_enable": "dctcp"}


def is_ours(path: str) -> bool:
    """Return whether a path holds a setting we model or deliberately ignore."""
    return path.startswith(_CONFIG) or bool(_linux.is_ours(path))


def take(host: Host, path: str, value: str, place: Where) -> bool:
    """Take one file's value; False when path or value is not understood."""
    if not path.startswith(_CONFIG):
        return bool(_linux.take(host, path, value, place))
    parts = path.strip("/").split("/")
    if len(parts) != 6 or value.strip() not in {"0", "1"}:
        return len(parts) == 6 and parts[5] == "push_mode"
    try:
        device = host.device(_words.device_name(parts[4]), place)
    except ValueError:
        return False
    on = value.strip() == "1"
    if parts[5] == "roce_dcqcn_enable":
        if on or device.nic.get("algorithm") in {None, "dcqcn"}:
            device.nic["algorithm"] = "dcqcn" if on else "none"
        device.places["nic.congestion_control"] = place
    elif parts[5] in _OTHER_ALGORITHMS:
        if on:
            device.nic["algorithm"] = _OTHER_ALGORITHMS[parts[5]]
            device.places["nic.congestion_control"] = place
    else:
        return parts[5] == "push_mode" or parts[5].startswith("iw_")
    return True
