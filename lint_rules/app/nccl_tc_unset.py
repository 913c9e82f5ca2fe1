"""The application marks its packets with DSCP 0.

## What it finds

An application whose settings name no traffic class where its own default is 0 (NCCL, RCCL), on a host whose NIC forces
no mark either. UCX marks DSCP 26 by itself.

## Why it matters

All RDMA traffic rides in the default class: no PFC, no ECN, and the lossless queue stays empty while everything looks
configured.

## What to do

Set the traffic class to DSCP x 4 + 2.

- mlx5: `NCCL_IB_TC=106` in /etc/nccl.conf on every host (DSCP 26, ECN-capable)

## When to ignore

NICs that mark port-wide (`traffic_class` in sysfs) or by the RDMA-CM default; the rule then says nothing.

## References

- NVIDIA/nccl src/transport/net_ib: NCCL_IB_TC, then the communicator's trafficClass, then 0
- openucx/ucx issue 10325 (value 106)
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Device, Given, Hit, Severity, Unknown

ID, NAME, SEVERITY, PROFILE, SINCE = "APP-001", "nccl-tc-unset", Severity.ERROR, "safe", "0.1"
DEVICES = "host"
GOOD = """
device:
  name: gpu01
  kind: host
  apps: [{name: nccl, tos: 106}]
  ports: {rail0: {nic: {forced_tos: 0, default_tos: 0}}}
"""
BAD = GOOD.replace("tos: 106", "tos: 0")


def check(device: Device, given: Given) -> Iterator[Hit | Unknown]:
    nics = [port.nic for port in device.ports.values() if port.nic is not None]
    forced = any(nic.forced_tos or nic.default_tos for nic in nics)
    unseen = not nics or any(nic.forced_tos is None for nic in nics)
    for app in device.apps or ():
        if app.tos is None:
            yield Unknown(f"the traffic class of {app.name}")
        elif app.tos == 0 and not forced:
            stated = "sets traffic class 0" if "tos" not in app.defaulted else "is told no traffic class and uses 0"
            yield Hit(
                f"{app.name} {stated}: its packets carry DSCP 0"
                + (" unless the NIC forces another mark" if unseen else ""),
                "set the traffic class to DSCP x 4 + 2, 106 for DSCP 26",
                object=app.name,
                severity=Severity.WARNING if unseen else None,
                place=app.places.get("tos") or app.place,
            )
