"""Keys of the rendered script that only ionic hosts have."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module

if TYPE_CHECKING:
    from vendors.nic.linux.facts import Facts

_schedule = load_module(Path(__file__).with_name("facts.py")).schedule


def _pause_type(port: Facts, value: str) -> None:
    if value != "pfc":
        raise ValueError(value)
    port.pause = {"rx": False, "tx": False}


def _schedules(port: Facts, value: str) -> None:
    for entry in value.split(","):
        priority, share, rate = map(int, entry.split(":"))
        _schedule(port, priority, share, rate)


def _derived(_: Facts, value: str) -> None:
    """Check the port's MTU: it follows from the netdev's."""
    if not 0 < int(value) <= 65535:
        raise ValueError(value)


KEYS = {"pause_type": _pause_type, "schedule": _schedules, "port_mtu": _derived}
LEAVES = {"pause_type": "link_pause", "schedule": "queues", "port_mtu": "mtu"}
