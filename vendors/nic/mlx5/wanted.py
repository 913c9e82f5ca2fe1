"""Keys of the rendered script that only mlx5 hosts have: DCQCN numbers, firmware values."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module

if TYPE_CHECKING:
    from vendors.nic.linux.facts import Facts

_PARAMETERS = load_module(Path(__file__).with_name("facts.py")).PARAMETERS


def _parameter(port: Facts, value: str) -> None:
    name, number = value.split(" ")
    if name not in _PARAMETERS:
        raise ValueError(name)
    port.parameters[name] = int(number)


def _firmware(port: Facts, value: str) -> None:
    name, number = value.split(" ")
    port.firmware[name] = int(number)


KEYS = {"cc_parameter": _parameter, "firmware": _firmware}
LEAVES = {
    "cc_parameter": "nic.congestion_control",
    "firmware": "nic.next_boot",
    "firmware CNP_DSCP": "nic.next_boot.cnp_dscp",
    "firmware CNP_802P_PRIO": "nic.next_boot.cnp_priority",
    "firmware ROCE_CC_PRIO_MASK": "nic.next_boot.congestion_control",
}
