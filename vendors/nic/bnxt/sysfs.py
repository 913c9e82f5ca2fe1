"""Congestion control of bnxt_re: the staged files of configfs, and the debugfs files of drivers without them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module

if TYPE_CHECKING:
    from rocecfg.state.model import Where
    from vendors.nic.bnxt.facts import Host
    from vendors.nic.linux.facts import Facts, Rdma

_LINUX = Path(__file__).parents[1] / "linux"
_linux = load_module(_LINUX / "sysfs.py")
_words = load_module(_LINUX / "words.py")
_CONFIG = "/sys/kernel/config/bnxt_re/"
_DEBUG = "/sys/kernel/debug/bnxt_re/"
_NOT_MODELLED = {
    "apply", "disable_prio_vlan_tx", "roce_dscp", "roce_prio", "advanced", "g", "init_cr", "inact_th", "init_tr",
    "nph_per_state", "time_pph", "pkts_pph", "rtt", "tcp_cp", "cc_ack_bytes", "cf_rtt_th",
}  # fmt: skip
"""Files whose range or meaning nobody documented, or that repeat what other texts say."""


def is_ours(path: str) -> bool:
    """Return whether a path holds a setting we model or deliberately ignore."""
    return path.startswith((_CONFIG, _DEBUG)) or bool(_linux.is_ours(path))


def take(host: Host, path: str, value: str, place: Where) -> bool:
    """Take one file's value; False when path or value is not understood."""
    if not path.startswith((_CONFIG, _DEBUG)):
        return bool(_linux.take(host, path, value, place))
    parts = path.strip("/").split("/")
    try:
        if len(parts) == 8 and path.startswith(_CONFIG) and parts[5] == "ports" and parts[7] == "cc":
            return True
        if len(parts) == 9 and path.startswith(_CONFIG) and parts[7] == "cc":
            return _control(host.device(_words.device_name(parts[4]), place), parts[8], value, place)
        if len(parts) == 7 and parts[5] == "cc_config":
            name = {"enable_cc": "ecn_enable", "tos_ecn": "ecn_marking"}.get(parts[6], parts[6])
            return _control(_of_function(host, parts[4], place), name, value, place)
        return len(parts) == 6 and parts[5] == "info"
    except ValueError:
        return False


def _of_function(host: Host, function: str, place: Where) -> Facts:
    """Return the port of a PCI function; debugfs is sorted by them."""
    found = next((name for name, pci in host.pci_of.items() if pci == function), None)
    port: Facts = host.port(found or f"niccli {function}", place)
    return port


def _control(holder: Facts | Rdma, name: str, value: str, place: Where) -> bool:
    if name in _NOT_MODELLED:
        return True
    number = _words.whole(value.strip(), 255)
    if name in {"cnp_dscp", "cnp_prio"}:
        field = {"cnp_dscp": "cnp_dscp", "cnp_prio": "cnp_priority"}[name]
        if number > {"cnp_dscp": 63, "cnp_prio": 7}[name]:
            return False
        holder.nic[field] = number
        holder.places[f"nic.{field}"] = place
    elif name == "ecn_marking":
        holder.nic["sets_ect"] = number in {1, 2}
        holder.places["nic.sets_ect"] = place
    elif name == "ecn_enable":
        holder.nic["algorithm"] = "dcqcn" if number else "none"
        holder.places["nic.congestion_control"] = place
    elif name != "cc_mode" or number > 1:
        return False
    return True
