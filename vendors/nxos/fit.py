"""Turns a planned device into what a Nexus 9000 can carry, and says what changed and why."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import (
    Dcbx,
    Device,
    Pfc,
    Port,
    PortQos,
    PortWatchdog,
    distinct_qos,
    eight,
)
from rocecfg.vendor.changes import Log
from rocecfg.vendor.fitting import as_printed, both_ways, carried, drop_device_settings, listed, no_link_pause, one_set
from rocecfg.vendor.manifest import read_yaml

if TYPE_CHECKING:
    from rocecfg.vendor.api import Adjustment

_HERE = Path(__file__)
_EFFECTIVE = load_module(_HERE.with_name("effective.py"))
_CONFIG = load_module(_HERE.with_name("config.py"))
_FIT_QUEUES = load_module(_HERE.with_name("fit_queues.py"))
_FIT_MAPS = load_module(_HERE.with_name("fit_maps.py"))

_PORT_NAMES = "NX-OS names ports Ethernet1/1, Ethernet1/1/1 or port-channel1"


@lru_cache(maxsize=1)
def limits() -> dict[str, Any]:
    """Return `limits.yaml`."""
    return read_yaml(_HERE.with_name("limits.yaml"))


@dataclass(slots=True)
class System:
    """What all ports of the device share."""

    pfc: frozenset[int]
    group_of: dict[int, int]
    """PFC priority -> qos-group = queue = priority group."""
    class_mtu: int
    advertise_ets: bool
    limits: dict[str, Any]
    used: set[int] = field(default_factory=lambda: {0})
    """qos-groups that classification puts packets into."""


def fit(device: Device) -> tuple[Device, tuple[Adjustment, ...]]:
    """Return what the switch carries of a planned device, and every change. Idempotent."""
    log = Log(device.name)
    known = limits()
    ports = _named(device, known, log)
    system = _system(device, ports, known, log)
    fitted: dict[str, Port] = {}
    kinds = [
        (qos, members, _mapped(qos, members, system, log))
        for qos, members in distinct_qos(replace(device, ports=ports))
    ]
    for qos, members, mapped in kinds:
        log.about(members)
        changed = _qos(qos, mapped, system, log)
        fitted |= {port.name: _EFFECTIVE.with_qos(port, changed) for port in members}
    log.about(())
    _device(device, log)
    done = carried(device, (fitted[name] for name in ports), pfc_enabled=True)
    return _EFFECTIVE.defaults(done), tuple(log.changes)


def _named(device: Device, known: dict[str, Any], log: Log) -> dict[str, Port]:
    """Return the ports under the names NX-OS prints, with an MTU it takes."""
    ports: dict[str, Port] = {}
    for name, port in device.ports.items():
        named = as_printed(port, _CONFIG.port_name(name), log, names=_PORT_NAMES, by="show running-config")
        mtu = _mtu(named, known, log)
        ports[named.name] = named if mtu == named.mtu else replace(named, mtu=mtu)
    return ports


def _system(device: Device, ports: dict[str, Port], known: dict[str, Any], log: Log) -> System:
    pfc, group_of = _lossless(device, ports, log)
    mtus = [known["defaults"]["interface_mtu"]["bytes"] if port.mtu is None else port.mtu for port in ports.values()]
    mtus += [group.mtu for port in ports.values() for group in port.qos.priority_groups or () if group and group.mtu]
    advertise = any("ets" in (p.qos.dcbx.advertises or ()) for p in ports.values() if p.qos.dcbx is not None)
    mtu = min(max(mtus, default=known["mtu"]["maximum"]), known["mtu"]["maximum"])
    return System(pfc, group_of, mtu, advertise, known)


def _lossless(device: Device, ports: dict[str, Port], log: Log) -> tuple[frozenset[int], dict[int, int]]:
    """Return the one PFC set of the device and the group of each of its priorities."""
    sets: dict[frozenset[int], str] = {}
    group_of: dict[int, int] = {}
    for name, port in ports.items():
        pfc = port.qos.pfc
        if pfc is None or pfc.admin == "off":
            continue
        paused = both_ways(pfc, log, "a no-drop class of NX-OS sends and honours PFC: both sets are one", at=name)
        if paused:
            sets.setdefault(paused, name)
        for priority in sorted(paused):
            group = _group(port.qos, priority, log, name)
            if group_of.setdefault(priority, group) != group:
                because = "the network-qos policy is one for all ports"
                wanted = f"priority {priority} in queue {group}"
                log("refused", "priority_to_queue", wanted, f"queue {group_of[priority]}", because, at=name)
    every = one_set(
        sets, log, "the no-drop classes are one network-qos policy for the device: a port takes all of it or none"
    )
    if device.pfc_enabled is False and sets:
        because = "the kill switch override-interface mode off is in no published configuration"
        log("refused", "pfc_enabled", "off", "on", because)
    return every, group_of


def _group(qos: PortQos, priority: int, log: Log, name: str) -> int:
    """Return the queue that a PFC priority stops; the priority's own number where the plan leaves it open."""
    queues = qos.priority_to_queue[priority] if qos.priority_to_queue is not None else None
    if not queues:
        return priority
    if len(queues) > 1:
        because = "pause pfc-cos binds a priority to one class"
        log(
            "refused",
            "priority_to_queue",
            f"priority {priority} in queues {listed(queues)}",
            min(queues),
            because,
            at=name,
        )
    return min(queues)


