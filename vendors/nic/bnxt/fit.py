"""What a bnxt port carries of a plan, and every change with its reason."""

from __future__ import annotations

from dataclasses import replace
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
_maps = load_module(_LINUX / "fit_maps.py")

_ROCE_PORT = 4791
_ECN_BITS = 3


@lru_cache(maxsize=1)
def limits() -> dict[str, Any]:
    """Return `limits.yaml`."""
    return read_yaml(_HERE.with_name("limits.yaml"))


def _nic(nic: Nic | None, _: PortQos, notes: Notes) -> Nic | None:
    if nic is None:
        return None
    side = _fit_nic.RdmaSide(
        limits(), no_parameters="the driver's numbers have no documented range and are not those of mlx5",
    )  # fmt: skip
    tos, ect = nic.default_tos, nic.sets_ect
    if tos is not None and tos & _ECN_BITS:
        notes.add("nic.default_tos", "box-made", tos, tos & ~_ECN_BITS,
                  "ecn_marking makes the ECN bits of RoCE packets: Broadcom's ToS has none")  # fmt: skip
        tos, ect = tos & ~_ECN_BITS, True
    fitted = _fit_nic.fit_nic(replace(nic, default_tos=tos, sets_ect=None), notes, side)
    if fitted is None:
        return None
    control = fitted.congestion_control
    if ect is None and control is not None and control.algorithm == "dcqcn":
        ect = True
    fitted_nic: Nic = replace(fitted, sets_ect=ect)
    return fitted_nic


@lru_cache(maxsize=1)
def _carries() -> Any:
    return _fit_qos.Carries(
        limits(),
        _nic,
        no_cable="the driver takes no cable length: the firmware keeps the headroom",
        no_buffers="dcbnl of this driver has no receive buffers: the firmware sizes them",
        dropped=_fit_qos.NO_WORD,
        contiguous=True,
        shapers=False,
        no_shapers="the driver has no maxrate of dcbnl",
    )


def _port(port: Port, notes: Notes) -> Port:
    qos = port.qos
    lossless = _maps.lossless_of(qos)
    if qos.app_to_tc is None and len(lossless) == 1:
        apps = (("udp", _ROCE_PORT, min(lossless)),)
        notes.add("app_to_tc", "chosen", "left open", f"UDP {_ROCE_PORT} to {min(lossless)}",
                  "Broadcom's bnxt_setupcc.sh maps RoCEv2's UDP port beside its DSCP")  # fmt: skip
        port = replace(port, qos=replace(qos, app_to_tc=apps))
    fitted: Port = _fit_qos.fit_port(port, notes, _carries())
    return fitted


def fit(device: Device) -> tuple[Device, tuple[Adjustment, ...]]:
    """Return what the NIC ports of a host carry of a plan, ending with the derived values, and every change."""
    fitted: tuple[Device, tuple[Adjustment, ...]] = _fit.fit(device, _port, _effective.defaults)
    return fitted
