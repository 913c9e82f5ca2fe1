"""A port between two hosts takes smaller frames than their RDMA packets need.

## What it finds

A switch port on a way between hosts whose MTU is below the RDMA path MTU of the sending NIC and its headers: what
the NIC shows as active, else the largest that fits its own MTU, else that of the intent. 4200 bytes for RoCE MTU 4096. Where a system does not say what its MTU counts, the port is judged by the
reading that suits it best.

## Why it matters

Pings and connection setup pass, every full packet is dropped; transfers hang or fall back to TCP.

## What to do

Give every switch port of the fabric one MTU above that of the hosts, 9216 where nothing speaks against it.

- nxos: `mtu 9216` on the interface, and in the network-qos class
- sonic: `"mtu": "9100"` in the PORT row
- cumulus: `nv set interface IF link mtu 9216`
- junos: `set interfaces IF mtu 9216`

## When to ignore

Never.

## References

- NVIDIA/dgx-spark-playbooks pull request 103: 4200 bytes for RoCE MTU 4096
- MinIO MemKV, RoCEv2 setup runbook: the path MTU negotiated, every data packet dropped
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import End, Given, Hit, Path, Port, Severity, Unknown
from rocecfg.lint.networks import TWO_LEAVES

ID, NAME, SEVERITY, PROFILE, SINCE = "PATH-003", "path-mtu-too-small", Severity.ERROR, "min", "0.2"
GOOD = TWO_LEAVES
BAD = (
    GOOD.replace("default_tos: 106", "default_tos: 106, active_mtu: 4096")
    .replace("u: &up {speed: 400000000000, mtu: 9216", "u: &up {speed: 400000000000, mtu: 1514")
    .replace("spine {speed: 400000000000, mtu: 9216", "spine {speed: 400000000000, mtu: 1514")
)
_HEADERS = 104
"""RoCE payload to Ethernet frame: NVIDIA's 4200 for 4096."""
_ROCE_MTUS = (256, 512, 1024, 2048, 4096)
_MOST_MORE = {"ip": 14, "l2": 0, "l2+fcs": -4, None: 14}
"""What an MTU counts -> most that makes an Ethernet frame without check sum of it."""


def check(path: Path, given: Given) -> Iterator[Hit | Unknown]:
    stated = given.expect.roce_mtu if given.expect is not None else None
    wanted = _active(path.hops[0].outward) or stated
    if wanted is None:
        yield Unknown("the RDMA path MTU of the sender", End(path.hops[0].device, ""))
        return
    needed = wanted + _HEADERS
    for hop in path.hops:
        if not hop.is_switch:
            continue
        for name, port in ((hop.arrives, hop.inward), (hop.leaves, hop.outward)):
            if port is None:
                continue
            if port.mtu is None:
                yield Unknown("the port's MTU", End(hop.device, name))
            elif port.mtu + _MOST_MORE[port.mtu_counts] < needed:
                yield Hit(
                    f"the MTU of {port.mtu} bytes is below the {needed} bytes that RoCE MTU {wanted} of "
                    f"{path.hops[0].device} needs, on the way {path.text()}",
                    f"give the port an MTU of at least {needed} bytes",
                    "mtu",
                    f"MTU {port.mtu}",
                    end=End(hop.device, name),
                )


def _active(port: Port | None) -> int | None:
    """Return the RDMA path MTU of a NIC: what it shows, else the largest that fits its port's MTU."""
    if port is None:
        return None
    if port.nic is not None and port.nic.active_mtu is not None:
        return port.nic.active_mtu
    if port.mtu is None:
        return None
    frame = port.mtu + _MOST_MORE[port.mtu_counts]
    return max((size for size in _ROCE_MTUS if size + _HEADERS <= frame), default=None)
