"""What the templates print for bnxt ports: the wanted values of all hosts, then those of its congestion control."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rocecfg.state.model import Device, Port
    from rocecfg.vendor.api import View

_view = load_module(Path(__file__).parents[1] / "linux" / "view.py")


def from_state(device: Device) -> Mapping[str, View]:
    """Return the views of the script and of its systemd unit."""
    views: Mapping[str, View] = _view.from_state(device, _wants)
    return views


def _wants(port: Port) -> Iterator[Any]:
    yield from _view.wants(port)
    nic, qos = port.nic, port.qos
    if nic is None:
        return
    if nic.sets_ect is not None:
        yield _view.Want("sets_ect", "on" if nic.sets_ect else "off", "ECN bits of RoCE packets")
    if nic.cnp_dscp is not None and nic.default_tos is not None and qos.pfc is not None and len(qos.pfc.tx or ()) == 1:
        yield _view.Want("roce_dscp", str(nic.default_tos >> 2), "where the firmware has no CNP service type")
        yield _view.Want("roce_priority", str(min(qos.pfc.tx or ())), "the same")
