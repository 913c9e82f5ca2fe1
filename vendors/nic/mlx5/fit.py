"""What an mlx5 port can carry of a plan, and every change with its reason."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import Amount, Device, Port, PortQos, PriorityGroup
from rocecfg.vendor.api import Adjustment
from rocecfg.vendor.manifest import read_yaml

if TYPE_CHECKING:
    from vendors.nic.linux.fit import Notes

_HERE = Path(__file__)
_LINUX = _HERE.parents[1] / "linux"
_effective = load_module(_HERE.with_name("effective.py"))
_linux = load_module(_LINUX / "fit.py")
_maps = load_module(_LINUX / "fit_maps.py")
_operator = load_module(_HERE.with_name("operator.py"))
_nic = load_module(_HERE.with_name("fit_nic.py"))


@lru_cache(maxsize=1)
def limits() -> dict[str, Any]:
    """Return `limits.yaml`."""
    return read_yaml(_HERE.with_name("limits.yaml"))


def fit(device: Device) -> tuple[Device, tuple[Adjustment, ...]]:
    """Return what the NIC ports of a host carry of a plan, ending with the derived values, and every change."""
    fitted: tuple[Device, tuple[Adjustment, ...]] = _linux.fit(device, _port, _effective.defaults)
    refused = (
        Adjustment(device.name, "", field, wanted, got, "refused", because)
        for field, wanted, got, because in _operator.refusals(fitted[0])
    )
    return fitted[0], (*fitted[1], *refused)


def _port(port: Port, notes: Notes) -> Port:
    _linux.check_names(port, notes, limits()["names"])
    mtu, counts = _linux.fit_mtu(port, notes, limits()["mtu"]["range"])
    nic = _nic.fit_nic(port.nic, port.qos, notes, limits())
    qos = _qos(port.qos, notes, manual=nic is not None and nic.manual_buffers is True)
    return replace(port, qos=qos, mtu=mtu, mtu_counts=counts, nic=nic)


def _qos(qos: PortQos, notes: Notes, *, manual: bool) -> PortQos:
    qos = replace(qos, defaulted=frozenset())
    trust = _linux.fit_trust(qos, notes)
    qos = replace(qos, trust=trust)
    best_effort = _maps.best_effort(qos)
    _linux.note_dropped(qos, notes, _DROPPED)
    qos = replace(
        qos,
        dscp_to_tc=_maps.dscp_map(qos, best_effort, notes, by_eight=True),
        pcp_to_tc=_maps.pcp_map(qos, notes),
        default_tc=None,
        dscp_to_colour=None,
        app_to_tc=None,
        rewrite=None,
        watchdog=None,
        pfc=_linux.fit_pfc(qos.pfc, trust, notes),
        link_pause=_linux.fit_pause(qos.link_pause),
        dcbx=_nic.fit_dcbx(qos.dcbx, notes),
        cable=_cable(qos.cable, notes),
    )
    qos = _maps.fit_queues(qos, best_effort, notes)
    return _buffers(qos, notes) if manual else _box_buffers(qos, notes)


_DROPPED = (
    ("default_tc", 0, "frames without a usable mark take priority 0; no input changes it"),
    ("dscp_to_colour", None, "a NIC has no drop precedence"),
    ("app_to_tc", (), "the driver accepts DSCP entries only (EINVAL for others)"),
    ("rewrite", (), "the NIC does not rewrite DSCP: applications mark"),
    ("watchdog", None, "no PFC watchdog here: the NIC's own guard is the pause storm timeout"),
)
"""Leaf, the value that says what the NIC does anyway, why nothing else can be said."""


def _cable(cable: Any, notes: Notes) -> int | None:
    if cable is None:
        return None
    low, high = limits()["cable_m"]["range"]
    metres: int = max(int(-(-cable // 1)), low)
    if metres > high:
        notes.add("cable", "refused", f"{cable} m", f"{high} m", "the driver refuses longer cables")
        metres = high
    if metres != cable:
        notes.add("cable", "quantised", f"{float(cable):g} m", f"{metres} m", "whole metres, rounded up")
    return metres


def _box_buffers(qos: PortQos, notes: Notes) -> PortQos:
    """Leave the receive buffers to firmware and driver, which size them from PFC, cable, speed and MTU."""
    bare = replace(qos, priority_groups=None, tc_to_pg=None, priority_to_pg=None)
    layout = _effective.defaults(Device("", "mlx5", {"": Port("", qos=bare)})).ports[""].qos
    if qos.tc_to_pg is not None and qos.tc_to_pg != layout.tc_to_pg:
        wanted = ", ".join(f"{tc} in {pg}" for tc, pg in enumerate(qos.tc_to_pg) if pg is not None)
        notes.add("tc_to_pg", "box-made", wanted, "as the firmware lays them out",
                  "stating receive buffers by hand freezes their sizes on older drivers")  # fmt: skip
    for number, group in enumerate(qos.priority_groups or ()):
        if group is not None and group.headroom is not None and group.headroom.by == "stated":
            amount = group.headroom.amount
            notes.add(
                f"priority_groups.{number}.headroom", "box-made", f"{amount.value} B" if amount else "present",
                "the driver's formula", "the driver works the headroom out from cable length, speed and MTU",
            )  # fmt: skip
        if group is not None and _linux.is_stated_limit(group, layout.priority_group(number)):
            notes.add(
                f"priority_groups.{number}.xoff_at", "box-made", _linux.threshold(group),
                "buffer less headroom", "the driver sets XOFF and XON inside the receive buffer",
            )  # fmt: skip
    return bare


def _buffers(qos: PortQos, notes: Notes) -> PortQos:
    """Keep receive buffers that the plan states by hand, rounded to cells."""
    if qos.tc_to_pg is None or any(number is None for number in qos.tc_to_pg[:8]):
        notes.add("tc_to_pg", "refused", "not all 8 priorities", "8 receive buffers", "prio2buffer takes 8 numbers")
        return _box_buffers(qos, notes)
    cell = limits()["buffers"]["cell"]
    groups: list[PriorityGroup | None] = []
    for number, group in enumerate(qos.priority_groups or (None,) * 8):
        if group is None or group.reserved is None:
            groups.append(None)
            continue
        if group.headroom is not None and group.headroom.by == "stated":
            notes.add(f"priority_groups.{number}.headroom", "box-made", "stated", "the driver's formula",
                      "the driver places XOFF inside the buffer from cable length, speed and MTU")  # fmt: skip
        amount = group.reserved
        rounded = int(-(-amount.value // cell) * cell)
        if rounded != amount.value:
            notes.add(f"priority_groups.{number}.reserved", "quantised", f"{amount.value} B", f"{rounded} B",
                      f"receive buffers come in cells of {cell} B")  # fmt: skip
        groups.append(PriorityGroup(reserved=Amount.of_bytes(rounded)))
    tc_to_pg = (*qos.tc_to_pg[:8], *(None,) * 8)
    return replace(qos, tc_to_pg=tc_to_pg, priority_to_pg=None, priority_groups=tuple(groups))
