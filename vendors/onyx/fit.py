"""Turns a planned device into what Onyx can carry, and says what changed and why."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.vendor.changes import Log
from rocecfg.vendor.fitting import as_printed, both_ways, carried, one_set
from rocecfg.vendor.manifest import read_yaml

if TYPE_CHECKING:
    from rocecfg.state.model import Device, Port, PortQos
    from rocecfg.vendor.api import Adjustment

_HERE = Path(__file__)
_CONFIG = load_module(_HERE.with_name("config.py"))
_EFFECTIVE = load_module(_HERE.with_name("effective.py"))
_FIT_BUFFERS = load_module(_HERE.with_name("fit_buffers.py"))
_FIT_PORT = load_module(_HERE.with_name("fit_port.py"))

_HEADERS = {"ip": 0, "l2": 14, "l2+fcs": 18}

_PORT_NAMES = "Onyx names ports Eth1/1, Eth1/1/1 (split), Po1 or Mpo1"


@lru_cache(maxsize=1)
def limits() -> dict[str, Any]:
    """Return `limits.yaml`."""
    return read_yaml(_HERE.with_name("limits.yaml"))


def fit(device: Device) -> tuple[Device, tuple[Adjustment, ...]]:
    """Return what the switch carries of a planned device, and every change. Idempotent."""
    log, known = Log(device.name), limits()
    ports = _named(device, known, log)
    lossless = _priorities(device, ports, log)
    advanced = _FIT_BUFFERS.needs_advanced(device, ports.values(), lossless, known)
    system = _FIT_BUFFERS.System(lossless, advanced, known)
    fitted: dict[str, Port] = {}
    for qos, members in log.by_qos(replace(device, ports=ports)):
        changed: PortQos = _FIT_PORT.fit_port(qos, system, log)
        fitted |= {port.name: replace(port, qos=changed, nic=None) for port in members}
    _device(device, log)
    done = carried(
        device,
        (fitted[name] for name in ports),
        pfc_enabled=bool(lossless),
        pools=_FIT_BUFFERS.pools(device, fitted, system, log),
        buffer_model="stated" if advanced else "box",
        defaulted=frozenset(),
    )
    result: Device = _EFFECTIVE.defaults(done)
    return result, tuple(log.changes)


def _named(device: Device, known: dict[str, Any], log: Log) -> dict[str, Port]:
    """Return the ports under the names Onyx prints, with an MTU it takes."""
    ports: dict[str, Port] = {}
    for name, port in device.ports.items():
        named = as_printed(port, _CONFIG.port_name(name), log, names=_PORT_NAMES, by="the show commands")
        ports[named.name] = _mtu(named, known, log)
    return ports


def _mtu(port: Port, known: dict[str, Any], log: Log) -> Port:
    """Return a port with its MTU as Onyx counts it: the payload of the frame, 1500 for a packet of 1522 bytes."""
    if port.mtu is None:
        return replace(port, mtu_counts=None)
    bounds, counts = known["ranges"]["mtu"], port.mtu_counts or "ip"
    mtu = min(max(port.mtu - _HEADERS[counts], bounds["from"]), bounds["to"])
    if mtu != port.mtu or counts != "ip":
        because = f"mtu counts the payload of the frame, {bounds['from']} to {bounds['to']}"
        log("quantised", "mtu", f"{port.mtu} bytes ({counts})", f"{mtu} bytes (ip)", because, at=port.name)
    return replace(port, mtu=mtu, mtu_counts="ip")


def _priorities(device: Device, ports: dict[str, Port], log: Log) -> frozenset[int]:
    """Return the one set of PFC priorities of the device."""
    sets: dict[frozenset[int], str] = {}
    for name, port in ports.items():
        pfc = port.qos.pfc
        if pfc is None or pfc.admin == "off" or pfc.gate is False:
            continue
        because = "a priority with PFC is paused for and honoured: only the RoCE mode semi-lossless has one side"
        paused = both_ways(pfc, log, because, at=name)
        if paused:
            sets.setdefault(paused, name)
    every = one_set(sets, log, "the priorities of PFC are one set for the switch: a port takes all of it")
    if device.pfc_enabled is False:
        if sets:
            log("dropped", "pfc_enabled", "off", "off", "without `dcb priority-flow-control enable` no port has PFC")
        return frozenset()
    return every


def _device(device: Device, log: Log) -> None:
    if device.ecn_enabled is False:
        log("refused", "ecn_enabled", "off", "no such switch", "Onyx has no switch that turns all marking off")
    if device.ecn_on_pool is not None:
        log("dropped", "ecn_on_pool", "stated", "none", "marking goes by queue, not by the pool's fill")
    if device.traffic is not None:
        log("box-made", "traffic", device.traffic, "none", "the switch sizes headroom by itself")
