"""RDMA uses smaller packets than the port could carry.

## What it finds

A host port whose active RDMA MTU is below 4096 although its MTU would carry it, or a port with PFC whose MTU is so small
that RDMA falls to 1024 bytes or less.

## Why it matters

Four times the packets for the same data: more headers, more buffer cells, more work for the NIC. About five percent of
all-reduce bandwidth were gained by the larger MTU.

## What to do

Give the port an MTU of 4200 bytes or more, on both ends of the cable.

- mlx5, bnxt, ice: `ip link set dev IF mtu 9000`
- ionic: the same, and `nicctl update port -p PORT --mtu 9216`

## When to ignore

Applications that only care for the latency of small messages.

## References

- NVIDIA/dgx-spark-playbooks pull request 103: MTU 4200, about 5 percent
- MinIO runbook: a path MTU of 4096 expected on a 1500-byte link
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Option, Port, Severity, Unknown

ID, NAME, SEVERITY, PROFILE, SINCE = "NIC-015", "nic-mtu-active-mismatch", Severity.WARNING, "safe", "0.1"
DEVICES = "host"
OPTIONS = {
    "wanted": Option(4096, "bytes of the RDMA MTU"),
    "frame": Option(4200, "port MTU that carries it"),
    "least": Option(2200, "port MTU below which RDMA falls to 1024 bytes"),
}
GOOD = """
device: {name: gpu01, kind: host, ports: {rail0: {mtu: 9000, nic: {active_mtu: 4096}}}}
"""
BAD = GOOD.replace("4096", "1024")


def check(port: Port, given: Given) -> Iterator[Hit | Unknown]:
    options = given.options
    wanted = given.expect.roce_mtu if given.expect is not None and given.expect.roce_mtu else options.wanted
    if port.mtu is None:
        if port.qos.pfc is not None and port.qos.pfc.sends():
            yield Unknown("the MTU of the NIC's port")
        return
    active = port.nic.active_mtu if port.nic is not None else None
    pfc = port.qos.pfc
    paused = pfc is not None and (bool(pfc.sends()) or (pfc.admin == "on" and pfc.tx is None))
    if active is not None and active < wanted and port.mtu >= options.frame:
        yield Hit(
            f"the active RDMA MTU is {active} bytes, the port's MTU of {port.mtu} carries {wanted}",
            f"bring the RDMA MTU to {wanted}",
            "nic.active_mtu",
        )
    elif paused and port.mtu < options.least and wanted > 1024:
        yield Hit(
            f"the port has PFC and an MTU of {port.mtu} bytes: RDMA falls to 1024 bytes or less, {wanted} are wanted",
            f"give the port an MTU of {options.frame} bytes or more",
            "mtu",
        )
