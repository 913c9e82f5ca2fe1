"""Fits ports whose driver is set through dcbnl alone: no cable length, no receive buffers, no DCQCN per priority."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import Dcbx, Port, PortQos

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocecfg.state.model import Nic
    from vendors.nic.linux.fit import Notes

_HERE = Path(__file__)
_fit = load_module(_HERE.with_name("fit.py"))
_maps = load_module(_HERE.with_name("fit_maps.py"))

HOST_OWNS = Dcbx(owners=frozenset({"os"}))


@dataclass(frozen=True, slots=True)
class Carries:
    """What the driver of a family carries."""

    limits: dict[str, Any]
    nic: Callable[[Nic | None, PortQos, Notes], Nic | None]
    no_cable: str
    """Why the driver takes no cable length."""
    no_buffers: str
    """Why nothing is said about receive buffers."""
    dropped: tuple[tuple[str, Any, str], ...] = ()
    """Leaf, the value that says what the NIC does anyway, why nothing else can be said."""
    tcs: int = 8
    contiguous: bool = False
    """TCs are numbered from 0 without gaps."""
    shapers: bool = True
    no_shapers: str = ""


NO_WORD = (
    ("default_tc", 0, "frames without a usable mark take priority 0; no input changes it"),
    ("dscp_to_colour", None, "a NIC has no drop precedence"),
    ("rewrite", (), "the NIC does not rewrite DSCP: applications mark"),
    ("watchdog", None, "no PFC watchdog here: the NIC's own guard is the pause storm timeout"),
)


def fit_port(port: Port, notes: Notes, carries: Carries, *, classes: Any = None) -> Port:
    """Return what a port carries of a plan; `classes` fits maps and queues where the driver has a way of its own."""
    _fit.check_names(port, notes, carries.limits["names"])
    mtu, counts = _fit.fit_mtu(port, notes, carries.limits["mtu"]["range"])
    nic = carries.nic(port.nic, port.qos, notes)
    return replace(port, qos=fit_qos(port.qos, notes, carries, classes=classes), mtu=mtu, mtu_counts=counts, nic=nic)


def fit_qos(qos: PortQos, notes: Notes, carries: Carries, *, classes: Any = None) -> PortQos:
    """Return what a port carries of planned maps, PFC and schedulers."""
    qos = replace(qos, defaulted=frozenset())
    qos = replace(qos, trust=_fit.fit_trust(qos, notes))
    stray = _maps.best_effort(qos)
    _fit.note_dropped(qos, notes, carries.dropped)
    if qos.cable is not None:
        notes.add("cable", "dropped", f"{float(qos.cable):g} m", "nothing", carries.no_cable)
    qos = replace(
        qos,
        dscp_to_tc=qos.dscp_to_tc if classes else _maps.dscp_map(qos, stray, notes),
        pcp_to_tc=_maps.pcp_map(qos, notes),
        default_tc=None,
        dscp_to_colour=None,
        rewrite=None,
        watchdog=None,
        pfc=_fit.fit_pfc(qos.pfc, qos.trust, notes),
        link_pause=_fit.fit_pause(qos.link_pause),
        dcbx=fit_owner(qos.dcbx, notes),
        app_to_tc=fit_apps(qos, notes, carries),
        cable=None,
    )
    if not carries.shapers:
        qos = _without_shapers(qos, notes, carries.no_shapers)
    if classes:
        return without_buffers(classes(qos, stray, notes), notes, carries.no_buffers)
    qos = _maps.fit_queues(qos, stray, notes)
    if carries.contiguous:
        qos = _maps.compact(qos, stray, notes, most=carries.tcs)
    return without_buffers(qos, notes, carries.no_buffers)


def fit_apps(qos: PortQos, notes: Notes, carries: Carries) -> Any:
    """Return entries of other selectors than DSCP; those of a family that takes them, `Carries.dropped` says others."""
    if qos.app_to_tc is None or any(leaf == "app_to_tc" for leaf, _, _ in carries.dropped):
        return None
    for selector, number, priority in qos.app_to_tc:
        if selector not in {"ethertype", "tcp", "udp", "port"} or not 0 <= number <= 65535 or not 0 <= priority <= 7:
            notes.add("app_to_tc", "refused", f"{selector} {number} to {priority}",
                      "a port or Ethertype, priority 0 to 7", "IEEE 802.1Qaz knows no other entries")  # fmt: skip
    return tuple(sorted(qos.app_to_tc)) or None


def fit_owner(dcbx: Dcbx | None, notes: Notes) -> Dcbx:
    """Return the host as the owner of the DCB settings: this script writes them."""
    if dcbx is None or dcbx.owners is None:
        notes.add("dcbx.owners", "chosen", "left open", "os",
                  "exactly one of firmware agent, lldpad and host tools may own DCB; the host is")  # fmt: skip
    elif dcbx.owners != frozenset({"os"}):
        notes.add("dcbx.owners", "refused", ", ".join(sorted(dcbx.owners)), "os",
                  "the script writes the settings: nobody else may")  # fmt: skip
    if dcbx is not None and (dcbx.willing or dcbx.state in {"auto", "ieee", "cee"}):
        notes.add("dcbx", "dropped", f"state {dcbx.state}, willing {dcbx.willing}", "nothing",
                  "with the host as owner the NIC does not negotiate; lldpad would be a second owner")  # fmt: skip
    return HOST_OWNS


def _without_shapers(qos: PortQos, notes: Notes, because: str) -> PortQos:
    if any(queue is not None and queue.shaper is not None for queue in qos.queues or ()):
        limited = [f"TC {n}" for n, queue in enumerate(qos.queues or ()) if queue and (queue.shaper or 0) > 0]
        if limited:
            notes.add("queues.shaper", "dropped", f"a rate limit on {', '.join(limited)}", "nothing", because)
        queues = tuple(None if queue is None else replace(queue, shaper=None) for queue in qos.queues or ())
        return replace(qos, queues=queues)
    return qos


def without_buffers(qos: PortQos, notes: Notes, because: str) -> PortQos:
    """Leave the receive buffers to the NIC, and say what the plan wanted of them."""
    for number, group in enumerate(qos.priority_groups or ()):
        if group is not None and group.headroom is not None and group.headroom.by == "stated":
            amount = group.headroom.amount
            notes.add(f"priority_groups.{number}.headroom", "box-made", f"{amount.value} B" if amount else "present",
                      "the NIC's own", because)  # fmt: skip
        if group is not None and _fit.is_stated_limit(group, None):
            notes.add(f"priority_groups.{number}.xoff_at", "box-made", _fit.threshold(group), "the NIC's own", because)
        if group is not None and group.reserved is not None:
            notes.add(f"priority_groups.{number}.reserved", "box-made", f"{group.reserved.value} B", "the NIC's own",
                      because)  # fmt: skip
    return replace(qos, priority_groups=None, tc_to_pg=None, priority_to_pg=None)
