"""What any driver carries of a plan through dcb(8), ethtool(8) and rdma_cm, and every change with its reason."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.vendor.manifest import read_yaml

if TYPE_CHECKING:
    from rocecfg.state.model import Device, Nic, Port, PortQos
    from rocecfg.vendor.api import Adjustment
    from vendors.nic.linux.fit import Notes

_HERE = Path(__file__)
_LINUX = _HERE.parents[1] / "linux"
_effective = load_module(_LINUX / "effective.py")
_fit = load_module(_LINUX / "fit.py")
_fit_nic = load_module(_LINUX / "fit_nic.py")
_fit_qos = load_module(_LINUX / "fit_qos.py")

_DRIVER = "only the driver's own tool says it: use the family of the NIC (mlx5, bnxt, ice, ionic) where it is one"


@lru_cache(maxsize=1)
def limits() -> dict[str, Any]:
    """Return `limits.yaml`."""
    return read_yaml(_HERE.with_name("limits.yaml"))


def _nic(nic: Nic | None, _: PortQos, notes: Notes) -> Nic | None:
    side = _fit_nic.RdmaSide(
        limits(), no_cnp_dscp=_DRIVER, no_cnp_priority=_DRIVER, no_control=_DRIVER,
    )  # fmt: skip
    fitted: Nic | None = _fit_nic.fit_nic(nic, notes, side)
    return fitted


@lru_cache(maxsize=1)
def _carries() -> Any:
    return _fit_qos.Carries(
        limits(),
        _nic,
        no_cable="the delay of dcb-pfc(8) counts bit times, and what a driver makes of it is its own",
        no_buffers="dcbnl has no word for it on most drivers: the NIC sizes its receive buffers by itself",
        dropped=_fit_qos.NO_WORD,
        contiguous=True,
    )


def _port(port: Port, notes: Notes) -> Port:
    fitted: Port = _fit_qos.fit_port(port, notes, _carries())
    return fitted


def fit(device: Device) -> tuple[Device, tuple[Adjustment, ...]]:
    """Return what the NIC ports of a host carry of a plan, ending with the derived values, and every change."""
    fitted: tuple[Device, tuple[Adjustment, ...]] = _fit.fit(device, _port, _effective.defaults)
    return fitted
