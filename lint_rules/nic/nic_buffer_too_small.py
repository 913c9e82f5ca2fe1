"""The NIC's receive buffer cannot hold what arrives after its pause.

## What it finds

A lossless receive buffer smaller than the driver's headroom for speed, cable and MTU plus one frame and one cell, on a
NIC of which nothing says that its buffers were set by hand (that is NIC-017).

## Why it matters

The driver refuses the setting, or the NIC drops lossless packets with its own pause under way.

## What to do

Return to automatic buffers, or give the buffer the bytes that the finding names; check the cable length first.

- mlx5: `mlnx_qos -i IF --buffer_size SIZES`, `mlnx_qos -i IF --cable_len METRES`

## When to ignore

NICs that size their buffers themselves.

## References

- Linux drivers/net/ethernet/mellanox/mlx5/core/en/port_buffer.c, commit 0696d60853d5
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Option, Port, Severity, Unknown
from rocecfg.lint.headrooms import kept_headrooms

ID, NAME, SEVERITY, PROFILE, SINCE = "NIC-004", "nic-buffer-too-small", Severity.ERROR, "safe", "0.1"
DEVICES = "host"
OPTIONS = {"cell": Option(128, "bytes of a cell of the NIC's receive buffer")}
GOOD = """
device:
  name: gpu01
  kind: host
  ports:
    rail0:
      mtu: 4200
      qos: {priority_groups: {1: {lossless: true, reserved: 170000, headroom: {amount: 158000, by: length}}}}
"""
BAD = GOOD.replace("170000", "160000")


def check(port: Port, given: Given) -> Iterator[Hit | Unknown]:
    if port.nic is not None and port.nic.manual_buffers is not None:
        return  # by hand: NIC-017 judges; known to be automatic: the firmware sizes them
    for kept in kept_headrooms(port.qos):
        buffer = kept.group.reserved
        if buffer is None:
            continue
        if buffer.bytes is None or port.mtu is None:
            yield Unknown("the MTU of the port")
            continue
        need = kept.bytes + port.mtu + given.options.cell
        if buffer.bytes < need:
            yield Hit(
                f"receive buffer {kept.number} has {buffer.bytes} bytes; headroom ({kept.bytes}), one frame of {port.mtu} "
                f"and a cell need {need}",
                f"give it {need} bytes or return to automatic buffers",
                f"priority_groups.{kept.number}",
                f"receive buffer {kept.number}",
            )
