"""Turns a planned device into what an OS10 switch can carry, and says what changed and why."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import Dcbx, Device, LinkPause, Pfc, Port, PortQos, eight
from rocecfg.vendor.changes import Log
from rocecfg.vendor.fitting import as_printed, both_ways, carried, drop_device_settings, listed, one_set
from rocecfg.vendor.manifest import read_yaml

if TYPE_CHECKING:
    from rocecfg.vendor.api import Adjustment
    from vendors.dell_os10.fit_buffers import Buffer

_HERE = Path(__file__)
_EFFECTIVE = load_module(_HERE.with_name("effective.py"))
_INFORCE = load_module(_HERE.with_name("inforce.py"))
_CONFIG = load_module(_HERE.with_name("config.py"))
_MAPS = load_module(_HERE.with_name("fit_maps.py"))
_QUEUES = load_module(_HERE.with_name("fit_queues.py"))
_BUFFERS = load_module(_HERE.with_name("fit_buffers.py"))

_PORT_NAMES = "OS10 names ports ethernet1/1/1 or, broken out, ethernet1/1/1:1"


@lru_cache(maxsize=1)
def limits() -> dict[str, Any]:
    """Return `limits.yaml`."""
    return read_yaml(_HERE.with_name("limits.yaml"))


@dataclass(slots=True)
class System:
    """What all ports with PFC share: one network-qos policy."""

    limits: dict[str, Any]
    group_of: dict[int, int]
    """PFC priority -> its qos-group (traffic class)."""
    dcbx: bool
    buffers: dict[int, Buffer] = field(default_factory=dict)
    """qos-group -> the stated pause buffer; a group that is not here is sized by the box."""


def fit(device: Device) -> tuple[Device, tuple[Adjustment, ...]]:
    """Return what the switch carries of a planned device, and every change. Idempotent."""
    log = Log(device.name)
    known = limits()
    ports = _named(device, known, log)
    planned = replace(device, ports=ports)
    system = System(known, _groups(device, ports, log), _dcbx_wanted(ports))
    kinds: list[tuple[PortQos, list[Port], PortQos]] = []
    for qos, members in log.by_qos(planned):
        kinds.append((qos, members, _QUEUES.fit_queues(_MAPS.fit_maps(qos, system, log), qos, system, log)))
    system.buffers = _BUFFERS.buffers(kinds, system, log)
    fitted: dict[str, Port] = {}
    for qos, members, changed in kinds:
        log.about(members)
        made = _qos(qos, changed, system, log)
        fitted |= {port.name: replace(port, qos=made, mtu_counts=None, nic=None) for port in members}
    log.about(())
    _device(device, log)
    done = carried(device, (fitted[name] for name in ports))
    return _EFFECTIVE.defaults(done), tuple(log.changes)


def _named(device: Device, known: dict[str, Any], log: Log) -> dict[str, Port]:
    """Return the ports under the names OS10 prints, with an MTU it takes."""
    ports: dict[str, Port] = {}
    for name, port in device.ports.items():
        printed = _CONFIG.port_name(name)
        if printed is not None and printed.startswith("port-channel"):
            because = "queuing and network-qos policies attach to physical interfaces: plan the members"
            log("refused", "name", name, "none", because, at=name)
        named = as_printed(port, printed, log, names=_PORT_NAMES, by="show running-configuration")
        mtu = _mtu(named, known, log)
        ports[named.name] = named if mtu == named.mtu else replace(named, mtu=mtu)
    return ports


def _mtu(port: Port, known: dict[str, Any], log: Log) -> int | None:
    """Return the MTU of a port as OS10 takes it."""
    mtu, low, high = port.mtu, known["mtu"]["minimum"], known["mtu"]["maximum"]
    if mtu is None:
        return None
    wanted = mtu
    if port.mtu_counts == "ip":
        mtu += 18
        because = "the MTU is that of the link: 14 B of Ethernet header and a VLAN tag are added to be safe"
        log("quantised", "mtu", f"{wanted} B of IP", f"{min(mtu, high)} B", because, at=port.name)
    if not low <= mtu <= high:
        mtu = min(max(mtu, low), high)
        log("quantised", "mtu", f"{wanted} B", f"{mtu} B", f"OS10 takes {low} to {high} B", at=port.name)
    return mtu


def _groups(device: Device, ports: dict[str, Port], log: Log) -> dict[int, int]:
    """Return the qos-group of each PFC priority: one network-qos policy for all ports with PFC."""
    sets: dict[frozenset[int], str] = {}
    group_of: dict[int, int] = {}
    for name, port in ports.items():
        pfc = port.qos.pfc
        if pfc is None or pfc.admin == "off":
            continue
        paused = both_ways(pfc, log, "a class with pause sends and honours PFC: both sets are one", at=name)
        if paused:
            sets.setdefault(paused, name)
        for priority in sorted(paused):
            group = _group(port.qos, priority, log, name)
            if group_of.setdefault(priority, group) != group:
                wanted, got = f"priority {priority} in traffic class {group}", f"traffic class {group_of[priority]}"
                log("refused", "priority_to_pg", wanted, got, "the network-qos policy is one for all ports", at=name)
    one_set(sets, log, "the guide asks for the same network-qos policy on all PFC ports")
    if len(set(group_of.values())) < len(group_of):
        because = "a class with pause names one priority: give each priority a traffic class of its own"
        log("refused", "priority_to_pg", f"priorities {listed(frozenset(group_of))}", "one class", because)
    if device.pfc_enabled is False and sets:
        log("refused", "pfc_enabled", "off", "on", "OS10 has no device-wide switch for PFC")
    return group_of


def _group(qos: PortQos, priority: int, log: Log, name: str) -> int:
    """Return the traffic class that a PFC priority protects; its own number where the plan leaves it open."""
    groups = qos.priority_to_pg[priority] if qos.priority_to_pg is not None else None
    tcs = [tc for tc, group in enumerate(qos.tc_to_pg or ()) if groups and group in groups]
    if not tcs or priority in tcs:
        return priority
    if len(tcs) > 1:
        wanted = f"priority {priority} for traffic classes {listed(frozenset(tcs))}"
        log("refused", "priority_to_pg", wanted, str(tcs[0]), "a priority is paused for one class", at=name)
    return tcs[0]


def _qos(qos: PortQos, mapped: PortQos, system: System, log: Log) -> PortQos:
    """Return what a port carries of one planned `PortQos`."""
    pfc = _pfc(qos, system, log)
    lossless = system.group_of if pfc is not None and pfc.admin == "on" else {}
    _watchdog(qos, log)
    to_queue = mapped.tc_to_queue or ()
    return replace(
        mapped,
        pfc=pfc,
        watchdog=None,
        link_pause=_link_pause(qos.link_pause, log, lossless=bool(lossless)),
        dcbx=_dcbx(qos.dcbx, system, log),
        cable=None,
        tc_to_pg=_INFORCE.group_numbers(lossless.values()),
        priority_to_pg=eight({p: frozenset({group}) for p, group in lossless.items()}) if lossless else None,
        priority_to_queue=eight({p: frozenset({int(to_queue[group] or 0)}) for p, group in lossless.items()})
        if lossless
        else None,
        priority_groups=_BUFFERS.groups(lossless, system, log, qos),
    )


def _pfc(qos: PortQos, system: System, log: Log) -> Pfc | None:
    pfc = qos.pfc
    if pfc is None:
        return None
    both = frozenset(system.group_of)
    if pfc.by == "pcp":
        log("refused", "pfc.by", "pcp", "internal", "PFC follows the qos-group a packet was put in")
    admin = pfc.admin or "off"
    if admin == "auto":
        because = "no published configuration leaves PFC to negotiation, and hosts without DCBX never agree"
        log("equalised", "pfc.admin", "auto", "on", because)
        admin = "on"
    if admin == "on" and not (pfc.tx or pfc.rx):
        because = "a port takes the device's network-qos policy or no PFC at all"
        log("equalised", "pfc.admin", "on for no priority", "off", because)
        admin = "off"
    return Pfc(admin=admin, tx=both, rx=both) if admin == "on" else Pfc(admin="off")


def _watchdog(qos: PortQos, log: Log) -> None:
    if qos.watchdog is not None and qos.watchdog.enabled:
        because = "no guide of OS10 that was read names a PFC watchdog: whether it has one is not known"
        log("dropped", "watchdog", "on", "none", because)
    elif qos.watchdog is not None and qos.watchdog.enabled is False:
        log("dropped", "watchdog", "off", "none", "no guide of OS10 that was read names a PFC watchdog")


def _link_pause(planned: LinkPause | None, log: Log, *, lossless: bool) -> LinkPause:
    """Return 802.3x pause as it is written: PFC and link pause exclude one another, and the default changed."""
    off = LinkPause(rx=False, tx=False)
    if planned is None:
        because = "guides disagree whether receiving is on by default, and with PFC it must be off"
        log("chosen", "link_pause", "open", "off", because)
    elif planned.rx or planned.tx:
        if not lossless:
            return LinkPause(rx=bool(planned.rx), tx=bool(planned.tx))
        because = "a port has PFC or link-level flow control, not both"
        log("dropped", "link_pause", f"rx {planned.rx}, tx {planned.tx}", "off", because)
    return off


def _dcbx_wanted(ports: dict[str, Port]) -> bool:
    wanted = [port.qos.dcbx for port in ports.values() if port.qos.dcbx is not None]
    return any(dcbx.state not in (None, "off") or dcbx.advertises for dcbx in wanted)


def _dcbx(planned: Dcbx | None, system: System, log: Log) -> Dcbx:
    """Return DCBX as `dcbx enable` makes it: one line for the device, the version found out by itself."""
    wanted = planned or Dcbx()
    if not system.dcbx:
        return Dcbx(state="off")
    if wanted.state != "auto":
        because = "dcbx enable is one line for the device; no published configuration fixes the version of a port"
        log("equalised", "dcbx", wanted.state or "open", "auto", because)
    announced = frozenset({"pfc", "ets"})
    if wanted.advertises not in (None, announced):
        because = "by default all TLVs are announced, and no published configuration selects them"
        log("dropped", "dcbx", ", ".join(sorted(wanted.advertises or ())) or "nothing", "PFC and ETS", because)
    if wanted.willing:
        because = "a port is in the manual role by default: it keeps its own settings"
        log("dropped", "dcbx", "willing", "not willing", because)
    return Dcbx("auto", willing=False, advertises=announced)


def _device(device: Device, log: Log) -> None:
    """Note what of the device as a whole has no command."""
    drop_device_settings(device, log, pools="no documented command sizes a pool of ports")
