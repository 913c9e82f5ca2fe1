"""The lossless class is made for smaller frames than it carries.

## What it finds

A lossless class or priority group whose own MTU is below the largest RoCE frame (error) or, being large enough for
that, below the port's MTU (information). With an intent that states the RDMA path MTU also a device that sizes its
headroom for a smaller packet (warning).

## Why it matters

A frame above the class MTU is dropped inside the lossless class, small packets still pass: pings work and transfers
hang. A headroom for smaller frames is short by the difference, twice.

## What to do

Give the class the MTU of the port.

- nxos: `mtu 9216` in the class of the `type network-qos` policy
- sonic: `mtu` in LOSSLESS_TRAFFIC_PATTERN

## When to ignore

SONiC's default of 1024 bytes with all packets small: cell packing makes up for it.

## References

- NVIDIA guideline of 4200 bytes for RoCE MTU 4096 (dgx-spark-playbooks pull request 103)
- sonic-buildimage buffers_config.j2 (1024 bytes), SN5600-C256S1 (4096 bytes)
- A public Nexus 3132 configuration: no-drop class of 2240 bytes under interfaces of 9100
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Device, Given, Hit, Option, Port, Severity
from rocecfg.lint.headrooms import ROCE_HEADERS, lossless_group_numbers

ID, NAME, SEVERITY, PROFILE, SINCE = "BUF-016", "lossless-mtu-mismatch", Severity.ERROR, "safe", "0.1"
DEVICES = "switch"
OPTIONS = {"roce-frame": Option(4200, "bytes of the largest RoCE frame where no intent says (RoCE MTU 4096)")}
GOOD = """
device:
  name: leaf1
  ports: {Ethernet1/1: {mtu: 9216, qos: {priority_groups: {3: {lossless: true, mtu: 9216}}}}}
"""
BAD = GOOD.replace("true, mtu: 9216", "true, mtu: 2240")
_ALL_SMALL = 100


def check(port: Port, given: Given) -> Iterator[Hit]:
    stated = given.expect.roce_mtu if given.expect is not None else None
    frame: int = given.options.roce_frame if stated is None else stated + ROCE_HEADERS
    if port.mtu is None:
        return
    for number in sorted(lossless_group_numbers(port.qos)):
        group = port.qos.priority_group(number)
        if group is None or group.mtu is None or group.mtu >= port.mtu:
            continue
        short = group.mtu < min(frame, port.mtu)
        yield Hit(
            f"the lossless class takes frames of {group.mtu} bytes, the port sends and takes {port.mtu}",
            f"give the class {port.mtu} bytes",
            f"priority_groups.{number}.mtu",
            f"priority group {number}",
            None if short else Severity.INFO,
        )


def check_device(device: Device, given: Given) -> Iterator[Hit]:
    """Judge the packet that a device works its headroom out for."""
    stated = given.expect.roce_mtu if given.expect is not None else None
    if device.traffic is None or stated is None:
        return
    mtu, small = device.traffic
    if mtu < stated and small < _ALL_SMALL:
        yield Hit(
            f"the device sizes headroom for lossless packets of {mtu} bytes, {small} percent of them small; the path "
            f"MTU is {stated}",
            f"size it for {stated} bytes",
            object="lossless traffic",
            severity=Severity.WARNING,
        )
