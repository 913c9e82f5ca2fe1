"""Turns a planned device into what a Comware switch can carry, and says what changed and why."""

from __future__ import annotations

from dataclasses import dataclass, replace
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
)
from rocecfg.vendor.asics import catalogue
from rocecfg.vendor.changes import Log
from rocecfg.vendor.fitting import as_printed, both_ways, carried, drop_device_settings, listed, no_link_pause
from rocecfg.vendor.manifest import read_yaml

if TYPE_CHECKING:
    from rocecfg.vendor.api import Adjustment

_HERE = Path(__file__)
_NAMES = load_module(_HERE.with_name("names.py"))
_EFFECTIVE = load_module(_HERE.with_name("effective.py"))
_FIT_MAPS = load_module(_HERE.with_name("fit_maps.py"))
_FIT_QUEUES = load_module(_HERE.with_name("fit_queues.py"))

_PORT_NAMES = "Comware names ports HundredGigE1/0/1 or Bridge-Aggregation1"


@lru_cache(maxsize=1)
def limits() -> dict[str, Any]:
    """Return `limits.yaml`."""
    return read_yaml(_HERE.with_name("limits.yaml"))


@dataclass(slots=True)
class System:
    """What all ports of the device share."""

    limits: dict[str, Any]
    cell: int
    cell_known: bool
    cell_because: str
    dscp_to_tc: tuple[int, ...] = ()
    queue_of: tuple[int, ...] = tuple(range(8))
    """802.1p priority -> queue."""
    lossless: frozenset[int] = frozenset()
    """Queues that PFC can stop, of any port."""
    watched: frozenset[int] = frozenset()
    """Queues with deadlock detection."""
    action: str | None = None


def fit(device: Device) -> tuple[Device, tuple[Adjustment, ...]]:
    """Return what the switch carries of a planned device, and every change. Idempotent."""
    log = Log(device.name)
    system = _system(device)
    ports = _named(device, system, log)
    kinds = list(distinct_qos(replace(device, ports=ports)))
    system.dscp_to_tc, system.queue_of, mapped = _FIT_MAPS.fit_maps(kinds, log)
    system.lossless = frozenset(
        system.queue_of[priority] for qos in mapped for priority in _paused(qos) if _paused(qos)
    )
    _watch(mapped, system, log)
    fitted: dict[str, Port] = {}
    for (_, members), qos in zip(kinds, mapped, strict=True):
        log.about(members)
        changed = _qos(qos, system, log)
        fitted |= {port.name: replace(port, qos=changed, mtu_counts=None, nic=None) for port in members}
    log.about(())
    _device(device, log)
    done = carried(device, (fitted[name] for name in ports))
    return _EFFECTIVE.defaults(done), tuple(log.changes)


def _system(device: Device) -> System:
    known = limits()
    chip = catalogue().of_device(device.model, device.asic)
    cell = chip.whole("cell") if chip is not None else None
    if cell is not None:
        return System(known, cell, cell_known=True, cell_because=f"cells of {cell} B")
    assumed = known["cell"]["bytes"]
    because = f"cells of {assumed} B, the size that H3C and HPE write of; the one of this model is not known"
    return System(known, assumed, cell_known=False, cell_because=because)


def _paused(qos: PortQos) -> frozenset[int]:
    pfc = qos.pfc
    return frozenset() if pfc is None or pfc.admin == "off" else (pfc.tx or frozenset()) | (pfc.rx or frozenset())


def _named(device: Device, system: System, log: Log) -> dict[str, Port]:
    """Return the ports under the names Comware prints, with a frame length it takes."""
    ports: dict[str, Port] = {}
    for name, port in device.ports.items():
        named = as_printed(port, _NAMES.port_name(name), log, names=_PORT_NAMES, by="display current-configuration")
        ports[named.name] = replace(named, mtu=_mtu(named, system, log))
    return ports


def _mtu(port: Port, system: System, log: Log) -> int | None:
    """Return the frame length of a port; `jumboframe enable` works on switched and routed ports alike."""
    if port.mtu is None:
        return None
    low, high = system.limits["jumboframe"]["minimum"], system.limits["jumboframe"]["maximum"]
    wanted = port.mtu + 18 if port.mtu_counts == "ip" else port.mtu
    got: int = min(max(wanted, low), high)
    if got != port.mtu:
        counted = f"{port.mtu} B of IP" if port.mtu_counts == "ip" else f"{port.mtu} B"
        because = (
            f"jumboframe enable counts the frame, header and VLAN tag included, and is documented for {low} to {high} B"
        )
        log("quantised", "mtu", counted, f"{got} B", because, at=port.name)
    return got


def _watch(mapped: list[PortQos], system: System, log: Log) -> None:
    """Choose the queues with deadlock detection and its action: both are one for the device."""
    wanted: dict[str, None] = {}
    watched: set[int] = set()
    for qos in mapped:
        planned = qos.watchdog
        if planned is None or planned.enabled is not True:
            continue
        priorities = planned.priorities if planned.priorities is not None else _paused(qos)
        watched |= {system.queue_of[priority] for priority in priorities & _paused(qos)}
        if planned.action is not None:
            wanted[planned.action] = None
    system.watched = frozenset(watched)
    actions = list(wanted)
    if len(actions) > 1:
        because = "priority-flow-control deadlock auto-recover action is one for the device"
        log("equalised", "watchdog.action", " and ".join(actions), actions[0], because)
    system.action = actions[0] if actions else None


