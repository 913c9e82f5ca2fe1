"""The watchdog looks at the uplinks, and storms start at the hosts.

## What it finds

A device whose fabric ports have a PFC watchdog while host ports with a lossless class have none. WD-001 speaks of each
port on which PFC is known to be on; this rule says what the ports have in common, and sees negotiated PFC too.

## Why it matters

A pause storm is made by a broken NIC. A watchdog on the uplinks alone sees it when it has already stopped the leaf,
and then drops the traffic of innocent hosts.

## What to do

Watch every port that may be paused, the host ports first.

- nxos: `priority-flow-control watch-dog-interval on`, globally and on the host interfaces
- sonic: `config pfcwd start --action drop all 400 --restoration-time 400`
- cumulus: `nv set interface IF qos pfc-watchdog`
- onyx: `pfc-wd` on the interface
- junos: `pfc-watchdog` in the congestion-notification-profile of the host ports

## When to ignore

Hosts that never send PFC frames.

## References

- Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 4.3: the storm of one NIC
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Device, Given, Hit, Port, PortQos, Severity, wanted_lossless
from rocecfg.lint.classes import pfc_sets

ID, NAME, SEVERITY, PROFILE, SINCE = "WD-002", "watchdog-not-on-host-ports", Severity.ERROR, "safe", "0.1"
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet1/1: {role: host, qos: {pfc: {admin: auto, tx: [3], rx: [3]}, watchdog: {enabled: true, priorities: [3]}}}
    Ethernet1/49: {role: fabric, qos: {pfc: {admin: "on", tx: [3], rx: [3]}, watchdog: {enabled: true, priorities: [3]}}}
"""
BAD = GOOD.replace("enabled: true", "enabled: false", 1)


def check(device: Device, given: Given) -> Iterator[Hit]:
    fabric = [port for port in device.ports.values() if port.role == "fabric" and _watched(port.qos)]
    bare = [port for port in device.ports.values() if _bare(port, given)]
    if fabric and bare:
        yield Hit(
            f"{len(bare)} host ports have no PFC watchdog while {len(fabric)} fabric ports have one: storms start at hosts",
            "turn the PFC watchdog on on the host ports",
            "watchdog",
            ports=tuple(port.name for port in bare),
        )


def _watched(qos: PortQos) -> bool:
    return qos.watchdog is not None and qos.watchdog.enabled is True


def _bare(port: Port, given: Given) -> bool:
    """Return whether a host port with a lossless class is known to be unwatched."""
    qos = port.qos
    if port.role != "host" or port.enabled is False or qos.watchdog is None or qos.watchdog.enabled is not False:
        return False
    return bool(pfc_sets(qos).honours or wanted_lossless(qos, given))