def _mtu(port: Port, known: dict[str, Any], log: Log) -> int | None:
    """Return the MTU of a port as NX-OS takes it."""
    mtu, low, high = port.mtu, known["mtu"]["minimum"], known["mtu"]["maximum"]
    if mtu is None:
        return None
    wanted = mtu
    if port.mtu_counts == "ip":
        mtu += 18
        because = "the guides do not say whether the Ethernet header counts: 14 B and a VLAN tag are added to be safe"
        log("quantised", "mtu", f"{wanted} B of IP", f"{min(mtu, high)} B", because, at=port.name)
    if not low <= mtu <= high:
        mtu = min(max(mtu, low), high)
        log("quantised", "mtu", f"{wanted} B", f"{mtu} B", f"NX-OS takes {low} to {high} B", at=port.name)
    return mtu


def _mapped(qos: PortQos, members: list[Port], system: System, log: Log) -> PortQos:
    """Return a port with its maps fitted, and note the groups they use: each needs its class MTU."""
    log.about(members)
    mapped: PortQos = _FIT_MAPS.fit_maps(qos, system, log)
    for table in (mapped.dscp_to_tc, mapped.pcp_to_tc):
        system.used |= {group for group in table.to if group is not None} if table is not None else set()
    return mapped


def _qos(qos: PortQos, mapped: PortQos, system: System, log: Log) -> PortQos:
    """Return what a port carries of one planned `PortQos`."""
    cable = qos.cable
    no_link_pause(
        qos.link_pause,
        log,
        "802.3x pause stops every class of a link that runs PFC, and no published configuration turns it on",
    )
    changed = replace(
        mapped,
        pfc=_pfc(qos, system, log),
        watchdog=_watchdog(qos.watchdog, system, log),
        link_pause=None,
        dcbx=_dcbx(qos, system, log),
        cable=None,
        priority_to_queue=_by_priority(system),
        priority_to_pg=_by_priority(system),
    )
    return _FIT_QUEUES.fit_queues(changed, qos, cable, system, log)  # type: ignore[no-any-return]


def _by_priority(system: System) -> tuple[frozenset[int] | None, ...] | None:
    groups = {priority: frozenset({group}) for priority, group in system.group_of.items()}
    return eight(groups) if groups else None


def _pfc(qos: PortQos, system: System, log: Log) -> Pfc | None:
    pfc = qos.pfc
    if pfc is None:
        return Pfc(tx=system.pfc, rx=system.pfc) if system.pfc else None
    admin = pfc.admin
    if pfc.by == "pcp":
        log("refused", "pfc.by", "pcp", "internal", "PFC of NX-OS follows the qos-group a packet was put in")
    if admin in ("on", "auto") and not (pfc.tx or pfc.rx) and system.pfc:
        log(
            "equalised", "pfc.admin", f"{admin} for no priority", "off", "a port takes the device's no-drop set or none"
        )
        admin = "off"
    return Pfc(admin=admin, tx=system.pfc, rx=system.pfc)


def _watchdog(planned: PortWatchdog | None, system: System, log: Log) -> PortWatchdog | None:
    if planned is None or planned.enabled is None:
        return None
    if not planned.enabled:
        return PortWatchdog(enabled=False)
    if planned.priorities not in (None, system.pfc):
        wanted, got = listed(planned.priorities or frozenset()), listed(system.pfc)
        log("equalised", "watchdog.priorities", wanted, got, "NX-OS watches every no-drop queue and no other")
    poll = system.limits["watchdog_poll"]["default"]
    if planned.poll not in (None, poll):
        because = "no vendor text spells the command that changes it"
        log("dropped", "watchdog.poll", f"{planned.poll} ms", f"{poll} ms, the default", because)
    for name, value in (("detect", planned.detect), ("restore", planned.restore)):
        if value is not None:
            because = "no vendor text spells the multiplier commands, and their defaults are not published"
            log("dropped", f"watchdog.{name}", f"{value} ms", "the system's default", because)
    if planned.action not in (None, "drop"):
        because = "a queue that is shut drops; the variant disable-action is known from the data model only"
        log("dropped", "watchdog.action", planned.action, "drop", because)
    return PortWatchdog(enabled=True)


def _dcbx(qos: PortQos, system: System, log: Log) -> Dcbx | None:
    planned = qos.dcbx or Dcbx()
    wanted = planned.advertises or frozenset()
    shown = frozenset({"pfc"} & wanted) if qos.pfc is not None and qos.pfc.admin == "on" else frozenset()
    if system.advertise_ets:
        shown |= {"ets"}
    for name in sorted(wanted - shown):
        log("dropped", "dcbx", f"advertise {name}", "not advertised", "no documented command announces it here")
    if planned.state is not None or planned.willing is not None:
        because = "the version is auto by default and a switch port's willing bit has no command"
        log("dropped", "dcbx", f"state {planned.state}, willing {planned.willing}", "the default", because)
    return Dcbx(advertises=shown) if shown else None


def _device(device: Device, log: Log) -> None:
    """Note what of the device as a whole has no command."""
    drop_device_settings(device, log, pools="no published configuration sizes a buffer pool on this system")
