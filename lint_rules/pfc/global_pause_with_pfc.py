"""A port uses PAUSE of the whole link beside PFC.

## What it finds

IEEE 802.3x link pause, sending or receiving, on a port on which PFC is on.

## Why it matters

Link pause stops every class, the acknowledgements and the control plane included, and most chips can do only one of
the two. A 400G host port that honoured link pause lost 21.7 percent of its traffic without one counted drop.

## What to do

Turn link pause off in both directions on both ends.

- nxos: `flowcontrol receive off` and `flowcontrol send off`
- cumulus: unbind what `nv set interface IF qos link-pause profile NAME` bound
- onyx: `flowcontrol send off force` and `flowcontrol receive off force` on the interface
- mlx5: `ethtool -A IF autoneg off rx off tx off`

## When to ignore

A lab link with a single class.

## References

- NVIDIA daqiri issue 250 (receive pause on a 400G port)
- Nokia SR Linux documentation: the two are mutually exclusive
- NVIDIA FreeBSD driver guide: disable global pause for PFC
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, PortQos, Severity, Unknown

ID, NAME, SEVERITY, PROFILE, SINCE = "PFC-006", "global-pause-with-pfc", Severity.ERROR, "min", "0.1"
DEVICES = "switch"
GOOD = """
device:
  name: leaf1
  ports:
    Ethernet0: {qos: {pfc: {admin: "on", tx: [3], rx: [3]}, link_pause: {rx: false, tx: false}}}
"""
BAD = """
device:
  name: leaf1
  ports:
    Ethernet0: {qos: {pfc: {admin: "on", tx: [3], rx: [3]}, link_pause: {rx: true, tx: false}}}
"""


def check(qos: PortQos, given: Given) -> Iterator[Hit | Unknown]:
    pause = qos.link_pause
    on = [way for way, state in (("receives", pause.rx), ("sends", pause.tx)) if state] if pause is not None else []
    lossless = qos.lossless_priorities()
    if on and lossless is None:
        yield Unknown("PFC of a port with link pause")
    elif on and lossless:
        yield Hit(
            f"the port {' and '.join(on)} link pause (802.3x) while PFC is on for priority "
            f"{', '.join(map(str, sorted(lossless)))}",
            "turn link pause off",
            "link_pause",
        )
    elif lossless and (pause is None or pause.rx is None or pause.tx is None):
        yield Unknown("link pause (802.3x) of the port")
