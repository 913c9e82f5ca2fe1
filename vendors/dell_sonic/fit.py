"""Turns a planned device into what an Enterprise SONiC switch can carry, and says what changed and why."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import Dcbx, Device, Pfc, Port, PortQos, PortWatchdog
from rocecfg.vendor.changes import Log
from rocecfg.vendor.fitting import as_printed, carried, drop_device_settings, no_link_pause
from rocecfg.vendor.manifest import read_yaml

if TYPE_CHECKING:
    from rocecfg.state.model import Action
    from rocecfg.vendor.api import Adjustment
    from vendors.dell_sonic.fit_maps import Shared

_HERE = Path(__file__)
_CONFIG = load_module(_HERE.with_name("config.py"))
_EFFECTIVE = load_module(_HERE.with_name("effective.py"))
_MAPS = load_module(_HERE.with_name("fit_maps.py"))
_QUEUES = load_module(_HERE.with_name("fit_queues.py"))
_ETHERNET = {"l2": 14, "l2+fcs": 18}

_PORT_NAMES = "ports are named Eth1/1, Eth1/1/1, Ethernet0 or PortChannel1"


@lru_cache(maxsize=1)
def limits() -> dict[str, Any]:
    """Return `limits.yaml`."""
    return read_yaml(_HERE.with_name("limits.yaml"))


def fit(device: Device) -> tuple[Device, tuple[Adjustment, ...]]:
    """Return what the switch carries of a planned device, and every change. Idempotent."""
    log, known = Log(device.name), limits()
    ports = _named(device, known, log)
    planned = replace(device, ports=ports)
    shared: Shared = _MAPS.shared(planned, known, log)
    poll = _poll(planned, known, log)
    fitted: dict[str, Port] = {}
    for qos, members in log.by_qos(planned):
        changed = _qos(qos, shared, poll, known, log)
        fitted |= {port.name: replace(port, qos=changed, nic=None) for port in members}
    if not any(
        group is not None and group.lossless for port in fitted.values() for group in port.qos.priority_groups or ()
    ):
        # `buffer init lossless` reboots the switch: nobody asks for that who has nothing lossless
        fitted = {name: replace(port, qos=replace(port.qos, priority_groups=None)) for name, port in fitted.items()}
    _device(planned, log)
    done = carried(device, (fitted[name] for name in ports))
    return _EFFECTIVE.defaults(done), tuple(log.changes)


def _named(device: Device, known: dict[str, Any], log: Log) -> dict[str, Port]:
    """Return the ports under the names the switch prints, with an MTU it takes."""
    ports: dict[str, Port] = {}
    for name, port in device.ports.items():
        named = as_printed(port, _CONFIG.port_name(name), log, names=_PORT_NAMES, by="show running-configuration")
        mtu = _mtu(port, known["mtu"], log)
        ports[named.name] = replace(named, mtu=mtu, mtu_counts="ip" if mtu is not None else None)
    return ports


def _mtu(port: Port, known: dict[str, int], log: Log) -> int | None:
    if port.mtu is None:
        return None
    taken = min(max(port.mtu - _ETHERNET.get(port.mtu_counts or "", 0), known["minimum"]), known["maximum"])
    if taken != port.mtu or port.mtu_counts not in ("ip", None):
        because = (
            f"mtu counts the IP packet, as in SONiC's PORT table, and takes {known['minimum']} to {known['maximum']}"
        )
        log("quantised", "mtu", f"{port.mtu} B {port.mtu_counts or ''}".strip(), f"{taken} B", because, at=port.name)
    return taken


def _qos(qos: PortQos, shared: Shared, poll: int | None, known: dict[str, Any], log: Log) -> PortQos:
    """Return what a port carries of one planned `PortQos`."""
    pfc = _pfc(qos, known, log)
    no_link_pause(qos.link_pause, log, "802.3x pause stops every class of a link that runs PFC")
    mapped: PortQos = _MAPS.mapped(qos, shared, log)
    return replace(
        mapped,
        pfc=pfc,
        watchdog=_watchdog(qos.watchdog, pfc, poll, known["watchdog"], log),
        link_pause=None,
        dcbx=_dcbx(qos.dcbx, log),
        cable=_cable(qos, pfc, known["cable_lengths"], log),
        queues=_QUEUES.queues(qos, mapped, known, log),
        priority_groups=_MAPS.groups(qos, pfc, shared, log),
    )


def _pfc(qos: PortQos, known: dict[str, Any], log: Log) -> Pfc | None:
    pfc = qos.pfc
    if pfc is None or pfc.admin == "off" or not (pfc.tx or pfc.rx):
        return None
    tx, rx = pfc.tx or frozenset(), pfc.rx or frozenset()
    most = known["lossless_priorities"]["maximum"]
    if len(tx) > most:
        log("refused", "pfc", f"priorities {sorted(tx)}", f"{most} priorities", f"a port takes {most} at most")
    if rx not in (tx, frozenset(range(8))) or not tx:
        because = "a port honours what it sends, or with asymmetric every priority"
        log("refused", "pfc.rx", sorted(rx), sorted(tx), because)
    if pfc.by == "pcp":
        log("refused", "pfc.by", "pcp", "internal", "PFC follows the traffic class of a packet")
    if pfc.admin == "auto":
        log("equalised", "pfc.admin", "auto", "on", "PFC is on for a listed priority, whatever DCBX hears")
    return Pfc("on", tx, rx)


def _poll(device: Device, known: dict[str, Any], log: Log) -> int | None:
    """Return the one polling interval of the switch: the shortest that a port asks for."""
    asked = {
        dog.poll
        for dog in (port.qos.watchdog for port in device.ports.values())
        if dog is not None and dog.enabled and dog.poll is not None
    }
    if not asked:
        return None
    poll = min(asked)
    if len(asked) > 1:
        because = "the polling interval is one for the switch"
        log("equalised", "watchdog.poll", f"{sorted(asked)} ms", f"{poll} ms", because)
    return _in_range(poll, known["watchdog"]["poll"], "watchdog.poll", log)


def _in_range(value: int, known: dict[str, int], leaf: str, log: Log) -> int:
    taken = min(max(value, known["low"]), known["high"])
    if taken != value:
        log("quantised", leaf, f"{value} ms", f"{taken} ms", f"the switch takes {known['low']} to {known['high']} ms")
    return taken


def _watchdog(
    planned: PortWatchdog | None, pfc: Pfc | None, poll: int | None, known: dict[str, Any], log: Log
) -> PortWatchdog | None:
    if planned is None or planned.enabled is None:
        return None
    if not planned.enabled or pfc is None:
        return PortWatchdog(enabled=False)
    if planned.priorities not in (None, pfc.tx):
        because = "the watchdog looks at every priority with PFC"
        log("equalised", "watchdog.priorities", sorted(planned.priorities or ()), sorted(pfc.tx or ()), because)
    detect = planned.detect
    if detect is None or detect < 0:
        detect = 2 * (poll or _EFFECTIVE.POLL)
        because = "the line that turns the watchdog on needs a time: twice the polling interval"
        log("chosen", "watchdog.detect", "open", f"{detect} ms", because)
    detect = _in_range(detect, known["detect"], "watchdog.detect", log)
    restore = planned.restore
    if restore is not None and restore < 0:
        log("dropped", "watchdog.restore", "never", "the switch's default", "no word leaves a queue shut for ever")
        restore = None
    if restore is not None:
        restore = _in_range(restore, known["restore"], "watchdog.restore", log)
    action: Action = planned.action if planned.action in ("drop", "forward", "alert") else "drop"
    if planned.action not in (None, action):
        log("equalised", "watchdog.action", planned.action, action, "actions are drop, forward and alert")
    return PortWatchdog(True, None, poll, detect, restore, action)


def _dcbx(planned: Dcbx | None, log: Log) -> Dcbx | None:
    if planned is None or planned.state is None:
        return None
    if planned.state == "off":
        return Dcbx(state="off")
    if planned.state != "ieee":
        log("equalised", "dcbx.state", planned.state, "ieee", "Enterprise SONiC speaks the IEEE version")
    if planned.willing is not None:
        log("dropped", "dcbx.willing", planned.willing, "the switch's default", "no documented command sets it")
    if planned.advertises is not None:
        log("dropped", "dcbx.advertises", sorted(planned.advertises), "all", "the TLVs are not chosen one by one")
    return Dcbx(state="ieee")


def _cable(qos: PortQos, pfc: Pfc | None, known: dict[str, Any], log: Log) -> int | None:
    """Return the row of the headroom table: the next of the three lengths that is not shorter."""
    if pfc is None or qos.cable is None:
        return None
    row: int | None = next((metres for metres in known["metres"] if metres >= qos.cable), None)
    if row is None:
        because = f"the headroom tables end at {known['metres'][-1]} m"
        log("refused", "cable", f"{float(qos.cable):g} m", f"{known['metres'][-1]} m", because)
        return int(known["metres"][-1])
    if row != qos.cable:
        because = f"cable-length takes {', '.join(map(str, known['metres']))} m: the next one that is not shorter"
        log("quantised", "cable", f"{float(qos.cable):g} m", f"{row} m", because)
    return row


def _device(device: Device, log: Log) -> None:
    """Note what of the device as a whole is not rendered."""
    drop_device_settings(
        device, log, pools="pool sizes are the SKU's own after buffer init lossless", pools_become="the SKU's pools"
    )
