"""Members of one port-channel are not configured alike.

## What it finds

Members of a port-channel that differ in PFC, watchdog, headroom or classification. House rule: no published incident,
but nothing good comes of it.

## Why it matters

The hash puts some flows on the member that drops, or that nobody watches. The fault looks random: it follows the flow,
not the port, and moves when a member goes down.

## What to do

Give every member the same settings; most systems take them from the port-channel.

- nxos: put `priority-flow-control mode on` and the service policies on the port-channel
- sonic: PORT_QOS_MAP, BUFFER_PG and PFC_WD rows for every member port
- cumulus: set QoS on the bond
- junos: bind the congestion-notification-profile to the aggregated interface

## When to ignore

A member that is in maintenance.

## References

- House rule
- IEEE 802.1AX: a conversation stays on one member, so members must treat it alike
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence

from rocecfg.lint.api import Device, Given, Hit, Port, PortQos, Severity, Unknown, numbers_text
from rocecfg.lint.classes import pfc_sets

ID, NAME, SEVERITY, PROFILE, SINCE = "PFC-009", "pfc-not-on-lag-members", Severity.WARNING, "safe", "0.1"
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  lags: [{name: port-channel1, members: [Ethernet1/1, Ethernet1/2, Ethernet1/3]}]
  ports:
    Ethernet1/1: &member {qos: {pfc: {admin: "on", tx: [3], rx: [3]}}}
    Ethernet1/2: *member
    Ethernet1/3: *member
"""
BAD = GOOD.replace("Ethernet1/3: *member", 'Ethernet1/3: {qos: {pfc: {admin: "off", tx: [], rx: []}}}')


def check(device: Device, given: Given) -> Iterator[Hit | Unknown]:
    channels = _channels(device)
    if channels is None:
        yield Unknown("the members of port-channels")
        return
    for name, members in channels.items():
        for what, leaf, reader in _FACETS:
            known = [(port, value) for port in members if (value := reader(port.qos)) is not None]
            counts = Counter(value for _, value in known)
            if len(counts) < 2:
                continue
            usual = counts.most_common(1)[0][0]
            odd = [(port, value) for port, value in known if value != usual]
            yield Hit(
                f"{len(odd)} of {len(known)} members of {name} differ in {what}: {_told(odd[0][1])} against "
                f"{_told(usual)}",
                f"configure the members of {name} alike",
                leaf,
                ports=tuple(port.name for port, _ in odd),
            )
            break  # one finding a port-channel: the rest usually follows from it


def _channels(device: Device) -> dict[str, list[Port]] | None:
    """Return the known ports of each port-channel that are in use, None when no port-channel was read."""
    found: dict[str, list[Port]] = {lag.name: [] for lag in device.lags or ()}
    for lag in device.lags or ():
        found[lag.name] = [device.ports[name] for name in lag.members if name in device.ports]
    for port in device.ports.values():
        if port.lag is not None and port not in found.setdefault(port.lag, []):
            found[port.lag].append(port)
    if device.lags is None and not found:
        return None
    return {name: [port for port in ports if port.enabled is not False] for name, ports in found.items()}


def _pfc(qos: PortQos) -> Hashable:
    sends, honours = pfc_sets(qos)
    return None if sends is None or honours is None else ("priority", sends | honours)


def _watchdog(qos: PortQos) -> Hashable:
    watchdog = qos.watchdog
    if watchdog is None or watchdog.enabled is None:
        return None
    return ("watchdog on" if watchdog.enabled else "watchdog off",)


def _headroom(qos: PortQos) -> Hashable:
    groups = qos.priority_groups
    if groups is None:
        return None
    lossless = frozenset(number for number, group in enumerate(groups) if group is not None and group.lossless)
    return ("lossless priority group", lossless)


def _classification(qos: PortQos) -> Hashable:
    if qos.trust is None:
        return None
    return (f"trust {qos.trust}", qos.dscp_to_tc.to if qos.dscp_to_tc is not None and qos.trust == "dscp" else ())


_FACETS = (
    ("PFC", "pfc", _pfc),
    ("the PFC watchdog", "watchdog", _watchdog),
    ("lossless priority groups", "priority_groups", _headroom),
    ("classification", "trust", _classification),
)


def _told(value: Hashable) -> str:
    parts: Sequence[object] = value if isinstance(value, tuple) else (value,)
    words = [numbers_text(part) if isinstance(part, frozenset) else str(part) for part in parts if part != ()]
    return " ".join(word for word in words if not word.startswith("("))
