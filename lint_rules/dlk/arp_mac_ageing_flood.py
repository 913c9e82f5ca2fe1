"""A switch forgets MAC addresses before ARP entries: lossless packets are flooded to all ports.

## What it finds

A switch with lossless traffic on switched host ports (access or trunk) whose MAC addresses age out before its ARP
entries. An error when the text states a timer, a warning when both are the system's defaults. Devices whose host ports
are routed are not affected.

## Why it matters

While the ARP entry lives and the MAC address is gone, packets to that host are flooded on every port of the VLAN,
uplinks included. Flooded lossless packets go down and up at once: this locked up Microsoft's fabric for good.

## What to do

Keep MAC addresses at least as long as ARP entries, or route the host ports.

- nxos: `mac address-table aging-time 1800` and `ip arp timeout 1500` on the VLAN interfaces

## When to ignore

Where lossless packets to an unknown address are dropped.

## References

- Guo et al., SIGCOMM 2016, section 4.2: ARP entries live 4 hours, MAC addresses 5 minutes; the deadlock they caused
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Device, Given, Hit, Severity, Unknown, numbers_text

ID, NAME, SEVERITY, PROFILE, SINCE = "DLK-004", "arp-mac-ageing-flood", Severity.ERROR, "safe", "0.2"
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  arp_timeout: 1500
  mac_ageing: 1800
  ports:
    Ethernet1/1: {mode: trunk, qos: {pfc: {admin: "on", tx: [3], rx: [3]}, trust: dscp, dscp_to_tc: {26: 3, rest: 0},
      watchdog: {enabled: true, priorities: [3]}, tc_to_pg: {0: 0, 3: 3}, priority_to_pg: {3: [3]},
      link_pause: {rx: false, tx: false}, priority_groups: {3: {lossless: true, headroom: {by: box}}}}}
"""
BAD = GOOD.replace("arp_timeout: 1500", "arp_timeout: 14400").replace("mac_ageing: 1800", "mac_ageing: 300")
_BOTH = frozenset({"arp_timeout", "mac_ageing"})


def check(device: Device, given: Given) -> Iterator[Hit | Unknown]:
    found: dict[str, frozenset[int]] = {}
    for name, port in device.ports.items():
        if port.mode in {"access", "trunk"} and port.role not in {"fabric", "peer-link"} and port.enabled is not False:
            lossless = port.qos.lossless_priorities()
            if lossless:
                found[name] = lossless
    if not found:
        return
    arp, mac = device.arp_timeout, device.mac_ageing
    if arp is None or mac is None:
        yield Unknown("the ageing times of ARP entries and MAC addresses")
        return
    if mac >= arp:
        return
    text = numbers_text(frozenset().union(*found.values()))
    yield Hit(
        f"MAC addresses age out after {mac} s, ARP entries after {arp} s: in between, packets of priority {text} are "
        "flooded to every port of the VLAN",
        f"keep MAC addresses for at least {arp} s",
        object=f"priority {text}",
        severity=Severity.WARNING if device.defaulted >= _BOTH else Severity.ERROR,
        ports=tuple(found),
    )
