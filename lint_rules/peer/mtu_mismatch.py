"""One end of a cable sends frames that the other end drops as too long.

## What it finds

A switch port whose MTU is below that of the far end, both counted as Ethernet frames without check sum. An error when
it drops what its host sends, or when it is below the largest RoCE frame; otherwise information, because unequal but
large values (9216 against 9100) are common and harmless. A host below its switch is as it should be. Where a system
does not say what its MTU counts, the rule judges only what holds either way.

## Why it matters

Over-long frames are dropped without a pause, inside the lossless class, and small packets still pass: pings work and
transfers hang.

## What to do

Give the fabric one MTU above every host's: 4200 bytes or more carry RoCE MTU 4096, 9216 everything.

- nxos: `mtu 9216` on the interface and in the network-qos class
- sonic: `"mtu": "9100"` in the PORT row
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
_TO_FRAME = {"ip": (14, 14), "l2": (0, 0), "l2+fcs": (-4, -4), None: (-4, 14)}
"""What an MTU counts -> least and most that make an Ethernet frame without check sum of it."""
_HEADERS = 104
"""RoCE payload to Ethernet frame: NVIDIA's 4200 for 4096."""


def check(link: Link, given: Given) -> Iterator[Hit | Unknown]:
    frames: list[tuple[int, int, End]] = []
    for end in (link.a, link.b):
        port = end.port
        if port is None or port.mtu is None:
            yield Unknown("the port's MTU" if port is not None else "the port: it is in no text", end)
            return
        least, most = _TO_FRAME[port.mtu_counts]
        frames.append((port.mtu + least, port.mtu + most, end))
    (least_low, most_low, low), (least_high, most_high, high) = sorted(frames, key=lambda frame: frame[:2])
    if _is_host(low) or least_low == most_high:
        return
    needed = _needed(high, most_high, given.options.roce_frame)
    below = most_low < least_high
    if below and (most_low < needed or least_low >= needed):
        yield Hit(
            f"the port takes frames of {most_low} bytes, {high.device_name} sends up to {least_high}",
            "give both ends the same MTU",
            "mtu",
            severity=Severity.ERROR if most_low < needed else Severity.INFO,
            end=low,
        )
    elif least_low < needed:
        yield Unknown("what the port's MTU counts (with or without Ethernet header)", low)


def _needed(high: End, most_high: int, roce_frame: int) -> int:
    """Return the frame that the smaller end must take so that no RoCE packet is lost."""
    if not _is_host(high):
        return roce_frame
    nic = high.port.nic if high.port is not None else None
    return nic.active_mtu + _HEADERS if nic is not None and nic.active_mtu is not None else most_high


def _is_host(end: End) -> bool:
    return end.device is not None and end.device.kind == "host"
