"""Fits what a NIC port has beyond a switch port, on drivers that know less of it than mlx5."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import NEVER, CongestionControl, Nic

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.model import NicBoot
    from vendors.nic.linux.fit import Notes

_fit = load_module(Path(__file__).with_name("fit.py"))


@dataclass(frozen=True, slots=True)
class RdmaSide:
    """What a family has words for on the RDMA side; each text says why it has none."""

    limits: Mapping[str, Any]
    no_tos: str = ""
    no_roce_version: str = ""
    no_cnp_dscp: str = ""
    no_cnp_priority: str = ""
    no_storm_timeout: str = ""
    no_control: str = ""
    """Why congestion control is not switched."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """Numbers of the congestion control that may be set: name -> `range`."""
    no_parameters: str = "no documented setting says it"
    boot: NicBoot | None = None
    """What the firmware shall do after the next boot."""
    boot_because: str = ""


def fit_nic(nic: Nic | None, notes: Notes, side: RdmaSide) -> Nic | None:
    """Return the RDMA side of a port."""
    if nic is None:
        return None
    if nic.active_mtu is not None:
        notes.add("nic.active_mtu", "box-made", nic.active_mtu, "from the netdev MTU", "the driver derives it")
    for name in ("sets_ect", "reorders", "manual_buffers"):
        if getattr(nic, name):
            notes.add(f"nic.{name}", "dropped", getattr(nic, name), "nothing", "no documented host setting says it")
    if nic.forced_tos is not None:
        notes.add("nic.forced_tos", "dropped", nic.forced_tos, "nothing",
                  "only mlx5 marks all RoCE packets by itself: here applications say it (NCCL_IB_TC)")  # fmt: skip
    tos, dscp = side.limits["tos"]["range"], side.limits["dscp"]["range"]
    fitted = Nic(
        family=nic.family,
        model=nic.model,
        firmware=nic.firmware,
        driver=nic.driver,
        pcie=nic.pcie,
        gids=nic.gids,
        rdma_device=nic.rdma_device,
        roce_version=_kept(nic.roce_version, "nic.roce_version", side.no_roce_version, notes),
        default_tos=_fit.in_range(
            _kept(nic.default_tos, "nic.default_tos", side.no_tos, notes), "nic.default_tos", tos, notes
        ),
        cnp_dscp=_fit.in_range(
            _kept(nic.cnp_dscp, "nic.cnp_dscp", side.no_cnp_dscp, notes), "nic.cnp_dscp", dscp, notes
        ),
        cnp_priority=_fit.in_range(
            _kept(nic.cnp_priority, "nic.cnp_priority", side.no_cnp_priority, notes), "nic.cnp_priority", (0, 7), notes
        ),
        storm_timeout=_storm(nic, notes, side),
        congestion_control=_control(nic.congestion_control, notes, side),
    )
    if side.boot is not None and nic.next_boot != side.boot:
        notes.add("nic.next_boot", "chosen", "left open" if nic.next_boot is None else nic.next_boot, side.boot,
                  side.boot_because)  # fmt: skip
    elif side.boot is None and nic.next_boot is not None:
        notes.add("nic.next_boot", "dropped", nic.next_boot, "nothing", "no documented firmware value says it")
    fitted = replace(fitted, next_boot=side.boot)
    return None if fitted == Nic() else fitted


def _kept(value: Any, field: str, why_not: str, notes: Notes) -> Any:
    if value is None or not why_not:
        return value
    notes.add(field, "dropped", value, "nothing", why_not)
    return None


def _storm(nic: Nic, notes: Notes, side: RdmaSide) -> int | None:
    timeout = nic.storm_timeout
    if timeout is not None and side.no_storm_timeout:
        wanted = "never" if timeout == NEVER else f"{timeout} ms"
        notes.add("nic.storm_timeout", "dropped", wanted, "nothing", side.no_storm_timeout)
        return None
    fitted: int | None = (
        _fit.fit_storm(timeout, side.limits["storm_timeout_ms"]["range"], notes) if timeout else timeout
    )
    return fitted


def _control(control: CongestionControl | None, notes: Notes, side: RdmaSide) -> CongestionControl | None:
    if control is None:
        return None
    if control.algorithm not in {None, "dcqcn", "none"}:
        notes.add("nic.congestion_control.algorithm", "refused", control.algorithm, "dcqcn",
                  "only DCQCN has documented host settings")  # fmt: skip
    if side.no_control:
        notes.add("nic.congestion_control", "dropped", control.algorithm or "numbers", "nothing", side.no_control)
        return None
    per_priority = control.receives or control.reacts
    if control.receives is not None or control.reacts is not None:
        notes.add("nic.congestion_control", "equalised", f"DCQCN on priorities {_list(per_priority)}",
                  "DCQCN on all of RoCE" if per_priority else "DCQCN off",
                  "one switch for the whole RDMA device")  # fmt: skip
    algorithm = control.algorithm
    if algorithm is None and per_priority is not None:
        algorithm = "dcqcn" if per_priority else "none"
    parameters = []
    for name, value in control.parameters:
        known = side.parameters.get(name)
        if known is None:
            notes.add(f"nic.congestion_control.{name}", "dropped", value, "nothing", side.no_parameters)
            continue
        low, high = known["range"]
        if not low <= value <= high:
            notes.add(f"nic.congestion_control.{name}", "refused", value, f"{low} to {high}", "outside the range")
        else:
            parameters.append((name, value))
    fitted = CongestionControl(algorithm, parameters=tuple(sorted(parameters)))
    return None if fitted == CongestionControl() else fitted


def _list(priorities: frozenset[int] | None) -> str:
    return ",".join(map(str, sorted(priorities or ()))) or "none"
