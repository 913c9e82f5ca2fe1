"""What an ice port carries of a plan, and every change with its reason."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import NicBoot
from rocecfg.vendor.manifest import read_yaml

if TYPE_CHECKING:
    from rocecfg.state.model import Device, Nic, Port, PortQos
    from rocecfg.vendor.api import Adjustment
    from vendors.nic.linux.fit import Notes

_HERE = Path(__file__)
_LINUX = _HERE.parents[1] / "linux"
_classes = load_module(_HERE.with_name("fit_classes.py"))
_effective = load_module(_HERE.with_name("effective.py"))
_fit = load_module(_LINUX / "fit.py")
_fit_nic = load_module(_LINUX / "fit_nic.py")
_fit_qos = load_module(_LINUX / "fit_qos.py")
_maps = load_module(_LINUX / "fit_maps.py")


@lru_cache(maxsize=1)
def limits() -> dict[str, Any]:
    """Return `limits.yaml`."""
    return read_yaml(_HERE.with_name("limits.yaml"))


def _nic(nic: Nic | None, _: PortQos, notes: Notes) -> Nic | None:
    side = _fit_nic.RdmaSide(
        limits(),
        no_cnp_dscp="irdma has no documented setting for the DSCP of its CNPs",
        no_cnp_priority="irdma has no documented setting for the priority of its CNPs",
        no_storm_timeout="the ice driver has no pause storm timeout",
        no_parameters="irdma's numbers are options of a module outside the kernel, with other names and units",
        boot=NicBoot(lldp_agent=False),
        boot_because="the firmware's LLDP agent overrides every setting of the host; its switch survives reboots",
    )
    fitted: Nic | None = _fit_nic.fit_nic(nic, notes, side)
    return fitted


_DROPPED = (
    *_fit_qos.NO_WORD,
    ("app_to_tc", (), "the driver accepts DSCP entries only (EINVAL for others)"),
)
_NO_CABLE = "the driver takes no cable length: the firmware keeps the headroom"
_NO_BUFFERS = "the driver has no word for receive buffers: the firmware sizes them"
_NO_SHAPERS = "the driver has no maxrate of dcbnl"


@lru_cache(maxsize=1)
def _carries() -> Any:
    return _fit_qos.Carries(
        limits(), _nic, no_cable=_NO_CABLE, no_buffers=_NO_BUFFERS, dropped=_DROPPED, contiguous=True,
        tcs=_classes.TCS, shapers=False, no_shapers=_NO_SHAPERS,
    )  # fmt: skip


def _port(port: Port, notes: Notes) -> Port:
    trust = port.qos.trust or ("dscp" if port.qos.dscp_to_tc is not None else None)
    qos = replace(port.qos, trust=trust) if trust == "dscp" else port.qos
    _classes.check_lossless(qos, notes)
    fitted: Port = _fit_qos.fit_port(port, notes, _carries(), classes=_dscp_classes if trust == "dscp" else None)
    return fitted


def _dscp_classes(qos: PortQos, stray: int, notes: Notes) -> PortQos:
    if any(note.kind == "refused" and note.field == "pfc" and note.object == notes.object for note in notes.all):
        return replace(qos, queues=None, tc_to_queue=None)  # nothing of it is rendered
    fitted: PortQos = _classes.dscp_mode(qos, stray, notes)
    return fitted


def fit(device: Device) -> tuple[Device, tuple[Adjustment, ...]]:
    """Return what the NIC ports of a host carry of a plan, ending with the derived values, and every change."""
    fitted: tuple[Device, tuple[Adjustment, ...]] = _fit.fit(device, _port, _effective.defaults)
    return fitted
