"""Turns a planned device into what an AOS-CX switch can carry, and says what changed and why."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import Dcbx, Device, Pfc, Port, PortQos, eight
from rocecfg.vendor.changes import Log
from rocecfg.vendor.fitting import as_printed, carried, drop_device_settings, no_link_pause
from rocecfg.vendor.manifest import read_yaml

if TYPE_CHECKING:
    from rocecfg.vendor.api import Adjustment
    from vendors.aruba_cx.fit_classes import Layout

_HERE = Path(__file__)
_CONFIG = load_module(_HERE.with_name("config.py"))
_EFFECTIVE = load_module(_HERE.with_name("effective.py"))
_CLASSES = load_module(_HERE.with_name("fit_classes.py"))
_QUEUES = load_module(_HERE.with_name("fit_queues.py"))
_BUFFERS = load_module(_HERE.with_name("fit_buffers.py"))

PFC_SETS = 3
"""Different PFC sets on one 8325 or 10000; the 9300 takes seven (QoS guide)."""
PFC_SETS_9300 = 7

_PORT_NAMES = "AOS-CX names ports 1/1/1, 1/1/1:1 or lag 1"


@lru_cache(maxsize=1)
def limits() -> dict[str, Any]:
    """Return `limits.yaml`."""
    return read_yaml(_HERE.with_name("limits.yaml"))


def fit(device: Device) -> tuple[Device, tuple[Adjustment, ...]]:
    """Return what the switch carries of a planned device, and every change. Idempotent."""
    log, known = Log(device.name), limits()
    ports = _named(device, known, log)
    planned = replace(device, ports=ports)
    layout: Layout = _CLASSES.layout(planned, log)
    pool = _BUFFERS.pool(planned, known, log)
    fitted: dict[str, Port] = {}
    for qos, members in log.by_qos(planned):
        changed = _qos(qos, layout, known, log)
        fitted |= {port.name: replace(port, qos=changed, nic=None) for port in members}
    _device(planned, log)
    done = carried(device, (fitted[name] for name in ports), pools=(pool,) if pool is not None else ())
    return _EFFECTIVE.defaults(done), tuple(log.changes)


def _named(device: Device, known: dict[str, Any], log: Log) -> dict[str, Port]:
    """Return the ports under the names AOS-CX prints, with an MTU it takes."""
    ports: dict[str, Port] = {}
    for name, port in device.ports.items():
        named = as_printed(port, _CONFIG.port_name(name), log, names=_PORT_NAMES, by="show running-config")
        mtu = _mtu(port, known["mtu"], log)
        ports[named.name] = replace(named, mtu=mtu, mtu_counts="ip" if mtu is not None else None)
    return ports


def _mtu(port: Port, known: dict[str, int], log: Log) -> int | None:
    """Return the MTU as AOS-CX counts it: the frame on the wire may be 18 bytes longer."""
    if port.mtu is None:
        return None
    if (_CONFIG.port_name(port.name) or "").startswith("lag "):
        log("dropped", "mtu", f"{port.mtu} B", "as its members", "the MTU stands on the members of a LAG", at=port.name)
        return None
    mtu = port.mtu - {"l2": 14, "l2+fcs": 18}.get(port.mtu_counts or "ip", 0)
    taken = min(max(mtu, known["minimum"]), known["maximum"])
    if taken != port.mtu:
        because = (
            f"mtu leaves out the 18 B of Ethernet header and FCS, and takes {known['minimum']} to {known['maximum']}"
        )
        log("quantised", "mtu", f"{port.mtu} B", f"{taken} B", because, at=port.name)
    return taken


def _qos(qos: PortQos, layout: Layout, known: dict[str, Any], log: Log) -> PortQos:
    """Return what a port carries of one planned `PortQos`."""
    cable = _BUFFERS.cable(qos, log)
    pfc = _pfc(qos, log)
    paused = sorted((pfc.tx or frozenset()) | (pfc.rx or frozenset())) if pfc is not None else []
    if qos.watchdog is not None and qos.watchdog.enabled is not None:
        because = "no PFC watchdog stands in the QoS guide of AOS-CX or in any text found: nothing can be rendered"
        log("dropped", "watchdog", "on" if qos.watchdog.enabled else "off", "unknown", because)
    no_link_pause(qos.link_pause, log, "802.3x pause stops every class of a link that runs PFC")
    changed: PortQos = _CLASSES.classified(qos, layout, log)
    return replace(
        changed,
        pfc=pfc,
        priority_to_queue=eight({p: frozenset({layout.queue_of[p]}) for p in paused}) if paused else None,
        priority_to_pg=eight({p: frozenset({p}) for p in paused}) if paused else None,
        watchdog=None,
        link_pause=None,
        dcbx=_dcbx(qos.dcbx, log),
        cable=cable,
        queues=_QUEUES.queues(qos, layout, known, log),
        priority_groups=_BUFFERS.groups(qos, pfc, cable, log),
    )


def _pfc(qos: PortQos, log: Log) -> Pfc | None:
    pfc = qos.pfc
    if pfc is None or pfc.admin == "off" or not (pfc.tx or pfc.rx):
        return None
    if pfc.by == "pcp":
        log("refused", "pfc.by", "pcp", "internal", "PFC of AOS-CX follows the local priority of a packet")
    if pfc.admin == "auto":
        because = "a port of AOS-CX is never willing: flow-control priority is on or off, whatever DCBX hears"
        log("equalised", "pfc.admin", "auto", "on", because)
    return Pfc("on", pfc.tx or frozenset(), pfc.rx or frozenset())


def _dcbx(planned: Dcbx | None, log: Log) -> Dcbx | None:
    if planned is None or planned.state in (None, "off"):
        return None
    if planned.willing:
        log("dropped", "dcbx.willing", "yes", "no", "the willing bit of AOS-CX is always 0")
    if planned.advertises:
        log("dropped", "dcbx.advertises", ", ".join(sorted(planned.advertises)), "all", "no command chooses the TLVs")
    if planned.state == "auto":
        log("equalised", "dcbx.state", "auto", "ieee", "lldp dcbx takes ieee or cee; ieee is its default")
    return Dcbx(state="cee" if planned.state == "cee" else "ieee", willing=False)


def _device(device: Device, log: Log) -> None:
    """Note what of the device as a whole has no command, and what one switch cannot hold."""
    drop_device_settings(device, log)
    sets = {
        (pfc.tx or frozenset()) | (pfc.rx or frozenset())
        for pfc in (port.qos.pfc for port in device.ports.values())
        if pfc is not None and pfc.admin != "off" and (pfc.tx or pfc.rx)
    }
    most = PFC_SETS_9300 if "9300" in (device.model or "") else PFC_SETS
    if len(sets) > most:
        because = f"a switch takes {most} different PFC sets (QoS guide; seven on the 9300)"
        log("refused", "pfc", f"{len(sets)} different sets", f"{most}", because)
