"""Turns a planned device into what a CloudEngine can carry, and says what changed and why."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import Dcbx, Device, Pfc, Port, PortQos, PortWatchdog
from rocecfg.vendor.changes import Log
from rocecfg.vendor.fitting import both_ways, listed, no_link_pause

if TYPE_CHECKING:
    from rocecfg.vendor.api import Adjustment

_HERE = Path(__file__)
_EFFECTIVE = load_module(_HERE.with_name("effective.py"))
_CONFIG = load_module(_HERE.with_name("config.py"))
_FAMILY = load_module(_HERE.with_name("family.py"))
_FIT_MAPS = load_module(_HERE.with_name("fit_maps.py"))
_FIT_QUEUES = load_module(_HERE.with_name("fit_queues.py"))
_FIT_BUFFERS = load_module(_HERE.with_name("fit_buffers.py"))
_FIT_DEVICE = load_module(_HERE.with_name("fit_device.py"))


@dataclass(slots=True)
class System:
    """What all ports of the device share."""

    family: str
    limits: dict[str, Any]
    watchdog: PortWatchdog | None = None
    senders: int = 1
    """Ports that may send into one queue at once: all but its own."""
    by: dict[str, str] = field(default_factory=dict)
    """Slot -> what selects the priority of an arriving packet ("internal", "pcp")."""

    def of_family(self, name: str) -> Any:
        """Return what the family's entry of the limits says."""
        return self.limits["families"][self.family][name]


def fit(device: Device) -> tuple[Device, tuple[Adjustment, ...]]:
    """Return what the switch carries of a planned device, and every change. Idempotent."""
    log = Log(device.name)
    ports = _named(device, log)
    device = replace(device, ports=ports)
    system = System(_FIT_DEVICE.family(device, log), _FAMILY.limits())
    system.watchdog = _FIT_DEVICE.watchdog(device, system, log)
    system.senders = max(len(ports) - 1, 1)
    system.by = _FIT_DEVICE.selectors(device, system)
    fitted: dict[str, Port] = {}
    for qos, members in log.by_qos(device):
        by_slot: dict[str, PortQos] = {}
        for port in members:
            slot = _CONFIG.slot_of(port.name)
            if slot not in by_slot:
                by_slot[slot] = _qos(qos, slot, system, log)
            fitted[port.name] = replace(port, qos=by_slot[slot], mtu_counts=None, nic=None)
    fitted = {name: fitted[name] for name in ports}
    _FIT_DEVICE.profiles(fitted, system, log)
    done = _FIT_DEVICE.whole(device, fitted, system, log)
    return _EFFECTIVE.defaults(done), tuple(log.changes)


def _named(device: Device, log: Log) -> dict[str, Port]:
    """Return the ports under the names VRP prints, with a frame length it takes."""
    known = _FAMILY.limits()["jumboframe"]
    ports: dict[str, Port] = {}
    for name, port in device.ports.items():
        printed = _CONFIG.port_name(name)
        if printed is None or printed.startswith("Eth-Trunk"):
            because = (
                "PFC and queues are set on physical ports only: name the members"
                if printed
                else "VRP names ports by type and place: 100GE1/0/1, 25GE1/0/1:2"
            )
            log("refused", "name", name, "none", because, at=name)
        elif printed != name:
            log("equalised", "name", name, printed, "the name that display current-configuration prints", at=name)
        if port.nic is not None:
            log("dropped", "nic", "NIC settings", "none", "a switch port has none", at=name)
        named = port if printed in (None, name) else replace(port, name=printed)
        rate = _CONFIG.speed_of(named.name)
        if rate is not None and port.speed is not None and port.speed > rate:
            because = "VRP names a port by its type, and no port is faster than its type"
            log("refused", "speed", port.speed, rate, because, at=named.name)
        ports[named.name] = replace(named, mtu=_mtu(named, known, log))
    return ports