def _qos(qos: PortQos, system: System, log: Log) -> PortQos:
    """Return what a port carries of one planned `PortQos`, its maps already fitted."""
    no_link_pause(qos.link_pause, log, "Comware ignores flow-control on a port with PFC")
    changed = replace(
        qos,
        pfc=_pfc(qos, log),
        watchdog=_watchdog(qos, system, log),
        link_pause=None,
        dcbx=_dcbx(qos, log),
        cable=None,
    )
    return _FIT_QUEUES.fit_queues(changed, qos, system, log)  # type: ignore[no-any-return]


def _pfc(qos: PortQos, log: Log) -> Pfc:
    pfc = qos.pfc
    if pfc is None or pfc.admin in (None, "off"):
        return Pfc(admin="off", tx=frozenset(), rx=frozenset(), by="internal")
    wanted = both_ways(pfc, log, "priority-flow-control no-drop sends and honours PFC: both sets are one")
    if pfc.by == "pcp":
        because = "with a trusted DSCP the 802.1p priority that the map gives selects the PFC priority"
        log("refused", "pfc.by", "pcp", "internal", because)
    if not wanted:
        log(
            "equalised",
            "pfc.admin",
            f"{pfc.admin} for no priority",
            "off",
            "without a no-drop priority PFC does nothing",
        )
        return Pfc(admin="off", tx=frozenset(), rx=frozenset(), by="internal")
    return Pfc(admin=pfc.admin, tx=wanted, rx=wanted, by="internal")


def _watchdog(qos: PortQos, system: System, log: Log) -> PortWatchdog | None:
    planned = qos.watchdog
    if planned is None or not planned.enabled:
        return PortWatchdog(enabled=False)
    if not _paused(qos):
        log("dropped", "watchdog.enabled", "on", "off", "deadlock detection needs PFC on the port")
        return PortWatchdog(enabled=False)
    priorities = frozenset(code for code, queue in enumerate(system.queue_of) if queue in system.watched)
    if planned.priorities is not None and planned.priorities != priorities:
        because = "the interval is set by local precedence for the device: every port watches the same"
        log("equalised", "watchdog.priorities", listed(planned.priorities), listed(priorities), because)
    times = system.limits["deadlock"]
    for name, got in (("detect", f"interval {times['interval']}"), ("restore", f"delay {times['delay']}")):
        wanted = getattr(planned, name)
        if wanted is not None:
            because = (
                "H3C counts precision units and the length of one was not read: the published value, "
                "with the default precision"
            )
            log("dropped", f"watchdog.{name}", f"{wanted} ms", got, because)
    if planned.poll is not None:
        log(
            "dropped",
            "watchdog.poll",
            f"{planned.poll} ms",
            "none",
            "the chip watches for the whole interval: no poll is set",
        )
    return PortWatchdog(enabled=True, priorities=priorities, action=_action(planned, system, log))


def _action(planned: PortWatchdog, system: System, log: Log) -> Any:
    action = system.action if system.action in ("drop", "pfc-off") else "drop" if system.action is not None else None
    if planned.action not in (None, action):
        because = "a recovering port discards its packets or forwards them with PFC off; nothing else is documented"
        log("equalised", "watchdog.action", planned.action, action, because)
    return action


_ADVERTISED = frozenset({"pfc", "ets", "app"})


def _dcbx(qos: PortQos, log: Log) -> Dcbx | None:
    planned = qos.dcbx or Dcbx()
    wanted = planned.advertises or frozenset()
    auto = qos.pfc is not None and qos.pfc.admin == "auto" and bool(_paused(qos))
    if not (wanted or auto or planned.state in ("auto", "ieee", "cee")):
        return None
    if wanted not in (frozenset(), _ADVERTISED):
        log(
            "equalised",
            "dcbx",
            f"advertise {', '.join(sorted(wanted))}",
            "advertise all",
            "the DCBX TLVs go out together",
        )
    if planned.state in ("ieee", "cee"):
        log("dropped", "dcbx.state", planned.state, "negotiated", "the command that fixes the version was not read")
    if planned.willing is not None:
        log("dropped", "dcbx.willing", planned.willing, "none", "a switch port's willing bit has no documented command")
    return Dcbx(state="auto", advertises=_ADVERTISED)


def _device(device: Device, log: Log) -> None:
    """Note what of the device as a whole has no command, or is left to the system."""
    if device.pfc_enabled is False:
        log("dropped", "pfc_enabled", "off", "by port", "Comware has no switch that turns all PFC off")
    drop_device_settings(
        device,
        log,
        pools="the ranges of the headroom pool and of the shared area were not read: the system's own sizes stay",
        pools_become="the system's default",
    )
