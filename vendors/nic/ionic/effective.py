"""What an ionic port makes of the stated settings: each priority has its own queue and its own receive buffer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import intern_ports

if TYPE_CHECKING:
    from rocecfg.state.model import Device, Port

_linux = load_module(Path(__file__).parents[1] / "linux" / "effective.py")
_IDENTITY = (*range(8), *(None,) * 8)


def defaults(device: Device) -> Device:
    """Fill in what follows from the stated settings and from the NIC's own behaviour."""
    filled: Device = _linux.defaults(replace(device, ports=intern_ports(_port(port) for port in device.ports.values())))
    return filled


def _port(port: Port) -> Port:
    qos = port.qos
    if qos.tc_to_queue is not None or (qos.queues is None and qos.trust is None):
        return port
    # nicctl schedules priorities by their own numbers: there is no TC between
    return replace(port, qos=replace(qos, tc_to_queue=_IDENTITY, defaulted=qos.defaulted | {"tc_to_queue"}))