def _mtu(port: Port, known: dict[str, Any], log: Log) -> int | None:
    """Return the largest frame of a port as VRP takes it."""
    mtu, low, high = port.mtu, known["minimum"], known["maximum"]
    if mtu is None:
        return None
    wanted = mtu
    if port.mtu_counts == "ip":
        mtu += 22
        because = "jumboframe counts the whole frame: 14 B, a VLAN tag and the FCS are added"
        log("quantised", "mtu", f"{wanted} B of IP", f"{min(mtu, high)} B", because, at=port.name)
    if not low <= mtu <= high:
        mtu = min(max(mtu, low), high)
        log("quantised", "mtu", f"{wanted} B", f"{mtu} B", f"VRP takes {low} to {high} B", at=port.name)
    return mtu


def _qos(qos: PortQos, slot: str, system: System, log: Log) -> PortQos:
    """Return what a port carries of one planned `PortQos`."""
    mapped = _FIT_MAPS.fit_maps(qos, log)
    pfc = _pfc(qos, slot, system, log)
    on = pfc.admin != "off"
    no_link_pause(
        qos.link_pause, log, "flow-control stops every class of a link, and cannot be together with PFC on a port"
    )
    changed = replace(
        mapped,
        pfc=pfc,
        watchdog=replace(system.watchdog, priorities=pfc.rx) if on and system.watchdog is not None else None,
        link_pause=None,
        dcbx=_dcbx(qos, pfc, log),
        cable=None,
        priority_to_queue=_EFFECTIVE.OF_PRIORITY,
        priority_to_pg=_EFFECTIVE.OF_PRIORITY,
        defaulted=frozenset(),
    )
    changed = replace(changed, queues=_FIT_QUEUES.fit_queues(qos, system, log))
    groups = _FIT_BUFFERS.fit_groups(qos, pfc, changed.queues, system, log)
    return replace(changed, priority_groups=groups)  # type: ignore[no-any-return]


def _pfc(qos: PortQos, slot: str, system: System, log: Log) -> Pfc:
    pfc = qos.pfc
    nothing: frozenset[int] = frozenset()
    if pfc is None or pfc.admin in {None, "off"}:
        return Pfc(admin="off", tx=nothing, rx=nothing)
    wanted = both_ways(pfc, log, "a PFC profile sends and honours pauses for the same priorities")
    if not wanted:
        log("equalised", "pfc.admin", f"{pfc.admin} for no priority", "off", "a PFC profile has at least one priority")
        return Pfc(admin="off", tx=nothing, rx=nothing)
    low, high = system.of_family("priorities")
    most = system.of_family("most_priorities")
    if max(wanted) > high:
        log("refused", "pfc.tx", listed(wanted), f"{low} to {high}", "the PFC priorities of this hardware family")
    if len(wanted) > most:
        log("refused", "pfc.tx", listed(wanted), f"at most {most}", "PFC priorities at once on this hardware family")
    by = system.by.get(slot, "internal")
    if pfc.by not in (None, by):
        because = "what PFC follows is set for a slot (family A), and is the internal priority on family B"
        log("equalised" if by == "internal" else "refused", "pfc.by", pfc.by, by, because)
    return Pfc(admin=pfc.admin, tx=wanted, rx=wanted, by=by)  # type: ignore[arg-type]


def _dcbx(qos: PortQos, pfc: Pfc, log: Log) -> Dcbx | None:
    """Return DCBX of a port: with `mode auto` PFC needs it; what is announced follows from what is enabled."""
    planned = qos.dcbx or Dcbx()
    wanted = planned.advertises or frozenset()
    if pfc.admin == "auto" and planned.state in {None, "off"}:
        log("chosen", "dcbx", planned.state or "open", "ieee", "PFC in mode auto comes up by negotiation only")
        planned = replace(planned, state="ieee")
    if planned.state == "off" or (planned.state is None and not wanted):
        return None
    state = planned.state
    if state in {None, "auto"}:
        log("chosen", "dcbx", f"state {state}", "ieee", "a port speaks the standard or, when told so, the older form")
        state = "ieee"
    shown = frozenset({"pfc"}) if pfc.admin != "off" else frozenset()
    for name in sorted(wanted - shown):
        log("dropped", "dcbx", f"advertise {name}", "not advertised", "no ETS or application profile is made here")
    if planned.willing is not None:
        log("dropped", "dcbx", f"willing {planned.willing}", "the default", "no command sets the willing bit")
    return Dcbx(state=state, advertises=shown)
