"""What the templates print for mlx5 ports: the wanted values of all hosts, then those of the firmware's next boot."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rocecfg.state.model import Device, Nic, Port
    from rocecfg.vendor.api import View

_view = load_module(Path(__file__).parents[1] / "linux" / "view.py")
_operator = load_module(Path(__file__).with_name("operator.py"))


def from_state(device: Device) -> Mapping[str, View]:
    """Return the views of the script and of its systemd unit."""
    views: Mapping[str, View] = _view.from_state(device, _wants)
    if device.kubernetes_vfs is not None:
        return {**views, _operator.TEMPLATE: _operator.view(device)}
    return views


def _wants(port: Port) -> Iterator[Any]:
    yield from _view.wants(port, "lossless priorities; a change takes the link down and up")
    if port.nic is not None:
        yield from firmware(port.nic)


def firmware(nic: Nic) -> Iterator[Any]:
    """Yield the firmware's values of the next boot."""
    boot, control = nic.next_boot, nic.congestion_control
    if boot is None:
        return
    values: dict[str, int | None] = {
        "ROCE_CC_PRIO_MASK": None
        if boot.congestion_control is None
        else sum(1 << priority for priority in boot.congestion_control),
        "CNP_DSCP": boot.cnp_dscp,
        "CNP_802P_PRIO": boot.cnp_priority,
        "DCBX_WILLING": None if boot.willing is None else int(boot.willing),
        "LLDP_NB_DCBX": None if boot.lldp_agent is None else int(boot.lldp_agent),
        "LLDP_NB_RX_MODE": None if boot.lldp_agent is None else 2 * boot.lldp_agent,
        "LLDP_NB_TX_MODE": None if boot.lldp_agent is None else 2 * boot.lldp_agent,
        "ROCE_CONTROL": 2 if boot.rdma else None,
    }
    if control is not None:
        values.update({name.upper(): value for name, value in control.parameters})
    for name, wanted in values.items():
        if wanted is not None:
            yield _view.Want(f"firmware {name}", str(wanted))
