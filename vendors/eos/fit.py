"""Turns a planned device into what an Arista switch can carry, and says what changed and why."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import Dcbx, Device, Pfc, Port, PortQos
from rocecfg.vendor.changes import Log
from rocecfg.vendor.fitting import as_printed, both_ways, carried, drop_device_settings, listed, no_link_pause

if TYPE_CHECKING:
    from rocecfg.state.model import Dynamic
    from rocecfg.vendor.api import Adjustment
    from vendors.eos.family import Family
    from vendors.eos.fit_maps import Maps
    from vendors.eos.fit_watchdog import Timers

_HERE = Path(__file__)
_EFFECTIVE = load_module(_HERE.with_name("effective.py"))
_CONFIG = load_module(_HERE.with_name("config.py"))
_FAMILY = load_module(_HERE.with_name("family.py"))
_MAPS = load_module(_HERE.with_name("fit_maps.py"))
_QUEUES = load_module(_HERE.with_name("fit_queues.py"))
_BUFFERS = load_module(_HERE.with_name("fit_buffers.py"))
_WATCHDOG = load_module(_HERE.with_name("fit_watchdog.py"))

_PORT_NAMES = "EOS names ports Ethernet1, Ethernet1/1, Ethernet3/1/1 or Port-Channel1"


@dataclass(slots=True)
class System:
    """What all ports of the device share."""

    family: Family
    maps: Maps
    timers: Timers
    headroom: int | None
    """Bytes for every lossless group, where the platform's MMU profile can say it."""
    alphas: dict[int, Dynamic]
    """Share of the free buffer at which a lossless group pauses, in the same profile."""
    pfc_enabled: bool
    limits: dict[str, Any]


def fit(device: Device) -> tuple[Device, tuple[Adjustment, ...]]:
    """Return what the switch carries of a planned device, and every change. Idempotent."""
    log = Log(device.name)
    known = _FAMILY.limits()
    family: Family = _FAMILY.family_of(device.model, device.asic)
    ports = _named(device, known, log)
    named = replace(device, ports=ports)
    if not family.known and not device.knows_all_of("all"):
        log("chosen", "queues", "the platform's word for a queue", family.queue, family.because)
    system = System(
        family,
        _MAPS.maps_of(named, log),
        _WATCHDOG.timers_of(named, known, log),
        _BUFFERS.headroom_of(named, family, log),
        _BUFFERS.alphas_of(named, family, known, log),
        device.pfc_enabled is not False,
        known,
    )
    fitted: dict[str, Port] = {}
    for qos, members in log.by_qos(named):
        changed = _qos(qos, system, log)
        fitted |= {port.name: replace(port, qos=changed, mtu_counts=None, nic=None) for port in members}
    _device(device, log)
    done = carried(device, (fitted[name] for name in ports), pfc_enabled=system.pfc_enabled)
    return _EFFECTIVE.defaults(done), tuple(log.changes)


def _named(device: Device, known: dict[str, Any], log: Log) -> dict[str, Port]:
    """Return the ports under the names EOS prints, with an MTU it takes."""
    ports: dict[str, Port] = {}
    for name, port in device.ports.items():
        named = as_printed(port, _CONFIG.port_name(name), log, names=_PORT_NAMES, by="show running-config")
        mtu = _mtu(named, known, log)
        ports[named.name] = named if mtu == named.mtu else replace(named, mtu=mtu)
    return ports


def _mtu(port: Port, known: dict[str, Any], log: Log) -> int | None:
    """Return the MTU of a port as EOS takes it."""
    mtu, low, high = port.mtu, known["mtu"]["low"], known["mtu"]["high"]
    if mtu is None or low <= mtu <= high:
        return mtu
    got = min(max(mtu, low), high)
    because = f"EOS takes {low} to {high} B; on a routed port it counts the IP packet, so frames of 9216 B pass"
    log("quantised", "mtu", f"{mtu} B", f"{got} B", because, at=port.name)
    return int(got)


def _qos(qos: PortQos, system: System, log: Log) -> PortQos:
    """Return what a port carries of one planned `PortQos`."""
    maps = system.maps
    pfc = _pfc(qos, system, log)
    trust = _MAPS.trust_of(qos, log)
    _dropped(qos, log)
    changed = replace(
        qos,
        trust=trust,
        dscp_to_tc=maps.dscp,
        pcp_to_tc=maps.pcp,
        default_tc=_MAPS.default_of(qos, trust, maps, log),
        dscp_to_colour=None,
        app_to_tc=None,
        rewrite=(),
        tc_to_queue=maps.queue_of,
        tc_to_pg=None,
        priority_to_queue=None,
        priority_to_pg=None,
        pfc=pfc,
        link_pause=None,
        dcbx=_dcbx(qos.dcbx, log),
        cable=None,
        watchdog=_WATCHDOG.watchdog_of(qos.watchdog, pfc, system.timers, log),
        queues=_QUEUES.queues_of(qos, system.limits, log),
    )
    return replace(changed, priority_groups=_BUFFERS.groups_of(qos, pfc, system, log))


def _pfc(qos: PortQos, system: System, log: Log) -> Pfc:
    pfc = qos.pfc or Pfc()
    admin = pfc.admin
    wanted = both_ways(pfc, log, "a no-drop priority of EOS sends and honours PFC: both sets are one")
    if pfc.by == "pcp":
        log("refused", "pfc.by", "pcp", "internal", "PFC of EOS follows the traffic class a packet was put in")
    if admin == "auto":
        because = "priority-flow-control is on or off; DCBX does not turn it on"
        log("equalised", "pfc.admin", "auto", "on", because)
        admin = "on"
    if admin != "on" and wanted:
        log("equalised", "pfc.tx", listed(wanted), "none", "PFC is off on the port: no priority is made no-drop")
        wanted = frozenset()
    return Pfc(admin="on" if admin == "on" else "off", tx=wanted, rx=wanted, gate=system.pfc_enabled)


def _dcbx(planned: Dcbx | None, log: Log) -> Dcbx | None:
    if planned is None:
        return None
    if planned.willing is not None or planned.advertises:
        because = "dcbx mode is the only command seen; what it announces is the device's own PFC and queues"
        log("dropped", "dcbx", f"willing {planned.willing}, advertise {_named_words(planned)}", "the default", because)
    if planned.state in ("cee", "auto"):
        because = "only dcbx mode ieee stands in published configurations"
        log("dropped", "dcbx.state", planned.state, "off", because)
    return Dcbx(state="ieee" if planned.state == "ieee" else "off")


def _named_words(planned: Dcbx) -> str:
    return ", ".join(sorted(planned.advertises or ())) or "nothing"


def _dropped(qos: PortQos, log: Log) -> None:
    """Note what of a port has no command, or none that anybody published."""
    if qos.rewrite:
        because = "qos rewrite dscp rewrites every traffic class, and its default marks are not published"
        log("dropped", "rewrite", f"{len(qos.rewrite)} marks", "none", because)
    if qos.dscp_to_colour is not None:
        log("dropped", "dscp_to_colour", "colours", "none", "drop precedences are of no use on a lossless class")
    if qos.app_to_tc:
        log("dropped", "app_to_tc", f"{len(qos.app_to_tc)} entries", "none", "a switch port has no application map")
    no_link_pause(
        qos.link_pause,
        log,
        "802.3x pause stops every class of a link that runs PFC, and no published configuration turns it on",
    )


def _device(device: Device, log: Log) -> None:
    """Note what of the device as a whole has no command."""
    drop_device_settings(device, log, pools="EOS sizes its pools itself; only a headroom pool has a limit")
