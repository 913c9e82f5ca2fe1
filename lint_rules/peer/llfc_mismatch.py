"""One end of a cable sends link pause, and the other does not obey it.

## What it finds

A port that sends 802.3x pause frames to a port that is set to ignore them.

## Why it matters

The sender believes that it is protected and is not: its pauses are thrown away, and packets are lost in its full
buffer.

## What to do

Use PFC on both ends and link pause on neither.

- nxos: `flowcontrol send off` and `flowcontrol receive off`
- mlx5: `ethtool -A IF rx off tx off`

## When to ignore

Never.

## References

- IEEE 802.3 Annex 31B; Nokia SR Linux: PFC and link pause exclude each other on a port
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, Link, Severity, Unknown

ID, NAME, SEVERITY, PROFILE, SINCE = "PEER-009", "llfc-mismatch", Severity.ERROR, "safe", "0.1"
GOOD = """
devices:
  - {name: leaf1, ports: {Ethernet0: {qos: {link_pause: {rx: false, tx: false}}}}}
  - {name: gpu01, kind: host, ports: {rail0: {qos: {link_pause: {rx: false, tx: false}}}}}
links: [{a: "leaf1:Ethernet0", b: "gpu01:rail0"}]
"""
BAD = GOOD.replace(
    "gpu01, kind: host, ports: {rail0: {qos: {link_pause: {rx: false, tx: false",
    ("gpu01, kind: host, ports: {rail0: {qos: {link_pause: {rx: false, tx: true"),
)


def check(link: Link, given: Given) -> Iterator[Hit | Unknown]:
    for near, far in ((link.a, link.b), (link.b, link.a)):
        sends = near.port.qos.link_pause if near.port is not None else None
        if sends is None or not sends.tx:
            continue
        obeys = far.port.qos.link_pause if far.port is not None else None
        if obeys is None or obeys.rx is None:
            yield Unknown("whether the port obeys link pause (802.3x)", far)
        elif not obeys.rx:
            pfc = far.port.qos.pfc if far.port is not None else None
            only = "obeys PFC only" if pfc is not None and pfc.honours() else "ignores it"
            yield Hit(
                f"the port sends link pause (802.3x), {far.device_name} {only}",
                "use PFC on both ends and link pause on neither",
                "link_pause",
                end=near,
            )
