"""What the ice driver makes of the stated settings: in DSCP mode a priority is a TC, and that cannot change."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import intern_ports

if TYPE_CHECKING:
    from rocecfg.state.model import Device, Port

_linux = load_module(Path(__file__).parents[1] / "linux" / "effective.py")
TCS = 4
"""TCs that a port with RDMA has at most (Intel 635330)."""


def defaults(device: Device) -> Device:
    """Fill in what follows from the stated settings and from the driver's own behaviour."""
    filled: Device = _linux.defaults(replace(device, ports=intern_ports(_port(port) for port in device.ports.values())))
    return filled


def _port(port: Port) -> Port:
    qos = port.qos
    if qos.trust != "dscp" or qos.tc_to_queue is not None:
        return port
    # ice_dcbnl_setapp: entering DSCP mode maps priority n to TC n, and ice_dcbnl_setets keeps it so.
    mapped = (*range(TCS), *(None,) * (16 - TCS))
    return replace(port, qos=replace(qos, tc_to_queue=mapped, defaulted=qos.defaulted | {"tc_to_queue"}))
