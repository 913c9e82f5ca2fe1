"""Pauses all over the fabric begin at one host.

## What it finds

From captures of the switches and their cables: at least three ports that were paused on a priority, where the walk
from each paused port to the device that paused it, and on to what paused that one, always ends at the same host port.

## Why it matters

In a pause storm every port looks guilty. The tree has one root: isolate that host and the other ports are free.

## What to do

Look at the host that is named, or shut its port and see whether the pauses end.

- nxos: `show queuing interface`, then `shutdown` on the port
- sonic: `show pfc counters`, then `config interface shutdown IF`
- cumulus: `nv show interface IF counters qos`, then `nv set interface IF link state down`
- junos: `show interfaces extensive`, then `set interfaces IF disable`

## When to ignore

An incast into that host on purpose: many senders, one receiver, and pauses that end.

## References

- Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 4.3: NIC PFC storm
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import ANY_PRIORITY, CounterFabric, Given, Hit, Option, Severity, Unknown

ID, NAME, SEVERITY, PROFILE, SINCE = "OPS-010", "pause-propagation-tree", Severity.INFO, "safe", "0.1"
OPTIONS = {"least-ports": Option(3, "paused ports from which on it is a tree")}
BAD = """
devices:
  - {name: leaf1, sample: {ports: {Ethernet0: {rx_pfc: {3: 0}}, Ethernet48: {tx_pfc: {3: 0}}}}}
  - name: leaf1
    sample: {ports: {Ethernet0: {rx_pfc: {3: 9000}}, Ethernet48: {tx_pfc: {3: 8000}}}}
    ports: {Ethernet0: {role: host}}
  - {name: spine1, sample: {ports: {Ethernet0: {rx_pfc: {3: 0}}, Ethernet4: {tx_pfc: {3: 0}}}}}
  - {name: spine1, sample: {ports: {Ethernet0: {rx_pfc: {3: 8000}}, Ethernet4: {tx_pfc: {3: 7000}}}}}
  - {name: leaf2, sample: {ports: {Ethernet48: {rx_pfc: {3: 0}}, Ethernet0: {tx_pfc: {3: 0}}}}}
  - {name: leaf2, sample: {ports: {Ethernet48: {rx_pfc: {3: 7000}}, Ethernet0: {tx_pfc: {3: 6000}}}}}
links:
  - {a: "leaf1:Ethernet0", b: "gpu17:rail0"}
  - {a: "leaf1:Ethernet48", b: "spine1:Ethernet0"}
  - {a: "spine1:Ethernet4", b: "leaf2:Ethernet48"}
  - {a: "leaf2:Ethernet0", b: "gpu01:rail0"}
"""
GOOD = BAD.replace("{rx_pfc: {3: 9000}}", "{rx_pfc: {3: 0}}")

Port = tuple[str, str]


def check(fabric: CounterFabric, given: Given) -> Iterator[Hit | Unknown]:
    switches = {port: of for port, of in fabric.paused.items() if fabric.devices[port[0]].kind == "switch"}
    numbers = {number for of in switches.values() for number in of.received}
    for priority in [ANY_PRIORITY] if ANY_PRIORITY in numbers else sorted(numbers):
        paused = {port for port, of in switches.items() if _on(priority, of.received)}
        root = _root(fabric, paused) if len(paused) >= given.options.least_ports else None
        host = _behind(fabric, root) if root is not None else None
        if root is None or host is None:
            continue
        if switches[root].role is None and not _is_host(fabric, host):
            yield Unknown("whether the device where the pauses begin is a host")
            continue
        if switches[root].role not in {None, "host"}:
            continue
        devices = len({device for device, _ in paused})
        what = "" if priority == ANY_PRIORITY else f" on priority {priority}"
        yield Hit(
            f"{len(paused)} ports of {devices} switches were paused{what}, and all of it begins at {host[0]} behind "
            f"{root[1]}",
            f"look at {host[0]}, or shut {root[1]} and see whether the pauses end",
            object="" if priority == ANY_PRIORITY else f"priority {priority}",
            ports=(root[1],),
            place=switches[root].place,
            device=fabric.devices[root[0]],
        )


def _on(priority: int, received: frozenset[int]) -> bool:
    """Return whether a port was paused on a priority; where a device cannot tell them apart, on any."""
    return bool(received) if priority == ANY_PRIORITY else priority in received


def _root(fabric: CounterFabric, paused: set[Port]) -> Port | None:
    """Return the paused port where all pauses begin; None when there are several, or none (a loop, a full switch)."""
    stopped = {device for device, _ in paused}
    roots: list[Port] = []
    paused_by: dict[str, list[Port]] = {}
    for port in paused:
        far = _behind(fabric, port)
        if far is None or far[0] not in fabric.devices or _is_host(fabric, far):
            roots.append(port)
        elif far[0] not in stopped:
            return None  # the switch behind it is full by itself
        else:
            paused_by.setdefault(far[0], []).append(port)
    if len(roots) != 1:
        return None
    reached, covered = [roots[0][0]], {roots[0]}
    while reached:
        for port in paused_by.pop(reached.pop(), ()):
            covered.add(port)
            reached.append(port[0])
    return roots[0] if covered == paused else None


def _behind(fabric: CounterFabric, port: Port) -> Port | None:
    """Return the port at the other end of the cable, None when no cable is known."""
    cables = fabric.cabling.at(port[0]).get(port[1])
    if not cables:
        return None
    cable = cables[0]
    far = cable.b if (cable.a.device, cable.a.port) == port else cable.a
    return (far.device, far.port)


def _is_host(fabric: CounterFabric, port: Port) -> bool:
    device = fabric.devices.get(port[0])
    return device is not None and device.kind == "host"
