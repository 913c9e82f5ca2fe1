"""Single-value files: `grep -H . PATH...` prints `path:value`, a script says `echo value > path`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import NEVER
from rocecfg.state.numbers import natural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocecfg.state.model import Where
    from vendors.nic.linux.facts import Facts, Host

_words = load_module(Path(__file__).with_name("words.py"))
_NAMED = {3, 4}
"""Where a path names its device."""
STORM_TIMEOUT_AUTO = 65535
"""What `auto` is on the wire; the driver turns it into 100 ms."""
_AUTO_MS = 100
_GENERATIONS = {"2.5": 1, "5.0": 2, "8.0": 3, "16.0": 4, "32.0": 5, "64.0": 6}
"""GT/s a lane -> PCIe generation."""


def is_ours(path: str) -> bool:
    """Return whether a path holds a setting we model or deliberately ignore."""
    parts = path.split("/")
    if path.startswith("/sys/class/net/"):
        return len(parts) > 5 and (parts[5] in {"mtu", "speed", "device"} or parts[5].startswith("upper_"))
    return path.startswith(("/sys/class/infiniband/", "/sys/kernel/config/rdma_cm/"))


def split_line(line: str) -> tuple[str, str]:
    """Return path and value of a `path:value` line; the PCI address in a debugfs path holds colons of its own."""
    if line.startswith("/sys/kernel/debug/"):
        path, _, value = line.rpartition(":")
    else:
        path, _, value = line.partition(":")
    return path, value.strip()


def take(host: Host, path: str, value: str, place: Where) -> bool:
    """Take one file's value; False when path or value is not understood."""
    parts = path.strip("/").split("/")
    try:
        parts = names(parts)
        if parts[:3] == ["sys", "class", "net"]:
            return _netdev(host, parts[3], parts[4:], value, place)
        if parts[:3] == ["sys", "class", "infiniband"]:
            return _infiniband(host, parts[3], parts[4:], value, place)
        if parts[:4] == ["sys", "kernel", "config", "rdma_cm"]:
            return _rdma_cm(host, parts[4], parts[5:], value, place)
    except (ValueError, IndexError):
        return False
    return False


def names(parts: Sequence[str]) -> list[str]:
    """Return the parts of a path, its device's name made safe. Raises ValueError."""
    return [_words.device_name(part) if number in _NAMED else _plain(part) for number, part in enumerate(parts)]


def _plain(part: str) -> str:
    if "$" in part:
        raise ValueError(part)
    return part


def set_storm_timeout(port: Facts, timeout: int, place: Where) -> None:
    """Note the pause storm timeout: 0 = never, 65535 = the driver's own 100 ms."""
    port.nic["storm_timeout"] = {0: NEVER, STORM_TIMEOUT_AUTO: _AUTO_MS}.get(timeout, timeout)
    port.at("nic.storm_timeout", place)


def _netdev(host: Host, name: str, rest: Sequence[str], value: str, place: Where) -> bool:
    if list(rest) == ["device", "uevent"]:
        if value.startswith("PCI_SLOT_NAME="):
            host.port(name, place)
            host.pci_of[name] = value.partition("=")[2]
        return True
    port = host.port(name, place)
    if list(rest) in (["device", "current_link_speed"], ["device", "current_link_width"]):
        return _pcie(port, rest[1], value, place)
    if list(rest) == ["mtu"]:
        port.mtu = natural(value, _words.LARGEST_MTU)
        port.at("mtu", place)
        return True
    if list(rest) == ["speed"]:
        port.speed_now = natural(value, 10**8) * 1_000_000 or None if value != "-1" else None
        return True
    if rest[:2] == ["device", "physfn"] and len(rest) == 4:
        port.vf_of = rest[3]
        return True
    if len(rest) == 1 and rest[0].startswith("upper_"):
        port.lag = rest[0].removeprefix("upper_")
        return True
    return False


def _pcie(port: Facts, what: str, value: str, place: Where) -> bool:
    """Note the trained PCIe link: "32.0 GT/s PCIe" and "16" of the Linux files current_link_speed and _width."""
    generation, lanes = port.nic.get("pcie") or (0, 0)
    if what == "current_link_speed":
        found = _GENERATIONS.get(value.partition(" ")[0])
        if found is None:
            return value.startswith("Unknown")
        generation = found
    else:
        lanes = int(value)
    port.nic["pcie"] = (generation, lanes)
    port.at("nic.pcie", place)
    return True


def _infiniband(host: Host, name: str, rest: Sequence[str], value: str, place: Where) -> bool:
    device = host.device(name, place)
    if len(rest) == 5 and list(rest[2:4]) == ["gid_attrs", "ndevs"]:
        device.netdev = device.netdev or value
        return True
    return (
        list(rest) == ["node_type"]
        or list(rest[2:4]) == ["gid_attrs", "types"]
        or (len(rest) > 2 and rest[2] == "gids")
    )


def _rdma_cm(host: Host, name: str, rest: Sequence[str], value: str, place: Where) -> bool:
    device = host.device(name, place)
    if rest[-1] == "default_roce_tos":
        device.nic["default_tos"] = int(value)
        device.places["nic.default_tos"] = place
        return True
    if rest[-1] == "default_roce_mode":
        version = {"IB/RoCE v1": "v1", "RoCE v2": "v2"}.get(value)
        if version is not None:
            device.nic["roce_version"] = version
            device.places["nic.roce_version"] = place
        return version is not None
    return False
