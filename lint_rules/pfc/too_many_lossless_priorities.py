"""A port has more lossless priorities than its buffer is likely to hold headroom for.

## What it finds

A port that pauses its peer for more priorities than the option `maximum` (2). The published dual-ToR set of SONiC
(2, 3, 4, 6) is information only.

## Why it matters

Each lossless priority wants its own headroom on every port: at 400G over 30 m the delays of 802.1Q ask for 91 kB, on
64 ports for 6 MB a priority, taken from the buffer that absorbs bursts. A smaller shared buffer pauses earlier, and
pauses spread.

## What to do

Merge lossless classes: one for RDMA is the rule, two where storage needs its own.

- nxos: keep one class with `pause` in the network-qos policy
- sonic: `config interface pfc priority IF PRIORITY off`
- cumulus: `nv set qos pfc NAME switch-priority PRIORITY`
- junos: one `no-loss` forwarding class
- mlx5: `mlnx_qos -i IF --pfc 0,0,0,1,0,0,0,0`

## When to ignore

Switches with few ports, whose headroom fits: compare with the pool, then raise `maximum`.

## References

- Juniper, Understanding CoS IEEE 802.1p Priorities for Lossless Traffic Flows: at most six lossless classes
- sonic-buildimage qos_config.j2: LOSSLESS_TC 3 and 4, with tunnel remap 2, 3, 4 and 6
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Option, PortQos, Severity, Unknown, numbers_text
from rocecfg.lint.classes import pfc_sets

ID, NAME, SEVERITY, PROFILE, SINCE = "PFC-003", "too-many-lossless-priorities", Severity.WARNING, "safe", "0.1"
OPTIONS = {"maximum": Option(2, "lossless priorities a port may have")}
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet0: {qos: {pfc: {admin: "on", tx: [3, 4], rx: [3, 4]}}}
"""
BAD = GOOD.replace("[3, 4]", "[1, 2, 3, 4]")
_DUAL_TOR = frozenset({2, 3, 4, 6})


def check(qos: PortQos, given: Given) -> Iterator[Hit | Unknown]:
    sends = pfc_sets(qos).sends
    most = given.options.maximum
    if sends is None:
        yield Unknown("PFC of the port")
    elif len(sends) > most:
        yield Hit(
            f"the port has {len(sends)} lossless priorities ({numbers_text(sends)}), more than {most}: each takes "
            "headroom on every port",
            "merge lossless classes",
            "pfc.tx",
            f"priority {numbers_text(sends)}",
            Severity.INFO if sends == _DUAL_TOR else None,
        )
