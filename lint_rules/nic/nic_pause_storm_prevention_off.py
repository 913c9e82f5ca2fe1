"""A NIC that hangs will pause its switch port for ever.

## What it finds

A host port whose protection against endless pausing (pause storm prevention, PFC prevention timeout) is known to be
off.

## Why it matters

When the NIC's receive side stops, it goes on sending pauses: only its own microcontroller can end that. One such
server has stopped a whole data centre network; the watchdog of the switch then has to drop its traffic.

## What to do

Turn the protection on.

- mlx5: `ethtool --set-tunable IF pfc-prevention-tout auto`

## When to ignore

Never.

## References

- Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 4.3: 100 ms
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.lint.api import NEVER, Given, Hit, Port, Severity, Unknown

ID, NAME, SEVERITY, PROFILE, SINCE = "NIC-010", "nic-pause-storm-prevention-off", Severity.WARNING, "safe", "0.1"
DEVICES = "host"
GOOD = """
device: {name: gpu01, kind: host, ports: {rail0: {nic: {storm_timeout: 100}}}}
"""
BAD = GOOD.replace("100", "-1")


def check(port: Port, given: Given) -> Iterator[Hit | Unknown]:
    timeout = port.nic.storm_timeout if port.nic is not None else None
    if timeout is None and port.qos.pfc is not None and port.qos.pfc.sends():
        yield Unknown("the NIC's protection against endless pausing")
    elif timeout == NEVER:
        yield Hit(
            "the NIC's protection against endless pausing is off",
            "let the NIC end its own pause after 100 ms",
            "nic.storm_timeout",
        )
