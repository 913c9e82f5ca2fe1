"""Fits what a NIC port has beyond a switch port: RDMA defaults, DCQCN, CNP, firmware values, owner of DCB."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import CongestionControl, Dcbx, Nic, NicBoot, PortQos

if TYPE_CHECKING:
    from vendors.nic.linux.fit import Notes

_linux = load_module(Path(__file__).parents[1] / "linux" / "fit.py")
OS_OWNS = Dcbx(owners=frozenset({"os"}))
FIRMWARE_OWNS = Dcbx(owners=frozenset({"firmware"}))
_LARGEST = 2**32 - 1


def fit_dcbx(dcbx: Dcbx | None, notes: Notes) -> Dcbx:
    """Return who writes the DCB settings: the host, unless the plan names the firmware."""
    if dcbx is not None and dcbx.owners == frozenset({"firmware"}):
        return FIRMWARE_OWNS
    if dcbx is None or dcbx.owners is None:
        notes.add("dcbx.owners", "chosen", "left open", "os",
                  "exactly one of firmware agent, lldpad and host tools may own DCB; the host is")  # fmt: skip
    elif dcbx.owners != frozenset({"os"}):
        notes.add("dcbx.owners", "refused", ", ".join(sorted(dcbx.owners)), "os or firmware", "one owner only")
    if dcbx is not None and (dcbx.willing or dcbx.state in {"auto", "ieee", "cee"}):
        notes.add("dcbx", "dropped", f"state {dcbx.state}, willing {dcbx.willing}", "nothing",
                  "with the host as owner the NIC does not negotiate; lldpad would be a second owner")  # fmt: skip
    return OS_OWNS


def fit_nic(nic: Nic | None, qos: PortQos, notes: Notes, limits: dict[str, Any]) -> Nic | None:
    """Return the RDMA side of a port, with its firmware twins for the next boot."""
    if nic is None:
        return None
    if nic.active_mtu is not None:
        notes.add("nic.active_mtu", "box-made", nic.active_mtu, "from the netdev MTU", "the driver derives it")
    for name in ("sets_ect", "reorders"):
        if getattr(nic, name) is not None:
            notes.add(f"nic.{name}", "dropped", getattr(nic, name), "nothing", "no documented host setting says it")
    control = _congestion_control(nic.congestion_control, notes, limits["parameters"])
    fitted = replace(
        nic,
        active_mtu=None,
        sets_ect=None,
        reorders=None,
        default_tos=_linux.in_range(nic.default_tos, "nic.default_tos", limits["tos"]["range"], notes),
        forced_tos=_linux.in_range(nic.forced_tos, "nic.forced_tos", limits["tos"]["range"], notes),
        cnp_dscp=_linux.in_range(nic.cnp_dscp, "nic.cnp_dscp", limits["dscp"]["range"], notes),
        cnp_priority=_linux.in_range(nic.cnp_priority, "nic.cnp_priority", (0, 7), notes),
        congestion_control=control,
        storm_timeout=_linux.fit_storm(nic.storm_timeout, limits["storm_timeout_ms"]["range"], notes),
        manual_buffers=True if nic.manual_buffers else None,
    )
    return replace(fitted, next_boot=_next_boot(fitted, qos, notes))


def _congestion_control(
    control: CongestionControl | None, notes: Notes, known: dict[str, Any]
) -> CongestionControl | None:
    if control is None:
        return None
    if control.algorithm not in {None, "dcqcn"}:
        notes.add("nic.congestion_control.algorithm", "refused", control.algorithm, "dcqcn",
                  "only DCQCN has documented host settings")  # fmt: skip
    parameters = []
    for name, value in control.parameters:
        low, high = known.get(name, {}).get("range", (0, _LARGEST))
        if name not in known:
            notes.add(f"nic.congestion_control.{name}", "dropped", value, "nothing", "no such DCQCN number here")
        elif not low <= value <= high:
            notes.add(f"nic.congestion_control.{name}", "refused", value, f"{low} to {high}", "outside the range")
        else:
            parameters.append((name, value))
    stated = control.receives is not None or control.reacts is not None
    if not stated and control.algorithm is not None:
        notes.add("nic.congestion_control.algorithm", "dropped", control.algorithm, "nothing",
                  "it is switched per priority, and the plan names none")  # fmt: skip
    if not stated and not parameters:
        return None
    return CongestionControl("dcqcn" if stated else None, control.receives, control.reacts, tuple(sorted(parameters)))


def _next_boot(nic: Nic, qos: PortQos, notes: Notes) -> NicBoot | None:
    """Return the firmware twins: a card must come up from a reset as it runs now."""
    planned = nic.next_boot or NicBoot()
    control = nic.congestion_control
    on = None
    if control is not None and (control.receives is not None or control.reacts is not None):
        on = (control.receives or frozenset()) | (control.reacts or frozenset())
    firmware = qos.dcbx is not None and qos.dcbx.owners == FIRMWARE_OWNS.owners
    if planned.rdma is False:
        notes.add("nic.next_boot.rdma", "dropped", "off", "nothing", "only the value for on is documented")
        planned = replace(planned, rdma=None)
    boot = NicBoot(
        cnp_dscp=nic.cnp_dscp if planned.cnp_dscp is None else planned.cnp_dscp,
        cnp_priority=nic.cnp_priority if planned.cnp_priority is None else planned.cnp_priority,
        congestion_control=on if planned.congestion_control is None else planned.congestion_control,
        willing=planned.willing,
        lldp_agent=firmware if planned.lldp_agent is None else planned.lldp_agent,
        rdma=planned.rdma,
    )
    if boot != planned:
        notes.add("nic.next_boot", "chosen", "left open" if nic.next_boot is None else planned, boot_words(boot),
                  "the firmware forgets run-time settings at a reset: its own values say the same")  # fmt: skip
    return boot


def boot_words(boot: NicBoot) -> str:
    """Return firmware values as a sentence for the plan."""
    words = {
        "CNP DSCP": boot.cnp_dscp,
        "CNP priority": boot.cnp_priority,
        "DCQCN on": None
        if boot.congestion_control is None
        else ",".join(map(str, sorted(boot.congestion_control))) or "none",
        "LLDP agent": None if boot.lldp_agent is None else ("on" if boot.lldp_agent else "off"),
    }
    return ", ".join(f"{name} {value}" for name, value in words.items() if value is not None)
