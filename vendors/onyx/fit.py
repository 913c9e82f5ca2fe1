"""Turns a planned device into what Onyx can carry, and says what changed and why."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import Device, Port, PortQos, distinct_qos, intern_ports
from rocecfg.vendor.api import Adjustment
from rocecfg.vendor.manifest import read_yaml

if TYPE_CHECKING:
    from rocecfg.vendor.api import Kind

_HERE = Path(__file__)
_CONFIG = load_module(_HERE.with_name("config.py"))
_EFFECTIVE = load_module(_HERE.with_name("effective.py"))
_FIT_BUFFERS = load_module(_HERE.with_name("fit_buffers.py"))
_FIT_PORT = load_module(_HERE.with_name("fit_port.py"))

_HEADERS = {"ip": 0, "l2": 14, "l2+fcs": 18}


@lru_cache(maxsize=1)
def limits() -> dict[str, Any]:
    """Return `limits.yaml`."""
    return read_yaml(_HERE.with_name("limits.yaml"))


@dataclass(slots=True)
class Log:
    """The changes made so far. `ports` names those that the step at work is about, "" = the device."""

    device: str
    ports: str = ""
    changes: dict[Adjustment, None] = field(default_factory=dict)

    def __call__(self, leaf: str, wanted: Any, got: Any, kind: Kind, because: str, *, at: str = "") -> None:
        """Note one change of a leaf, on all ports at work or on the port `at`."""
        self.changes[Adjustment(self.device, at or self.ports, leaf, str(wanted), str(got), kind, because)] = None


def fit(device: Device) -> tuple[Device, tuple[Adjustment, ...]]:
    """Return what the switch carries of a planned device, and every change. Idempotent."""
    log, known = Log(device.name), limits()
    ports = _named(device, known, log)
    lossless = _priorities(device, ports, log)
    advanced = _FIT_BUFFERS.needs_advanced(device, ports.values(), lossless, known)
    system = _FIT_BUFFERS.System(lossless, advanced, known)
    fitted: dict[str, Port] = {}
    for qos, members in distinct_qos(replace(device, ports=ports)):
        log.ports = ", ".join(port.name for port in members)
        changed: PortQos = _FIT_PORT.fit_port(qos, system, log)
        fitted |= {port.name: replace(port, qos=changed, nic=None) for port in members}
    log.ports = ""
    _device(device, log)
    done = replace(
        device,
        ports=intern_ports(fitted[name] for name in ports),
        pfc_enabled=bool(lossless),
        ecn_enabled=None,
        ecn_on_pool=None,
        pools=_FIT_BUFFERS.pools(device, fitted, system, log),
        buffer_model="stated" if advanced else "box",
        traffic=None,
        complete=frozenset({"all"}),
        defaulted=frozenset(),
    )
    result: Device = _EFFECTIVE.defaults(done)
    return result, tuple(log.changes)


def _named(device: Device, known: dict[str, Any], log: Log) -> dict[str, Port]:
    """Return the ports under the names Onyx prints, with an MTU it takes."""
    ports: dict[str, Port] = {}
    for name, port in device.ports.items():
        printed = _CONFIG.port_name(name)
        if printed is None:
            because = "Onyx names ports Eth1/1, Eth1/1/1 (split), Po1 or Mpo1"
            log("name", name, "none", "refused", because, at=name)
        elif printed != name:
            log("name", name, printed, "equalised", "the name that the show commands print", at=printed)
        if port.nic is not None:
            log("nic", "NIC settings", "none", "dropped", "a switch port has none", at=printed or name)
        named = port if printed in (None, name) else replace(port, name=str(printed))
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
        log("mtu", f"{port.mtu} bytes ({counts})", f"{mtu} bytes (ip)", "quantised", because, at=port.name)
    return replace(port, mtu=mtu, mtu_counts="ip")


def _priorities(device: Device, ports: dict[str, Port], log: Log) -> frozenset[int]:
    """Return the one set of PFC priorities of the device."""
    sets: dict[frozenset[int], str] = {}
    for name, port in ports.items():
        pfc = port.qos.pfc
        if pfc is None or pfc.admin == "off" or pfc.gate is False:
            continue
        tx, rx = pfc.tx or frozenset(), pfc.rx or frozenset()
        if tx != rx:
            because = "a priority with PFC is paused for and honoured: only the RoCE mode semi-lossless has one side"
            log("pfc", f"tx {words(tx)}, rx {words(rx)}", words(tx | rx), "refused", because, at=name)
        if tx | rx:
            sets.setdefault(tx | rx, name)
    if len(sets) > 1:
        wanted = " and ".join(f"{words(one)} on {name}" for one, name in sets.items())
        because = "the priorities of PFC are one set for the switch: a port takes all of it"
        log("pfc", wanted, words(frozenset().union(*sets)), "refused", because)
    if device.pfc_enabled is False:
        if sets:
            log("pfc_enabled", "off", "off", "dropped", "without `dcb priority-flow-control enable` no port has PFC")
        return frozenset()
    return frozenset().union(*sets)


def words(priorities: frozenset[int]) -> str:
    """Return priorities as a message says them."""
    return ", ".join(map(str, sorted(priorities))) or "none"


def _device(device: Device, log: Log) -> None:
    if device.ecn_enabled is False:
        log("ecn_enabled", "off", "no such switch", "refused", "Onyx has no switch that turns all marking off")
    if device.ecn_on_pool is not None:
        log("ecn_on_pool", "stated", "none", "dropped", "marking goes by queue, not by the pool's fill")
    if device.traffic is not None:
        log("traffic", device.traffic, "none", "box-made", "the switch sizes headroom by itself")
