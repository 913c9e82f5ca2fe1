"""Receive buffers set by hand no longer fit the port.

## What it finds

A NIC in manual buffer mode whose lossless receive buffer is smaller than what its present speed, cable and MTU need.

## Why it matters

In manual mode older drivers work out new thresholds after a change of PFC, MTU, speed or cable, and never a new size:
130,944 bytes from the days of 100G cannot hold what 400G over 7 m needs (150,880 bytes, a frame and a cell).

## What to do

Return to automatic buffers, or size them for what is there now.

- mlx5: `mlnx_qos -i IF --buffer_size SIZES` with the bytes that the finding names

## When to ignore

Drivers that size manual buffers again by themselves.

## References

- Linux drivers/net/ethernet/mellanox/mlx5/core/en/port_buffer.c: thresholds are recomputed, sizes are not
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Option, Port, Severity, Unknown
from rocecfg.lint.headrooms import kept_headrooms

ID, NAME, SEVERITY, PROFILE, SINCE = "NIC-017", "nic-buffer-manual-mode-stale", Severity.WARNING, "safe", "0.1"
DEVICES = "host"
OPTIONS = {"cell": Option(128, "bytes of a cell of the NIC's receive buffer")}
GOOD = """
device:
  name: gpu01
  kind: host
  ports:
    rail0:
      mtu: 9000
      nic: {manual_buffers: true}
      qos: {priority_groups: {1: {lossless: true, reserved: 165000, headroom: {amount: 150880, by: length}}}}
"""
BAD = GOOD.replace("165000", "130944")


def check(port: Port, given: Given) -> Iterator[Hit | Unknown]:
    if port.nic is None or not port.nic.manual_buffers:
        return
    for number, group in enumerate(port.qos.priority_groups or ()):
        if group is not None and group.lossless and group.headroom is not None and group.headroom.amount is None:
            yield Unknown(
                f"speed, MTU or cable length, from which the driver works out the headroom of buffer {number}"
            )
    for kept in kept_headrooms(port.qos):
        buffer = kept.group.reserved
        if buffer is None or buffer.bytes is None or port.mtu is None:
            yield Unknown(f"the size of receive buffer {kept.number} or the MTU of the port")
            continue
        need = kept.bytes + port.mtu + given.options.cell
        if buffer.bytes < need:
            yield Hit(
                f"receive buffer {kept.number} was set to {buffer.bytes} bytes by hand; speed, cable and MTU of today need "
                f"{need}",
                "return to automatic buffers or size it again",
                f"priority_groups.{kept.number}",
                f"receive buffer {kept.number}",
            )
