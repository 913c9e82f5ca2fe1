"""One end of a cable sends frames that the other end drops as too long.

## What it finds

Two ends with different MTUs, both counted as Ethernet frames without check sum. An error when the smaller end is a
switch that drops what its host sends, or a switch below the largest RoCE frame; otherwise information, because
unequal but large values (9216 against 9100) are common and harmless.

## Why it matters

Over-long frames are dropped without a pause, inside the lossless class, and small packets still pass: pings work and
transfers hang.

## What to do

Give the fabric one MTU above every host's: 4200 bytes or more carry RoCE MTU 4096, 9216 everything.

- nxos: `mtu 9216` on the interface and in the network-qos class
- sonic: `config interface mtu Ethernet0 9100`
- cumulus: `nv set interface swp1 link mtu 9216`
- junos: `set interfaces IF mtu 9216`
- mlx5: `ip link set dev IF mtu 9000`

## When to ignore

The information about unequal large values, once looked at.

## References

- NVIDIA guideline of 4200 bytes (dgx-spark-playbooks pull request 103)
- Vendors count the MTU with or without the 14-byte Ethernet header
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import End, Given, Hit, Link, Option, Severity, Unknown

ID, NAME, SEVERITY, PROFILE, SINCE = "PEER-002", "mtu-mismatch", Severity.ERROR, "min", "0.1"
OPTIONS = {"roce-frame": Option(4200, "bytes of the largest RoCE frame the fabric must carry (RoCE MTU 4096)")}
GOOD = """
devices:
  - {name: leaf1, ports: {Ethernet0: {mtu: 9014, mtu_counts: l2}}}
  - {name: gpu01, kind: host, ports: {rail0: {mtu: 9000, mtu_counts: ip}}}
links: [{a: "leaf1:Ethernet0", b: "gpu01:rail0"}]
"""
BAD = """
devices:
  - {name: leaf1, ports: {Ethernet0: {mtu: 1514, mtu_counts: l2}}}
  - {name: gpu01, kind: host, ports: {rail0: {mtu: 9000, mtu_counts: ip}}}
links: [{a: "leaf1:Ethernet0", b: "gpu01:rail0"}]
"""
_TO_FRAME = {"ip": 14, "l2": 0, "l2+fcs": -4}
_HEADERS = 104
"""RoCE payload to Ethernet frame: NVIDIA's 4200 for 4096."""


def check(link: Link, given: Given) -> Iterator[Hit | Unknown]:
    frames: list[tuple[int, End]] = []
    for end in (link.a, link.b):
        port = end.port
        if port is None or port.mtu is None or port.mtu_counts is None:
            yield Unknown(f"the MTU of {end.device_name} {end.port_name}")
            return
        frames.append((port.mtu + _TO_FRAME[port.mtu_counts], end))
    (small, low), (large, high) = sorted(frames, key=lambda item: item[0])
    if small == large:
        return
    message = (
        f"{low.device_name} {low.port_name} takes frames of {small} bytes, "
        f"{high.device_name} {high.port_name} of {large}"
    )
    yield Hit(
        message, "give both ends the same MTU", "mtu", end=low,
        severity=Severity.ERROR if _drops(small, low, high, given.options.roce_frame) else Severity.INFO,
    )  # fmt: skip


def _drops(small: int, low: End, high: End, roce_frame: int) -> bool:
    """Return whether RoCE packets that arrive at the smaller end are too long for it."""
    if low.device is None or high.device is None:
        return small < roce_frame
    if high.device.kind == "host":
        nic = high.port.nic if high.port is not None else None
        sends = nic.active_mtu + _HEADERS if nic is not None and nic.active_mtu is not None else None
        return small < (sends if sends is not None else max(roce_frame, small + 1))
    return low.device.kind == "switch" and small < roce_frame
