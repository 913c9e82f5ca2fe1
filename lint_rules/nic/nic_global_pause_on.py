"""The NIC uses link pause beside PFC.

## What it finds

A host port that sends or obeys 802.3x pause frames while PFC is on.

## Why it matters

Link pause stops every class at once, control traffic included. It has taken a fifth of the throughput of a 400G port
without a single drop counter moving.

## What to do

Turn link pause off in both directions.

- mlx5: `ethtool -A IF rx off tx off`

## When to ignore

Never while PFC is on.

## References

- NVIDIA/daqiri issue 250: 21.7 percent of 400GbE lost, all drop counters zero
- NVIDIA FreeBSD guide: global pause is on by default, turn it off before PFC
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import Given, Hit, PortQos, Severity, Unknown, numbers_text

ID, NAME, SEVERITY, PROFILE, SINCE = "NIC-003", "nic-global-pause-on", Severity.ERROR, "min", "0.1"
DEVICES = "host"
GOOD = """
device:
  name: gpu01
  kind: host
  ports: {rail0: {qos: {pfc: {admin: "on", tx: [3], rx: [3]}, link_pause: {rx: false, tx: false}}}}
"""
BAD = GOOD.replace("rx: false", "rx: true")


def check(qos: PortQos, given: Given) -> Iterator[Hit | Unknown]:
    pause, lossless = qos.link_pause, qos.lossless_priorities()
    on = [way for way, state in (("obeys", pause.rx), ("sends", pause.tx)) if state] if pause is not None else []
    if on and lossless is None:
        yield Unknown("PFC of a NIC with link pause")
    elif on and lossless:
        yield Hit(
            f"the NIC {' and '.join(on)} link pause (802.3x) while PFC is on for priority {numbers_text(lossless)}",
            "turn link pause off",
            "link_pause",
        )
    elif lossless and (pause is None or pause.rx is None or pause.tx is None):
        yield Unknown("link pause (802.3x) of the NIC")
